//! Changes to the new state that help rows which came out worse. Each is tried before it is offered: afterwards the rows
//! have a lower level, and no other row is worse than without it.

use crate::budget::{Budget, Log};
use crate::group::Group;
use crate::row::{PackageComparison, Row, UpdatedBy, rows_without_texts};
use crate::rule::Rule;
use crate::sentence::{NOTHING, counted, sentence};
use crate::state::State;
use catalog::{BundleName, Catalog, Channel, ChannelName, Package, SkipRange};
use go_semver::blang::Range;
use source::{Level, Runtime, Span, Spanned};
use std::collections::{BTreeMap, BTreeSet};

/// The limit on skipped names that are tried: each trial compares the whole package.
const UNSKIPPED: usize = 20;

/// The most entries that the text of a fix names.
const NAMED: usize = 20;

/// A change to the new state of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fix {
    /// Takes a name out of `skips` of the head, so that its own edges count.
    Unskip {
        channel: ChannelName,
        head: BundleName,
        /// The name in `skips`.
        skipped: BundleName,
    },
    /// Adds names to `skips` of the head.
    Skip {
        channel: ChannelName,
        head: BundleName,
        names: Vec<BundleName>,
    },
    /// Changes or adds the `skipRange` of the head.
    Widen {
        channel: ChannelName,
        head: BundleName,
        /// The new range.
        range: Box<str>,
    },
    /// Lists removed entries again, as they were.
    Restore {
        channel: ChannelName,
        /// The entries.
        names: Vec<BundleName>,
    },
    /// Keeps a channel as it was, without the bundles that no channel lists then. Offered for a channel that is still there
    /// only if nothing else helps.
    KeepChannel(ChannelName),
    KeepPackage,
}

/// A fix that helps, and what becomes of the package with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedFix {
    pub fix: Fix,
    /// How many rows are still harmed with it, or may be.
    pub remaining: usize,
    /// Who that is, in words.
    pub effect: Option<String>,
    /// What becomes of all installed versions with it, as the comparison says it then.
    pub outcome: String,
}

/// The fixes for the rows of a group: those that leave the fewest rows harmed first, then those with the smallest change. There
/// are none for rows that harm nobody, for those whose way only leads around a version that was taken out, and for those
/// that other catalogs harm. Those that the work does not suffice for are not tried.
pub(crate) fn fixes(
    (old, new): (State<'_>, State<'_>),
    comparison: &PackageComparison,
    group: &Group<'_>,
    trials: &Log<Option<VerifiedFix>>,
    budget: &Budget,
) -> Vec<VerifiedFix> {
    let is_harmless = group.rule != Rule::V0StillStranded && group.rule.level() < Level::Risky;
    if is_harmless || matches!(group.rule, Rule::V0ManualPending | Rule::V1Ambiguous) || new.rejected.is_some() {
        return Vec::new();
    }
    let name = &comparison.package;
    let Some(before) = old.catalog.package(name.as_str()) else { return Vec::new() };
    let after = new.catalog.package(name.as_str());
    let is_v1 = group.first.updated_by.is_v1();
    // For extensions the rows of OLM v0 are compared too, and both states are read again.
    let work = if is_v1 { 10 } else { 2 } * comparison.subscriptions().count();
    let helping = candidates(before, after, group).into_iter().filter_map(|fix| {
        let verified = trials.answer(budget, work + before.bundles.len(), || {
            let fixed = Catalog { packages: vec![fix.applied(after, before).into()], ..Catalog::default() };
            let runtime = if is_v1 { Runtime::Both } else { Runtime::V0 };
            let found = rows_without_texts(old, State { catalog: &fixed, rejected: None }, name, runtime);
            helps(comparison, &found, group).then(|| verified(fix, &found, is_v1))
        });
        verified.flatten()
    });
    let mut fixes: Vec<VerifiedFix> = helping.collect();
    let is_last = fixes.len() == 1;
    let is_gone = |name: &ChannelName| after.is_none_or(|after| after.channel(name.as_str()).is_none());
    fixes.retain(|found| !matches!(&found.fix, Fix::KeepChannel(name) if !is_last && !is_gone(name)));
    fixes.sort_by_key(|found| found.remaining);
    fixes
}

/// A fix that helps, with who is still harmed in the state with it.
fn verified(fix: Fix, with: &PackageComparison, is_v1: bool) -> VerifiedFix {
    let is_harmed = |row: &Row| row.updated_by.is_v1() == is_v1 && level(row) >= Some(Level::Risky);
    let remaining = with.rows.iter().filter(|row| is_harmed(row)).count();
    let effect = match is_v1 {
        true => counted(with, is_harmed),
        false => (remaining > 0).then(|| sentence(with, is_harmed)),
    };
    let outcome = match is_v1 {
        true => counted(with, |_| true).unwrap_or_else(|| NOTHING.to_owned()),
        false => sentence(with, |_| true),
    };
    VerifiedFix { fix, remaining, effect, outcome }
}

