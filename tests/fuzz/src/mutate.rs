//! New inputs from old ones: bytes, words, lines and documents are cut, doubled, swapped and mixed.

use fastrand::Rng;

/// Longer inputs find nothing that shorter ones do not, but take their time.
const LONGEST: usize = 12_000;
/// But for one in so many, which are long on purpose: what grows faster than its input shows there.
const INFLATED: u32 = 400;
const INFLATED_TO: usize = 200_000;

/// An input made of `seed`, with parts of `other` and of `words`.
#[must_use]
pub fn mutate(seed: &[u8], other: &[u8], words: &[&[&str]], rng: &mut Rng) -> Vec<u8> {
    let mut text = seed.to_vec();
    for _ in 0..1 + rng.usize(..5) {
        change(&mut text, other, words, rng);
        text.truncate(LONGEST);
    }
    if rng.u32(..INFLATED) == 0 {
        inflate(&mut text, rng);
    }
    text
}

fn change(text: &mut Vec<u8>, other: &[u8], words: &[&[&str]], rng: &mut Rng) {
    match rng.u8(..16) {
        0 => flip(text, rng),
        1 => {
            let cut = span(text.len(), 20, rng);
            text.drain(cut);
        }
        2 => {
            let (from, to) = (span(text.len(), 200, rng), rng.usize(..=text.len()));
            let copied = text[from].to_vec();
            insert(text, to, &copied);
        }
        3 | 4 => insert(text, rng.usize(..=text.len()), word(words, rng).as_bytes()),
        5..=7 => replace_word(text, other, words, rng),
        8 => number(text, rng),
        9 => wrap(text, rng),
        10 | 11 => lines(text, other, rng),
        12 => indent(text, rng),
        13 => documents(text, other, rng),
        14 => splice(text, other, rng),
        _ => {
            let line = [word(words, rng), word(words, rng), "\n"].concat();
            let at = line_start(text, rng);
            insert(text, at, line.as_bytes());
        }
    }
}

fn flip(text: &mut [u8], rng: &mut Rng) {
    const LIKELY: &[u8] = b"\n\t \"'[]{}:,-#&*!|>%@`.~<=\\\r/0x\xc3\xff";
    if !text.is_empty() {
        let at = rng.usize(..text.len());
        text[at] = if rng.bool() { LIKELY[rng.usize(..LIKELY.len())] } else { rng.u8(..) };
    }
}

/// A part of `length` bytes, mostly short.
fn span(length: usize, longest: usize, rng: &mut Rng) -> std::ops::Range<usize> {
    let start = rng.usize(..=length);
    let end = (start + rng.usize(..=longest)).min(length);
    start..end
}

fn insert(text: &mut Vec<u8>, at: usize, new: &[u8]) {
    text.splice(at..at, new.iter().copied());
}

fn word<'w>(words: &[&[&'w str]], rng: &mut Rng) -> &'w str {
    let list = words[rng.usize(..words.len())];
    list[rng.usize(..list.len())]
}

/// The words of a text: what stands between blanks and punctuation.
fn words_of(text: &[u8]) -> Vec<std::ops::Range<usize>> {
    let is_in_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"._".contains(byte);
    let mut found = Vec::new();
    let mut at = 0;
    for run in text.chunk_by(|a, b| is_in_word(a) == is_in_word(b)) {
        if is_in_word(&run[0]) {
            found.push(at..at + run.len());
        }
        at += run.len();
    }
    found
}

fn replace_word(text: &mut Vec<u8>, other: &[u8], words: &[&[&str]], rng: &mut Rng) {
    let mine = words_of(text);
    if mine.is_empty() {
        return;
    }
    let theirs = words_of(other);
    let new = match rng.u8(..3) {
        0 => text[mine[rng.usize(..mine.len())].clone()].to_vec(),
        1 if !theirs.is_empty() => other[theirs[rng.usize(..theirs.len())].clone()].to_vec(),
        _ => word(words, rng).as_bytes().to_vec(),
    };
    let place = mine[rng.usize(..mine.len())].clone();
    text.splice(place, new);
}

