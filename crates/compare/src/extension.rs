//! What OLM v1 makes of an installed version: rows for the same channels and entries as those about OLM v0, each for an
//! extension that names no channels and for one that names the channel (compare 3, 4.2).

use crate::extension_rule::ExtensionRule;
use crate::row::Row;
use crate::state::State;
use blang_semver::Version;
use catalog::{Bundle, BundleName, ChannelName, Entry, Package};
use extension::{
    Installed, InstalledBundle, InstalledVersionError, PackageBundles, ResolveError, Resolved, Successor, Successors,
    VersionRelease, is_dns_subdomain,
};
use predicate::PackageName;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;
use update_graph::{UpdateChain, version_of};

/// The most characters of the name of a channel in an extension.
const CHANNEL_NAME: usize = 253;

/// The updates that OLM v1 makes of one installed version in one state of the catalog.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExtensionFate {
    /// The updates, one after the other; empty if the version stays.
    pub hops: Vec<ExtensionHop>,
    /// Whether the last hop leads back to a version that was installed before.
    pub repeats: bool,
    /// Why the resolution fails, before the first or after the last hop.
    pub error: Option<ResolveError>,
    /// The bundle that is applied to the version that stays: the installed one, or another one with its version.
    pub stays_as: Option<BundleName>,
    /// The image of that bundle.
    image: Option<Box<str>>,
}

/// An update.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtensionHop {
    /// What it installs.
    pub to: BundleName,
    /// The version of that.
    pub version: Option<Version>,
}

impl ExtensionFate {
    /// The bundle that the first resolution gives; it is the installed one if the version stays.
    #[must_use]
    pub fn next(&self) -> Option<&BundleName> {
        self.hops.first().map(|hop| &hop.to).or(self.stays_as.as_ref())
    }

    /// An answer that no further one follows.
    pub(crate) fn of_answer(installed: &BundleName, answer: Result<Resolved, ResolveError>) -> Self {
        match answer {
            Ok(resolved) if resolved.bundle == *installed => {
                Self { stays_as: Some(resolved.bundle), image: resolved.image, ..Self::default() }
            }
            Ok(resolved) => {
                let hop = ExtensionHop { to: resolved.bundle, version: Some(resolved.version) };
                Self { hops: vec![hop], ..Self::default() }
            }
            Err(error) => Self { error: Some(error), ..Self::default() },
        }
    }

    /// Why the first resolution fails.
    #[must_use]
    pub fn first_error(&self) -> Option<&ResolveError> {
        self.error.as_ref().filter(|_| self.hops.is_empty())
    }

    /// The bundle where the updates of `installed` end.
    #[must_use]
    pub fn end<'f>(&'f self, installed: &'f BundleName) -> &'f BundleName {
        self.hops.last().map_or(installed, |hop| &hop.to)
    }
}

/// What becomes of an installed version under OLM v1 before and after a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtensionCase {
    /// Before. Rows share it if they have the same installed bundle and the same channels.
    pub old: Arc<ExtensionFate>,
    /// After; the same one if the package does not differ.
    pub new: Arc<ExtensionFate>,
    /// What the difference means; absent if there is none.
    pub rule: Option<ExtensionRule>,
}

/// An installed version of a channel that lists it in the old state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtensionRow {
    /// The channel.
    pub channel: ChannelName,
    /// The name of the bundle.
    pub installed: BundleName,
    /// Its version.
    pub version: Option<Version>,
    /// With an extension that names no channels.
    pub all: ExtensionCase,
    /// With one that names the channel alone.
    pub one: ExtensionCase,
}

impl ExtensionRow {
    /// The case of extensions that name the channel of the row, or no channels.
    #[must_use]
    pub fn case(&self, channel: Option<&ChannelName>) -> &ExtensionCase {
        if channel.is_none() { &self.all } else { &self.one }
    }

    /// The worst rule of both cases.
    #[must_use]
    pub fn rule(&self) -> Option<ExtensionRule> {
        [self.all.rule, self.one.rule].into_iter().flatten().min()
    }
}

/// The version of an installed bundle, or why it cannot be read.
type ReadVersion<'r> = Result<Installed<'r>, InstalledVersionError>;

/// A package in one state, for extensions of one choice of channels.
struct Side<'c> {
    successors: Successors<'c>,
    /// What follows each bundle of this state, by its position.
    known: BTreeMap<usize, Result<Successor<'c>, ResolveError>>,
    highest: Option<&'c BundleName>,
}

