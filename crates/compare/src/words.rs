//! The sentences about rows, groups and Subscriptions that the page and all reports share.

use crate::cluster::{Dependency, SimulatedPath, SubscriptionComparison};
use crate::fix::VerifiedFix;
use crate::group::Group;
use crate::path::{Hop, Path, shortened};
use crate::row::Row;
use crate::simulated::SUBSCRIPTION;
use catalog::{BundleName, ChannelName};
use go_semver::blang::Version;

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

/// Which versions with which channel a group is about.
#[must_use]
pub fn group_title(group: &Group<'_>) -> String {
    let runtime = if group.first.updated_by.is_v1() { " under OLM v1" } else { "" };
    format!("{} in {}{runtime}", versions(group), channel_text(group.first))
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

/// Which versions, and what becomes of them.
#[must_use]
pub fn group_text(group: &Group<'_>) -> String {
    let first = group.first;
    let which = format!("{} in {}", versions(group), channel_text(first));
    let [before, after] = outcomes(first, outcome_text);
    if first.updated_by.is_v1() {
        return match difference(group) {
            Some(about) => format!("OLM v1: {which}: {after} as before. {about}"),
            None => format!("OLM v1: {which}: {after}; before: {before}"),
        };
    }
    let before = if group.rows.len() == 1 { format!("; before: {before}") } else { String::new() };
    format!("{which}: {after}{before}")
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