fn number(text: &mut Vec<u8>, rng: &mut Rng) {
    const NUMBERS: [&str; 14] = [
        "0",
        "1",
        "2",
        "-1",
        "00",
        "9",
        "10",
        "1e3",
        "1.10",
        "4294967296",
        "9223372036854775807",
        "18446744073709551616",
        "1e999",
        "0x1F",
    ];
    let mut digits = words_of(text);
    digits.retain(|word| text[word.clone()].iter().any(u8::is_ascii_digit));
    if digits.is_empty() {
        return;
    }
    let place = digits[rng.usize(..digits.len())].clone();
    let at = place.clone().find(|&at| text[at].is_ascii_digit()).unwrap_or(place.start);
    text.splice(at..at + 1, NUMBERS[rng.usize(..NUMBERS.len())].bytes());
}

/// Puts quotes or brackets around a part, perhaps many.
fn wrap(text: &mut Vec<u8>, rng: &mut Rng) {
    const PAIRS: [(&str, &str); 10] = [
        ("\"", "\""),
        ("'", "'"),
        ("[", "]"),
        ("{", "}"),
        ("{a: ", "}"),
        ("(", ")"),
        ("- ", ""),
        ("!", ""),
        ("{\"a\":", "}"),
        ("[", ""),
    ];
    let (before, after) = PAIRS[rng.usize(..PAIRS.len())];
    let times = if rng.u8(..8) == 0 { 1 + rng.usize(..300) } else { 1 };
    let place = span(text.len(), 30, rng);
    insert(text, place.end, after.repeat(times).as_bytes());
    insert(text, place.start, before.repeat(times).as_bytes());
}

fn line_start(text: &[u8], rng: &mut Rng) -> usize {
    let at = rng.usize(..=text.len());
    text[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |before| before + 1)
}

/// Some whole lines.
fn some_lines(text: &[u8], rng: &mut Rng) -> std::ops::Range<usize> {
    let start = line_start(text, rng);
    let mut end = start;
    for _ in 0..1 + rng.usize(..6) {
        end = text[end..].iter().position(|&byte| byte == b'\n').map_or(text.len(), |at| end + at + 1);
    }
    start..end
}

fn lines(text: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
    let from = some_lines(text, rng);
    let chosen = text[from.clone()].to_vec();
    match rng.u8(..4) {
        0 => {
            text.drain(from);
        }
        1 => {
            text.drain(from);
            let at = line_start(text, rng);
            insert(text, at, &chosen);
        }
        2 => {
            let at = line_start(text, rng);
            insert(text, at, &chosen);
        }
        _ => {
            let at = line_start(text, rng);
            insert(text, at, &other[some_lines(other, rng)]);
        }
    }
}

fn indent(text: &mut Vec<u8>, rng: &mut Rng) {
    let at = line_start(text, rng);
    let blanks = text[at..].iter().take_while(|&&byte| byte == b' ').count();
    if rng.bool() {
        insert(text, at, [&b" "[..], b"  ", b"- ", b"\t"][rng.usize(..4)]);
    } else {
        text.drain(at..at + rng.usize(..=blanks));
    }
}

/// Cuts, doubles or brings in a whole document.
fn documents(text: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
    let place = document(text, rng);
    let new = if rng.bool() { text[place.clone()].to_vec() } else { other[document(other, rng)].to_vec() };
    if rng.u8(..3) == 0 {
        text.drain(place);
    } else {
        insert(text, place.start, &new);
    }
}

/// From one separator to the next.
fn document(text: &[u8], rng: &mut Rng) -> std::ops::Range<usize> {
    let separators = text.windows(4).enumerate().filter(|(_, four)| *four == b"---\n" || *four == b"=== ");
    let mut starts: Vec<usize> = separators.map(|(at, _)| at).collect();
    starts.insert(0, 0);
    let which = rng.usize(..starts.len());
    starts[which]..starts.get(which + 1).copied().unwrap_or(text.len())
}

fn splice(text: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
    let (at, from) = (line_start(text, rng), line_start(other, rng));
    text.truncate(at);
    text.extend_from_slice(&other[from..]);
}

/// Repeats a part until the input is long.
fn inflate(text: &mut Vec<u8>, rng: &mut Rng) {
    let place = if rng.bool() { some_lines(text, rng) } else { span(text.len(), 12, rng) };
    if place.is_empty() {
        return;
    }
    let times = (1 + rng.usize(..INFLATED_TO)) / place.len();
    let repeated = text[place.clone()].repeat(times);
    insert(text, place.end, &repeated);
}
