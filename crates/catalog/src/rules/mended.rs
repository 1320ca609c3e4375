//! Quick fixes of channels, each tried on a copy of the channel.

use crate::{BundleName, Chain, Channel, Entry, Package, heads};
use go_semver::blang::Version;
use source::{QuickFix, Rewrite, Span, Spanned, nearest};
use std::collections::BTreeSet;

/// The limit on names that are compared with each other, and on those that one quick fix contains.
const FEW: usize = 8;
/// Of how many dangling names the nearest entry is searched.
const SEARCHED: usize = 100;

/// A name in `replaces` or `skips` that the channel does not have, with the entry that its author probably meant.
pub(super) struct Misspelt<'c> {
    pub(super) name: &'c Spanned<BundleName>,
    pub(super) meant: &'c str,
}

/// The names that are near to one of the entries which the chain leaves out, and far from none of them. With many such
/// entries a misspelt name is not the reason.
pub(super) fn misspelt<'c>(channel: &'c Channel, left_out: &[&'c str]) -> Vec<Misspelt<'c>> {
    if left_out.len() > FEW {
        return Vec::new();
    }
    let names: BTreeSet<&str> = channel.entries.iter().map(|entry| entry.name.value.as_str()).collect();
    let named = channel.entries.iter().flat_map(|entry| edges(entry).map(move |(_, name)| (entry, name)));
    let unknown = named.filter(|(_, name)| !names.contains(name.value.as_str())).take(SEARCHED);
    let meant = |(entry, name): (&Entry, &'c Spanned<BundleName>)| {
        let others = left_out.iter().copied().filter(|other| *other != entry.name.value.as_str());
        Some(Misspelt { name, meant: nearest_bundle(name.value.as_str(), others)? })
    };
    unknown.filter_map(meant).collect()
}

/// The name of a bundle that was probably meant by one that does not exist. A name with another version is not it: the
/// catalog may not have that version any more.
pub(super) fn nearest_bundle<'a>(name: &str, others: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let written = version_in(name);
    let may_be_meant = |near: &&str| written.is_none() || written == version_in(near);
    nearest(name, others).into_iter().find(may_be_meant)
}

/// The version at the end of a name such as `etcd.v1.2.3`.
fn version_in(name: &str) -> Option<Version> {
    let (_, version) = name.split_once('.')?;
    Version::parse(version.strip_prefix('v').unwrap_or(version)).ok()
}

