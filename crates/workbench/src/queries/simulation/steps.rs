//! One resolution as a view: what was chosen and why, or why nothing was.

use super::wording::Wording;
use crate::input::Workbench;
use resolver::{Fact, Outcome, Pick, Problem, VarId, refusal};
use simulate::{Approval, NewBundle, Step};
use views::{ConflictKind, ConflictView, CsvRef, ReasonView, RefusalView, SelectedView, StepView};

/// At most so many refused candidates are explained for one choice.
const REFUSALS: usize = 8;

pub(super) fn view(workbench: &Workbench, step: &Step) -> StepView {
    let wording = Wording::new(workbench, &step.problem);
    StepView {
        selected: step.selected.iter().map(|bundle| selected(&wording, step, bundle)).collect(),
        generated: step.generated_subscriptions.iter().map(ToString::to_string).collect(),
        updated: step.updated_subscriptions.iter().map(ToString::to_string).collect(),
        plan_created: step.install_plan_created,
        waits_for_approval: step.install_plan_created && step.approval == Approval::Manual,
        conflict: conflict(&wording, step),
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
    let (kind, rules) = match &step.outcome {
        Outcome::Resolved(_) => return None,
        Outcome::Unsolvable(conflict) => {
            let told =
                conflict.facts.iter().filter(|&&fact| !matches!(step.problem.fact(fact), Fact::Subscribed { .. }));
            (ConflictKind::Clash, told.map(|&fact| wording.fact(fact)).collect())
        }
        Outcome::Prevented(prevented) => {
            (ConflictKind::Refused, prevented.errors.iter().map(|obstacle| wording.obstacle(obstacle)).collect())
        }
        Outcome::GaveUp(gave_up) => (ConflictKind::Unknown, vec![wording.gave_up(gave_up)]),
    };
    Some(ConflictView { kind, message: step.error.clone().unwrap_or_default(), rules })
}
