//! The result of the simulation: the outcomes, the result for each Subscription, playback, and what prevents a result.

use super::board::{board, channels, tried};
use super::conflict::said;
use super::migration::{migration, migration_summary};
use super::timeline::{events, outcome_comparison, steps, why_kept};
use crate::kit::{choice, command, grouped, on_input, press, prose, prose_items};
use crate::parts::{
    TryFix, answer as headline, fixes, folded_list, funnel, place_after, place_link, refusals, repairs, sign_of,
};
use crate::store::{
    Action, Audience, BoardOf, BoardPart, ClusterAction, Mode, Simulation, SimulationAction, State, completed_plans,
    outcome, shown_plan, shown_step,
};
use std::collections::BTreeSet;
use views::{
    BlockedView, DroppedBundle, ExtensionCondition, ExtensionStatus, ExtensionView, FixView, FormFault, FormPlace,
    ManifestFinding, ManifestsView, NamespaceDecision, NamespaceState, NamespacesView, NewSubscriptionView,
    OutcomeView, Runtime, Severity, SimulationView, StateId, StepView, SubscriptionField, SubscriptionStatus,
    SubscriptionView, UnservedView, Verdict, advice_and_command, fates, first_and_more,
};
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct Props {
    /// The simulation, without its inputs: what is typed draws no result again.
    pub(crate) simulation: Simulation,
    /// Whether there is anything to simulate.
    pub(crate) ready: bool,
    /// Whether the form is also about OLM v1. Otherwise it has no ClusterExtensions.
    pub(crate) has_v1: bool,
    /// The channels of the selected package, where there is no cluster.
    pub(crate) channels: Option<NewSubscriptionView>,
    /// What is pressed on the board.
    pub(crate) pressed: Option<BoardPart>,
    pub(crate) send: Callback<Action>,
}

/// What becomes of each Subscription, then the steps.
#[component]
pub(crate) fn SimulationResult(props: &Props) -> Html {
    let answer = props.simulation.view.as_ref().filter(|_| props.ready).map(|view| answer(view, props));
    let (verdict, steps) = answer.unzip();
    let steps = steps.unwrap_or_else(|| first_steps(props));
    let view = props.simulation.view.as_ref();
    let state = view.and_then(|view| view.state.as_ref()).filter(|state| !is_past(state, &props.simulation));
    let migrated = view.and(props.simulation.migration.as_deref());
    // What the manifests do not tell is no answer: it follows what OLM does if it is as usual.
    let is_unknown = state.is_some_and(|state| state.now.verdict == Verdict::Unknown);
    html! { <>
        <div id="result" class="outcome" data-testid="simulation-result" aria-live="polite" tabindex="-1">
            if let Some(verdict) = verdict {
                <h3 class="unseen">{ "What OLM does" }</h3>
                { for migrated.map(migration_summary) }
                { for props.simulation.namespaces.as_ref().map(|all| namespaces(all, props)) }
                { for state.filter(|_| !is_unknown).map(|state| namespace_state(state, &props.send)) }
                { match state.filter(|state| state.is_before_resolution()).map(|state| state.now.verdict) {
                    // It is about the cluster as it is, and so not what comes once that is repaired.
                    Some(Verdict::Stuck) => html! {
                        <details data-testid="as-it-is">
                            <summary>{ "What OLM would do as it is" }</summary>
                            { verdict }
                        </details>
                    },
                    Some(Verdict::Unknown) | None => verdict,
                    Some(_) => html! { <><h4>{ "Then" }</h4>{ verdict }</> },
                } }
                { for state.filter(|_| is_unknown).map(|state| namespace_state(state, &props.send)) }
            }
        </div>
        <div class="outcome" data-testid="simulation-steps">{ steps }</div>
        { tried(&props.simulation, &props.send) }
    </> }
}

