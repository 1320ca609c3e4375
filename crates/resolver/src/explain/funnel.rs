//! How many candidates of a Subscription or of a requirement each filter leaves.

use std::collections::{BTreeMap, BTreeSet};

use catalog::predicate::{Gvk, PackageName, Property, Requirement};
use catalog::{BundleName, ChannelName};
use cluster::{CatalogKey, SubscriptionSpec};
use go_semver::blang::Version;
use source::nearest;
use update_graph::SortError;

use crate::explain::visible::{self, edge};
use crate::explain::why::{meets, versions};
use crate::explain::why_not::entries_with_fault;
use crate::fact::{Fact, FactId, VarId};
use crate::pool::{EntryId, Pool};
use crate::problem::Problem;
use crate::snapshot::Entry;

/// The filters of a search for candidates, in OLM's order.
#[derive(Clone, Debug, PartialEq)]
pub struct Funnel {
    /// The filters, each with the number of entries that it leaves. Ends with the first that leaves none.
    pub stages: Vec<Stage>,
    /// Other names that may be meant, if a filter leaves nothing.
    pub hints: Vec<Hint>,
}

impl Funnel {
    /// The filter that leaves nothing, if one does.
    #[must_use]
    pub fn dry(&self) -> Option<&Filter> {
        self.stages.last().filter(|stage| stage.left == 0).map(|stage| &stage.filter)
    }
}

/// One filter.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    pub filter: Filter,
    /// How many entries are left behind it; one bundle in two channels counts twice.
    pub left: usize,
}

/// The condition that a filter has for an entry.
#[derive(Clone, Debug, PartialEq)]
pub enum Filter {
    /// To be in this catalog; or in any that the namespace sees, or installed.
    Catalog(Option<CatalogKey>),
    Package(PackageName),
    Channel(ChannelName),
    /// To be the bundle of `startingCSV`.
    StartingCsv(BundleName),
    /// To lie on the one chain of `replaces` from the head of its channel, without being skipped.
    Chain {
        /// Why a channel has no such chain, which stops the resolution of the namespace.
        broken: Option<SortError>,
    },
    /// To have an update edge from the installed CSV.
    Follows(BundleName),
    Provides(Gvk),
    /// To have a version in the range.
    InRange {
        range: Box<str>,
        versions: Vec<Version>,
    },
    /// To meet the requirement as a whole.
    Meets(Requirement),
    /// To be possible as far as the bundle itself goes: not deprecated, and something meets each of its requirements.
    Allowed,
}

/// Another name that may be meant, or another place where the name exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// A visible catalog with a similar name, or with the same name in another namespace.
    Catalog(CatalogKey),
    Package(PackageName),
    Channel(ChannelName),
    /// The package's default channel.
    DefaultChannel(ChannelName),
    Bundle(BundleName),
    /// The package, or its channel, is in another visible catalog.
    InCatalog(CatalogKey),
    /// The bundle is in another channel of the package.
    InChannel(ChannelName),
    /// Package and channel are named the wrong way round.
    Swapped,
    /// A similar API: of another version or group, or with a similar kind.
    Api(Gvk),
    /// Each part of a requirement that one bundle has to meet whole is met, and by these bundles.
    Apart(Vec<BundleName>),
}

/// Filters entries step by step and takes note of what is left.
struct Sieve<T> {
    left: Vec<T>,
    stages: Vec<Stage>,
}

impl<T: Copy> Sieve<T> {
    fn new(filter: Filter, left: Vec<T>) -> Self {
        let stages = vec![Stage { filter, left: left.len() }];
        Self { left, stages }
    }

    /// Whether anything is left to be filtered.
    fn is_dry(&self) -> bool {
        self.left.is_empty()
    }

    fn keep(&mut self, filter: Filter, test: impl Fn(T) -> bool) {
        if !self.is_dry() {
            self.left.retain(|&entry| test(entry));
            self.stages.push(Stage { filter, left: self.left.len() });
        }
    }

