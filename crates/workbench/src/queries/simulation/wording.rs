//! The resolver's facts in sentences, with the place they come from.

use crate::input::{CatalogInput, Workbench};
use resolver::{Fact, FactId, GaveUp, Missing, Obstacle, Problem, VarId};
use source::Span;
use views::{FileKey, Place, ReasonView};

/// At most so many bundles are listed in a sentence.
const LISTED: usize = 4;

pub(super) struct Wording<'w> {
    workbench: &'w Workbench,
    problem: &'w Problem,
}

impl<'w> Wording<'w> {
    pub(super) fn new(workbench: &'w Workbench, problem: &'w Problem) -> Self {
        Self { workbench, problem }
    }

    /// Why a choice came to a bundle.
    pub(super) fn choice(&self, id: FactId) -> ReasonView {
        let fact = self.problem.fact(id);
        let text = match fact {
            Fact::Wants { subscription, .. } => match self.problem.subscription(*subscription) {
                Some(wish) if wish.installed_csv.is_some() => format!(
                    "Subscription `{}` updates `{}`: of the entries with an update edge from it, this is the one nearest to the channel head that nothing rules out",
                    wish.name,
                    wish.installed_csv.as_ref().map(ToString::to_string).unwrap_or_default()
                ),
                Some(wish) if wish.starting_csv.is_some() => {
                    format!("Subscription `{}` asks for it by startingCSV", wish.name)
                }
                Some(wish) => format!(
                    "Subscription `{}` takes the entry nearest to the channel head that nothing rules out",
                    wish.name
                ),
                None => return self.fact(id),
            },
            _ => return self.fact(id),
        };
        ReasonView { text, place: self.place(fact) }
    }

    /// A rule that takes part in an explanation.
    pub(super) fn fact(&self, id: FactId) -> ReasonView {
        let fact = self.problem.fact(id);
        ReasonView { text: self.sentence(fact), place: self.place(fact) }
    }

    pub(super) fn obstacle(&self, obstacle: &Obstacle) -> ReasonView {
        let place = match obstacle {
            Obstacle::Requirement { span, .. } => span.and_then(|span| self.place_of(span)),
            Obstacle::Source(..) | Obstacle::Order(_) | Obstacle::Identifier(_) | Obstacle::NotExactlyOne(_) => None,
        };
        let text = match obstacle {
            Obstacle::Requirement { bundle, error, .. } => {
                format!("OLM cannot read a requirement of `{bundle}` and gives up on the namespace: {error}")
            }
            other => format!("OLM gives up on the namespace: {other}"),
        };
        ReasonView { text, place }
    }

    pub(super) fn gave_up(&self, gave_up: &GaveUp) -> ReasonView {
        let span = match gave_up {
            GaveUp::Cel { span, .. } | GaveUp::Crash { span, .. } => *span,
            GaveUp::Solver(_) => None,
        };
        ReasonView { text: gave_up.to_string(), place: span.and_then(|span| self.place_of(span)) }
    }

    /// `` `name` (channel, catalog) `` for an identifier of OLM's, `` `name` (installed) `` for what is on the cluster.
    pub(super) fn bundle(&self, identifier: &str) -> String {
        let parts: Vec<&str> = identifier.split('/').collect();
        match parts.as_slice() {
            ["@existing", _, "", name] => format!("`{name}` (installed)"),
            [catalog, _, channel, name] => format!("`{name}` ({channel}, {catalog})"),
            _ => format!("`{identifier}`"),
        }
    }