/// The namespaces with what decides about each. Each leads to the simulation of its namespace.
fn namespaces(all: &NamespacesView, props: &Props) -> Html {
    let read = props.simulation.view.as_ref().and_then(|view| view.manifests.as_ref());
    let shown = read.map(|read| &*read.namespace).unwrap_or_default();
    let row = |row: &NamespaceDecision| {
        let onclick = press(&props.send, ClusterAction::NamespaceChosen(row.namespace.clone()));
        html! { <li>
            { sign_of(row.severity) }
            <button type="button" class="link" {onclick} data-testid="namespace"
                aria-current={(row.namespace == shown).then_some("true")}>{ &row.namespace }</button>
            <span><b>{ &row.words }</b><span class="mute">{ ": " }{ prose(&row.reason) }</span></span>
        </li> }
    };
    html! { if !all.rows.is_empty() {
        <p data-testid="namespaces"><b>{ &all.sentence }</b></p>
        <ul class="namespaces">{ for all.decisions().iter().map(row) }</ul>
        <h4>{ format!("Namespace {shown}") }</h4>
    } }
}

/// The text before there is a result: what to do next.
fn first_steps(props: &Props) -> Html {
    if let Some(view) = &props.channels {
        return channels(view, &props.send);
    }
    if props.ready {
        return html! { <p class="mute waiting">{ "Simulating…" }</p> };
    }
    html! { <div class="nothing-yet">
        <h3>{ "See which bundles OLM installs, and why" }</h3>
        <p>{ "Add an operator, or choose a version in the graph and mark it as installed. Manifests of a cluster can \
            be dropped or pasted." }</p>
    </div> }
}

/// The verdict, and the steps that lead to it.
fn answer(view: &SimulationView, props: &Props) -> (Html, Html) {
    let notices = view.notices.iter().map(|text| html! { <p class="remark">{ prose(text) }</p> });
    let comparison = outcome_comparison(view, props.simulation.outcome, &props.send);
    let shown = view.outcomes.get(props.simulation.outcome);
    let outcomes = html! { <>{ comparison }{ for shown.map(|view| subscriptions(view, props)) }</> };
    let is_v1_alone = view.outcomes.iter().all(|outcome| outcome.subscriptions.is_empty());
    // What fails comes first.
    let fails = |severity: Option<Severity>| severity == Some(Severity::Error);
    let is_v1_worse = view.extensions.iter().any(|row| fails(row.status.severity()))
        && !view.outcomes.iter().flat_map(|outcome| &outcome.subscriptions).any(|row| fails(row.status.severity()));
    let of_v1 = (props.has_v1 || props.simulation.mode == Mode::Manifests)
        .then(|| extensions(&view.extensions, is_v1_alone, props));
    let verdict = html! { <>
        if props.simulation.migration.is_some() && !is_v1_alone { <h4>{ "On OLM v0" }</h4> }
        { for view.manifests.iter().map(|read| said(&read.messages, read.summary.is_empty(), &props.send)) }
        { for view.manifests.iter().map(|read| unread(read, view, props)) }
        { for of_v1.clone().filter(|_| is_v1_worse) }
        { match &view.blocked {
            Some(blocked) => unserved(blocked, outcomes, &props.send),
            None => outcomes,
        } }
        { for of_v1.filter(|_| !is_v1_worse) }
        { for notices }
    </> };
    let steps = html! { <>
        { for shown.map(|view| outcome_result(view, props)) }
        { for props.simulation.migration.iter().map(|all| migration(all, view.state.as_deref(), &props.send)) }
    </> };
    (verdict, steps)
}

/// A warning that part of the manifests could not be read, so that the result ignores it. The form shows faults at its
/// fields.
fn unread(read: &ManifestsView, view: &SimulationView, props: &Props) -> Html {
    let is_in_form = |row: &ManifestFinding| {
        props.simulation.mode == Mode::Form && view.faults.iter().any(|fault| fault.message == row.message)
    };
    let errors = read.findings.iter().filter(|row| row.severity == Severity::Error);
    let mut errors = errors.filter(|row| !is_in_form(row));
    let Some(first) = errors.next() else { return Html::default() };
    let more = match errors.count() {
        0 => String::new(),
        count => format!(" and {count} more, listed below the manifests"),
    };
    html! {
        <div class="finding error" data-testid="unread">
            <p class="message">
                <b>{ "Part of the manifests could not be read: " }</b>{ prose(&first.message) }{ ", " }
                { place_link(None, first.place, &props.send) }{ more }
            </p>
        </div>
    }
}

