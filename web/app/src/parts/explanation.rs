//! Parts of explanations: refused candidates, candidate counts by filter, fixes.

use super::{place_after, reasons};
use crate::graph::small_chain;
use crate::kit::{press_once, prose, prose_items};
use crate::store::{Action, CatalogsAction};
use views::{DiffLine, DiffSign, FixView, FunnelView, PathStrip, RefusalView, StageView};
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

fn hint(row: &FixView, send: &Callback<Action>) -> Html {
    html! { <li>{ prose(&row.text) }{ " " }{ fix_button(row, send) }</li> }
}

/// Fixes under a title, each with what OLM does after it.
pub(crate) fn fixes(title: &'static str, rows: &[FixView], send: &Callback<Action>) -> Html {
    if rows.is_empty() {
        return Html::default();
    }
    let item = |row: &FixView| {
        html! {
            <li data-testid="fix">
                <p>{ prose(&row.text) }{ place_after(row.place, send) }{ " " }{ fix_button(row, send) }</p>
                if !row.effects.is_empty() {
                    <ul class="effects">{ prose_items(&row.effects) }</ul>
                }
            </li>
        }
    };
    html! {
        <div class="simulated-fixes" data-testid="fixes">
            <h4>{ title }</h4><ul>{ for rows.iter().map(item) }</ul>
        </div>
    }
}

/// The button that tries a fix in the simulation or the comparison.
fn fix_button(fix: &FixView, send: &Callback<Action>) -> Html {
    let Some(edit) = fix.edit.clone() else { return Html::default() };
    let action = Action::Catalogs(CatalogsAction::FixApplied { what: fix.text.clone(), edit, is_tried: true });
    let label = format!("Try: {}", fix.text.replace('`', ""));
    html! {
        <button type="button" class={classes!("try", fix.removes.then_some("danger"))} data-testid="try"
            aria-label={label} onclick={press_once(send, action)}>
            { "Try" }</button>
    }
}

/// The updates of an installed version in two states with these names; it stands for `versions`, if they are given.
pub(crate) fn strips(names: [&'static str; 2], paths: [&PathStrip; 2], versions: &[String]) -> Html {
    let strips = names.into_iter().zip(paths).map(|(name, path)| strip(name, path, versions));
    html! { <div class="strips">{ for strips }</div> }
}

/// The installed version and its updates, and how they end.
fn strip(label: &'static str, path: &PathStrip, versions: &[String]) -> Html {
    let mut steps = path.steps();
    if let (Some(step), [first, .., last]) = (steps.first_mut(), versions) {
        step.label = format!("{first} – {last}");
    }
    let class = if path.is_fine { "mute" } else { "stuck" };
    html! { <div class="strip">
        <h4>{ label }<small {class}>{ if path.end == "the head" { "reach the head" } else { &path.end } }</small></h4>
        <div class="scroll-x" tabindex="0" role="group" aria-label={format!("Updates {}", label.to_lowercase())}>
            { small_chain(&steps) }</div>
    </div> }
}

/// Lines of a unified diff with their numbers where they are known, the last of them about how many more there are.
pub(crate) fn diff(lines: &[(Option<u32>, DiffLine)], more: Option<String>) -> Html {
    let line = |(number, line): &(Option<u32>, DiffLine)| {
        let (class, sign, name) = match line.sign {
            DiffSign::Same => ("same", " ", None),
            DiffSign::Gap => ("gap", " ", None),
            DiffSign::Removed => ("removed", "−", Some("removed: ")),
            DiffSign::Added => ("added", "+", Some("added: ")),
        };
        html! { <span class={classes!("line", class)}>if let Some(number) = number { <i>{ number }</i> }<span
        aria-hidden="true">{ sign }{ " " }</span>if let Some(name) = name { <span class="unseen">{ name }</span> }{
        &line.text }{ "\n" }</span> }
    };
    // Where the first part begins, its numbers say.
    let is_numbered = lines.iter().any(|(number, _)| number.is_some());
    let lines = &lines[usize::from(is_numbered && lines.first().is_some_and(|(number, _)| number.is_none()))..];
    html! { <pre class="diff" tabindex="0">{ for lines.iter().map(line) }{ more }</pre> }
}
