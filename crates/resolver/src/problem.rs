//! One resolution as a value: what is visible, what is wanted, and the rules that follow.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock};

use catalog::BundleName;
use predicate::{NotKnown, RequirementError};
use sat::{Bound, Tally};
use source::Span;
use update_graph::SortError;

use crate::cluster::{InstalledCsv, Subscription};
use crate::encode::{Encoding, encode};
use crate::entry::{CatalogKey, Entry};
use crate::fact::{Fact, FactId, VarId};
use crate::gather::gather;
use crate::pool::Pool;
use crate::snapshot::Snapshot;

/// Everything that OLM looks at when it resolves one namespace.
#[derive(Clone, Debug, Default)]
pub struct Namespace {
    /// Its name.
    pub name: Arc<str>,
    /// The catalogs that it can see: its own and those of the global namespace, in any order.
    pub catalogs: Vec<Arc<Snapshot>>,
    /// CatalogSources that cannot be read, and why. One of them fails the whole resolution.
    pub broken: Vec<(CatalogKey, Box<str>)>,
    /// Its CSVs, copied ones left out, in any order; of two with one name the first counts.
    pub installed: Vec<InstalledCsv>,
    /// Its Subscriptions, in any order.
    pub subscriptions: Vec<Subscription>,
}

/// A namespace with all the rules of its resolution, ready to be solved in any order of anchors.
#[derive(Clone, Debug)]
pub struct Problem {
    namespace: Namespace,
    pub(crate) pool: Pool,
    pub(crate) rules: Rules,
    pub(crate) verdict: Result<(), Unresolvable>,
    /// The rules as a formula; made at the first question.
    encoding: OnceLock<Arc<Encoding>>,
    tally: Arc<Mutex<Tally>>,
}

/// Why there is nothing to solve.
#[derive(Clone, Debug, PartialEq)]
pub enum Unresolvable {
    /// OLM refuses to resolve (`ErrorPreventedResolution`).
    Prevented(Prevented),
    /// We cannot tell what OLM would do.
    GaveUp(GaveUp),
}

/// OLM's errors, in the order in which it meets them. Displays its aggregate of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Prevented {
    /// At least one.
    pub errors: Vec<Obstacle>,
}

/// One error that prevents a resolution. Displays OLM's own text.
#[derive(Clone, Debug, PartialEq)]
pub enum Obstacle {
    /// A CatalogSource, or the installed operators, cannot be read.
    Source(CatalogKey, Box<str>),
    /// A channel that matters has no order.
    Order(SortError),
    /// A bundle that was considered has a malformed requirement.
    Requirement {
        /// The bundle.
        bundle: BundleName,
        /// Where the requirement stands.
        span: Option<Span>,
        /// What is wrong with it.
        error: RequirementError,
    },
    /// The identifier of a selected bundle has a `/` too many, in its channel say.
    Identifier(Box<str>),
    /// So many bundles of the catalog share the identifier of a selected one.
    NotExactlyOne(usize),
}

/// What keeps us from an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GaveUp {
    /// A requirement contains a CEL rule of which it is not known what cel-go would say.
    Cel {
        /// The bundle that has the requirement.
        bundle: BundleName,
        /// The requirement in OLM's words.
        requirement: Box<str>,
        /// Why it is not known.
        why: NotKnown,
        /// Where it stands.
        span: Option<Span>,
    },
    /// OLM would crash on the range.
    Crash {
        /// The bundle that has the range.
        bundle: BundleName,
        /// Where it stands.
        span: Option<Span>,
    },
    /// The search for an answer came to a bound.
    Solver(Bound),
}

/// Variables and facts. Facts of one subject are in OLM's order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rules {
    pub(crate) variables: Vec<Variable>,
    pub(crate) facts: Vec<Fact>,
    /// By fact: the number of its list of alternatives, if others may share it.
    pub(crate) shared: Vec<Option<u32>>,
    pub(crate) shared_lists: u32,
    /// By variable: its facts that have alternatives.
    pub(crate) choices: Vec<Vec<FactId>>,
    /// Variables that must be selected: Subscriptions by name, then freestanding CSVs by name.
    pub(crate) anchors: Vec<VarId>,
}

/// What a variable stands for.
#[derive(Clone, Debug)]
pub(crate) enum Variable {
    /// The Subscription at this index.
    Subscription(usize),
    /// A bundle, by its identifier.
    Bundle {
        /// The first entry that was met under the identifier.
        entry: crate::pool::EntryId,
        /// `<catalog>/<catalogNamespace>/<channel>/<name>`
        identifier: Arc<str>,
        /// The installed CSV that it would replace as a Subscription's upgrade.
        upgrades: Option<BundleName>,
    },
}

