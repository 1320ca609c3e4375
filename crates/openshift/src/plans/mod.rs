//! What to do with the operators of a cluster before, between and after updates of OpenShift.
//!
//! Each minor version of OpenShift has catalogs of its own, so that an update of OpenShift exchanges what every Subscription is
//! resolved from. A plan says which steps somebody has to make, and when, so that every operator is supported by the last catalog;
//! where none does, it says why and what would help.
//!
//! [`plans`] looks for the cheapest steps in the update graphs alone, and then plays them back through the simulator. Where that has
//! something else, there is no plan ([`PlanObstacle::Unknown`]). Not modelled: bundles with `olm.deprecated`, dependencies that fail,
//! and custom resources that a new CustomResourceDefinition refuses; the first two show in the simulation.

mod explain;
mod extensions;
mod lifts;
mod model;
mod plan;
mod question;
mod replay;
mod search;
mod view;
mod words;

pub use explain::{Reason, Stop};
pub use extensions::ExtensionOnWay;
pub use model::Csv;
pub use plan::{Blocker, Frozen, Plan, Plans, Rest, Station, Step, WaitingPlan};
pub use question::{Allowed, Question, Served, Stuck, source_for, way};

use crate::gate::{BlockReason, MinorUpgrade, UpgradeBlocker};
use catalog::ChannelName;
use cluster::Subscription;
use explain::{Searched, unknown};
use model::{Model, next_after};
use search::{Act, Found, Route, State, search, short_of};
use source::OpenShift;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;
use views::{PlanAction, PlanCost, PlanObstacle};

/// Those first that keep the others waiting on most versions on which none before them does.
fn first_on_most(mut keeps: Vec<usize>, frozen_on: impl Fn(usize) -> BTreeSet<usize>) -> Vec<usize> {
    let (mut ordered, mut covered) = (Vec::new(), BTreeSet::new());
    while let Some(best) = (0..keeps.len()).min_by_key(|at| Reverse(frozen_on(keeps[*at]).difference(&covered).count()))
    {
        let index = keeps.remove(best);
        covered.extend(frozen_on(index));
        ordered.push(index);
    }
    ordered
}

/// The Subscriptions of a namespace whose steps are looked for together at most: their states multiply.
const MOST_TOGETHER: usize = 3;

/// The plans of all Subscriptions, by namespace and in the order of the cluster.
#[must_use]
pub fn plans(question: &Question<'_>) -> Plans {
    let mut plans = Vec::new();
    for part in question.cluster.by_namespace().values() {
        plans.extend(namespace_plans(&Question { cluster: part, ..*question }));
    }
    let blocked = blockers(question, &plans);
    let is_planned = !question.sources.is_empty();
    if !is_planned {
        // What waits or is stuck is known without catalogs.
        let is_unknown = |reason: &Reason| reason.obstacle == PlanObstacle::Unknown;
        plans.iter_mut().for_each(|plan| drop(plan.reason.take_if(|reason| is_unknown(reason))));
        plans.retain(|plan| plan.reason.is_some() || plan.waiting.is_some());
    }
    Plans { plans, blocked, reported: Vec::new(), is_planned }
}

/// What the search found for one Subscription, explained.
enum Explained {
    Route {
        way: Box<Route>,
        /// Its index in the states of the way.
        own: usize,
        /// Why the namespace does not resolve, on each version.
        frozen: Vec<Option<Frozen>>,
        reason: Option<Reason>,
        rest: Option<Rest>,
        /// Whether the namespace does not resolve before the first step.
        is_frozen_first: bool,
    },
    /// Why there is no way.
    Reason(Reason),
}

impl Explained {
    fn cost(&self) -> Option<PlanCost> {
        match self {
            Self::Route { way, .. } => Some(way.cost),
            Self::Reason(_) => None,
        }
    }

    /// The versions on which the namespace does not resolve, as indices into the way.
    fn frozen_on(&self) -> BTreeSet<usize> {
        match self {
            Self::Route { frozen, .. } => (0..frozen.len()).filter(|at| frozen[*at].is_some()).collect(),
            Self::Reason(_) => BTreeSet::new(),
        }
    }

    /// Whether the namespace does not resolve at some time of the way.
    fn is_frozen(&self) -> bool {
        matches!(self, Self::Route { way, is_frozen_first, .. } if *is_frozen_first || way.cost.frozen > 0)
    }
}

