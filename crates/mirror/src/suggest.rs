//! The `minVersion` with which a mirror strands no installed version: found by trial, each a filtering of the package and a look
//! at what becomes of all installed versions, within limits.

use crate::channel::Bound;
use crate::config::{MirroredCatalog, MirroredPackage};
use crate::filter::{PackageRequest, filter_package};
use crate::kept::{Kept, KeptPackage};
use catalog::predicate::PackageName;
use catalog::{Bundle, BundleName, Catalog, Channel, ChannelName, Package};
use compare::{Installed, Row, Rule, Runtime, State, compare_package};
use go_semver::blang::Version;
use source::{OcMirror, Severity, Spanned};
use std::collections::BTreeSet;
use update_graph::{NextUpdate, UpdateChain};

/// How many candidates of a package are compared in full, if `olm.deprecated` forbids a version of it.
const COMPARISONS: usize = 16;
/// How many entries the search for a package looks at, each once for each candidate.
const STEPS: usize = 1_000_000;
/// How many steps all searches of a configuration take together.
const ALL_STEPS: usize = 5_000_000;

/// The highest `minVersion` with which a mirror strands nobody, which makes the smallest mirror.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MinVersion {
    pub package: PackageName,
    /// The channel, where the bounds are those of a channel.
    pub channel: Option<ChannelName>,
    /// How many installed versions the configuration strands as it is.
    pub stranded: usize,
    /// How many bundles it keeps as it is; absent if there is no mirror that can be served.
    pub kept: Option<usize>,
    /// The answer.
    pub outcome: TrialOutcome,
}

/// What the trials found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TrialOutcome {
    /// With this `minVersion` nobody is stranded.
    Found {
        version: Version,
        /// How many bundles the mirror then has of the package.
        kept: usize,
    },
    /// Whatever `minVersion` is, somebody is stranded; with the lowest, these are.
    Impossible(Vec<Stranded>),
    /// Whatever `minVersion` is, oc-mirror stops with an error.
    Stops,
    /// The channel is too large to try all versions.
    GaveUp,
}

/// For each package of the configuration, or each of its channels where these have the bounds: the highest `minVersion` that
/// strands no installed version of the channels that are mirrored. Installed is all that the full catalog lists, or
/// `installed`. A configuration without packages has one answer for each package that it strands a version of. There is
/// none for `full: true`, which allows no bounds.
#[must_use]
pub fn smallest_min_versions(
    full: &Catalog,
    wanted: &MirroredCatalog,
    installed: Option<&BTreeSet<BundleName>>,
    release: OcMirror,
) -> Vec<MinVersion> {
    let search = |full: &Package, config: &MirroredPackage, channel: Option<usize>| {
        Search::of(full, config, channel, installed, release)
    };
    let mut found = Vec::new();
    if wanted.full {
        return found;
    }
    let mut steps = ALL_STEPS;
    for package in &wanted.packages {
        let Some(known) = full.package(&package.name.value) else { continue };
        if package.channels.is_empty() || !package.bounds.is_empty() {
            found.push(search(known, package, None).run(&mut steps));
            continue;
        }
        for at in 0..package.channels.len() {
            if known.channel(&package.channels[at].name.value).is_some() {
                found.push(search(known, package, Some(at)).run(&mut steps));
            }
        }
    }
    if wanted.packages.is_empty() {
        for known in &full.packages {
            let name = Spanned::new(known.name.as_str().into(), wanted.span);
            let bounds = crate::Bounds::default();
            let package =
                MirroredPackage { span: wanted.span, name, default_channel: None, bounds, channels: Vec::new() };
            let search = search(known, &package, None);
            if search.now.as_ref().is_some_and(|(_, stranded)| !stranded.is_empty()) {
                found.push(search.run(&mut steps));
            }
        }
    }
    found
}

/// The search for one `minVersion`.
struct Search<'c> {
    /// The package with the channels that the bound is for.
    full: Package,
    config: MirroredPackage,
    /// The index of the channel in the configuration, if the bound is one of a channel.
    channel: Option<usize>,
    installed: Option<&'c BTreeSet<BundleName>>,
    release: OcMirror,
    /// What the configuration keeps and strands as it is; absent if there is no mirror that can be served.
    now: Option<(usize, Vec<Stranded>)>,
}

impl<'c> Search<'c> {
    fn of(
        full: &Package,
        config: &MirroredPackage,
        channel: Option<usize>,
        installed: Option<&'c BTreeSet<BundleName>>,
        release: OcMirror,
    ) -> Self {
        let mut config = config.clone();
        let mut full = without_details(full);
        if let Some(at) = channel {
            // Other channels have bounds of their own; the default channel is not in question here.
            let channel = config.channels[at].clone();
            full.default_channel = Some(channel.name.as_ref().map(|name| ChannelName::from(&**name)));
            config.default_channel = None;
            config.channels = vec![channel];
        }
        if !config.channels.is_empty() {
            let is_selected = |channel: &Channel| {
                config.channels.iter().any(|selected| *selected.name.value == *channel.name.value.as_str())
            };
            full.channels.retain(is_selected);
        }
        let mut search = Self { full, config, channel, installed, release, now: None };
        search.now = search
            .filtered(&search.config)
            .map(|kept| (kept.bundles.len(), InstalledVersions::of(&search.full, search.installed).stranded(&kept)));
        search
    }

