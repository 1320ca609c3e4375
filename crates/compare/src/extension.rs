//! What OLM v1 makes of an installed version: rows for the same channels and entries as those about OLM v0, each for an
//! extension that names no channels and for one that names the channel (compare 3, 4.2).

use crate::fate::Fate;
use crate::level::Level;
use crate::row::Row;
use crate::rule::ComparisonRule;
use crate::state::State;
use blang_semver::Version;
use catalog::{Bundle, BundleName, ChannelName, Package};
use extension::{
    Installed, InstalledBundle, InstalledVersionError, PackageBundles, ResolveError, Successor, Successors,
    VersionRelease,
};
use predicate::PackageName;
use std::cmp::Ordering;
use std::collections::BTreeMap;

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

    /// Why the first resolution fails.
    #[must_use]
    pub fn first_error(&self) -> Option<&ResolveError> {
        self.error.as_ref().filter(|_| self.hops.is_empty())
    }

    fn end<'f>(&'f self, installed: &'f BundleName) -> &'f BundleName {
        self.hops.last().map_or(installed, |hop| &hop.to)
    }
}

/// What becomes of an installed version under OLM v1 before and after a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtensionCase {
    /// Before.
    pub old: ExtensionFate,
    /// After.
    pub new: ExtensionFate,
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
    /// The worst rule of both cases.
    #[must_use]
    pub fn rule(&self) -> Option<ExtensionRule> {
        [self.all.rule, self.one.rule].into_iter().flatten().min()
    }
}

/// A rule about a row, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExtensionRule {
    /// The resolution fails.
    Error,
    /// The next bundle has a dependency.
    Dependency,
    /// The next version is lower.
    Downgrade,
    /// The updates end at a lower version than before.
    EndLower,
    /// The updates no longer reach the highest version.
    EndBehind,
    /// The next update is another one, to a bundle that was there before.
    NextChanged,
    /// The next update leaves out a version in between, and crosses a minor or major version that it did not cross.
    JumpWidened,
    /// The bundle has another image.
    ImageSwap,
    /// No bundle has the version any more.
    PinLost,
    /// An edge leads to a lower version, which OLM v0 follows.
    SuccessorLower,
}

impl ExtensionRule {
    /// All rules, the worst first.
    pub const ALL: [Self; 10] = [
        Self::Error,
        Self::Dependency,
        Self::Downgrade,
        Self::EndLower,
        Self::EndBehind,
        Self::NextChanged,
        Self::JumpWidened,
        Self::ImageSwap,
        Self::PinLost,
        Self::SuccessorLower,
    ];

    /// Its texts and its level.
    #[must_use]
    pub const fn rule(self) -> ComparisonRule {
        match self {
            Self::Error => ComparisonRule {
                id: "v1-error",
                level: Level::Breaking,
                about: "OLM v1 finds no bundle for the version any more.",
                effect: "The extension keeps running what it has, gets no updates, and its condition `Progressing` says `Retrying` with the error.",
            },
            Self::Dependency => ComparisonRule {
                id: "v1-dependency",
                level: Level::Breaking,
                about: "The next bundle has a dependency, which OLM v1 refuses.",
                effect: "OLM v1 takes no lower bundle instead: every extension that could be updated gets the error.",
            },
            Self::Downgrade => ComparisonRule {
                id: "v1-downgrade",
                level: Level::Breaking,
                about: "OLM v1 goes to a lower version.",
                effect: "The installed bundle is deprecated, and OLM v1 prefers a bundle that is not, even a lower one. The operator is downgraded.",
            },
            Self::EndLower => ComparisonRule {
                id: "v1-end-lower",
                level: Level::Risky,
                about: "The updates of OLM v1 end at a lower version than before.",
                effect: "Extensions that have already passed the new end are rows of their own.",
            },
            Self::EndBehind => ComparisonRule {
                id: "v1-end-behind",
                level: Level::Risky,
                about: "The updates of OLM v1 no longer reach the highest version.",
                effect: "Extensions stop short of it, without a condition that says so.",
            },
            Self::NextChanged => ComparisonRule {
                id: "v1-next-changed",
                level: Level::Risky,
                about: "The next update of OLM v1 is another one, to a bundle that was there before.",
                effect: "The change is retroactive: extensions that are on their way take another one.",
            },
            Self::JumpWidened => ComparisonRule {
                id: "v1-jump-widened",
                level: Level::Risky,
                about: "The next update of OLM v1 leaves out a version in between, and crosses a minor or major version that it did not cross.",
                effect: "Migrations of the versions in between do not run.",
            },
            Self::ImageSwap => ComparisonRule {
                id: "v1-image-swap",
                level: Level::Risky,
                about: "The bundle of the same version has another image, which OLM v1 applies in place.",
                effect: "OLM v1 pulls the image of the catalog at every reconciliation, so that running extensions change without a new version. OLM v0 never notices.",
            },
            Self::PinLost => ComparisonRule {
                id: "v1-pin-lost",
                level: Level::Risky,
                about: "No bundle has the version any more.",
                effect: "Extensions whose `version` names exactly this version fail.",
            },
            Self::SuccessorLower => ComparisonRule {
                id: "v1-successor-lower",
                level: Level::Risky,
                about: "An edge leads to a lower version, which OLM v0 follows and OLM v1 does not.",
                effect: "OLM v1 takes the highest version, which is the installed one. Extensions never get the release.",
            },
        }
    }
}

