//! Which installed versions a mirror strands, and which `minVersion` strands none: found by trial, each a filtering and a
//! comparison, within limits.

use crate::bounds::Bound;
use crate::config::{MirroredCatalog, MirroredPackage};
use crate::filter::{PackageRequest, filter_package};
use crate::kept::{Kept, KeptPackage};
use blang_semver::Version;
use catalog::{Bundle, BundleName, Catalog, Channel, ChannelName, Package};
use compare::{Row, RowRule, State, compare_package};
use predicate::PackageName;
use source::Spanned;
use std::collections::BTreeSet;

/// How many candidates of a package are compared in full.
const COMPARISONS: usize = 16;
/// How many pairs of an installed version and an entry are looked at for a package.
const PAIRS: usize = 4_000_000;

/// An installed version that a mirror strands: OLM no longer updates it, or cannot resolve its namespace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stranded {
    /// The package.
    pub package: PackageName,
    /// The channel of the Subscription.
    pub channel: ChannelName,
    /// The name of the CSV.
    pub installed: BundleName,
}

/// The highest `minVersion` with which a mirror strands nobody, which makes the smallest mirror.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MinVersion {
    /// The package.
    pub package: PackageName,
    /// The channel, where the bounds are those of a channel.
    pub channel: Option<ChannelName>,
    /// How many installed versions the configuration strands as it is.
    pub stranded: usize,
    /// How many bundles it keeps as it is; absent if oc-mirror stops.
    pub kept: Option<usize>,
    /// The answer.
    pub outcome: Outcome,
}

/// What the trials found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// With this `minVersion` nobody is stranded.
    Found {
        /// The version.
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

/// The installed versions that a mirror strands, of the packages that it has: all that the full catalog lists, or those of
/// them that are `installed`.
#[must_use]
pub fn stranded(full: &Catalog, kept: &Kept, installed: Option<&BTreeSet<BundleName>>) -> Vec<Stranded> {
    let mut found = Vec::new();
    for (name, kept) in &kept.packages {
        let Some(package) = full.package(name.as_str()) else { continue };
        found.extend(harmed(package, &kept.package(package), installed));
    }
    found
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
) -> Vec<MinVersion> {
    let mut found = Vec::new();
    if wanted.full {
        return found;
    }
    for package in &wanted.packages {
        let Some(known) = full.package(&package.name.value) else { continue };
        if package.channels.is_empty() || !package.bounds.is_empty() {
            found.push(Search::of(known, package, None, installed).run());
            continue;
        }
        for at in 0..package.channels.len() {
            if known.channel(&package.channels[at].name.value).is_some() {
                found.push(Search::of(known, package, Some(at), installed).run());
            }
        }
    }
    if wanted.packages.is_empty() {
        for known in &full.packages {
            let name = Spanned::new(known.name.as_str().into(), wanted.span);
            let bounds = crate::Bounds::default();
            let package =
                MirroredPackage { span: wanted.span, name, default_channel: None, bounds, channels: Vec::new() };
            let search = Search::of(known, &package, None, installed);
            if search.now.as_ref().is_some_and(|(_, stranded)| !stranded.is_empty()) {
                found.push(search.run());
            }
        }
    }
    found
}

/// The rows of a comparison that are harmed.
fn harmed(full: &Package, kept: &Package, installed: Option<&BTreeSet<BundleName>>) -> Vec<Stranded> {
    let (old, new) = (Catalog { packages: vec![full.clone()] }, Catalog { packages: vec![kept.clone()] });
    let state = |catalog| State { catalog, rejected: None };
    let comparison = compare_package(state(&old), state(&new), &full.name);
    let is_harmed = |row: &Row| {
        matches!(
            row.rule,
            Some(
                RowRule::PackageGone
                    | RowRule::ChannelGone
                    | RowRule::GraphBroken
                    | RowRule::Deprecated
                    | RowRule::Stranded
            )
        ) && installed.is_none_or(|installed| installed.contains(&row.installed))
    };
    let stranded = |row: Row| Stranded { package: full.name.clone(), channel: row.channel, installed: row.installed };
    comparison.rows.into_iter().filter(is_harmed).map(stranded).collect()
}

/// The search for one `minVersion`.
struct Search<'c> {
    /// The package with the channels that the bound is for.
    full: Package,
    config: MirroredPackage,
    /// The index of the channel in the configuration, if the bound is one of a channel.
    channel: Option<usize>,
    installed: Option<&'c BTreeSet<BundleName>>,
    /// What the configuration keeps and strands as it is; absent if oc-mirror stops.
    now: Option<(usize, Vec<Stranded>)>,
}

