//! The queries that the workbench answers, one file each. A query changes nothing.

mod definition;
mod entry;
mod examples;
mod file;
mod findings;
mod graph;
mod graph_layout;
mod graph_text;
mod overview;
mod path;
mod reach;
mod simulation;
mod source;
mod subject;

pub use self::examples::examples;
pub use self::simulation::describe_loop;

use crate::{CatalogInput, Workbench};
use ::source::Severity;
use views::PackageKey;

impl Workbench {
    /// A package and its catalog.
    pub(crate) fn package(&self, key: &PackageKey) -> Option<(&CatalogInput, &catalog::Package)> {
        let catalog = self.catalog(key.catalog)?;
        Some((catalog, catalog.analysis.catalog.package(&key.package)?))
    }
}

const fn severity(severity: Severity) -> views::Severity {
    match severity {
        Severity::Error => views::Severity::Error,
        Severity::Warning => views::Severity::Warning,
        Severity::Hint => views::Severity::Hint,
    }
}
