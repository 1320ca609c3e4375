//! A set among the inputs.

use openshift::sets::{CatalogSet, Finding};
use std::cell::OnceCell;
use views::{OpenShift, OpmVersion, SetId};

/// A set.
pub struct SetInput {
    /// The id; never reused.
    pub id: SetId,
    /// The name of what was opened.
    pub name: String,
    /// Its members; while it is read, those that are complete.
    pub set: CatalogSet,
    /// The versions of the members that are still read.
    pub waiting: Vec<OpenShift>,
    /// Whether the other sets are only compared with it: the state before a change.
    pub is_baseline: bool,
    pub findings: OnceCell<Vec<Finding>>,
}

impl SetInput {
    /// Judges its catalogs as a release of `opm` does.
    pub(crate) fn judge(&mut self, opm: OpmVersion) {
        self.set.judge(opm);
        self.findings = OnceCell::new();
    }
}
