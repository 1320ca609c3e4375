//! The sentences about rows, groups and Subscriptions that the page and all reports share.

use crate::cluster::{Dependency, SimulatedPath, SubscriptionComparison};
use crate::fix::VerifiedFix;
use crate::path::{Hop, Path, shortened};
use crate::row::{Group, PackageComparison, Row};
use crate::rule::Rule;
use crate::simulated::SUBSCRIPTION;
use catalog::{BundleName, ChannelName};
use go_semver::blang::Version;
use std::collections::{BTreeMap, BTreeSet};

/// The channels of an extension that names none.
const ANY_CHANNEL: &str = "any channel";

/// The most updates of a path that a text lists from its start.
const SHOWN_HOPS: usize = 12;

/// The updates of OLM v1, one after the other, or its error.
fn hops_text(path: &Path) -> String {
    let mut hops: Vec<String> = path.hops().take(SHOWN_HOPS).map(|hop| hop_label(&hop)).collect();
    let more = path.len.saturating_sub(SHOWN_HOPS + 1);
    hops.extend((more > 0).then(|| format!("{more} more")));
    hops.extend(path.last().filter(|_| path.len > SHOWN_HOPS).map(last_label));
    let hops = hops.join(" → ");
    match (&path.error, path.repeats) {
        (Some(error), _) if hops.is_empty() => shortened(&error.text).into_owned(),
        (Some(error), _) => format!("{hops}, then {}", shortened(&error.text)),
        (None, true) => format!("{hops}, and again"),
        (None, false) if hops.is_empty() => "stays".to_owned(),
        (None, false) => hops,
    }
}

/// The channel that the Subscription or the extension of a row names.
#[must_use]
pub fn channel_text(row: &Row) -> &str {
    row.named_channel().map_or(ANY_CHANNEL, ChannelName::as_str)
}

