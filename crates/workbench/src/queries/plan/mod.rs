//! Plans for updates of OpenShift, as views.

mod clusters;
mod markdown;
mod served;
mod table;

use clusters::head_clusters;
pub use clusters::subscribed_cluster;
pub use markdown::plan_markdown;
pub use served::PlanSources;
pub(crate) use table::plan_table;

use planner::{Allowed, Blocker, Cost, Goal, Plan, Plans, Reason, Station, Step};
use std::cmp::Reverse;
use views::{
    BlockerRow, GateView, OpenShift, PlanCost, PlanGoal, PlanQuery, PlanReason, PlanRest, PlanStation, PlanStep,
    PlanView, PlansView,
};

/// The limits of a query as those of the planner.
fn plan_limits(query: &PlanQuery) -> (Goal, Allowed) {
    let goal = match query.goal {
        PlanGoal::Resolves => Goal::Resolves,
        PlanGoal::Listed => Goal::Listed,
        PlanGoal::Head => Goal::Head,
    };
    (goal, Allowed { remove: query.may_remove, reinstall: query.may_reinstall })
}

/// Plans on a way through versions of OpenShift: first those that somebody has to look at, then by package and channel.
fn plans_view(plans: &Plans, way: &[OpenShift]) -> PlansView {
    let mut views: Vec<PlanView> = plans.plans.iter().map(plan_view).collect();
    views.sort_by(|a, b| {
        let key = |view: &PlanView| {
            let cost = view.cost.map(|cost| (cost.missed, cost.reinstalls, cost.manual, cost.frozen));
            let moves = view.steps.iter().any(|step| step.automatic);
            (
                Reverse((cost.is_none(), cost, !is_at_head(view), moves)),
                view.package.clone(),
                view.channel.clone(),
                view.namespace.clone(),
            )
        };
        key(a).cmp(&key(b))
    });
    let gates =
        way.iter().filter_map(|version| Some(GateView { openshift: *version, message: plans.gate_message(*version)? }));
    PlansView {
        sentence: plans.sentence(way),
        way: way.to_vec(),
        freestanding: plans.blocked.iter().filter(|blocker| blocker.is_freestanding).map(freestanding).collect(),
        notices: Vec::new(),
        plans: views,
        blocked: plans.blocked.iter().map(blocker_row).collect(),
        gates: gates.collect(),
    }
}

fn plan_view(plan: &Plan) -> PlanView {
    let text = |channel: &Option<catalog::ChannelName>| channel.as_ref().map(ToString::to_string).unwrap_or_default();
    PlanView {
        namespace: plan.namespace.to_string(),
        subscription: plan.subscription.to_string(),
        package: plan.package.to_string(),
        channel: text(&plan.channel),
        installed: plan.installed.as_ref().map(ToString::to_string).unwrap_or_default(),
        cost: plan.cost.map(|Cost { missed, frozen, reinstalls, manual, .. }| PlanCost {
            missed,
            frozen,
            reinstalls,
            manual,
        }),
        steps: plan.steps.iter().map(|step| plan_step(plan, step)).collect(),
        reason: plan.reason.as_ref().map(plan_reason),
        waiting: plan.waiting.as_ref().map(planner::WaitingPlan::sentence),
        rest: plan
            .rest
            .as_ref()
            .filter(|_| plan.waiting.is_none())
            .map(|rest| PlanRest { id: rest.id().to_owned(), sentence: rest.sentence() }),
        summary: plan.summary(),
        stations: plan.stations.iter().map(plan_station).collect(),
    }
}

/// Whether it is at the head of its channel in the end.
fn is_at_head(view: &PlanView) -> bool {
    view.rest.as_ref().is_none_or(|rest| rest.id == "head")
}

fn plan_step(plan: &Plan, step: &Step) -> PlanStep {
    let (commands, reason) = match step.commands(&plan.namespace, &plan.subscription) {
        Ok(commands) => (commands, String::new()),
        Err(reason) => (Vec::new(), format!(" (no command: {reason})")),
    };
    PlanStep {
        openshift: step.openshift,
        what: step.what.word().to_owned(),
        from: step.from.clone(),
        to: step.to.clone(),
        channel: step.channel.as_ref().map(ToString::to_string).unwrap_or_default(),
        automatic: step.what.is_automatic(),
        install_plan: step.install_plan.as_deref().unwrap_or_default().to_owned(),
        text: step.sentence() + &reason,
        commands: commands.iter().map(ToString::to_string).collect(),
    }
}

fn plan_reason(reason: &Reason) -> PlanReason {
    PlanReason { id: reason.obstacle.id().to_owned(), sentence: reason.sentence.clone(), lifts: reason.lifts.clone() }
}

fn plan_station(station: &Station) -> PlanStation {
    let text = |name: &Option<catalog::BundleName>| name.as_ref().map(ToString::to_string).unwrap_or_default();
    PlanStation {
        openshift: station.openshift,
        csv: text(&station.csv),
        pending: text(&station.pending),
        channel: station.channel.as_ref().map(ToString::to_string).unwrap_or_default(),
        is_frozen: station.is_frozen,
    }
}

fn blocker_row(blocker: &Blocker) -> BlockerRow {
    BlockerRow {
        openshift: blocker.openshift,
        namespace: blocker.blocker.namespace.to_string(),
        csv: blocker.blocker.csv.to_string(),
        max: blocker.max(),
        id: blocker.obstacle().id().to_owned(),
    }
}

/// What to do about a CSV without a Subscription.
fn freestanding(blocker: &Blocker) -> String {
    format!(
        "`{}/{}` has no Subscription, and supports OpenShift up to {}: subscribe to it, with its name as `startingCSV`, or \
         remove it.",
        blocker.blocker.namespace,
        blocker.blocker.csv,
        blocker.max()
    )
}
