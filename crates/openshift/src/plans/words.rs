//! Plans in words. Names are in backticks.

use crate::gate::BlockReason;
use crate::plans::explain::Reason;
use crate::plans::plan::{Blocker, Frozen, Plan, Plans, Rest, Step, WaitingPlan};
use serde_json::{Value, json};
use source::{OpenShift, ShellCommand, name_list, object_name};
use views::{PlanAction, PlanCost, PlanObstacle};

impl Plans {
    /// What the plans ask for, in a sentence.
    #[must_use]
    pub fn sentence(&self, way: &[OpenShift]) -> String {
        let (Some(from), Some(to)) = (way.first(), way.last()) else { return String::new() };
        let count = |is: &dyn Fn(&Plan) -> bool| self.plans.iter().filter(|plan| is(plan)).count();
        let without_way = |plan: &Plan| plan.cost.is_none();
        let is_blocker = |plan: &Plan| {
            let is_it = |one: &Blocker| {
                one.blocker.namespace == plan.namespace && Some(&one.blocker.csv) == plan.installed.as_ref()
            };
            self.blocked.iter().any(is_it)
        };
        let is_of = |plan: &Plan, is: &dyn Fn(&Reason) -> bool| plan.reason.as_ref().is_some_and(is);
        let is_stopped = |plan: &Plan| is_of(plan, &|reason| reason.obstacle == PlanObstacle::Stuck);
        let is_unknown = |plan: &Plan| {
            without_way(plan) && !is_blocker(plan) && !is_stopped(plan) && is_of(plan, &|reason| reason.stop.is_none())
        };
        let misses = |plan: &Plan| plan.cost.is_some_and(|cost| cost.missed > 0);
        let asks = |plan: &Plan, cost: PlanCost| cost.manual > 0 || plan.waiting.is_some();
        let needs = |plan: &Plan| match plan.cost {
            Some(cost) => cost.missed == 0 && asks(plan, cost),
            None => plan.reason.is_none() && plan.waiting.is_some(),
        };
        let moves = |plan: &Plan| plan.cost.is_some_and(|cost| cost.missed == 0 && !asks(plan, cost) && cost.hops > 0);
        let rests = |plan: &Plan| plan.rests() && matches!(plan.rest, Some(Rest::Stuck { .. }));
        let is_stuck = |plan: &Plan| is_stopped(plan) || rests(plan);
        let waits = |plan: &Plan| plan.rests() && matches!(plan.rest, Some(Rest::Waits { .. }));
        let is_head = |plan: &Plan| plan.rests() && matches!(plan.rest, Some(Rest::Head) | None);
        let free = self.blocked.iter().filter(|blocker| blocker.is_freestanding).count();
        let blocks = match self.is_planned {
            true => count(&|plan| without_way(plan) && !is_unknown(plan) && !is_stopped(plan)) + free,
            false => self.blocked.len(),
        };
        let parts = [
            (blocks, "blocks", "block"),
            (count(&misses), "stays without updates", "stay without updates"),
            (count(&needs), "needs you", "need you"),
            (count(&is_unknown), "cannot be planned", "cannot be planned"),
            (count(&is_stuck), "is stuck", "are stuck"),
            (count(&waits), "waits for your approval", "wait for your approval"),
            (count(&moves), "is updated by OLM", "are updated by OLM"),
            (count(&is_head), "stays at the head", "stay at the head"),
        ];
        let mut found = parts.into_iter().filter(|(count, ..)| *count > 0);
        let way = if from == to { format!("within {from}") } else { format!("{from} → {to}") };
        // A reason that no plan explains is printed beside the plans.
        let says = self.reported.iter().find(|(_, is_explained)| !is_explained);
        let says = says.map(|(one, _)| format!("ClusterOperator `{}` stops the update", one.operator));
        let none = if self.is_planned { "no operators" } else { "no installed operator stops the update" };
        let Some((first, one, many)) = found.next() else {
            return format!("{way}: {}.", says.as_deref().unwrap_or(none));
        };
        let operators = if first == 1 { format!("1 operator {one}") } else { format!("{first} operators {many}") };
        let others = found.map(|(count, one, many)| format!("{count} {}", if count == 1 { one } else { many }));
        let parts: Vec<String> = std::iter::once(operators).chain(others).chain(says).collect();
        format!("{way}: {}.", parts.join(", "))
    }
}

