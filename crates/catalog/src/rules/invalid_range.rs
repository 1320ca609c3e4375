//! The rule `invalid-range`.
//!
#![doc = include_str!("invalid_range.md")]

use crate::predicate::Property;
use crate::{Channel, Entry, OpmPhase, Package};
use go_semver::blang::{Quoted, Range, Version};
use source::{Diagnostic, OpmVersion, QuickFix, Rewrite, Rule, Span};

const GRAMMAR: &str = "write comparators such as `>=1.0.0 <2.0.0`: a space means and, ` || ` means or; `^`, `~`, `*` and commas do not exist";

pub(super) fn skip_ranges(channel: &Channel) -> impl Iterator<Item = Diagnostic> {
    channel.entries.iter().filter_map(skip_range)
}

pub(super) fn skip_range(entry: &Entry) -> Option<Diagnostic> {
    let range = entry.skip_range.as_ref()?;
    match &range.value.range {
        Ok(parsed) => {
            let fix = |text: String| QuickFix::rename(range.span, &text);
            crash(parsed, range.span).map(|finding| finding.with_fix(without_empty(parsed).map(fix)))
        }
        Err(error) => {
            let message = format!("cannot parse skipRange `{}`: {error}", range.value.text);
            let opm = format!("invalid skipRange {}: {error}", Quoted(&range.value.text));
            Some(
                Diagnostic::new(Rule::InvalidRange, range.span, message)
                    .with_help(GRAMMAR)
                    .with_fix(respelt(&range.value.text).map(|text| QuickFix::rename(range.span, &text)))
                    .with_opm_at(OpmPhase::Model, opm)
                    .since(OpmVersion::SKIP_RANGES),
            )
        }
    }
}

pub(super) fn required(package: &Package) -> impl Iterator<Item = Diagnostic> {
    let properties = package.bundles.iter().flat_map(|bundle| &bundle.properties);
    properties.filter_map(|property| {
        let Property::PackageRequired { name, range, .. } = &property.value else { return None };
        let set = |text: String| {
            let change = Rewrite::Set {
                mapping: property.span,
                within: Some("value"),
                field: "versionRange",
                text: text.clone(),
            };
            QuickFix::new(format!("Change to `{text}`"), change)
        };
        match Range::parse(range) {
            Ok(parsed) => {
                crash(&parsed, property.span).map(|finding| finding.with_fix(without_empty(&parsed).map(set)))
            }
            Err(error) => {
                let message = format!("cannot parse the range `{range}` that is required of package `{name}`: {error}");
                let finding = Diagnostic::new(Rule::InvalidRange, property.span, message);
                let help = "opm accepts this, but OLM cannot resolve a namespace in which it considers the bundle";
                Some(finding.with_help(format!("{help}; {GRAMMAR}")).with_fix(respelt(range).map(set)))
            }
        }
    })
}

