//! The rule `downgrade`.
//!
#![doc = include_str!("downgrade.md")]

use crate::operator::Operator;
use blang_semver::Version;
use catalog::{BundleName, Chain, Entry};
use source::{Diagnostic, Findings, Rule, Severity, Spanned};

pub(super) fn check(operator: &Operator<'_>, found: &mut Findings) {
    for lane in &operator.lanes {
        // Every circle has such an edge; it is told by `replaces-cycle` and `no-channel-head`.
        if matches!(Chain::of(lane.channel), Chain::Cycle(_) | Chain::NoHead) {
            continue;
        }
        let head = lane.order.as_ref().and_then(|order| order.first());
        for at in lane.chosen() {
            let (entry, own) = (&lane.channel.entries[at], lane.versions[at]);
            found.extend(entry.replaces.iter().filter_map(|older| replacing(operator, entry, own?, older)));
            // What the head withdraws is told by `head-below-entry`.
            if head != Some(&at) {
                found.extend(entry.skips.iter().filter_map(|older| skipping(operator, entry, own?, older)));
            }
        }
    }
}

fn replacing(operator: &Operator<'_>, entry: &Entry, own: &Version, older: &Spanned<BundleName>) -> Option<Diagnostic> {
    let higher = higher(operator, own, older)?;
    let mut message = format!("`{}` of version {own} replaces `{older}` of the higher {higher}", entry.name);
    let same = Version::new(own.major(), own.minor(), own.patch());
    let help = if !own.pre().is_empty() && higher.pre().is_empty() && *higher == same {
        message.push_str(&format!("; `-{}` makes a prerelease of {same} of it", own.pre()));
        format!("OLM downgrades users along this edge: give a rebuild a higher patch number, {}", next_patch(&same))
    } else {
        "OLM downgrades users along this edge; if that is not meant, swap the two".to_owned()
    };
    Some(Diagnostic::new(Rule::Downgrade, older.span, message).with_help(help))
}

fn skipping(operator: &Operator<'_>, entry: &Entry, own: &Version, older: &Spanned<BundleName>) -> Option<Diagnostic> {
    let higher = higher(operator, own, older)?;
    let message = format!("`{}` of version {own} skips `{older}` of the higher {higher}", entry.name);
    let help =
        "OLM downgrades users along this edge, which withdraws the higher version; if that is not meant, remove it";
    let mut finding = Diagnostic::new(Rule::Downgrade, older.span, message).with_help(help);
    finding.severity = Severity::Hint;
    Some(finding)
}

/// The version of a bundle, if it is above `own`.
fn higher<'c>(operator: &Operator<'c>, own: &Version, older: &Spanned<BundleName>) -> Option<&'c Version> {
    operator.package.bundle(older.value.as_str())?.version().filter(|older| *older > own)
}

fn next_patch(version: &Version) -> Version {
    Version::new(version.major(), version.minor(), version.patch().saturating_add(1))
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, package};
    use source::Rule;

    #[test]
    fn a_higher_version_below() {
        let entries = "- {name: p.v1.0.0, replaces: p.v1.1.0}\n- name: p.v1.1.0\n";
        let expected = "9:30 `p.v1.0.0` of version 1.0.0 replaces `p.v1.1.0` of the higher 1.1.0";
        check(Rule::Downgrade, &package(entries, &["1.0.0", "1.1.0"]), &[expected]);
    }

    #[test]
    fn a_prerelease_above_its_release() {
        let entries = "- {name: p.v1.0.0-1, replaces: p.v1.0.0}\n- name: p.v1.0.0\n";
        let expected = "9:32 `p.v1.0.0-1` of version 1.0.0-1 replaces `p.v1.0.0` of the higher 1.0.0; `-1` makes a prerelease of 1.0.0 of it";
        check(Rule::Downgrade, &package(entries, &["1.0.0", "1.0.0-1"]), &[expected]);
    }

    #[test]
    fn a_withdrawn_version() {
        let entries =
            "- {name: p.v1.2.0, replaces: p.v1.0.0}\n- {name: p.v1.0.0, skips: [p.v1.1.0]}\n- name: p.v1.1.0\n";
        let text = package(entries, &["1.0.0", "1.1.0", "1.2.0"]);
        check(Rule::Downgrade, &text, &["10:28 `p.v1.0.0` of version 1.0.0 skips `p.v1.1.0` of the higher 1.1.0"]);
    }

    #[test]
    fn a_circle_is_told_once() {
        let entries = "- {name: p.v1.2.0, replaces: p.v1.1.0}\n- {name: p.v1.1.0, replaces: p.v1.0.0}\n- {name: p.v1.0.0, replaces: p.v1.1.0}\n";
        check(Rule::Downgrade, &package(entries, &["1.0.0", "1.1.0", "1.2.0"]), &[]);
    }

    #[test]
    fn build_metadata_is_no_version() {
        let entries = "- {name: p.v1.0.0+1, replaces: p.v1.0.0+2}\n- name: p.v1.0.0+2\n";
        check(Rule::Downgrade, &package(entries, &["1.0.0+1", "1.0.0+2"]), &[]);
    }
}
