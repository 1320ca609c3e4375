//! Parts of explanations: refused candidates, candidate counts by filter, fixes.

use super::{place_after, reasons};
use crate::kit::{press_once, prose, prose_items};
use crate::store::{Action, SimulationAction};
use views::{FixView, FunnelView, HintView, InputEdit, RefusalView, StageView};
use yew::prelude::*;

/// Number of refusals that are not folded.
const SHOWN: usize = 3;

/// Better candidates and why they were refused.
pub(crate) fn refusals(rows: &[RefusalView], unexplained: u32, send: &Callback<Action>) -> Html {
    if rows.is_empty() && unexplained == 0 {
        return Html::default();
    }
    let item = |row: &RefusalView| {
        html! {
            <li><p>{ "not " }{ prose(&row.title) }{ ":" }</p>{ reasons(&row.because, send) }</li>
        }
    };
    let (first, rest) = rows.split_at(rows.len().min(SHOWN));
    let more = rest.len() + usize::from(unexplained > 0);
    html! {
        <details data-testid="refused">
            <summary>{ "Why not a newer one?" }</summary>
            <ul class="plain">{ for first.iter().map(item) }</ul>
            if more > 0 {
                <details>
                    <summary>{ format!("{more} more") }</summary>
                    <ul class="plain">
                        { for rest.iter().map(item) }
                        if unexplained > 0 {
                            <li class="mute">{ format!("{unexplained} more that were not analysed") }</li>
                        }
                    </ul>
                </details>
            }
        </details>
    }
}

/// The filters of a search with the number of candidates each leaves.
pub(crate) fn funnel(view: &FunnelView, send: &Callback<Action>) -> Html {
    let most = view.stages.iter().map(|stage| stage.left).max().unwrap_or(0).max(1);
    html! {
        <figure class="funnel" data-testid="funnel">
            <figcaption>{ prose(&view.title) }</figcaption>
            <ol>{ for view.stages.iter().map(|row| stage(row, most)) }</ol>
            if !view.hints.is_empty() { <ul class="hints">{ for view.hints.iter().map(|row| hint(row, send)) }</ul> }
        </figure>
    }
}

fn stage(row: &StageView, most: u32) -> Html {
    let dry = row.left == 0;
    html! { <li class={classes!(dry.then_some("dry"))}>
        <meter min="0" max={most.to_string()} value={row.left.to_string()} aria-hidden="true"></meter>
        <b>{ row.left }</b><span>{ prose(&row.text) }if dry { <em>{ " 0 candidates left" }</em> }</span>
    </li> }
}

fn hint(row: &HintView, send: &Callback<Action>) -> Html {
    html! { <li>{ prose(&row.text) }{ try_button(&row.text, row.edit.as_ref(), send) }</li> }
}

/// Fixes under a title, each with what OLM does after it.
pub(crate) fn fixes(title: &'static str, rows: &[FixView], send: &Callback<Action>) -> Html {
    if rows.is_empty() {
        return Html::default();
    }
    let item = |row: &FixView| {
        html! {
            <li data-testid="fix">
                <p>
                    { prose(&row.text) }
                    { place_after(row.place, send) }
                    { try_button(&row.text, row.edit.as_ref(), send) }
                </p>
                if !row.effects.is_empty() {
                    <ul class="effects">{ prose_items(&row.effects) }</ul>
                }
            </li>
        }
    };
    html! {
        <div class="simulated-fixes" data-testid="fixes"><h4>{ title }</h4><ul>{ for rows.iter().map(item) }</ul></div>
    }
}

fn try_button(what: &str, edit: Option<&InputEdit>, send: &Callback<Action>) -> Html {
    let Some(edit) = edit.cloned() else { return Html::default() };
    let label = format!("Try: {}", what.replace('`', ""));
    let onclick = press_once(send, Action::Simulation(SimulationAction::FixTried { what: what.to_owned(), edit }));
    html! {
        <>{ " " }<button type="button" class="try" data-testid="try" aria-label={label} {onclick}>{ "Try" }</button></>
    }
}
