//! `Range`: the parsed value, its evaluation and its canonical text (blang/semver v4 `range.go`).

use std::borrow::Borrow;
use std::fmt;

use super::bounds::{self, Bounds};
use super::version::{Quoted, Version, VersionError, is_digit};

/// Comparison operator of one comparator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    /// `=`, also written `==` or not at all.
    Eq,
    /// `!=`, also written `!`.
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Op::Eq => "=",
            Op::Ne => "!=",
            Op::Lt => "<",
            Op::Le => "<=",
            Op::Gt => ">",
            Op::Ge => ">=",
        })
    }
}

/// One comparison, for example `>=1.0.0`; wildcards are already expanded.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Comparator {
    /// How the candidate is compared.
    pub op: Op,
    /// What the candidate is compared with.
    pub version: Version,
}

impl Comparator {
    /// Plain ordering: a prerelease is a version like any other.
    pub fn matches(&self, candidate: &Version) -> bool {
        match self.op {
            Op::Eq => *candidate == self.version,
            Op::Ne => *candidate != self.version,
            Op::Lt => *candidate < self.version,
            Op::Le => *candidate <= self.version,
            Op::Gt => *candidate > self.version,
            Op::Ge => *candidate >= self.version,
        }
    }
}

impl fmt::Display for Comparator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.op, self.version)
    }
}

/// A parsed version range: groups joined by `||`, each a conjunction of comparators.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Range {
    groups: Vec<Vec<Comparator>>,
}

impl Range {
    /// Parses a range as `semver.ParseRange` does, accidents included.
    pub fn parse(text: &str) -> Result<Range, RangeError> {
        parse_range(text).map(|groups| Range { groups })
    }

