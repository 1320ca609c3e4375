//! The rule `multiple-channel-heads`.
//!
#![doc = include_str!("multiple_channel_heads.md")]

use super::listed;
use crate::{Chain, Channel};
use source::{Diagnostic, Rule};

pub(super) fn check(channel: &Channel, chain: &Chain<'_>) -> Option<Diagnostic> {
    let Chain::ManyHeads(heads) = chain else { return None };
    let message = format!("channel `{}` has {} heads: {}", channel.name, heads.len(), listed(heads.iter().copied()));
    let mut finding = Diagnostic::new(Rule::MultipleChannelHeads, channel.name.span, message)
        .with_help("one entry must remain that no `replaces` or `skips` names; skipRange does not count")
        .with_opm(format!("multiple channel heads found in graph: {}", heads.join(", ")));
    for head in heads {
        if let Some(entry) = channel.entry(head) {
            finding = finding.with_label(entry.name.span, "nothing replaces or skips this entry");
        }
    }
    Some(finding)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::{check, check_opm, package};

    #[test]
    fn a_skip_range_does_not_count() {
        let entries = "- name: p.v1.0.0\n- name: p.v2.0.0\n  replaces: p.v0.1.0\n  skipRange: '<2.0.0'\n";
        let text = package(entries, &["1.0.0", "2.0.0"]);
        check(&text, &["7:7 multiple-channel-heads: channel `c` has 2 heads: `p.v1.0.0`, `p.v2.0.0`"]);
        check_opm(&text, &["multiple channel heads found in graph: p.v1.0.0, p.v2.0.0"]);
    }
}