    /// Leaves what passes a filter whose entries an index has.
    fn leave(&mut self, filter: Filter, left: impl FnOnce() -> Vec<T>) {
        if !self.is_dry() {
            self.left = left();
            self.stages.push(Stage { filter, left: self.left.len() });
        }
    }
}

// The candidates of a Subscription (operator-lifecycle-manager `pkg/controller/registry/resolver/resolver.go`,
// `getSubscriptionVariables`).

/// Filters the entries for the candidates of a Subscription. Does not count the installed bundle, which it can keep.
#[must_use]
pub fn subscription_funnel(problem: &Problem, subscription: &SubscriptionSpec) -> Funnel {
    let pool = &problem.pool;
    let current = current(problem, subscription);
    let catalog = subscription.catalog.as_ref();
    let mut sieve = Sieve::new(Filter::Catalog(catalog.cloned()), visible::entries(pool, catalog));
    let package = subscription.package.as_str();
    sieve.leave(Filter::Package(subscription.package.clone()), || visible::of_package(pool, catalog, package));
    if let Some(channel) = &subscription.channel {
        sieve.keep(Filter::Channel(channel.clone()), |id| pool.entry(id).channel == *channel);
    }
    if let Some(name) = subscription.starting_csv.as_ref().filter(|_| current.is_none()) {
        sieve.keep(Filter::StartingCsv(name.clone()), |id| pool.entry(id).name == *name);
    }
    let (chain, broken) = match chain(pool, &sieve.left) {
        Ok(chain) => (chain, None),
        Err(error) => (Vec::new(), Some(error)),
    };
    let on_chain: BTreeSet<EntryId> = chain.into_iter().collect();
    sieve.keep(Filter::Chain { broken }, |id| on_chain.contains(&id));
    if let Some(current) = current.map(|id| pool.entry(id)) {
        let follows = |id| edge(pool.entry(id), &current.name, current.version.as_ref()).is_some();
        sieve.keep(Filter::Follows(current.name.clone()), follows);
    }
    let faulty = choice(problem, subscription).map(|choice| entries_with_fault(problem, alternatives(problem, choice)));
    let faulty = faulty.unwrap_or_default();
    sieve.keep(Filter::Allowed, |id| !faulty.contains(&id));
    let hints = if sieve.is_dry() { of_subscription(pool, subscription, &sieve.stages) } else { Vec::new() };
    Funnel { stages: sieve.stages, hints }
}

/// The choice of a Subscription; absent if it found nothing.
pub(crate) fn choice(problem: &Problem, subscription: &SubscriptionSpec) -> Option<FactId> {
    let is = |id: &&VarId| problem.subscription(**id).is_some_and(|known| known.name == subscription.name);
    let id = problem.anchors().iter().find(is)?;
    problem.rules.choices[id.0 as usize].first().copied()
}

fn alternatives(problem: &Problem, choice: FactId) -> &[VarId] {
    problem.fact(choice).alternatives().unwrap_or_default()
}

/// The installed CSV of a Subscription, if it is there.
pub(crate) fn current(problem: &Problem, subscription: &SubscriptionSpec) -> Option<EntryId> {
    let is = |name: &BundleName| subscription.installed_csv.as_ref() == Some(name);
    problem.pool.existing().find(|&id| is(&problem.pool.entry(id).name))
}

/// The entries on the chains of their channels, each chain from its head down.
pub(crate) fn chain(pool: &Pool, entries: &[EntryId]) -> Result<Vec<EntryId>, SortError> {
    let mut entries = entries.to_vec();
    let key = |id: EntryId| (!pool.entry(id).default_channel, &pool.entry(id).channel);
    entries.sort_by(|&a, &b| key(a).cmp(&key(b)));
    let mut chain = Vec::new();
    for run in entries.chunk_by(|&a, &b| pool.entry(a).channel == pool.entry(b).channel) {
        chain.extend(pool.channel_order(run)?);
    }
    Ok(chain)
}

