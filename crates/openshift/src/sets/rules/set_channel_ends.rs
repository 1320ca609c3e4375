//! `set-channel-ends`

use crate::sets::finding::{Finding, WayOut};
use crate::sets::installed::{Outcome, PackagePair, is_end};
use compare::Row;
use regex_lite::Regex;
use source::{Rule, Severity};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The name of a channel for one minor version: `stable-1.2`, `v1.2`, `1.2.x`.
static MINOR: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?:^|[^0-9.])[0-9]+\.[0-9]+(?:\.x)?$").expect("it is valid"));

/// One finding for each channel and way out.
pub(super) fn check(pairs: &[PackagePair<'_>]) -> Vec<Finding> {
    let mut found = Vec::new();
    for of in pairs {
        let ending = of.channels_with(Outcome::ChannelEnds);
        let ends = ending
            .iter()
            .flat_map(|(channel, rows)| rows.iter().map(move |row| (*channel, row.old.end(&row.installed))));
        let ways_out = of.ways_out(&ends.collect(), true);
        for (channel, rows) in ending {
            // Versions that are still updated share the way out of the one where their updates end.
            let mut ways: BTreeMap<(WayOut, bool), Vec<&Row>> = BTreeMap::new();
            for row in rows {
                ways.entry(ways_out[&(channel, row.old.end(&row.installed))].clone()).or_default().push(row);
            }
            for ((way_out, is_free), rows) in ways {
                let (old, new) = (of.pair.old.version, of.pair.new.version);
                let span = of.old.channel(channel.as_str()).map(|channel| channel.span);
                let message = match (&way_out, is_free) {
                    (WayOut::SwitchBefore { channel, .. }, true) => {
                        format!("the next catalog does not have the channel; `{channel}` has the same head and goes on")
                    }
                    _ => "the next catalog does not have the channel: OLM no longer resolves any namespace with a \
                          Subscription to it, and what is installed keeps running without updates"
                        .to_owned(),
                };
                let has_end = rows.iter().any(|row| is_end(row));
                // That channels for minor versions end is a policy, as long as users can go on in another one.
                let is_policy = MINOR.is_match(channel.as_str()) && way_out != WayOut::Reinstall;
                let severity = if is_free && has_end || is_policy { Severity::Hint } else { Severity::Error };
                let mut finding = Finding::of_member(Rule::SetChannelEnds, old, of.name, span, message)
                    .between(old, new)
                    .in_channel(channel)
                    .with_severity(severity);
                finding.rows = rows.into_iter().map(|row| of.shown(row)).collect();
                finding.way_out = Some(way_out);
                found.push(finding);
            }
        }
    }
    found
}