impl<'c> Search<'c> {
    fn of(
        full: &Package,
        config: &MirroredPackage,
        channel: Option<usize>,
        installed: Option<&'c BTreeSet<BundleName>>,
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
        let mut search = Self { full, config, channel, installed, now: None };
        search.now = search.filtered(&search.config).map(|kept| (kept.bundles.len(), search.harmed(&kept)));
        search
    }

    fn run(self) -> MinVersion {
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
            outcome: self.search(),
        }
    }

    fn search(&self) -> Outcome {
        let mut candidates: Vec<Version> = self.entries().filter_map(|(_, name)| self.version(name)).collect();
        candidates.sort_by(|one, other| other.cmp(one));
        candidates.dedup();
        let (mut pairs, mut comparisons) = (PAIRS, COMPARISONS);
        let mut lowest = None;
        let known_stuck: BTreeSet<(ChannelName, BundleName)> = stuck_before(&self.full);
        for version in candidates {
            let Some(kept) = self.filtered(&self.with_min(&version)) else { continue };
            let Some(is_promising) = self.is_promising(&kept, &known_stuck, &mut pairs) else { return Outcome::GaveUp };
            if is_promising {
                let Some(rest) = comparisons.checked_sub(1) else { return Outcome::GaveUp };
                comparisons = rest;
                if self.harmed(&kept).is_empty() {
                    return Outcome::Found { version, kept: kept.bundles.len() };
                }
            }
            lowest = Some(kept);
        }
        lowest.map_or(Outcome::Stops, |kept| Outcome::Impossible(self.harmed(&kept)))
    }

    fn harmed(&self, kept: &KeptPackage) -> Vec<Stranded> {
        harmed(&self.full, &kept.package(&self.full), self.installed)
    }

    /// What is kept with a configuration; nothing if oc-mirror stops.
    fn filtered(&self, config: &MirroredPackage) -> Option<KeptPackage> {
        let request = PackageRequest { config: Some(config), full: false, place: config.span };
        filter_package(&self.full, request).ok().map(|(kept, _)| kept)
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

    /// Whether each installed version that is not kept has an edge to one that is; `None` if that takes too long. Much
    /// cheaper than a comparison, which has to follow.
    fn is_promising(
        &self,
        kept: &KeptPackage,
        stuck_before: &BTreeSet<(ChannelName, BundleName)>,
        pairs: &mut usize,
    ) -> Option<bool> {
        for channel in &self.full.channels {
            let names = kept.channels.get(&channel.name.value);
            let is_kept = |name: &BundleName| names.is_some_and(|names| names.contains(name));
            let targets: Vec<_> = channel.entries.iter().filter(|entry| is_kept(&entry.name.value)).collect();
            // The oldest are most likely to be stranded.
            for name in channel.entries.iter().rev().map(|entry| &entry.name.value).filter(|name| !is_kept(name)) {
                if self.installed.is_some_and(|installed| !installed.contains(name)) {
                    continue;
                }
                *pairs = pairs.checked_sub(targets.len() + 1)?;
                let version = self.version(name);
                let moves = targets.iter().any(|entry| update_graph::hop(entry, name, version.as_ref()).is_some());
                if !moves && !stuck_before.contains(&(channel.name.value.clone(), name.clone())) {
                    return Some(false);
                }
            }
        }
        Some(true)
    }
}

/// The versions that are stuck in the full catalog: no mirror can strand them.
fn stuck_before(full: &Package) -> BTreeSet<(ChannelName, BundleName)> {
    let catalog = Catalog { packages: vec![full.clone()] };
    let state = State { catalog: &catalog, rejected: None };
    let rows = compare_package(state, state, &full.name).rows.into_iter();
    let stuck = rows.filter(|row| row.rule.is_some() || row.old.head().is_none() || row.old.error.is_some());
    stuck.map(|row| (row.channel, row.installed)).collect()
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