/// Whether what OLM does is shown only as what it would do: there is something else to mend first.
pub(super) fn is_hypothetical(view: &SimulationView, simulation: &Simulation) -> bool {
    let state = view.state.as_ref().filter(|state| !is_past(state, simulation) && state.is_before_resolution());
    view.blocked.is_some() || state.is_some_and(|state| state.now.verdict == Verdict::Stuck)
}

/// Whether a state of the cluster is behind what is shown: once the plan that waits is approved, what follows is the
/// answer.
fn is_past(state: &NamespaceState, simulation: &Simulation) -> bool {
    simulation.approved > 0 && matches!(state.now.reason, StateId::PlanWaits | StateId::NewPlanWaits)
}

/// What helps ClusterExtensions.
pub(super) fn extension_helps(views: &[ExtensionView], simulation: &Simulation, send: &Callback<Action>) -> Html {
    let all = views.iter().filter(|view| !view.fixes.is_empty());
    let card = |view: &ExtensionView| {
        let title = if views.len() == 1 { "" } else { &*view.name };
        html! { <div data-testid="extension-fixes">
            if !title.is_empty() { <h4>{ title }</h4> }
            { fixes(FixView::title(&view.fixes), &view.fixes, TryFix::Beside, simulation.audience(), send) }
        </div> }
    };
    html! { <>{ for all.map(card) }</> }
}

/// What helps. A fix that helps several Subscriptions is offered once.
pub(super) fn helps(view: &OutcomeView, simulation: &Simulation, send: &Callback<Action>) -> Html {
    let mut offered = BTreeSet::new();
    let mut new_fixes = |rows: &[FixView]| {
        let new: Vec<FixView> = rows.iter().filter(|fix| offered.insert(fix.text.clone())).cloned().collect();
        (!new.is_empty()).then(|| fixes(FixView::title(&new), &new, TryFix::Beside, simulation.audience(), send))
    };
    // What helps a version that does not exist would be written for it.
    let judged = || view.subscriptions.iter().filter(|row| !is_unjudged(row, simulation));
    let repaired = judged().filter(|row| row.repairs.is_some());
    let of_channels: Vec<Html> = repaired.map(|row| repairs(row.repairs.as_slice(), send)).collect();
    let mut helps: Vec<Html> = judged().filter_map(|row| new_fixes(&row.fixes)).collect();
    match simulation.audience() {
        Audience::Runs => helps.extend(of_channels),
        Audience::Publishes => helps.splice(0..0, of_channels).for_each(drop),
    }
    for row in &view.csv_failures {
        helps.extend(new_fixes(&row.fixes));
    }
    for failure in view.steps.iter().filter_map(|step| step.failure.as_ref()) {
        helps.extend(new_fixes(&failure.fixes));
    }
    html! { if !helps.is_empty() { <section class="helps" aria-label="What helps">{ for helps }</section> } }
}

/// What becomes of each Subscription and CSV.
fn subscriptions(view: &OutcomeView, props: &Props) -> Html {
    let plan = shown_plan(&props.simulation);
    let board = html! { <>
        { playback(view, props) }
        { board(&view.board, plan, BoardOf::Namespace, &props.simulation, props.pressed.as_ref(), &props.send) }
    </> };
    let is_only = view.subscriptions.len() == 1;
    let rows = html! { <>{ for view.subscriptions.iter().map(|row| subscription_result(row, is_only, props)) }</> };
    let (first, second) = if is_only { (rows, board) } else { (board, rows) };
    let failure = |text: String| {
        html! { <div class="finding error" data-testid="csv-failure"><p class="message">{ prose(&text) }</p></div> }
    };
    let is_folded = props.simulation.view.as_ref().is_some_and(|shown| is_hypothetical(shown, &props.simulation));
    html! { <>
        { in_total(view, props.simulation.approved) }
        <h3 class="unseen">{ "What becomes of each Subscription" }</h3>
        { first }
        { second }
        { for view.csv_failures.iter().map(|row| failure(row.sentence())) }
        if is_folded { { helps(view, &props.simulation, &props.send) } }
    </> }
}

