//! Changes to the new state that help rows which came out worse. Each is tried before it is offered: afterwards the rows
//! have a lower level, and no other row is worse than without it.

use crate::row::{Group, PackageComparison, Row, rows_without_texts};
use crate::rule::Rule;
use crate::search::{Budget, Log};
use crate::state::State;
use crate::words::{NOTHING, counted, sentence};
use catalog::{BundleName, Catalog, ChannelName, Package};
use source::{Level, Runtime};
use std::collections::{BTreeMap, BTreeSet};
use update_graph::{Change, ChannelEdit, Edit, PackageEdit};

/// A fix that helps, and what becomes of the package with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifiedFix {
    /// The fix.
    pub fix: PackageEdit,
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
    fixes.retain(|found| !matches!(&found.fix, PackageEdit::KeepChannel(name) if !is_last && !is_gone(name)));
    fixes.sort_by_key(|found| found.remaining);
    fixes
}

/// A fix that helps, with who is still harmed in the state with it.
fn verified(fix: PackageEdit, with: &PackageComparison, is_v1: bool) -> VerifiedFix {
    let is_harmed = |row: &Row| row.updated_by.is_v1() == is_v1 && level(row) >= Some(Level::Risky);
    let remaining = with.rows.iter().filter(|row| is_harmed(row)).count();
    let say =
        |is_shown: &dyn Fn(&Row) -> bool| if is_v1 { counted(with, is_shown) } else { sentence(with, false, is_shown) };
    let outcome = say(&|_| true).unwrap_or_else(|| NOTHING.to_owned());
    VerifiedFix { fix, remaining, effect: say(&is_harmed), outcome }
}

fn level(row: &Row) -> Option<Level> {
    row.rule.map(Rule::level)
}

/// Whether the rows of the group have a lower level, or get updates again, none of them is downgraded, and no other row got
/// worse.
fn helps(without: &PackageComparison, with: &PackageComparison, group: &Group<'_>) -> bool {
    let members: BTreeSet<_> = group.rows.iter().map(|row| row.key()).collect();
    let with: BTreeMap<_, &Row> = with.rows.iter().map(|row| (row.key(), row)).collect();
    let is_v1 = group.first.updated_by.is_v1();
    let is_no_worse = |before: &Row, after: &Row| {
        let goes_down = matches!(after.rule, Some(Rule::V0Downgrade | Rule::V0LowerByName | Rule::V0Loop));
        match before.rule {
            // A change for the sake of extensions may be seen by others that it does not harm.
            _ if is_v1 && !members.contains(&before.key()) => level(after) <= level(before).max(Some(Level::Neutral)),
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

/// What may help a group: to keep what was, and for OLM v1 edges of the entry that extensions are updated to. Edges for OLM v0 are
/// repairs of the channel, which are searched for all its versions.
fn candidates(old: &Package, new: Option<&Package>, group: &Group<'_>) -> Vec<PackageEdit> {
    let name = group.first.channel.clone();
    let Some(new) = new else { return vec![PackageEdit::KeepPackage] };
    let channel = new.channel(name.as_str()).filter(|channel| !channel.entries.is_empty());
    let Some(channel) = channel else { return vec![PackageEdit::KeepChannel(name)] };
    let installed: Vec<BundleName> = group.rows.iter().map(|row| row.installed.clone()).collect();
    let mut found = Vec::new();
    let highest = highest(new, &name).filter(|_| group.first.updated_by.is_v1());
    if let Some(head) = highest.and_then(|head| channel.entry(head.as_str())) {
        let edit = |change: Change| Edit { entry: head.name.value.clone(), change };
        let of_head = |edits: Vec<Edit>| PackageEdit::Entries(ChannelEdit::of(&name, edits));
        let skipped = installed.iter().filter(|installed| **installed != head.name.value);
        found.push(of_head(skipped.map(|name| edit(Change::Skip(name.clone()))).collect()));
        found.extend(widened(new, head, group).map(|range| of_head(vec![edit(Change::Range(Some(range)))])));
    }
    let Some(before) = old.channel(name.as_str()) else { return found };
    let names = before.entries.iter().map(|entry| &entry.name.value);
    let removed: Vec<BundleName> = names.filter(|name| channel.entry(name.as_str()).is_none()).cloned().collect();
    let is_installed: BTreeSet<&BundleName> = installed.iter().collect();
    let gone: Vec<BundleName> = removed.iter().filter(|name| is_installed.contains(name)).cloned().collect();
    let restores = if gone == removed { vec![gone] } else { vec![gone, removed] };
    let restores = restores.into_iter().filter(|names| !names.is_empty());
    found.extend(restores.map(|names| PackageEdit::Restore { channel: name.clone(), names }));
    found.push(PackageEdit::KeepChannel(name));
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
