//! Why a goal is not reached: the smallest obstacle, and what would lift it. Each lift was tried in the model.

use crate::gate::BlockReason;
use crate::plans::csv::Csv;
use crate::plans::model::Model;
use crate::plans::question::{Allowed, Question};
use crate::plans::search::{Found, Route, search, short_of};
use crate::plans::state::{OperatorState, State};
use crate::plans::what_if::{self, WhatIf};
use catalog::BundleName;
use cluster::Subscription;
use source::OpenShift;
use std::rc::Rc;
use views::{PlanAction, PlanObstacle};

/// Why a goal is not reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    pub obstacle: PlanObstacle,
    /// It in words, with names in backticks.
    pub sentence: String,
    /// What would lift it, each by itself.
    pub lifts: Vec<String>,
    /// Where the update of OpenShift stops, if no steps lead to the last version.
    pub stop: Option<Stop>,
}

/// An installed CSV that stops the update of OpenShift.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The version that the cluster stays on.
    pub openshift: OpenShift,
    pub csv: BundleName,
    /// Why it does.
    pub reason: BlockReason,
}

/// One operator of a question, alone.
pub(crate) struct Asked<'q, 'c> {
    pub(crate) question: &'q Question<'c>,
    pub(crate) subscription: &'q Subscription,
}

impl Asked<'_, '_> {
    /// Why no steps lead past a version of OpenShift.
    pub(crate) fn blocked(&self, model: &Model<'_>, at: usize, states: &[State]) -> Reason {
        let blocking = |state: &State| -> Vec<Rc<Csv>> {
            state.csvs().filter(|csv| model.blocks(csv, at).is_some()).cloned().collect()
        };
        let sets: Vec<Vec<Rc<Csv>>> = states.iter().map(blocking).collect();
        let is_common = |csv: &&Rc<Csv>| sets.iter().all(|set| set.contains(csv));
        let smallest = sets.iter().min_by_key(|set| set.len());
        let csv = smallest.and_then(|set| set.iter().find(is_common).or(set.first()));
        let Some((csv, reason)) = csv.and_then(|csv| Some((csv, model.blocks(csv, at)?))) else {
            return unknown("no steps lead to the last version".to_owned());
        };
        let here = self.question.way[at];
        let is_hung = states.iter().all(|state| state.operators.iter().any(|operator| operator.pending.is_some()));
        let supports = format!("`{}` {}", csv.name, reason.sentence());
        let (obstacle, sentence) = match &reason {
            BlockReason::Invalid(_) => (PlanObstacle::InvalidMax, format!("{supports}.")),
            BlockReason::MaxVersion(_) if is_hung => (
                PlanObstacle::Hung,
                format!(
                    "{supports}, and what is to replace it stays Pending on {here}, because it needs a later Kubernetes."
                ),
            ),
            BlockReason::MaxVersion(_) => (
                PlanObstacle::Blocked,
                format!("{supports}, and no version that can be reached on {here} supports more."),
            ),
        };
        let mut lifts = self.lifts(&what_if::of_block(self, at, csv), None);
        if lifts.is_empty() {
            let all = sets.iter().flatten().cloned().collect();
            lifts = self.lifts(&what_if::of_block_elsewhere(self, at, &all), None);
        }
        lifts.extend(self.losses(None));
        let stop = Stop { openshift: here, csv: csv.name.clone(), reason };
        Reason { obstacle, sentence, lifts, stop: Some(stop) }
    }

    /// Why the best steps miss the goal.
    pub(crate) fn missed(&self, model: &Model<'_>, route: &Route, index: usize) -> Reason {
        let end = &route.states[route.states.len() - 1];
        let operator = &end.operators[index];
        if !operator.is_subscribed
            && let Found::Route(kept) = search(model, self.question.goal, Allowed::default())
        {
            return self.missed(model, &kept, index);
        }
        let last = self.question.way[end.at];
        let (obstacle, sentence) = self.obstacle(model, route, index);
        let short = short_of(self.question.goal, model.level(end, index));
        let lifts = match obstacle {
            PlanObstacle::Namespace => {
                let others: Vec<String> = waiting_for(model, end);
                let alone = WhatIf::nothing().route(self, self.question.allowed);
                let helps = alone.is_some_and(|route| route.cost.missed < short);
                let text = format!(
                    "remove or change the Subscriptions that keep it waiting before {last}: {}",
                    others.join(", ")
                );
                if helps { vec![text] } else { Vec::new() }
            }
            _ => {
                let mut lifts = self.lifts(&what_if::of_miss(self, route, index, obstacle), Some(short));
                if lifts.is_empty() {
                    lifts = self.lifts(&what_if::as_before(self), Some(short));
                }
                lifts.extend(self.losses(Some(short)));
                lifts
            }
        };
        Reason { obstacle, sentence, lifts, stop: None }
    }