    /// Searches; takes the steps that it needs from `steps`.
    fn run(self, steps: &mut usize) -> MinVersion {
        let before = STEPS.min(*steps);
        let mut left = before;
        let outcome = self.search(&mut left);
        *steps -= before - left;
        let channel = self.channel.and(self.config.channels.first());
        let (kept, stranded) = match &self.now {
            Some((kept, stranded)) => (Some(*kept), stranded.len()),
            None => (None, 0),
        };
        MinVersion {
            package: self.full.name.clone(),
            channel: channel.map(|channel| ChannelName::from(&*channel.name.value)),
            stranded,
            kept,
            outcome,
        }
    }

    fn search(&self, steps: &mut usize) -> TrialOutcome {
        let mut candidates: Vec<Version> = self.entries().filter_map(|(_, name)| self.version(name)).collect();
        candidates.sort_by(|one, other| other.cmp(one));
        candidates.dedup();
        let installed = InstalledVersions::of(&self.full, self.installed);
        let (mut comparisons, entries) = (COMPARISONS, self.entries().count());
        let mut lowest = None;
        for version in candidates {
            let Some(left) = steps.checked_sub(entries) else { return TrialOutcome::GaveUp };
            *steps = left;
            let Some(kept) = self.filtered(&self.with_min(&version)) else { continue };
            let mut stranded = installed.stranded_by_chains(&kept);
            if stranded.is_empty() && installed.has_deprecated {
                let Some(rest) = comparisons.checked_sub(1) else { return TrialOutcome::GaveUp };
                comparisons = rest;
                stranded = installed.stranded_by_comparison(&kept);
            }
            if stranded.is_empty() {
                return TrialOutcome::Found { version, kept: kept.bundles.len() };
            }
            lowest = Some(stranded);
        }
        lowest.map_or(TrialOutcome::Stops, TrialOutcome::Impossible)
    }

    /// What is kept with a configuration; nothing if oc-mirror stops, or opm cannot serve the mirror.
    fn filtered(&self, config: &MirroredPackage) -> Option<KeptPackage> {
        let request = PackageRequest { config: Some(config), full: false, place: config.span, release: self.release };
        let (kept, notes) = filter_package(&self.full, request).ok()?;
        notes.iter().all(|note| note.severity != Severity::Error).then_some(kept)
    }

    /// The configuration with another `minVersion`.
    fn with_min(&self, version: &Version) -> MirroredPackage {
        let mut config = self.config.clone();
        let bounds = match self.channel {
            Some(_) => &mut config.channels[0].bounds,
            None => &mut config.bounds,
        };
        bounds.min = Some(Spanned::new(Bound::at(version), config.span));
        config
    }

    fn entries(&self) -> impl Iterator<Item = (&Channel, &BundleName)> {
        self.full
            .channels
            .iter()
            .flat_map(|channel| channel.entries.iter().map(move |entry| (channel, &entry.name.value)))
    }

    fn version(&self, name: &BundleName) -> Option<Version> {
        self.full.bundle(name.as_str())?.version().cloned()
    }
}

/// A package with only those properties that decide updates. It is copied for each trial.
fn without_details(full: &Package) -> Package {
    let bundle = |bundle: &Bundle| {
        let decides = |kind: &str| matches!(kind, "olm.package" | "olm.deprecated");
        let properties = bundle.properties.iter().filter(|property| decides(property.value.kind()));
        Bundle { properties: properties.cloned().collect(), ..bundle.clone() }
    };
    Package { bundles: full.bundles.iter().map(bundle).collect(), icon: None, ..full.clone() }
}

// Which installed versions a mirror strands. A comparison says the same, but follows all updates to their ends; the
// first one decides whether a version is stranded, and a search for a `minVersion` asks often.

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
struct InstalledVersions<'c> {
    package: &'c Package,
    installed: Option<&'c BTreeSet<BundleName>>,
    channels: Vec<ChannelVersions<'c>>,
    /// Whether `olm.deprecated` forbids a version. Then update chains do not decide alone.
    has_deprecated: bool,
}

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
    fn stranded_by_chains(&self, kept: &KeptPackage) -> Vec<Stranded> {
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
    fn stranded_by_comparison(&self, kept: &KeptPackage) -> Vec<Stranded> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::read;
    use catalog::{ParsedFile, lower};
    use source::FileId;

    #[test]
    fn the_search_has_a_limit() {
        let text = "schema: olm.channel\npackage: p\nname: c\nentries:\n- {name: p.v2, replaces: p.v1}\n- {name: p.v1}\n---\nschema: olm.bundle\npackage: p\nname: p.v1\nproperties: [{type: olm.package, value: {packageName: p, version: 1.0.0}}]\n---\nschema: olm.bundle\npackage: p\nname: p.v2\nproperties: [{type: olm.package, value: {packageName: p, version: 2.0.0}}]\n";
        let parse = fbc::parse(FileId(0), text);
        let (catalog, _) = lower(&[ParsedFile { text, parse: &parse }]);
        let config = "apiVersion: mirror.openshift.io/v2alpha1\nkind: ImageSetConfiguration\nmirror: {operators: [{catalog: c, packages: [{name: p}]}]}\n";
        let config = read(FileId(1), config, OcMirror::default());
        let outcome = |mut steps: usize| {
            let search =
                Search::of(&catalog.packages[0], &config.catalogs[0].packages[0], None, None, OcMirror::default());
            (search.run(&mut steps).outcome, steps)
        };
        let found = TrialOutcome::Found { version: Version::new(2, 0, 0), kept: 1 };
        assert_eq!((outcome(1), outcome(10)), ((TrialOutcome::GaveUp, 1), (found, 8)));
    }
}
