//! The queries that the workbench answers, one file each. A query changes nothing.

mod channel_map;
mod cluster_form;
mod comparison;
mod crd_changes;
mod definition;
mod download;
mod drawing;
mod edge_edit;
mod entry;
mod examples;
mod expansion;
mod expression;
mod file;
mod findings;
mod graph;
mod graph_layout;
mod graph_runtimes;
mod graph_text;
mod inventory;
mod lifecycle;
mod lookup;
mod migration;
mod overview;
mod path;
mod plan;
mod quick_fix;
mod reach;
mod render;
mod repairs;
mod search;
mod simulation;
mod source;
mod subject;

pub(crate) use self::comparison::ComparisonInput;
pub use self::comparison::{ComparisonQuery, ComparisonRun, ReportScope, level_faults};
pub use self::download::NotRendered;
pub use self::drawing::{DrawingFault, drawing};
pub(crate) use self::edge_edit::channel_edit;
pub use self::examples::examples;
pub use self::expansion::{
    Expanded, ExpandedChannel, ExpandedEntry, ExpandedPackage, ExpansionReport, NoTemplateType, TemplateFinding,
    template_type,
};
pub use self::expression::{PropertyText, RangeAnswer, RangeMatch, RangeQuestion, RuleAnswer, RuleQuestion};
pub use self::inventory::inventory;
pub use self::lookup::NameError;
pub use self::plan::{PlanSources, plan_markdown, subscribed_cluster};
pub(crate) use self::quick_fix::inverse;
pub use self::render::{Documents, RenderFinding, Rendered, is_bundle_directory, render_bundle};
pub(crate) use self::repairs::diff_line;
pub use self::simulation::{ResolutionTotal, SimulationLimits, SimulationProgress, SimulationRun};

use crate::{CatalogInput, Workbench};
use catalog::{Channel, Package};
use views::PackageKey;

impl Workbench {
    /// A package and its catalog.
    pub(crate) fn package(&self, key: &PackageKey) -> Option<(&CatalogInput, &Package)> {
        let catalog = self.catalog(key.catalog)?;
        Some((catalog, catalog.analysis.catalog.package(&key.package)?))
    }
}

/// A channel that lists an entry: the default channel if that does, else the first.
fn listing_channel<'c>(package: &'c Package, name: &str) -> Option<&'c Channel> {
    let lists = |channel: &&Channel| channel.entry(name).is_some();
    let default = package.default_channel.as_ref().and_then(|name| package.channel(name.value.as_str()));
    default.filter(lists).or_else(|| package.channels.iter().find(lists))
}