    /// Whether the version satisfies the range, or that OLM would crash on the question.
    pub fn matches(&self, version: &Version) -> Result<bool, RangePanic> {
        for group in &self.groups {
            if group.is_empty() {
                return Err(RangePanic);
            }
            if group.iter().all(|comparator| comparator.matches(version)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether OLM would crash on the question about some versions.
    #[must_use]
    pub fn may_panic(&self) -> bool {
        self.groups.iter().any(Vec::is_empty)
    }

    /// The positions in `ascending` whose versions satisfy the range, as disjoint ascending runs; a version that OLM
    /// would crash on satisfies nothing.
    pub fn runs<V: Borrow<Version>>(&self, ascending: &[V]) -> Vec<std::ops::Range<usize>> {
        let evaluated = self.groups.iter().take_while(|group| !group.is_empty());
        bounds::merged(evaluated.flat_map(|group| bounds::of_group(group, ascending)).collect())
    }

    /// The alternatives in source order. The first is never empty; a later empty one is where evaluation crashes.
    pub fn groups(&self) -> impl ExactSizeIterator<Item = &[Comparator]> {
        self.groups.iter().map(Vec::as_slice)
    }

    /// Whether some alternative that can match has no lower bound, as in `<1.0.3`.
    ///
    /// Only `>=0.0.0-0` counts as none: `>=0.0.0` already leaves out the prereleases of 0.0.0.
    pub fn unbounded_below(&self) -> bool {
        self.reachable().any(|bounds| bounds.starts_at_least() && bounds.lowest().is_some())
    }

    /// Whether no version at all satisfies the range, as in `!=1.x` or `1.0.0 - 2.0.0`.
    pub fn never_matches(&self) -> bool {
        self.lowest().is_none()
    }

    /// The least version that satisfies the range; build metadata apart it is exact, not a sample.
    pub fn lowest(&self) -> Option<Version> {
        self.reachable().filter_map(|bounds| bounds.lowest()).min()
    }

    /// The least version above `version` that satisfies the range.
    ///
    /// ```
    /// # use go_semver::blang::{Range, Version};
    /// let range = Range::parse("<=1.0.0 || >=2.0.0 <3.0.0")?;
    /// let above = |text| range.lowest_above(&Version::parse(text).unwrap()).map(|version| version.to_string());
    /// assert_eq!(above("1.0.0").as_deref(), Some("2.0.0"));
    /// assert_eq!(above("0.1.0").as_deref(), Some("0.1.1-0"));
    /// assert_eq!(above("3.0.0"), None);
    /// # Ok::<(), go_semver::blang::RangeError>(())
    /// ```
    pub fn lowest_above(&self, version: &Version) -> Option<Version> {
        self.reachable().filter_map(|bounds| bounds.above(version).lowest()).min()
    }

    /// The comparators after wildcard expansion, for example `>=1.0.0 <2.0.0 || >=3.0.0`.
    ///
    /// For people: an `x` in a prerelease or in build metadata, accepted after `>=`, is refused after the `=` written
    /// here.
    pub fn normalised(&self) -> String {
        let alternatives = self.groups.iter().map(|group| group.iter().map(Comparator::to_string).collect());
        let words: Vec<Vec<String>> = alternatives.collect();
        words.join(&"||".to_owned()).join(" ")
    }

    /// The range that matches what either of the two does, without alternatives that others contain: alternatives such as
    /// `>=1.0.0 <2.0.0` that overlap or touch become one.
    ///
    /// ```
    /// # use go_semver::blang::Range;
    /// let union = |one: &str, other: &str| Range::parse(one).and_then(|one| Ok(one.union(&Range::parse(other)?)));
    /// assert_eq!(union("<0.13.1", "<0.13.2")?, "<0.13.2");
    /// assert_eq!(union(">=1.1.0 <1.2.0", ">=1.0.0 <1.1.0 || 2.0.0")?, ">=1.0.0 <1.2.0 || =2.0.0");
    /// assert_eq!(union(">=1.0.0 <1.1.0", ">=1.2.0 <1.3.0")?, ">=1.0.0 <1.1.0 || >=1.2.0 <1.3.0");
    /// # Ok::<(), go_semver::blang::RangeError>(())
    /// ```
    pub fn union(&self, other: &Range) -> String {
        let mut intervals: Vec<(Option<&Version>, &Version)> = Vec::new();
        let mut others: Vec<String> = Vec::new();
        for group in self.groups.iter().chain(&other.groups) {
            let interval = match &group[..] {
                [Comparator { op: Op::Lt, version: end }] => Some((None, end)),
                [Comparator { op: Op::Ge, version: start }, Comparator { op: Op::Lt, version: end }]
                | [Comparator { op: Op::Lt, version: end }, Comparator { op: Op::Ge, version: start }]
                    if start < end =>
                {
                    Some((Some(start), end))
                }
                _ => None,
            };
            let text = || group.iter().map(Comparator::to_string).collect::<Vec<_>>().join(" ");
            match interval {
                Some(interval) => intervals.push(interval),
                None if others.contains(&text()) => {}
                None => others.push(text()),
            }
        }
        intervals.sort();
        let mut joined: Vec<(Option<&Version>, &Version)> = Vec::new();
        for (start, end) in intervals {
            match joined.last_mut().filter(|(_, last)| start.is_none_or(|start| start <= *last)) {
                Some((_, last)) => *last = end.max(last),
                None => joined.push((start, end)),
            }
        }
        let text = |(start, end): (Option<&Version>, &Version)| match start {
            Some(start) => format!(">={start} <{end}"),
            None => format!("<{end}"),
        };
        joined.into_iter().map(text).chain(others).collect::<Vec<_>>().join(" || ")
    }

    /// Bounds of the alternatives that evaluation can come to: those before the first empty one.
    fn reachable(&self) -> impl Iterator<Item = Bounds> {
        self.groups.iter().take_while(|group| !group.is_empty()).map(|group| Bounds::of(group))
    }
}

/// Evaluation came to an empty alternative (`1.0.0 || || 2.0.0`): the original calls a nil function here and the
/// process dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangePanic;

impl fmt::Display for RangePanic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OLM would crash: nothing between two `||`, expected a comparator")
    }
}

impl std::error::Error for RangePanic {}

// Parses the text of a range in the same steps as blang/semver v4.0.0 `range.go`: split, group, expand, build.

/// Why a text is not a range; displays blang's own text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeError {
    kind: Box<Kind>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    LeadingOr,
    TrailingOr,
    NoVersion { token: String },
    Comparator { token: String, op: String, version: String },
    Version { token: String, op: String, version: String, error: VersionError },
}

impl From<Kind> for RangeError {
    fn from(kind: Kind) -> RangeError {
        RangeError { kind: Box::new(kind) }
    }
}