/// Whether the form names a CSV as installed that no catalog has.
fn is_unjudged(row: &SubscriptionView, simulation: &Simulation) -> bool {
    let names = |fault: &FormFault, csv: &str| {
        matches!(fault.at, FormPlace::Subscription(_, SubscriptionField::Installed))
            && fault.message.contains(&format!("`{csv}`"))
    };
    let faults = simulation.view.iter().flat_map(|view| &view.faults);
    let is_about = |csv: &String| faults.clone().any(|fault| names(fault, csv));
    simulation.mode == Mode::Form && row.installed.as_ref().is_some_and(is_about)
}

/// The most Subscriptions that the headline names.
const FEW: usize = 3;

/// What becomes of several Subscriptions, in numbers.
fn in_total(view: &OutcomeView, approved: usize) -> Html {
    let rows = &view.subscriptions;
    let statuses: Vec<SubscriptionStatus> = rows.iter().map(|row| row.after(approved).1).collect();
    let Some(worst) = statuses.iter().min_by_key(|status| status.attention()).filter(|_| rows.len() > 1) else {
        return Html::default();
    };
    // Of a few that all go well, each is said.
    if rows.len() <= FEW && worst.severity().is_none() {
        let each: Vec<String> = rows.iter().map(|row| format!("{} {}", row.name, row.after(approved).0)).collect();
        return headline(None, &each.join("; "), Html::default(), None, "simulation-answer");
    }
    let (total, fates) = (rows.len(), fates(&statuses));
    let Some(((count, fate), rest)) = fates.split_first() else { return Html::default() };
    let title = match count == &total {
        true if total == 2 => format!("Both Subscriptions {fate}"),
        true => format!("All {total} Subscriptions {fate}"),
        false => format!("{count} of {total} Subscriptions {fate}"),
    };
    let rest = rest.iter().map(|(count, fate)| format!("{count} {fate}")).collect::<Vec<_>>().join(", ");
    let failure = view.steps.iter().find_map(|step| step.failure.as_ref());
    let reason = failure.and_then(|failure| failure.conflicts.first()).map(|conflict| &*conflict.decision);
    let reason = reason.map(|text| html! { <>{ if rest.is_empty() { "" } else { ". " } }{ prose(text) }</> });
    headline(worst.severity(), &title, html! { <>{ rest }{ reason }</> }, None, "simulation-answer")
}

/// How it comes to that.
fn outcome_result(view: &OutcomeView, props: &Props) -> Html {
    html! { <>
        { detail_choice(props) }
        { match &props.simulation.timeline {
            Some(timeline) if props.simulation.every_event => events(timeline, &props.send),
            _ => steps(view, props.simulation.approved, shown_step(&props.simulation), &props.send),
        } }
    </> }
}

fn detail_choice(props: &Props) -> Html {
    let options = [(false, "Updates"), (true, "Details")];
    let choose = |every| SimulationAction::EventsChosen { every };
    html! {
        <div class="how-much" data-testid="how-much">
            { choice("How much is shown", &options, props.simulation.every_event, &props.send, choose) }
        </div>
    }
}

/// The headline, and what prevents further updates.
fn subscription_result(view: &SubscriptionView, is_only: bool, props: &Props) -> Html {
    let send = &props.send;
    let unjudged = is_unjudged(view, &props.simulation).then(|| SubscriptionView {
        verdict: "is not judged: no loaded catalog has what is installed".to_owned(),
        status: SubscriptionStatus::Unknown,
        behind: None,
        funnel: None,
        plan_failure: None,
        refused: Vec::new(),
        ..view.clone()
    });
    let view = unjudged.as_ref().unwrap_or(view);
    let (verdict, status) = view.after(props.simulation.approved);
    html! {
        <section class={classes!("verdict", is_only.then_some("only"))} data-testid="verdict"
            data-subscription={view.name.clone()}>
            { sign_of(status.severity()) }
            <p><b>{ &view.name }</b>{ " " }{ prose(&verdict) }</p>
            if let Some(text) = &view.plan_failure { <p class="remark" data-testid="plan-failure">{ prose(text) }</p> }
            if let Some(kept) = &view.behind { <p class="remark" data-testid="behind">{ why_kept(kept, send) }</p> }
            if let Some(way) = &view.way_on {
                <p class={classes!("remark", way.is_lost().then_some("warning"))} data-testid="way-on">
                    { prose(&as_sentence(&way.sentence())) }
                </p>
            }
            { refusals(&view.refused, 0, send) }
            if let Some(row) = &view.funnel {
                <details><summary>{ "Why no newer version?" }</summary>{ funnel(row, send) }</details>
            }
        </section>
    }
}

