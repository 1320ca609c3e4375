//! The rule `invalid-range`.
//!
#![doc = include_str!("invalid_range.md")]

use crate::{Channel, OpmPhase, Package};
use blang_semver::{Quoted, Range};
use predicate::Property;
use source::{Diagnostic, OpmVersion, Rule, Span};

const GRAMMAR: &str = "write comparators such as `>=1.0.0 <2.0.0`: a space means and, ` || ` means or; `^`, `~`, `*` and commas do not exist";

pub(super) fn skip_ranges(channel: &Channel) -> impl Iterator<Item = Diagnostic> {
    channel.entries.iter().filter_map(|entry| {
        let range = entry.skip_range.as_ref()?;
        match &range.value.range {
            Ok(parsed) => crash(parsed, range.span),
            Err(error) => {
                let message = format!("cannot parse skipRange `{}`: {error}", range.value.text);
                let opm = format!("invalid skipRange {}: {error}", Quoted(&range.value.text));
                Some(
                    Diagnostic::new(Rule::InvalidRange, range.span, message)
                        .with_help(GRAMMAR)
                        .with_opm_at(OpmPhase::Model, opm)
                        .since(OpmVersion(1, 69, 0)),
                )
            }
        }
    })
}

pub(super) fn required(package: &Package) -> impl Iterator<Item = Diagnostic> {
    let properties = package.bundles.iter().flat_map(|bundle| &bundle.properties);
    properties.filter_map(|property| {
        let Property::PackageRequired { name, range, .. } = &property.value else { return None };
        match Range::parse(range) {
            Ok(parsed) => crash(&parsed, property.span),
            Err(error) => {
                let message = format!("cannot parse the range `{range}` that is required of package `{name}`: {error}");
                let finding = Diagnostic::new(Rule::InvalidRange, property.span, message);
                Some(finding.with_help(format!(
                    "opm accepts this, but OLM cannot resolve a namespace in which it considers the bundle; {GRAMMAR}"
                )))
            }
        }
    })
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
    use crate::rules::testing::{check, check_opm, package};

    #[test]
    fn a_skip_range() {
        let text = package("- name: p.v1.0.0\n  skipRange: ^1.0.0\n", &["1.0.0"]);
        let expected = "10:14 invalid-range: cannot parse skipRange `^1.0.0`: Could not parse Range \"^1.0.0\": Could not parse comparator \"^\" in \"^1.0.0\"";
        check(&text, &[expected]);
        let opm = "invalid skipRange \"^1.0.0\": Could not parse Range \"^1.0.0\": Could not parse comparator \"^\" in \"^1.0.0\"";
        check_opm(&text, &[opm]);
    }

    #[test]
    fn a_range_that_crashes() {
        let text = package("- name: p.v1.0.0\n  skipRange: 0.1.0 || || 0.2.0\n", &["1.0.0"]);
        let expected = "10:14 invalid-range: the range has an empty alternative between two `||`, which crashes OLM when it evaluates the range";
        check(&text, &[expected]);
    }

    #[test]
    fn opm_ignores_a_required_range() {
        let text = package("- name: p.v1.0.0\n", &["1.0.0"])
            + "- type: olm.package.required\n  value: {packageName: q, versionRange: '>=1.0.0, <2.0.0'}\n";
        let expected = "18:3 invalid-range: cannot parse the range `>=1.0.0, <2.0.0` that is required of package `q`: Could not parse Range \">=1.0.0,\": Could not parse version \"1.0.0,\" in \">=1.0.0,\": Invalid character(s) found in patch number \"0,\"";
        check(&text, &[expected]);
        check_opm(&text, &[]);
    }
}
