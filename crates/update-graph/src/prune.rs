//! What a skipRange without `replaces` takes out of a channel.
//!
//! The documentation says that skipped versions are pruned from the graph and cannot be installed any more. What really
//! happens (olm-runtime A7): OLM prunes nothing. A version that is not listed can neither be started from nor reached; a
//! version that is listed, but off the chain of `replaces`, is installed if a startingCSV names it and not otherwise.

use blang_semver::{Range, Version};
use catalog::{Bundle, BundleName, Channel, Entry, Package};
use std::collections::BTreeSet;

/// A skipRange that stands in for `replaces`.
#[derive(Clone, Debug)]
pub struct Pruning<'c> {
    /// The channel.
    pub channel: &'c Channel,
    /// The entry with the skipRange.
    pub entry: &'c Entry,
    /// The range.
    pub range: &'c Range,
    /// The entry of the channel that `replaces` should name: the newest below the entry.
    pub predecessor: Option<&'c Entry>,
    /// Bundles of the package that the range matches and the channel does not list, ascending.
    pub unlisted: Vec<&'c Bundle>,
    /// Entries that the range matches and that neither the chain from the entry nor any `skips` holds, ascending.
    pub off_chain: Vec<&'c Entry>,
}

impl<'c> Pruning<'c> {
    /// The names of all versions that it takes out.
    pub fn names(&self) -> impl Iterator<Item = &'c BundleName> {
        let unlisted = self.unlisted.iter().map(|bundle| &bundle.name.value);
        unlisted.chain(self.off_chain.iter().map(|entry| &entry.name.value))
    }
}

/// All prunings of a package, by channel and in the order of its entries.
#[must_use]
pub fn prunings(package: &Package) -> Vec<Pruning<'_>> {
    let channels = package.channels.iter();
    channels.flat_map(|channel| channel.entries.iter().filter_map(|entry| pruning(package, channel, entry))).collect()
}

fn pruning<'c>(package: &'c Package, channel: &'c Channel, entry: &'c Entry) -> Option<Pruning<'c>> {
    let range = entry.skip_range.as_ref()?.value.range.as_ref().ok()?;
    let predecessor = predecessor(package, channel, entry);
    let replaces = entry.replaces.as_ref().map(|name| &name.value);
    if replaces.is_some() && replaces == predecessor.map(|entry| &entry.name.value) {
        return None;
    }
    let floor = replaces.and_then(|name| package.bundle(name.as_str())?.version());
    let on_chain = chain(channel, entry);
    let skips = channel.entries.iter().flat_map(|entry| &entry.skips);
    let kept: BTreeSet<&BundleName> = skips.map(|name| &name.value).chain(on_chain).collect();
    let covered = covered(package, range, floor).into_iter().filter(|bundle| !kept.contains(&bundle.name.value));
    let (mut unlisted, mut off_chain) = (Vec::new(), Vec::new());
    for bundle in covered {
        match channel.entry(bundle.name.value.as_str()) {
            Some(entry) => off_chain.push(entry),
            None => unlisted.push(bundle),
        }
    }
    let alone = replaces.is_none() && catalog::heads(channel).contains(&entry.name.value.as_str());
    let takes_out = !unlisted.is_empty() || !off_chain.is_empty();
    (takes_out || alone).then_some(Pruning { channel, entry, range, predecessor, unlisted, off_chain })
}

/// The bundles above `floor` that `range` matches, ascending.
fn covered<'c>(package: &'c Package, range: &Range, floor: Option<&Version>) -> Vec<&'c Bundle> {
    let above = |version: &Version| floor.is_none_or(|floor| version > floor);
    let in_range = |version: &Version| above(version) && range.matches(version).unwrap_or(false);
    let mut covered: Vec<&Bundle> =
        package.bundles.iter().filter(|bundle| bundle.version().is_some_and(in_range)).collect();
    covered.sort_by(|a, b| a.version().cmp(&b.version()));
    covered
}