impl<'c> Side<'c> {
    fn of(package: &PackageBundles<'c>, channels: &[ChannelName]) -> Self {
        let successors = Successors::among(package, channels);
        let highest = successors.highest().map(|bundle| &bundle.name.value);
        Self { known: BTreeMap::new(), successors, highest }
    }

    fn fate(&mut self, installed: &InstalledBundle, read: &ReadVersion<'_>) -> ExtensionFate {
        let mut fate = ExtensionFate::default();
        let mut next = match self.successors.after(read, installed) {
            Ok(next) => next,
            Err(error) => return ExtensionFate { error: Some(error), ..fate },
        };
        let name = &installed.name;
        if next.bundle.name.value == *name || next.is_installed_version {
            fate.stays_as = Some(next.bundle.name.value.clone());
            fate.image = next.bundle.image.as_ref().map(|image| image.value.clone());
            return fate;
        }
        let mut visited = Vec::new();
        loop {
            let Successor { bundle, position: at, .. } = next;
            fate.repeats = bundle.name.value == *name || visited.contains(&at);
            fate.hops.push(ExtensionHop { to: bundle.name.value.clone(), version: bundle.version().cloned() });
            if fate.repeats {
                return fate;
            }
            visited.push(at);
            match self.known.entry(at).or_insert_with(|| self.successors.next(&InstalledBundle::of(bundle))) {
                Ok(further) if further.position == at => return fate,
                Ok(further) => next = *further,
                Err(error) => {
                    fate.error = Some(error.clone());
                    return fate;
                }
            }
        }
    }
}

/// Both states of a package, for extensions of one choice of channels.
struct Sides<'c> {
    old: Side<'c>,
    /// Absent if the states do not differ.
    new: Option<Side<'c>>,
}

/// The fates of an installed bundle before and after.
type Fates = [Arc<ExtensionFate>; 2];

impl<'c> Sides<'c> {
    fn of(old: &PackageBundles<'c>, new: Option<&PackageBundles<'c>>, channels: &[ChannelName]) -> Self {
        Self { old: Side::of(old, channels), new: new.map(|new| Side::of(new, channels)) }
    }

    fn fates(&mut self, installed: &InstalledBundle, read: &ReadVersion<'_>) -> Fates {
        let old = Arc::new(self.old.fate(installed, read));
        let new = self.new.as_mut().map_or_else(|| Arc::clone(&old), |new| Arc::new(new.fate(installed, read)));
        [old, new]
    }

    /// The bundles with the highest versions.
    fn highest(&self) -> [Option<&'c BundleName>; 2] {
        [self.old.highest, self.new.as_ref().map_or(self.old.highest, |new| new.highest)]
    }
}