fn level(row: &Row) -> Option<Level> {
    row.rule.map(Rule::level)
}

/// Whether the rows of the group have a lower level, or are no longer stuck, none of them is downgraded, and no other row got
/// worse.
fn helps(without: &PackageComparison, with: &PackageComparison, group: &Group<'_>) -> bool {
    let members: BTreeSet<_> = group.rows.iter().map(|row| row.key()).collect();
    let with: BTreeMap<_, &Row> = with.rows.iter().map(|row| (row.key(), row)).collect();
    let is_v1 = group.first.updated_by.is_v1();
    let is_no_worse = |before: &Row, after: &Row| {
        let goes_down = matches!(after.rule, Some(Rule::V0Downgrade | Rule::V0LowerByName | Rule::V0Loop));
        match before.rule {
            // A change for the sake of extensions may be seen by Subscriptions that it does not harm.
            _ if is_v1 && !before.updated_by.is_v1() => level(after) <= level(before).max(Some(Level::Neutral)),
            _ if !members.contains(&before.key()) => level(after) <= level(before),
            _ if goes_down => false,
            Some(Rule::V0StillStranded) => after.rule != before.rule && level(after) < Some(Level::Risky),
            _ => level(after) < level(before),
        }
    };
    let is_judged = |row: &&Row| is_v1 || !row.updated_by.is_v1();
    let mut pairs = without.rows.iter().filter(is_judged).filter_map(|row| Some((row, *with.get(&row.key())?)));
    pairs.all(|(before, after)| is_no_worse(before, after))
}

/// The entry of a channel with the highest version.
fn highest<'p>(package: &'p Package, channel: &ChannelName) -> Option<&'p BundleName> {
    let names = package.channel(channel.as_str())?.entries.iter().map(|entry| &entry.name.value);
    names.max_by_key(|name| package.bundle(name.as_str()).and_then(|bundle| bundle.version()))
}

fn candidates(old: &Package, new: Option<&Package>, group: &Group<'_>) -> Vec<Fix> {
    let name = group.first.channel.clone();
    let Some(new) = new else { return vec![Fix::KeepPackage] };
    let channel = new.channel(name.as_str()).filter(|channel| !channel.entries.is_empty());
    let Some(channel) = channel else { return vec![Fix::KeepChannel(name)] };
    let installed: Vec<BundleName> = group.rows.iter().map(|row| row.installed.clone()).collect();
    let is_v0 = group.first.updated_by == UpdatedBy::Subscription;
    // The entry that the others are updated to.
    let head = if is_v0 { group.first.new.head() } else { highest(new, &name) };
    let mut found = Vec::new();
    if let Some(head) = head.and_then(|head| channel.entry(head.as_str())) {
        let head_name = head.name.value.clone();
        let has_edges = |name: &BundleName| {
            let entry = channel.entry(name.as_str());
            entry.is_some_and(|entry| entry.replaces.is_some() || !entry.skips.is_empty() || entry.skip_range.is_some())
        };
        // OLM v1 follows the edges of skipped entries, too.
        let skipped = head.skips.iter().filter(|skipped| is_v0 && has_edges(&skipped.value)).take(UNSKIPPED);
        found.extend(skipped.map(|skipped| Fix::Unskip {
            channel: name.clone(),
            head: head_name.clone(),
            skipped: skipped.value.clone(),
        }));
        let names: Vec<_> = installed.iter().filter(|installed| **installed != head_name).cloned().collect();
        found.push(Fix::Skip { channel: name.clone(), head: head_name.clone(), names });
        let widest = widened(new, head, group);
        found.extend(widest.map(|range| Fix::Widen { channel: name.clone(), head: head_name, range }));
    }
    let Some(before) = old.channel(name.as_str()) else { return found };
    let names = before.entries.iter().map(|entry| &entry.name.value);
    let removed: Vec<BundleName> = names.filter(|name| channel.entry(name.as_str()).is_none()).cloned().collect();
    let is_installed: BTreeSet<&BundleName> = installed.iter().collect();
    let gone: Vec<BundleName> = removed.iter().filter(|name| is_installed.contains(name)).cloned().collect();
    let restores = if gone == removed { vec![gone] } else { vec![gone, removed] };
    let restores = restores.into_iter().filter(|names| !names.is_empty());
    found.extend(restores.map(|names| Fix::Restore { channel: name.clone(), names }));
    found.push(Fix::KeepChannel(name));
    found
}