/// The newest entry of the channel that is older than `entry`.
fn predecessor<'c>(package: &Package, channel: &'c Channel, entry: &Entry) -> Option<&'c Entry> {
    let version = |entry: &Entry| package.bundle(entry.name.value.as_str())?.version().cloned();
    let own = version(entry)?;
    let older = channel.entries.iter().filter_map(|other| Some((version(other)?, other)));
    older.filter(|(version, _)| *version < own).max_by(|a, b| a.0.cmp(&b.0)).map(|(_, entry)| entry)
}

/// The names that the chain of `replaces` from `entry` leads through, the entry included.
fn chain<'c>(channel: &'c Channel, entry: &'c Entry) -> BTreeSet<&'c BundleName> {
    let mut names = BTreeSet::new();
    let mut next = Some(&entry.name.value);
    while let Some(name) = next.filter(|name| names.insert(*name)) {
        next = channel.entry(name.as_str()).and_then(|entry| Some(&entry.replaces.as_ref()?.value));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{bundles, catalog};

    /// Lines `entry: unlisted ..., off chain ...`.
    #[track_caller]
    fn check(entries: &str, versions: &[&str], expected: &[&str]) {
        let catalog = catalog(&format!("{entries}{}", bundles(versions)));
        let told: Vec<String> = prunings(&catalog.packages[0]).iter().map(told).collect();
        assert_eq!(told, expected);
    }

    fn told(pruning: &Pruning<'_>) -> String {
        let unlisted: Vec<_> = pruning.unlisted.iter().map(|bundle| bundle.name.value.as_str()).collect();
        let off_chain: Vec<_> = pruning.off_chain.iter().map(|entry| entry.name.value.as_str()).collect();
        format!("{}: unlisted {unlisted:?}, off chain {off_chain:?}", pruning.entry.name)
    }

    #[test]
    fn a_chain_of_replaces_prunes_nothing() {
        let entries =
            "- {name: p.v2.0.0, replaces: p.v1.0.0, skipRange: <2.0.0}\n- {name: p.v1.0.0, skipRange: <1.0.0}\n";
        check(entries, &["1.0.0", "2.0.0"], &[]);
    }

    #[test]
    fn a_lone_head() {
        check("- {name: p.v1.0.3, skipRange: <1.0.3}\n", &["1.0.3"], &["p.v1.0.3: unlisted [], off chain []"]);
    }

    #[test]
    fn listed_but_off_the_chain() {
        let entries = "- {name: p.v2.0.0, skipRange: <2.0.0}\n- name: p.v1.0.0\n";
        check(entries, &["1.0.0", "2.0.0"], &["p.v2.0.0: unlisted [], off chain [\"p.v1.0.0\"]"]);
    }

    #[test]
    fn unlisted_here_but_listed_elsewhere() {
        let entries = "- {name: p.v2.0.0, skipRange: '>=1.0.0 <2.0.0'}\n---\nschema: olm.channel\npackage: p\nname: d\nentries: [{name: p.v1.1.0, replaces: p.v1.0.0}, {name: p.v1.0.0, replaces: p.v0.1.0}, {name: p.v0.1.0}]\n";
        let expected = ["p.v2.0.0: unlisted [\"p.v1.0.0\", \"p.v1.1.0\"], off chain []"];
        check(entries, &["0.1.0", "1.0.0", "1.1.0", "2.0.0"], &expected);
    }

    #[test]
    fn replaces_that_passes_over_a_version() {
        let entries = "- {name: p.v3.0.0, replaces: p.v1.0.0, skipRange: <3.0.0}\n- {name: p.v2.0.0, replaces: p.v1.0.0}\n- name: p.v1.0.0\n";
        check(entries, &["1.0.0", "2.0.0", "3.0.0"], &["p.v3.0.0: unlisted [], off chain [\"p.v2.0.0\"]"]);
    }

    #[test]
    fn skips_by_name_keep_a_version() {
        let entries = "- {name: p.v3.0.0, replaces: p.v1.0.0, skips: [p.v2.0.0], skipRange: <3.0.0}\n- name: p.v2.0.0\n- name: p.v1.0.0\n";
        check(entries, &["1.0.0", "2.0.0", "3.0.0"], &[]);
    }
}