/// Compares two states of one package under OLM v1, where `rows` has the answers for OLM v0. Installed names without a bundle
/// in the old state have no row, because OLM v1 cannot have installed them. OLM v1 does not validate catalogs: one that `opm`
/// rejects is resolved, too.
#[must_use]
pub fn compare_extensions(old: State<'_>, new: State<'_>, name: &PackageName, rows: &[Row]) -> Vec<ExtensionRow> {
    let Some(package) = old.catalog.package(name.as_str()) else { return Vec::new() };
    let is_changed = new.catalog.package(name.as_str()).is_none_or(|new| !is_same(package, new));
    let before = PackageBundles::of(old.catalog, name);
    let after = is_changed.then(|| PackageBundles::of(new.catalog, name));
    let versions = after.as_ref().unwrap_or(&before).versions();
    let mut of_all = Sides::of(&before, after.as_ref(), &[]);
    let mut known: BTreeMap<&BundleName, Fates> = BTreeMap::new();
    let mut of_channel: Option<(&ChannelName, Sides<'_>)> = None;
    let mut found = Vec::new();
    for row in rows {
        let Some(bundle) = package.bundle(row.installed.as_str()) else { continue };
        let channel = &row.channel;
        if of_channel.as_ref().is_none_or(|(known, _)| *known != channel) {
            let only = std::slice::from_ref(channel);
            of_channel = Some((channel, Sides::of(&before, after.as_ref(), only)));
        }
        let Some((_, sides)) = &mut of_channel else { continue };
        let installed = InstalledBundle::of(bundle);
        let read = Installed::read(&installed);
        let v0_next = || [&row.old, &row.new].map(|fate| fate.hops.first().and_then(|hop| hop.version.clone()));
        let given = Given { bundle, versions: &versions, package, v0_next: &v0_next };
        let all = known.entry(&bundle.name.value).or_insert_with(|| of_all.fates(&installed, &read)).clone();
        let all = given.case(all, of_all.highest());
        let mut one = given.case(sides.fates(&installed, &read), sides.highest());
        if !is_selectable(channel) {
            one.rule = None;
        }
        let (channel, installed, version) = (channel.clone(), row.installed.clone(), row.version.clone());
        found.push(ExtensionRow { channel, installed, version, all, one });
    }
    found
}

/// The rule about an installed version, with `new` in place of the new state of the package. `channel` is the one that
/// extensions name; `None` if they name none.
pub(crate) fn extension_rule(
    row: &ExtensionRow,
    channel: Option<&ChannelName>,
    old: &Package,
    new: &Package,
) -> Option<ExtensionRule> {
    let bundle = old.bundle(row.installed.as_str())?;
    let [before, after] = [old, new].map(PackageBundles::of_package);
    let installed = InstalledBundle::of(bundle);
    let mut sides = Sides::of(&before, Some(&after), channel.map_or(&[], std::slice::from_ref));
    let fates = sides.fates(&installed, &Installed::read(&installed));
    let v0_next = || {
        [old, new].map(|package| {
            let chain = UpdateChain::of(package, package.channel(row.channel.as_str())?).ok()?;
            let next = chain.next_update(&row.installed, row.version.as_ref())?;
            version_of(package, &next.to.name.value)
        })
    };
    Given { bundle, versions: &after.versions(), package: old, v0_next: &v0_next }.case(fates, sides.highest()).rule
}

/// Whether an extension can name a channel: the API server rejects other names (operator-controller
/// `api/v1/clusterextension_types.go`).
pub(crate) fn is_selectable(channel: &ChannelName) -> bool {
    channel.as_str().len() <= CHANNEL_NAME && is_dns_subdomain(channel.as_str())
}

/// Whether two states of a package differ in nothing but places, so that OLM v1 cannot tell them apart.
fn is_same(old: &Package, new: &Package) -> bool {
    // The order of bundles decides between equal versions.
    let bundles = |package: &'_ Package| {
        let mut bundles: Vec<_> = package.bundles.iter().map(|bundle| (bundle.span, &bundle.name.value)).collect();
        bundles.sort();
        bundles.into_iter().map(|(_, name)| name.clone()).collect::<Vec<_>>()
    };
    same(&old.channels, &new.channels, |old, new| {
        old.name.value == new.name.value && same(&old.entries, &new.entries, is_same_entry)
    }) && same(&old.bundles, &new.bundles, is_same_bundle)
        && same(&old.deprecations, &new.deprecations, |old, new| old.target == new.target)
        && bundles(old) == bundles(new)
}

fn same<T>(old: &[T], new: &[T], is_same: impl Fn(&T, &T) -> bool) -> bool {
    old.len() == new.len() && old.iter().zip(new).all(|(old, new)| is_same(old, new))
}

fn is_same_entry(old: &Entry, new: &Entry) -> bool {
    let replaced = |entry: &Entry| entry.replaces.as_ref().map(|name| name.value.clone());
    let range = |entry: &Entry| entry.skip_range.as_ref().map(|range| range.value.text.clone());
    old.name.value == new.name.value
        && replaced(old) == replaced(new)
        && same(&old.skips, &new.skips, |old, new| old.value == new.value)
        && range(old) == range(new)
}

fn is_same_bundle(old: &Bundle, new: &Bundle) -> bool {
    let image = |bundle: &Bundle| bundle.image.as_ref().map(|image| image.value.clone());
    old.name.value == new.name.value
        && image(old) == image(new)
        && same(&old.properties, &new.properties, |old, new| old.value == new.value)
}

/// An installed version.
struct Given<'r> {
    bundle: &'r Bundle,
    /// The versions of the new state, ascending.
    versions: &'r [&'r VersionRelease],
    /// The package in the old state.
    package: &'r Package,
    /// The versions that OLM v0 updates to next, before and after.
    v0_next: &'r dyn Fn() -> [Option<Version>; 2],
}

