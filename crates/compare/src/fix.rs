//! Changes to the new state that help rows which came out worse. Each is tried before it is offered: afterwards the rows
//! have a lower level, and no other row is worse than without it.

use crate::group::Group;
use crate::level::Level;
use crate::row::{PackageComparison, Row, compare_package};
use crate::state::State;
use crate::verdict::RowRule;
use blang_semver::Range;
use catalog::{BundleName, Catalog, Channel, ChannelName, Package, SkipRange};
use source::{Span, Spanned};

/// The limit on skipped names that are tried: each trial compares the whole package.
const UNSKIPPED: usize = 20;

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

/// A fix, and what becomes of the package with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedFix {
    /// The fix.
    pub fix: Fix,
    /// The comparison with it.
    pub after: PackageComparison,
}

impl VerifiedFix {
    /// How many rows are still harmed, or may be.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.after.rows.iter().filter(|row| row.rule.is_some_and(|rule| rule.level() >= Level::Risky)).count()
    }
}

/// The fixes for the rows of a group: those that leave the fewest rows harmed first, then those with the smallest change; none for rows that harm nobody, and none for
/// those whose way only leads around a version that was taken out.
#[must_use]
pub fn fixes(old: State<'_>, new: State<'_>, comparison: &PackageComparison, group: &Group<'_>) -> Vec<VerifiedFix> {
    let is_stuck = group.rule == RowRule::StillStranded;
    if group.rule == RowRule::ManualPending {
        return Vec::new();
    }
    let before = old.catalog.package(comparison.package.as_str());
    let Some(before) = before.filter(|_| new.rejected.is_none() && (is_stuck || group.rule.level() >= Level::Risky))
    else {
        return Vec::new();
    };
    let after = new.catalog.package(comparison.package.as_str());
    let tried = candidates(before, after, group).into_iter().map(|fix| {
        let fixed = Catalog { packages: vec![fix.applied(after, before)] };
        let after = compare_package(old, State { catalog: &fixed, rejected: None }, &comparison.package);
        VerifiedFix { fix, after }
    });
    let mut fixes: Vec<VerifiedFix> = tried.filter(|tried| helps(comparison, &tried.after, group)).collect();
    let is_last = fixes.len() == 1;
    let is_gone = |name: &ChannelName| after.is_none_or(|after| after.channel(name.as_str()).is_none());
    fixes.retain(|found| !matches!(&found.fix, Fix::KeepChannel(name) if !is_last && !is_gone(name)));
    fixes.sort_by_key(VerifiedFix::remaining);
    fixes
}

/// Whether the rows of the group have a lower level, or are no longer stuck, none of them is downgraded, and no other row got
/// worse.
fn helps(without: &PackageComparison, with: &PackageComparison, group: &Group<'_>) -> bool {
    let goes_down = |row: &Row| matches!(row.rule, Some(RowRule::Downgrade | RowRule::LowerByName | RowRule::Loop));
    let level = |row: &Row| row.rule.map(RowRule::level);
    without.rows.iter().zip(&with.rows).all(|(without, with)| {
        let is_member = group.rows.contains(&without);
        match without.rule {
            _ if !is_member => level(with) <= level(without),
            _ if goes_down(with) => false,
            Some(RowRule::StillStranded) => with.rule != without.rule && level(with) < Some(Level::Risky),
            _ => level(with) < level(without),
        }
    })
}

fn candidates(old: &Package, new: Option<&Package>, group: &Group<'_>) -> Vec<Fix> {
    let first = group.rows[0];
    let name = first.channel.clone();
    let Some(new) = new else { return vec![Fix::KeepPackage] };
    let channel = new.channel(name.as_str()).filter(|channel| !channel.entries.is_empty());
    let Some(channel) = channel else { return vec![Fix::KeepChannel(name)] };
    let installed: Vec<BundleName> = group.rows.iter().map(|row| row.installed.clone()).collect();
    let mut found = Vec::new();
    if let Some(head) = first.new.head().and_then(|head| channel.entry(head.as_str())) {
        let head_name = head.name.value.clone();
        let has_edges = |name: &BundleName| {
            let entry = channel.entry(name.as_str());
            entry.is_some_and(|entry| entry.replaces.is_some() || !entry.skips.is_empty() || entry.skip_range.is_some())
        };
        let skipped = head.skips.iter().filter(|skipped| has_edges(&skipped.value)).take(UNSKIPPED);
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
    let gone: Vec<BundleName> = removed.iter().filter(|name| installed.contains(name)).cloned().collect();
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
                let entries: Vec<_> =
                    before.iter().filter(|entry| names.contains(&entry.name.value)).cloned().collect();
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
                let unlisted: Vec<_> = unlisted(&package).cloned().collect();
                package.bundles.retain(|bundle| !unlisted.contains(&bundle.name.value));
            }
            Self::KeepPackage => return old.clone(),
        }
        package
    }

    /// What to do, as a sentence without its full stop.
    #[must_use]
    pub fn describe(&self) -> String {
        let listed = |names: &[BundleName]| names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
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

/// The bundles that no channel lists, which `opm` rejects.
fn unlisted(package: &Package) -> impl Iterator<Item = &BundleName> {
    let is_listed = |name: &BundleName| package.channels.iter().any(|channel| channel.entry(name.as_str()).is_some());
    package.bundles.iter().map(|bundle| &bundle.name.value).filter(move |name| !is_listed(name))
}

fn skip_range(text: &str, span: Span) -> Spanned<SkipRange> {
    Spanned::new(SkipRange { text: text.into(), range: Range::parse(text) }, span)
}