// The bundles that can meet a requirement (operator-lifecycle-manager `pkg/controller/registry/resolver/resolver.go`,
// `getBundleVariables`).

/// Filters the entries for those that meet the requirement of a rule; `None` if the rule is no requirement.
#[must_use]
pub fn requirement_funnel(problem: &Problem, rule: FactId) -> Option<Funnel> {
    let Fact::Requires { requirement, alternatives, .. } = problem.fact(rule) else { return None };
    let pool = &problem.pool;
    let mut sieve = Sieve::new(Filter::Catalog(None), visible::entries(pool, None));
    narrow(pool, &mut sieve, requirement);
    let (on_chain, broken) = match reachable(pool, &sieve.left) {
        Ok(found) => (found, None),
        Err(error) => (BTreeSet::new(), Some(error)),
    };
    sieve.keep(Filter::Chain { broken }, |id| on_chain.contains(&id));
    let faulty = entries_with_fault(problem, alternatives);
    sieve.keep(Filter::Allowed, |id| !faulty.contains(&id));
    let hints = match apart(pool, requirement) {
        _ if !sieve.is_dry() => Vec::new(),
        Some(hint) => vec![hint],
        None => of_requirement(pool, &sieve.stages),
    };
    Some(Funnel { stages: sieve.stages, hints })
}

/// The bundles that meet the parts of a requirement, if there is one for each.
fn apart(pool: &Pool, requirement: &Requirement) -> Option<Hint> {
    let Requirement::All(parts) = requirement else { return None };
    let all = visible::entries(pool, None);
    let best = |part: &Requirement| {
        let mut met = all.iter().map(|id| pool.entry(*id)).filter(|entry| meets(entry, part));
        met.next().map(|entry| entry.name.clone())
    };
    parts.iter().map(best).collect::<Option<Vec<_>>>().map(Hint::Apart)
}

/// One filter for each part of the requirement that must hold.
fn narrow(pool: &Pool, sieve: &mut Sieve<EntryId>, requirement: &Requirement) {
    match requirement {
        Requirement::Gvk(gvk) => {
            let of_source = |source| pool.index(source).of_gvk(gvk).iter().map(move |&at| pool.id(source, at));
            let provides: BTreeSet<EntryId> = pool.of_key(None).flat_map(of_source).collect();
            sieve.keep(Filter::Provides(gvk.clone()), |id| provides.contains(&id));
        }
        Requirement::Package { name, text, .. } => {
            sieve.keep(Filter::Package(name.clone()), |id| pool.entry(id).is_of(name.as_str()));
            let versions = listed_versions(pool, &sieve.left);
            let filter = Filter::InRange { range: text.clone(), versions };
            sieve.keep(filter, |id| meets(pool.entry(id), requirement));
        }
        Requirement::All(inner) => {
            for part in inner {
                narrow(pool, sieve, part);
            }
        }
        Requirement::Label(_) | Requirement::Any(_) | Requirement::Not(_) | Requirement::Cel { .. } => {
            sieve.keep(Filter::Meets(requirement.clone()), |id| meets(pool.entry(id), requirement));
        }
    }
}

fn listed_versions(pool: &Pool, entries: &[EntryId]) -> Vec<Version> {
    let found: BTreeSet<Version> = entries.iter().flat_map(|&id| versions(pool.entry(id))).collect();
    found.into_iter().collect()
}

/// The entries that are installed or on the chain of their channel.
pub(crate) fn reachable(pool: &Pool, entries: &[EntryId]) -> Result<BTreeSet<EntryId>, SortError> {
    let mut reachable = BTreeSet::new();
    let mut channels = BTreeMap::new();
    for &id in entries {
        let entry = pool.entry(id);
        if pool.is_existing(id) {
            reachable.insert(id);
        } else {
            channels.entry((pool.source_of(id), &entry.channel, &entry.package)).or_insert_with(Vec::new);
        }
    }
    if channels.is_empty() {
        return Ok(reachable);
    }
    for id in visible::entries(pool, None) {
        let entry = pool.entry(id);
        for package in packages(entry) {
            if let Some(channel) = channels.get_mut(&(pool.source_of(id), &entry.channel, package)) {
                channel.push(id);
            }
        }
    }
    for channel in channels.values() {
        reachable.extend(pool.channel_order(channel)?);
    }
    Ok(reachable)
}