    fn obstacle(&self, model: &Model<'_>, route: &Route, index: usize) -> (PlanObstacle, String) {
        let end = &route.states[route.states.len() - 1];
        let (operator, versions) = (&end.operators[index], &self.question.way);
        let last = versions[end.at];
        let package = &self.subscription.spec.package;
        let rejected = |at: usize| self.question.served(self.subscription, at)?.state().rejected;
        if let Some(text) = rejected(end.at) {
            let first = versions[first_without(versions.len(), |at| rejected(at).is_none())];
            return (
                PlanObstacle::Rejected,
                format!("`opm` rejects the catalog of {first}, so that nothing in the namespace is resolved: {text}"),
            );
        }
        let found = model.operators[index].at[end.at].as_ref();
        let Some(found) = found else {
            let first = first_without(versions.len(), |at| model.operators[index].at[at].is_some());
            return (
                PlanObstacle::PackageEnds,
                format!(
                    "The catalog of {} has no package `{package}`: from there on nothing in the namespace is resolved.",
                    versions[first]
                ),
            );
        };
        let installed = name(operator);
        let Some(chain) = found.chain(operator.channel.as_ref()) else {
            let channel = operator.channel.as_ref().map(ToString::to_string).unwrap_or_default();
            let has = |at: usize| {
                model.operators[index].at[at].as_ref().is_some_and(|at| at.chain(operator.channel.as_ref()).is_some())
            };
            let first = versions[first_without(versions.len(), has)];
            return (
                PlanObstacle::ChannelEnds,
                format!(
                    "The catalog of {first} has no channel `{channel}` that OLM can use, and no other channel of `{package}` updates \
                     `{installed}`."
                ),
            );
        };
        if let Some(pending) = &operator.pending {
            let needs = pending.min_kube.as_deref().unwrap_or_default();
            return (
                PlanObstacle::Hung,
                format!("`{}` needs Kubernetes {needs} and stays Pending on {last}.", pending.name),
            );
        }
        if !model.resolves(end) {
            let others = waiting_for(model, end).join(", ");
            return (
                PlanObstacle::Namespace,
                format!("Nothing in the namespace is resolved on {last}, because of {others}."),
            );
        }
        let head = &chain.entries[0].name.value;
        let version = operator.csv.as_ref().and_then(|csv| csv.version.as_ref());
        let head_version = found.csv(head).version.clone();
        let channel = &chain.channel.name.value;
        let is_ahead = version.zip(head_version.as_ref()).is_some_and(|(own, head)| own > head);
        if is_ahead {
            let text = format!(
                "`{installed}` is above `{head}`, the head of channel `{channel}` in the catalog of {last}, and gets no updates there."
            );
            return (PlanObstacle::Stranded, text);
        }
        let listed = |at: usize| {
            let there = &route.states[at].operators[index];
            let found = model.operators[index].at[at].as_ref();
            found.zip(there.csv.as_ref()).is_some_and(|(found, csv)| found.lists(there.channel.as_ref(), csv))
        };
        let stays = (0..versions.len()).rev().find(|at| listed(*at)).map_or(versions[0], |at| versions[at]);
        let text = match stays == last {
            true => format!("It stays at `{installed}` on {last}; no update leads on to `{head}`."),
            false => format!(
                "It stays at `{installed}` after {stays}: channel `{channel}` of the catalog of {last} has no update for it."
            ),
        };
        (PlanObstacle::Stranded, text)
    }

    /// What lifts the obstacle, of those that are tried. `short` is how many levels are missing without; absent if no steps lead to the
    /// last version.
    fn lifts(&self, tried: &[WhatIf], short: Option<u32>) -> Vec<String> {
        let mut lifts: Vec<String> = Vec::new();
        for what in tried {
            if lifts.contains(&what.text) {
                continue;
            }
            if what.reaches(self, Allowed::default(), short) {
                lifts.push(what.text.clone());
            }
        }
        lifts
    }

    /// The moves that lose something and lead nearer to the goal, of those that are not allowed.
    fn losses(&self, short: Option<u32>) -> Vec<String> {
        let (remove, reinstall) = (self.question.allowed.remove, self.question.allowed.reinstall);
        let losses = [(remove, Allowed { remove: true, reinstall }), (reinstall, Allowed { remove, reinstall: true })];
        let tried = losses.into_iter().filter(|(is_allowed, _)| !is_allowed);
        tried.filter_map(|(_, allowed)| self.loss(allowed, short)).collect()
    }

    /// A move that loses something and leads nearer to the goal.
    fn loss(&self, allowed: Allowed, short: Option<u32>) -> Option<String> {
        let route = WhatIf::nothing().route(self, allowed)?;
        let end = &route.states[route.states.len() - 1];
        let nearer = short.is_none_or(|short| route.cost.missed < short);
        let loss = route.acts.iter().find(|act| matches!(act.step.what, PlanAction::Remove | PlanAction::Reinstall))?;
        let others = if route.cost.missed == 0 { "" } else { " (the rest of the namespace is resolved then)" };
        let at = loss.step.openshift;
        let text = match loss.step.what {
            PlanAction::Remove => format!(
                "remove the Subscription on {at}: `{}` keeps running without updates{others}",
                name(&end.operators[0])
            ),
            _ => format!(
                "reinstall on {at}: remove `{}` and its Subscription, and subscribe to channel `{}` for `{}`",
                loss.step.from,
                loss.step.channel.as_ref().map(ToString::to_string).unwrap_or_default(),
                loss.step.to
            ),
        };
        nearer.then_some(text)
    }
}

/// The Subscriptions that keep a namespace from being resolved.
fn waiting_for(model: &Model<'_>, state: &State) -> Vec<String> {
    let waiting = (0..state.operators.len()).filter(|index| !model.operator_resolves(state, *index));
    waiting.map(|index| format!("`{}`", model.operators[index].subscription.spec.name)).collect()
}

/// The first version from which on something is missing up to the last one.
fn first_without(len: usize, has: impl Fn(usize) -> bool) -> usize {
    (0..len).rev().find(|at| has(*at)).map_or(0, |at| at + 1)
}

fn name(operator: &OperatorState) -> String {
    operator.csv.as_ref().map(|csv| csv.name.to_string()).unwrap_or_default()
}

/// The reason where nothing can be said.
pub(crate) fn unknown(sentence: String) -> Reason {
    Reason { obstacle: PlanObstacle::Unknown, sentence, lifts: Vec::new(), stop: None }
}
