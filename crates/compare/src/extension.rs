//! OLM v1: extensions that name no channels, or one of them. OLM v1 does not validate catalogs: one that `opm` rejects is resolved, too.

use crate::path::{Hop, Kept, Path, PathError, PathErrorKind, Update, Updates};
use crate::row::{Case, Listed, Row, UpdatedBy, Updater};
use crate::rule::Rule;
use crate::state::{Installed, State};
use catalog::predicate::PackageName;
use catalog::{Bundle, BundleName, ChannelName, Entry, Package, image_identity, is_dns_subdomain};
use cluster::{ClusterExtension, InstalledBundle, Selector};
use extension::{
    CatalogState, Installed as ReadBundle, PackageBundles, ReadVersion, ResolveError, Resolved, Successor,
    SuccessorIndex, VersionRelease, resolve,
};
use go_semver::blang::Version;
use source::OlmV1;
use std::cell::OnceCell;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The most characters of the name of a channel in an extension.
const CHANNEL_NAME: usize = 253;

/// The versions that OLM v0 updates an installed version to next, before and after the change.
pub(crate) type V0Next<'r> = &'r dyn Fn(&Listed<'_>) -> [Option<Version>; 2];

/// Both states of a package under OLM v1.
pub(crate) struct ExtensionStates<'c> {
    package: &'c Package,
    before: PackageBundles<'c>,
    /// Absent if the states do not differ.
    after: Option<PackageBundles<'c>>,
}

impl<'c> ExtensionStates<'c> {
    pub(crate) fn of(old: State<'c>, new: State<'c>, package: &'c Package) -> Self {
        let after = new.catalog.package(package.name.as_str());
        let is_changed = after.is_none_or(|after| !is_same(package, after));
        let after = is_changed.then(|| PackageBundles::of(new.catalog, &package.name));
        Self { package, before: PackageBundles::of(old.catalog, &package.name), after }
    }

    /// For extensions that name this channel, or none.
    pub(crate) fn extensions<'s>(
        &'s self,
        channel: Option<&'s ChannelName>,
        v0_next: V0Next<'s>,
    ) -> ExtensionChannels<'s> {
        let channels = channel.map_or(&[][..], std::slice::from_ref);
        let side = |package: &'s PackageBundles<'c>| Side::of(package, channels);
        let versions = self.after.as_ref().map(PackageBundles::versions).unwrap_or_default();
        let (old, new) = (side(&self.before), self.after.as_ref().map(side));
        ExtensionChannels { package: self.package, channel, old, new, versions, v0_next }
    }
}

/// Both states of a package, for extensions that name the same channels.
pub(crate) struct ExtensionChannels<'s> {
    /// The package in the old state.
    package: &'s Package,
    channel: Option<&'s ChannelName>,
    old: Side<'s>,
    /// Absent if the states do not differ.
    new: Option<Side<'s>>,
    /// The versions of the new state, ascending.
    versions: Vec<&'s VersionRelease>,
    v0_next: V0Next<'s>,
}

