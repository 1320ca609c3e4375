//! Which files of a folder `.indexignore` files exclude: `joelanford/ignore` with go-git's `gitignore` patterns, which
//! differ from those of git.

use std::str::Chars;

/// The rules of all `.indexignore` files of a folder.
#[derive(Clone, Debug, Default)]
pub struct IndexIgnore {
    rules: Vec<Pattern>,
}

/// One line of an `.indexignore` file.
#[derive(Clone, Debug)]
struct Pattern {
    /// The folder of the file.
    domain: Vec<String>,
    /// `!`: includes files again.
    negated: bool,
    /// A final `/`: matches folders only.
    folders_only: bool,
    shape: Shape,
}

#[derive(Clone, Debug)]
enum Shape {
    /// Without `/`: matches any one segment of the path.
    Name(Wildcard),
    /// With `/`: matches from the first segment on.
    Path(Vec<Segment>),
}

#[derive(Clone, Debug)]
enum Segment {
    /// Nothing between two `/`, or before the first.
    Empty,
    AnyFolders,
    Name(Wildcard),
}

impl IndexIgnore {
    /// Reads the rules; `files` are the paths of the `.indexignore` files, with `/` and from the root of the catalog,
    /// and their texts, in any order.
    #[must_use]
    pub fn new<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut files: Vec<_> = files.into_iter().map(|(path, text)| (segments(path), text)).collect();
        files.sort();
        let rules = files.iter().flat_map(|(path, text)| {
            let domain = &path[..path.len() - 1];
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
            lines.map(move |line| Pattern::new(domain, line))
        });
        Self { rules: rules.collect() }
    }

    /// Whether `opm` ignores the file at `path`. The last rule that matches decides; a rule may include a file again even
    /// when its folder is ignored. `.indexignore` files themselves are always ignored.
    #[must_use]
    pub fn ignores(&self, path: &str) -> bool {
        let path = segments(path);
        if path.last() == Some(&".indexignore") {
            return true;
        }
        let decisive = self.rules.iter().rev().find(|rule| rule.matches(&path));
        decisive.is_some_and(|rule| !rule.negated)
    }
}

fn segments(path: &str) -> Vec<&str> {
    path.split('/').collect()
}

impl Pattern {
    fn new(domain: &[&str], line: &str) -> Self {
        let (negated, line) = line.strip_prefix('!').map_or((false, line), |rest| (true, rest));
        let (folders_only, line) = line.strip_suffix('/').map_or((false, line), |rest| (true, rest));
        let shape = match line.contains('/') {
            true => Shape::Path(line.split('/').map(Segment::new).collect()),
            false => Shape::Name(Wildcard::new(line)),
        };
        Self { domain: domain.iter().map(|&folder| folder.to_owned()).collect(), negated, folders_only, shape }
    }

    fn matches(&self, path: &[&str]) -> bool {
        if path.len() <= self.domain.len() || self.domain.iter().zip(path).any(|(folder, part)| folder != part) {
            return false;
        }
        let path = &path[self.domain.len()..];
        let matched = match &self.shape {
            Shape::Name(name) => path.iter().position(|part| name.matches(part)).map(|at| at + 1),
            Shape::Path(pattern) => matched_segments(pattern, path),
        };
        matched.is_some_and(|length| !self.folders_only || length < path.len())
    }
}

impl Segment {
    fn new(text: &str) -> Self {
        match text {
            "" => Self::Empty,
            "**" => Self::AnyFolders,
            // go-git gives up at `**` beside other text.
            _ if text.contains("**") => Self::Name(Wildcard::NEVER),
            _ => Self::Name(Wildcard::new(text)),
        }
    }
}

/// How many segments at the start of the path match the pattern; at least one.
fn matched_segments(pattern: &[Segment], path: &[&str]) -> Option<usize> {
    let mut taken = 0;
    let mut anywhere = false;
    for (index, segment) in pattern.iter().enumerate() {
        match segment {
            Segment::Empty => anywhere = false,
            Segment::AnyFolders if index + 1 == pattern.len() => break,
            Segment::AnyFolders => anywhere = true,
            Segment::Name(name) => {
                let ahead = path.get(taken..).filter(|ahead| !ahead.is_empty())?;
                let reach = if anywhere { ahead } else { &ahead[..1] };
                taken += reach.iter().position(|part| name.matches(part))? + 1;
                anywhere = false;
            }
        }
    }
    (taken > 0).then_some(taken)
}