/// The plans of a namespace, if the cluster is that of one namespace.
fn namespace_plans(question: &Question<'_>) -> Vec<Plan> {
    let here: Vec<&Subscription> = question.cluster.subscriptions.iter().collect();
    if let Some(stuck) = here.first().and_then(|one| question.stuck.get(&one.namespace)) {
        let stuck = |one: &&Subscription| plan_of(question, one, Explained::Reason(stuck.reason.clone()));
        return here.iter().map(stuck).collect();
    }
    let alone: Vec<Explained> = here.iter().map(|one| explained(question, &[one], 0)).collect();
    let costs: Vec<Option<PlanCost>> = alone.iter().map(Explained::cost).collect();
    let is_short = costs.iter().flatten().any(|cost| cost.missed > 0);
    // Plans that reach the goal in a namespace that always resolves do not depend on each other. All others may: an operator that
    // does not resolve keeps the rest from updates, also from one that leads away from the goal.
    let is_frozen = |index: usize| alone[index].is_frozen();
    let is_short = is_short || (0..here.len()).any(is_frozen);
    let is_read = |index: usize| not_read(question, here[index]).is_none();
    let keeps = |index: &usize| is_frozen(*index) || (is_read(*index) && can_freeze(question, here[*index]));
    let keeps: Vec<usize> = (0..here.len()).filter(|_| is_short).filter(keeps).collect();
    let keeps = first_on_most(keeps, |index| alone[index].frozen_on());
    let together = |index: usize, own: Explained| match own {
        Explained::Route { .. } if here.len() > 1 && !keeps.is_empty() => {
            let group = group(here.len(), &keeps, index);
            let place = group.iter().position(|one| *one == index).unwrap_or_default();
            let group: Vec<&Subscription> = group.into_iter().map(|index| here[index]).collect();
            match explained(question, &group, place) {
                // There are too many ways: the replay says where the others matter.
                Explained::Reason(_) => own,
                found @ Explained::Route { .. } => found,
            }
        }
        own => own,
    };
    let found: Vec<Explained> = alone.into_iter().enumerate().map(|(index, own)| together(index, own)).collect();
    // Steps of operators that were looked for together keep their order: an update may wait for a switch of another one.
    let mut acts: Vec<(usize, Act)> = Vec::new();
    for (index, explained) in found.iter().enumerate() {
        let Explained::Route { way, own, .. } = explained else { continue };
        let mine = way.acts.iter().enumerate().filter(|(_, act)| act.operator == *own);
        acts.extend(mine.map(|(place, act)| (place, Act { operator: index, ..act.clone() })));
    }
    acts.sort_by_key(|(place, act)| (act.step.openshift, *place));
    let acts: Vec<Act> = acts.into_iter().map(|(_, act)| act).collect();
    let mut plans: Vec<Plan> = found
        .into_iter()
        .zip(&here)
        .map(|(explained, subscription)| plan_of(question, subscription, explained))
        .collect();
    replay::replay(question, &mut plans, &acts);
    for (plan, subscription) in plans.iter_mut().zip(&here) {
        if let Some(waiting) = WaitingPlan::of_subscription(question.cluster, subscription) {
            waiting.name_in(plan);
        }
    }
    plans
}

/// Whether there is a version on which a channel of the package, or the one that is subscribed, is missing.
fn can_freeze(question: &Question<'_>, subscription: &Subscription) -> bool {
    let channels = |at: usize| -> BTreeSet<&ChannelName> {
        let package = question.package(subscription, at).filter(|(_, served)| served.state().rejected.is_none());
        package
            .into_iter()
            .flat_map(|(package, _)| package.channels.iter().map(|channel| &channel.name.value))
            .collect()
    };
    let versions: Vec<_> = (0..question.way.len()).map(channels).collect();
    let own = subscription.spec.channel.as_ref();
    versions.iter().any(|here| *here != versions[0] || here.is_empty() || own.is_some_and(|own| !here.contains(own)))
}

/// The Subscriptions of a namespace whose steps are looked for together with those of one: all, or where these are too many the
/// first of those that may keep the others waiting.
fn group(count: usize, keeps: &[usize], index: usize) -> Vec<usize> {
    if count <= MOST_TOGETHER {
        return (0..count).collect();
    }
    let mut group: Vec<usize> = keeps.iter().copied().filter(|one| *one != index).take(MOST_TOGETHER - 1).collect();
    group.push(index);
    group.sort_unstable();
    group
}