fn packages(entry: &Entry) -> BTreeSet<&PackageName> {
    let stated = entry.properties.iter().filter_map(|placed| match &placed.property {
        Property::Package { name, .. } => Some(name),
        _ => None,
    });
    stated.chain([&entry.package]).collect()
}

// Suggests other names if a filter leaves nothing.

/// Most hints of one kind.
const MOST: usize = 3;

fn of_subscription(pool: &Pool, subscription: &SubscriptionSpec, stages: &[Stage]) -> Vec<Hint> {
    let Some(last) = stages.last() else { return Vec::new() };
    let look = Look { pool, subscription };
    match &last.filter {
        Filter::Catalog(Some(key)) => look.catalogs(key),
        Filter::Package(name) => look.packages(name),
        Filter::Channel(_) => look.channels(),
        Filter::StartingCsv(_) => look.bundles(),
        _ => Vec::new(),
    }
}

fn of_requirement(pool: &Pool, stages: &[Stage]) -> Vec<Hint> {
    match stages.last().map(|stage| &stage.filter) {
        Some(Filter::Package(name)) => {
            let all: BTreeSet<&PackageName> =
                visible::entries(pool, None).into_iter().map(|id| &pool.entry(id).package).collect();
            let near = nearest(name.as_str(), all.into_iter().map(PackageName::as_str));
            near.into_iter().map(|name| Hint::Package(name.into())).collect()
        }
        Some(Filter::Provides(gvk)) => apis(pool, gvk),
        _ => Vec::new(),
    }
}

struct Look<'p> {
    pool: &'p Pool,
    subscription: &'p SubscriptionSpec,
}

