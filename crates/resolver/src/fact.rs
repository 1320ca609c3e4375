//! The rules of one resolution. Each is both a constraint and the reason that explanations cite.

use std::sync::Arc;

use catalog::BundleName;
use catalog::predicate::{Gvk, PackageName, Requirement};
use source::Span;

use crate::pool::EntryId;

/// A thing that is selected or not: a Subscription or a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(pub(crate) u32);

/// A rule of one problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FactId(pub(crate) u32);

/// A rule, after operator-lifecycle-manager `pkg/controller/registry/resolver/resolver.go`.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// A Subscription must be selected.
    Subscribed { subscription: VarId },
    /// A Subscription needs one of the bundles that it can install or keep.
    Wants {
        subscription: VarId,
        /// Best first, the installed bundle last; one bundle can occur several times.
        alternatives: Arc<[VarId]>,
        /// Which of `alternatives` lie next to each other in an order that differs from run to run: the same bundle in
        /// several channels.
        ties: Vec<std::ops::Range<usize>>,
    },
    /// A Subscription matches nothing and cannot be selected.
    NothingFound {
        subscription: VarId,
        /// The first thing that it did not find.
        missing: Missing,
    },
    /// An installed CSV without a Subscription must stay.
    Freestanding {
        /// The CSV.
        bundle: VarId,
    },
    /// A bundle carries `olm.deprecated` and cannot be selected.
    Deprecated { bundle: VarId },
    /// A bundle needs one of those that meet a requirement of its own.
    Requires {
        bundle: VarId,
        requirement: Arc<Requirement>,
        /// The place in the catalog.
        span: Option<Span>,
        /// Best first; an empty list forbids the bundle. Bundles with the same requirement share the list.
        alternatives: Arc<[VarId]>,
    },
    /// An upgrade and the CSV that it replaces exclude each other.
    Supersedes { upgrade: VarId, installed: VarId },
    /// An API has at most one provider.
    OneProvider {
        gvk: Gvk,
        /// Sorted by identifier; a bundle that names the API twice occurs twice and so excludes itself.
        providers: Vec<VarId>,
    },
    /// A package has at most one bundle.
    OneOfPackage {
        package: PackageName,
        /// Sorted by identifier; a bundle that names the package twice occurs twice and so excludes itself.
        bundles: Vec<VarId>,
    },
}

/// The first thing that a Subscription's search did not find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// The catalog, or anything in it.
    Catalog,
    Package,
    Channel,
    /// The entry of `startingCSV`.
    StartingCsv,
}

impl Fact {
    /// The bundles among which one must be selected once the subject is, best first.
    pub(crate) fn alternatives(&self) -> Option<&[VarId]> {
        match self {
            Self::Wants { alternatives, .. } | Self::Requires { alternatives, .. } => Some(alternatives),
            _ => None,
        }
    }
}

// The variables and facts of one resolution.

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

#[derive(Clone, Debug)]
pub(crate) enum Variable {
    Subscription(usize),
    Bundle {
        /// The first entry that was met under the identifier.
        entry: EntryId,
        /// `<catalog>/<catalogNamespace>/<channel>/<name>`
        identifier: Arc<str>,
        /// The installed CSV that it would replace as a Subscription's upgrade.
        upgrades: Option<BundleName>,
    },
}
