//! Classes of characters: `[a-z]`, `\d`, `[[:alpha:]]`.

use super::{Parsed, Parser, refused};
use crate::fuel::{EvalError, NotKnown};
use crate::regex::Class;

/// Characters from and to.
type Ranges = Vec<(char, char)>;

impl<'p> Parser<'p, '_> {
    /// `\d` and its like, after the `\`.
    pub(super) fn perl_class(&mut self) -> Parsed<Option<(Ranges, bool)>> {
        let Some(letter) = self.peek() else { return Ok(None) };
        let ranges = match letter.to_ascii_lowercase() {
            'd' => vec![('0', '9')],
            's' => vec![('\t', '\n'), ('\x0c', '\r'), (' ', ' ')],
            'w' => vec![('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')],
            'p' => return Err(EvalError::NotKnown(NotKnown::Pattern(self.pattern.into()))),
            _ => return Ok(None),
        };
        self.take();
        Ok(Some((ranges, letter.is_ascii_uppercase())))
    }

    /// What follows a `[`.
    pub(super) fn class(&mut self, start: &'p str) -> Parsed<Class> {
        let mut class = Class { negated: self.skip("^"), folded: self.flags.fold, ranges: Vec::new() };
        let mut first = true;
        while first || !self.rest.starts_with(']') {
            first = false;
            if self.rest.is_empty() {
                return Err(refused("missing closing ]", start));
            }
            if self.posix_class(&mut class)? || self.perl_class_in(&mut class)? {
                continue;
            }
            self.range(start, &mut class)?;
        }
        self.take();
        Ok(class)
    }

    fn range(&mut self, start: &'p str, class: &mut Class) -> Parsed<()> {
        let written = self.rest;
        let low = self.class_char(start)?;
        let mut high = low;
        if self.rest.starts_with('-') && !self.rest[1..].starts_with(']') && self.rest.len() > 1 {
            self.take();
            high = self.class_char(start)?;
            if high < low {
                return Err(refused("invalid character class range", self.since(written)));
            }
        }
        class.ranges.push((low, high));
        Ok(())
    }

    fn class_char(&mut self, start: &'p str) -> Parsed<char> {
        let written = self.rest;
        match self.take() {
            None => Err(refused("missing closing ]", start)),
            Some('\\') => self.escaped_char(written),
            Some(c) => Ok(c),
        }
    }

    /// `\d` and its like within a class.
    fn perl_class_in(&mut self, class: &mut Class) -> Parsed<bool> {
        let before = self.rest;
        if !self.skip("\\") {
            return Ok(false);
        }
        match self.perl_class()? {
            Some((ranges, negated)) => {
                class.ranges.extend(if negated { complement(&ranges) } else { ranges });
                Ok(true)
            }
            None => {
                self.rest = before;
                Ok(false)
            }
        }
    }

    /// `[:alpha:]` and its like within a class.
    fn posix_class(&mut self, class: &mut Class) -> Parsed<bool> {
        let Some(inner) = self.rest.strip_prefix("[:") else { return Ok(false) };
        let Some((name, rest)) = inner.split_once(":]") else { return Ok(false) };
        let (plain, negated) = name.strip_prefix('^').map_or((name, false), |name| (name, true));
        let Some(ranges) = posix(plain) else {
            return Err(refused("invalid character class range", &format!("[:{name}:]")));
        };
        class.ranges.extend(if negated { complement(&ranges) } else { ranges });
        self.rest = rest;
        Ok(true)
    }
}

/// All other characters; the ranges are in order.
fn complement(ranges: &[(char, char)]) -> Ranges {
    let mut others = Vec::new();
    let mut next = '\0';
    for &(low, high) in ranges {
        if next < low {
            let before = char::from_u32(u32::from(low) - 1).unwrap_or(next);
            others.push((next, before));
        }
        next = char::from_u32(u32::from(high) + 1).unwrap_or(char::MAX);
    }
    others.push((next, char::MAX));
    others
}

fn posix(name: &str) -> Option<Ranges> {
    Some(match name {
        "alnum" => vec![('0', '9'), ('A', 'Z'), ('a', 'z')],
        "alpha" => vec![('A', 'Z'), ('a', 'z')],
        "ascii" => vec![('\0', '\x7f')],
        "blank" => vec![('\t', '\t'), (' ', ' ')],
        "cntrl" => vec![('\0', '\x1f'), ('\x7f', '\x7f')],
        "digit" => vec![('0', '9')],
        "graph" => vec![('!', '~')],
        "lower" => vec![('a', 'z')],
        "print" => vec![(' ', '~')],
        "punct" => vec![('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
        "space" => vec![('\t', '\r'), (' ', ' ')],
        "upper" => vec![('A', 'Z')],
        "word" => vec![('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')],
        "xdigit" => vec![('0', '9'), ('A', 'F'), ('a', 'f')],
        _ => return None,
    })
}