impl Given<'_> {
    fn case(&self, [old, new]: Fates, highest: [Option<&BundleName>; 2]) -> ExtensionCase {
        let is_shared = Arc::ptr_eq(&old, &new);
        let mut rules = ExtensionRule::ALL.into_iter().filter(|_| !is_shared);
        let rule = rules.find(|rule| self.applies(*rule, &old, &new, highest));
        ExtensionCase { old, new, rule }
    }

    fn applies(
        &self,
        rule: ExtensionRule,
        old: &ExtensionFate,
        new: &ExtensionFate,
        [old_highest, new_highest]: [Option<&BundleName>; 2],
    ) -> bool {
        let name = &self.bundle.name.value;
        let is_dependency = |fate: &ExtensionFate| matches!(fate.first_error(), Some(ResolveError::Dependency { .. }));
        let is_lower = |fate: &ExtensionFate| {
            let next = fate.hops.first().and_then(|hop| hop.version.as_ref());
            next.zip(self.bundle.version()).is_some_and(|(next, installed)| next < installed)
        };
        match rule {
            ExtensionRule::Error => new.first_error().is_some() && !is_dependency(new) && old.first_error().is_none(),
            ExtensionRule::Dependency => is_dependency(new) && !is_dependency(old),
            ExtensionRule::Downgrade => is_lower(new) && !is_lower(old),
            _ if new.first_error().is_some() => rule == ExtensionRule::PinLost && self.is_version_gone(),
            ExtensionRule::EndLower => self.compare_ends(old, new) == Some(Ordering::Less),
            ExtensionRule::EndBehind => {
                let reached = old_highest == Some(old.end(name)) && old.first_error().is_none();
                reached && new_highest.is_some_and(|highest| highest != new.end(name))
            }
            ExtensionRule::NextChanged => {
                let existed = |next: &BundleName| self.package.bundle(next.as_str()).is_some();
                let (before, after) = (old.hops.first(), new.hops.first());
                before.zip(after).is_some_and(|(before, after)| before.to != after.to && existed(&after.to))
            }
            ExtensionRule::JumpWidened => self.jumps_a_minor(old, new),
            ExtensionRule::ImageSwap => {
                let image = self.bundle.image.as_ref().map(|image| &image.value);
                new.stays_as.is_some() && new.image.as_ref() != image
            }
            ExtensionRule::PinLost => self.is_version_gone(),
            ExtensionRule::SuccessorLower => {
                let [v0_old, v0_new] = (self.v0_next)();
                let is_left = |v0_next: Option<Version>, v1: &ExtensionFate| {
                    let is_lower =
                        v0_next.zip(self.bundle.version()).is_some_and(|(next, installed)| next < *installed);
                    is_lower && v1.hops.is_empty() && v1.error.is_none()
                };
                is_left(v0_new, new) && !is_left(v0_old, old)
            }
            // It takes several catalogs.
            ExtensionRule::Ambiguous => false,
        }
    }

    fn is_version_gone(&self) -> bool {
        let Ok(version) = VersionRelease::of(self.bundle) else { return false };
        self.versions.binary_search(&&version).is_err()
    }

    fn compare_ends(&self, old: &ExtensionFate, new: &ExtensionFate) -> Option<Ordering> {
        let version = |fate: &ExtensionFate| {
            fate.hops.last().map_or_else(|| self.bundle.version().cloned(), |hop| hop.version.clone())
        };
        Some(version(new)?.cmp(&version(old)?))
    }

    /// Whether the first update leaves out all versions of a minor version that the updates came through before.
    fn jumps_a_minor(&self, old: &ExtensionFate, new: &ExtensionFate) -> bool {
        let minor = |version: &Version| (version.major(), version.minor());
        let visited = |hop: &ExtensionHop| new.hops.iter().any(|new| new.to == hop.to);
        let between = old.hops.split_last().map_or(&[][..], |(_, between)| between);
        let mut left_out = between.iter().filter(|hop| !visited(hop)).filter_map(|hop| hop.version.as_ref().map(minor));
        let ends =
            self.bundle.version().map(minor).zip(new.hops.first().and_then(|hop| hop.version.as_ref().map(minor)));
        ends.is_some_and(|(from, to)| left_out.any(|between| from < between && between < to))
    }
}