impl Blocker {
    /// What kind of obstacle it is.
    #[must_use]
    pub const fn obstacle(&self) -> PlanObstacle {
        match (&self.blocker.reason, self.is_freestanding) {
            (_, true) => PlanObstacle::Freestanding,
            (BlockReason::Invalid(_), false) => PlanObstacle::InvalidMax,
            (BlockReason::MaxVersion(_), false) => PlanObstacle::Blocked,
        }
    }

    /// The highest version of OpenShift that it supports, or what is wrong with that.
    #[must_use]
    pub fn max(&self) -> String {
        match &self.blocker.reason {
            BlockReason::MaxVersion(max) => format!("{}.{}", max.major(), max.minor()),
            BlockReason::Invalid(error) => error.to_string(),
        }
    }
}

impl Plan {
    /// What is to be done with the operator, in a few words.
    #[must_use]
    pub fn summary(&self) -> String {
        if let (None, Some(reason)) = (&self.cost, &self.reason) {
            return reason.sentence.clone();
        }
        let mut parts: Vec<String> = self.waiting.iter().map(WaitingPlan::sentence).collect();
        let mut steps = self.steps.iter().peekable();
        let mut at = self.steps.first().map(|step| step.openshift);
        while let Some(step) = steps.next() {
            if step.what == PlanAction::OpenShift {
                continue;
            }
            let mut last = step;
            let mut count = 1;
            while let Some(next) =
                steps.next_if(|next| next.what == step.what && step.what != PlanAction::SwitchChannel)
            {
                (last, count) = (next, count + 1);
            }
            let place = if at == Some(step.openshift) { String::new() } else { format!("on {} ", step.openshift) };
            at = Some(step.openshift);
            let by = if step.what == PlanAction::Update { " by OLM" } else { "" };
            parts.push(place + &done(step, last, count) + by);
        }
        let rest = self.rest.as_ref().filter(|_| self.waiting.is_none()).map(Rest::sentence);
        let end = self.reason.as_ref().map(|reason| reason.sentence.clone()).or(rest).unwrap_or_default();
        match (parts.join(", then "), &self.rest) {
            (text, _) if text.is_empty() => end,
            (text, Some(Rest::Head)) => text,
            (text, _) if end.is_empty() => text,
            (text, _) => format!("{text}. {end}"),
        }
    }
}

impl Rest {
    /// It in words.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            Self::Head => "It is at the head of its channel.".to_owned(),
            Self::Stuck { at, head } => format!("It is stuck at `{at}`: no update leads on to `{head}`."),
            Self::Waits { updates: 1, to } => format!("The update to `{to}` waits for your approval."),
            Self::Waits { updates, to } => format!("{updates} updates to `{to}` wait for your approval."),
        }
    }
}

/// A run of steps of the same kind.
fn done(step: &Step, last: &Step, count: usize) -> String {
    let pending = if last.hangs { ", which waits for a later Kubernetes" } else { "" };
    match (step.what, count) {
        (PlanAction::Update, 1) => format!("update to `{}`{pending}", last.to),
        (PlanAction::Update, _) => format!("{count} updates to `{}`{pending}", last.to),
        (PlanAction::Approve, 1) => match &step.install_plan {
            Some(plan) => format!("approve InstallPlan `{plan}`, the update to `{}`{pending}", last.to),
            None => format!("approve the update to `{}`{pending}", last.to),
        },
        (PlanAction::Approve, _) => format!("approve {count} updates up to `{}`{pending}", last.to),
        (PlanAction::SwitchChannel, _) => format!("change the channel from `{}` to `{}`", step.from, step.to),
        (PlanAction::SwitchSource, _) => format!("change the CatalogSource from `{}` to `{}`", step.from, step.to),
        (PlanAction::Remove, _) => format!("remove the Subscription; `{}` keeps running without updates", step.from),
        (PlanAction::Reinstall, _) => format!("remove `{}` and install `{}`", step.from, step.to),
        (PlanAction::SetVersion, _) if step.to.is_empty() => "remove `spec.source.catalog.version`".to_owned(),
        (PlanAction::SetVersion, _) => format!("set `spec.source.catalog.version` to `{}`", step.to),
        (PlanAction::OpenShift, _) => format!("update OpenShift to {}", step.to),
    }
}

