//! The rule `skip-range-upper-bound`.
//!
#![doc = include_str!("skip_range_upper_bound.md")]

use crate::index::{IndexedPackage, SkipRange};
use go_semver::blang::{Comparator, Op, Range, Version};
use source::{Diagnostic, Findings, QuickFix, Rule, Severity, name_list};

pub(super) fn check(indexed: &IndexedPackage<'_>, findings: &mut Findings) {
    findings.extend(indexed.skip_ranges().filter_map(|range| beyond_own_version(indexed, &range)));
}

fn beyond_own_version(indexed: &IndexedPackage<'_>, skip: &SkipRange<'_>) -> Option<Diagnostic> {
    let own = skip.version?;
    let name = &skip.entry.name;
    let above = indexed.ascending.partition_point(|version| *version <= own);
    let newer = skip.range.runs(&indexed.ascending[above..]);
    let is_rejected = is_rejected_later(skip.range, own);
    let rejects = if is_rejected { ", and a coming opm rejects it (operator-registry#2090)" } else { "" };
    let downgrades = format!("OLM would downgrade users along this range{rejects}; end it with `<{own}`");
    let (message, severity, help) = if !newer.is_empty() {
        let newer = newer.into_iter().flat_map(|run| &indexed.bundles[above..][run]);
        let names = name_list(newer.map(|bundle| bundle.name.value.as_str()));
        (
            format!("the skipRange `{}` of `{name}` contains the newer {names}", skip.text()),
            Severity::Warning,
            downgrades,
        )
    } else if skip.range.lowest_above(own).is_some() {
        (
            format!("the skipRange `{}` of `{name}` extends beyond the entry's own version {own}", skip.text()),
            if is_rejected { Severity::Warning } else { Severity::Hint },
            downgrades,
        )
    } else if skip.range.matches(own) == Ok(true) {
        (
            format!("the skipRange `{}` of `{name}` contains the entry itself", skip.text()),
            Severity::Hint,
            format!("harmless, but unusual: OLM never takes an entry for its own update; end the range with `<{own}`"),
        )
    } else {
        return None;
    };
    let message = format!("{message}; {}", skip.matching(indexed));
    let mut finding = Diagnostic::new(Rule::SkipRangeUpperBound, skip.span(), message);
    finding.severity = severity;
    let fix = ended(skip.range, own).map(|text| QuickFix::rename(skip.span(), &text));
    Some(finding.with_help(help).with_fix(fix))
}

/// Whether a coming release of `opm` rejects the range, because an upper bound is above the version of its entry
/// (operator-registry#2090, not merged yet). The rebuilds of `olm.substitutesFor`, which build metadata tells, are excepted.
fn is_rejected_later(range: &Range, own: &Version) -> bool {
    let is_above = |comparator: &Comparator| matches!(comparator.op, Op::Lt | Op::Le) && comparator.version > *own;
    own.build().is_empty() && range.groups().flatten().any(is_above)
}

/// The range up to a version, if anything is left of each alternative.
fn ended(range: &Range, end: &Version) -> Option<String> {
    let group = |group: &[Comparator]| {
        let kept = group.iter().filter(|comparator| !matches!(comparator.op, Op::Lt | Op::Le));
        let lower =
            group.iter().filter(|comparator| matches!(comparator.op, Op::Lt | Op::Le) && comparator.version < *end);
        let mut texts: Vec<String> = kept.chain(lower).map(ToString::to_string).collect();
        texts.push(format!("<{end}"));
        texts.join(" ")
    };
    let text = range.groups().map(group).collect::<Vec<_>>().join(" || ");
    Range::parse(&text).ok().filter(|range| !range.never_matches()).map(|range| range.union(&range))
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, found};
    use source::Rule;

    #[test]
    fn findings() {
        let cases = "
            == a newer version
            c: 1.0.0 <- 1.1.0 (skipRange >=1.0.0 <1.2.0)
                                         ^^^^^^^^^^^^^^ skip-range-upper-bound: the skipRange `>=1.0.0 <1.2.0` of `p.v1.1.0` contains the newer `p.v1.1.5`; it matches 1.0.0, 1.1.0, 1.1.5 of 3 versions
                                         ^^^^^^^^^^^^^^ severity: warning
            bundle 1.1.5
            == versions beyond the own one
            c: 1.0.0 <- 1.1.0 (skipRange >=1.0.0 <1.1.3)
                                         ^^^^^^^^^^^^^^ skip-range-upper-bound: the skipRange `>=1.0.0 <1.1.3` of `p.v1.1.0` extends beyond the entry's own version 1.1.0; it matches 1.0.0, 1.1.0 of 3 versions
                                         ^^^^^^^^^^^^^^ severity: warning
            bundle 1.1.5
            == no upper bound
            c: 1.0.0 <- 1.1.0 (skipRange >=1.0.0)
                                         ^^^^^^^ skip-range-upper-bound: the skipRange `>=1.0.0` of `p.v1.1.0` extends beyond the entry's own version 1.1.0; it matches 1.0.0, 1.1.0 of 2 versions
                                         ^^^^^^^ severity: hint
            == a rebuild of `olm.substitutesFor`
            c: 1.0.0 <- 1.1.0-0.1.p (version 1.1.0+0.1.p; skipRange >=1.0.0 <1.1.3)
                                                                    ^^^^^^^^^^^^^^ skip-range-upper-bound: the skipRange `>=1.0.0 <1.1.3` of `p.v1.1.0-0.1.p` extends beyond the entry's own version 1.1.0+0.1.p; it matches 1.0.0, 1.1.0+0.1.p of 2 versions
                                                                    ^^^^^^^^^^^^^^ severity: hint
            == the own version
            c: 1.0.0 <- 1.1.0 (skipRange >=1.0.0 <=1.1.0)
                                         ^^^^^^^^^^^^^^^ skip-range-upper-bound: the skipRange `>=1.0.0 <=1.1.0` of `p.v1.1.0` contains the entry itself; it matches 1.0.0, 1.1.0 of 3 versions
                                         ^^^^^^^^^^^^^^^ severity: hint
            bundle 1.1.5
            == a range that ends before the own version
            c: 1.0.0 <- 1.1.0 (skipRange >=1.0.0 <1.1.0)
            bundle 1.1.5
        ";
        check(Rule::SkipRangeUpperBound, cases);
    }

    /// The help for a skipRange of `p.v1.1.0`.
    #[track_caller]
    fn help(range: &str, expected: &str) {
        let text = fixture::yaml(&format!("c: 1.0.0 <- 1.1.0 (skipRange {range})\nbundle 1.1.5"));
        let findings = found(Rule::SkipRangeUpperBound, &text);
        let [finding] = &findings[..] else { panic!("{findings:?}") };
        assert_eq!(finding.help.as_deref(), Some(expected));
    }

    #[test]
    fn only_a_range_with_versions_above_its_owner_downgrades() {
        let harmless =
            "harmless, but unusual: OLM never takes an entry for its own update; end the range with `<1.1.0`";
        let downgrade = "OLM would downgrade users along this range, and a coming opm rejects it \
                         (operator-registry#2090); end it with `<1.1.0`";
        help(">=1.0.0 <=1.1.0", harmless);
        help("1.1.0", harmless);
        help(">=1.0.0 <=1.1.1", downgrade);
        help(">=1.0.0 <=1.1.5", downgrade);
    }
}
