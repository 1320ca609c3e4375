//! Findings that are read once: those that members have in common, and channels that end in turn.

use crate::sets::finding::{Finding, WayOut};
use crate::sets::set::CatalogSet;
use catalog::ChannelName;
use catalog::predicate::PackageName;
use source::{OpenShift, Rule, Severity, first_and_more};
use std::collections::{BTreeMap, BTreeSet};

/// What findings that are one have in common. What is installed may differ.
type Common = (Rule, Severity, (Option<PackageName>, Option<ChannelName>), String, Option<WayOut>);

/// Merges findings that differ in their versions alone, and whose versions follow each other among the members.
pub(crate) fn merged(set: &CatalogSet, findings: Vec<Finding>) -> Vec<Finding> {
    let place = |version: OpenShift| set.members.iter().position(|member| member.version == version).unwrap_or(0);
    let mut groups: BTreeMap<Common, Vec<Finding>> = BTreeMap::new();
    for finding in findings {
        let Finding { rule, severity, package, channel, message, way_out, .. } = &finding;
        let subject = (package.clone(), channel.clone());
        let common = (*rule, *severity, subject, message.clone(), way_out.clone());
        groups.entry(common).or_default().push(finding);
    }
    let mut merged = Vec::new();
    for mut group in groups.into_values() {
        group.sort_by_key(|finding| (finding.from, finding.to));
        let mut steps: Vec<Finding> = Vec::new();
        for finding in group {
            let follows = |known: &&mut Finding| match finding.is_about_updates() {
                true => known.to == finding.from,
                false => place(known.to) + 1 == place(finding.from),
            };
            match steps.iter_mut().find(follows).filter(|_| finding.package.is_some()) {
                Some(known) => {
                    known.to = finding.to;
                    known.rows.extend(finding.rows);
                    known.spans.extend(finding.spans);
                }
                None => steps.push(finding),
            }
        }
        merged.extend(steps);
    }
    merged
}

/// So many channels that end make a habit.
const HABIT: usize = 3;

/// Makes one finding of the channels of a package that end in turn, as those that exist for each minor version.
pub(crate) fn rolling(set: &CatalogSet, findings: Vec<Finding>) -> Vec<Finding> {
    let mut of_package: BTreeMap<Option<PackageName>, Vec<Finding>> = BTreeMap::new();
    for finding in findings {
        of_package.entry(finding.package.clone()).or_default().push(finding);
    }
    let mut found = Vec::new();
    for (package, findings) in of_package {
        let channels: BTreeSet<_> = findings.iter().filter_map(|finding| finding.channel.clone()).collect();
        let steps: BTreeSet<OpenShift> = findings.iter().map(|finding| finding.from).collect();
        match package.filter(|_| channels.len() >= HABIT && steps.len() > 1) {
            Some(package) => found.push(in_turn(set, &package, findings)),
            None => found.extend(findings),
        }
    }
    found
}

/// The way out of each channel, if they differ.
fn ways_out(findings: &[Finding]) -> String {
    let ways = findings.iter().filter_map(|finding| {
        let (channel, way_out) = (finding.channel.as_ref()?, finding.way_out.as_ref()?);
        Some(match way_out {
            WayOut::SwitchBefore { channel: to, .. } => format!("`{channel}` to `{to}` before the update of OpenShift"),
            WayOut::SwitchAfter { channel: to } => format!("`{channel}` to `{to}` after the update of OpenShift"),
            WayOut::UpdateFirst { to } => format!("to `{to}` in `{channel}` before the update of OpenShift"),
            WayOut::Reinstall => format!("of `{channel}` only a new installation"),
        })
    });
    format!("ways out: {}", first_and_more(ways, 5))
}

fn in_turn(set: &CatalogSet, package: &PackageName, findings: Vec<Finding>) -> Finding {
    let members: Vec<_> = set.of_package(package.as_str()).map(|(_, package)| package).collect();
    let lasts = |channel: &str| members.iter().filter(|package| package.channel(channel).is_some()).count();
    let ended: BTreeSet<_> = findings.iter().filter_map(|finding| finding.channel.clone()).collect();
    let lives: BTreeSet<usize> = ended.iter().map(|channel| lasts(channel.as_str())).collect();
    let (shortest, longest) = (lives.first().copied().unwrap_or(0), lives.last().copied().unwrap_or(0));
    let lives = if shortest == longest { longest.to_string() } else { format!("{shortest} to {longest}") };
    let lasting = members.last().and_then(|last| {
        let channels = last.channels.iter().map(|channel| &channel.name.value);
        channels.filter(|channel| lasts(channel.as_str()) == members.len()).min()
    });
    let lasting = match lasting {
        Some(channel) => format!("; `{channel}` is in all catalogs"),
        None => "; no channel is in all catalogs".to_owned(),
    };
    let message = format!(
        "each channel of this package lasts {lives} catalogs, and {} have ended: OLM no longer resolves any namespace \
         with a Subscription to one{lasting}",
        ended.len()
    );
    let ways: BTreeSet<&WayOut> = findings.iter().filter_map(|finding| finding.way_out.as_ref()).collect();
    let message = if ways.len() > 1 { format!("{message}; {}", ways_out(&findings)) } else { message };
    let worst = findings.iter().map(|finding| finding.severity).min().unwrap_or(Rule::SetChannelEnds.severity());
    let first = findings.iter().map(|finding| finding.from).min().unwrap_or(set.members[0].version);
    let last = findings.iter().map(|finding| finding.to).max().unwrap_or(first);
    let mut found = Finding::of_member(Rule::SetChannelEnds, first, package, None, message).between(first, last);
    found.severity = worst;
    found.way_out = ways.first().filter(|_| ways.len() == 1).map(|way| (*way).clone());
    for finding in findings {
        found.rows.extend(finding.rows);
        found.spans.extend(finding.spans);
    }
    found
}