impl Frozen {
    /// It in words, with the Subscriptions that wait although they could be resolved.
    pub(crate) fn sentence(&self, namespace: &str, version: OpenShift, waiting: &[&str]) -> String {
        let until = if self.is_until_steps { " until the steps there are made" } else { "" };
        let causes: Vec<&str> = self.causes.iter().map(|(_, cause, _)| &**cause).collect();
        let waits = match waiting {
            [] => String::new(),
            [one] => format!("; `{one}` waits"),
            several => format!("; {} wait", name_list(several.iter().copied())),
        };
        format!("namespace `{namespace}` is not resolved on {version}{until}, because {}{waits}", causes.join(", and "))
    }
}

impl WaitingPlan {
    /// What to do about it.
    #[must_use]
    pub fn sentence(&self) -> String {
        let Self { name, csv } = self;
        format!(
            "approve or delete InstallPlan `{name}` first: it waits for an approval, and no newer catalog changes that it \
             installs `{csv}`"
        )
    }
}

impl Step {
    /// What is done, for a checklist.
    #[must_use]
    pub fn sentence(&self) -> String {
        let because = self.because.as_ref().map(|because| format!(", because {because}")).unwrap_or_default();
        done(self, self, 1) + &because
    }

    /// The commands that do it for a Subscription of a namespace; none if it happens by itself or the plan of an update has a name
    /// that only the cluster knows.
    ///
    /// # Errors
    /// A sentence, if no cluster has objects of these names.
    pub fn commands(&self, namespace: &str, subscription: &str) -> Result<Vec<ShellCommand>, String> {
        let oc = || Ok::<_, String>(ShellCommand::new("oc -n").word(object_name(namespace)?));
        let patch = |kind: &'static str, name: &str, spec: Value| {
            Ok::<_, String>(oc()?.with(kind).word(name).with("--type merge -p").json(&json!({ "spec": spec })))
        };
        let patch_subscription =
            |spec| patch("patch subscription.operators.coreos.com", object_name(subscription)?, spec);
        let delete = |kind: &'static str, name: &str| Ok::<_, String>(oc()?.with(kind).word(object_name(name)?));
        let delete_subscription = || delete("delete subscription.operators.coreos.com", subscription);
        Ok(match self.what {
            PlanAction::Update => Vec::new(),
            PlanAction::Approve => {
                let approve = |plan: &str| patch("patch installplan", plan, json!({ "approved": true }));
                match &self.install_plan {
                    Some(plan) => vec![approve(object_name(plan)?)?],
                    None => vec![oc()?.with("get installplan"), approve("PLAN")?],
                }
            }
            PlanAction::SwitchChannel => vec![patch_subscription(json!({ "channel": self.to }))?],
            PlanAction::SwitchSource => vec![patch_subscription(json!({ "source": object_name(&self.to)? }))?],
            PlanAction::SetVersion => {
                let patch = ShellCommand::new("oc patch clusterextension").word(object_name(subscription)?);
                let version = Some(&self.to).filter(|version| !version.is_empty());
                let spec = json!({ "spec": { "source": { "catalog": { "version": version } } } });
                vec![patch.with("--type merge -p").json(&spec)]
            }
            PlanAction::Remove => vec![delete_subscription()?],
            PlanAction::Reinstall => vec![delete_subscription()?, delete("delete clusterserviceversion", &self.from)?],
            PlanAction::OpenShift => vec![
                ShellCommand::new("oc adm upgrade channel").word(&format!("stable-{}", self.to)),
                ShellCommand::new("oc adm upgrade --to-latest"),
            ],
        })
    }
}
