//! Collects the variables and facts of a problem, and OLM's errors, in the order in which OLM does.
//!
//! Follows operator-lifecycle-manager `pkg/controller/registry/resolver/resolver.go` (`Resolve`,
//! `getBundleVariables`).

mod subscription;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use catalog::BundleName;
use catalog::predicate::{Fuel, Gvk, PackageName, Property, Requirement, Unevaluated};
use cluster::{CatalogKey, SubscriptionSpec};
use update_graph::SortError;

use crate::fact::{Fact, FactId, Rules, VarId, Variable};
use crate::index::{At, Matches, Misstated, Stated};
use crate::pool::{EXISTING, EntryId, Pool, rank};
use crate::resolve::{GaveUp, Obstacle, Prevented, Unresolvable};

/// The total cost that the evaluations of CEL rules of one problem may have.
const CEL_STEPS: u64 = 10_000_000;

/// The rules, and what prevents solving them, if anything.
pub(crate) fn collect(
    pool: &Pool,
    subscriptions: &[SubscriptionSpec],
    broken: Vec<(CatalogKey, Box<str>)>,
) -> (Rules, Result<(), Unresolvable>) {
    let mut collector = Collector {
        pool,
        subscriptions,
        rules: Rules::default(),
        owners: owners(subscriptions),
        known: vec![None; pool.entry_count()],
        visited: Vec::new(),
        memo: pool.sources().map(|source| vec![None; pool.index(source).requirement_count() as usize]).collect(),
        lists: Vec::new(),
        fuel: Fuel::new(CEL_STEPS),
        gave_up: None,
    };
    let obstacles = collector.collect_all(broken);
    let solvable = match (collector.gave_up, obstacles) {
        (Some(gave_up), _) => Err(Unresolvable::GaveUp(gave_up)),
        (None, errors) if !errors.is_empty() => Err(Unresolvable::Prevented(Prevented { errors })),
        (None, _) => Ok(()),
    };
    (collector.rules, solvable)
}

/// By installed CSV, the last Subscription whose status claims it.
fn owners(subscriptions: &[SubscriptionSpec]) -> BTreeMap<&BundleName, usize> {
    let claims = subscriptions.iter().enumerate().filter_map(|(at, one)| Some((one.installed_csv.as_ref()?, at)));
    claims.collect()
}

struct Collector<'p> {
    pool: &'p Pool,
    subscriptions: &'p [SubscriptionSpec],
    owners: BTreeMap<&'p BundleName, usize>,
    rules: Rules,
    /// By the number of the identifier: entries that share it share the variable.
    known: Vec<Option<VarId>>,
    /// By variable.
    visited: Vec<bool>,
    /// By the source of what requires, and the number of the requirement there.
    memo: Vec<Vec<Option<ProviderSet>>>,
    /// One for each requirement that was looked up.
    lists: Vec<Providers>,
    /// The cost that evaluations of CEL rules may still have.
    fuel: Fuel,
    gave_up: Option<GaveUp>,
}

impl<'p> Collector<'p> {
    /// Collects all facts in OLM's order (operator-lifecycle-manager
    /// `pkg/controller/registry/resolver/resolver.go`, `Resolve`); returns the errors that OLM would return.
    fn collect_all(&mut self, broken: Vec<(CatalogKey, Box<str>)>) -> Vec<Obstacle> {
        let obstacles = self.expand(self.pool.existing().collect());
        if !obstacles.is_empty() {
            return obstacles;
        }
        let mut obstacles = Vec::new();
        for at in 0..self.subscriptions.len() {
            obstacles.extend(subscription::add(self, at));
        }
        self.anchor_freestanding();
        add_invariants(self);
        if broken.is_empty() {
            obstacles
        } else {
            broken.into_iter().map(|(key, error)| Obstacle::Source(key, error)).collect()
        }
    }

