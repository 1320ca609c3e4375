//! What OLM v1 makes of an installed version: rows for the same channels and entries as those about OLM v0, each for an
//! extension that names no channels and for one that names the channel (compare 3, 4.2).

use crate::extension_rule::ExtensionRule;
use crate::jump::Jumps;
use crate::path::{Hop, Kept, Path, PathError, PathErrorKind, Update, Updates};
use crate::row::Row;
use crate::state::State;
use blang_semver::Version;
use catalog::{Bundle, BundleName, ChannelName, Entry, Package};
use extension::{
    Installed, InstalledBundle, PackageBundles, ReadVersion, ResolveError, Resolved, Successor, Successors,
    VersionRelease, is_dns_subdomain,
};
use predicate::PackageName;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use update_graph::{UpdateChain, version_of};

/// The most characters of the name of a channel in an extension.
const CHANNEL_NAME: usize = 253;

/// What becomes of an installed version under OLM v1 before and after a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtensionCase {
    /// Before. Rows share it if they have the same installed bundle and the same channels.
    pub old: Arc<Path>,
    /// After; the same one if the package does not differ.
    pub new: Arc<Path>,
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

impl Path {
    /// An answer that no further one follows.
    pub(crate) fn of_answer(installed: &BundleName, answer: Result<Resolved, ResolveError>) -> Self {
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

/// A package in one state, for extensions of one choice of channels.
struct Side<'c> {
    successors: Successors<'c>,
    updates: Arc<Updates>,
    highest: Option<&'c BundleName>,
}

/// An installed bundle with its version.
type Read<'r> = (ReadVersion<'r>, &'r InstalledBundle);

impl<'c> Side<'c> {
    fn of(package: &PackageBundles<'c>, channels: &[ChannelName]) -> Self {
        let successors = Successors::among(package, channels);
        let highest = successors.highest().map(|bundle| &bundle.name.value);
        let bundles: Vec<InstalledBundle> = successors.bundles().map(InstalledBundle::of).collect();
        let read: Vec<Read<'_>> = bundles.iter().map(|bundle| (Installed::read(bundle), bundle)).collect();
        let (mut next, mut errors) = (Vec::new(), BTreeMap::new());
        for (at, answer) in successors.after_each(&read).into_iter().enumerate() {
            next.push(match answer {
                Ok(newer) => (newer.position != at).then_some(Update { to: newer.position, via: None }),
                Err(error) => {
                    errors.insert(at, PathError::of(&error));
                    None
                }
            });
        }
        let versions = successors.bundles().map(|bundle| (bundle.name.value.clone(), bundle.version().cloned()));
        let updates = Arc::new(Updates::new(versions.collect(), &next, errors));
        Self { successors, updates, highest }
    }

    fn paths(&self, installed: &[Read<'_>]) -> Vec<Arc<Path>> {
        let answers = self.successors.after_each(installed).into_iter().zip(installed);
        let path = |(answer, (_, installed)): (Result<Successor<'c>, ResolveError>, &Read<'_>)| {
            let name = &installed.name;
            Arc::new(match answer {
                Ok(Successor { bundle, is_installed_version, .. })
                    if bundle.name.value == *name || is_installed_version =>
                {
                    let image = bundle.image.as_ref().map(|image| image.value.clone());
                    Path { kept: Some(Kept { bundle: bundle.name.value.clone(), image }), ..Path::default() }
                }
                Ok(Successor { position: to, .. }) => {
                    Path::through(&self.updates, name, Some(Update { to, via: None }))
                }
                Err(error) => Path { error: Some(PathError::of(&error)), ..Path::default() },
            })
        };
        answers.map(path).collect()
    }
}

/// What becomes of an installed bundle before and after.
type Paths = (Arc<Path>, Arc<Path>);

/// Both states of a package, for extensions of one choice of channels.
struct Sides<'c> {
    old: Side<'c>,
    /// Absent if the states do not differ.
    new: Option<Side<'c>>,
}

impl<'c> Sides<'c> {
    fn of(old: &PackageBundles<'c>, new: Option<&PackageBundles<'c>>, channels: &[ChannelName]) -> Self {
        Self { old: Side::of(old, channels), new: new.map(|new| Side::of(new, channels)) }
    }

