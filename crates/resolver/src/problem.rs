//! One resolution as a value: what is visible, what is wanted, and the rules that follow.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, OnceLock};

use catalog::BundleName;
use cluster::{CatalogKey, InstalledCsv, SubscriptionSpec};
use sat::{Budget, Tally};
use source::Span;

use crate::collect::collect;
use crate::encode::{Encoding, encode};
use crate::fact::{Fact, FactId, Rules, VarId, Variable};
use crate::pool::Pool;
use crate::resolve::Unresolvable;
use crate::snapshot::{Entry, Snapshot};

/// Everything that OLM looks at when it resolves one namespace.
#[derive(Clone, Debug, Default)]
pub struct Namespace {
    pub name: Arc<str>,
    /// The catalogs that it can see: its own and those of the global namespace, in any order.
    pub catalogs: Vec<Arc<Snapshot>>,
    /// CatalogSources that cannot be read, and why. One of them fails the whole resolution.
    pub broken: Vec<(CatalogKey, Box<str>)>,
    /// CSVs, copied ones left out, in any order; of two with one name the first counts.
    pub installed: Vec<InstalledCsv>,
    /// In any order.
    pub subscriptions: Vec<SubscriptionSpec>,
    /// The work that may be done for all questions about it.
    pub budget: Budget,
}

/// A namespace with all the rules of its resolution, ready to be solved in any order of anchors.
#[derive(Clone, Debug)]
pub struct Problem {
    namespace: Namespace,
    pub(crate) pool: Pool,
    pub(crate) rules: Rules,
    pub(crate) solvable: Result<(), Unresolvable>,
    /// The rules as a formula; made at the first question.
    encoding: OnceLock<Arc<Encoding>>,
    tally: Arc<Mutex<Tally>>,
}

impl Problem {
    /// Collects the rules of the namespace's resolution.
    #[must_use]
    pub fn new(mut namespace: Namespace) -> Self {
        namespace.subscriptions.sort_by(|a, b| a.name.cmp(&b.name));
        namespace.installed.sort_by(|a, b| a.name.cmp(&b.name));
        namespace.installed.dedup_by(|b, a| a.name == b.name);
        let (pool, rules, solvable) = collected(&namespace, &namespace.installed);
        Self { namespace, pool, rules, solvable, encoding: OnceLock::new(), tally: Arc::default() }
    }

    /// Why there is nothing to solve if OLM reads the installed CSVs in this order of their places.
    pub(crate) fn unresolvable_in(&self, order: &[usize]) -> Option<Unresolvable> {
        let installed: Vec<InstalledCsv> = order.iter().map(|&at| self.namespace.installed[at].clone()).collect();
        collected(&self.namespace, &installed).2.err()
    }

    /// The formula of all rules.
    pub(crate) fn encoding(&self) -> &Encoding {
        self.encoding.get_or_init(|| Arc::new(encode(&self.rules)))
    }

    /// How many questions about the rules each method has answered so far.
    #[must_use]
    pub fn tally(&self) -> Tally {
        self.tally.lock().expect("counting does not panic").clone()
    }

    /// A tally for questions that decide what OLM does.
    pub(crate) fn tally_for_answer(&self) -> Tally {
        Tally::within(&self.namespace.budget)
    }

    /// A tally for questions beside that: other outcomes, reasons and fixes.
    pub(crate) fn tally_for_extras(&self) -> Tally {
        Tally::within(&self.namespace.budget.for_extras())
    }

    pub(crate) fn add_to_tally(&self, tally: &Tally) {
        self.tally.lock().expect("counting does not panic").add(tally);
    }

    /// What the problem was made of.
    #[must_use]
    pub fn namespace(&self) -> &Namespace {
        &self.namespace
    }

    /// The Subscriptions, by name.
    #[must_use]
    pub fn subscriptions(&self) -> &[SubscriptionSpec] {
        &self.namespace.subscriptions
    }

