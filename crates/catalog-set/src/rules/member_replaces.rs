//! `member-replaces-elsewhere`, `member-replaces-nowhere` and `member-replaces-other-channel`: what `replaces` names that its channel
//! does not list.

use crate::finding::Finding;
use crate::set::{CatalogSet, Member};
use catalog::{Channel, Entry, Package};
use source::{Rule, Severity, name_list};
use std::collections::BTreeMap;

pub(super) fn check(set: &CatalogSet) -> Vec<Finding> {
    let mut found = Vec::new();
    for member in &set.members {
        for package in member.catalog.packages.iter().filter(|package| !package.has_unknown_bundles) {
            for channel in &package.channels {
                let mut by_rule: BTreeMap<(Rule, Severity), Vec<&Entry>> = BTreeMap::new();
                for entry in &channel.entries {
                    if let Some(key) = entry_rule(set, member, package, channel, entry) {
                        by_rule.entry(key).or_default().push(entry);
                    }
                }
                let finding = |(key, entries): (_, Vec<&Entry>)| finding(member, package, channel, key, &entries);
                found.extend(by_rule.into_iter().map(finding));
            }
        }
    }
    found
}

fn entry_rule(
    set: &CatalogSet,
    member: &Member,
    package: &Package,
    channel: &Channel,
    entry: &Entry,
) -> Option<(Rule, Severity)> {
    let replaced = entry.replaces.as_ref()?.value.as_str();
    if channel.entry(replaced).is_some() {
        return None;
    }
    if package.channels.iter().any(|other| other.entry(replaced).is_some()) {
        return Some((Rule::MemberReplacesOtherChannel, Rule::MemberReplacesOtherChannel.severity()));
    }
    let others = set.of_package(package.name.as_str());
    let having: Vec<_> =
        others.filter(|(_, other)| other.bundle(replaced).is_some()).map(|(other, _)| other.version).collect();
    match having.first() {
        None => Some((Rule::MemberReplacesNowhere, Rule::MemberReplacesNowhere.severity())),
        Some(first) if *first < member.version => Some((Rule::MemberReplacesElsewhere, Severity::Hint)),
        Some(_) => Some((Rule::MemberReplacesElsewhere, Severity::Warning)),
    }
}

fn finding(
    member: &Member,
    package: &Package,
    channel: &Channel,
    (rule, severity): (Rule, Severity),
    entries: &[&Entry],
) -> Finding {
    let names = name_list(entries.iter().map(|entry| entry.name.value.as_str()));
    let replaced = entries.iter().filter_map(|entry| entry.replaces.as_ref()).map(|replaced| replaced.value.as_str());
    let targets = name_list(replaced);
    let verb = if entries.len() == 1 { "replaces" } else { "replace" };
    let message = match (rule, severity) {
        (Rule::MemberReplacesOtherChannel, _) => {
            format!("{names} {verb} {targets} of another channel: the update works only for who changes the channel")
        }
        (Rule::MemberReplacesNowhere, _) => format!("{names} {verb} {targets}, which no catalog of the set has"),
        (_, Severity::Hint) => format!(
            "{names} {verb} {targets}, which only older catalogs of the set have: the update is for clusters that come from these"
        ),
        _ => format!("{names} {verb} {targets}, which only newer catalogs of the set have"),
    };
    let span = entries.first().and_then(|entry| entry.replaces.as_ref()).map(|replaced| replaced.span);
    Finding::of_member(rule, member.version, &package.name, span, message)
        .with_severity(severity)
        .in_channel(&channel.name.value)
}
