//! Regular expressions of Go's `regexp` (RE2), matched by regex-lite.
//!
//! Both match alike and in linear time, but some syntax has another meaning in Go: `\<`, `a{`, `[[]` and `[a&&b]` are plain
//! characters, `\s` has no vertical tab, flags may be empty. Such parts are rewritten. `a**`, `a{1001}` and `(?x)` are errors
//! in Go alone and refused here; what regex-lite refuses of the rest, Go refuses, too. A yes or no needs no captures.

use std::fmt::{Display, Write};

use regex_lite::RegexBuilder;

use crate::fuel::{EvalError, Failure, Meter, NotKnown, failed};

/// Go's bound of a counted repetition, and of those within each other multiplied.
const MAX_REPEAT: usize = 1000;
/// Groups within groups; Go allows 1000, far more than anyone writes.
const MAX_DEPTH: usize = 100;
/// What regex-lite builds of a group is at most a repetition of alternatives of sequences.
const NEST_LIMIT: u32 = 4 * MAX_DEPTH as u32;
/// How many states of the automaton are counted as one step of [`Meter`]. regex-lite takes up to 50 ns for a state that is
/// live at a character, but unless a pattern is made to be slow only a few of its states are.
const STATES_PER_STEP: u64 = 4;

/// Whether a pattern matches somewhere in a text.
pub(crate) fn is_match(pattern: &str, text: &str, meter: &mut Meter) -> Result<bool, Failure> {
    meter.spend(pattern.len() as u64)?;
    let mut translation = Translation { pattern, rest: pattern, ..Translation::default() };
    translation.translate()?;
    if translation.folds && needs_case_tables(pattern, text) {
        return Err(unknown(pattern));
    }
    let size = translation.group.size;
    meter.spend(size)?;
    meter.spend(size.saturating_mul(text.len() as u64) / STATES_PER_STEP)?;
    let mut builder = RegexBuilder::new(&translation.out);
    let regex = builder.nest_limit(NEST_LIMIT).size_limit(usize::MAX).build();
    Ok(regex.map_err(|error| refused(pattern, error))?.is_match(text))
}

fn refused(pattern: &str, why: impl Display) -> Failure {
    failed(format!("cel-go refuses the regular expression `{pattern}`: {why}"))
}

fn unknown(pattern: &str) -> Failure {
    EvalError::NotKnown(NotKnown::Pattern(pattern.into()))
}

/// Whether regex-lite, which knows the two cases of ASCII letters only, may ignore case in another way than Go.
fn needs_case_tables(pattern: &str, text: &str) -> bool {
    let is_cased = |c: char| !c.is_ascii() && (c.to_lowercase().ne([c]) || c.to_uppercase().ne([c]));
    let has_coded_characters = ["\\x", "\\2", "\\3"].iter().any(|escape| pattern.contains(escape));
    // Unicode has other forms of `s` and `k`.
    pattern.contains(is_cased) || has_coded_characters || text.contains(['\u{17f}', '\u{212a}'])
}

/// A pattern on its way to regex-lite's syntax.
#[derive(Default)]
struct Translation<'p> {
    pattern: &'p str,
    /// What is left to read.
    rest: &'p str,
    out: String,
    /// Whether the flag `i` is set anywhere.
    folds: bool,
    /// The innermost group that is open, or the whole pattern.
    group: Group,
    /// The groups around it.
    outer: Vec<Group>,
}

#[derive(Default)]
struct Group {
    /// About how many states regex-lite makes of it.
    size: u64,
    /// How often counted repetitions within each other repeat something in it.
    repeats: usize,
    /// The part that a repetition would apply to. It is not counted in the group yet.
    last: Option<Part>,
}

struct Part {
    size: u64,
    repeats: usize,
}

impl Group {
    /// Counts the last part in the group and makes the next one the last.
    fn add(&mut self, next: Option<Part>) {
        let last = std::mem::replace(&mut self.last, next);
        self.size += last.as_ref().map_or(0, |last| last.size);
        self.repeats = self.repeats.max(last.map_or(1, |last| last.repeats));
    }
}