/// The largest number of bundle names in the label.
const NAMES: usize = 3;

/// The slider; nothing if no InstallPlan completes.
fn playback(outcome: &OutcomeView, props: &Props) -> Html {
    let last = completed_plans(outcome, props.simulation.approved);
    if last == 0 {
        return Html::default();
    }
    let (at, on) = (shown_plan(&props.simulation).min(last), !props.simulation.playing);
    let label = label(outcome, at, last);
    let oninput = on_input(&props.send, |step| SimulationAction::PlanChosen(step.parse().unwrap_or_default()));
    let play = press(&props.send, SimulationAction::PlaybackSwitched { on });
    html! {
        <div class="playback" role="group" aria-label="Playback" data-testid="playback">
            <button type="button" data-testid="play" aria-label={if on { "Play" } else { "Stop" }}
                title={if on { "Play plan by plan; the graph follows" } else { "Stop" }} onclick={play}>
                <span aria-hidden="true">{ if on { "▶" } else { "■" } }</span>
            </button>
            <input type="range" min="0" max={last.to_string()} step="1" value={at.to_string()}
                aria-label="InstallPlans completed" aria-valuetext={label.clone()} data-testid="playback-position"
                {oninput} />
            <span class="mute" aria-hidden="true" data-testid="playback-label">{ label }</span>
            if at > 0 && outcome.board.pending == 0 {
                <button type="button" class="link" data-testid="start-from-here"
                    title="Take what this plan installs for what the cluster has, to change it from here on"
                    onclick={press(&props.send, SimulationAction::StartedFromHere)}>
                    { "Start from here" }
                </button>
            }
        </div>
    }
}

/// The label of a position of the slider.
fn label(outcome: &OutcomeView, at: usize, last: usize) -> String {
    if at == 0 {
        return "Before the first plan".to_owned();
    }
    let pending = outcome.board.pending as usize;
    let next = outcome.steps.get(at.saturating_sub(pending)).is_some_and(|step| step.waits_for_approval);
    let waits = if at == last && next { "; the next plan waits for approval" } else { "" };
    let step = at.checked_sub(pending + 1).and_then(|at| outcome.steps.get(at));
    let installed = step.map(|step| format!(": {}", names(step))).unwrap_or_default();
    format!("After plan {at} of {last}{installed}{waits}")
}

fn names(step: &StepView) -> String {
    first_and_more(step.selected.iter().map(|row| &row.csv.name), NAMES)
}

/// The reason why OLM resolves nothing, then `outcomes`, labelled as hypothetical.
fn unserved(view: &BlockedView, outcomes: Html, send: &Callback<Action>) -> Html {
    let source_line = |source: &UnservedView| {
        html! { <li>{ prose(&source.sentence()) }{ place_after(source.place, send) }</li> }
    };
    let (which, as_if) = if view.sources.len() == 1 {
        (
            "a catalog that cannot be served. It blocks all Subscriptions, even those to other catalogs:",
            "What OLM would do if it were served",
        )
    } else {
        (
            "catalogs that cannot be served. Each of them blocks all Subscriptions, even those to other catalogs:",
            "What OLM would do if they were served",
        )
    };
    html! {
        <>
            <div class="finding error" data-testid="unserved">
                <p class="message">
                    <b>{ "OLM cannot resolve anything in this namespace." }</b>{ " It sees " }
                    { which }
                </p>
                <ul class="reasons">{ for view.sources.iter().map(source_line) }</ul>
                <details>
                    <summary>{ "The message of OLM that follows from this" }</summary>
                    <pre>{ &view.message }</pre>
                </details>
            </div>
            <details class="as-if" open=true data-testid="as-if-served">
                <summary>
                    { as_if }
                </summary>
                { outcomes }
            </details>
        </>
    }
}

// A namespace as it stands: the answer, its reason, what to do first, and what does harm.