impl Updater for ExtensionChannels<'_> {
    fn old_paths(&self, installed: &[Installed<'_>]) -> Vec<Path> {
        self.old.paths(installed)
    }

    fn new_paths(&self, installed: &[Installed<'_>]) -> Vec<Path> {
        self.new.as_ref().unwrap_or(&self.old).paths(installed)
    }

    fn rule(&self, case: &Case<'_>) -> Option<Rule> {
        let new = self.new.as_ref().filter(|_| self.channel.is_none_or(is_selectable))?;
        let bundle = case.listed.installed.bundle?;
        Rule::V1.iter().copied().find(|rule| self.applies(*rule, case, bundle, new))
    }
}

impl ExtensionChannels<'_> {
    fn applies(&self, rule: Rule, case: &Case<'_>, bundle: &Bundle, after: &Side<'_>) -> bool {
        let (old, new, name) = (case.old, case.new, &bundle.name.value);
        let is_dependency =
            |path: &Path| path.first_error().is_some_and(|error| error.kind == PathErrorKind::Dependency);
        let is_below = |version: Option<&Version>| {
            version.zip(bundle.version()).is_some_and(|(version, installed)| version < installed)
        };
        match rule {
            Rule::V1Error => new.first_error().is_some() && !is_dependency(new) && old.first_error().is_none(),
            Rule::V1Dependency => is_dependency(new) && !is_dependency(old),
            Rule::V1Downgrade => is_below(new.next_version()) && !is_below(old.next_version()),
            _ if new.first_error().is_some() => rule == Rule::V1PinLost && self.is_version_gone(bundle),
            Rule::V1EndLower => case.compare_ends() == Some(Ordering::Less),
            Rule::V1EndBehind => {
                let reached = self.old.highest == Some(old.end(name)) && old.first_error().is_none();
                reached && after.highest.is_some_and(|highest| highest != new.end(name))
            }
            Rule::V1NextChanged => {
                let existed = |next: &BundleName| self.package.bundle(next.as_str()).is_some();
                old.next().zip(new.next()).is_some_and(|(before, after)| before != after && existed(after))
            }
            Rule::V1JumpWidened => case.jumps_a_minor(),
            Rule::V1ImageSwap => {
                let identity = |kept: &Kept| kept.image.as_deref().map(image_identity).map(str::to_owned);
                new.kept.as_ref().is_some_and(|kept| identity(kept).as_deref() != bundle.image_identity())
            }
            Rule::V1PinLost => self.is_version_gone(bundle),
            Rule::V1SuccessorLower => {
                let stays = |path: &Path| path.is_empty() && path.error.is_none();
                stays(new) && {
                    let [v0_old, v0_new] = (self.v0_next)(&case.listed);
                    is_below(v0_new.as_ref()) && !(is_below(v0_old.as_ref()) && stays(old))
                }
            }
            Rule::V1Unstranded => {
                let was_below = old.is_empty() && self.old.highest != Some(name);
                old.first_error().is_some() || (was_below && !new.is_empty())
            }
            Rule::V1EndHigher => case.compare_ends() == Some(Ordering::Greater),
            Rule::V1PathLonger => case.has_same_end() && new.len > old.len,
            Rule::V1PathShorter => case.has_same_end() && new.len < old.len,
            // Several catalogs together are ambiguous; here is one.
            _ => false,
        }
    }

    fn is_version_gone(&self, bundle: &Bundle) -> bool {
        let Ok(version) = VersionRelease::of(bundle, OlmV1::default()) else { return false };
        self.versions.binary_search(&&version).is_err()
    }
}

/// A package in one state, for extensions of one choice of channels.
struct Side<'c> {
    successors: SuccessorIndex<'c>,
    /// The bundle with the highest version.
    highest: Option<&'c BundleName>,
    /// The updates between the bundles, made when they are needed.
    updates: OnceCell<Arc<Updates>>,
}

/// An installed bundle with its version.
type Read<'r> = (ReadVersion<'r>, &'r InstalledBundle);

impl<'c> Side<'c> {
    fn of(package: &PackageBundles<'c>, channels: &[ChannelName]) -> Self {
        let successors = SuccessorIndex::of(package, channels);
        let highest = successors.highest().map(|bundle| &bundle.name.value);
        Self { successors, highest, updates: OnceCell::new() }
    }

    fn updates(&self) -> &Arc<Updates> {
        self.updates.get_or_init(|| {
            let bundles: Vec<InstalledBundle> = self.successors.bundles().map(InstalledBundle::of).collect();
            let read: Vec<Read<'_>> =
                bundles.iter().map(|bundle| (ReadBundle::read(bundle, OlmV1::default()), bundle)).collect();
            let (mut next, mut errors) = (Vec::new(), BTreeMap::new());
            for (at, answer) in self.successors.after_each(&read).into_iter().enumerate() {
                next.push(match answer {
                    Ok(newer) => (newer.position != at).then_some(Update { to: newer.position, via: None }),
                    Err(error) => {
                        errors.insert(at, PathError::of(&error));
                        None
                    }
                });
            }
            let version = |bundle: &Bundle| (bundle.name.value.clone(), bundle.version().cloned());
            Arc::new(Updates::new(self.successors.bundles().map(version).collect(), &next, errors))
        })
    }

