//! Why a goal is not reached and what makes a step necessary: the smallest obstacle, what would lift it, and the nearest
//! fact. Each lift was tried in the model.

use crate::gate::BlockReason;
use crate::plans::model::{Csv, Model, PackageAt};
use crate::plans::plan::Plan;
use crate::plans::question::{Allowed, Question};
use crate::plans::search::{Found, OperatorState, Route, State, search, short_of};
use catalog::{BundleName, ChannelName, Entry, Package};
use cluster::{CatalogKey, Cluster, InstallPlan, PlanPhase, Subscription};
use source::OpenShift;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use views::{PlanAction, PlanGoal, PlanObstacle};

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
        let mut lifts = self.lifts(&of_block(self, at, csv), None);
        if lifts.is_empty() {
            let all = sets.iter().flatten().cloned().collect();
            lifts = self.lifts(&of_block_elsewhere(self, at, &all), None);
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
                let mut lifts = self.lifts(&of_miss(self, route, index, obstacle), Some(short));
                if lifts.is_empty() {
                    lifts = self.lifts(&as_before(self), Some(short));
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

// What makes a step necessary: the single fact that is nearest.

/// Says of the steps of one operator what makes each necessary. What happens by itself needs a reason only where OpenShift waits
/// for it.
pub(crate) fn explain(model: &Model<'_>, way: &mut Route, own: usize, goal: PlanGoal) {
    let operator = &model.operators[own];
    let first = State::first(model).operators.swap_remove(own);
    let (mut csv, mut channel) = (first.csv, first.channel);
    for act in way.acts.iter_mut().filter(|act| act.operator == own) {
        let Some(at) = model.way.iter().position(|version| *version == act.step.openshift) else { continue };
        let fact = Fact { model, own, at, csv: csv.as_deref(), channel: channel.as_ref() };
        let is_manual = act.step.what.is_manual();
        act.step.because = fact.limit().or_else(|| if is_manual { fact.of_catalogs(goal) } else { None });
        if let Some(named) = operator.at[at].as_ref().and_then(|found| named(found, &act.step.to)) {
            csv = Some(named);
        }
        channel.clone_from(&act.step.channel);
    }
}

/// The CSV of an entry with this name.
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

// Changes of catalogs or of the cluster that could lift an obstacle, and whether one does: the search is asked again.

/// A change.
struct WhatIf {
    /// It in words: what to do.
    pub(crate) text: String,
    /// The package of the operator on versions of the way, where it is another one.
    packages: BTreeMap<usize, Package>,
    /// A CSV whose `olm.maxOpenShiftVersion` is gone.
    without_max: Option<BundleName>,
    /// Another CatalogSource from a version of the way on.
    source: Option<(CatalogKey, usize)>,
}

impl WhatIf {
    /// No change.
    const fn nothing() -> Self {
        Self { text: String::new(), packages: BTreeMap::new(), without_max: None, source: None }
    }

    fn packages(text: String, packages: impl IntoIterator<Item = (usize, Package)>) -> Self {
        Self { text, packages: packages.into_iter().collect(), ..Self::nothing() }
    }

    /// The best steps of the operator alone, if any lead to the last version.
    pub(crate) fn route(&self, asked: &Asked<'_, '_>, allowed: Allowed) -> Option<Route> {
        let question = asked.question;
        let served = |at: usize| match &self.source {
            Some((key, from)) if at >= *from => question.sources.get(key)?.get(at).copied().flatten(),
            _ => question.served(asked.subscription, at),
        };
        let name = asked.subscription.spec.package.as_str();
        let package = |_: &cluster::Subscription, at: usize| match self.packages.get(&at) {
            Some(package) => Some((package, None)),
            None => served(at).and_then(|served| Some((served.state().catalog.package(name)?, Some(served)))),
        };
        let mut model = Model::of(question, &[asked.subscription], &package);
        model.without_max.clone_from(&self.without_max);
        match search(&model, question.goal, allowed) {
            Found::Route(route) => Some(*route),
            Found::Blocked { .. } | Found::TooMany => None,
        }
    }

    /// Whether it leads to the goal; with `short`, what is missing without it, at least nearer.
    pub(crate) fn reaches(&self, asked: &Asked<'_, '_>, allowed: Allowed, short: Option<u32>) -> bool {
        self.route(asked, allowed).is_some_and(|route| route.cost.missed == 0 || short.is_none())
    }
}

/// What could open the gate of a version: what later catalogs have, and then a CSV without its limit.
fn of_block(asked: &Asked<'_, '_>, at: usize, csv: &Csv) -> Vec<WhatIf> {
    let mut tried = offered(asked, at);
    tried.push(without_max(csv));
    tried
}

/// The same with the catalogs before, and with each of the CSVs that are in the way.
fn of_block_elsewhere(asked: &Asked<'_, '_>, at: usize, csvs: &BTreeSet<Rc<Csv>>) -> Vec<WhatIf> {
    let before = (0..at).rev().flat_map(|at| offered(asked, at));
    before.chain(csvs.iter().map(|csv| without_max(csv))).collect()
}

/// What later catalogs have.
fn offered(asked: &Asked<'_, '_>, at: usize) -> Vec<WhatIf> {
    let (question, subscription) = (asked.question, asked.subscription);
    let here = question.way[at];
    let offer = |later: usize| {
        let (package, _) = question.package(subscription, later)?;
        let there = question.way[later];
        let text = format!("the publisher offers on {here} what the catalog of {there} has");
        Some(WhatIf::packages(text, [(at, package.clone())]))
    };
    (at + 1..question.way.len()).filter_map(offer).collect()
}

fn without_max(csv: &Csv) -> WhatIf {
    let text = format!(
        "if `{}` does run there: raise `olm.maxOpenShiftVersion` in the annotation `operatorframework.io/properties` of the CSV; a later \
         catalog does not change it",
        csv.name
    );
    WhatIf { text, without_max: Some(csv.name.clone()), ..WhatIf::nothing() }
}

/// What could lead to the goal.
fn of_miss(asked: &Asked<'_, '_>, route: &Route, index: usize, obstacle: PlanObstacle) -> Vec<WhatIf> {
    let (question, subscription) = (asked.question, asked.subscription);
    let last = question.way.len() - 1;
    let name = &subscription.spec.package;
    let package = |at: usize| question.package(subscription, at).map(|(package, _)| package);
    let mut tried = Vec::new();
    match obstacle {
        PlanObstacle::PackageEnds => {
            let Some(kept) = (0..=last).rev().find(|at| package(*at).is_some()) else { return tried };
            let own = question.source_key(subscription);
            for key in question.sources.keys().filter(|key| Some(*key) != own) {
                let text = format!("change the source of the Subscription to `{}`, which has `{name}`", key.name);
                tried.push(WhatIf { text, source: Some((key.clone(), kept + 1)), ..WhatIf::nothing() });
            }
            let missing: Vec<usize> = (kept + 1..=last).collect();
            let versions: Vec<String> = missing.iter().map(|at| question.way[*at].to_string()).collect();
            let text = format!("the publisher keeps `{name}` in the catalog of {}", versions.join(", "));
            let kept = package(kept).into_iter().flat_map(|kept| missing.iter().map(|at| (*at, kept.clone())));
            tried.push(WhatIf::packages(text, kept));
        }
        PlanObstacle::ChannelEnds => {
            tried.extend(edges(asked, route, index));
            let channel = route.states[last].operators[index].channel.as_ref();
            let has = |at: usize| package(at)?.channel(channel?.as_str());
            let Some((channel, kept)) = channel.zip((0..=last).rev().find(|at| has(*at).is_some())) else {
                return tried;
            };
            let with_channel =
                (kept + 1..=last).filter_map(|at| Some((at, with_channel(package(at)?, package(kept)?, channel)?)));
            let versions: Vec<String> = (kept + 1..=last).map(|at| question.way[at].to_string()).collect();
            let text = format!("the publisher keeps channel `{channel}` in the catalog of {}", versions.join(", "));
            tried.push(WhatIf::packages(text, with_channel));
        }
        PlanObstacle::Stranded => {
            tried.extend(edges(asked, route, index));
            let csv = route.states[last].operators[index].csv.as_ref();
            let channel = route.states[last].operators[index].channel.as_ref();
            let lists = |at: usize| Some(package(at)?.channel(channel?.as_str())?.entry(csv?.name.as_str()).is_some());
            let kept = (0..last).rev().find(|at| lists(*at) == Some(true));
            if let Some(((kept, package), csv)) = kept.and_then(|at| Some((at, package(at)?))).zip(csv) {
                // One catalog may be enough; otherwise all between.
                for first in BTreeSet::from([kept + 1, last]).into_iter().rev() {
                    let versions: Vec<String> = question.way[first..].iter().map(ToString::to_string).collect();
                    let text = format!(
                        "the publisher brings `{}` to the catalog of {}, as that of {} has it",
                        csv.name,
                        versions.join(", "),
                        question.way[kept]
                    );
                    tried.push(WhatIf::packages(text, (first..=last).map(|at| (at, package.clone()))));
                }
            }
        }
        _ => {}
    }
    tried
}

/// Each channel, and then the whole package, stays in all later catalogs as it is in one.
fn as_before(asked: &Asked<'_, '_>) -> Vec<WhatIf> {
    let (question, subscription) = (asked.question, asked.subscription);
    let last = question.way.len() - 1;
    let package = |at: usize| question.package(subscription, at).map(|(package, _)| package);
    let mut tried = Vec::new();
    for (kept, before) in (0..last).rev().filter_map(|at| Some((at, package(at)?))) {
        let later = kept + 1..=last;
        let versions: Vec<String> = question.way[later.clone()].iter().map(ToString::to_string).collect();
        let text = |what: &str| {
            let (later, kept) = (versions.join(", "), question.way[kept]);
            format!("the publisher keeps {what} in the catalog of {later}, as that of {kept} has it")
        };
        for name in before.channels.iter().map(|channel| &channel.name.value) {
            let with = |at: usize| match package(at) {
                Some(package) => with_channel(package, before, name),
                None => Some(only_channel(before, name)),
            };
            let changed = later.clone().filter_map(|at| Some((at, with(at)?)));
            tried.push(WhatIf::packages(text(&format!("channel `{name}`")), changed));
        }
        let whole = later.map(|at| (at, before.clone()));
        tried.push(WhatIf::packages(text(&format!("`{}`", before.name)), whole));
    }
    tried
}

/// A package without its other channels.
fn only_channel(package: &Package, channel: &catalog::ChannelName) -> Package {
    let mut package = package.clone();
    package.channels.retain(|one| one.name.value == *channel);
    package
}

/// Edges from what is installed to the nearest newer entry of each channel, on each version.
fn edges(asked: &Asked<'_, '_>, route: &Route, index: usize) -> Vec<WhatIf> {
    let (question, subscription) = (asked.question, asked.subscription);
    let mut tried = Vec::new();
    for at in (0..question.way.len()).rev() {
        let Some((package, _)) = question.package(subscription, at) else { continue };
        let operator = &route.states[at].operators[index];
        let Some((csv, version)) = operator.csv.as_ref().and_then(|csv| Some((csv, csv.version.as_ref()?))) else {
            continue;
        };
        // Its own channel first.
        let mut channels: Vec<_> = package.channels.iter().collect();
        channels.sort_by_key(|channel| Some(&channel.name.value) != operator.channel.as_ref());
        for channel in channels {
            let newer = channel.entries.iter().filter_map(|entry| {
                let newer = update_graph::version_of(package, &entry.name.value)?;
                (newer > *version).then_some((newer, entry))
            });
            let Some((_, entry)) = newer.min_by(|(a, x), (b, y)| (a, &x.name.value).cmp(&(b, &y.name.value))) else {
                continue;
            };
            let (channel, entry) = (&channel.name.value, &entry.name.value);
            let text = format!(
                "the publisher lets `{entry}` in channel `{channel}` of the catalog of {} replace or skip `{}`",
                question.way[at], csv.name
            );
            let with_edge = with_edge(package, channel, entry, &csv.name);
            tried.push(WhatIf::packages(text, [(at, with_edge)]));
        }
    }
    tried
}

fn with_edge(package: &Package, channel: &catalog::ChannelName, entry: &BundleName, skipped: &BundleName) -> Package {
    let mut package = package.clone();
    let channels = package.channels.iter_mut().filter(|one| one.name.value == *channel);
    let is_named = |one: &&mut Entry| one.name.value == *entry;
    for entry in channels.flat_map(|channel| channel.entries.iter_mut()).filter(is_named) {
        let mut name = entry.name.clone();
        name.value = skipped.clone();
        entry.skips.push(name);
    }
    package
}

/// A package with a channel of another state of it, and the bundles of that.
fn with_channel(package: &Package, other: &Package, channel: &catalog::ChannelName) -> Option<Package> {
    let channel = other.channel(channel.as_str())?;
    let mut package = package.clone();
    let missing = channel.entries.iter().filter(|entry| package.bundle(entry.name.value.as_str()).is_none());
    let bundles: Vec<_> = missing.filter_map(|entry| other.bundle(entry.name.value.as_str())).cloned().collect();
    package.bundles.extend(bundles);
    package.bundles.sort_by(|a, b| a.name.value.cmp(&b.name.value));
    package.channels.retain(|one| one.name.value != channel.name.value);
    package.channels.push(channel.clone());
    package.channels.sort_by(|a, b| a.name.value.cmp(&b.name.value));
    Some(package)
}

// InstallPlans that already wait for an approval. What such a plan installs stays as it is, also when a newer catalog
// has something else (operator-lifecycle-manager `pkg/controller/operators/catalog/operator.go`), so that it is
// approved or deleted before an update of OpenShift.

/// An InstallPlan that waits for an approval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingPlan {
    pub name: Arc<str>,
    /// What it installs for the Subscription.
    pub csv: BundleName,
}

/// The InstallPlan that waits for an approval of what a Subscription is to get: the one that its status names, or the newest.
pub(crate) fn of_subscription(cluster: &Cluster, subscription: &Subscription) -> Option<WaitingPlan> {
    let csv = subscription.current_csv.as_ref().filter(|csv| cluster.installed(subscription).name() != Some(*csv))?;
    let waits = |plan: &&InstallPlan| {
        plan.namespace == subscription.namespace
            && !plan.approved
            && plan.phase == PlanPhase::RequiresApproval
            && plan.csvs.contains(csv)
    };
    let is_named = |plan: &&InstallPlan| subscription.status.install_plan.as_ref() == Some(&plan.name);
    let found = cluster.install_plans.iter().filter(waits).max_by_key(|plan| (is_named(plan), plan.generation))?;
    Some(WaitingPlan { name: Arc::clone(&found.name), csv: csv.clone() })
}

/// Gives the InstallPlan to the step that approves it. Without such a step on the first version the plan has to be approved or
/// deleted beside the steps.
pub(crate) fn waiting_plan_name(plan: &mut Plan, waiting: WaitingPlan) {
    let is_first = |step: &&mut crate::plans::plan::Step| step.what == PlanAction::Approve;
    let first = plan.steps.iter_mut().take_while(|step| step.what != PlanAction::OpenShift).find(is_first);
    match first.filter(|step| step.to == waiting.csv.as_str()) {
        Some(step) => step.install_plan = Some(waiting.name),
        None => plan.waiting = Some(waiting),
    }
}
