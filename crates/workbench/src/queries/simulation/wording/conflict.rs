//! Words conflicts, refusals, and OLM's own messages about them.

use super::Wording;
use super::fact::{api, requirement};
use super::list::listed;
use catalog::predicate::Gvk;
use resolver::{
    Conflicts, Fact, FactId, Identifier, Line, Refusal, RefusedAlternatives, RefusedGroup, VarId, conflict_variants,
    identifiers,
};
use std::collections::BTreeSet;
use views::{MessageView, ReasonView, RefusalView, TermView};

/// The most other texts that are shown.
const OTHERS: usize = 4;

impl Wording<'_> {
    /// The lines of a conflict or refusal; facts that differ only in the bundle are one sentence.
    pub(in super::super) fn lines(&self, lines: &[Line]) -> Vec<ReasonView> {
        lines.iter().map(|line| self.line(line)).collect()
    }

    fn line(&self, line: &Line) -> ReasonView {
        let first = line.facts[0];
        let single = self.fact(first);
        let facts: Vec<&Fact> = line.facts.iter().map(|&id| self.problem.fact(id)).collect();
        let text = if facts.len() > 1 { self.alike(&facts) } else { None };
        ReasonView { text: text.unwrap_or(single.text), place: single.place }
    }

    /// One sentence for facts that differ only in the bundle.
    fn alike(&self, facts: &[&Fact]) -> Option<String> {
        let subjects: Vec<VarId> = facts.iter().filter_map(|fact| subject(fact)).collect();
        Some(match facts.first()? {
            Fact::Deprecated { .. } => {
                format!("{} have the property `olm.deprecated`, so OLM never selects them", self.run(&subjects))
            }
            Fact::Requires { requirement: wanted, .. } => {
                let same = facts
                    .iter()
                    .all(|fact| matches!(fact, Fact::Requires { requirement: other, .. } if other == wanted));
                let like = if same { "" } else { " or a similar range" };
                let mut providers: Vec<VarId> = Vec::new();
                for id in facts.iter().flat_map(|fact| alternatives(fact)) {
                    if !providers.contains(id) {
                        providers.push(*id);
                    }
                }
                let met = match providers.as_slice() {
                    [] => "no bundle meets this".to_owned(),
                    some => format!("{} would meet this", self.listed(some, "or")),
                };
                format!("{} each require {}{like}; {met}", self.run(&subjects), requirement(wanted))
            }
            Fact::Supersedes { installed, .. } => {
                format!("{} are updates of {}, so both cannot be installed", self.run(&subjects), self.var(*installed))
            }
            Fact::OneProvider { .. } => {
                let gvks: BTreeSet<&Gvk> = facts.iter().filter_map(|fact| provided(fact)).collect();
                let mut members: Vec<VarId> = facts.iter().flat_map(|fact| providers(fact)).copied().collect();
                members.sort_unstable();
                members.dedup();
                let apis = listed(gvks.into_iter().map(api).collect::<Vec<_>>().into_iter(), "and");
                format!(
                    "only one installed operator may provide {apis}, but {} provide it",
                    self.listed(&members, "and")
                )
            }
            _ => return None,
        })
    }

    /// The better alternatives that were refused.
    pub(in super::super) fn refused_alternatives(&self, refused: &RefusedAlternatives) -> Vec<RefusalView> {
        refused.groups.iter().map(|group| self.refused(group)).collect()
    }

    fn refused(&self, group: &RefusedGroup) -> RefusalView {
        // A Subscription without a channel has a candidate for each channel that lists the bundle.
        let mut members: Vec<VarId> = Vec::new();
        for &id in &group.members {
            if members.iter().all(|known| self.name(*known) != self.name(id)) {
                members.push(id);
            }
        }
        RefusalView { title: self.run(&members), because: self.refusal(&group.refusal) }
    }

    /// The facts that refuse an alternative, and the earlier choices that they depend on.
    pub(super) fn refusal(&self, refusal: &Refusal) -> Vec<ReasonView> {
        let picked = refusal.picks.iter().map(|&id| {
            let text = match self.problem.subscription(id) {
                Some(_) => format!("OLM chooses for Subscription `{}` first", self.problem.name(id)),
                None => format!("OLM chooses {} first", self.var(id)),
            };
            ReasonView { text, place: self.entry_place(id) }
        });
        // The title of the refusal says already which Subscription chooses.
        let rules: Vec<Line> = refusal.lines(self.problem).into_iter().filter(|line| !self.is_granted(line)).collect();
        self.lines(&rules).into_iter().chain(picked).collect()
    }

    /// The reason of a refusal that tells most: the requirement that takes part in it, else what operators may not share,
    /// else the first of all.
    pub(in super::super) fn main_reason(&self, refusal: &Refusal) -> ReasonView {
        let required = refusal.facts.iter().find_map(|&id| match self.problem.fact(id) {
            Fact::Requires { bundle, requirement: wanted, alternatives, .. } => {
                let unmet = if alternatives.is_empty() { ", and no bundle meets this" } else { "" };
                let text = format!("{} requires {}{unmet}", self.name(*bundle), requirement(wanted));
                Some(ReasonView { text, place: self.fact(id).place })
            }
            _ => None,
        });
        let shared = || {
            let is_shared =
                |id: &&FactId| matches!(self.problem.fact(**id), Fact::OneProvider { .. } | Fact::OneOfPackage { .. });
            refusal.facts.iter().find(is_shared).map(|&id| self.fact(id))
        };
        let nothing = || ReasonView { text: "another choice excludes it".to_owned(), place: None };
        required.or_else(shared).or_else(|| self.refusal(refusal).into_iter().next()).unwrap_or_else(nothing)
    }

    fn is_granted(&self, line: &Line) -> bool {
        line.facts.iter().all(|&id| matches!(self.problem.fact(id), Fact::Subscribed { .. }))
    }

    /// OLM's message, the identifiers in it, and other messages that a cluster may print, because their order is random.
    pub(in super::super) fn message(&self, text: &str, conflicts: Option<&Conflicts>) -> MessageView {
        let variants = conflicts.map(|conflicts| conflict_variants(self.problem, conflicts, OTHERS + 1).texts);
        let others = variants.into_iter().flatten().filter(|variant| variant != text).take(OTHERS).collect();
        let mut terms: Vec<TermView> = Vec::new();
        for identifier in identifiers(text) {
            let term = &text[identifier.range.clone()];
            if terms.iter().all(|known| known.text != term) {
                terms.push(TermView { text: term.to_owned(), meaning: meaning(&identifier) });
            }
        }
        MessageView { text: text.to_owned(), terms, others }
    }
}

fn meaning(Identifier { catalog, channel, name, .. }: &Identifier) -> String {
    match channel {
        None => format!("`{name}`, installed in namespace `{}`", catalog.namespace),
        Some(channel) => {
            format!("`{name}` in channel `{channel}` of catalog `{}` (namespace `{}`)", catalog.name, catalog.namespace)
        }
    }
}

fn subject(fact: &Fact) -> Option<VarId> {
    match fact {
        Fact::Deprecated { bundle } | Fact::Requires { bundle, .. } => Some(*bundle),
        Fact::Supersedes { upgrade, .. } => Some(*upgrade),
        _ => None,
    }
}

fn alternatives(fact: &Fact) -> &[VarId] {
    match fact {
        Fact::Requires { alternatives, .. } => alternatives,
        _ => &[],
    }
}

fn provided(fact: &Fact) -> Option<&Gvk> {
    match fact {
        Fact::OneProvider { gvk, .. } => Some(gvk),
        _ => None,
    }
}

fn providers(fact: &Fact) -> &[VarId] {
    match fact {
        Fact::OneProvider { providers, .. } => providers,
        _ => &[],
    }
}