    /// What becomes of installed versions. `rows` has each of them with the answers for OLM v0.
    fn cases(
        &self,
        given: &Given<'_>,
        installed: &[Read<'_>],
        bundles: &[(&Bundle, V0Next<'_>)],
    ) -> Vec<ExtensionCase> {
        let old = self.old.paths(installed);
        let new = self.new.as_ref().map_or_else(|| old.clone(), |new| new.paths(installed));
        let jumps = Jumps::default();
        let case = |((old, new), (bundle, v0_next)): (Paths, &(&Bundle, V0Next<'_>))| {
            if Arc::ptr_eq(&old, &new) {
                return ExtensionCase { old, new, rule: None };
            }
            let change = Change { bundle, old: &old, new: &new, highest: self.highest(), v0_next };
            let jumps = || jumps.has_jump((&old, &new), bundle.version(), true);
            let rule = ExtensionRule::ALL.into_iter().find(|rule| given.applies(*rule, &change, &jumps));
            ExtensionCase { old, new, rule }
        };
        old.into_iter().zip(new).zip(bundles).map(case).collect()
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
    let given = Given { versions: &after.as_ref().unwrap_or(&before).versions(), package };
    let mut installed: BTreeMap<&BundleName, InstalledBundle> = BTreeMap::new();
    let with_bundle = |row: &'_ &Row| package.bundle(row.installed.as_str()).is_some();
    for row in rows.iter().filter(with_bundle) {
        let bundle = package.bundle(row.installed.as_str());
        bundle.map(|bundle| installed.entry(&bundle.name.value).or_insert_with(|| InstalledBundle::of(bundle)));
    }
    let cases = |channels: &[ChannelName], rows: &[&Row]| {
        let read: Vec<Read<'_>> =
            rows.iter().map(|row| &installed[&row.installed]).map(|bundle| (Installed::read(bundle), bundle)).collect();
        let v0_next = rows.iter().map(|row| move || [&row.old, &row.new].map(|path| path.next_version().cloned()));
        let v0_next: Vec<_> = v0_next.collect();
        let bundles: Vec<(&Bundle, V0Next<'_>)> = (rows.iter().zip(&v0_next))
            .filter_map(|(row, next)| Some((package.bundle(row.installed.as_str())?, next as V0Next<'_>)))
            .collect();
        Sides::of(&before, after.as_ref(), channels).cases(&given, &read, &bundles)
    };
    let rows: Vec<&Row> = rows.iter().filter(with_bundle).collect();
    let mut named = BTreeSet::new();
    let firsts: Vec<&Row> = rows.iter().copied().filter(|row| named.insert(&row.installed)).collect();
    let of_all: BTreeMap<&BundleName, ExtensionCase> =
        firsts.iter().map(|row| &row.installed).zip(cases(&[], &firsts)).collect();
    let mut found = Vec::new();
    for rows in rows.chunk_by(|one, other| one.channel == other.channel) {
        let channel = &rows[0].channel;
        for (row, mut one) in rows.iter().zip(cases(std::slice::from_ref(channel), rows)) {
            one.rule = one.rule.filter(|_| is_selectable(channel));
            let (installed, version) = (row.installed.clone(), row.version.clone());
            let all = of_all[&row.installed].clone();
            found.push(ExtensionRow { channel: channel.clone(), installed, version, all, one });
        }
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
    let sides = Sides::of(&before, Some(&after), channel.map_or(&[], std::slice::from_ref));
    let v0_next = || {
        [old, new].map(|package| {
            let chain = UpdateChain::of(package, package.channel(row.channel.as_str())?).ok()?;
            let next = chain.next_update(&row.installed, row.version.as_ref())?;
            version_of(package, &next.to.name.value)
        })
    };
    let given = Given { versions: &after.versions(), package: old };
    let cases = sides.cases(&given, &[(Installed::read(&installed), &installed)], &[(bundle, &v0_next)]);
    cases.first().and_then(|case| case.rule)
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

/// The versions that OLM v0 updates an installed version to next, before and after.
type V0Next<'r> = &'r dyn Fn() -> [Option<Version>; 2];

/// What rules ask about the states of a package.
struct Given<'r> {
    /// The versions of the new state, ascending.
    versions: &'r [&'r VersionRelease],
    /// The package in the old state.
    package: &'r Package,
}

/// What becomes of an installed bundle.
struct Change<'r> {
    bundle: &'r Bundle,
    old: &'r Path,
    new: &'r Path,
    /// The bundles with the highest versions.
    highest: [Option<&'r BundleName>; 2],
    v0_next: V0Next<'r>,
}

impl Given<'_> {
    fn applies(&self, rule: ExtensionRule, change: &Change<'_>, jumps_a_minor: &dyn Fn() -> bool) -> bool {
        let Change { bundle, old, new, highest: [old_highest, new_highest], v0_next } = change;
        let name = &bundle.name.value;
        let is_dependency =
            |path: &Path| path.first_error().is_some_and(|error| error.kind == PathErrorKind::Dependency);
        let is_below = |version: Option<&Version>| {
            version.zip(bundle.version()).is_some_and(|(version, installed)| version < installed)
        };
        match rule {
            ExtensionRule::Error => new.first_error().is_some() && !is_dependency(new) && old.first_error().is_none(),
            ExtensionRule::Dependency => is_dependency(new) && !is_dependency(old),
            ExtensionRule::Downgrade => is_below(new.next_version()) && !is_below(old.next_version()),
            _ if new.first_error().is_some() => rule == ExtensionRule::PinLost && self.is_version_gone(bundle),
            ExtensionRule::EndLower => {
                let [old, new] = [old, new].map(|path| path.end_version(bundle.version()));
                new.zip(old).is_some_and(|(new, old)| new < old)
            }
            ExtensionRule::EndBehind => {
                let reached = *old_highest == Some(old.end(name)) && old.first_error().is_none();
                reached && new_highest.is_some_and(|highest| highest != new.end(name))
            }
            ExtensionRule::NextChanged => {
                let existed = |next: &BundleName| self.package.bundle(next.as_str()).is_some();
                old.next().zip(new.next()).is_some_and(|(before, after)| before != after && existed(after))
            }
            ExtensionRule::JumpWidened => jumps_a_minor(),
            ExtensionRule::ImageSwap => {
                let image = bundle.image.as_ref().map(|image| &image.value);
                new.kept.as_ref().is_some_and(|kept| kept.image.as_ref() != image)
            }
            ExtensionRule::PinLost => self.is_version_gone(bundle),
            ExtensionRule::SuccessorLower => {
                let stays = |path: &Path| path.is_empty() && path.error.is_none();
                stays(new) && {
                    let [v0_old, v0_new] = v0_next();
                    is_below(v0_new.as_ref()) && !(is_below(v0_old.as_ref()) && stays(old))
                }
            }
            // It takes several catalogs.
            ExtensionRule::Ambiguous => false,
        }
    }

    fn is_version_gone(&self, bundle: &Bundle) -> bool {
        let Ok(version) = VersionRelease::of(bundle) else { return false };
        self.versions.binary_search(&&version).is_err()
    }
}
