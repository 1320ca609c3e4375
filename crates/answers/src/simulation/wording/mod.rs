//! Words the results of the resolver and the simulation: each sentence with the place in the text that it comes from.

mod conflict;
mod event;
mod fact;
mod fix;
mod state;
mod why;
mod workload;

use super::scenario::Scenario;
use cluster::Kind;
use fact::LISTED;
use resolver::{EntryRef, GaveUp, Obstacle, Problem, VarId};
use session::{CatalogInput, MANIFESTS, Workbench};
use source::Span;
use update_graph::{SortError, SortErrorKind};
use views::{FileKey, Place, ReasonView};

pub(super) use event::{describe_loop, end, event};
pub(super) use fact::listed;
pub(crate) use fact::requirement;
pub(super) use fix::funnel_title;
pub(super) use state::{StateWords, not_approved, state};

/// Words for the results of one resolution.
pub(super) struct Wording<'w> {
    pub(super) workbench: &'w Workbench,
    pub(super) scenario: &'w Scenario,
    problem: &'w Problem,
}

impl<'w> Wording<'w> {
    pub(super) fn new(workbench: &'w Workbench, scenario: &'w Scenario, problem: &'w Problem) -> Self {
        Self { workbench, scenario, problem }
    }

    pub(super) fn obstacle(&self, obstacle: &Obstacle) -> ReasonView {
        let place = match obstacle {
            Obstacle::Requirement { span, .. } => span.and_then(|span| self.place_of(span)),
            Obstacle::Source(..) | Obstacle::Order(_) | Obstacle::Identifier(_) | Obstacle::NotExactlyOne(_) => None,
        };
        let text = match obstacle {
            Obstacle::Requirement { bundle, error, .. } => {
                // The other lines are shown with the message itself.
                let error = error.to_string();
                let first = error.lines().next().unwrap_or_default();
                let hint = match error.contains("undeclared reference to 'semver'") {
                    true => "; OLM's own function is `semver_compare(a, b)`",
                    false => "",
                };
                format!(
                    "OLM cannot read a requirement of `{bundle}`, so it resolves nothing in the namespace: {first}{hint}"
                )
            }
            Obstacle::Order(error) => format!("OLM resolves nothing in the namespace: {}", order_error(error)),
            other => format!("OLM resolves nothing in the namespace: {other}"),
        };
        ReasonView { text, place }
    }

    pub(super) fn gave_up(&self, gave_up: &GaveUp) -> ReasonView {
        let span = match gave_up {
            GaveUp::Cel { span, .. } | GaveUp::Crash { span, .. } => *span,
            GaveUp::Solver(_) | GaveUp::LeftToSolver { .. } => None,
        };
        ReasonView { text: gave_up.to_string(), place: span.and_then(|span| self.place_of(span)) }
    }

    /// `` `name` (channel, catalog) `` for an identifier of OLM, `` `name` (installed) `` for a CSV of the cluster.
    fn bundle(&self, identifier: &str) -> String {
        let parts: Vec<&str> = identifier.split('/').collect();
        match parts.as_slice() {
            ["@existing", _, "", name] => format!("`{name}` (installed)"),
            [catalog, _, channel, name] => format!("`{name}` ({channel}, {catalog})"),
            _ => format!("`{identifier}`"),
        }
    }

    fn var(&self, id: VarId) -> String {
        self.bundle(self.problem.name(id))
    }

    /// The bundle's name alone.
    fn name(&self, id: VarId) -> String {
        match self.problem.entry(id) {
            Some(entry) => format!("`{}`", entry.name),
            None => format!("`{}`", self.problem.name(id)),
        }
    }

    /// The entry of a catalog that a variable stands for.
    pub(super) fn entry_ref(&self, id: VarId) -> Option<EntryRef> {
        let (catalog, entry) = (self.problem.catalog(id)?.clone(), self.problem.entry(id)?);
        let (package, channel, name) = (entry.package.clone(), entry.channel.clone(), entry.name.clone());
        Some(EntryRef { catalog, package, channel, name })
    }

    /// `a, b or c`, or `a, b, c, d or 7 more`.
    fn listed(&self, ids: &[VarId], last: &str) -> String {
        listed(ids.iter().map(|&id| self.var(id)), last)
    }

    /// Alternatives in order of preference: a few by name, many as a range from the first to the last.
    fn run(&self, ids: &[VarId]) -> String {
        match ids {
            [first, .., end] if ids.len() > LISTED => {
                format!("{} to {} ({} bundles)", self.name(*first), self.name(*end), ids.len())
            }
            few => listed(few.iter().map(|&id| self.name(id)), "and"),
        }
    }

    fn object_place(&self, kind: Kind, name: &str) -> Option<Place> {
        self.scenario.text.object(kind, &self.scenario.namespace, name)
    }

    fn entry_place(&self, id: VarId) -> Option<Place> {
        self.place_of(self.problem.entry(id)?.span?)
    }

    pub(super) fn place_of(&self, span: Span) -> Option<Place> {
        if span.file == MANIFESTS {
            return Some(self.scenario.text.place(span));
        }
        let (catalog, _): (&CatalogInput, _) = self.workbench.file(FileKey(span.file.0))?;
        Some(catalog.place(span))
    }
}

/// Why OLM cannot order a channel.
fn order_error(error: &SortError) -> String {
    let what = match error.kind() {
        SortErrorKind::NoHead => "has no head: each of its entries is replaced or skipped by another".to_owned(),
        SortErrorKind::Cycle { head } => format!("has a cycle of `replaces` below its head `{head}`"),
        SortErrorKind::SeveralChains { chains } => {
            let heads = chains.iter().filter_map(|chain| Some(format!("`{}`", chain.head()?)));
            let heads = listed(heads, "and");
            format!(
                "has {} heads, {heads}, but OLM needs exactly one; let one of them replace or skip the others",
                chains.len()
            )
        }
    };
    format!("channel `{}` of package `{}` {what}", error.channel(), error.package())
}