impl<'p> Translation<'p> {
    fn translate(&mut self) -> Result<(), Failure> {
        let mut after_repetition = false;
        while let Some(c) = self.peek() {
            if self.repetition(after_repetition)? {
                after_repetition = true;
                continue;
            }
            after_repetition = false;
            self.take();
            match c {
                '(' => self.open()?,
                ')' => {
                    self.out.push(')');
                    self.group.add(None);
                    let outer = self.outer.pop().unwrap_or_default();
                    let Group { size, repeats, .. } = std::mem::replace(&mut self.group, outer);
                    self.add(size + 1, repeats);
                }
                '|' => {
                    self.out.push('|');
                    self.group.add(None);
                }
                '[' => self.class()?,
                '\\' if self.rest.starts_with('Q') => {
                    let (text, rest) = self.rest[1..].split_once("\\E").unwrap_or((&self.rest[1..], ""));
                    self.rest = rest;
                    for c in text.chars() {
                        self.out.push_str(&regex_lite::escape(c.encode_utf8(&mut [0; 4])));
                        self.add(1, 1);
                    }
                }
                '\\' => {
                    if let Some(class) = self.escape()? {
                        self.out.extend(["[", class, "]"]);
                    }
                    self.add(1, 1);
                }
                c => {
                    self.out.push_str(if c == '{' { "\\" } else { "" });
                    self.out.push(c);
                    self.add(1, 1);
                }
            }
        }
        self.group.add(None);
        Ok(())
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn take(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(c)
    }

    /// Copies the rest as far as `after`.
    fn copy(&mut self, after: &'p str) {
        self.out.push_str(&self.rest[..self.rest.len() - after.len()]);
        self.rest = after;
    }

    /// Counts what was written as the last part of the group.
    fn add(&mut self, size: u64, repeats: usize) {
        self.group.add(Some(Part { size, repeats }));
    }

    /// `*`, `+`, `?` or `{2,3}`, if one stands here. Braces of another shape are plain characters.
    fn repetition(&mut self, after_repetition: bool) -> Result<bool, Failure> {
        let (least, most, after) = match self.peek() {
            Some('*') => (0, None, &self.rest[1..]),
            Some('+') => (1, None, &self.rest[1..]),
            Some('?') => (0, Some(1), &self.rest[1..]),
            Some('{') => match counted(self.rest) {
                Some(counts) => counts,
                None => return Ok(false),
            },
            _ => return Ok(false),
        };
        if least > MAX_REPEAT || most.is_some_and(|most| most > MAX_REPEAT || most < least) {
            return Err(refused(self.pattern, "invalid repeat count"));
        }
        if after_repetition {
            return Err(refused(self.pattern, "invalid nested repetition operator"));
        }
        let is_counted = self.rest.starts_with('{');
        self.copy(after);
        self.rest = self.rest.strip_prefix('?').unwrap_or(self.rest);
        if let Some(last) = &mut self.group.last {
            last.size = 1 + last.size * most.unwrap_or(least + 1) as u64;
            if is_counted {
                last.repeats = if most == Some(0) { 1 } else { last.repeats * most.unwrap_or(least).max(1) };
            }
            if last.repeats > MAX_REPEAT {
                return Err(refused(self.pattern, "invalid repeat count"));
            }
        }
        Ok(true)
    }

    /// What follows a `(`: flags for the rest of the group, or another group.
    fn open(&mut self) -> Result<(), Failure> {
        let named = self.rest.strip_prefix("?P<").or_else(|| self.rest.strip_prefix("?<"));
        if let Some(named) = named {
            let (name, after) = named.split_once('>').unwrap_or_default();
            if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
                return Err(refused(self.pattern, "invalid named capture"));
            }
            self.rest = after;
            self.out.push_str("(?:");
        } else if let Some(inner) = self.rest.strip_prefix('?') {
            let end = inner.find([':', ')']).unwrap_or(inner.len());
            self.flags(&inner[..end])?;
            self.rest = &inner[end..];
            if self.take() == Some(')') {
                self.out.push(')');
                return Ok(());
            }
            self.out.push(':');
        } else {
            self.out.push_str("(?:");
        }
        if self.outer.len() == MAX_DEPTH {
            return Err(EvalError::NotKnown(NotKnown::Exhausted));
        }
        self.outer.push(std::mem::take(&mut self.group));
        Ok(())
    }