    /// Adds bundles and everything that they can depend on: last in, first out, because that decides the order of
    /// errors.
    fn expand(&mut self, roots: Vec<EntryId>) -> Vec<Obstacle> {
        let mut obstacles = Vec::new();
        for entry in roots.into_iter().rev() {
            let bundle = self.bundle(entry);
            let mut stack = Vec::new();
            self.visit(entry, bundle, &mut stack, &mut obstacles);
            while let Some(&list) = stack.last() {
                match self.last_unvisited(list) {
                    Some((entry, bundle)) => self.visit(entry, bundle, &mut stack, &mut obstacles),
                    None => drop(stack.pop()),
                }
            }
        }
        obstacles
    }

    /// Adds a bundle, and pushes the lists of what meets its requirements onto the stack.
    fn visit(&mut self, entry: EntryId, bundle: VarId, stack: &mut Vec<u32>, obstacles: &mut Vec<Obstacle>) {
        if std::mem::replace(&mut self.visited[bundle.0 as usize], true) {
            return;
        }
        self.add_own_facts(entry, bundle);
        let requirements = match self.requires(entry) {
            Ok(requirements) => requirements,
            Err(error) => return obstacles.push(error),
        };
        self.rules.choices[bundle.0 as usize].reserve_exact(requirements.len());
        for &stated in requirements {
            match self.providers(entry, stated) {
                Err(error) => obstacles.push(error),
                Ok(list) => {
                    self.add_requirement(entry, bundle, stated, list);
                    stack.push(list);
                }
            }
        }
    }

    /// The last of the list that has not entered the problem yet.
    fn last_unvisited(&mut self, list: u32) -> Option<(EntryId, VarId)> {
        let list = &mut self.lists[list as usize];
        while let Some(at) = list.visited_from.checked_sub(1) {
            list.visited_from = at;
            if !self.visited[list.alternatives[at].0 as usize] {
                return Some((list.entries[at], list.alternatives[at]));
            }
        }
        None
    }

    /// The requirements of the entry, in property order.
    fn requires(&self, entry: EntryId) -> Result<&'p [Stated], Obstacle> {
        let (source, at) = self.pool.place(entry);
        self.pool.index(source).requires(at).as_deref().map_err(|Misstated { span, error }| Obstacle::Requirement {
            bundle: self.pool.entry(entry).name.clone(),
            span: *span,
            error: error.clone(),
        })
    }

    fn add_requirement(&mut self, entry: EntryId, bundle: VarId, stated: Stated, list: u32) {
        let requirement = Arc::clone(self.pool.index(self.pool.source_of(entry)).requirement(stated.number));
        let alternatives = Arc::clone(&self.lists[list as usize].alternatives);
        self.add_fact(bundle, Fact::Requires { bundle, requirement, span: stated.span, alternatives });
        if let Some(shared) = self.rules.shared.last_mut() {
            *shared = Some(list);
        }
    }

    fn bundle(&mut self, entry: EntryId) -> VarId {
        if let Some(known) = self.known(entry) {
            return known;
        }
        let identifier = self.pool.identifier(entry).into();
        let id = self.add_variable(Variable::Bundle { entry, identifier, upgrades: None });
        self.known[self.pool.identifier_number(entry)] = Some(id);
        id
    }

    /// The variable of a bundle that has entered the problem.
    fn known(&self, entry: EntryId) -> Option<VarId> {
        self.known[self.pool.identifier_number(entry)]
    }

    fn add_variable(&mut self, variable: Variable) -> VarId {
        let id = VarId(u32::try_from(self.rules.variables.len()).expect("a problem has fewer than 2^32 bundles"));
        self.rules.variables.push(variable);
        self.rules.choices.push(Vec::new());
        self.visited.push(false);
        id
    }

    /// Adds a rule that offers no choice.
    fn push_fact(&mut self, fact: Fact) {
        self.rules.facts.push(fact);
        self.rules.shared.push(None);
    }

    /// Adds a rule about `subject`.
    fn add_fact(&mut self, subject: VarId, fact: Fact) {
        let id = FactId(u32::try_from(self.rules.facts.len()).expect("a problem has fewer than 2^32 rules"));
        if fact.alternatives().is_some() {
            self.rules.choices[subject.0 as usize].push(id);
        }
        self.push_fact(fact);
    }

    fn give_up(&mut self, reason: GaveUp) {
        self.gave_up.get_or_insert(reason);
    }

    fn add_own_facts(&mut self, entry: EntryId, bundle: VarId) {
        if self.is_freestanding(entry) {
            self.add_fact(bundle, Fact::Freestanding { bundle });
        }
        let (source, at) = self.pool.place(entry);
        if self.pool.index(source).is_deprecated(at) {
            self.add_fact(bundle, Fact::Deprecated { bundle });
        }
    }

    fn is_freestanding(&self, entry: EntryId) -> bool {
        self.pool.is_existing(entry) && self.owner(entry).is_none()
    }

    /// The last Subscription whose status claims the installed CSV.
    fn owner(&self, entry: EntryId) -> Option<usize> {
        self.owners.get(&self.pool.entry(entry).name).copied()
    }

    fn anchor_freestanding(&mut self) {
        let pool = self.pool;
        for entry in pool.existing() {
            if self.is_freestanding(entry) {
                let bundle = self.bundle(entry);
                self.rules.anchors.push(bundle);
            }
        }
    }
}

