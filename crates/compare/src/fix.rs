//! Changes to the new state that help rows which came out worse. Each is tried before it is offered: afterwards the rows
//! have a lower level, and no other row is worse than without it.

use crate::budget::Budget;
use crate::extension::{ExtensionRow, compare_extensions};
use crate::extension_group::ExtensionGroup;
use crate::extension_rule::ExtensionRule;
use crate::group::Group;
use crate::level::Level;
use crate::row::{PackageComparison, Row, rows_without_texts};
use crate::sentence::{counted, sentence};
use crate::state::State;
use crate::verdict::RowRule;
use blang_semver::{Range, Version};
use catalog::{BundleName, Catalog, Channel, ChannelName, Package, SkipRange};
use predicate::PackageName;
use source::{Span, Spanned};
use std::collections::BTreeSet;

/// The limit on skipped names that are tried: each trial compares the whole package.
const UNSKIPPED: usize = 20;

/// The most entries that the text of a fix names.
const NAMED: usize = 20;

/// A change to the new state of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fix {
    /// Takes a name out of `skips` of the head, so that its own edges count.
    Unskip {
        /// The channel.
        channel: ChannelName,
        /// Its head.
        head: BundleName,
        /// The name in `skips`.
        skipped: BundleName,
    },
    /// Adds names to `skips` of the head.
    Skip {
        /// The channel.
        channel: ChannelName,
        /// Its head.
        head: BundleName,
        /// The names.
        names: Vec<BundleName>,
    },
    /// Changes or adds the `skipRange` of the head.
    Widen {
        /// The channel.
        channel: ChannelName,
        /// Its head.
        head: BundleName,
        /// The new range.
        range: Box<str>,
    },
    /// Lists removed entries again, as they were.
    Restore {
        /// The channel.
        channel: ChannelName,
        /// The entries.
        names: Vec<BundleName>,
    },
    /// Keeps a channel as it was, without the bundles that no channel lists then. Offered for a channel that is still there
    /// only if nothing else helps.
    KeepChannel(ChannelName),
    /// Keeps a package as it was.
    KeepPackage,
}

/// A fix that helps, and what becomes of the package with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedFix {
    /// The fix.
    pub fix: Fix,
    /// How many rows are still harmed with it, or may be.
    pub remaining: usize,
    /// Who that is, in words.
    pub effect: Option<String>,
}

/// The fixes for the rows of a group: those that leave the fewest rows harmed first, then those with the smallest change; none for rows that harm nobody, and none for
/// those whose way only leads around a version that was taken out. Those that the work does not suffice for are not tried.
#[must_use]
pub fn fixes(
    old: State<'_>,
    new: State<'_>,
    comparison: &PackageComparison,
    group: &Group<'_>,
    budget: &Budget,
) -> Vec<VerifiedFix> {
    let is_stuck = group.rule == RowRule::StillStranded;
    if group.rule == RowRule::ManualPending || !(is_stuck || group.rule.level() >= Level::Risky) {
        return Vec::new();
    }
    let first = group.rows[0];
    let installed = group.rows.iter().map(|row| (&row.installed, row.version.as_ref())).collect();
    let harmed = Harmed { channel: &first.channel, head: first.new.head(), installed, is_v0: true };
    let members: BTreeSet<_> = group.rows.iter().map(|row| (&row.channel, &row.installed)).collect();
    let work = 2 * comparison.rows.len();
    verified((old, new), &comparison.package, &harmed, (work, budget), |fixed| {
        let after = rows_without_texts(old, fixed, &comparison.package);
        helps(comparison, &after, &members).then(|| {
            let is_harmed = |row: &Row| level(row) >= Some(Level::Risky);
            let remaining = after.rows.iter().filter(|row| is_harmed(row)).count();
            (remaining, (remaining > 0).then(|| sentence(&after, is_harmed)))
        })
    })
}

/// The same for the rows of a group under OLM v1. `comparison` has the rows under OLM v0, none of which a fix harms.
#[must_use]
pub fn extension_fixes(
    old: State<'_>,
    new: State<'_>,
    (comparison, rows): (&PackageComparison, &[ExtensionRow]),
    group: &ExtensionGroup<'_>,
    budget: &Budget,
) -> Vec<VerifiedFix> {
    // No change to this catalog keeps another one from having a bundle.
    if group.rule == ExtensionRule::Ambiguous {
        return Vec::new();
    }
    let name = &comparison.package;
    let channel = &group.rows[0].channel;
    let head = new.catalog.package(name.as_str()).and_then(|package| highest(package, channel));
    let installed = group.rows.iter().map(|row| (&row.installed, row.version.as_ref())).collect();
    let harmed = Harmed { channel, head, installed, is_v0: false };
    let members: BTreeSet<&BundleName> = group.rows.iter().map(|row| &row.installed).collect();
    let work = 10 * comparison.rows.len();
    verified((old, new), name, &harmed, (work, budget), |fixed| {
        let found = rows_without_texts(old, fixed, name);
        let after = compare_extensions(old, fixed, name, &found.rows);
        let mut v0 = comparison.rows.iter().zip(&found.rows);
        let is_kind = v0.all(|(without, with)| level(with) <= level(without).max(Some(Level::Neutral)));
        let is_member = |row: &ExtensionRow, channel: Option<&ChannelName>| {
            group.channel == channel && members.contains(&row.installed)
        };
        (is_kind && extensions_help(rows, &after, is_member)).then(|| {
            let remaining = after.iter().filter(|row| row.rule().is_some()).count();
            (remaining, counted(&after, |_, _| true))
        })
    })
}