/// What the rule of a group says, without the full stop, where the updates of OLM v1 before and after do not show a difference.
#[must_use]
pub fn difference(group: &Group<'_>) -> Option<&'static str> {
    let Row { old, new, updated_by, .. } = group.first;
    let is_alike = updated_by.is_v1() && hops_text(old) == hops_text(new);
    is_alike.then(|| group.rule.about().trim_end_matches('.'))
}

/// What becomes of a row before and after the change, as `text` words it. Where the updates of OLM v0 end at the same
/// version, it also says in which way they differ.
#[must_use]
pub fn outcomes(row: &Row, text: fn(&Row, &Path) -> String) -> [String; 2] {
    let paths = [&row.old, &row.new];
    let texts = paths.map(|path| text(row, path));
    if row.updated_by.is_v1() || texts[0] != texts[1] {
        return texts;
    }
    let ways = match paths.map(Path::next) {
        [Some(old), Some(new)] if old != new => {
            let first = |path: &Path| path.hops().next().filter(|_| path.len > 1);
            paths.map(|path| first(path).map(|hop| format!(", first to {}", hop_label(&hop))))
        }
        _ if row.old.len != row.new.len => paths.map(|path| Some(format!(" in {}", updates(path.len)))),
        _ => [None, None],
    };
    let mut ways = ways.into_iter().map(Option::unwrap_or_default);
    texts.map(|text| text + &ways.next().unwrap_or_default())
}

fn updates(count: usize) -> String {
    if count == 1 { "1 update".to_owned() } else { format!("{count} updates") }
}

/// A fix, and who is still harmed with it.
#[must_use]
pub fn fix_text(found: &VerifiedFix) -> String {
    let then = found.effect.as_ref().map(|then| format!("; then {then}")).unwrap_or_default();
    found.fix.describe() + &then
}

/// The versions of a group.
#[must_use]
pub fn versions(group: &Group<'_>) -> String {
    let version = |row: &&&Row| (row.version.clone(), row.installed.clone());
    let ends = group.rows.iter().min_by_key(version).zip(group.rows.iter().max_by_key(version));
    match ends.filter(|_| group.rows.len() > 1) {
        Some((oldest, newest)) => format!("{} to {} ({} versions)", label(oldest), label(newest), group.rows.len()),
        None => label(group.first),
    }
}

/// The version of a row; its name if it has none.
#[must_use]
pub fn label(row: &Row) -> String {
    row.version.as_ref().map_or_else(|| row.installed.to_string(), ToString::to_string)
}

/// Which versions with a Subscription to these channels, or an extension, and what becomes of them.
#[must_use]
pub fn group_text(group: &Group<'_>, channels: &str) -> String {
    let runtime = if group.first.updated_by.is_v1() { "OLM v1: " } else { "" };
    format!("{runtime}{} in {channels}: {}", versions(group), group_outcome(group))
}

/// What becomes of the versions of a group.
fn group_outcome(group: &Group<'_>) -> String {
    let first = group.first;
    let [before, after] = outcomes(first, outcome_text);
    if first.updated_by.is_v1() {
        return match difference(group) {
            Some(about) => format!("{after} as before. {about}"),
            None => format!("{after}; before: {before}"),
        };
    }
    let before = if group.rows.len() == 1 { format!("; before: {before}") } else { String::new() };
    after + &before
}

/// OLM's error of a row, whose Subscription has no name that anybody knows.
fn shown(error: &str) -> String {
    shortened(error).replace(&format!("subscription {SUBSCRIPTION}"), "subscription <name>")
}

/// What becomes of a row: where the updates of OLM v0 end, or those of OLM v1 one after the other.
#[must_use]
pub fn outcome_text(row: &Row, path: &Path) -> String {
    if row.updated_by.is_v1() {
        return hops_text(path);
    }
    match (path.error_text(), path.last()) {
        (Some(error), _) => format!("error: {}", shown(error)),
        (None, None) if path.head().is_some_and(|head| *head == row.installed) => "the head".to_owned(),
        (None, None) => "stuck, and OLM reports nothing".to_owned(),
        (None, Some(_)) if path.repeats => "the updates repeat forever".to_owned(),
        (None, Some(last)) => format!("updated to {}", last_label(last)),
    }
}

/// The same for a table.
#[must_use]
pub fn outcome_label(row: &Row, path: &Path) -> String {
    let is_v0_stuck = !row.updated_by.is_v1() && path.error.is_none() && path.is_empty();
    if is_v0_stuck && path.head() != Some(&row.installed) { "stuck".to_owned() } else { outcome_text(row, path) }
}

/// The version that an update leads to; its name if it has none.
#[must_use]
pub fn hop_label(hop: &Hop) -> String {
    hop.version.as_ref().map_or_else(|| hop.to.to_string(), ToString::to_string)
}

/// The version where updates end; its name if it has none.
#[must_use]
pub fn last_label((name, version): (&BundleName, Option<&Version>)) -> String {
    version.map_or_else(|| name.to_string(), ToString::to_string)
}

/// How a path ends, after its last version.
#[must_use]
pub fn path_end(row: &Row, path: &Path) -> String {
    match &path.error {
        Some(_) => "OLM reports an error".to_owned(),
        None if path.repeats => "the updates repeat forever".to_owned(),
        None if row.updated_by.is_v1() && path.is_empty() => "stays".to_owned(),
        None if row.updated_by.is_v1() => "no further update".to_owned(),
        None if path.head() == Some(path.end(&row.installed)) => "the head".to_owned(),
        None if path.is_empty() => "stuck".to_owned(),
        None => "no further update, below the head".to_owned(),
    }
}

/// What a cluster shows after the change: OLM's own text, or that it shows nothing.
#[must_use]
pub fn cluster_shows(row: &Row) -> String {
    let path = &row.new;
    let next = || path.next().unwrap_or(&row.installed);
    if row.updated_by.is_v1() {
        return match (path.first_error(), &path.kept) {
            (Some(error), _) => format!("`Progressing` with reason `Retrying`: {}", shortened(&error.text)),
            (None, Some(_)) => "nothing; the version stays".to_owned(),
            (None, None) => format!("`{}` is installed", next()),
        };
    }
    let is_stuck = path.is_empty() && path.head().is_some_and(|head| *head != row.installed);
    match path.error_text() {
        Some(error) => shown(error),
        None if is_stuck => "nothing; the Subscription stays at AtLatestKnown and has no condition".to_owned(),
        None if path.is_empty() => "nothing; the version is the head".to_owned(),
        None if path.repeats => "a new InstallPlan after each update, without end".to_owned(),
        None => format!("an InstallPlan for `{}`", next()),
    }
}

/// What OLM does with a version when it resolves all that it requires, as a clause.
#[must_use]
pub fn simulated_text(found: &SubscriptionComparison) -> String {
    let dependency = |sign: char, found: &Dependency| format!("{sign} `{}`", found.csv);
    let removed = found.removed_dependencies().map(|found| dependency('−', found));
    let added = found.added_dependencies().map(|found| dependency('+', found));
    let dependencies: Vec<String> = removed.chain(added).collect();
    let dependencies =
        if dependencies.is_empty() { String::new() } else { format!("; dependencies: {}", dependencies.join(", ")) };
    let (before, after) = (simulated_path(found, &found.old), simulated_path(found, &found.new));
    format!("with all that it requires, before: {before}; after: {after}{dependencies}")
}

/// What OLM does for a Subscription, in a few words.
#[must_use]
pub fn simulated_path(row: &SubscriptionComparison, found: &SimulatedPath) -> String {
    let SimulatedPath { path, gave_up, heads, failure, .. } = found;
    let hops: Vec<String> = path.hops().map(|hop| hop_label(&hop)).collect();
    let verb = if row.installed.is_some() { "updated to" } else { "installs" };
    let updates = (!hops.is_empty()).then(|| format!("{verb} {}", hops.join(" → ")));
    let end = match found.end(row.installed.as_ref()) {
        _ if failure.is_some() => failure.as_ref().map(|failure| {
            let frozen = if path.error.is_some() { ", and the namespace cannot be resolved any more" } else { "" };
            format!("whose CSV fails: `{}`: `{}`{frozen}", failure.reason, failure.message)
        }),
        _ if gave_up.is_some() => gave_up.as_ref().map(|reason| format!("not known: {reason}")),
        _ if path.error.is_some() => Some("the namespace cannot be resolved".to_owned()),
        _ if path.repeats => Some("the updates repeat forever".to_owned()),
        _ if updates.is_some() => None,
        Some(end) if heads.contains(end) => Some("the head".to_owned()),
        Some(_) => Some("no update, below the head".to_owned()),
        None => Some("nothing is installed".to_owned()),
    };
    updates.into_iter().chain(end).collect::<Vec<_>>().join(", ")
}

// A comparison of a package in one sentence.

/// What is said if no rule is about an installed version.
pub const NOTHING: &str = "no effect on clusters";

/// How many of the installed versions each rule is about under OLM v0, such as "2 of 4 installed versions get stuck, 1 moves on
/// to 2.1.0 as expected"; `None` if none is about any. Rows that are not shown count as unchanged. `hangs` says that no cluster can run
/// a new head.
#[must_use]
pub fn sentence(comparison: &PackageComparison, hangs: bool, is_shown: impl Fn(&Row) -> bool) -> Option<String> {
    let all = comparison.subscriptions().count();
    let channels: BTreeSet<_> = comparison.subscriptions().map(|row| &row.channel).collect();
    let mut by_rule: BTreeMap<Rule, Vec<&Row>> = BTreeMap::new();
    for row in comparison.subscriptions().filter(|row| row.rule.is_some() && is_shown(row)) {
        row.rule.into_iter().for_each(|rule| by_rule.entry(rule).or_default().push(row));
    }
    let of_channels = match channels.len() {
        0 | 1 => String::new(),
        many => format!(" in {many} channels"),
    };
    let mut parts: Vec<String> = Vec::new();
    for (rule, rows) in by_rule {
        let count = match parts.len() {
            0 if all == 1 => "the installed version".to_owned(),
            0 => format!("{} of {all} installed versions{of_channels}", rows.len()),
            _ => rows.len().to_string(),
        };
        parts.push(format!("{count} {}", what_happens(rule, &rows, hangs)));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// How many installed versions each rule about OLM v1 is about, the worst one for each; `None` if none is about any.
#[must_use]
pub fn counted(comparison: &PackageComparison, is_shown: impl Fn(&Row) -> bool) -> Option<String> {
    let mut worst: BTreeMap<&BundleName, (Rule, &Row)> = BTreeMap::new();
    for row in comparison.extensions().filter(|row| is_shown(row)) {
        let Some(rule) = row.rule else { continue };
        let known = worst.entry(&row.installed).or_insert((rule, row));
        if rule < known.0 {
            *known = (rule, row);
        }
    }
    let mut by_rule: BTreeMap<Rule, Vec<&Row>> = BTreeMap::new();
    worst.into_values().for_each(|(rule, row)| by_rule.entry(rule).or_default().push(row));
    let part = |(rule, rows): (&Rule, &Vec<&Row>)| {
        let versions = if rows.len() == 1 { "installed version" } else { "installed versions" };
        format!("{} {versions} {}", rows.len(), what_happens(*rule, rows, false))
    };
    (!by_rule.is_empty()).then(|| by_rule.iter().map(part).collect::<Vec<_>>().join(", "))
}

/// What happens to the rows of a rule, as a verb with its object.
pub(crate) fn what_happens(rule: Rule, rows: &[&Row], hangs: bool) -> String {
    let ends_alike = |row: &&Row| row.old.end(&row.installed) == row.new.end(&row.installed);
    match rule {
        Rule::V0ManualPending => format!("{} instead of to a removed version", moves_on(rows)),
        Rule::V0EndHigher | Rule::V1EndHigher if !rows.iter().all(|row| row.new.is_empty()) => {
            // A bundle that has another version now is no release.
            let expected = match rows.iter().any(ends_alike) {
                _ if hangs => ", which never runs",
                true => "",
                false => " as expected",
            };
            moves_on(rows) + expected
        }
        _ => verb(rule)[usize::from(rows.len() > 1)].to_owned(),
    }
}

/// What happens to one installed version, and to several.
const fn verb(rule: Rule) -> [&'static str; 2] {
    match rule {
        Rule::V0PackageGone => ["loses its package", "lose their package"],
        Rule::V0ChannelGone => ["loses its channel", "lose their channel"],
        Rule::V0GraphBroken | Rule::V0Deprecated => ["can no longer be resolved", "can no longer be resolved"],
        Rule::V0Stranded => ["gets stuck", "get stuck"],
        Rule::V0StillStranded => ["is still stuck", "are still stuck"],
        Rule::V0Unstranded | Rule::V1Unstranded => ["gets updates again", "get updates again"],
        Rule::V0LowerByName => ["moves to a lower version", "move to a lower version"],
        Rule::V0Loop => ["is updated in a circle", "are updated in a circle"],
        Rule::V0EndBehind => ["stops below the head", "stop below the head"],
        Rule::V0NextChanged => ["takes another way", "take another way"],
        Rule::V0JumpWidened => ["jumps over a minor version", "jump over a minor version"],
        Rule::V0PathLonger | Rule::V1PathLonger => ["needs more updates", "need more updates"],
        Rule::V0PathShorter | Rule::V1PathShorter => ["needs fewer updates", "need fewer updates"],
        Rule::V0EndHigher => ["stays where it is, now the head", "stay where they are, now the heads"],
        Rule::V1Error => ["finds no bundle any more", "find no bundle any more"],
        Rule::V1Ambiguous => ["is in several catalogs", "are in several catalogs"],
        Rule::V1Dependency => ["comes to a bundle with a dependency", "come to a bundle with a dependency"],
        Rule::V0Downgrade | Rule::V1Downgrade => ["is downgraded", "are downgraded"],
        Rule::V0EndLower | Rule::V1EndLower => ["ends at a lower version", "end at a lower version"],
        Rule::V1EndBehind => ["stops short of the highest version", "stop short of the highest version"],
        Rule::V1NextChanged => ["takes another next update", "take another next update"],
        Rule::V1JumpWidened => ["leaves out a minor version", "leave out a minor version"],
        Rule::V1ImageSwap => ["gets another image in place", "get another image in place"],
        Rule::V1PinLost => ["can no longer be pinned", "can no longer be pinned"],
        Rule::V1SuccessorLower => ["never gets a lower release", "never get a lower release"],
        _ => ["changes", "change"],
    }
}

/// That the rows are updated, and to which version if it is one.
fn moves_on(rows: &[&Row]) -> String {
    let verb = if rows.len() == 1 { "moves" } else { "move" };
    let ends: BTreeSet<String> = rows.iter().map(|row| end(row)).collect();
    match ends.into_iter().collect::<Vec<_>>().as_slice() {
        [end] => format!("{verb} on to {end}"),
        _ => format!("{verb} on"),
    }
}

/// The version where the updates end.
fn end(row: &Row) -> String {
    let version = row.new.last().and_then(|(_, version)| version).map(ToString::to_string);
    version.unwrap_or_else(|| row.new.end(&row.installed).to_string())
}