// Finds the bundles that meet a requirement, best first.
//
// Follows operator-lifecycle-manager `pkg/controller/registry/resolver/resolver.go` (`getBundleVariables`,
// `sortBundles`).

/// The number of a list of providers, or what stands in the way.
pub(super) type ProviderSet = Result<u32, Obstacle>;

/// The bundles that meet a requirement, best first.
#[derive(Debug)]
struct Providers {
    pub(super) entries: Vec<EntryId>,
    pub(super) alternatives: Arc<[VarId]>,
    /// All from here on have entered the problem.
    visited_from: usize,
}

impl Collector<'_> {
    /// The entries that meet a requirement of `own`, best first. The whole channel of each is sorted before its other
    /// entries are left out, so skipped entries are left out too, and a channel without an order is an error.
    pub(super) fn providers(&mut self, own: EntryId, stated: Stated) -> ProviderSet {
        let place = (self.pool.source_of(own).index(), stated.number as usize);
        if let Some(found) = &self.memo[place.0][place.1] {
            return found.clone();
        }
        let found = self.find_providers(own, stated);
        self.memo[place.0][place.1] = Some(found.clone());
        found
    }

    fn find_providers(&mut self, own: EntryId, stated: Stated) -> ProviderSet {
        let pool = self.pool;
        let source = pool.source_of(own);
        let requirement = pool.index(source).requirement(stated.number);
        let precomputed = pool.precomputed(source, stated.number);
        let mut matches = Vec::new();
        for other in pool.sources() {
            if other == source && precomputed.is_some() {
                matches.push(Vec::new());
                continue;
            }
            let matching = Matches::of(pool.index(other), pool.entries_of(other), requirement, &mut self.fuel);
            if let Some(unknown) = matching.unknown {
                self.cannot_tell(own, stated, requirement, &unknown);
            }
            matches.push(matching.entries);
        }
        let mut entries = Vec::new();
        for &other in pool.preferred(source) {
            let matching = &matches[other.index()];
            match precomputed.filter(|_| other == source) {
                Some(ranked) => {
                    let ranked = ranked.as_ref().map_err(|error| Obstacle::Order(error.clone()))?;
                    entries.extend(ranked.iter().map(|&at| pool.id(other, at)));
                }
                None if other == EXISTING => entries.extend(self.sort_installed(matching).map_err(Obstacle::Order)?),
                None => {
                    let ranked = rank(pool.index(other), pool.entries_of(other), matching).map_err(Obstacle::Order)?;
                    entries.extend(ranked.into_iter().map(|at| pool.id(other, at)));
                }
            }
        }
        let alternatives = entries.iter().map(|&entry| self.bundle(entry)).collect();
        let number = u32::try_from(self.lists.len()).expect("a problem has fewer than 2^32 requirements");
        self.lists.push(Providers { visited_from: entries.len(), entries, alternatives });
        self.rules.shared_lists = number + 1;
        Ok(number)
    }

    /// An installed CSV is a channel of its own, but of several with the same package and the same Subscription, or
    /// none, the first stands for all. Those of one package are then put in order as if they were one channel.
    fn sort_installed(&self, matching: &[At]) -> Result<Vec<EntryId>, SortError> {
        let mut owners = BTreeSet::new();
        let mut channels: BTreeMap<_, Vec<EntryId>> = BTreeMap::new();
        for &at in matching {
            let id = self.pool.id(EXISTING, at);
            let package = &self.pool.entry(id).package;
            if owners.insert((package, self.owner(id))) {
                channels.entry(package).or_default().push(id);
            }
        }
        let mut sorted = Vec::new();
        for channel in channels.values() {
            sorted.extend(self.pool.channel_order(channel)?);
        }
        Ok(sorted)
    }

    fn cannot_tell(&mut self, own: EntryId, stated: Stated, requirement: &Requirement, why: &Unevaluated) {
        let bundle = self.pool.entry(own).name.clone();
        let span = stated.span;
        self.give_up(match why {
            Unevaluated::Cel { why, .. } => {
                GaveUp::Cel { bundle, requirement: requirement.to_string().into(), why: why.clone(), span }
            }
            Unevaluated::Range { .. } => GaveUp::Crash { bundle, span },
        });
    }
}