    /// What a Subscription's status says is installed, if that CSV is there: otherwise OLM takes it for a Subscription
    /// without anything installed.
    #[must_use]
    pub fn installed<'s>(&self, subscription: &'s SubscriptionSpec) -> Option<&'s BundleName> {
        subscription.installed_csv.as_ref().filter(|name| self.pool.installed(name).is_some())
    }

    /// Why there is nothing to solve, if so.
    #[must_use]
    pub fn unresolvable(&self) -> Option<&Unresolvable> {
        self.solvable.as_ref().err()
    }

    /// The rule behind an id of this problem.
    #[must_use]
    pub fn fact(&self, id: FactId) -> &Fact {
        &self.rules.facts[id.0 as usize]
    }

    /// All rules. Those about one subject are in OLM's order.
    pub fn facts(&self) -> impl Iterator<Item = (FactId, &Fact)> {
        (0u32..).map(FactId).zip(&self.rules.facts)
    }

    /// The Subscription that a variable stands for.
    #[must_use]
    pub fn subscription(&self, id: VarId) -> Option<&SubscriptionSpec> {
        match self.rules.variables[id.0 as usize] {
            Variable::Subscription(at) => Some(&self.subscriptions()[at]),
            Variable::Bundle { .. } => None,
        }
    }

    /// The entry that a variable stands for.
    #[must_use]
    pub fn entry(&self, id: VarId) -> Option<&Entry> {
        match &self.rules.variables[id.0 as usize] {
            Variable::Bundle { entry, .. } => Some(self.pool.entry(*entry)),
            Variable::Subscription(_) => None,
        }
    }

    /// The catalog of the entry that a variable stands for.
    #[must_use]
    pub fn catalog(&self, id: VarId) -> Option<&CatalogKey> {
        match &self.rules.variables[id.0 as usize] {
            Variable::Bundle { entry, .. } => Some(self.pool.key_of(*entry)),
            Variable::Subscription(_) => None,
        }
    }

    /// How OLM names a variable in its texts.
    #[must_use]
    pub fn name(&self, id: VarId) -> &str {
        match &self.rules.variables[id.0 as usize] {
            Variable::Subscription(at) => &self.subscriptions()[*at].name,
            Variable::Bundle { identifier, .. } => identifier,
        }
    }

    /// The anchors in the default order: Subscriptions by name, then freestanding CSVs by name. OLM's own order is
    /// random.
    #[must_use]
    pub fn anchors(&self) -> &[VarId] {
        &self.rules.anchors
    }

    /// The names by which Subscriptions without an installed CSV ask for their start.
    pub(crate) fn starting_csvs(&self) -> BTreeSet<&BundleName> {
        self.subscriptions()
            .iter()
            .filter(|subscription| self.installed(subscription).is_none())
            .filter_map(|subscription| subscription.starting_csv.as_ref())
            .collect()
    }

    /// Where the rule stands in the text of a catalog, if it comes from there.
    #[must_use]
    pub fn span(&self, id: FactId) -> Option<Span> {
        match self.fact(id) {
            Fact::Requires { span, .. } => *span,
            Fact::Deprecated { bundle } => {
                let mut properties = self.entry(*bundle)?.properties.iter();
                properties.find(|placed| placed.property.kind() == "olm.deprecated")?.span
            }
            Fact::Supersedes { upgrade, .. } => self.entry(*upgrade)?.span,
            Fact::OneProvider { providers: members, .. } | Fact::OneOfPackage { bundles: members, .. } => {
                members.iter().find_map(|&id| self.entry(id)?.span)
            }
            Fact::Subscribed { .. } | Fact::Wants { .. } | Fact::NothingFound { .. } | Fact::Freestanding { .. } => {
                None
            }
        }
    }
}

/// The entries to choose from, the rules, and what prevents solving them, if anything.
fn collected(namespace: &Namespace, installed: &[InstalledCsv]) -> (Pool, Rules, Result<(), Unresolvable>) {
    let mut broken = namespace.broken.clone();
    let mut existing = Vec::new();
    for csv in installed {
        match Entry::of_csv(csv, &namespace.subscriptions) {
            Ok(entry) => existing.push(entry),
            Err(error) => broken.push((CatalogKey::existing(&namespace.name), error.into())),
        }
    }
    if broken.iter().any(|(key, _)| key.is_existing()) {
        existing.clear();
    }
    broken.sort();
    let pool = Pool::new(&namespace.name, existing, &namespace.catalogs);
    let (rules, solvable) = collect(&pool, &namespace.subscriptions, broken);
    (pool, rules, solvable)
}
