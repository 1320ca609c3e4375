//! The queries that the workbench answers, one file each, and the table of what each of the page's is answered with. A query
//! changes nothing.

mod answer;
mod channel_map;
mod cluster_form;
mod comparison;
mod crd_changes;
mod crd_upgrade;
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
mod opm_notes;
mod overview;
mod path;
mod plan;
mod quick_fix;
mod reach;
mod render;
mod search;
mod simulation;
mod small_chain;
mod source;
mod subject;

pub(crate) use self::comparison::{ComparisonInput, strips};
pub use self::comparison::{ComparisonQuery, ComparisonRun, ReportScope, level_faults, settings};
pub use self::crd_upgrade::{CrdFault, crd_upgrade};
pub use self::download::NotRendered;
pub use self::drawing::{DrawingFault, drawing};
pub use self::examples::examples;
pub use self::expansion::{
    Expanded, ExpandedChannel, ExpandedEntry, ExpandedPackage, ExpansionReport, NoTemplateType, TemplateFinding,
    template_type,
};
pub use self::expression::{PropertyText, RangeAnswer, RangeMatch, RangeQuestion, RuleAnswer, RuleQuestion};
pub use self::inventory::inventory;
pub use self::lookup::{NameError, version_in_name};
pub(crate) use self::plan::{PlanSources, subscribed_cluster};
pub use self::render::{Documents, RenderFinding, Rendered, is_bundle_directory, render_bundle};
pub use self::simulation::{ResolutionTotal, SimulationLimits, SimulationProgress, SimulationRun};
pub(crate) use self::small_chain::StuckPackages;

use crate::{CatalogInput, Workbench};
use catalog::{Channel, Package};
use views::{ExampleTheme, PackageKey, Query, Respond, query};

/// Answers queries: the type and fields of each, and the answer.
macro_rules! answer_queries {
    ($workbench:ident: $($query:ident { $($field:ident),* } => $answer:expr;)*) => {
        $(impl Respond<query::$query> for Workbench {
            fn respond(&self, query: &query::$query) -> <query::$query as Query>::Answer {
                let ($workbench, query::$query { $($field),* }) = (self, query);
                $answer
            }
        })*
    };
}

answer_queries! {
    workbench:
    ChannelMap { package } => workbench.channel_map(package);
    // At once, for instance while files are loaded; the worker works on these and on `Simulate` in pieces.
    Compare {} => workbench.compare();
    CompareCluster {} => workbench.compare_cluster().map(Box::new);
    ComparePackage { package } => workbench.compare_package(package).map(Box::new);
    CompareReport { with_cluster } => workbench.compare_report(*with_cluster);
    CrdChanges { package, from, runtime } => workbench.crd_changes(package, from.as_deref(), *runtime);
    EdgeEffect { package, edit } => workbench.edge_effect(package, edit);
    Entry { package, entry, day, runtime } => workbench.entry_with(package, entry, day, *runtime).map(Box::new);
    Findings { filter, limit } => workbench.findings(filter, *limit);
    Form { namespace } => workbench.form(namespace);
    FormEdits { namespace, form } => workbench.form_edits(namespace, form);
    Graph { package, options } => match options.compares {
        Some(_) => workbench.compared_graph(package, options),
        None => workbench.graph(package, options),
    };
    GraphText { package, format } => workbench.graph_text(package, *format);
    Migration {} => workbench.migration();
    Namespaces {} => workbench.namespaces();
    Path { package, from, to } => workbench.path(package, from, to).map(Box::new);
    Plan { query } => workbench.plan(query);
    PlanReport { query } => workbench.plan_report(query);
    Reach { package, first, runtime, installed } => workbench.reach_with(package, *first, *runtime, installed);
    Readiness { package } => workbench.readiness(package);
    Repairs { catalog, packages } => workbench.package_repairs(*catalog, packages);
    Search { text, scope, more } => workbench.search(text, scope, *more);
    Set { set } => workbench.set_view(*set);
    Simulate { namespace } => workbench.simulate(namespace);
    Source { file, target } => workbench.source(*file, *target);
    Subject { package, subject, day } => workbench.subject(package, subject, day).map(Box::new);
    Symbol { file, at } => workbench.symbol(*file, *at);
    Timeline { namespace, outcome, approved } => workbench.timeline(namespace, *outcome, *approved);
    WhyNot { namespace, outcome, package, entry } => workbench.why_not(namespace, *outcome, package, entry);
}

impl Respond<query::Examples> for Workbench {
    fn respond(&self, _: &query::Examples) -> Vec<ExampleTheme> {
        examples()
    }
}

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
