//! The rule `multiple-channel-heads`.
//!
#![doc = include_str!("multiple_channel_heads.md")]

use super::{LABELS, entries_named};
use crate::{BundleName, Chain, Channel, Entry, OpmPhase};
use source::{Diagnostic, Rule, Spanned, name_list, nearest};
use std::collections::BTreeSet;

/// With more heads, a misspelt name is not the reason.
const FEW: usize = 8;

pub(super) fn check(channel: &Channel, chain: &Chain<'_>) -> Option<Diagnostic> {
    let Chain::ManyHeads(heads) = chain else { return None };
    let places = entries_named(channel, heads);
    let names = name_list(places.iter().map(|(name, _)| *name));
    let message = format!("channel `{}` has {} heads: {names}", channel.name, heads.len());
    let mut finding = Diagnostic::new(Rule::MultipleChannelHeads, channel.name.span, message)
        .with_help("let one of them replace or skip the others; a skipRange does not count")
        .with_opm_at(OpmPhase::Model, format!("multiple channel heads found in graph: {}", heads.join(", ")));
    for (name, span) in places.into_iter().take(LABELS) {
        finding = finding.with_label(span, format!("nothing replaces or skips `{name}`"));
    }
    if heads.len() <= FEW {
        for (name, head) in misspelt(channel, heads) {
            let label = format!("`{name}` is not an entry of the channel; did you mean `{head}`?");
            finding = finding.with_label(name.span, label);
        }
    }
    Some(finding)
}

/// The names that an entry replaces or skips although the channel does not have them, each with the head that its author
/// probably meant. Looks at the first [`LABELS`] such names only.
fn misspelt<'c>(channel: &'c Channel, heads: &[&'c str]) -> Vec<(&'c Spanned<BundleName>, &'c str)> {
    let names: BTreeSet<&str> = channel.entries.iter().map(|entry| entry.name.value.as_str()).collect();
    let named = channel
        .entries
        .iter()
        .flat_map(|entry| entry.replaces.iter().chain(&entry.skips).map(move |name| (entry, name)));
    let unknown = named.filter(|(_, name)| !names.contains(name.value.as_str())).take(LABELS);
    let meant = |(entry, name): (&Entry, &'c Spanned<BundleName>)| {
        let others = heads.iter().copied().filter(|head| *head != entry.name.value.as_str());
        Some((name, *nearest(name.value.as_str(), others).first()?))
    };
    unknown.filter_map(meant).collect()
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{check, check_opm, package};

    #[test]
    fn of_many_heads_all_are_counted_and_some_labelled() {
        let text = package(&(0..30_000).map(|at| format!("- name: p{at}\n")).collect::<String>(), &[]);
        let parse = fbc::parse(source::FileId(0), &text);
        let (catalog, _) = crate::lower(&[crate::ParsedFile { text: &text, parse: &parse }]);
        let findings = crate::check(&catalog);
        let heads = findings.iter().find(|finding| finding.rule == source::Rule::MultipleChannelHeads).unwrap();
        assert!(heads.message.starts_with("channel `c` has 30000 heads: `p0`, `p1`, "), "{}", heads.message);
        assert_eq!(heads.labels.len(), crate::rules::LABELS);
    }

    #[test]
    fn a_misspelt_name_gets_a_label() {
        let entries = "- name: p.v1.2.0\n  replaces: p.v1.1.O\n  skips: [q]\n- name: p.v1.1.0\n";
        let text = package(entries, &["1.1.0", "1.2.0"]);
        let parse = fbc::parse(source::FileId(0), &text);
        let (catalog, _) = crate::lower(&[crate::ParsedFile { text: &text, parse: &parse }]);
        let findings = crate::check(&catalog);
        let labels: Vec<_> =
            findings[0].labels.iter().map(|label| (label.span.slice(&text), label.message.as_str())).collect();
        assert_eq!(
            labels,
            [
                ("p.v1.2.0", "nothing replaces or skips `p.v1.2.0`"),
                ("p.v1.1.0", "nothing replaces or skips `p.v1.1.0`"),
                ("p.v1.1.O", "`p.v1.1.O` is not an entry of the channel; did you mean `p.v1.1.0`?"),
            ]
        );
    }

    #[test]
    fn a_skip_range_does_not_count() {
        let entries = "- name: p.v1.0.0\n- name: p.v2.0.0\n  replaces: p.v0.1.0\n  skipRange: '<2.0.0'\n";
        let text = package(entries, &["1.0.0", "2.0.0"]);
        check(&text, &["7:7 multiple-channel-heads: channel `c` has 2 heads: `p.v1.0.0`, `p.v2.0.0`"]);
        check_opm(&text, &["multiple channel heads found in graph: p.v1.0.0, p.v2.0.0"]);
    }
}
