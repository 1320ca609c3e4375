//! Which installed versions a mirror strands. A comparison says the same, but follows all updates to their ends; the first one
//! decides whether a version is stranded, and a search for a `minVersion` asks often.

use crate::kept::{Kept, KeptPackage};
use catalog::predicate::PackageName;
use catalog::{BundleName, Catalog, Channel, ChannelName, Package};
use compare::{Installed, Row, Rule, Runtime, State, compare_package};
use go_semver::blang::Version;
use std::collections::BTreeSet;
use update_graph::{NextUpdate, UpdateChain};

/// An installed version that a mirror strands: OLM no longer updates it, or cannot resolve its namespace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stranded {
    pub package: PackageName,
    pub channel: ChannelName,
    /// The name of the CSV.
    pub installed: BundleName,
}

/// The installed versions that a mirror strands, of the packages that it has: all that the full catalog lists, or those of
/// them that are `installed`.
#[must_use]
pub fn stranded(full: &Catalog, kept: &Kept, installed: Option<&BTreeSet<BundleName>>) -> Vec<Stranded> {
    let packages = kept.packages.iter().filter_map(|(name, kept)| Some((full.package(name.as_str())?, kept)));
    packages.flat_map(|(package, kept)| InstalledVersions::of(package, installed).stranded(kept)).collect()
}

/// The versions of a package that may be installed, with what becomes of them in the full catalog.
pub(crate) struct InstalledVersions<'c> {
    package: &'c Package,
    installed: Option<&'c BTreeSet<BundleName>>,
    channels: Vec<ChannelVersions<'c>>,
    /// Whether `olm.deprecated` forbids a version. Then update chains do not decide alone.
    pub(crate) has_deprecated: bool,
}

/// The versions of a channel.
struct ChannelVersions<'c> {
    channel: &'c Channel,
    versions: Vec<(&'c BundleName, Option<Version>)>,
    /// Whether each is the head or is updated.
    is_served: Vec<bool>,
    /// Whether OLM cannot order the channel.
    is_broken: bool,
}

impl<'c> InstalledVersions<'c> {
    pub(crate) fn of(package: &'c Package, installed: Option<&'c BTreeSet<BundleName>>) -> Self {
        let versions = |channel: &'c Channel| {
            let mut listed = BTreeSet::new();
            let names = channel.entries.iter().map(|entry| &entry.name.value).filter(|name| listed.insert(*name));
            let names = names.filter(|name| installed.is_none_or(|installed| installed.contains(*name)));
            let version = |name| Installed { name, bundle: package.bundle(name.as_str()) }.version();
            let versions: Vec<_> = names.map(|name| (name, version(name))).collect();
            let served = served(package, channel, &versions);
            ChannelVersions { channel, is_broken: served.is_none(), is_served: served.unwrap_or_default(), versions }
        };
        let mut properties = package.bundles.iter().flat_map(|bundle| &bundle.properties);
        Self {
            package,
            installed,
            channels: package.channels.iter().map(versions).collect(),
            has_deprecated: properties.any(|property| property.value.kind() == "olm.deprecated"),
        }
    }

    /// Those that a mirror strands.
    pub(crate) fn stranded(&self, kept: &KeptPackage) -> Vec<Stranded> {
        if self.has_deprecated { self.stranded_by_comparison(kept) } else { self.stranded_by_chains(kept) }
    }

    /// Those that a mirror strands if nothing is forbidden.
    pub(crate) fn stranded_by_chains(&self, kept: &KeptPackage) -> Vec<Stranded> {
        let mut found = Vec::new();
        for of_channel in &self.channels {
            let name = &of_channel.channel.name.value;
            let names = kept.channels.get(name).filter(|names| !names.is_empty());
            let entries = of_channel.channel.entries.iter();
            let entries = entries.filter(|entry| names.is_some_and(|names| names.contains(&entry.name.value)));
            let channel = Channel { entries: entries.cloned().collect(), ..of_channel.channel.clone() };
            let is_gone = channel.entries.is_empty();
            let served = served(self.package, &channel, &of_channel.versions);
            for (at, (installed, _)) in of_channel.versions.iter().enumerate() {
                let is_stranded = match &served {
                    _ if is_gone => true,
                    None => !of_channel.is_broken,
                    Some(served) => !served[at] && of_channel.is_served.get(at) == Some(&true),
                };
                if is_stranded {
                    let package = self.package.name.clone();
                    found.push(Stranded { package, channel: name.clone(), installed: (*installed).clone() });
                }
            }
        }
        found
    }

    /// Those that a comparison with a mirror says are harmed.
    pub(crate) fn stranded_by_comparison(&self, kept: &KeptPackage) -> Vec<Stranded> {
        let catalog = |package: Package| Catalog { packages: vec![package.into()], ..Catalog::default() };
        let (old, new) = (catalog(self.package.clone()), catalog(kept.package(self.package)));
        let state = |catalog| State { catalog, rejected: None };
        let name = &self.package.name;
        let is_harmed = |row: &Row| {
            use Rule::{V0ChannelGone, V0Deprecated, V0GraphBroken, V0PackageGone, V0Stranded};
            matches!(row.rule, Some(V0PackageGone | V0ChannelGone | V0GraphBroken | V0Deprecated | V0Stranded))
                && self.installed.is_none_or(|installed| installed.contains(&row.installed))
        };
        let rows = compare_package(state(&old), state(&new), name, Runtime::V0).rows.into_iter().filter(is_harmed);
        rows.map(|row| Stranded { package: name.clone(), channel: row.channel, installed: row.installed }).collect()
    }
}

/// Whether each version is the head of a channel or is updated there; `None` if OLM cannot order the channel.
fn served(package: &Package, channel: &Channel, versions: &[(&BundleName, Option<Version>)]) -> Option<Vec<bool>> {
    let chain = UpdateChain::of(package, channel).ok()?;
    let head = &chain.entries.first()?.name.value;
    let entries: Vec<_> = versions.iter().map(|(name, version)| (*name, version.as_ref())).collect();
    let updates: Vec<Option<NextUpdate<'_>>> = chain.next_updates(&entries);
    Some(updates.iter().zip(&entries).map(|(update, (name, _))| update.is_some() || *name == head).collect())
}