    /// The paths of versions with a bundle.
    fn paths(&self, installed: &[Installed<'_>]) -> Vec<Path> {
        let bundles: Vec<InstalledBundle> =
            installed.iter().filter_map(|installed| installed.bundle).map(InstalledBundle::of).collect();
        let read: Vec<Read<'_>> =
            bundles.iter().map(|bundle| (ReadBundle::read(bundle, OlmV1::default()), bundle)).collect();
        let answers = self.successors.after_each(&read).into_iter().zip(&bundles);
        let path = |(answer, installed): (Result<Successor<'c>, ResolveError>, &InstalledBundle)| match answer {
            Ok(Successor { bundle, is_installed_version, .. })
                if bundle.name.value == installed.name || is_installed_version =>
            {
                let image = bundle.image.as_ref().map(|image| image.value.clone());
                Path { kept: Some(Kept { bundle: bundle.name.value.clone(), image }), ..Path::default() }
            }
            Ok(Successor { position: to, .. }) => {
                Path::through(self.updates(), &installed.name, Some(Update { to, via: None }))
            }
            Err(error) => Path { error: Some(PathError::of(&error)), ..Path::default() },
        };
        answers.map(path).collect()
    }
}

impl Path {
    /// An answer that no further one follows.
    fn of_answer(installed: &BundleName, answer: Result<Resolved, ResolveError>) -> Self {
        match answer {
            Ok(resolved) if resolved.bundle == *installed => {
                Self { kept: Some(Kept { bundle: resolved.bundle, image: resolved.image }), ..Self::default() }
            }
            Ok(resolved) => {
                Self::listed(vec![Hop { to: resolved.bundle, version: Some(resolved.version), via: None }], false)
            }
            Err(error) => Self { error: Some(PathError::of(&error)), ..Self::default() },
        }
    }
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
    old.name.value == new.name.value
        && old.image_identity() == new.image_identity()
        && same(&old.properties, &new.properties, |old, new| old.value == new.value)
}

// Extensions that several catalogs have bundles for.

/// The rows of one package for which OLM v1 can no longer choose between the catalogs of a cluster after the change. Any of
/// the catalogs may have given the installed version. There are none if no other catalog has the package. `selectors` are the
/// catalog selectors of the extensions that there may be.
#[must_use]
pub fn ambiguous_extensions(
    old: CatalogState<'_>,
    new: CatalogState<'_>,
    others: &[CatalogState<'_>],
    name: &PackageName,
    selectors: &[Selector],
) -> Vec<Row> {
    let has_package = |state: &CatalogState<'_>| package(state, name).is_some();
    if !has_package(&new) || !others.iter().any(has_package) {
        return Vec::new();
    }
    let with = |state| std::iter::once(state).chain(others.iter().copied()).collect::<Vec<_>>();
    let (before, after) = (with(old), with(new));
    let row = |updated_by: UpdatedBy, channel: &ChannelName, bundle: &Bundle, selector: &Selector| {
        let mut extension = ClusterExtension::new(name.as_str().into(), name.clone());
        let is_named = updated_by == UpdatedBy::ExtensionOfChannel;
        extension.channels = if is_named { vec![channel.clone()] } else { Vec::new() };
        extension.selector = selector.clone();
        extension.installed = Some(InstalledBundle::of(bundle));
        let installed = &bundle.name.value;
        let [old, new] =
            [&before, &after].map(|catalogs| Path::of_answer(installed, resolve(&extension, catalogs).outcome));
        let is_new = is_ambiguous(&new) && !is_ambiguous(&old) && (!is_named || is_selectable(channel));
        let (channel, installed, version) = (channel.clone(), installed.clone(), bundle.version().cloned());
        Row { updated_by, channel, installed, version, old, new, rule: is_new.then_some(Rule::V1Ambiguous) }
    };
    let mut rows = Vec::new();
    for (channel, bundle) in listed(&before, name) {
        for updated_by in [UpdatedBy::Extension, UpdatedBy::ExtensionOfChannel] {
            let mut rows_of = selectors.iter().map(|selector| row(updated_by, channel, bundle, selector));
            rows.extend(rows_of.find(|row| row.rule.is_some()));
        }
    }
    let mut known = BTreeSet::new();
    rows.retain(|row| row.updated_by != UpdatedBy::Extension || known.insert(row.installed.clone()));
    rows
}

/// The bundles of a package that the catalogs list, once for each channel.
fn listed<'c>(catalogs: &[CatalogState<'c>], name: &PackageName) -> Vec<(&'c ChannelName, &'c Bundle)> {
    let mut known: BTreeSet<(&ChannelName, &BundleName)> = BTreeSet::new();
    let mut found = Vec::new();
    for package in catalogs.iter().filter_map(|state| package(state, name)) {
        for channel in &package.channels {
            let bundles = channel.entries.iter().filter_map(|entry| package.bundle(entry.name.value.as_str()));
            let channel = &channel.name.value;
            found.extend(bundles.filter(|bundle| known.insert((channel, &bundle.name.value))).map(|b| (channel, b)));
        }
    }
    found
}

fn package<'c>(state: &CatalogState<'c>, name: &PackageName) -> Option<&'c Package> {
    state.content?.package(name.as_str())
}

fn is_ambiguous(path: &Path) -> bool {
    path.error.as_ref().is_some_and(|error| error.kind == PathErrorKind::Ambiguous)
}
