//! File name patterns as Go's `path/filepath.Match` reads them.

use std::str::Chars;

/// A pattern for one segment of a path.
#[derive(Clone, Debug)]
pub(super) struct Wildcard {
    /// `None` when the pattern is malformed, which matches nothing.
    parts: Option<Vec<Part>>,
}

#[derive(Clone, Debug)]
enum Part {
    /// `*`: any characters.
    Any,
    /// One character in one of the ranges, or in none of them when negated: `a`, `[a-z]`, `[^a-z]` or `?`.
    One { negated: bool, ranges: Vec<(char, char)> },
}

impl Wildcard {
    pub(super) const NEVER: Self = Self { parts: None };

    pub(super) fn new(pattern: &str) -> Self {
        Self { parts: parse(&mut pattern.chars()) }
    }

    pub(super) fn matches(&self, name: &str) -> bool {
        let Some(parts) = &self.parts else { return false };
        let name: Vec<char> = name.chars().collect();
        // Up to which characters of the name the parts so far can match.
        let mut reached = vec![false; name.len() + 1];
        reached[0] = true;
        for part in parts {
            match part {
                Part::Any => {
                    let first = reached.iter().position(|&is_reached| is_reached).unwrap_or(reached.len());
                    reached[first..].fill(true);
                }
                Part::One { negated, ranges } => {
                    let takes = |c| ranges.iter().any(|&(low, high)| (low..=high).contains(&c)) != *negated;
                    for at in (0..name.len()).rev() {
                        reached[at + 1] = reached[at] && takes(name[at]);
                    }
                    reached[0] = false;
                }
            }
        }
        reached[name.len()]
    }
}

fn parse(pattern: &mut Chars<'_>) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    while let Some(c) = pattern.next() {
        let literal = |c| Part::One { negated: false, ranges: vec![(c, c)] };
        parts.push(match c {
            '*' => Part::Any,
            '?' => Part::One { negated: true, ranges: Vec::new() },
            '\\' => literal(pattern.next()?),
            '[' => class(pattern)?,
            _ => literal(c),
        });
    }
    Some(parts)
}

/// The rest of a class, behind its `[`.
fn class(pattern: &mut Chars<'_>) -> Option<Part> {
    let negated = is_next(pattern, '^');
    let mut ranges = Vec::new();
    while ranges.is_empty() || !is_next(pattern, ']') {
        let low = bound(pattern)?;
        let high = if is_next(pattern, '-') { bound(pattern)? } else { low };
        ranges.push((low, high));
    }
    Some(Part::One { negated, ranges })
}

/// Takes the next character if it is this one.
fn is_next(pattern: &mut Chars<'_>, c: char) -> bool {
    let is_next = pattern.as_str().starts_with(c);
    if is_next {
        pattern.next();
    }
    is_next
}

fn bound(pattern: &mut Chars<'_>) -> Option<char> {
    match pattern.next()? {
        '-' | ']' => None,
        '\\' => pattern.next(),
        c => Some(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(pattern: &str, matching: &[&str], others: &[&str]) {
        let wildcard = Wildcard::new(pattern);
        for name in matching {
            assert!(wildcard.matches(name), "{pattern} should match {name}");
        }
        for name in others {
            assert!(!wildcard.matches(name), "{pattern} should not match {name}");
        }
    }

    #[test]
    fn as_go_matches() {
        check("*.yaml", &[".yaml", "a.yaml"], &["a.yml", "a.yaml.bak"]);
        check("a*b*c", &["abc", "axbxbc"], &["ab", "acb"]);
        check("?", &["é"], &["", "ab"]);
        check("[a-c]x", &["ax", "cx"], &["dx", "x"]);
        check("[^a]", &["b", "^"], &["a"]);
        check("[!a]", &["!", "a"], &["b"]);
        check(r"\*", &["*"], &["a"]);
        check(r"[\]-a]", &["]", "a", "^"], &["b"]);
    }

    #[test]
    fn malformed_patterns_match_nothing() {
        for pattern in ["[", "[a", "[]a]", "[-]", "[a-]", "\\"] {
            check(pattern, &[], &["a", "[", "-", "\\", pattern]);
        }
    }
}
