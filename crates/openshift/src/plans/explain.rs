//! Why a goal is not reached, and what makes a step necessary: the smallest obstacle, and the nearest fact. It reads what a
//! search has found, and asks for no other search: `lifts.rs` does.

use crate::gate::BlockReason;
use crate::plans::model::{Csv, Model, PackageAt};
use crate::plans::question::Question;
use crate::plans::search::{OperatorState, Route, State};
use catalog::{BundleName, ChannelName};
use cluster::Subscription;
use source::{OpenShift, parse_min_kube};
use std::rc::Rc;
use views::{PlanGoal, PlanObstacle};

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

/// A search that has ended, as one of its operators sees it.
pub(crate) struct Searched<'s, 'c> {
    pub(crate) question: &'s Question<'c>,
    pub(crate) model: &'s Model<'c>,
    /// The operator, by its index in the model.
    pub(crate) own: usize,
}

impl<'c> Searched<'_, 'c> {
    pub(crate) fn subscription(&self) -> &'c Subscription {
        self.model.operators[self.own].subscription
    }

    /// The CSVs that block the update from a version of the way in a state.
    pub(crate) fn blocking<'t>(&self, at: usize, state: &'t State) -> Vec<&'t Rc<Csv>> {
        state.csvs().filter(|csv| self.model.blocks(csv, at).is_some()).collect()
    }

    /// Why no steps lead past a version of OpenShift, without what would lift it.
    pub(crate) fn blocked(&self, at: usize, states: &[State]) -> Reason {
        let sets: Vec<Vec<&Rc<Csv>>> = states.iter().map(|state| self.blocking(at, state)).collect();
        let is_common = |csv: &&&Rc<Csv>| sets.iter().all(|set| set.contains(*csv));
        let smallest = sets.iter().min_by_key(|set| set.len());
        let csv = smallest.and_then(|set| set.iter().find(is_common).or(set.first()));
        let Some((csv, reason)) = csv.and_then(|csv| Some((csv, self.model.blocks(csv, at)?))) else {
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
        let stop = Stop { openshift: here, csv: csv.name.clone(), reason };
        Reason { obstacle, sentence, lifts: Vec::new(), stop: Some(stop) }
    }

    /// Why the best steps miss the goal.
    pub(crate) fn missed(&self, route: &Route) -> (PlanObstacle, String) {
        let (model, index, end) = (self.model, self.own, route.end());
        let (operator, versions) = (&end.operators[index], model.way);
        let last = versions[end.at];
        let package = &self.subscription().spec.package;
        // Another Subscription may keep the namespace from being resolved before the own one does.
        let frozen = first_without(versions.len(), |at| model.resolves(&route.states[at]));
        let others = |own: usize| match route.states.get(frozen).filter(|_| frozen < own) {
            Some(state) => format!(
                "Nothing in the namespace is resolved from {} on, because of {}. ",
                versions[frozen],
                waiting_for(model, state).join(", ")
            ),
            None => String::new(),
        };
        let rejected = |at: usize| self.question.served(self.subscription(), at)?.state().rejected;
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
                    "{}The catalog of {} has no package `{package}`: from there on nothing in the namespace is resolved.",
                    others(first),
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
            let first = first_without(versions.len(), has);
            return (
                PlanObstacle::ChannelEnds,
                format!(
                    "{}The catalog of {} has no channel `{channel}` that OLM can use, and no other channel of `{package}` updates \
                     `{installed}`.",
                    others(first),
                    versions[first]
                ),
            );
        };
        if let Some(pending) = &operator.pending {
            let needs = pending.min_kube.as_deref().unwrap_or_default();
            let why = match parse_min_kube(needs) {
                Some(_) => format!(" and stays Pending on {last}."),
                None => ", which OLM cannot parse, and stays Pending on every version.".to_owned(),
            };
            return (PlanObstacle::Hung, format!("`{}` needs Kubernetes {needs}{why}", pending.name));
        }
        if !model.resolves(end) {
            let names = waiting_for(model, end).join(", ");
            let when = if frozen < end.at { format!("from {} on", versions[frozen]) } else { format!("on {last}") };
            return (
                PlanObstacle::Namespace,
                format!("Nothing in the namespace is resolved {when}, because of {names}."),
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
}

/// The Subscriptions that keep a namespace from being resolved.
pub(crate) fn waiting_for(model: &Model<'_>, state: &State) -> Vec<String> {
    let waiting = (0..state.operators.len()).filter(|index| !model.operator_resolves(state, *index));
    waiting.map(|index| format!("`{}`", model.operators[index].subscription.spec.name)).collect()
}

/// The first version from which on something is missing up to the last one.
fn first_without(len: usize, has: impl Fn(usize) -> bool) -> usize {
    (0..len).rev().find(|at| has(*at)).map_or(0, |at| at + 1)
}

pub(crate) fn name(operator: &OperatorState) -> String {
    operator.csv.as_ref().map(|csv| csv.name.to_string()).unwrap_or_default()
}

/// The reason where nothing can be said.
pub(crate) fn unknown(sentence: String) -> Reason {
    Reason { obstacle: PlanObstacle::Unknown, sentence, lifts: Vec::new(), stop: None }
}

// What makes a step necessary: the single fact that is nearest.

impl Searched<'_, '_> {
    /// Says of the steps of the operator what makes each necessary. What happens by itself needs a reason only where OpenShift
    /// waits for it.
    pub(crate) fn explain_steps(&self, route: &mut Route) {
        let (model, own) = (self.model, self.own);
        let operator = &model.operators[own];
        let first = State::first(model).operators.swap_remove(own);
        let (mut csv, mut channel) = (first.csv, first.channel);
        for act in route.acts.iter_mut().filter(|act| act.operator == own) {
            let Some(at) = model.way.iter().position(|version| *version == act.step.openshift) else { continue };
            let fact = Fact { model, own, at, csv: csv.as_deref(), channel: channel.as_ref() };
            let is_manual = act.step.what.is_manual();
            act.step.because =
                fact.limit().or_else(|| if is_manual { fact.of_catalogs(self.question.goal) } else { None });
            if let Some(named) = operator.at[at].as_ref().and_then(|found| named(found, &act.step.to)) {
                csv = Some(named);
            }
            channel.clone_from(&act.step.channel);
        }
    }
}

fn named(found: &PackageAt<'_>, name: &str) -> Option<Rc<Csv>> {
    let entry = found.chains.values().find_map(|chain| chain.channel.entry(name))?;
    Some(found.csv(&entry.name.value))
}

/// What an operator is before a step.
struct Fact<'f, 'c> {
    model: &'f Model<'c>,
    own: usize,
    /// The version of OpenShift, as an index into the way.
    at: usize,
    csv: Option<&'f Csv>,
    channel: Option<&'f ChannelName>,
}

impl Fact<'_, '_> {
    /// The CSV keeps OpenShift from its next version.
    fn limit(&self) -> Option<String> {
        let csv = self.csv.filter(|_| self.at + 1 < self.model.way.len())?;
        Some(format!("`{}` {}", csv.name, self.model.blocks(csv, self.at)?.sentence()))
    }

    /// The catalog of this or a later version lacks the channel or the CSV, or the goal asks for more.
    fn of_catalogs(&self, goal: PlanGoal) -> Option<String> {
        let Some(csv) = self.csv else { return Some("nothing is installed yet".to_owned()) };
        let operator = &self.model.operators[self.own];
        let later = || (self.model.way.iter().zip(&operator.at)).skip(self.at);
        let ends = |(version, found): (&OpenShift, &Option<PackageAt<'_>>)| {
            let package = &operator.subscription.spec.package;
            match (found, self.channel) {
                (None, _) => Some(format!("the catalog of {version} has no package `{package}`")),
                (Some(found), Some(channel)) if found.chain(Some(channel)).is_none() => {
                    Some(format!("the catalog of {version} has no channel `{channel}`"))
                }
                _ => None,
            }
        };
        let is_unlisted = |found: &PackageAt<'_>| goal >= PlanGoal::Listed && !found.lists(self.channel, csv);
        let unlisted = |(version, found): (&OpenShift, &Option<PackageAt<'_>>)| {
            let is_it = found.as_ref().is_some_and(is_unlisted);
            is_it.then(|| format!("the catalog of {version} does not list `{}` in its channel", csv.name))
        };
        let head = || {
            let chain = operator.at.last()?.as_ref()?.chain(self.channel)?;
            let head: &BundleName = &chain.entries[0].name.value;
            (goal == PlanGoal::Head).then(|| format!("`{head}` is the head"))
        };
        later().find_map(ends).or_else(|| unlisted(later().last()?)).or_else(head)
    }
}