/// The class and the words of a verdict.
pub(super) const fn verdict_look(verdict: Verdict) -> (&'static str, &'static str) {
    match verdict {
        Verdict::Acts => ("hint", "No harm"),
        Verdict::Waits => ("warning", "Waits for you"),
        Verdict::Passes => ("hint", "OLM continues on its own"),
        Verdict::Stuck => ("error", "Stuck"),
        Verdict::Unknown => ("hint", "Not known from these manifests"),
    }
}

/// What decides about the namespace; nothing where OLM acts by itself or finds no solution, which the simulation
/// explains.
fn namespace_state(state: &NamespaceState, send: &Callback<Action>) -> Html {
    let now = &state.now;
    if !state.has_lead() || now.verdict == Verdict::Acts {
        return Html::default();
    }
    let (class, lead) = verdict_look(now.verdict);
    standing(class, lead, &now.sentence, now.advice.as_deref(), now.never.as_deref(), send)
}

/// Namespaces as they stand, each under its name; nothing of those whose answer follows.
pub(super) fn namespace_states<'s>(
    states: impl IntoIterator<Item = &'s NamespaceState>,
    send: &Callback<Action>,
) -> Html {
    let decided = states.into_iter().filter(|state| state.has_lead());
    let one = |state: &NamespaceState| {
        html! { <><h3>{ format!("Namespace {}", state.namespace) }</h3>{ namespace_state(state, send) }</> }
    };
    html! { <>{ for decided.map(one) }</> }
}

/// An answer with its reason, what to do first, and what does harm.
pub(super) fn standing(
    class: &'static str,
    lead: &str,
    reason: &str,
    advice: Option<&str>,
    never: Option<&str>,
    send: &Callback<Action>,
) -> Html {
    let first = |advice: &str| {
        let (text, found) = advice_and_command(advice);
        html! { <p class="help"><b>{ "First: " }</b>{ prose(text) }
        { for found.map(|text| command(text, &send.reform(super::copy))) }</p> }
    };
    html! {
        <section class={classes!("finding", "decides", class)} data-testid="standing">
            <h4>{ lead }</h4>
            <p class="message">{ prose(&as_sentence(reason)) }</p>
            { for advice.map(first) }
            { for never.map(|text| html! { <p class="mute">{ prose(&as_sentence(text)) }</p> }) }
        </section>
    }
}

