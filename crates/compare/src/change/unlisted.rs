//! Versions that a channel does not list, with a Subscription to it: those of other channels, and those that only `replaces` and
//! `skips` name. And edges that changed without a difference for any version that the channel lists.

use super::case::{Case, Change};
use super::entries::newly_skipped;
use crate::edit::{BundleChange, Edit, EntryChange};
use crate::group::Group;
use crate::row::{Row, UpdatedBy};
use crate::rule::Rule;
use crate::sentence::what_happens;
use crate::state::Installed;
use crate::subscription::SubscriptionStates;
use crate::updater::{Listed, rows_of};
use crate::words::versions;
use catalog::{BundleName, Channel, ChannelName};
use std::collections::{BTreeMap, BTreeSet};
use update_graph::{Installable, Installables};

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
            let what = what_happens(rule, &rows);
            let which = versions(&Group { rule, first: rows[0], rows });
            let message = format!("{which} in channel `{name}`, which {lists} not list {them}, {what}");
            let rule = if rule == Rule::V0Unstranded { Rule::UnlistedUpdated } else { Rule::UnlistedWorse };
            found.push((name, Change { rule, message, edit: edit.clone() }));
        }
    }
    found
}

/// The names that a channel lists.
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
