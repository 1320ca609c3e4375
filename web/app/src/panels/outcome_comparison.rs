//! Comparison of the outcomes between which OLM leaves the choice to chance.

use crate::kit::{button, press, prose};
use crate::store::{Action, SimulationAction};
use views::{DifferenceView, SimulationView};
use yew::prelude::*;

/// The largest number of outcome columns; if there are more, buttons select one.
const COLUMNS: usize = 4;

/// The comparison; nothing if there is only one outcome.
pub(super) fn outcome_comparison(view: &SimulationView, shown: usize, send: &Callback<Action>) -> Html {
    if view.outcomes.len() < 2 {
        return if view.bounded { not_all(send) } else { Html::default() };
    }
    let text = match view.outcomes.len() {
        2 => "OLM may do either.".to_owned(),
        many => format!("OLM may do any of {many}{}.", if view.bounded { " things, or more" } else { " things" }),
    };
    html! { <section class="either" data-testid="outcomes">
        <p><b>{ text }</b>{ " Which one happens depends on an order that OLM does not fix." }
            if view.bounded { { " There may be more outcomes: not all orders were tried." } }</p>
        { table(view, shown, send) }
    </section> }
}

fn not_all(send: &Callback<Action>) -> Html {
    html! { <p class="remark">{ "There may be other outcomes: not all orders were tried. " }
    { button("run", "Try again", send, SimulationAction::Run) }</p> }
}

fn table(view: &SimulationView, shown: usize, send: &Callback<Action>) -> Html {
    // Keep the outcome that is shown among the columns.
    let first = shown.saturating_sub(COLUMNS - 1);
    let columns: Vec<usize> = (first..view.outcomes.len()).take(COLUMNS).collect();
    let heads = columns.iter().map(|&index| head(view, index, shown, send));
    html! { <>
        if view.outcomes.len() > COLUMNS { { choices(view.outcomes.len(), shown, send) } }
        <div class="sideways"><table>
            <thead><tr><td></td>{ for heads }</tr></thead>
            <tbody>{ for view.differences.iter().map(|difference| row(difference, &columns, shown)) }</tbody>
        </table></div>
    </> }
}

fn head(view: &SimulationView, index: usize, shown: usize, send: &Callback<Action>) -> Html {
    let onclick = press(send, SimulationAction::OutcomeChosen(index));
    html! {
        <th scope="col" class={classes!((index == shown).then_some("on"))}>
            <button type="button" data-testid="outcome" aria-pressed={(index == shown).to_string()} {onclick}>
                { format!("Outcome {}", index + 1) }
            </button>
            <small>{ prose(&view.outcomes[index].when) }</small>
        </th>
    }
}

fn row(difference: &DifferenceView, columns: &[usize], shown: usize) -> Html {
    let cell = |index: usize| {
        html! {
            <td class={classes!((index == shown).then_some("on"))}>
                { prose(difference.cells.get(index).map_or("", String::as_str)) }
            </td>
        }
    };
    html! {
        <tr data-testid="difference">
            <th scope="row">{ &difference.subject }</th>
            { for columns.iter().map(|&index| cell(index)) }
        </tr>
    }
}

/// A button for each outcome.
fn choices(count: usize, shown: usize, send: &Callback<Action>) -> Html {
    let button = |index: usize| {
        let onclick = press(send, SimulationAction::OutcomeChosen(index));
        html! {
            <button type="button" aria-pressed={(index == shown).to_string()}
                aria-label={format!("Outcome {}", index + 1)} {onclick}>
                { index + 1 }
            </button>
        }
    };
    html! { <div class="choice" role="group" aria-label="Outcomes">{ for (0..count).map(button) }</div> }
}
