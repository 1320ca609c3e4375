//! What is asked of a channel, and the answer.

use crate::edit::Edit;
use catalog::{BundleName, Channel, Package};
use sat::Budget;
use std::collections::BTreeSet;

/// Which edits of a channel make every version reach its head?
#[derive(Clone, Copy, Debug)]
pub struct Question<'c> {
    /// The package before a change, if that is known.
    pub before: Option<&'c Package>,
    /// The package that is edited.
    pub after: &'c Package,
    /// Its channel that is edited.
    pub channel: &'c Channel,
    /// Versions that clusters have installed, beside those that the channel lists or names in one of the states.
    pub installed: &'c BTreeSet<BundleName>,
    /// Versions that nobody may be updated to.
    pub avoid: &'c BTreeSet<BundleName>,
    /// The work that the solver may do.
    pub budget: &'c Budget,
}

impl<'c> Question<'c> {
    /// The channel before the change.
    pub(crate) fn old_channel(&self) -> Option<&'c Channel> {
        self.before?.channel(self.channel.name.value.as_str())
    }
}

/// Edits after which `opm` accepts the channel and every version of the question reaches its head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The sum of the weights of the edits (authoring 1.4).
    pub weight: u32,
    /// How many versions get a next update that they did not have and did not need, or one that leaves out an entry which
    /// they were updated to before.
    pub widening: usize,
    /// The edits, in the order of the channel.
    pub edits: Vec<Edit>,
}
