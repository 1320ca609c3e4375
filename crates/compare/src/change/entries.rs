//! Bundles and entries: those that are gone, skipped or changed, and versions that a channel does not list.

use super::{Case, Change, provided};
use crate::edit::{BundleChange, Edit, EntryChange};
use crate::row::{Group, Listed, Row, UpdatedBy, rows_of};
use crate::rule::Rule;
use crate::state::Installed;
use crate::subscription::SubscriptionStates;
use crate::words::{versions, what_happens};
use catalog::{Bundle, BundleName, Channel, ChannelName};
use std::collections::{BTreeMap, BTreeSet};
use update_graph::{Installable, Installables};

/// Entries that a channel no longer lists, whose clusters move on.
pub(super) fn removed(case: &Case<'_>) -> Vec<Change> {
    let found = case.edits.iter().filter_map(|edit| {
        let Edit::Entry { channel, entry, change: EntryChange::Removed } = edit else { return None };
        if case.harmed.rows.contains(&(channel, entry)) {
            return None;
        }
        let next = case.row(channel, entry)?.new.next()?;
        let message = format!(
            "channel `{channel}` no longer lists `{entry}`: clusters that have it are updated to `{next}` at once, and \
             `startingCSV` can no longer name it"
        );
        Some(Change { rule: Rule::EntryRemoved, message, edit: edit.clone() })
    });
    found.collect()
}

/// Versions that an entry skips now and none skipped before.
pub(super) fn skipped(case: &Case<'_>) -> Vec<Change> {
    let found = newly_skipped(case).into_iter().map(|NewlySkipped { channel, entry, name, edit }| {
        let message = format!("`{entry}` skips `{name}` in channel `{channel}`: nobody is updated to it any more");
        Change { rule: Rule::EntryNewlySkipped, message, edit: edit.clone() }
    });
    found.collect()
}

/// A version that an entry of a channel skips now, and that none skipped before.
pub(super) struct NewlySkipped<'e> {
    pub(super) channel: &'e ChannelName,
    pub(super) entry: &'e BundleName,
    pub(super) name: &'e BundleName,
    pub(super) edit: &'e Edit,
}

pub(super) fn newly_skipped<'e>(case: &'e Case<'_>) -> Vec<NewlySkipped<'e>> {
    let mut found = Vec::new();
    let mut skipped: BTreeMap<&ChannelName, BTreeSet<&BundleName>> = BTreeMap::new();
    for edit in &case.edits {
        let Edit::Entry { channel, entry, change } = edit else { continue };
        let states = case.old.channel(channel.as_str()).zip(case.new.channel(channel.as_str()));
        let Some((before, after)) = states else { continue };
        let names: Vec<&BundleName> = match change {
            EntryChange::Skips(name) => vec![name],
            EntryChange::Added => after
                .entry(entry.as_str())
                .map(|entry| entry.skips.iter().map(|name| &name.value).collect())
                .unwrap_or_default(),
            _ => continue,
        };
        let skipped = skipped
            .entry(channel)
            .or_insert_with(|| before.entries.iter().flat_map(|entry| &entry.skips).map(|name| &name.value).collect());
        let is_new = |name: &&BundleName| before.entry(name.as_str()).is_some() && !skipped.contains(name);
        found.extend(names.into_iter().filter(is_new).map(|name| NewlySkipped { channel, entry, name, edit }));
    }
    found
}

// Versions that a channel does not list, with a Subscription to it: those of other channels, and those that only
// `replaces` and `skips` name. And edges that changed without a difference for any version that the channel lists.

/// The rules about rows that say that such a version comes out worse. Other ways to the same end, and to the new head, are no news.
const WORSE: [Rule; 7] = [
    Rule::V0Deprecated,
    Rule::V0Stranded,
    Rule::V0Downgrade,
    Rule::V0Loop,
    Rule::V0LowerByName,
    Rule::V0EndLower,
    Rule::V0EndBehind,
];