/// A package in one state, for extensions of one choice of channels.
struct Side<'c> {
    successors: Successors<'c>,
    /// The answers for installed bundles of this state.
    known: BTreeMap<&'c BundleName, Result<Successor<'c>, ResolveError>>,
    highest: Option<&'c BundleName>,
}

impl<'c> Side<'c> {
    fn of(package: &PackageBundles<'c>, channels: &[ChannelName]) -> Self {
        let successors = Successors::among(package, channels);
        let highest = successors.highest().map(|bundle| &bundle.name.value);
        Self { successors, known: BTreeMap::new(), highest }
    }

    fn fate(
        &mut self,
        installed: &InstalledBundle,
        read: &Result<Installed<'_>, InstalledVersionError>,
    ) -> ExtensionFate {
        let mut fate = ExtensionFate::default();
        let mut at = installed.name.clone();
        let mut next = self.successors.after(read, installed);
        loop {
            let Successor { bundle, is_installed_version } = match next {
                Ok(next) => next,
                Err(error) => {
                    fate.error = Some(error);
                    return fate;
                }
            };
            let to = &bundle.name.value;
            let is_same = *to == at || (fate.hops.is_empty() && is_installed_version);
            if is_same {
                if fate.hops.is_empty() {
                    fate.stays_as = Some(to.clone());
                    fate.image = bundle.image.as_ref().map(|image| image.value.clone());
                }
                return fate;
            }
            fate.repeats = *to == installed.name || fate.hops.iter().any(|hop| hop.to == *to);
            fate.hops.push(ExtensionHop { to: to.clone(), version: bundle.version().cloned() });
            if fate.repeats {
                return fate;
            }
            at = to.clone();
            let successors = &self.successors;
            next = self.known.entry(to).or_insert_with(|| successors.next(&InstalledBundle::of(bundle))).clone();
        }
    }
}

/// Compares two states of one package under OLM v1, where `rows` has the answers for OLM v0. Installed names without a bundle
/// in the old state have no row, because OLM v1 cannot have installed them. OLM v1 does not validate catalogs: one that `opm`
/// rejects is resolved, too.
#[must_use]
pub fn compare_extensions(old: State<'_>, new: State<'_>, name: &PackageName, rows: &[Row]) -> Vec<ExtensionRow> {
    let Some(package) = old.catalog.package(name.as_str()) else { return Vec::new() };
    let bundles = [old, new].map(|state| PackageBundles::of(state.catalog, name));
    let mut of_all = bundles.each_ref().map(|bundles| Side::of(bundles, &[]));
    let mut of_channel: Option<(&ChannelName, [Side<'_>; 2])> = None;
    let mut found = Vec::new();
    let versions = bundles[1].versions();
    for row in rows {
        let Some(bundle) = package.bundle(row.installed.as_str()) else { continue };
        let channel = &row.channel;
        if of_channel.as_ref().is_none_or(|(known, _)| *known != channel) {
            let only = std::slice::from_ref(channel);
            of_channel = Some((channel, bundles.each_ref().map(|bundles| Side::of(bundles, only))));
        }
        let Some((_, sides)) = &mut of_channel else { continue };
        let installed = InstalledBundle::of(bundle);
        let read = Installed::read(&installed);
        let given = Given { row, bundle, installed: &installed, read: &read, versions: &versions, package };
        let (all, one) = (given.case(&mut of_all), given.case(sides));
        let (channel, installed, version) = (channel.clone(), row.installed.clone(), row.version.clone());
        found.push(ExtensionRow { channel, installed, version, all, one });
    }
    found
}

/// An installed version.
struct Given<'r> {
    row: &'r Row,
    bundle: &'r Bundle,
    installed: &'r InstalledBundle,
    read: &'r Result<Installed<'r>, InstalledVersionError>,
    /// The versions of the new state, ascending.
    versions: &'r [&'r VersionRelease],
    /// The package in the old state.
    package: &'r Package,
}

impl Given<'_> {
    fn case(&self, sides: &mut [Side<'_>; 2]) -> ExtensionCase {
        let Self { installed, read, .. } = self;
        let [old, new] = sides;
        let (before, after) = (old.fate(installed, read), new.fate(installed, read));
        let highest = [old.highest, new.highest];
        let rule = ExtensionRule::ALL.into_iter().find(|rule| self.applies(*rule, &before, &after, highest));
        ExtensionCase { old: before, new: after, rule }
    }

    fn applies(
        &self,
        rule: ExtensionRule,
        old: &ExtensionFate,
        new: &ExtensionFate,
        [old_highest, new_highest]: [Option<&BundleName>; 2],
    ) -> bool {
        let name = &self.row.installed;
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
                let is_left = |v0: &Fate, v1: &ExtensionFate| {
                    let next = v0.hops.first().and_then(|hop| hop.version.as_ref());
                    let is_lower =
                        next.zip(self.row.version.as_ref()).is_some_and(|(next, installed)| next < installed);
                    is_lower && v1.hops.is_empty() && v1.error.is_none()
                };
                is_left(&self.row.new, new) && !is_left(&self.row.old, old)
            }
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
