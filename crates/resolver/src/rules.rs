//! The variables and facts of one resolution.

use std::sync::Arc;

use catalog::BundleName;

use crate::fact::{Fact, FactId, VarId};
use crate::pool::EntryId;

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
    Bundle {
        /// The first entry that was met under the identifier.
        entry: EntryId,
        /// `<catalog>/<catalogNamespace>/<channel>/<name>`
        identifier: Arc<str>,
        /// The installed CSV that it would replace as a Subscription's upgrade.
        upgrades: Option<BundleName>,
    },
}
