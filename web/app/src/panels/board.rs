//! The board that is played on: versions and operators are pressed where they are drawn, and a change is tried before
//! it is made.

use super::conflict::why_not;
use crate::graph::{BoardSpot, Pressable, board_picture};
use crate::kit::{plural, press, press_once, prose, select};
use crate::parts::{answer, sign_of};
use crate::store::{
    Action, BoardChoice, BoardOf, BoardPart, Pressed, Simulation, SimulationAction, Tried, completed_plans, shown_plan,
};
use views::{BoardView, MarkKind, NewSubscriptionView, SimulationView};
use yew::prelude::*;

/// A board after this number of plans, with what is tried beside it.
pub(super) fn board(
    view: &BoardView,
    plans: usize,
    of: BoardOf,
    simulation: &Simulation,
    pressed: Option<&BoardPart>,
    send: &Callback<Action>,
) -> Html {
    let after = simulation.tried.as_ref().and_then(|tried| tried.result.as_ref()?.as_ref().ok());
    let after = after.and_then(|after| board_after(after, of, view));
    let view = after.map_or_else(|| view.clone(), |after| view.with_change(after));
    let part = |spot: BoardSpot<'_>| {
        let (lane, mark) = match spot {
            BoardSpot::Column(column) => {
                return column_of(&view, column, simulation, send).filter(|_| of == BoardOf::Namespace);
            }
            BoardSpot::Lane(lane) => (lane, None),
            BoardSpot::Mark(lane, mark) => (lane, Some(mark)),
        };
        let what = mark.map(|mark| format!(", {}", view.mark_words(mark))).unwrap_or_default();
        let part = BoardPart { of, lane: lane.name.clone(), csv: mark.map(|mark| mark.csv.clone()) };
        let is_pressed = pressed == Some(&part);
        let press = send.reform(move |()| Action::Simulation(SimulationAction::BoardPressed(part.clone())));
        Some(Pressable { label: format!("{}{what}", lane.title()), is_pressed, press })
    };
    board_picture(&view, plans, part)
}

/// What pressing a plan does: it is shown, or approved if it is the one that waits.
fn column_of(view: &BoardView, column: u32, simulation: &Simulation, send: &Callback<Action>) -> Option<Pressable> {
    let outcome = simulation.shown_outcome()?;
    let done = completed_plans(outcome, simulation.approved);
    let column = column as usize;
    // A plan that the cluster has already comes before the steps, and waits, too.
    let next = done.checked_sub(view.pending as usize);
    let next_waits = next.is_none_or(|next| outcome.steps.get(next).is_some_and(|step| step.waits_for_approval));
    let waits = column == done + 1 && next_waits;
    let (label, action) = match column {
        _ if waits => (format!("Approve plan {column}"), SimulationAction::PlanApproved),
        0 => ("Show the cluster as it stands".to_owned(), SimulationAction::PlanChosen(0)),
        _ if column <= done => (format!("Show the cluster after plan {column}"), SimulationAction::PlanChosen(column)),
        _ => return None,
    };
    // The column that is shown is drawn as such.
    let is_shown = shown_plan(simulation) == column;
    let label = if is_shown { format!("{label}, which is shown") } else { label };
    let press = send.reform(move |()| Action::Simulation(action.clone()));
    Some(Pressable { label, is_pressed: false, press })
}

/// The same board after a change.
fn board_after<'a>(after: &'a SimulationView, of: BoardOf, before: &BoardView) -> Option<&'a BoardView> {
    match of {
        BoardOf::Namespace => after.outcomes.first().map(|outcome| &outcome.board),
        BoardOf::Extension => {
            let name = &before.lanes.first()?.name;
            after.extensions.iter().find(|row| row.name == *name).map(|row| &row.board)
        }
    }
}

/// What can be done with the part of the board that is pressed.
pub(super) fn choices_of(pressed: &Pressed, simulation: &Simulation, send: &Callback<Action>) -> Html {
    let Pressed { part, row, choices, why } = pressed;
    // OLM v1 says with its answer why it drops a bundle.
    let extension = simulation.view.iter().flat_map(|view| &view.extensions);
    let mut extension = extension.filter(|view| part.of == BoardOf::Extension && view.name == part.lane);
    let dropped = extension.next().into_iter().flat_map(|view| &view.dropped);
    let dropped: Vec<_> = dropped.filter(|row| Some(&row.bundle) == part.csv.as_ref()).collect();
    let title = part.csv.as_deref().filter(|csv| !csv.is_empty()).unwrap_or(&part.lane);
    let choice = |choice: &BoardChoice| {
        let onclick = press(send, choice.action.clone());
        html! { <button type="button" data-testid="board-choice" {onclick}>{ &choice.label }</button> }
    };
    let close = press(send, SimulationAction::BoardPressed(part.clone()));
    html! {
        <section class="board-choices pressed" aria-label={title.to_owned()} data-testid="board-choices">
            <p><b>{ title }</b></p>
            if row.is_none() {
                <p class="mute">{ "No Subscription names it, so there is nothing to set." }</p>
            }
            if !dropped.is_empty() {
                <p>{ "OLM v1 does not take it: " }{ for dropped.iter().map(|row| prose(&row.because)) }</p>
            }
            { for why.iter().map(|answer| why_not(&answer.entry, Some(answer), send)) }
            <p class="actions">
                { for choices.iter().filter(|one| why.is_none() || !one.asks_why()).map(choice) }
                <button type="button" class="quiet" data-testid="board-close" onclick={close}>{ "Close" }</button>
            </p>
        </section>
    }
}