impl<'p> Look<'p> {
    /// The entries of the Subscription's catalog.
    fn own(&self) -> impl Iterator<Item = &'p Entry> {
        let pool = self.pool;
        visible::entries(pool, self.subscription.catalog.as_ref()).into_iter().map(|id| pool.entry(id))
    }

    fn of_package(&self) -> impl Iterator<Item = &'p Entry> {
        let package = self.subscription.package.as_str();
        self.own().filter(move |entry| entry.is_of(package))
    }

    /// The visible catalogs with an entry that passes.
    fn others(&self, test: impl Fn(&Entry) -> bool) -> Vec<Hint> {
        let pool = self.pool;
        let offers = |id: &EntryId| !pool.is_existing(*id) && test(pool.entry(*id));
        let keys: BTreeSet<&CatalogKey> =
            visible::entries(pool, None).into_iter().filter(offers).map(|id| pool.key_of(id)).collect();
        let others = keys.into_iter().filter(|key| Some(*key) != self.subscription.catalog.as_ref());
        others.take(MOST).map(|key| Hint::InCatalog(key.clone())).collect()
    }

    fn catalogs(&self, wanted: &CatalogKey) -> Vec<Hint> {
        let mut hints = self.others(|entry| entry.is_of(self.subscription.package.as_str()));
        let keys = visible::catalogs(self.pool);
        let near = nearest(&wanted.name, keys.iter().map(|key| &*key.name));
        let meant =
            keys.into_iter().filter(|key| *key != wanted && (near.contains(&&*key.name) || key.name == wanted.name));
        let meant = meant.filter(|key| !hints.contains(&Hint::InCatalog(CatalogKey::clone(key))));
        let meant: Vec<Hint> = meant.take(MOST).map(|key| Hint::Catalog(key.clone())).collect();
        hints.extend(meant);
        hints
    }

    fn packages(&self, wanted: &PackageName) -> Vec<Hint> {
        let channel = self.subscription.channel.as_ref();
        let is_swapped = |entry: &Entry| {
            Some(entry.package.as_str()) == channel.map(|channel| channel.as_str())
                && entry.channel.as_str() == wanted.as_str()
        };
        let mut hints = Vec::new();
        if self.own().any(is_swapped) {
            hints.push(Hint::Swapped);
        }
        hints.extend(self.others(|entry| entry.is_of(wanted.as_str())));
        let names: BTreeSet<&str> = self.own().map(|entry| entry.package.as_str()).collect();
        hints.extend(nearest(wanted.as_str(), names).into_iter().map(|name| Hint::Package(name.into())));
        hints
    }

    fn channels(&self) -> Vec<Hint> {
        let Some(wanted) = &self.subscription.channel else { return Vec::new() };
        let names: BTreeSet<&str> = self.of_package().map(|entry| entry.channel.as_str()).collect();
        let near = nearest(wanted.as_str(), names);
        let mut hints: Vec<Hint> = near.iter().map(|name| Hint::Channel((*name).into())).collect();
        let default = self.of_package().find(|entry| entry.default_channel).map(|entry| entry.channel.clone());
        hints.extend(default.filter(|channel| !near.contains(&channel.as_str())).map(Hint::DefaultChannel));
        let package = self.subscription.package.as_str();
        hints.extend(self.others(|entry| entry.channel == *wanted && entry.is_of(package)));
        hints
    }

    fn bundles(&self) -> Vec<Hint> {
        let Some(wanted) = &self.subscription.starting_csv else { return Vec::new() };
        let channels: BTreeSet<_> =
            self.of_package().filter(|entry| entry.name == *wanted).map(|entry| entry.channel.clone()).collect();
        let mut hints: Vec<Hint> = channels.into_iter().take(MOST).map(Hint::InChannel).collect();
        let package = self.subscription.package.as_str();
        hints.extend(self.others(|entry| entry.name == *wanted && entry.is_of(package)));
        let channel = self.subscription.channel.as_ref();
        let listed: Vec<&Entry> =
            self.of_package().filter(|entry| channel.is_none_or(|channel| entry.channel == *channel)).collect();
        // A version where the name of a CSV is wanted.
        let version = wanted.as_str().trim_start_matches('v');
        let is_it = |entry: &&Entry| entry.version.as_ref().is_some_and(|one| one.to_string() == version);
        let same: BTreeSet<&str> = listed.iter().copied().filter(is_it).map(|entry| entry.name.as_str()).collect();
        let near = nearest(wanted.as_str(), listed.iter().map(|entry| entry.name.as_str()));
        let near = near.into_iter().filter(|name| !same.contains(name));
        hints.extend(same.iter().copied().chain(near).map(|name| Hint::Bundle(name.into())));
        hints
    }
}

/// The same kind in the same group first, then the same kind, then similar kinds.
fn apis(pool: &Pool, wanted: &Gvk) -> Vec<Hint> {
    let all: BTreeSet<&Gvk> =
        pool.of_key(None).flat_map(|source| pool.index(source).gvks()).map(|(gvk, _)| gvk).collect();
    let kinds: BTreeSet<&str> = all.iter().map(|gvk| &*gvk.kind).collect();
    let near = nearest(&wanted.kind, kinds);
    let rank = |gvk: &Gvk| match (gvk.kind == wanted.kind, gvk.group == wanted.group) {
        (true, true) => Some(0),
        (true, false) => Some(1),
        (false, true) if near.contains(&&*gvk.kind) => Some(2),
        (false, _) => None,
    };
    let mut ranked: Vec<(u8, &Gvk)> = all.into_iter().filter_map(|gvk| Some((rank(gvk)?, gvk))).collect();
    ranked.sort_unstable();
    ranked.into_iter().take(MOST).map(|(_, gvk)| Hint::Api(gvk.clone())).collect()
}
