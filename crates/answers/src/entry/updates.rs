//! Which versions can be updated to an entry, what it can be updated to, and where its updates end, under both runtimes.

use catalog::{Bundle, BundleName, Channel, ChannelName, Package};
use cluster::InstalledBundle;
use extension::{PackageBundles, Readiness, ReadinessVerdict, Refusal, SuccessorIndex};
use go_semver::blang::Version;
use session::CatalogInput;
use source::OlmV1;
use update_graph::{Installable, Installables, UpdateChain, Walks, channels_in_order, hop, version_of};
use views::{ChannelReach, EntryExtension, EntryKey, FileKey, NextExtension, NextHop};

/// The hops from and to an entry of a channel, as lines of text.
#[derive(Debug, Default)]
pub(super) struct Hops {
    /// Versions that OLM updates to it in one hop.
    pub(super) from: Vec<String>,
    /// Entries that it may be updated to in one hop, the one that OLM takes first.
    pub(super) to: Vec<String>,
    /// Versions that OLM updates to it in more hops.
    pub(super) later: Vec<String>,
    /// Versions with an edge to it that OLM does not use.
    pub(super) passed_over: Vec<String>,
    /// Versions, none of them newer, that OLM does not update to it.
    pub(super) never: Vec<String>,
}

/// The hops from and to `name` in a channel. OLM makes none if it cannot order the channel.
pub(super) fn hops(package: &Package, channel: &Channel, name: &str) -> Hops {
    let name = BundleName::from(name);
    let Ok(chain) = UpdateChain::of(package, channel) else {
        return Hops { never: others(package, &name), ..Hops::default() };
    };
    let successors = chain.successors(&name, version_of(package, &name).as_ref()).into_iter();
    let to = successors.map(|next| format!("{} ({})", next.to.name, next.via.as_str())).collect();
    let mut hops = Hops { to, ..Hops::default() };
    match chain.position(&name) {
        Some(position) => arrivals(package, &chain, position, &mut hops),
        // OLM updates nothing to an entry that is not in the update chain.
        None => hops.never = others(package, &name),
    }
    hops
}

/// Everything that may be installed and is not newer than one version, which is left out; the newest first.
fn others(package: &Package, name: &BundleName) -> Vec<String> {
    let rows = Installables::of(package);
    let version = version_of(package, name);
    let others = rows.rows.iter().rev().filter(|row| row.name != name && !is_newer(row, version.as_ref()));
    others.map(|row| row.name.to_string()).collect()
}

/// Whether a row is newer than a version. No update should lead from it to that version.
fn is_newer(row: &Installable<'_>, version: Option<&Version>) -> bool {
    version.is_some_and(|version| row.version.as_ref().is_some_and(|newer| newer > version))
}

/// Groups everything that may be installed by how OLM updates it to an entry, the newest first.
fn arrivals(package: &Package, chain: &UpdateChain<'_>, position: usize, hops: &mut Hops) {
    let to = chain.entries[position];
    let rows = Installables::of(package);
    let Some(goal) = rows.row_of(&to.name.value) else { return };
    let version = version_of(package, &to.name.value);
    let walks = Walks::new(rows.next_rows(chain));
    for (at, row) in rows.rows.iter().enumerate().rev().filter(|(at, _)| *at != goal) {
        let count = walks.hops_to(at, goal);
        match (hop(to, row.name, row.version.as_ref()), count) {
            (Some(via), Some(1)) => hops.from.push(format!("{} ({})", row.name, via.as_str())),
            (_, Some(count)) => hops.later.push(format!("{} ({count} hops)", row.name)),
            (Some(via), None) => hops.passed_over.push(format!("{} ({})", row.name, via.as_str())),
            (None, None) if is_newer(row, version.as_ref()) => {}
            (None, None) => hops.never.push(row.name.to_string()),
        }
    }
}

// Where OLM's updates of an entry end in the channels of its package.

/// The number of channels that an entry is followed through: a package may have hundreds, and each is put in order.
const CHANNELS: usize = 100;

/// An entry, or a name that an entry replaces or skips, among all that may be installed of its package.
pub(super) struct EntryReach<'c> {
    package: &'c Package,
    rows: Installables<'c>,
    row: usize,
}

impl<'c> EntryReach<'c> {
    pub(super) fn of(package: &'c Package, name: &BundleName) -> Option<Self> {
        let rows = Installables::of(package);
        rows.row_of(name).map(|row| Self { package, rows, row })
    }

    /// Where its updates end with a Subscription to a channel.
    pub(super) fn in_channel(&self, channel: &'c Channel) -> ChannelReach {
        let own = &self.rows.rows[self.row];
        let default = self.package.default_channel.as_ref();
        let mut reach = ChannelReach {
            channel: channel.name.to_string(),
            default: default.is_some_and(|default| default.value == channel.name.value),
            head: None,
            next: None,
            hops: 0,
            end: label(own),
            stop: None,
        };
        if let Ok(chain) = UpdateChain::of(self.package, channel) {
            let key = |name: &BundleName| EntryKey { channel: Some(channel.name.to_string()), name: name.to_string() };
            let found = self.rows.reach(&chain)[self.row];
            let next = chain.next_update(own.name, own.version.as_ref()).filter(|_| found.hops > 0);
            reach.head = chain.entries.first().map(|head| key(&head.name.value));
            reach.next = next.and_then(|next| {
                let label = label(&self.rows.rows[self.rows.row_of(&next.to.name.value)?]);
                Some(NextHop { to: key(&next.to.name.value), label, via: next.via.as_str().to_owned() })
            });
            reach.hops = found.hops;
            reach.end = label(&self.rows.rows[found.end as usize]);
            reach.stop = Some(found.stop);
        }
        reach
    }

