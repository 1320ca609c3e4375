//! What OLM does with the Subscriptions of a form.

mod form;
mod wording;

use crate::input::Workbench;
use form::Staged;
use resolver::{Fact, Outcome, Pick, Problem, VarId, conflict_text, refusal};
use simulate::{Approval, NewBundle, Step, timelines};
use std::collections::BTreeSet;
use views::{
    ClusterForm, ConflictView, CsvRef, OutcomeView, ReasonView, RefusalView, SelectedView, SimulationView, StepView,
    SubscriptionView,
};
use wording::Wording;

/// The namespace of the simulated Subscriptions; it is shown nowhere but in OLM's own texts.
pub(crate) const NAMESPACE: &str = "operators";
/// At most so many resolutions one after the other.
const STEPS: usize = 50;
/// At most so many courses of events.
const OUTCOMES: usize = 16;
/// At most so many refused candidates are explained for one choice.
const REFUSALS: usize = 8;

impl Workbench {
    /// What OLM does, hop by hop, until nothing changes.
    #[must_use]
    pub fn simulate(&self, form: &ClusterForm) -> SimulationView {
        let staged = form::stage(self, form);
        let found = timelines(&staged.cluster, NAMESPACE, &staged.snapshots, STEPS, OUTCOMES);
        let outcomes = found.timelines.iter().map(|steps| self.outcome(&staged, steps)).collect();
        SimulationView { outcomes, bounded: found.bounded, notices: staged.notices }
    }

    fn outcome(&self, staged: &Staged, steps: &[Step]) -> OutcomeView {
        OutcomeView {
            steps: steps.iter().map(|step| self.step(step)).collect(),
            subscriptions: subscriptions(staged, steps),
        }
    }

    fn step(&self, step: &Step) -> StepView {
        let wording = Wording::new(self, &step.problem);
        StepView {
            selected: step.selected.iter().map(|bundle| selected(&wording, step, bundle)).collect(),
            generated: step.generated_subscriptions.iter().map(ToString::to_string).collect(),
            updated: step.updated_subscriptions.iter().map(ToString::to_string).collect(),
            plan_created: step.install_plan_created,
            waits_for_approval: step.install_plan_created && step.approval == Approval::Manual,
            conflict: conflict(&wording, step),
        }
    }
}

fn selected(wording: &Wording<'_>, step: &Step, bundle: &NewBundle) -> SelectedView {
    let (because, refused) = match &step.outcome {
        Outcome::Resolved(resolution) => {
            let chosen = resolution.selected.iter().find(|selected| {
                selected.entry.name == bundle.name
                    && selected.entry.channel == bundle.channel
                    && selected.catalog == bundle.catalog
            });
            let because = chosen.map_or(&[][..], |selected| &selected.because);
            let reasons = because.iter().map(|&fact| wording.choice(fact)).collect();
            (
                reasons,
                chosen.map_or_else(Vec::new, |chosen| refusals(wording, &step.problem, &resolution.picks, chosen.id)),
            )
        }
        _ => (Vec::new(), Vec::new()),
    };
    SelectedView {
        csv: CsvRef {
            name: bundle.name.to_string(),
            package: bundle.package.to_string(),
            channel: bundle.channel.to_string(),
            catalog: bundle.catalog.name.to_string(),
            catalog_namespace: bundle.catalog.namespace.to_string(),
        },
        version: bundle.version.as_ref().map(ToString::to_string),
        replaces: bundle.replaces.as_ref().map(ToString::to_string),
        because,
        refused,
    }
}

/// Why the better alternatives of the choices that came to `chosen` were refused.
fn refusals(wording: &Wording<'_>, problem: &Problem, picks: &[Pick], chosen: VarId) -> Vec<RefusalView> {
    let here = picks.iter().enumerate().filter(|(_, pick)| pick.selected == chosen);
    let alternatives = here.flat_map(|(at, pick)| (0..pick.refused.len()).map(move |index| (at, index)));
    let explained = alternatives.take(REFUSALS).map(|(at, index)| {
        let name = problem.name(picks[at].refused[index]).to_owned();
        let because = match refusal(problem, picks, at, index) {
            Ok(refusal) => refusal.facts.iter().map(|&fact| wording.fact(fact)).collect(),
            Err(gave_up) => vec![ReasonView { text: gave_up.to_string(), place: None }],
        };
        RefusalView { name: wording.bundle(&name), because }
    });
    explained.collect()
}

fn conflict(wording: &Wording<'_>, step: &Step) -> Option<ConflictView> {
    let rules = match &step.outcome {
        Outcome::Resolved(_) => return None,
        Outcome::Unsolvable(conflict) => {
            let told =
                conflict.facts.iter().filter(|&&fact| !matches!(step.problem.fact(fact), Fact::Subscribed { .. }));
            let rules = told.map(|&fact| wording.fact(fact)).collect();
            return Some(ConflictView { message: conflict_text(&step.problem, conflict), rules });
        }
        Outcome::Prevented(prevented) => prevented.errors.iter().map(|obstacle| wording.obstacle(obstacle)).collect(),
        Outcome::GaveUp(gave_up) => vec![wording.gave_up(gave_up)],
    };
    Some(ConflictView { message: step.error.clone().unwrap_or_default(), rules })
}

/// Where each Subscription of the form ends.
fn subscriptions(staged: &Staged, steps: &[Step]) -> Vec<SubscriptionView> {
    let failed = steps.last().is_some_and(|step| step.error.is_some());
    let views = staged.cluster.subscriptions.iter().map(|subscription| {
        let name = &subscription.wish.name;
        let installed = subscription.wish.installed_csv.iter().map(ToString::to_string);
        let updates = steps.iter().flat_map(|step| &step.updated_subscriptions);
        let mine = updates.filter(|update| update.name == *name).map(|update| update.current_csv.to_string());
        let hops: Vec<String> = installed.chain(mine).collect();
        let fresh = subscription.wish.installed_csv.is_none();
        let verdict = match (hops.as_slice(), failed) {
            ([], true) => "nothing can be chosen".to_owned(),
            ([], false) => "nothing is installed".to_owned(),
            ([only], true) if !fresh => format!("stays at {only}, because nothing can be chosen"),
            ([only], false) if !fresh => format!("stays at {only}"),
            ([.., last], true) => format!("comes to {last}, then nothing can be chosen"),
            ([only], false) => format!("installs {only}"),
            ([.., last], false) => format!("ends at {last}"),
        };
        SubscriptionView { name: name.to_string(), package: subscription.wish.package.to_string(), hops, verdict }
    });
    let views: Vec<SubscriptionView> = views.collect();
    let names: BTreeSet<&str> = views.iter().map(|view| view.name.as_str()).collect();
    debug_assert_eq!(names.len(), views.len(), "staging gives each Subscription its own name");
    views
}