/// What becomes of the versions that a channel does not list, and edges that change nothing. Of a rejected catalog nothing is served.
pub(super) fn changes(case: &Case<'_>) -> Vec<Change> {
    if case.states.iter().any(|state| state.rejected.is_some()) {
        return Vec::new();
    }
    let found = updates(case);
    let told: BTreeSet<&ChannelName> = found.iter().map(|(channel, _)| *channel).collect();
    let edges = edges(case, &told);
    found.into_iter().map(|(_, change)| change).chain(edges).collect()
}

/// What becomes of the versions that a channel does not list, by channel.
fn updates<'c>(case: &Case<'c>) -> Vec<(&'c ChannelName, Change)> {
    let [before, after] = case.states;
    let states = SubscriptionStates::of(before, after, &case.old.name).without_texts();
    let all = Installables::of(case.old);
    let mut found = Vec::new();
    for channel in &case.old.channels {
        let (name, lists) = (&channel.name.value, names(channel));
        let is_about =
            |edit: &&Edit| !matches!(edit, Edit::Bundle { change: BundleChange::Added, .. }) && edit.concerns(name);
        let edit = case.edits.iter().find(is_about);
        let Some((edit, now)) = edit.zip(case.new.channel(name.as_str())) else { continue };
        let listed = |row: &Installable<'c>| {
            let installed = Installed { name: row.name, bundle: case.old.bundle(row.name.as_str()) };
            Listed { channel: name, installed }
        };
        let unlisted: Vec<Listed<'_>> = all.rows.iter().filter(|row| !lists.contains(row.name)).map(listed).collect();
        let rows = rows_of(&states.channel(name), UpdatedBy::Subscription, &unlisted);
        let mut by_rule: BTreeMap<Rule, Vec<&Row>> = BTreeMap::new();
        let now = names(now);
        for row in rows.iter().filter(|row| row.old.head().is_some() && row.new.head().is_some()) {
            let is_listed = now.contains(&row.installed);
            // A new entry for an older version is no news either.
            let is_updated = row.rule == Some(Rule::V0Unstranded) && !row.new.is_empty() && !is_listed;
            let rule = row.rule.filter(|rule| is_updated || WORSE.contains(rule));
            rule.into_iter().for_each(|rule| by_rule.entry(rule).or_default().push(row));
        }
        for (rule, rows) in by_rule {
            let lists = if rows.iter().any(|row| now.contains(&row.installed)) { "did" } else { "does" };
            let them = if rows.len() == 1 { "it" } else { "them" };
            let what = what_happens(rule, &rows, false);
            let which = versions(&Group { rule, first: rows[0], rows });
            let message = format!("{which} in channel `{name}`, which {lists} not list {them}, {what}");
            let rule = if rule == Rule::V0Unstranded { Rule::UnlistedUpdated } else { Rule::UnlistedWorse };
            found.push((name, Change { rule, message, edit: edit.clone() }));
        }
    }
    found
}

fn names(channel: &Channel) -> BTreeSet<&BundleName> {
    channel.entries.iter().map(|entry| &entry.name.value).collect()
}

/// Changed edges in channels in which every listed version is updated as before, and of which no other change tells: one change for
/// the package.
fn edges(case: &Case<'_>, told: &BTreeSet<&ChannelName>) -> Option<Change> {
    let is_difference = |row: &&Row| row.rule.is_some_and(|rule| rule != Rule::V0StillStranded);
    let mut told = told.clone();
    told.extend(case.rows.values().copied().filter(is_difference).map(|row| &row.channel));
    told.extend(newly_skipped(case).into_iter().map(|new| new.channel));
    let of_entries = case.edits.iter().filter_map(|edit| match edit {
        Edit::Entry { channel, entry, change } => Some((edit, channel, entry, change)),
        _ => None,
    });
    let is_listing = |change: &EntryChange| matches!(change, EntryChange::Added | EntryChange::Removed);
    told.extend(of_entries.clone().filter(|(.., change)| is_listing(change)).map(|(_, channel, ..)| channel));
    let changed = of_entries.filter(|(_, channel, ..)| !told.contains(channel));
    let changed = changed.map(|(edit, channel, entry, _)| (edit, channel, entry));
    let (first, ..) = changed.clone().next()?;
    let channels: BTreeSet<_> = changed.clone().map(|(_, channel, _)| channel).collect();
    let entries: BTreeSet<_> = changed.map(|(_, channel, entry)| (channel, entry)).collect();
    let entries = match entries.len() {
        1 => "an entry".to_owned(),
        many => format!("{many} entries"),
    };
    let channels = match channels.first() {
        Some(channel) if channels.len() == 1 => format!("channel `{channel}`"),
        _ => format!("{} channels", channels.len()),
    };
    let message =
        format!("the edges of {entries} in {channels} changed: OLM v0 updates what the channel lists as before");
    Some(Change { rule: Rule::EdgesChanged, message, edit: first.clone() })
}