    /// The same for the channels of the package other than `shown`, in the order of the graph's lanes.
    pub(super) fn switches(&self, shown: Option<&Channel>) -> Vec<ChannelReach> {
        let is_other = |channel: &&Channel| shown.is_none_or(|shown| shown.name.value != channel.name.value);
        let others = channels_in_order(self.package).into_iter().filter(is_other).take(CHANNELS);
        others.map(|channel| self.in_channel(channel)).collect()
    }
}

/// The version, else the name.
fn label(row: &Installable<'_>) -> String {
    row.version.as_ref().map_or_else(|| row.name.to_string(), ToString::to_string)
}

// What OLM v1 does with an extension that has the bundle installed, beside what OLM v0 does.

/// At most this many channels are listed.
const EXTENSION_CHANNELS: usize = 20;

pub(super) fn extension_view(catalog: &CatalogInput, package: &Package, bundle: &Bundle, olm: OlmV1) -> EntryExtension {
    let name = &bundle.name.value;
    let installed = InstalledBundle::of(bundle);
    let bundles = PackageBundles::of_package(package);
    let next = |channel: Option<&Channel>| {
        let channels: Vec<ChannelName> = channel.iter().map(|channel| channel.name.value.clone()).collect();
        let successors = SuccessorIndex::of(&bundles, &channels);
        let answer = successors.next(&installed).map(|next| next.bundle);
        let text = match &answer {
            Ok(next) if next.name.value == *name => "stays".to_owned(),
            Ok(next) => next.name.to_string(),
            Err(error) => error.to_string(),
        };
        let v0 = channel.and_then(|channel| {
            let chain = UpdateChain::of(package, channel).ok()?;
            let next = chain.next_update(name, bundle.version()).map(|next| next.to.name.value.to_string());
            let next = next.unwrap_or_else(|| "stays".to_owned());
            (answer.is_err() || next != text).then_some(next)
        });
        NextExtension { channel: channel.map(|channel| channel.name.to_string()), text, v0 }
    };
    let listing = package.channels.iter().filter(|channel| channel.entry(name.as_str()).is_some());
    let of_channels = listing.take(EXTENSION_CHANNELS).map(|channel| next(Some(channel)));
    let file = catalog.file(FileKey(bundle.span.file.0));
    let readiness = Readiness::of(bundle, file.map(|file| file.text.as_str()), olm);
    let is_unknown = readiness.verdict() == ReadinessVerdict::CannotBeKnown;
    EntryExtension {
        next: std::iter::once(next(None)).chain(of_channels).collect(),
        refusals: readiness.refusals.iter().map(Refusal::text).collect(),
        unknown: is_unknown.then(|| {
            "the catalog does not show the ClusterServiceVersion, so it is not known whether OLM v1 would refuse the bundle"
                .to_owned()
        }),
    }
}

#[cfg(test)]
mod tests {
    use crate::entry;
    use session::testing::workbench;
    use views::{CatalogId, EntryExtension, EntryKey, PackageKey};

    fn of(sketch: &str, name: &str) -> EntryExtension {
        let workbench = workbench(&[("c", sketch)]);
        let package = PackageKey { catalog: CatalogId(0), package: "p".to_owned() };
        let key = EntryKey { channel: Some("c".to_owned()), name: name.to_owned() };
        entry(&workbench, &package, &key, "").unwrap().extension.unwrap()
    }

    #[test]
    fn both_runtimes_are_told_where_they_part() {
        // OLM v0 leaves out the skipped entry, whose edge OLM v1 follows.
        let sketch = "package p c\nchannel p c p.v3.0.0-p.v2.0.0 p.v2.0.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0 unknown\nbundle p 2.0.0\nbundle p 3.0.0";
        let found = of(sketch, "p.v1.0.0");
        let rows: Vec<_> =
            found.next.iter().map(|row| (row.channel.as_deref(), &*row.text, row.v0.as_deref())).collect();
        assert_eq!(rows, [(None, "p.v2.0.0", None), (Some("c"), "p.v2.0.0", Some("stays"))]);
        assert!(found.unknown.is_some() && found.refusals.is_empty());
        let found = of(sketch, "p.v3.0.0");
        assert_eq!((&*found.next[1].text, found.next[1].v0.as_deref()), ("stays", None));
    }

    #[test]
    fn a_dependency_is_refused() {
        let sketch =
            "package p c\nchannel p c p.v2.0.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0\nbundle p 2.0.0 requires q >=1.0.0";
        let found = of(sketch, "p.v1.0.0");
        assert!(found.next[1].text.contains("has a dependency declared via property"), "{:?}", found.next);
        assert_eq!(found.next[1].v0.as_deref(), Some("p.v2.0.0"));
        assert_eq!(of(sketch, "p.v2.0.0").refusals.len(), 1);
    }
}