// One provider per API and one bundle per package, among the bundles that entered the problem.
//
// Follows operator-lifecycle-manager `pkg/controller/registry/resolver/resolver.go` (`addInvariants`). Uniqueness is
// by identifier, so the same bundle in two channels counts twice.

/// Adds the rules; a rule with fewer than two members restricts nothing and is left out.
fn add_invariants(collector: &mut Collector<'_>) {
    for (gvk, providers) in members(collector, gvk_of) {
        collector.push_fact(Fact::OneProvider { gvk: gvk.clone(), providers });
    }
    for (package, bundles) in members(collector, package_of) {
        collector.push_fact(Fact::OneOfPackage { package: package.clone(), bundles });
    }
}

fn gvk_of(property: &Property) -> Option<&Gvk> {
    if let Property::Gvk(gvk, _) = property { Some(gvk) } else { None }
}

fn package_of(property: &Property) -> Option<&PackageName> {
    if let Property::Package { name, .. } = property { Some(name) } else { None }
}

/// By key, the bundles whose properties name it, sorted by identifier; one that does so twice occurs twice. Keys with fewer
/// than two bundles are left out. Looks at the bundles that entered the problem, which are few of those in the catalogs.
fn members<'p, K: Ord>(
    collector: &Collector<'p>,
    key: impl Fn(&'p Property) -> Option<&'p K>,
) -> Vec<(&'p K, Vec<VarId>)> {
    let pool = collector.pool;
    let mut members: BTreeMap<&K, Vec<_>> = BTreeMap::new();
    for (var, variable) in (0..).map(VarId).zip(&collector.rules.variables) {
        let Variable::Bundle { entry, identifier, .. } = variable else { continue };
        if is_parsable(identifier) {
            for key in pool.entry(*entry).properties.iter().filter_map(|placed| key(&placed.property)) {
                members.entry(key).or_default().push((pool.identifier_order(*entry), var));
            }
        }
    }
    members.retain(|_, members| members.len() > 1);
    let sorted = members.into_iter().map(|(key, mut members)| {
        members.sort_unstable();
        (key, members.into_iter().map(|(_, var)| var).collect())
    });
    sorted.collect()
}

/// Whether OLM can take the identifier apart again: four parts between slashes.
pub(crate) fn is_parsable(identifier: &str) -> bool {
    identifier.bytes().filter(|&byte| byte == b'/').count() == 3
}