/// Writes the names as they were meant, if fewer entries are then without an update.
pub(super) fn respell(channel: &Channel, names: &[Misspelt<'_>]) -> Option<QuickFix> {
    let (first, others) = names.split_first()?;
    let before = left_out(&Chain::of(channel));
    let mut new = channel.clone();
    for name in new.entries.iter_mut().flat_map(|entry| entry.replaces.iter_mut().chain(&mut entry.skips)) {
        if let Some(known) = names.iter().find(|known| known.name.span == name.span) {
            name.value = BundleName::from(known.meant);
        }
    }
    if left_out(&Chain::of(&new)) >= before {
        return None;
    }
    let mut fix = QuickFix::rename(first.name.span, first.meant);
    fix.changes.extend(others.iter().flat_map(|other| QuickFix::rename(other.name.span, other.meant).changes));
    Some(fix)
}

/// How much is wrong with a chain: the entries that it leaves out, or everything.
fn left_out(chain: &Chain<'_>) -> usize {
    match chain {
        Chain::Headed { stranded, .. } => stranded.len(),
        Chain::ManyHeads(heads) => heads.len(),
        Chain::Empty | Chain::NoHead | Chain::Cycle(_) => usize::MAX,
    }
}

/// Lets the head with the highest version replace the other one or, of several, skip the others.
pub(super) fn join_heads(package: &Package, channel: &Channel) -> Vec<QuickFix> {
    let mut versioned: Vec<(&Version, &str)> = Vec::new();
    for name in heads(channel) {
        let Some(version) = package.bundle(name).and_then(|bundle| bundle.version()) else { return Vec::new() };
        versioned.push((version, name));
    }
    versioned.sort_unstable();
    let Some(((_, newest), older)) = versioned.split_last().filter(|(_, older)| older.len() < FEW) else {
        return Vec::new();
    };
    let Some(entry) = channel.entry(newest) else { return Vec::new() };
    let older: Vec<&str> = older.iter().rev().map(|(_, name)| *name).collect();
    let replace = match older[..] {
        [older] if entry.replaces.is_none() => replace(channel, entry, older),
        _ => None,
    };
    replace.into_iter().chain(skip_fix(channel, entry, &older)).collect()
}

fn replace(channel: &Channel, entry: &Entry, older: &str) -> Option<QuickFix> {
    let tried = |entry: &mut Entry| entry.replaces = Some(Spanned::new(BundleName::from(older), entry.span));
    let change = Rewrite::Set { mapping: entry.span, within: None, field: "replaces", text: older.to_owned() };
    is_mended(channel, entry.span, tried)
        .then(|| QuickFix::new(format!("Let `{}` replace `{older}`", entry.name), change))
}

/// The quick fix that lets an entry skip others, if `opm` then accepts the channel.
#[must_use]
pub fn skip_fix(channel: &Channel, entry: &Entry, others: &[&str]) -> Option<QuickFix> {
    let skips = others.iter().map(|name| Spanned::new(BundleName::from(*name), entry.span));
    let texts = others.iter().map(|&name| name.to_owned()).collect();
    let what = source::name_list(others.iter().copied());
    let change = Rewrite::List { mapping: entry.span, list: "skips", removed: Vec::new(), added: texts };
    let is_small = others.len() <= SEARCHED && !others.contains(&"");
    (is_small && is_mended(channel, entry.span, |entry| entry.skips.extend(skips)))
        .then(|| QuickFix::new(format!("Let `{}` skip {what}", entry.name), change))
}

/// Removes the edges that lead from an entry to itself or to a version that is not lower, if the channel is then in order.
pub(super) fn without_backward_edges(package: &Package, channel: &Channel) -> Option<QuickFix> {
    let version = |name: &BundleName| package.bundle(name.as_str())?.version();
    let is_backward = |entry: &Entry, name: &Spanned<BundleName>| {
        let higher = version(&entry.name.value).zip(version(&name.value)).is_some_and(|(own, other)| other >= own);
        name.value == entry.name.value || higher
    };
    let mut changes = Vec::new();
    let mut titles = Vec::new();
    let mut new = channel.clone();
    for (entry, new) in channel.entries.iter().zip(new.entries.iter_mut()) {
        for (field, name) in edges(entry).filter(|(_, name)| is_backward(entry, name)) {
            changes.push(Rewrite::Remove { span: name.span });
            titles.push(format!("Remove `{name}` from the `{field}` of `{}`", entry.name));
        }
        new.replaces = new.replaces.take().filter(|name| !is_backward(entry, name));
        new.skips.retain(|name| !is_backward(entry, name));
    }
    let title = match &titles[..] {
        [title] => title.clone(),
        titles => format!("Remove {} edges to the same or a higher version", titles.len()),
    };
    let is_few = !changes.is_empty() && changes.len() <= SEARCHED;
    (is_few && left_out(&Chain::of(&new)) == 0).then_some(QuickFix { title, changes })
}

/// Whether the channel is in order once the entry at `span` is changed.
fn is_mended(channel: &Channel, span: Span, change: impl FnOnce(&mut Entry)) -> bool {
    let mut new = channel.clone();
    if let Some(entry) = new.entries.iter_mut().find(|entry| entry.span == span) {
        change(entry);
    }
    left_out(&Chain::of(&new)) == 0
}

/// The names that an entry replaces and skips, each with its field.
fn edges(entry: &Entry) -> impl Iterator<Item = (&'static str, &Spanned<BundleName>)> {
    let replaces = entry.replaces.iter().map(|name| ("replaces", name));
    replaces.chain(entry.skips.iter().map(|name| ("skips", name)))
}