fn as_sentence(clause: &str) -> String {
    let mut letters = clause.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

// The strip above the views of a package: what becomes of each Subscription, in a few words.

/// The verdict of each Subscription; nothing without a result.
pub(crate) fn verdicts(state: &State, send: &Callback<Action>) -> Html {
    let simulation = &state.simulation;
    let Some(outcome) =
        outcome(state).filter(|outcome| !outcome.subscriptions.is_empty() && !simulation.is_empty(state.runtime))
    else {
        return Html::default();
    };
    let several = simulation.view.as_ref().is_some_and(|view| view.outcomes.len() > 1);
    html! {
        <nav class="verdicts" aria-label="What OLM does" data-testid="verdicts">
            // Subscriptions are of OLM v0; what OLM v1 does is in the simulation.
            if state.runtime != Runtime::V0 { <span class="mute">{ "OLM v0:" }</span> }
            <ul>{ for outcome.subscriptions.iter().map(|row| html! { <li>{ chip(row, state, send) }</li> }) }</ul>
            if several {
                <span class="badge hint" title="OLM’s choice is random. The simulation lists the other outcomes.">
                    { "or otherwise" }
                </span>
            }
        </nav>
    }
}

fn chip(row: &SubscriptionView, state: &State, send: &Callback<Action>) -> Html {
    let onclick = press(send, SimulationAction::VerdictFollowed(row.name.clone()));
    let (mark, class) = look(row.status);
    let here = row.package_key.is_some() && row.package_key == state.selection.package;
    html! {
        <button type="button" class={classes!("chip", class)} data-testid="verdict-chip" data-name={row.name.clone()}
        aria-current={here.then_some("true")} title={format!("{} {}", row.name, row.verdict)} {onclick}>
        <span aria-hidden="true">{ mark }</span>{ &row.short }</button>
    }
}

/// The mark of a status and the class of its colour.
pub(super) fn look(status: SubscriptionStatus) -> (&'static str, &'static str) {
    let severity = status.severity();
    let mark = match (status, severity) {
        (SubscriptionStatus::Unknown, _) => "?",
        (_, None) => "✓",
        (_, Some(Severity::Warning)) => "▲",
        (_, Some(Severity::Error)) => "✕",
        (_, Some(Severity::Hint)) => "…",
    };
    (mark, severity.map_or("fine", Severity::as_str))
}

// What OLM v1 does with each ClusterExtension: its updates, the error, and why the other bundles were not taken.

/// The answers, if there are any; `is_alone` if there is none of OLM v0.
fn extensions(views: &[ExtensionView], is_alone: bool, props: &Props) -> Html {
    if views.is_empty() {
        return Html::default();
    }
    let is_only = is_alone && views.len() == 1;
    html! {
        <section aria-label="ClusterExtensions" data-testid="extensions">
            if !is_alone { <h4>{ "OLM v1" }</h4> }
            { for views.iter().map(|row| extension(row, is_only, props)) }
        </section>
    }
}

fn extension(view: &ExtensionView, is_only: bool, props: &Props) -> Html {
    let send = &props.send;
    let groups = grouped(&view.dropped, |row| (&row.because, &row.catalog));
    html! {
        <section class={classes!("verdict", is_only.then_some("only"))} data-testid="extension"
            data-extension={view.name.clone()} data-status={status(view.status)}>
            { sign_of(view.status.severity()) }
            <p><b>{ &view.name }</b>{ " " }{ prose(&view.verdict) }</p>
            { for view.place.map(|place| html! { <p class="mute">{ place_link(None, place, send) }</p> }) }
            { board(&view.board, 0, BoardOf::Extension, &props.simulation, props.pressed.as_ref(), send) }
            { for view.error.iter().map(|text| error("extension-error", text)) }
            { for view.refusals.iter().map(|text| error("extension-refusal", text)) }
            if !view.dead_ends.is_empty() {
                <div data-testid="extension-dead-ends">
                    <h4>{ "What does not help" }</h4>
                    <ul>{ prose_items(&view.dead_ends) }</ul>
                </div>
            }
            { for view.skipped.iter().map(|text| html! { <p class="remark">{ prose(text) }</p> }) }
            if !view.dropped.is_empty() {
                <details open={view.status == ExtensionStatus::Fails} data-testid="dropped">
                    <summary>{ "Why not another bundle" }</summary>
                    <ul class="changes">{ for groups.into_iter().map(dropped) }</ul>
                </details>
            }
            if !view.conditions.is_empty() {
                <details data-testid="conditions">
                    <summary>
                        { match view.board.plans.len() {
                            0 => "Conditions that follow from the catalogs, where the cluster reports others",
                            _ => "Conditions after its updates, where the cluster reports others",
                        } }
                    </summary>
                    <ul>{ for view.conditions.iter().map(condition) }</ul>
                </details>
            }
        </section>
    }
}

/// What OLM v1 reports.
fn error(testid: &'static str, text: &str) -> Html {
    html! { <div class="finding error" data-testid={testid}><p class="message"><code>{ text }</code></p></div> }
}

const fn status(status: ExtensionStatus) -> &'static str {
    match status {
        ExtensionStatus::Moves => "moves",
        ExtensionStatus::Stays => "stays",
        ExtensionStatus::Fails => "fails",
        ExtensionStatus::Unknown => "unknown",
    }
}

/// The bundles of a catalog that the same rule dropped.
fn dropped(rows: Vec<&DroppedBundle>) -> Html {
    let Some(first) = rows.first() else { return Html::default() };
    let names = rows.iter().map(|row| html! { <code>{ &row.bundle }</code> }).collect();
    html! {
        <li>
            { prose(&first.because) }<span class="mute">{ format!(", in {}: ", first.catalog) }</span>
            { folded_list(names) }
        </li>
    }
}

fn condition(row: &ExtensionCondition) -> Html {
    html! {
        <li><b>{ &row.name }</b>{ " " }{ &row.status }{ ", " }{ &row.reason }{ ": " }<code>{ &row.message }</code></li>
    }
}