/// The skipRange of the head, so that it covers the rows too.
fn widened(package: &Package, head: &catalog::Entry, group: &Group<'_>) -> Option<Box<str>> {
    let version = package.bundle(head.name.value.as_str())?.version()?;
    let lowest = group.rows.iter().filter_map(|row| row.version.as_ref()).min()?;
    let added = format!(">={lowest} <{version}");
    let before = head.skip_range.as_ref().map(|range| &range.value.text);
    Some(before.map_or_else(|| added.clone(), |before| format!("{before} || {added}")).into())
}

impl Fix {
    /// The new state of the package with the fix; `old` is its state before.
    #[must_use]
    pub fn applied(&self, new: Option<&Package>, old: &Package) -> Package {
        let Some(mut package) = new.cloned() else { return old.clone() };
        match self {
            Self::Unskip { channel, head, skipped } => {
                entry_of(&mut package, channel, head).into_iter().for_each(|entry| {
                    entry.skips.retain(|name| name.value != *skipped);
                });
            }
            Self::Skip { channel, head, names } => {
                entry_of(&mut package, channel, head).into_iter().for_each(|entry| {
                    entry.skips.extend(names.iter().map(|name| Spanned::new(name.clone(), entry.span)));
                });
            }
            Self::Widen { channel, head, range } => {
                entry_of(&mut package, channel, head).into_iter().for_each(|entry| {
                    entry.skip_range = Some(skip_range(range, entry.span));
                });
            }
            Self::Restore { channel: name, names } => {
                let before = old.channel(name.as_str()).map(|channel| &channel.entries[..]).unwrap_or_default();
                let wanted: BTreeSet<&BundleName> = names.iter().collect();
                let entries: Vec<_> =
                    before.iter().filter(|entry| wanted.contains(&entry.name.value)).cloned().collect();
                channel_of(&mut package, name).into_iter().for_each(|channel| channel.entries.extend(entries.clone()));
                restore_bundles(&mut package, old, names);
            }
            Self::KeepChannel(name) => {
                package.channels.retain(|channel| channel.name.value != *name);
                if let Some(channel) = old.channel(name.as_str()) {
                    let names: Vec<_> = channel.entries.iter().map(|entry| entry.name.value.clone()).collect();
                    package.channels.push(channel.clone());
                    package.channels.sort_by(|a, b| a.name.value.cmp(&b.name.value));
                    restore_bundles(&mut package, old, &names);
                }
                // `opm` rejects bundles that no channel lists.
                let Package { channels, bundles, .. } = &mut package;
                let is_listed =
                    |name: &BundleName| channels.iter().any(|channel| channel.entry(name.as_str()).is_some());
                bundles.retain(|bundle| is_listed(&bundle.name.value));
            }
            Self::KeepPackage => return old.clone(),
        }
        package
    }

    /// What to do, as a sentence without its full stop.
    #[must_use]
    pub fn describe(&self) -> String {
        let listed = |names: &[BundleName]| {
            let some: Vec<String> = names.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
            let more = names.len().saturating_sub(NAMED);
            some.join(", ") + &if more > 0 { format!(" and {more} more") } else { String::new() }
        };
        match self {
            Self::Unskip { channel, head, skipped } => {
                format!(
                    "take `{skipped}` out of `skips` of `{head}` in channel `{channel}`, so that its own edges count"
                )
            }
            Self::Skip { channel, head, names } => {
                format!("add {} to `skips` of `{head}` in channel `{channel}`", listed(names))
            }
            Self::Widen { channel, head, range } => {
                format!("set `skipRange` of `{head}` in channel `{channel}` to `{range}`")
            }
            Self::Restore { channel, names } => format!("list {} in channel `{channel}` again", listed(names)),
            Self::KeepChannel(name) => format!("keep channel `{name}` as it was"),
            Self::KeepPackage => "keep the package".to_owned(),
        }
    }
}

fn channel_of<'p>(package: &'p mut Package, name: &ChannelName) -> Option<&'p mut Channel> {
    package.channels.iter_mut().find(|channel| channel.name.value == *name)
}

fn entry_of<'p>(package: &'p mut Package, channel: &ChannelName, name: &BundleName) -> Option<&'p mut catalog::Entry> {
    channel_of(package, channel)?.entries.iter_mut().find(|entry| entry.name.value == *name)
}

/// Entries need their bundles: else `opm` rejects the catalog.
fn restore_bundles(package: &mut Package, old: &Package, names: &[BundleName]) {
    let missing = names.iter().filter(|name| package.bundle(name.as_str()).is_none());
    let bundles: Vec<_> = missing.filter_map(|name| old.bundle(name.as_str())).cloned().collect();
    package.bundles.extend(bundles);
    package.bundles.sort_by(|a, b| a.name.value.cmp(&b.name.value));
}

fn skip_range(text: &str, span: Span) -> Spanned<SkipRange> {
    Spanned::new(SkipRange { text: text.into(), range: Range::parse(text) }, span)
}
