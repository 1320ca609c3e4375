//! Regular expressions of Go's `regexp` (RE2), matched by regex-lite.
//!
//! Both match in linear time, and the syntax that people write means the same to both. Patterns with other syntax have no
//! verdict: `\<`, `a{`, `[[]` and `[a&&b]` are plain characters to Go alone, `a**` and `a{1001}` errors to Go alone.

use std::iter::Peekable;
use std::str::CharIndices;

use regex_lite::RegexBuilder;

use crate::error::{EvalError, Failure, Meter, NotKnown};

/// Go's bound of a counted repetition. It also bounds those within each other multiplied; these are not read here.
const MAX_REPEAT: usize = 1000;
/// How many states regex-lite makes at most of a byte of the pattern.
const STATES_PER_BYTE: u64 = 3;
/// How many states of the automaton are counted as one step of [`Meter`]. regex-lite takes up to 50 ns for a state that is
/// live at a character, but unless a pattern is made to be slow only a few of its states are.
const STATES_PER_STEP: u64 = 4;

/// Whether a pattern matches somewhere in a text.
pub(crate) fn is_match(pattern: &str, text: &str, meter: &mut Meter) -> Result<bool, Failure> {
    meter.spend(pattern.len() as u64)?;
    let unknown = || EvalError::NotKnown(NotKnown::Pattern(pattern.into()));
    let common = Common::read(pattern).ok_or_else(unknown)?;
    // regex-lite knows the two cases of ASCII letters only, and `\v` is a blank to it but not to Go.
    if common.folds && !(pattern.is_ascii() && text.is_ascii()) || common.has_blanks && text.contains('\u{b}') {
        return Err(unknown());
    }
    meter.spend(common.states)?;
    meter.spend(common.states.saturating_mul(text.len() as u64 + common.groups) / STATES_PER_STEP)?;
    let regex = RegexBuilder::new(pattern).size_limit(usize::MAX).build();
    Ok(regex.map_err(|_| unknown())?.is_match(text))
}

/// A pattern of which everything that regex-lite accepts means the same to Go.
#[derive(Default)]
struct Common {
    /// Whether the flag `i` is set anywhere.
    folds: bool,
    /// Whether it has `\s` or `\S`.
    has_blanks: bool,
    /// Groups; regex-lite keeps their places for each state.
    groups: u64,
    /// About how many states regex-lite makes of it.
    states: u64,
}

/// A group that is not closed yet, or the whole pattern.
#[derive(Default)]
struct Group {
    start: usize,
    is_counted: bool,
}

/// What a repetition would apply to.
#[derive(Clone, Copy)]
enum Part {
    /// The part starts here; whether a counted repetition is in it.
    At(usize, bool),
    /// Repetitions and flags, which Go and regex-lite repeat in different ways.
    Unrepeatable,
}

impl Common {
    /// `None` where Go may see something else in the pattern.
    fn read(pattern: &str) -> Option<Self> {
        let mut common = Self { states: STATES_PER_BYTE * (pattern.len() as u64 + 1), ..Self::default() };
        let mut chars = pattern.char_indices().peekable();
        let mut groups = vec![Group::default()];
        let mut last = Part::Unrepeatable;
        while let Some((at, c)) = chars.next() {
            last = match c {
                '*' | '+' | '?' | '{' => {
                    let Part::At(start, is_counted) = last else { return None };
                    if c == '{' {
                        let times = counted(&mut chars)?;
                        if is_counted {
                            return None;
                        }
                        groups.last_mut()?.is_counted = true;
                        common.states += STATES_PER_BYTE * (at - start) as u64 * times as u64;
                    }
                    chars.next_if(|(_, c)| *c == '?');
                    Part::Unrepeatable
                }
                '(' => {
                    common.groups += 1;
                    let has_flags = chars.next_if(|(_, c)| *c == '?').is_some();
                    if !has_flags || common.flags(&mut chars)? == ':' {
                        groups.push(Group { start: at, is_counted: false });
                    }
                    Part::Unrepeatable
                }
                ')' => {
                    let closed = groups.pop()?;
                    let outer = groups.last_mut()?;
                    outer.is_counted |= closed.is_counted;
                    Part::At(closed.start, closed.is_counted)
                }
                '|' => Part::Unrepeatable,
                '[' => {
                    common.class(&mut chars)?;
                    Part::At(at, false)
                }
                '\\' => {
                    let (_, escaped) = chars.next()?;
                    common.escape(escaped, "bBAz")?;
                    Part::At(at, false)
                }
                _ => Part::At(at, false),
            };
        }
        Some(common)
    }

    /// What follows `(?`: the flags `i`, `m` and `s`, and the `:` or `)` behind them.
    fn flags(&mut self, chars: &mut Peekable<CharIndices<'_>>) -> Option<char> {
        loop {
            match chars.next()?.1 {
                'i' => self.folds = true,
                'm' | 's' | '-' => {}
                end @ (':' | ')') => return Some(end),
                _ => return None,
            }
        }
    }

    /// What follows `\`: a class, a control character, punctuation, or one of the assertions.
    fn escape(&mut self, escaped: char, assertions: &str) -> Option<()> {
        self.has_blanks |= matches!(escaped, 's' | 'S');
        let is_punctuation = escaped.is_ascii_punctuation() && !matches!(escaped, '<' | '>');
        (is_punctuation || "dDwWsStnrfva".contains(escaped) || assertions.contains(escaped)).then_some(())
    }

    /// What follows `[`, without what regex-lite reads as a class in a class or as an operation with two of them.
    fn class(&mut self, chars: &mut Peekable<CharIndices<'_>>) -> Option<()> {
        let mut take = |wanted: fn(char) -> bool| chars.next_if(|(_, c)| wanted(*c)).map(|(_, c)| c);
        take(|c| c == '^');
        let mut before = take(|c| !matches!(c, ']' | '[' | '\\'));
        loop {
            let c = take(|_| true)?;
            match c {
                ']' if before.is_some() => return Some(()),
                ']' => return None,
                '&' | '~' | '-' if before == Some(c) => return None,
                // `[:digit:]`
                '[' => {
                    take(|c| c == ':')?;
                    while take(|c| c == '^' || c.is_ascii_lowercase()).is_some() {}
                    take(|c| c == ':').and(take(|c| c == ']'))?;
                }
                '\\' => self.escape(take(|_| true)?, "")?,
                _ => {}
            }
            before = Some(c);
        }
    }
}

/// What follows `{`: `2}`, `2,}` or `2,3}`; how often that repeats something.
fn counted(chars: &mut Peekable<CharIndices<'_>>) -> Option<usize> {
    let inner: String = chars.by_ref().map(|(_, c)| c).take_while(|c| *c != '}').collect();
    let number = |digits: &str| {
        let is_plain =
            digits.bytes().all(|byte| byte.is_ascii_digit()) && (digits.len() == 1 || !digits.starts_with('0'));
        digits.parse().ok().filter(|count| is_plain && *count <= MAX_REPEAT)
    };
    match inner.split_once(',') {
        None => number(&inner),
        Some((least, "")) => number(least).map(|least| least + 1),
        Some((least, most)) => number(least).and(number(most)),
    }
}
