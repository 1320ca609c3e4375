//! Rules as an argument: contradictions and refusals.

use super::fact::{api, requirement};
use super::{Wording, listed};
use predicate::Gvk;
use resolver::{
    Conflicts, Fact, Identifier, Line, PassedOver, Refusal, RefusedGroup, VarId, conflict_variants, identifiers,
};
use std::collections::BTreeSet;
use views::{MessageView, ReasonView, RefusalView, TermView};

/// At most so many other texts are shown.
const OTHERS: usize = 4;

impl Wording<'_> {
    /// The rules of an argument, like ones in one sentence.
    pub(in super::super) fn lines(&self, lines: &[Line]) -> Vec<ReasonView> {
        lines.iter().map(|line| self.line(line)).collect()
    }

    fn line(&self, line: &Line) -> ReasonView {
        let first = line.facts[0];
        let told = self.fact(first);
        let facts: Vec<&Fact> = line.facts.iter().map(|&id| self.problem.fact(id)).collect();
        let text = if facts.len() > 1 { self.alike(&facts) } else { None };
        ReasonView { text: text.unwrap_or(told.text), place: told.place }
    }

    /// What rules say that differ in the bundle only.
    fn alike(&self, facts: &[&Fact]) -> Option<String> {
        let subjects: Vec<VarId> = facts.iter().filter_map(|fact| subject(fact)).collect();
        Some(match facts.first()? {
            Fact::Deprecated { .. } => {
                format!("{} carry the property `olm.deprecated`: OLM never selects them", self.run(&subjects))
            }
            Fact::Requires { requirement: wanted, .. } => {
                let same = facts
                    .iter()
                    .all(|fact| matches!(fact, Fact::Requires { requirement: other, .. } if other == wanted));
                let like = if same { "" } else { " or a range like it" };
                let mut providers: Vec<VarId> = Vec::new();
                for id in facts.iter().flat_map(|fact| alternatives(fact)) {
                    if !providers.contains(id) {
                        providers.push(*id);
                    }
                }
                let met = match providers.as_slice() {
                    [] => "nothing meets that".to_owned(),
                    some => format!("{} would meet that", self.listed(some, "or")),
                };
                format!("{} each require {}{like}; {met}", self.run(&subjects), requirement(wanted))
            }
            Fact::Supersedes { installed, .. } => {
                format!("{} take the place of {}: both cannot be there", self.run(&subjects), self.var(*installed))
            }
            Fact::OneProvider { .. } => {
                let gvks: BTreeSet<&Gvk> = facts.iter().filter_map(|fact| provided(fact)).collect();
                let mut members: Vec<VarId> = facts.iter().flat_map(|fact| providers(fact)).copied().collect();
                members.sort_unstable();
                members.dedup();
                let apis = listed(gvks.into_iter().map(api).collect::<Vec<_>>().into_iter(), "and");
                format!("only one operator may provide each of {apis}, but {} do", self.listed(&members, "and"))
            }
            _ => return None,
        })
    }

    /// The alternatives that were refused before the chosen one.
    pub(in super::super) fn passed_over(&self, passed: &PassedOver) -> Vec<RefusalView> {
        passed.groups.iter().map(|group| self.refused(group)).collect()
    }

    fn refused(&self, group: &RefusedGroup) -> RefusalView {
        RefusalView { title: self.run(&group.members), because: self.refusal(&group.refusal) }
    }

    /// The rules that refused an alternative, and what was picked before.
    pub(super) fn refusal(&self, refusal: &Refusal) -> Vec<ReasonView> {
        let picked = refusal.picks.iter().map(|&id| {
            let text = match self.problem.subscription(id) {
                Some(_) => format!("Subscription `{}` is served before", self.problem.name(id)),
                None => format!("{} is chosen before", self.var(id)),
            };
            ReasonView { text, place: self.entry_place(id) }
        });
        // That a Subscription exists, and what it can have, is known already.
        let rules: Vec<Line> = refusal.lines(self.problem).into_iter().filter(|line| !self.is_granted(line)).collect();
        self.lines(&rules).into_iter().chain(picked).collect()
    }

    fn is_granted(&self, line: &Line) -> bool {
        line.facts.iter().all(|&id| matches!(self.problem.fact(id), Fact::Subscribed { .. }))
    }

    /// The message of a contradiction, and what a cluster may print instead.
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
