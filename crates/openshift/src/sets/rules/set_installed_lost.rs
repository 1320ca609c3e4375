//! `set-installed-lost`

use crate::sets::finding::{Finding, WayOut};
use crate::sets::installed::{Outcome, PackagePair, is_end};
use catalog::{BundleName, ChannelName};
use compare::Row;
use source::{Rule, Severity, name_list};
use std::collections::{BTreeMap, BTreeSet};

/// A channel, and what it loses.
type Lost<'r> = (&'r ChannelName, Vec<&'r Row>);

/// One finding for each way out, of all channels that lose the same versions.
pub(super) fn check(pairs: &[PackagePair<'_>]) -> Vec<Finding> {
    let mut found = Vec::new();
    for of in pairs {
        let mut losses: BTreeMap<(Option<WayOut>, BTreeSet<&BundleName>), Vec<Lost<'_>>> = BTreeMap::new();
        let lost = of.channels_with(Outcome::Lost);
        let ends = lost.iter().flat_map(|(channel, rows)| rows.iter().map(move |row| (*channel, &row.installed)));
        let others = of.ways_out(&ends.collect(), false);
        for (channel, rows) in lost {
            let mut ways: BTreeMap<Option<WayOut>, Vec<&Row>> = BTreeMap::new();
            let updated = rows.iter().filter(|row| !is_end(row));
            let going_on = of.going_on(channel, &updated.map(|row| row.old.end(&row.installed)).collect());
            for row in rows {
                let end = row.old.end(&row.installed);
                let is_safe = !is_end(row) && going_on.contains(end);
                let first = is_safe.then(|| WayOut::UpdateFirst { to: end.clone() });
                let (other, _) = &others[&(channel, &row.installed)];
                let other = Some(other).filter(|way_out| **way_out != WayOut::Reinstall);
                ways.entry(first.or_else(|| other.cloned())).or_default().push(row);
            }
            for (way_out, rows) in ways {
                let installed = rows.iter().map(|row| &row.installed).collect();
                losses.entry((way_out, installed)).or_default().push((channel, rows));
            }
        }
        for ((way_out, _), channels) in losses {
            found.push(finding(of, way_out, &channels));
        }
    }
    found
}

fn finding(of: &PackagePair<'_>, way_out: Option<WayOut>, channels: &[Lost<'_>]) -> Finding {
    let (old, new) = (of.pair.old.version, of.pair.new.version);
    let (channel, rows) = &channels[0];
    let entry = of.old.channel(channel.as_str()).and_then(|channel| channel.entry(rows[0].installed.as_str()));
    let lost = "nothing in the next catalog follows what is installed, and nothing on the cluster says so: the \
                Subscription stays `AtLatestKnown`";
    let message = match channels {
        [_] => lost.to_owned(),
        several => format!("in channels {}, {lost}", name_list(several.iter().map(|(channel, _)| channel.as_str()))),
    };
    let rows = channels.iter().flat_map(|(_, rows)| rows);
    let has_end = rows.clone().any(|row| is_end(row));
    let mut finding = Finding::of_member(Rule::SetInstalledLost, old, of.name, entry.map(|entry| entry.span), message)
        .between(old, new)
        .with_severity(if has_end { Severity::Error } else { Severity::Warning });
    if channels.len() == 1 {
        finding = finding.in_channel(channel);
    }
    finding.rows = rows.map(|row| of.shown(row)).collect();
    finding.way_out = way_out;
    finding
}