impl Problem {
    /// Collects the rules of the namespace's resolution.
    #[must_use]
    pub fn new(mut namespace: Namespace) -> Self {
        namespace.subscriptions.sort_by(|a, b| a.name.cmp(&b.name));
        namespace.installed.sort_by(|a, b| a.name.cmp(&b.name));
        namespace.installed.dedup_by(|b, a| a.name == b.name);
        let (pool, rules, verdict) = collect(&namespace, &namespace.installed);
        Self { namespace, pool, rules, verdict, encoding: OnceLock::new(), tally: Arc::default() }
    }

    /// Why there is nothing to solve if OLM reads the installed CSVs in this order of their places.
    pub(crate) fn unresolvable_in(&self, order: &[usize]) -> Option<Unresolvable> {
        let installed: Vec<InstalledCsv> = order.iter().map(|&at| self.namespace.installed[at].clone()).collect();
        collect(&self.namespace, &installed).2.err()
    }

    /// The formula of all rules.
    pub(crate) fn encoding(&self) -> &Encoding {
        self.encoding.get_or_init(|| Arc::new(encode(&self.rules)))
    }

    /// How many questions about the rules each means answered so far.
    #[must_use]
    pub fn tally(&self) -> Tally {
        self.tally.lock().expect("counting does not panic").clone()
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
    pub fn subscriptions(&self) -> &[Subscription] {
        &self.namespace.subscriptions
    }

    /// What a Subscription's status says is installed, if that CSV is there: otherwise OLM takes it for a Subscription
    /// without anything installed (reference: A2.3).
    #[must_use]
    pub fn installed<'s>(&self, subscription: &'s Subscription) -> Option<&'s BundleName> {
        subscription.installed_csv.as_ref().filter(|name| self.pool.installed(name).is_some())
    }

    /// Why there is nothing to solve, if so.
    #[must_use]
    pub fn unresolvable(&self) -> Option<&Unresolvable> {
        self.verdict.as_ref().err()
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
    pub fn subscription(&self, id: VarId) -> Option<&Subscription> {
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

/// What there is to choose from, the rules, and whether OLM comes as far as to solve them.
fn collect(namespace: &Namespace, installed: &[InstalledCsv]) -> (Pool, Rules, Result<(), Unresolvable>) {
    let mut broken = namespace.broken.clone();
    let mut existing = Vec::new();
    for csv in installed {
        match csv.entry(&namespace.subscriptions) {
            Ok(entry) => existing.push(entry),
            Err(error) => broken.push((CatalogKey::existing(&namespace.name), error.into())),
        }
    }
    if broken.iter().any(|(key, _)| key.is_existing()) {
        existing.clear();
    }
    broken.sort();
    let pool = Pool::new(&namespace.name, existing, &namespace.catalogs);
    let (rules, verdict) = gather(&pool, &namespace.subscriptions, broken);
    (pool, rules, verdict)
}

impl fmt::Display for Prevented {
    /// As `k8s.io/apimachinery` prints an aggregate: each text once, several in brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut texts: Vec<String> = Vec::new();
        for error in &self.errors {
            let text = error.to_string();
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        match &texts[..] {
            [text] => f.write_str(text),
            _ => write!(f, "[{}]", texts.join(", ")),
        }
    }
}

impl std::error::Error for Prevented {}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Source(key, error) => write!(f, "error using catalogsource {key}: {error}"),
            Self::Order(error) => error.fmt(f),
            Self::Requirement { error, .. } => error.fmt(f),
            Self::Identifier(identifier) => write!(
                f,
                "error determining origin of operator: unable to parse identifier {identifier} for source info"
            ),
            Self::NotExactlyOne(count) => write!(f, "expected exactly one operator, got {count}"),
        }
    }
}

impl fmt::Display for GaveUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cel { bundle, requirement, why, .. } => {
                write!(f, "cannot tell: bundle `{bundle}` requires an operator {requirement}, and that rule {why}")
            }
            Self::Crash { bundle, .. } => {
                write!(f, "OLM would crash on a range of bundle `{bundle}`, expected comparators between two `||`")
            }
            Self::Solver(bound) => write!(f, "cannot tell: gave up after {bound}"),
        }
    }
}