impl fmt::Display for RangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.kind {
            Kind::LeadingOr => f.write_str("First element in range is '||'"),
            Kind::TrailingOr => f.write_str("Last element in range is '||'"),
            Kind::NoVersion { token } => write!(f, "Could not get version from string: {}", Quoted(token)),
            Kind::Comparator { token, op, version } => {
                let (token, whole) = (Quoted(token), format!("{op}{version}"));
                let (op, whole) = (Quoted(op), Quoted(&whole));
                write!(f, "Could not parse Range {token}: Could not parse comparator {op} in {whole}")
            }
            Kind::Version { token, op, version, error } => {
                let (token, whole) = (Quoted(token), format!("{op}{version}"));
                let (version, whole) = (Quoted(version), Quoted(&whole));
                write!(f, "Could not parse Range {token}: Could not parse version {version} in {whole}: {error}")
            }
        }
    }
}

impl std::error::Error for RangeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &*self.kind {
            Kind::Version { error, .. } => Some(error),
            Kind::LeadingOr | Kind::TrailingOr | Kind::NoVersion { .. } | Kind::Comparator { .. } => None,
        }
    }
}

/// The alternatives of a range, each a list of comparators; an alternative after the first may be empty.
fn parse_range(text: &str) -> Result<Vec<Vec<Comparator>>, RangeError> {
    let groups = alternatives(tokens(text))?;
    // Wildcards of the whole text are expanded first: their errors win over those of earlier tokens.
    let expanded = groups.iter().map(|group| expand_group(group)).collect::<Result<Vec<_>, _>>()?;
    expanded.iter().map(|group| group.iter().map(|token| comparator(token)).collect()).collect()
}

/// `splitAndTrim`, which drops tokens of one byte.
fn tokens(text: &str) -> Vec<String> {
    raw_tokens(text).into_iter().filter(|token| token.len() > 1).map(|token| token.replace(' ', "")).collect()
}

/// A space ends a token, unless the last byte before it that is no space is `<`, `>` or `=`.
pub(crate) fn raw_tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut start = 0;
    let mut last = 0;
    for (at, byte) in text.bytes().enumerate() {
        if byte != b' ' {
            last = byte;
        } else if !matches!(last, b'<' | b'>' | b'=') {
            tokens.push(&text[start..at]);
            start = at + 1;
        }
    }
    tokens.push(&text[start..]);
    tokens
}

/// `splitORParts`.
fn alternatives(tokens: Vec<String>) -> Result<Vec<Vec<String>>, RangeError> {
    if tokens.first().is_some_and(|token| token == "||") {
        return Err(RangeError::from(Kind::LeadingOr));
    }
    if tokens.last().is_none_or(|token| token == "||") {
        return Err(RangeError::from(Kind::TrailingOr));
    }
    Ok(tokens.split(|token| token == "||").map(<[String]>::to_vec).collect())
}

fn expand_group(group: &[String]) -> Result<Vec<String>, RangeError> {
    let mut expanded = Vec::new();
    for token in group {
        if token.contains('x') {
            expand_wildcard(token, &mut expanded)?;
        } else {
            expanded.push(token.clone());
        }
    }
    Ok(expanded)
}

/// `expandWildcardVersion` for one token with an `x` anywhere.
fn expand_wildcard(token: &str, expanded: &mut Vec<String>) -> Result<(), RangeError> {
    let (op, version) = split_operator(token)?;
    let flat = flat_version(version);
    let next = next_version(version, &flat);
    match op {
        ">" => expanded.push(format!(">={next}")),
        ">=" => expanded.push(format!(">={flat}")),
        "<" => expanded.push(format!("<{flat}")),
        "<=" => expanded.push(format!("<{next}")),
        "" | "=" | "==" => expanded.extend([format!(">={flat}"), format!("<{next}")]),
        "!" | "!=" => expanded.extend([format!("<{flat}"), format!(">={next}")]),
        // blang drops other operators here, which leaves an equality.
        _ => expanded.push(flat),
    }
    Ok(())
}

/// `createVersionFromWildcard`: the first `.x` (or `.x.x`) becomes `.0`, and two parts become three.
pub(crate) fn flat_version(version: &str) -> String {
    let flat = version.replacen(".x.x", ".x", 1).replacen(".x", ".0", 1);
    if flat.split('.').count() == 2 { flat + ".0" } else { flat }
}