// Bundles that changed under the same name, and bundles that can never be selected.

/// Where Konflux and Red Hat's pipelines put images before they are released; only the images of `registry.redhat.io` are for
/// clusters (konflux-ci/konflux-operator-tasks `validate-fbc`).
const BUILDS: [&str; 4] = [
    "brew.registry.redhat.io/",
    "quay.io/redhat-user-workloads/",
    "registry-proxy.engineering.redhat.com/",
    "registry.stage.redhat.io/",
];

/// Another image or version, or a new `olm.deprecated`, under the same name.
pub(super) fn changed(case: &Case<'_>) -> Vec<Change> {
    let mut found = Vec::new();
    for edit in &case.edits {
        let Edit::Bundle { bundle: name, change: BundleChange::Changed } = edit else { continue };
        let states = case.old.bundle(name.as_str()).zip(case.new.bundle(name.as_str()));
        let Some((old, new)) = states else { continue };
        let mut add = |rule, message| found.push(Change { rule, message, edit: edit.clone() });
        if old.image_identity() != new.image_identity() {
            let image =
                |bundle: &Bundle| bundle.image.as_ref().map(|image| image.value.to_string()).unwrap_or_default();
            let (before, after) = (image(old), image(new));
            if before.contains('@') != after.contains('@') {
                let message = format!(
                    "bundle `{name}` has the image `{after}` instead of `{before}`: whether the tag and the digest are the same \
                     image is not known"
                );
                add(Rule::ImageReplaced, message);
            } else if BUILDS.iter().any(|registry| before.starts_with(registry)) {
                let message = format!("bundle `{name}` has the image `{after}` instead of a build that no cluster has");
                add(Rule::ImageReplaced, message);
            } else {
                let message = format!(
                    "bundle `{name}` has another image: with OLM v0, clusters that have it never get the new one, and new \
                     installations differ from them"
                );
                add(Rule::ImageChanged, message);
            }
        }
        let version = |bundle: &Bundle| bundle.version.as_ref().map(|version| version.value.text.to_string());
        if version(old) != version(new) {
            let (before, after) = (version(old).unwrap_or_default(), version(new).unwrap_or_default());
            let message = format!(
                "bundle `{name}` has version `{after}` instead of `{before}`: what is installed keeps `{before}`, which \
                 ranges then treat differently"
            );
            add(Rule::VersionChanged, message);
        }
        let is_forbidden =
            |bundle: &Bundle| bundle.properties.iter().any(|property| property.value.kind() == "olm.deprecated");
        if is_forbidden(new) && !is_forbidden(old) && !case.harmed.installed.contains(name) {
            let message = format!("bundle `{name}` gains `olm.deprecated`: OLM no longer installs it");
            add(Rule::DeprecatedProperty, message);
        }
    }
    found
}

/// New or changed bundles that provide an API twice.
pub(super) fn duplicates(case: &Case<'_>) -> Vec<Change> {
    let found = case.edits.iter().filter_map(|edit| {
        let Edit::Bundle { bundle: name, change: BundleChange::Added | BundleChange::Changed } = edit else {
            return None;
        };
        let twice = |bundle: &Bundle| {
            let apis = provided(bundle);
            apis.iter().enumerate().find(|(at, api)| apis[..*at].contains(api)).map(|(_, api)| (*api).clone())
        };
        if case.old.bundle(name.as_str()).and_then(twice).is_some() {
            return None;
        }
        let api = twice(case.new.bundle(name.as_str())?)?;
        let message = format!("bundle `{name}` provides {api} twice: OLM never installs it");
        Some(Change { rule: Rule::OwnDuplicateGvk, message, edit: edit.clone() })
    });
    found.collect()
}