fn without_empty(range: &Range) -> Option<String> {
    let groups = range.groups().filter(|group| !group.is_empty());
    let texts = groups.map(|group| group.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "));
    Some(texts.collect::<Vec<_>>().join(" || ")).filter(|text| !text.is_empty())
}

/// The range in blang's grammar, if it is written in that of npm: commas for and, a single `|`, `=>`, `^1.2` and `~1.2`.
fn respelt(text: &str) -> Option<String> {
    let alternative = |part: &str| {
        let words: Vec<&str> = part.split([',', ' ']).filter(|word| !word.is_empty()).collect();
        Some(words.into_iter().map(comparator).collect::<Option<Vec<_>>>()?.join(" "))
    };
    let alternatives: Option<Vec<String>> =
        text.split('|').filter(|part| !part.trim().is_empty()).map(alternative).collect();
    let new = alternatives?.join(" || ");
    Range::parse(&new).ok().filter(|range| new != text && !range.never_matches()).map(|_| new)
}

fn comparator(word: &str) -> Option<String> {
    let version = |text: &str| Version::parse_tolerant(text).ok();
    let (low, high) = match word.split_at_checked(1)? {
        ("^", rest) => {
            let low = version(rest)?;
            let high = match (low.major(), low.minor()) {
                (0, 0) => Version::new(0, 0, low.patch().checked_add(1)?),
                (0, minor) => Version::new(0, minor.checked_add(1)?, 0),
                (major, _) => Version::new(major.checked_add(1)?, 0, 0),
            };
            (low, high)
        }
        ("~", rest) => {
            let low = version(rest)?;
            let high = match rest.contains('.') {
                true => Version::new(low.major(), low.minor().checked_add(1)?, 0),
                false => Version::new(low.major().checked_add(1)?, 0, 0),
            };
            (low, high)
        }
        _ => return Some(plain_comparator(word)),
    };
    Some(format!(">={low} <{high}"))
}

/// A comparator with the operator's characters in order, and all numbers of the version.
fn plain_comparator(word: &str) -> String {
    let at = word.find(|c: char| !"<>=!".contains(c)).unwrap_or(word.len());
    let operator = match &word[..at] {
        "=>" => ">=",
        "=<" => "<=",
        other => other,
    };
    let version = &word[at..];
    let whole = Version::parse_tolerant(version).map(|version| version.to_string());
    format!("{operator}{}", whole.unwrap_or_else(|_| version.to_owned()))
}

/// Reports an empty alternative: blang's parser accepts it, and evaluation then indexes an empty slice.
fn crash(range: &Range, span: Span) -> Option<Diagnostic> {
    range.groups().any(|group| group.is_empty()).then(|| {
        Diagnostic::new(
            Rule::InvalidRange,
            span,
            "the range has an empty alternative between two `||`, which crashes OLM when it evaluates the range",
        )
        .with_help("remove one of the two `||`")
    })
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{check, findings_in};

    #[test]
    fn skip_ranges() {
        let cases = r#"
            == a skipRange
            c: 1.0.0 (skipRange ^1.0.0)
                                ^^^^^^ invalid-range: cannot parse skipRange `^1.0.0`: Could not parse Range "^1.0.0": Could not parse comparator "^" in "^1.0.0"
                                ^^^^^^ opm: invalid skipRange "^1.0.0": Could not parse Range "^1.0.0": Could not parse comparator "^" in "^1.0.0"
            == a range that crashes
            c: 1.0.0 (skipRange 0.1.0 || || 0.2.0)
                                ^^^^^^^^^^^^^^^^^ invalid-range: the range has an empty alternative between two `||`, which crashes OLM when it evaluates the range
        "#;
        check(cases);
    }

    #[test]
    fn opm_ignores_a_required_range() {
        let case = r#"
            c: 1.0.0 (requires q >=1.0.0, <2.0.0)
                      ^^^^^^^^^^^^^^^^^^^^^^^^^^ invalid-range: cannot parse the range `>=1.0.0, <2.0.0` that is required of package `q`: Could not parse Range ">=1.0.0,": Could not parse version "1.0.0," in ">=1.0.0,": Invalid character(s) found in patch number "0,"
        "#;
        check(case);
        assert_eq!(findings_in(&fixture::yaml("c: 1.0.0 (requires q >=1.0.0, <2.0.0)"))[0].opm, None);
    }

    #[test]
    fn ranges_of_npm_have_a_quick_fix() {
        for (text, expected) in [
            ("^1.2.3", Some(">=1.2.3 <2.0.0")),
            ("^0.2", Some(">=0.2.0 <0.3.0")),
            ("~1.2", Some(">=1.2.0 <1.3.0")),
            (">=1.0.0, <2.0.0", Some(">=1.0.0 <2.0.0")),
            ("=>1.0.0 | 3.0.0", Some(">=1.0.0 || 3.0.0")),
            (">=1.0", Some(">=1.0.0")),
            ("latest", None),
            ("^18446744073709551615.0.0", None),
        ] {
            assert_eq!(super::respelt(text).as_deref(), expected, "{text}");
        }
    }
}