// File name patterns as Go's `path/filepath.Match` reads them.

/// A pattern for one segment of a path.
#[derive(Clone, Debug)]
struct Wildcard {
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
    const NEVER: Self = Self { parts: None };

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

    const FILES: [&str; 7] = ["README.md", "a.yaml", "d/a", "d/a.yaml", "d/e/x", "d/f/a", "x/d/a.yaml"];

    /// Which of the files an `.indexignore` at the root takes out.
    #[track_caller]
    fn check(rules: &str, expected: &[&str]) {
        check_files(&[(".indexignore", rules)], expected);
    }

    #[track_caller]
    fn check_files(rules: &[(&str, &str)], expected: &[&str]) {
        let ignore = IndexIgnore::new(rules.iter().copied());
        let ignored: Vec<_> = FILES.into_iter().filter(|path| ignore.ignores(path)).collect();
        assert_eq!(ignored, expected, "{rules:?}");
    }

    #[test]
    fn names_match_any_segment() {
        check("*.md", &["README.md"]);
        check("d", &["d/a", "d/a.yaml", "d/e/x", "d/f/a", "x/d/a.yaml"]);
        check("**a.yaml", &["a.yaml", "d/a.yaml", "x/d/a.yaml"]);
        check("**", &FILES);
    }

    #[test]
    fn a_final_slash_means_folders() {
        check("a.yaml/", &[]);
        check("e/", &["d/e/x"]);
        check("d/e/", &["d/e/x"]);
        check("d/a.yaml/", &[]);
    }

    #[test]
    fn paths_begin_at_the_folder_of_the_file() {
        check("d/e", &["d/e/x"]);
        check("/a.yaml", &["a.yaml"]);
        check("d/*.yaml", &["d/a.yaml"]);
        check_files(&[("x/.indexignore", "/d\na.yaml")], &["x/d/a.yaml"]);
    }

    #[test]
    fn two_stars_are_any_folders_or_none() {
        check("d/**/a", &["d/a", "d/f/a"]);
        check("**/a.yaml", &["a.yaml", "d/a.yaml", "x/d/a.yaml"]);
        check("d/**", &["d/a", "d/a.yaml", "d/e/x", "d/f/a"]);
        check("/**", &[]);
        check("d/**a", &[]);
    }

    #[test]
    fn the_last_match_decides() {
        check("d\n!d/a.yaml", &["d/a", "d/e/x", "d/f/a", "x/d/a.yaml"]);
        check("!d/a.yaml\nd/a.yaml", &["d/a.yaml"]);
        check("# note\n\n  README.md  ", &["README.md"]);
        let inner_last = [("d/.indexignore", "!a"), (".indexignore", "a")];
        check_files(&inner_last, &[]);
    }

    #[test]
    fn a_broken_class_matches_nothing() {
        check("[a", &[]);
        check("[^d]", &["d/a", "d/e/x", "d/f/a", "x/d/a.yaml"]);
    }

    #[test]
    fn ignore_files_are_no_catalog_files() {
        assert!(IndexIgnore::default().ignores("d/.indexignore"));
    }

    #[track_caller]
    fn check_wildcard(pattern: &str, matching: &[&str], others: &[&str]) {
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
        check_wildcard("*.yaml", &[".yaml", "a.yaml"], &["a.yml", "a.yaml.bak"]);
        check_wildcard("a*b*c", &["abc", "axbxbc"], &["ab", "acb"]);
        check_wildcard("?", &["é"], &["", "ab"]);
        check_wildcard("[a-c]x", &["ax", "cx"], &["dx", "x"]);
        check_wildcard("[^a]", &["b", "^"], &["a"]);
        check_wildcard("[!a]", &["!", "a"], &["b"]);
        check_wildcard(r"\*", &["*"], &["a"]);
        check_wildcard(r"[\]-a]", &["]", "a", "^"], &["b"]);
    }

    #[test]
    fn malformed_patterns_match_nothing() {
        for pattern in ["[", "[a", "[]a]", "[-]", "[a-]", "\\"] {
            check_wildcard(pattern, &[], &["a", "[", "-", "\\", pattern]);
        }
    }
}
