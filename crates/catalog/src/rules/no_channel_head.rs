//! The rule `no-channel-head`.
//!
#![doc = include_str!("no_channel_head.md")]

use super::mended::without_backward_edges;
use crate::{Chain, Channel, OpmPhase, Package};
use source::{Diagnostic, Rule};

pub(super) fn check(package: &Package, channel: &Channel, chain: &Chain<'_>) -> Option<Diagnostic> {
    let Chain::NoHead = chain else { return None };
    let message = format!("channel `{}` has no head: every entry is replaced or skipped", channel.name);
    let mut finding = Diagnostic::new(Rule::NoChannelHead, channel.name.span, message)
        .with_help("remove the `replaces` or `skips` that names the newest entry")
        .with_fix(without_backward_edges(package, channel))
        .with_opm_at(OpmPhase::Model, "no channel head found in graph");
    for entry in &channel.entries {
        let edges = entry.replaces.iter().chain(&entry.skips);
        for own in edges.filter(|edge| edge.value == entry.name.value) {
            finding = finding.with_label(own.span, format!("`{}` replaces or skips itself", entry.name));
        }
    }
    Some(finding)
}

#[cfg(test)]
mod tests {
    use crate::rules::testing::check;

    #[test]
    fn entries_that_replace_each_other() {
        let cases = "
            c: 1.0.0 (replaces 2.0.0) <- 2.0.0
            ^ no-channel-head: channel `c` has no head: every entry is replaced or skipped
        ";
        check(cases);
    }
}