/// The first version above the wildcard. Empty where blang finds none; then the comparator fails to parse.
fn next_version(version: &str, flat: &str) -> String {
    let mut parts: Vec<String> = flat.split('.').map(str::to_owned).collect();
    // `1.x` has two parts and counts up the major number, `1.2.x` has three and counts up the minor number.
    let counted = match version.split('.').count() {
        parts @ (2 | 3) if version.ends_with(".x") => parts - 2,
        _ => return String::new(),
    };
    let Some(Ok(number)) = parts.get(counted).map(|part| part.parse::<i64>()) else {
        return String::new();
    };
    // Go's `int` wraps.
    parts[counted] = number.wrapping_add(1).to_string();
    parts.join(".")
}

/// `splitComparatorVersion`: the operator is the text before the first digit of any script.
pub(crate) fn split_operator(token: &str) -> Result<(&str, &str), RangeError> {
    match token.find(is_digit) {
        Some(at) => Ok((token[..at].trim(), &token[at..])),
        None => Err(RangeError::from(Kind::NoVersion { token: token.to_owned() })),
    }
}

/// Whether blang knows the operator, given without blanks around it.
pub(crate) fn known_operator(operator: &str) -> bool {
    matches!(operator, "" | "=" | "==" | "!" | "!=" | "<" | "<=" | ">" | ">=")
}

/// `buildVersionRange` and `parseComparator`.
fn comparator(token: &str) -> Result<Comparator, RangeError> {
    let (op_text, version_text) = split_operator(token)?;
    let owned = || (token.to_owned(), op_text.to_owned(), version_text.to_owned());
    let op = match op_text {
        "" | "=" | "==" => Op::Eq,
        "!" | "!=" => Op::Ne,
        "<" => Op::Lt,
        "<=" => Op::Le,
        ">" => Op::Gt,
        ">=" => Op::Ge,
        _ => {
            let (token, op, version) = owned();
            return Err(RangeError::from(Kind::Comparator { token, op, version }));
        }
    };
    let version = Version::parse(version_text).map_err(|error| {
        let (token, op, version) = owned();
        RangeError::from(Kind::Version { token, op, version, error })
    })?;
    Ok(Comparator { op, version })
}

// Many versions against many ranges at once.

/// For each version the index of the first range that it satisfies. A version that OLM would crash on satisfies nothing.
///
/// Each range is searched in the sorted versions, and a version that was found is not looked at again: with a range for each
/// version, as in many channels, it would otherwise take quadratic time.
#[must_use]
pub fn first_matches<'r>(ranges: impl IntoIterator<Item = &'r Range>, versions: &[&Version]) -> Vec<Option<usize>> {
    let mut places: Vec<usize> = (0..versions.len()).collect();
    places.sort_by_key(|&place| versions[place]);
    let ascending: Vec<&Version> = places.iter().map(|&place| versions[place]).collect();
    let mut found = vec![None; versions.len()];
    // By rank: itself if its version is still to be found, else a higher rank from which to look on.
    let mut open: Vec<usize> = (0..=versions.len()).collect();
    for (index, range) in ranges.into_iter().enumerate() {
        if next_open(&mut open, 0) == versions.len() {
            break;
        }
        for run in range.runs(&ascending) {
            let mut rank = next_open(&mut open, run.start);
            while rank < run.end {
                found[places[rank]] = Some(index);
                open[rank] = rank + 1;
                rank = next_open(&mut open, rank);
            }
        }
    }
    found
}

fn next_open(open: &mut [usize], mut rank: usize) -> usize {
    while open[rank] != rank {
        open[rank] = open[open[rank]];
        rank = open[rank];
    }
    rank
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_first_range_is_found_as_one_by_one(
            versions in proptest::collection::vec((0..4u64, 0..4u64), 0..12),
            ranges in proptest::collection::vec((0..4u64, 0..4u64, 0..5u64), 0..6),
        ) {
            let versions: Vec<Version> = versions.into_iter().map(|(minor, patch)| Version::new(1, minor, patch)).collect();
            let range = |(minor, patch, end): (u64, u64, u64)| {
                Range::parse(&format!(">=1.{minor}.{patch} <1.{end}.0 || =1.0.{patch}")).unwrap()
            };
            let ranges: Vec<Range> = ranges.into_iter().map(range).collect();
            let one_by_one: Vec<Option<usize>> = (versions.iter())
                .map(|version| ranges.iter().position(|range| range.matches(version) == Ok(true)))
                .collect();
            prop_assert_eq!(first_matches(&ranges, &versions.iter().collect::<Vec<_>>()), one_by_one);
        }
    }
}