/// What fixes are for.
struct Harmed<'r> {
    channel: &'r ChannelName,
    /// The entry that the others are updated to.
    head: Option<&'r BundleName>,
    installed: Vec<(&'r BundleName, Option<&'r Version>)>,
    is_v0: bool,
}

/// The fixes that help. `tried` gives who is still harmed in the state with a fix, if the fix helps; that takes this much
/// work.
fn verified(
    (old, new): (State<'_>, State<'_>),
    name: &PackageName,
    harmed: &Harmed<'_>,
    (work, budget): (usize, &Budget),
    tried: impl Fn(State<'_>) -> Option<(usize, Option<String>)>,
) -> Vec<VerifiedFix> {
    let before = old.catalog.package(name.as_str()).filter(|_| new.rejected.is_none());
    let Some(before) = before else { return Vec::new() };
    let after = new.catalog.package(name.as_str());
    let helping = candidates(before, after, harmed).into_iter().filter_map(|fix| {
        budget.take(work + before.bundles.len())?;
        let fixed = Catalog { packages: vec![fix.applied(after, before)] };
        let (remaining, effect) = tried(State { catalog: &fixed, rejected: None })?;
        Some(VerifiedFix { fix, remaining, effect })
    });
    let mut fixes: Vec<VerifiedFix> = helping.collect();
    let is_last = fixes.len() == 1;
    let is_gone = |name: &ChannelName| after.is_none_or(|after| after.channel(name.as_str()).is_none());
    fixes.retain(|found| !matches!(&found.fix, Fix::KeepChannel(name) if !is_last && !is_gone(name)));
    fixes.sort_by_key(|found| found.remaining);
    fixes
}

fn level(row: &Row) -> Option<Level> {
    row.rule.map(RowRule::level)
}

/// Whether the rows of the group have a lower level, or are no longer stuck, none of them is downgraded, and no other row got
/// worse.
fn helps(
    without: &PackageComparison,
    with: &PackageComparison,
    members: &BTreeSet<(&ChannelName, &BundleName)>,
) -> bool {
    let goes_down = |row: &Row| matches!(row.rule, Some(RowRule::Downgrade | RowRule::LowerByName | RowRule::Loop));
    without.rows.iter().zip(&with.rows).all(|(without, with)| match without.rule {
        _ if !members.contains(&(&without.channel, &without.installed)) => level(with) <= level(without),
        _ if goes_down(with) => false,
        Some(RowRule::StillStranded) => with.rule != without.rule && level(with) < Some(Level::Risky),
        _ => level(with) < level(without),
    })
}

/// Whether the rows of the group have a lower level, and no other row got worse.
fn extensions_help(
    without: &[ExtensionRow],
    with: &[ExtensionRow],
    is_member: impl Fn(&ExtensionRow, Option<&ChannelName>) -> bool,
) -> bool {
    let level = |row: &ExtensionRow, channel| row.case(channel).rule.map(|rule| rule.rule().level);
    without.iter().zip(with).all(|(without, with)| {
        [None, Some(&without.channel)].into_iter().all(|channel| {
            let (before, after) = (level(without, channel), level(with, channel));
            if is_member(without, channel) { after < before } else { after <= before }
        })
    })
}

/// The entry of a channel with the highest version.
fn highest<'p>(package: &'p Package, channel: &ChannelName) -> Option<&'p BundleName> {
    let names = package.channel(channel.as_str())?.entries.iter().map(|entry| &entry.name.value);
    names.max_by_key(|name| package.bundle(name.as_str()).and_then(|bundle| bundle.version()))
}

fn candidates(old: &Package, new: Option<&Package>, harmed: &Harmed<'_>) -> Vec<Fix> {
    let name = harmed.channel.clone();
    let Some(new) = new else { return vec![Fix::KeepPackage] };
    let channel = new.channel(name.as_str()).filter(|channel| !channel.entries.is_empty());
    let Some(channel) = channel else { return vec![Fix::KeepChannel(name)] };
    let installed: Vec<BundleName> = harmed.installed.iter().map(|(name, _)| (*name).clone()).collect();
    let mut found = Vec::new();
    if let Some(head) = harmed.head.and_then(|head| channel.entry(head.as_str())) {
        let head_name = head.name.value.clone();
        let has_edges = |name: &BundleName| {
            let entry = channel.entry(name.as_str());
            entry.is_some_and(|entry| entry.replaces.is_some() || !entry.skips.is_empty() || entry.skip_range.is_some())
        };
        // OLM v1 follows the edges of skipped entries, too.
        let skipped = head.skips.iter().filter(|skipped| harmed.is_v0 && has_edges(&skipped.value)).take(UNSKIPPED);
        found.extend(skipped.map(|skipped| Fix::Unskip {
            channel: name.clone(),
            head: head_name.clone(),
            skipped: skipped.value.clone(),
        }));
        let names: Vec<_> = installed.iter().filter(|installed| **installed != head_name).cloned().collect();
        found.push(Fix::Skip { channel: name.clone(), head: head_name.clone(), names });
        let widest = widened(new, head, harmed);
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
fn widened(package: &Package, head: &catalog::Entry, harmed: &Harmed<'_>) -> Option<Box<str>> {
    let version = package.bundle(head.name.value.as_str())?.version()?;
    let lowest = harmed.installed.iter().filter_map(|(_, version)| *version).min()?;
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