/// Makes the model of a group, searches it, and then explains what was found for one of its Subscriptions.
fn explained(question: &Question<'_>, group: &[&Subscription], own: usize) -> Explained {
    if let Some(reason) = not_read(question, group[own]) {
        return Explained::Reason(reason);
    }
    let package = |subscription: &Subscription, at: usize| {
        question.package(subscription, at).map(|(package, served)| (package, Some(served)))
    };
    let model = Model::of(question, group, &package);
    let found = search(&model, question.goal, question.allowed);
    let searched = Searched { question, model: &model, own };
    match found {
        Found::Route(mut way) => {
            let missed = short_of(question.goal, model.level(way.end(), own));
            let reason = (missed > 0).then(|| {
                // A Subscription that is removed has no obstacle in the end. What kept it from the goal is in the steps that keep it.
                let is_kept = way.end().operators[own].is_subscribed;
                match (!is_kept).then(|| search(&model, question.goal, Allowed::default())) {
                    Some(Found::Route(kept)) => miss(&searched, &kept),
                    _ => miss(&searched, &way),
                }
            });
            way.cost.missed = missed;
            searched.explain_steps(&mut way);
            let frozen = (0..way.states.len()).map(|at| model.frozen(&way.states, at)).collect();
            let rest = if missed == 0 { Rest::of(&model, &way, own) } else { None };
            let is_frozen_first = !model.resolves(&State::first(&model));
            Explained::Route { way, own, frozen, reason, rest, is_frozen_first }
        }
        Found::Blocked { at, states } => {
            let mut reason = searched.blocked(at, &states);
            if let Some(stop) = &reason.stop {
                reason.lifts = searched.lifts_of_block(at, &states, &stop.csv);
            }
            Explained::Reason(reason)
        }
        Found::TooMany => Explained::Reason(unknown("There are too many ways to try all of them.".to_owned())),
    }
}

/// Why the best steps miss the goal, and what would help.
fn miss(searched: &Searched<'_, '_>, route: &Route) -> Reason {
    let (obstacle, sentence) = searched.missed(route);
    Reason { obstacle, sentence, lifts: searched.lifts_of_miss(route, obstacle), stop: None }
}

/// The versions of the way for which no catalog of the Subscription is loaded, or only a part of it: nobody knows what it has.
fn not_read(question: &Question<'_>, subscription: &Subscription) -> Option<Reason> {
    let versions = |is_meant: &dyn Fn(Option<&dyn Served>) -> bool| -> Vec<OpenShift> {
        let versions = question.way.iter().enumerate();
        versions.filter(|(at, _)| is_meant(question.served(subscription, *at))).map(|(_, version)| *version).collect()
    };
    let missing = versions(&|served| served.is_none());
    let partial = versions(&|served| served.is_some_and(|served| served.state().catalog.is_partial));
    let (versions, what) = match (&missing[..], &partial[..]) {
        ([], []) => return None,
        ([], partial) => (partial, "was not read completely"),
        (missing, _) => (missing, "is not loaded"),
    };
    let source = question.source_key(subscription).map(|key| format!(" of `{}`", key.name)).unwrap_or_default();
    Some(unknown(format!("The catalog{source} for OpenShift {} {what}.", OpenShift::list(versions))))
}

fn plan_of(question: &Question<'_>, subscription: &Subscription, explained: Explained) -> Plan {
    let mut plan = Plan {
        namespace: subscription.namespace.clone(),
        subscription: subscription.spec.name.clone(),
        is_extension: false,
        package: subscription.spec.package.clone(),
        channel: subscription.spec.channel.clone(),
        installed: question.cluster.installed(subscription).name().cloned(),
        cost: None,
        steps: Vec::new(),
        stations: Vec::new(),
        reason: None,
        waiting: None,
        rest: None,
    };
    match explained {
        Explained::Reason(reason) => plan.reason = Some(reason),
        Explained::Route { way, own, frozen, reason, rest, .. } => {
            plan.steps = steps(question, subscription, &way, own);
            plan.cost = Some(own_cost(way.cost, &plan.steps));
            plan.stations = (question.way.iter().zip(&way.states).zip(frozen))
                .map(|((version, state), frozen)| {
                    let operator = &state.operators[own];
                    let name = |csv: &std::rc::Rc<Csv>| csv.name.clone();
                    Station {
                        openshift: *version,
                        csv: operator.csv.as_ref().map(name),
                        pending: operator.pending.as_ref().map(name),
                        channel: operator.channel.clone(),
                        frozen,
                    }
                })
                .collect();
            (plan.reason, plan.rest) = (reason, rest);
        }
    }
    plan
}

/// The steps of one operator, with those of OpenShift. After these a CatalogSource that is named for one version is to be
/// exchanged.
fn steps(question: &Question<'_>, subscription: &Subscription, way: &Route, own: usize) -> Vec<Step> {
    let step = |openshift: OpenShift, what: PlanAction, [from, to]: [String; 2], at: usize| Step {
        openshift,
        what,
        because: (what == PlanAction::SwitchSource).then(|| format!("no update of OpenShift exchanges `{from}`")),
        from,
        to,
        channel: way.states[at].operators[own].channel.clone(),
        hangs: false,
        install_plan: None,
    };
    let source = subscription.spec.catalog.as_ref().filter(|key| question.renamed.contains(key));
    let mut source = source.map(|key| key.name.to_string());
    let mut steps = Vec::new();
    for (at, version) in question.way.iter().enumerate() {
        let here = way.acts.iter().filter(|act| act.operator == own && act.step.openshift == *version);
        steps.extend(here.map(|act| act.step.clone()));
        let Some(next) = question.way.get(at + 1) else { break };
        steps.push(step(*version, PlanAction::OpenShift, [version.to_string(), next.to_string()], at));
        let known = source.take().filter(|_| way.states[at].operators[own].is_subscribed);
        if let Some((from, to)) = known.and_then(|from| Some((from.clone(), source_for(&from, *next)?))) {
            source = Some(to.clone());
            steps.push(step(*next, PlanAction::SwitchSource, [from, to], at));
        }
    }
    steps
}

