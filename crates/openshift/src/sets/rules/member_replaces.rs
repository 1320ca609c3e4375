//! `member-replaces-elsewhere`, `member-replaces-nowhere` and `member-replaces-other-channel`: what `replaces` names
//! that its channel does not list.

use crate::sets::finding::Finding;
use crate::sets::set::{CatalogSet, Member};
use catalog::{Channel, ChannelName, Entry, Package};
use source::{Rule, name_list};
use std::collections::{BTreeMap, BTreeSet};

/// One finding for each package and rule. What older members have, or another channel has at the beginning of this one, updates
/// clusters that come from there, and is no finding.
pub(super) fn check(set: &CatalogSet) -> Vec<Finding> {
    let mut found = Vec::new();
    for member in &set.members {
        for package in member.catalog.packages.iter().filter(|package| !package.has_unknown_bundles) {
            let mut by_rule: BTreeMap<Rule, Vec<(&Channel, &Entry)>> = BTreeMap::new();
            for (channel, entry) in
                package.channels.iter().flat_map(|channel| channel.entries.iter().map(move |entry| (channel, entry)))
            {
                if let Some(rule) = entry_rule(set, member, package, channel, entry) {
                    by_rule.entry(rule).or_default().push((channel, entry));
                }
            }
            found.extend(by_rule.into_iter().map(|(rule, entries)| finding(member, package, rule, &entries)));
        }
    }
    found
}

fn entry_rule(set: &CatalogSet, member: &Member, package: &Package, channel: &Channel, entry: &Entry) -> Option<Rule> {
    let replaced = entry.replaces.as_ref()?.value.as_str();
    if channel.entry(replaced).is_some() {
        return None;
    }
    if package.channels.iter().any(|other| other.entry(replaced).is_some()) {
        let version = |entry: &Entry| package.bundle(entry.name.value.as_str())?.version();
        let is_first = channel.entries.iter().all(|other| version(other) >= version(entry));
        return (!is_first).then_some(Rule::MemberReplacesOtherChannel);
    }
    let others = set.of_package(package.name.as_str());
    let is_listed = |other: &Package| other.channels.iter().any(|channel| channel.entry(replaced).is_some());
    let has = |other: &Package| other.bundle(replaced).is_some() || other.has_unknown_bundles && is_listed(other);
    let having: Vec<_> = others.filter(|(_, other)| has(other)).map(|(other, _)| other.version).collect();
    match having.first() {
        None => Some(Rule::MemberReplacesNowhere),
        Some(first) => (*first > member.version).then_some(Rule::MemberReplacesElsewhere),
    }
}

fn finding(member: &Member, package: &Package, rule: Rule, entries: &[(&Channel, &Entry)]) -> Finding {
    let names: BTreeSet<&str> = entries.iter().map(|(_, entry)| entry.name.value.as_str()).collect();
    let replaced = entries.iter().filter_map(|(_, entry)| entry.replaces.as_ref());
    let targets: BTreeSet<&str> = replaced.clone().map(|replaced| replaced.value.as_str()).collect();
    let verb = if names.len() == 1 { "replaces" } else { "replace" };
    let (names, targets) = (name_list(names), name_list(targets));
    let message = match rule {
        Rule::MemberReplacesOtherChannel => {
            format!("{names} {verb} {targets} of another channel: the update works only for who changes the channel")
        }
        Rule::MemberReplacesNowhere => format!("{names} {verb} {targets}, which no catalog of the set has"),
        _ => format!("{names} {verb} {targets}, which only newer catalogs of the set have"),
    };
    let span = replaced.map(|replaced| replaced.span).next();
    let found = Finding::of_member(rule, member.version, &package.name, span, message);
    let channels: BTreeSet<&ChannelName> = entries.iter().map(|(channel, _)| &channel.name.value).collect();
    match channels.first() {
        Some(only) if channels.len() == 1 => found.in_channel(only),
        _ => found,
    }
}