    /// `ims-U`, each flag as often as one likes or not at all. What is greedy makes no difference to a yes or no, but flags
    /// that do nothing are no error to regex-lite if one of them is `U`.
    fn flags(&mut self, flags: &str) -> Result<(), Failure> {
        let (on, off) = flags.split_once('-').unwrap_or((flags, "U"));
        if off.is_empty() || ![on, off].concat().chars().all(|c| "imsU".contains(c)) {
            return Err(refused(self.pattern, "invalid or unsupported Perl syntax"));
        }
        self.folds |= on.contains('i');
        self.out.push_str("(?");
        self.out.extend("ims".chars().filter(|c| on.contains(*c) && !off.contains(*c)));
        self.out.push_str("-U");
        self.out.extend("ims".chars().filter(|c| off.contains(*c)));
        Ok(())
    }

    /// What follows a `\`. Classes that are not alike in both are left to write.
    fn escape(&mut self) -> Result<Option<&'static str>, Failure> {
        let rest = self.rest;
        let Some(c) = self.take() else { return Err(refused(self.pattern, "trailing backslash at end of expression")) };
        match c {
            's' => return Ok(Some("\\t\\n\\f\\r\\x20")),
            'S' => return Ok(Some("\\x00-\\x08\\x0b\\x0e-\\x1f\\x21-\\x{10ffff}")),
            '<' | '>' => self.out.push(c),
            'u' | 'U' => return Err(refused(self.pattern, "invalid escape sequence")),
            'p' | 'P' => return Err(unknown(self.pattern)),
            '0'..='7' if c == '0' || self.rest.starts_with(|next: char| next.is_digit(8)) => {
                let length = rest.bytes().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
                let code = u32::from_str_radix(&rest[..length], 8).unwrap_or_default();
                self.rest = &rest[length..];
                write!(self.out, "\\x{{{code:x}}}").expect("writing to a string never fails");
            }
            _ => {
                let end =
                    if rest.starts_with("x{") { rest.find('}').map_or(rest.len(), |at| at + 1) } else { c.len_utf8() };
                self.rest = rest;
                self.out.push('\\');
                self.copy(&rest[end..]);
            }
        }
        Ok(None)
    }

    /// What follows a `[`.
    fn class(&mut self) -> Result<(), Failure> {
        self.out.push('[');
        if let Some(after) = self.rest.strip_prefix('^') {
            self.copy(after);
        }
        let mut items = 0;
        while !self.rest.is_empty() && (items == 0 || !self.rest.starts_with(']')) {
            items += 1;
            let posix = self.rest.strip_prefix("[:").and_then(|inner| inner.split_once(":]"));
            if let Some((_, after)) = posix {
                self.copy(after);
                continue;
            }
            let is_character = self.class_item()?;
            let is_range = self.rest.len() > 1 && self.rest.starts_with('-') && !self.rest.starts_with("-]");
            if is_character && is_range {
                self.copy(&self.rest[1..]);
                self.class_item()?;
            }
        }
        if self.take().is_some() {
            self.out.push(']');
        }
        self.add(1 + items / 4, 1);
        Ok(())
    }

    /// Whether it is a single character.
    fn class_item(&mut self) -> Result<bool, Failure> {
        match self.take() {
            Some('\\') => {
                let is_class = self.rest.starts_with(['d', 'D', 's', 'S', 'w', 'W']);
                let class = self.escape()?;
                self.out.push_str(class.unwrap_or_default());
                return Ok(!is_class);
            }
            Some(c) if "[]^-&~".contains(c) => self.out.extend(['\\', c]),
            c => self.out.extend(c),
        }
        Ok(true)
    }
}

/// `{2}`, `{2,}` or `{2,3}` and what follows.
fn counted(text: &str) -> Option<(usize, Option<usize>, &str)> {
    let (inner, rest) = text.strip_prefix('{')?.split_once('}')?;
    let number = |digits: &str| {
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let leading_zero = digits.len() > 1 && digits.starts_with('0');
        (plain && !leading_zero).then(|| digits.parse().unwrap_or(MAX_REPEAT + 1))
    };
    match inner.split_once(',') {
        None => number(inner).map(|count| (count, Some(count), rest)),
        Some((least, "")) => number(least).map(|least| (least, None, rest)),
        Some((least, most)) => Some((number(least)?, Some(number(most)?), rest)),
    }
}
