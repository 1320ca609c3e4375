//! The seeds: inputs that are kept in files, among them everything that once failed, named for what was wrong.

use std::ops::Range;
use std::path::Path;
use std::{fmt, fs};

use bolero::{Driver, TypeGenerator, ValueGenerator, produce};

/// An input that is kept in a file.
pub struct Seed {
    pub path: String,
    /// Its content.
    pub input: Vec<u8>,
}

/// A seed that is too long for a file: a folder, the name that its file would have, and what it repeats how often.
const MADE: [(&str, &str, &str, usize); 1] = [("stream", "fault-a-brace-on-every-line", "{\n", 20_000)];

/// The seeds in some folders below `seeds/`, and those that are made for them, by path.
///
/// # Panics
/// When they cannot be read, or are fewer than three.
#[must_use]
pub fn seeds(folders: &[&str]) -> Vec<Seed> {
    let mut seeds = Vec::new();
    for folder in folders {
        let made = MADE.into_iter().filter(|(of, ..)| of == folder);
        seeds.extend(made.map(|(of, name, part, times)| Seed {
            path: format!("{of}/{name}"),
            input: part.repeat(times).into_bytes(),
        }));
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(folder);
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries {
            let path = entry.unwrap_or_else(|error| panic!("{}: {error}", folder.display())).path();
            let input = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            seeds.push(Seed { path: path.display().to_string(), input });
        }
    }
    assert!(seeds.len() >= 3, "{folders:?} have only {} seeds", seeds.len());
    seeds.sort_by(|one, other| one.path.cmp(&other.path));
    seeds
}

// Inputs with several parts: each begins with a line `=== HEAD`, so that seeds can be read and written by hand.

/// The part before the first head, and the other parts with their heads.
pub(crate) fn parts(input: &str) -> (&str, Vec<(&str, &str)>) {
    let mut starts: Vec<usize> = input.match_indices("=== ").map(|(at, _)| at).collect();
    starts.retain(|&at| at == 0 || input[..at].ends_with('\n'));
    let first = &input[..starts.first().copied().unwrap_or(input.len())];
    let ends = starts.iter().skip(1).copied().chain([input.len()]);
    let others = starts.iter().zip(ends).map(|(&start, end)| {
        let part = &input[start + 4..end];
        part.split_once('\n').unwrap_or((part, ""))
    });
    (first, others.collect())
}

// The inputs of bolero's random engine: seeds with a few edits.
//
// Random bytes are refused by the first lines of every parser. So the engine draws edits that keep most of a seed, and
// mix in pieces of another one.

/// Longer inputs take longer and find nothing that shorter ones do not.
const LONGEST: usize = 12_000;
/// One input in this many may be long, to find what takes more than linear time or memory.
const LONG_EVERY: u16 = 400;
const LONG: usize = 200_000;

/// Generates inputs from seeds.
pub struct EditedSeed {
    seeds: Vec<Vec<u8>>,
}

/// A generated input. It is printed as text, ready to be kept as a seed.
pub struct Input(pub Vec<u8>);

/// One change of a text. Places are fractions of the text's length in 65,536ths.
#[derive(Debug, TypeGenerator)]
struct Edit {
    unit: Unit,
    action: Action,
    /// Where the change is made.
    at: u16,
    /// Where the copied pieces are.
    from: u16,
    /// Whether they are copied from the other seed.
    is_from_other: bool,
    /// How many pieces are taken at a time.
    #[generator(1..6)]
    count: usize,
}

/// The pieces that a text is cut into.
#[derive(Clone, Copy, Debug, TypeGenerator)]
enum Unit {
    Byte,
    /// Letters and digits, or what is between them.
    Word,
    Line,
    /// A YAML document, or a part of an input that begins with `=== `.
    Document,
}

#[derive(Clone, Copy, Debug, TypeGenerator)]
enum Action {
    Remove,
    /// Inserts copied pieces.
    Insert,
    /// Replaces pieces by copied ones.
    Replace,
    /// Inserts copied pieces many times.
    Repeat(u16),
    /// Sets the first byte.
    Set(u8),
}

impl EditedSeed {
    /// A generator that edits these seeds.
    #[must_use]
    pub fn new(seeds: Vec<Vec<u8>>) -> Self {
        Self { seeds }
    }
}

impl ValueGenerator for EditedSeed {
    type Output = Input;

