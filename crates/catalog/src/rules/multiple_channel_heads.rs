//! The rule `multiple-channel-heads`.
//!
#![doc = include_str!("multiple_channel_heads.md")]

use super::labels::{LABELS, entries_named};
use super::mended::{join_heads, misspelt, respell};
use crate::{Chain, Channel, OpmPhase, Package};
use source::{Diagnostic, Rule, name_list};

pub(super) fn check(package: &Package, channel: &Channel, chain: &Chain<'_>) -> Option<Diagnostic> {
    let Chain::ManyHeads(heads) = chain else { return None };
    let places = entries_named(channel, heads);
    let names = name_list(places.iter().map(|(name, _)| *name));
    let message = format!("channel `{}` has {} heads: {names}", channel.name, heads.len());
    let misspelt = misspelt(channel, heads);
    // The line to correct is that of the misspelt name.
    let mut finding = match misspelt.first() {
        Some(first) => {
            let message = format!("{message}; no entry is named `{}`", first.name);
            Diagnostic::new(Rule::MultipleChannelHeads, first.name.span, message)
                .with_help(format!("did you mean `{}`?", first.meant))
        }
        None => Diagnostic::new(Rule::MultipleChannelHeads, channel.name.span, message)
            .with_help("let one of them replace or skip the others; a skipRange does not count"),
    };
    finding = finding
        .with_fix(respell(channel, &misspelt))
        .with_opm_at(OpmPhase::Model, format!("multiple channel heads found in graph: {}", heads.join(", ")));
    for other in misspelt.iter().skip(1) {
        let label = format!("no entry is named `{}` either; did you mean `{}`?", other.name, other.meant);
        finding = finding.with_label(other.name.span, label);
    }
    for (name, span) in places.into_iter().take(LABELS) {
        finding = finding.with_label(span, format!("nothing replaces or skips `{name}`"));
    }
    Some(join_heads(package, channel).into_iter().fold(finding, Diagnostic::with_fix))
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{check, findings_in, titles};
    use source::Rule;

    #[test]
    fn a_skip_range_does_not_count() {
        let cases = "
            package p, default c
            c: 1.0.0, 2.0.0 (replaces 0.1.0; skipRange <2.0.0)
            ^ multiple-channel-heads: channel `c` has 2 heads: `p.v1.0.0`, `p.v2.0.0`
            ^ opm: multiple channel heads found in graph: p.v1.0.0, p.v2.0.0
        ";
        check(cases);
    }

    #[test]
    fn of_many_heads_all_are_counted_and_some_labelled() {
        let entries: String = (0..30_000).map(|at| format!("- name: p{at}\n")).collect();
        let text = format!("schema: olm.channel\npackage: p\nname: c\nentries:\n{entries}");
        let found = findings_in(&text);
        let heads = found.iter().find(|finding| finding.rule == Rule::MultipleChannelHeads).unwrap();
        assert!(heads.message.starts_with("channel `c` has 30000 heads: `p0`, `p1`, "), "{}", heads.message);
        assert_eq!(heads.labels.len(), super::LABELS);
    }

    #[test]
    fn a_misspelt_name_is_the_place() {
        let text = fixture::yaml("c: 1.2.0 (replaces 1.1.O; skips q), 1.1.0");
        let [finding] = &findings_in(&text)[..] else { panic!("one finding") };
        assert_eq!(finding.span.slice(&text), "p.v1.1.O");
        assert_eq!(finding.help.as_deref(), Some("did you mean `p.v1.1.0`?"));
        assert_eq!(titles(finding), ["Change to `p.v1.1.0`", "Let `p.v1.2.0` skip `p.v1.1.0`"]);
        let labels: Vec<_> = finding.labels.iter().map(|label| label.span.slice(&text)).collect();
        assert_eq!(labels, ["p.v1.2.0", "p.v1.1.0"]);
    }

    #[test]
    fn the_newest_head_may_replace_the_other_one() {
        let found = findings_in(&fixture::yaml("c: 1.1.0, 1.2.0"));
        assert_eq!(titles(&found[0]), ["Let `p.v1.2.0` replace `p.v1.1.0`", "Let `p.v1.2.0` skip `p.v1.1.0`"]);
    }
}
