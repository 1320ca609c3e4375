//! What is answered about the inputs of a session, a file for questions that belong together, with the words last. A
//! query changes nothing.
//!
//! [`Answers`] answers the queries of the page; the command calls the same functions.

mod cluster_form;
mod comparison;
mod crd_changes;
mod edge_edit;
mod entry;
mod expansion;
mod expression;
mod extensions;
mod file;
mod findings;
mod graph;
mod graph_layout;
mod graph_text;
mod graph_ways;
mod lifecycle;
mod lookup;
mod migration;
mod overview;
mod path;
mod plan;
mod reach;
mod repairs;
mod search;
mod simulation;
mod small_chain;
mod subject;
#[cfg(test)]
mod testing;

pub use crate::comparison::{
    ComparisonQuery, ComparisonRun, ReportScope, compare, compare_all, compare_cluster, compare_package,
    compare_report, compared_graph, comparison_so_far, continue_comparison, finish_comparison,
};
pub use crate::simulation::{
    ResolutionTotal, SimulationLimits, SimulationRun, begin_simulation, continue_simulation, explained_state,
    finish_simulation, namespace_states, namespaces, new_subscription, resolution, scene, simulate, simulation_within,
    simulations_within, timeline, try_change, why_not,
};
pub use cluster_form::{form, form_edits, set_form};
pub use crd_changes::{CrdFault, crd_changes, crd_upgrade};
pub use edge_edit::edge_effect;
pub use entry::entry;
pub use expansion::{
    Expanded, ExpandedChannel, ExpandedEntry, ExpandedPackage, ExpansionReport, NoTemplateType, TemplateFinding,
    expand_template, template_type,
};
pub use expression::{PropertyText, RangeAnswer, RangeMatch, RangeQuestion, RuleAnswer, RuleQuestion};
pub use extensions::{ExtensionAnswer, extensions};
pub use file::{definitions, file_view, source, symbol};
pub use findings::{all_findings, findings};
pub use graph::graph;
pub use graph_text::{DrawingFault, PackageGraph, drawing, graph_text, package_graph};
pub use lookup::{
    NameError, bundle_version, channels_with, find_channel, find_csv, find_installed, find_package, find_subscription,
    has_package, list, package_names, set_view, version_in_name,
};
pub use messages::{explain_messages, explain_state};
pub use migration::{migration, readiness};
pub use openshift::plans::way as versions_between;
pub use overview::{icons, overview};
pub use path::path;
pub use plan::{plan, plan_report, plan_with};
pub use reach::{reach, reach_report, reach_with};
pub use repairs::channel_repairs;
pub use repairs::found::{FoundRepairs, RepairRequest, repairs, write_repairs};
pub use search::search;
pub use subject::{channel_map, subject};

use crate::entry::entry_with;
use crate::repairs::package_repairs;
use catalog::{Channel, Package};
use session::{CatalogInput, Workbench};
use std::collections::BTreeSet;
use views::{ExampleTheme, ExplainedMessage, PackageKey, Query, Respond, query};

/// Answers queries about the inputs.
#[derive(Clone, Copy)]
pub struct Answers<'w>(pub &'w Workbench);

/// Answers queries: the type and fields of each, and the answer.
macro_rules! answer_queries {
    ($workbench:ident: $($query:ident { $($field:ident),* } => $answer:expr;)*) => {
        $(impl Respond<query::$query> for Answers<'_> {
            fn respond(&self, query: &query::$query) -> <query::$query as Query>::Answer {
                let (Self($workbench), query::$query { $($field),* }) = (self, query);
                $answer
            }
        })*
    };
}

answer_queries! {
    workbench:
    ChannelMap { package } => channel_map(workbench, package);
    // At once, for instance while files are loaded; the worker works on these and on `Simulate` in pieces.
    Compare {} => compare(workbench);
    CompareCluster {} => compare_cluster(workbench).map(Box::new);
    ComparePackage { package } => compare_package(workbench, package).map(Box::new);
    CompareReport { with_cluster } => compare_report(workbench, *with_cluster);
    CrdChanges { package, from, runtime } => crd_changes(workbench, package, from.as_deref(), *runtime);
    EdgeEffect { package, edit } => edge_effect(workbench, package, edit);
    Entry { package, entry, day, runtime } => entry_with(workbench, package, entry, day, *runtime).map(Box::new);
    Findings { filter, limit } => findings(workbench, filter, *limit);
    Form { namespace } => form(workbench, namespace);
    FormEdits { namespace, change } => form_edits(workbench, namespace, change);
    Graph { package, options } => match options.compares {
        Some(_) => compared_graph(workbench, package, options),
        None => graph(workbench, package, options),
    };
    GraphText { package, format } => graph_text(workbench, package, *format);
    List { catalog } => list(workbench, *catalog);
    Migration {} => migration(workbench);
    Namespaces {} => namespaces(workbench);
    Path { package, from, to } => path(workbench, package, from, to).map(Box::new);
    Plan { query } => plan(workbench, query);
    PlanReport { query } => plan_report(workbench, query);
    Reach { package, first, runtime, installed } => reach_with(workbench, package, *first, *runtime, installed);
    Readiness { package } => readiness(workbench, package);
    Repairs { catalog, packages } => package_repairs(workbench, *catalog, packages);
    Search { text, scope, more } => search(workbench, text, scope, *more);
    Set { set } => set_view(workbench, *set);
    Simulate { namespace } => simulate(workbench, namespace);
    Source { file, target } => source(workbench, *file, *target);
    Subject { package, subject, day } => self::subject::subject(workbench, package, subject, day).map(Box::new);
    Symbol { file, at } => symbol(workbench, *file, *at);
    Timeline { namespace, outcome, approved } => timeline(workbench, namespace, *outcome, *approved);
    WhyNot { namespace, outcome, package, entry } => why_not(workbench, namespace, *outcome, package, entry);
}

impl Respond<query::Examples> for Answers<'_> {
    fn respond(&self, _: &query::Examples) -> Vec<ExampleTheme> {
        session::examples()
    }
}

/// What the objects of the cluster say themselves, in the order of the manifests.
#[must_use]
pub fn reported(workbench: &Workbench) -> Vec<ExplainedMessage> {
    let (text, manifests) = workbench.cluster_manifests();
    let mut messages = messages::reported(text);
    for extension in manifests.cluster_extensions.iter().filter(|one| !one.rolling_out.is_empty()) {
        // An extension has the conditions of its revisions again.
        let of_revision = extension.rolling_out.iter().map(|revision| format!(" {} ", revision.name));
        let own: Vec<String> = of_revision.chain([format!("ClusterExtension {} ", extension.name)]).collect();
        let mut seen = BTreeSet::new();
        let is_own = |one: &ExplainedMessage| own.iter().any(|object| one.about.contains(object));
        messages.retain(|one| !is_own(one) || seen.insert(one.text.clone()));
    }
    messages
}

pub(crate) fn package<'w>(workbench: &'w Workbench, key: &PackageKey) -> Option<(&'w CatalogInput, &'w Package)> {
    let catalog = workbench.catalog(key.catalog)?;
    Some((catalog, catalog.analysis.catalog.package(&key.package)?))
}

/// A channel that lists an entry: the default channel if that does, else the first.
fn listing_channel<'c>(package: &'c Package, name: &str) -> Option<&'c Channel> {
    let lists = |channel: &&Channel| channel.entry(name).is_some();
    let default = package.default_channel.as_ref().and_then(|name| package.channel(name.value.as_str()));
    default.filter(lists).or_else(|| package.channels.iter().find(lists))
}