    fn generate<D: Driver>(&self, driver: &mut D) -> Option<Input> {
        let count = self.seeds.len();
        let (seed, other) = (0..count, 0..count).generate(driver)?;
        let edits = produce::<Vec<Edit>>().with().len(1..6_usize).generate(driver)?;
        let longest = if (0..LONG_EVERY).generate(driver)? == 0 { LONG } else { LONGEST };
        let mut text = self.seeds[seed].clone();
        for edit in edits {
            edit.apply(&mut text, &self.seeds[other], longest);
        }
        Some(Input(text))
    }
}

impl Edit {
    fn apply(&self, text: &mut Vec<u8>, other: &[u8], longest: usize) {
        let place = self.unit.pieces(text, self.at, self.count);
        let source = if self.is_from_other { other } else { text.as_slice() };
        let copied = source[self.unit.pieces(source, self.from, self.count)].to_vec();
        match self.action {
            Action::Remove => drop(text.drain(place)),
            Action::Insert => drop(text.splice(place.start..place.start, copied)),
            Action::Replace => drop(text.splice(place, copied)),
            Action::Repeat(times) => {
                let times = usize::from(times).min(longest / copied.len().max(1));
                text.splice(place.start..place.start, copied.repeat(times));
            }
            Action::Set(byte) => {
                if let Some(first) = text.get_mut(place.start) {
                    *first = byte;
                }
            }
        }
        text.truncate(longest);
    }
}

impl Unit {
    /// The range of up to `count` pieces, the first of them at a fraction of the text.
    fn pieces(self, text: &[u8], at: u16, count: usize) -> Range<usize> {
        let starts = self.starts(text);
        let first = (usize::from(at) * starts.len()) >> 16;
        let end = starts.get(first + count).copied().unwrap_or(text.len());
        starts.get(first).copied().unwrap_or(text.len())..end
    }

    fn starts(self, text: &[u8]) -> Vec<usize> {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"._".contains(&byte);
        let is_start = |at: usize| match self {
            Self::Byte => true,
            Self::Word => at == 0 || is_word(text[at - 1]) != is_word(text[at]),
            Self::Line => at == 0 || text[at - 1] == b'\n',
            Self::Document => {
                at == 0 || text[at - 1] == b'\n' && [&b"---\n"[..], b"=== "].iter().any(|s| text[at..].starts_with(s))
            }
        };
        (0..text.len()).filter(|&at| is_start(at)).collect()
    }
}

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match std::str::from_utf8(&self.0) {
            Ok(text) => write!(f, "{} bytes of text:\n{text}", text.len()),
            Err(_) => write!(f, "{} bytes: \"{}\"", self.0.len(), self.0.escape_ascii()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"a: b1\n---\nc: d\n";

    #[test]
    fn texts_are_cut_into_units() {
        let starts = |unit: Unit| unit.starts(TEXT);
        assert_eq!(starts(Unit::Byte).len(), TEXT.len());
        assert_eq!(starts(Unit::Word), [0, 1, 3, 5, 10, 11, 13, 14]);
        assert_eq!(starts(Unit::Line), [0, 6, 10]);
        assert_eq!(starts(Unit::Document), [0, 6]);
        assert_eq!(Unit::Line.pieces(TEXT, u16::MAX, 5), 10..15);
        assert_eq!(Unit::Line.pieces(b"", 0, 1), 0..0);
    }

    #[test]
    fn edits_change_what_they_name() {
        let edited = |unit, action, at| {
            let mut text = TEXT.to_vec();
            Edit { unit, action, at, from: 0, is_from_other: true, count: 1 }.apply(&mut text, b"x\ny\n", LONGEST);
            String::from_utf8(text).unwrap()
        };
        assert_eq!(edited(Unit::Document, Action::Remove, u16::MAX), "a: b1\n");
        assert_eq!(edited(Unit::Line, Action::Insert, 0), "x\na: b1\n---\nc: d\n");
        assert_eq!(edited(Unit::Word, Action::Replace, 0), "x: b1\n---\nc: d\n");
        assert_eq!(edited(Unit::Word, Action::Repeat(3), 0), "xxxa: b1\n---\nc: d\n");
        assert_eq!(edited(Unit::Byte, Action::Set(b'z'), 0), "z: b1\n---\nc: d\n");
    }
}
