//! The rule `multiple-channel-heads`.
//!
#![doc = include_str!("multiple_channel_heads.md")]

use super::{LABELS, entries_named};
use crate::{Chain, Channel, OpmPhase};
use source::{Diagnostic, Rule, name_list};

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
    Some(finding)
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
    fn a_skip_range_does_not_count() {
        let entries = "- name: p.v1.0.0\n- name: p.v2.0.0\n  replaces: p.v0.1.0\n  skipRange: '<2.0.0'\n";
        let text = package(entries, &["1.0.0", "2.0.0"]);
        check(&text, &["7:7 multiple-channel-heads: channel `c` has 2 heads: `p.v1.0.0`, `p.v2.0.0`"]);
        check_opm(&text, &["multiple channel heads found in graph: p.v1.0.0, p.v2.0.0"]);
    }
}
