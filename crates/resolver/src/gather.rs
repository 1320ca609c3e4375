//! Collects the variables and rules of a problem in OLM's order of work, errors included.
//!
//! Follows operator-lifecycle-manager `pkg/controller/registry/resolver/resolver.go` (`Resolve`,
//! `getBundleVariables`).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use catalog::BundleName;
use predicate::Fuel;

use crate::cluster::Subscription;
use crate::entry::CatalogKey;
use crate::fact::{Fact, FactId, VarId};
use crate::index::{Misstated, Stated};
use crate::invariants;
use crate::pool::{EntryId, Pool, SourceId};
use crate::problem::{GaveUp, Obstacle, Prevented, Rules, Unresolvable, Variable};
use crate::providers::{Found, Providers};
use crate::subscribe;

/// So much the evaluations of CEL rules of one problem may cost together.
const CEL_STEPS: u64 = 10_000_000;

/// The rules, and whether OLM comes as far as to solve them.
pub(crate) fn gather(
    pool: &Pool,
    subscriptions: &[Subscription],
    broken: Vec<(CatalogKey, Box<str>)>,
) -> (Rules, Result<(), Unresolvable>) {
    let mut gather = Gather {
        pool,
        subscriptions,
        rules: Rules::default(),
        owners: owners(subscriptions),
        bundles: BTreeMap::new(),
        known: vec![None; pool.entry_count()],
        visited: BTreeSet::new(),
        memo: BTreeMap::new(),
        fuel: Fuel::new(CEL_STEPS),
        gave_up: None,
    };
    let obstacles = gather.everything(broken);
    let verdict = match (gather.gave_up, obstacles) {
        (Some(gave_up), _) => Err(Unresolvable::GaveUp(gave_up)),
        (None, errors) if !errors.is_empty() => Err(Unresolvable::Prevented(Prevented { errors })),
        (None, _) => Ok(()),
    };
    (gather.rules, verdict)
}

/// By installed CSV, the last Subscription whose status claims it.
fn owners(subscriptions: &[Subscription]) -> BTreeMap<&BundleName, usize> {
    let claims = subscriptions.iter().enumerate().filter_map(|(at, one)| Some((one.installed_csv.as_ref()?, at)));
    claims.collect()
}

pub(crate) struct Gather<'p> {
    pub(crate) pool: &'p Pool,
    pub(crate) subscriptions: &'p [Subscription],
    owners: BTreeMap<&'p BundleName, usize>,
    pub(crate) rules: Rules,
    /// By identifier.
    pub(crate) bundles: BTreeMap<Arc<str>, VarId>,
    /// By entry; those that share an identifier share the variable.
    known: Vec<Option<VarId>>,
    visited: BTreeSet<VarId>,
    /// By the source of what requires, and the number of the requirement there.
    pub(crate) memo: BTreeMap<(SourceId, u32), Found>,
    /// What all evaluations of CEL rules may cost.
    pub(crate) fuel: Fuel,
    pub(crate) gave_up: Option<GaveUp>,
}

impl<'p> Gather<'p> {
    /// OLM's order of work (reference: A2.2); returns the errors that it would return.
    fn everything(&mut self, broken: Vec<(CatalogKey, Box<str>)>) -> Vec<Obstacle> {
        let obstacles = self.expand(self.pool.existing().collect());
        if !obstacles.is_empty() {
            return obstacles;
        }
        let mut obstacles = Vec::new();
        for at in 0..self.subscriptions.len() {
            obstacles.extend(subscribe::add(self, at));
        }
        self.anchor_freestanding();
        invariants::add(self);
        if broken.is_empty() {
            obstacles
        } else {
            broken.into_iter().map(|(key, error)| Obstacle::Source(key, error)).collect()
        }
    }

    /// Adds bundles with all that they can depend on. Last in, first out, as that decides the order of errors.
    pub(crate) fn expand(&mut self, mut stack: Vec<EntryId>) -> Vec<Obstacle> {
        let mut obstacles = Vec::new();
        while let Some(entry) = stack.pop() {
            let bundle = self.bundle(entry);
            if !self.visited.insert(bundle) {
                continue;
            }
            self.add_own_facts(entry, bundle);
            match self.requires(entry) {
                Err(error) => obstacles.push(error),
                Ok(requirements) => {
                    for &stated in requirements {
                        match self.providers(entry, stated) {
                            Err(error) => obstacles.push(error),
                            Ok(providers) => {
                                self.add_requirement(entry, bundle, stated, &providers);
                                stack.extend(&*providers.entries);
                            }
                        }
                    }
                }
            }
        }
        obstacles
    }

    /// What the entry requires, in property order.
    fn requires(&self, entry: EntryId) -> Result<&'p [Stated], Obstacle> {
        let (source, at) = self.pool.place(entry);
        self.pool.index(source).requires(at).as_deref().map_err(|Misstated { span, error }| Obstacle::Requirement {
            bundle: self.pool.entry(entry).name.clone(),
            span: *span,
            error: error.clone(),
        })
    }

    fn add_requirement(&mut self, entry: EntryId, bundle: VarId, stated: Stated, providers: &Providers) {
        let requirement = Arc::clone(self.pool.index(self.pool.source_of(entry)).requirement(stated.number));
        let alternatives = Arc::clone(&providers.alternatives);
        self.add_fact(bundle, Fact::Requires { bundle, requirement, span: stated.span, alternatives });
        if let Some(shared) = self.rules.shared.last_mut() {
            *shared = Some(providers.number);
        }
    }

    /// The variable of a bundle.
    pub(crate) fn bundle(&mut self, entry: EntryId) -> VarId {
        if let Some(known) = self.known[entry.index()] {
            return known;
        }
        let identifier: Arc<str> = self.pool.identifier(entry).into();
        let id = match self.bundles.get(&identifier) {
            Some(&shared) => shared,
            None => {
                let variable = Variable::Bundle { entry, identifier: Arc::clone(&identifier), upgrades: None };
                let id = self.add_variable(variable);
                self.bundles.insert(identifier, id);
                id
            }
        };
        self.known[entry.index()] = Some(id);
        id
    }

    pub(crate) fn add_variable(&mut self, variable: Variable) -> VarId {
        let id = VarId(u32::try_from(self.rules.variables.len()).expect("a problem has fewer than 2^32 bundles"));
        self.rules.variables.push(variable);
        self.rules.choices.push(Vec::new());
        id
    }

    /// Adds a rule about `subject`.
    pub(crate) fn add_fact(&mut self, subject: VarId, fact: Fact) {
        let id = FactId(u32::try_from(self.rules.facts.len()).expect("a problem has fewer than 2^32 rules"));
        if fact.alternatives().is_some() {
            self.rules.choices[subject.0 as usize].push(id);
        }
        self.rules.facts.push(fact);
        self.rules.shared.push(None);
    }

    pub(crate) fn give_up(&mut self, reason: GaveUp) {
        self.gave_up.get_or_insert(reason);
    }

    fn add_own_facts(&mut self, entry: EntryId, bundle: VarId) {
        if self.is_freestanding(entry) {
            self.add_fact(bundle, Fact::Freestanding { bundle });
        }
        if self.pool.entry(entry).is_deprecated() {
            self.add_fact(bundle, Fact::Deprecated { bundle });
        }
    }

    fn is_freestanding(&self, entry: EntryId) -> bool {
        self.pool.is_existing(entry) && self.owner(entry).is_none()
    }

    /// The last Subscription whose status claims the installed CSV.
    pub(crate) fn owner(&self, entry: EntryId) -> Option<usize> {
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
