//! File name patterns as Go's `path/filepath.Match` reads them.

/// A pattern for one segment of a path.
#[derive(Clone, Debug)]
pub(crate) struct Wildcard {
    /// `None` when the pattern is malformed, which matches nothing.
    parts: Option<Vec<Part>>,
}

#[derive(Clone, Debug)]
enum Part {
    /// `*`
    Any,
    /// `?`
    One,
    Char(char),
    /// `[a-z]`, or `[^a-z]` when negated.
    Class {
        negated: bool,
        ranges: Vec<(char, char)>,
    },
}

impl Wildcard {
    pub(crate) fn new(pattern: &str) -> Self {
        Self { parts: parse(&mut pattern.chars()) }
    }

    pub(crate) fn matches(&self, name: &str) -> bool {
        let Some(parts) = &self.parts else { return false };
        let name: Vec<char> = name.chars().collect();
        let (mut part, mut at) = (0, 0);
        // Where the last `*` stands and up to where it has matched so far.
        let mut star: Option<(usize, usize)> = None;
        while at < name.len() {
            match parts.get(part) {
                Some(Part::Any) => {
                    star = Some((part, at));
                    part += 1;
                }
                Some(one) if one.takes(name[at]) => {
                    part += 1;
                    at += 1;
                }
                _ => {
                    let Some((star_part, covered)) = star else { return false };
                    star = Some((star_part, covered + 1));
                    (part, at) = (star_part + 1, covered + 1);
                }
            }
        }
        parts[part..].iter().all(|part| matches!(part, Part::Any))
    }
}

impl Part {
    fn takes(&self, c: char) -> bool {
        match self {
            Self::Any => false,
            Self::One => true,
            Self::Char(own) => *own == c,
            Self::Class { negated, ranges } => ranges.iter().any(|&(low, high)| low <= c && c <= high) != *negated,
        }
    }
}

fn parse(pattern: &mut std::str::Chars<'_>) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    while let Some(c) = pattern.next() {
        parts.push(match c {
            '*' => Part::Any,
            '?' => Part::One,
            '\\' => Part::Char(pattern.next()?),
            '[' => class(pattern)?,
            _ => Part::Char(c),
        });
    }
    Some(parts)
}

fn class(pattern: &mut std::str::Chars<'_>) -> Option<Part> {
    let negated = pattern.as_str().starts_with('^');
    if negated {
        pattern.next();
    }
    let mut ranges = Vec::new();
    loop {
        if pattern.as_str().starts_with(']') && !ranges.is_empty() {
            pattern.next();
            return Some(Part::Class { negated, ranges });
        }
        let low = bound(pattern)?;
        let high = match pattern.as_str().strip_prefix('-') {
            Some(_) => {
                pattern.next();
                bound(pattern)?
            }
            None => low,
        };
        ranges.push((low, high));
    }
}

fn bound(pattern: &mut std::str::Chars<'_>) -> Option<char> {
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