/// What an operator's own steps cost, of all that a way costs. The namespace is frozen for all of its operators.
fn own_cost(all: PlanCost, steps: &[Step]) -> PlanCost {
    let count = |is: &dyn Fn(PlanAction) -> bool| steps.iter().filter(|step| is(step.what)).count() as u32;
    PlanCost {
        reinstalls: count(&|what| matches!(what, PlanAction::Remove | PlanAction::Reinstall)),
        manual: count(&PlanAction::is_manual),
        hops: count(&|what| matches!(what, PlanAction::Update | PlanAction::Approve)),
        ..all
    }
}

/// What stops an update of OpenShift: installed CSVs that no step takes beyond their limit, and CSVs without a Subscription.
fn blockers(question: &Question<'_>, plans: &[Plan]) -> Vec<Blocker> {
    let mut found: Vec<Blocker> = Vec::new();
    let owner = |one: &Subscription| {
        question.cluster.installed(one).name().map(|name| (Arc::clone(&one.namespace), name.clone()))
    };
    // Without catalogs nobody knows how to get beyond a limit.
    let is_planned = |one: &&Subscription| question.served(one, 0).is_some();
    let owned: BTreeSet<_> = question.cluster.subscriptions.iter().filter_map(owner).collect();
    let planned: BTreeSet<_> = question.cluster.subscriptions.iter().filter(is_planned).filter_map(owner).collect();
    let key = |csv: &cluster::Csv| (Arc::clone(&csv.namespace), csv.installed.name.clone());
    // What is being replaced has no Subscription until it is gone, and a namespace that is stuck has its own advice.
    let is_being_replaced = |csv: &cluster::Csv| {
        let mut here = question.cluster.csvs.iter().filter(|other| other.namespace == csv.namespace);
        here.any(|other| other.replaces.as_ref() == Some(&csv.installed.name))
    };
    let is_stuck = |csv: &cluster::Csv| {
        question.stuck.get(&csv.namespace).is_some_and(|stuck| stuck.csvs.contains(&csv.installed.name))
    };
    let has_all = !question.cluster.lacks_subscriptions;
    let is_freestanding = |csv| has_all && !owned.contains(&key(csv)) && !is_being_replaced(csv) && !is_stuck(csv);
    let stops = question.way.len().saturating_sub(1);
    for csv in question.cluster.csvs.iter().filter(|csv| !planned.contains(&key(csv))) {
        let own = Csv::installed(csv, None);
        let first = question.way[..stops]
            .iter()
            .find_map(|version| Some((*version, BlockReason::of(&own.max, &next_after(*version))?)));
        if let Some((openshift, reason)) = first {
            let blocker = blocker(csv.namespace.clone(), own.name, reason);
            found.push(Blocker { openshift, blocker, is_freestanding: is_freestanding(csv), extension: None });
        }
    }
    for plan in plans.iter().filter(|plan| plan.cost.is_none()) {
        let Some(stop) = plan.reason.as_ref().and_then(|reason| reason.stop.as_ref()) else { continue };
        let blocker = blocker(plan.namespace.clone(), stop.csv.clone(), stop.reason.clone());
        found.push(Blocker { openshift: stop.openshift, blocker, is_freestanding: false, extension: None });
    }
    found.sort_by(|a, b| {
        let key = |one: &Blocker| (one.openshift, one.blocker.namespace.clone(), one.blocker.csv.clone());
        key(a).cmp(&key(b))
    });
    found.dedup();
    found
}

fn blocker(namespace: std::sync::Arc<str>, csv: catalog::BundleName, reason: BlockReason) -> UpgradeBlocker {
    UpgradeBlocker { namespace, csv, reason, is_from_catalog: false }
}

impl Plans {
    /// What OLM says on a version of OpenShift that the update stops at; nothing if it does not.
    #[must_use]
    pub fn gate_message(&self, version: OpenShift) -> Option<String> {
        let blockers: Vec<UpgradeBlocker> =
            (self.blocked.iter().filter(|one| one.openshift == version && one.extension.is_none()))
                .map(|one| one.blocker.clone())
                .collect();
        let current = go_semver::blang::Version::new(version.major.into(), version.minor.into(), 0);
        MinorUpgrade { next: next_after(version), current, blockers }.message()
    }
}
