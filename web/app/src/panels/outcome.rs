//! What OLM does about the Subscriptions.

use super::either::either;
use super::unserved::unserved;
use crate::kit::prose;
use crate::parts::{bundle_link, reasons};
use crate::store::{Action, Mode, Shared, hops};
use views::{
    ConflictKind, ConflictView, OutcomeView, RefusalView, SelectedView, SimulationView, StepView, SubscriptionView,
};
use yew::prelude::*;

/// What the result shows.
#[derive(Clone, PartialEq, Properties)]
pub(crate) struct Props {
    /// The answer, once there is one.
    pub(crate) view: Option<Shared<SimulationView>>,
    /// What it started from.
    pub(crate) mode: Mode,
    /// The outcome shown.
    pub(crate) outcome: usize,
    /// So many plans that wait were approved.
    pub(crate) approved: usize,
    /// Every event is shown.
    pub(crate) every: bool,
    /// There is something to run.
    pub(crate) ready: bool,
    /// The simulation has all the room.
    pub(crate) roomy: bool,
    /// Where events go.
    pub(crate) send: Callback<Action>,
}

/// The result with its button.
#[component]
pub(crate) fn Outcome(props: &Props) -> Html {
    let run = props.send.reform(|_: MouseEvent| Action::Run);
    let all = !props.roomy;
    let room = props.send.reform(move |_: MouseEvent| Action::RoomChosen { all });
    let shown = props.view.as_ref().filter(|_| props.ready);
    html! {
        <div class="outcome" data-testid="simulation-result" aria-live="polite">
            <div class="bar"><h3>{ "What OLM does" }</h3><span class="grow"></span>
                <button type="button" class="quiet room" data-testid="room" aria-pressed={props.roomy.to_string()} onclick={room}>{ if all { "Enlarge" } else { "Reduce" } }</button>
                <button type="button" class="primary" data-testid="run" disabled={!props.ready} onclick={run}>{ "Run " }<kbd>{ "Ctrl ↵" }</kbd></button></div>
            { for shown.map(|view| answer(view, props)) }
        </div>
    }
}

fn answer(view: &SimulationView, props: &Props) -> Html {
    let notices = view.notices.iter().map(|text| html! { <p class="remark">{ prose(text) }</p> });
    let courses = html! { <>
        { either(view, props.outcome, &props.send) }
        { for view.outcomes.get(props.outcome).map(|outcome| course(outcome, &props.send)) }
    </> };
    html! { <>
        { for notices }
        { match &view.blocked {
            Some(blocked) => unserved(blocked, courses, &props.send),
            None => courses,
        } }
    </> }
}

fn course(outcome: &OutcomeView, send: &Callback<Action>) -> Html {
    html! { <>
        { for outcome.subscriptions.iter().map(subscription) }
        { for outcome.steps.iter().zip(1..).map(|(view, number)| step(view, number, send)) }
    </> }
}

fn subscription(view: &SubscriptionView) -> Html {
    let dots = hops(&view.package, &view.hops);
    let last = dots.len().saturating_sub(1);
    let dots = dots.iter().enumerate().map(|(index, name)| {
        html! { <li class={classes!((index == last).then_some("now"))} title={view.hops[index].clone()}><i aria-hidden="true"></i><code>{ name.as_ref() }</code></li> }
    });
    html! { <section class="verdict" data-testid="verdict" data-subscription={view.name.clone()}>
        <p><b>{ &view.name }</b>{ " " }{ prose(&view.verdict) }</p>
        if view.hops.len() > 1 { <ol class="hops">{ for dots }</ol> }
    </section> }
}

fn step(view: &StepView, number: usize, send: &Callback<Action>) -> Html {
    let title = match (view.plan_created, view.waits_for_approval) {
        (true, true) => "InstallPlan, waits for approval",
        (true, false) => "InstallPlan, carried out at once",
        (false, _) => match view.conflict.as_ref().map(|conflict| conflict.kind) {
            Some(ConflictKind::Clash | ConflictKind::Refused) => "nothing can be chosen",
            Some(ConflictKind::Unknown) => "not known",
            None => "no InstallPlan",
        },
    };
    html! { <section class="step" data-testid="step">
        <h4><span class="number">{ number }</span>{ format!(" Step {number}: {title}") }</h4>
        { for view.selected.iter().map(|row| selected(row, send)) }
        if !view.generated.is_empty() {
            <p class="label">{ "Subscriptions that OLM generates" }</p>
            <ul class="plain">{ for view.generated.iter().map(|line| html! { <li><code>{ line }</code></li> }) }</ul>
        }
        { for view.conflict.as_ref().map(|row| conflict(row, send)) }
    </section> }
}

fn selected(view: &SelectedView, send: &Callback<Action>) -> Html {
    let csv = &view.csv;
    html! { <article class="selected" data-testid="selected" data-name={csv.name.clone()}>
        <p>{ bundle_link(csv, send) }<span class="mute">{ " " }<bdi>{ &csv.channel }</bdi>{ " · " }<bdi>{ &csv.catalog }</bdi></span>
            if let Some(old) = &view.replaces { <span class="mute">{ " · replaces " }<code>{ old }</code></span> }</p>
        { reasons(&view.because, send) }
        if !view.refused.is_empty() {
            <details><summary>{ why_not(&view.refused) }</summary>
                <ul class="plain">{ for view.refused.iter().map(|row| html! { <li><code>{ &row.name }</code>{ reasons(&row.because, send) }</li> }) }</ul>
            </details>
        }
    </article> }
}

fn why_not(refused: &[RefusalView]) -> String {
    match refused {
        [one] => format!("why not {}?", one.name),
        many => format!("why not {} and {} more?", many[0].name, many.len() - 1),
    }
}

fn heading(view: &ConflictView) -> &'static str {
    match view.kind {
        ConflictKind::Clash if view.rules.len() == 1 => "This rules it out:",
        ConflictKind::Clash => "These rules clash; none of them can be left out:",
        ConflictKind::Refused => "OLM refuses to resolve the namespace:",
        ConflictKind::Unknown => "Opscope cannot tell what OLM would do:",
    }
}

fn conflict(view: &ConflictView, send: &Callback<Action>) -> Html {
    html! { <div class="finding error" data-testid="conflict">
        <p class="message">{ heading(view) }</p>
        { reasons(&view.rules, send) }
        if view.kind != ConflictKind::Unknown {
            <details><summary>{ "what the cluster prints" }</summary><pre>{ &view.message }</pre></details>
        }
    </div> }
}
