//! Words conflicts, refusals, and OLM's own messages about them.

use super::Wording;
use super::fact::{api, listed, requirement};
use catalog::BundleName;
use catalog::predicate::{Gvk, Requirement};
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

    /// The other requirements that nothing meets of the bundles of a conflict: without the one in it, the next one would be in the way.
    /// And that CustomResourceDefinitions of the cluster do not help, if it has some of the same group.
    pub(in super::super) fn also_unmet(&self, conflict: &[FactId]) -> Vec<ReasonView> {
        let unmet = |id: FactId| match self.problem.fact(id) {
            Fact::Requires { bundle, requirement, alternatives, .. } if alternatives.is_empty() => {
                Some((*bundle, requirement))
            }
            _ => None,
        };
        let bundles: BTreeSet<VarId> = conflict.iter().filter_map(|id| Some(unmet(*id)?.0)).collect();
        let of_bundles =
            self.problem.facts().filter(|(id, _)| unmet(*id).is_some_and(|(one, _)| bundles.contains(&one)));
        let all: Vec<FactId> = of_bundles.map(|(id, _)| id).collect();
        let others = all.iter().filter(|id| !conflict.contains(id)).filter_map(|id| {
            let (bundle, wanted) = unmet(*id)?;
            let text =
                format!("{} also requires {}; no bundle meets this either", self.var(bundle), requirement(wanted));
            Some(ReasonView { text, place: self.fact(*id).place })
        });
        let mut more: Vec<ReasonView> = others.collect();
        let say = |text: &str| ReasonView { text: text.to_owned(), place: None };
        if !more.is_empty() {
            more.push(say("OLM's message names only the last of these requirements"));
        }
        let has_crd = |wanted: &Requirement| match wanted {
            Requirement::Gvk(gvk) => {
                let mut names = self.scenario.cluster.crds.keys();
                names.any(|name| name.split_once('.').is_some_and(|(_, group)| *group == *gvk.group))
            }
            _ => false,
        };
        if all.iter().filter_map(|id| unmet(*id)).any(|(_, wanted)| has_crd(wanted)) {
            more.push(say(
                "the CustomResourceDefinitions on the cluster do not count: only its ClusterServiceVersions and bundles of its \
                 catalogs meet a requirement",
            ));
        }
        more
    }

    /// What decides in a conflict: what a Subscription names that is not there; else what the best of its candidates requires and
    /// nothing provides; else what cannot be installed together.
    pub(in super::super) fn decision(&self, conflict: &[FactId]) -> String {
        let facts = || conflict.iter().map(|id| (*id, self.problem.fact(*id)));
        if let Some((id, _)) = facts().find(|(_, fact)| matches!(fact, Fact::NothingFound { .. })) {
            return self.fact(id).text;
        }
        let unmet = |bundle: VarId| -> Vec<&Requirement> {
            let all = self.problem.facts().filter_map(|(_, fact)| match fact {
                Fact::Requires { bundle: of, requirement, alternatives, .. }
                    if self.name(*of) == self.name(bundle) && alternatives.is_empty() =>
                {
                    Some(&**requirement)
                }
                _ => None,
            });
            let mut different: Vec<&Requirement> = Vec::new();
            all.for_each(|one| different.extend((!different.contains(&one)).then_some(one)));
            different
        };
        // OLM would install the first one.
        let best = facts().find_map(|(_, fact)| match fact {
            Fact::Wants { alternatives, .. } => alternatives.first().copied(),
            _ => None,
        });
        let required = facts().filter_map(|(_, fact)| match fact {
            Fact::Requires { bundle, .. } => Some(*bundle),
            _ => None,
        });
        if let Some((bundle, lacking)) = best
            .into_iter()
            .chain(required)
            .map(|bundle| (bundle, unmet(bundle)))
            .find(|(_, lacking)| !lacking.is_empty())
        {
            let lacking = listed(lacking.into_iter().map(requirement).collect::<Vec<_>>().into_iter(), "and");
            return format!(
                "{} requires {lacking}, which no bundle and no installed operator provides",
                self.name(bundle)
            );
        }
        let shared = facts().find(|(_, fact)| {
            matches!(
                fact,
                Fact::OneProvider { .. }
                    | Fact::OneOfPackage { .. }
                    | Fact::Supersedes { .. }
                    | Fact::Deprecated { .. }
            )
        });
        let shared = shared.map(|(id, _)| self.fact(id).text);
        let required =
            facts().find(|(_, fact)| matches!(fact, Fact::Requires { .. })).map(|(id, _)| self.fact(id).text);
        // What cannot be installed together is no reason without what asks for it.
        let wants = facts().filter(|(_, fact)| matches!(fact, Fact::Wants { .. })).map(|(id, _)| self.fact(id).text);
        let asked = required.or_else(|| shared.as_ref().map(|_| listed(wants, "and")).filter(|all| !all.is_empty()));
        match (asked, shared) {
            (Some(asked), Some(shared)) => format!("{asked}, but {shared}"),
            (one, other) => {
                one.or(other).unwrap_or_else(|| conflict.last().map(|id| self.fact(*id).text).unwrap_or_default())
            }
        }
    }

    /// OLM's message, the identifiers in it, and other messages that a cluster may print, because their order is random.
    pub(in super::super) fn message(&self, text: &str, conflicts: Option<&Conflicts>) -> MessageView {
        let variants = conflicts.map(|conflicts| conflict_variants(self.problem, conflicts, OTHERS + 1).texts);
        let others: Vec<String> =
            variants.into_iter().flatten().filter(|variant| variant != text).take(OTHERS).collect();
        let mut terms: Vec<TermView> = Vec::new();
        for identifier in identifiers(text) {
            let term = &text[identifier.range.clone()];
            if terms.iter().all(|known| known.text != term) {
                terms.push(TermView { text: term.to_owned(), meaning: meaning(&identifier) });
            }
        }
        let variants = || std::iter::once(text).chain(others.iter().map(String::as_str));
        let failed = self.scenario.reported_failures();
        let is_reported = failed.iter().any(|reported| variants().any(|text| sentences(text) == sentences(reported)));
        let other = failed.first().filter(|_| !is_reported && !text.is_empty());
        let differs = other.map(|reported| self.why_other(text, reported));
        MessageView { is_reported, differs, text: text.to_owned(), terms, others }
    }

    /// Why the cluster reports another message than the one that follows.
    fn why_other(&self, text: &str, reported: &str) -> String {
        let cluster = &self.scenario.cluster;
        let is_csv = |name: &BundleName| cluster.csvs.iter().any(|csv| csv.installed.name == *name);
        let is_listed = |name: &BundleName| {
            self.scenario.snapshots.values().any(|snapshot| snapshot.listing.named(name).next().is_some())
        };
        let named = |text: &str| -> BTreeSet<(bool, BundleName)> {
            identifiers(text).into_iter().map(|one| (one.channel.is_none(), one.name.as_str().into())).collect()
        };
        let (then, now) = (named(reported), named(text));
        let gone = then.iter().find(|(is_installed, name)| *is_installed && !is_csv(name));
        let unlisted = then.iter().find(|(is_installed, name)| !*is_installed && !is_listed(name));
        let new = now.iter().find(|one| !one.0 && !then.contains(one));
        match (gone, unlisted, new) {
            (Some((_, name)), _, _) => {
                format!(
                    "it was true when it was written: `{name}` is gone, and with the next resolution the message is, too"
                )
            }
            (None, Some((_, name)), _) => format!("it is about another content of the catalog, which has `{name}`"),
            (None, None, Some((_, name))) => {
                format!("the catalog is newer than the message, which does not know `{name}`")
            }
            (None, None, None) => "the objects have changed since, or another version of OLM words it".to_owned(),
        }
    }
}

/// The sentences of a message, whose order is random.
fn sentences(text: &str) -> Vec<&str> {
    let text = text.trim_start_matches("constraints not satisfiable: ");
    let mut sentences: Vec<&str> = text.split(", ").collect();
    sentences.sort_unstable();
    sentences
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
