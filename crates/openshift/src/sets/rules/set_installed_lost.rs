//! `set-installed-lost`

use crate::sets::finding::{Finding, WayOut};
use crate::sets::installed::{Outcome, PackagePair, is_end};
use compare::Row;
use source::{Rule, Severity};
use std::collections::BTreeMap;

/// One finding for each channel and way out.
pub(super) fn check(pairs: &[PackagePair<'_>]) -> Vec<Finding> {
    let mut found = Vec::new();
    for of in pairs {
        for (channel, rows) in of.channels_with(Outcome::Lost) {
            let mut ways: BTreeMap<Option<WayOut>, Vec<&Row>> = BTreeMap::new();
            let updated = rows.iter().filter(|row| !is_end(row));
            let going_on = of.going_on(channel, &updated.map(|row| row.old.end(&row.installed)).collect());
            for row in rows {
                let end = row.old.end(&row.installed);
                let is_safe = !is_end(row) && going_on.contains(end);
                let first = is_safe.then(|| WayOut::UpdateFirst { to: end.clone() });
                ways.entry(first).or_default().push(row);
            }
            for (way_out, rows) in ways {
                let (old, new) = (of.pair.old.version, of.pair.new.version);
                let span =
                    of.old.channel(channel.as_str()).and_then(|channel| channel.entry(rows[0].installed.as_str()));
                let message =
                    "nothing in the next catalog follows what is installed, and nothing on the cluster says so: the \
                               Subscription stays `AtLatestKnown`"
                        .to_owned();
                let has_end = rows.iter().any(|row| is_end(row));
                let mut finding =
                    Finding::of_member(Rule::SetInstalledLost, old, of.name, span.map(|e| e.span), message)
                        .between(old, new)
                        .in_channel(channel)
                        .with_severity(if has_end { Severity::Error } else { Severity::Warning });
                finding.rows = rows.into_iter().map(|row| of.shown(row)).collect();
                finding.way_out = way_out;
                found.push(finding);
            }
        }
    }
    found
}