/// The change that is tried: what is different after it, and whether to keep it.
pub(super) fn tried(simulation: &Simulation, send: &Callback<Action>) -> Html {
    let Some(Tried { trial, result }) = &simulation.tried else { return Html::default() };
    let before = simulation.view.as_deref();
    let said = match (result, before) {
        (Some(Ok(after)), Some(before)) => {
            let rows = after.changes_since(before);
            let row = |row: &views::TriedRow| {
                let name = (!row.name.is_empty()).then(|| html! { <><b>{ &row.name }</b>{ " " }</> });
                html! { <li>{ sign_of(row.severity) }<span>{ for name }{ prose(&row.verdict) }</span></li> }
            };
            match rows.is_empty() {
                true => html! { <p>{ "Nothing is different then." }</p> },
                false => html! { <ul class="plain">{ for rows.iter().map(row) }</ul> },
            }
        }
        (Some(Err(reason)), _) => html! { <p class="wrong">{ prose(reason) }</p> },
        (Some(Ok(_)), None) | (None, _) => html! { <p class="mute">{ "Simulating…" }</p> },
    };
    let can_keep = matches!(result, Some(Ok(_)));
    let keep = press_once(send, SimulationAction::TriedKept);
    html! {
        <section class="tried" role="status" aria-label="A change that is tried" data-testid="tried">
            <div>
                <p><b>{ "Trying: " }</b>{ prose(&trial.what) }</p>
                { said }
            </div>
            <p class="actions">
                <button type="button" data-testid="tried-undo" onclick={press(send, SimulationAction::TriedDropped)}>
                    { "Undo" }
                </button>
                <button type="button" class="primary" data-testid="tried-keep" disabled={!can_keep} onclick={keep}>
                    { "Keep" }
                </button>
            </p>
        </section>
    }
}

/// The channels of a package that nobody subscribed to: a version that is pressed is installed, and a channel is
/// subscribed to.
pub(super) fn channels(view: &NewSubscriptionView, send: &Callback<Action>) -> Html {
    let subscribed =
        |channel: &str, installed: String| SimulationAction::Subscribed { channel: channel.to_owned(), installed };
    let part = |spot: BoardSpot<'_>| {
        let (lane, mark) = match spot {
            BoardSpot::Column(_) => return None,
            BoardSpot::Lane(lane) => (lane, None),
            BoardSpot::Mark(lane, mark) => (lane, Some(mark)),
        };
        let version = mark.filter(|mark| mark.kind != MarkKind::New);
        let label = match version {
            Some(mark) => format!("{}, {}: installed", lane.name, view.board.mark_words(mark)),
            None => format!("Subscribe to {}", lane.name),
        };
        let action = subscribed(&lane.channel, version.map(|mark| mark.csv.clone()).unwrap_or_default());
        let press = send.reform(move |()| Action::Simulation(action.clone()));
        Some(Pressable { label, is_pressed: false, press })
    };
    let reason = "Press a version to see what becomes of a cluster that has it, or a channel to follow that one.";
    let word = if view.channel.is_empty() { "Add" } else { "Subscribe" };
    let onclick = press_once(send, subscribed(&view.channel, String::new()));
    let subscribe = html! { <button type="button" class="primary" data-testid="subscribe" {onclick}>{ word }</button> };
    let more = &view.more_channels;
    let count = format!("{} more channel{}", more.len(), plural(more.len()));
    let names = more.iter().map(|name| (name.clone(), name.clone()));
    let others = std::iter::once((String::new(), format!("{count} …"))).chain(names);
    let follow = |name: String| {
        (!name.is_empty())
            .then(|| Action::Simulation(SimulationAction::Subscribed { channel: name, installed: String::new() }))
    };
    html! {
        <div class="channels" data-testid="channels">
            { answer(view.severity, &view.sentence, html! { { reason } }, Some(subscribe), "channels-answer") }
            { board_picture(&view.board, 0, part) }
            if !more.is_empty() {
                <label class="more-channels">
                    <span class="unseen">{ "Follow another channel" }</span>
                    { select("more-channels", others, "", send, follow) }
                </label>
            }
        </div>
    }
}