    fn sentence(&self, fact: &Fact) -> String {
        match fact {
            Fact::Subscribed { subscription } => format!("Subscription `{}` exists", self.problem.name(*subscription)),
            Fact::Wants { subscription, alternatives, .. } => format!(
                "Subscription `{}` can only have {}",
                self.problem.name(*subscription),
                self.listed(alternatives, "or")
            ),
            Fact::NothingFound { subscription, missing } => self.nothing_found(*subscription, *missing),
            Fact::Freestanding { bundle } => {
                format!("{} is installed without a Subscription: it must stay and cannot be updated", self.var(*bundle))
            }
            Fact::Deprecated { bundle } => {
                format!("{} carries the property `olm.deprecated`: OLM never selects it", self.var(*bundle))
            }
            Fact::Requires { bundle, requirement, alternatives, .. } => {
                let met = match &alternatives[..] {
                    [] => "nothing meets that".to_owned(),
                    some => format!("{} would meet that", self.listed(some, "or")),
                };
                format!("{} requires an operator `{requirement}`; {met}", self.var(*bundle))
            }
            Fact::Supersedes { upgrade, installed } => {
                format!("{} takes the place of {}: both cannot be there", self.var(*upgrade), self.var(*installed))
            }
            Fact::OneProvider { gvk, providers } => {
                format!("only one operator may provide `{gvk}`, but {} do", self.listed(providers, "and"))
            }
            Fact::OneOfPackage { package, bundles } => {
                format!("only one bundle of package `{package}` may be installed, of {}", self.listed(bundles, "and"))
            }
        }
    }

    fn nothing_found(&self, id: VarId, missing: Missing) -> String {
        let Some(wish) = self.problem.subscription(id) else { return String::new() };
        let (name, package) = (&wish.name, &wish.package);
        let channel = match &wish.channel {
            Some(channel) => format!("channel `{channel}`"),
            None => "the default channel".to_owned(),
        };
        match missing {
            Missing::Catalog => match &wish.catalog {
                Some(key) if !key.name.is_empty() => {
                    format!("Subscription `{name}` names catalog `{key}`, which has nothing the namespace can see")
                }
                _ => format!("Subscription `{name}` finds no catalog that has package `{package}`"),
            },
            Missing::Package => format!("Subscription `{name}` finds no package `{package}` in its catalog"),
            Missing::Channel => format!("Subscription `{name}` finds no {channel} in package `{package}`"),
            Missing::StartingCsv => {
                let csv = wish.starting_csv.as_ref().map(ToString::to_string).unwrap_or_default();
                format!(
                    "Subscription `{name}` asks for startingCSV `{csv}`, which {channel} of package `{package}` does not list"
                )
            }
        }
    }

    fn var(&self, id: VarId) -> String {
        self.bundle(self.problem.name(id))
    }

    /// `a, b or c`, or `a, b, c, d or 7 more`.
    fn listed(&self, ids: &[VarId], last: &str) -> String {
        let mut names: Vec<String> = ids.iter().take(LISTED).map(|&id| self.var(id)).collect();
        if let more @ 1.. = ids.len().saturating_sub(LISTED) {
            names.push(format!("{more} more"));
        }
        match names.as_slice() {
            [before @ .., end] if !before.is_empty() => format!("{} {last} {end}", before.join(", ")),
            _ => names.concat(),
        }
    }

    fn place(&self, fact: &Fact) -> Option<Place> {
        let span = match fact {
            Fact::Requires { span, bundle, .. } => span.or_else(|| self.problem.entry(*bundle)?.span),
            Fact::Deprecated { bundle } | Fact::Freestanding { bundle } => self.problem.entry(*bundle)?.span,
            Fact::Wants { alternatives, .. } => self.problem.entry(*alternatives.first()?)?.span,
            Fact::Supersedes { upgrade, .. } => self.problem.entry(*upgrade)?.span,
            Fact::OneProvider { providers: bundles, .. } | Fact::OneOfPackage { bundles, .. } => {
                bundles.iter().find_map(|&id| self.problem.entry(id)?.span)
            }
            Fact::Subscribed { .. } | Fact::NothingFound { .. } => None,
        };
        self.place_of(span?)
    }

    fn place_of(&self, span: Span) -> Option<Place> {
        let (catalog, _): (&CatalogInput, _) = self.workbench.file(FileKey(span.file.0))?;
        Some(catalog.place(span))
    }
}
