//! What helps a channel: the best repair on a card, with what it brings and its diff, and the others folded below it.

use super::{diff, place_after, strips};
use crate::kit::{plural, press_once, prose, prose_items};
use crate::store::{Action, CatalogsAction};
use views::{DiffLine, FixView, RepairsView};
use yew::prelude::*;

/// What is wrong with some channels, and what helps.
pub(crate) fn repairs(views: &[RepairsView], send: &Callback<Action>) -> Html {
    let is_alone = RepairsView::together(views).is_none_or(|(count, _)| count == 1);
    let one = |(at, view): (usize, &RepairsView)| {
        // Within a package its name says nothing.
        let title = view.title().replace(&format!("`{}.v", view.package), "`");
        html! { <section data-testid="repairs">
            <p role="status" tabindex="-1">{ prose(&title) }</p>
            { repair_card(view, is_alone && at == 0, send) }
        </section> }
    };
    html! { { for views.iter().enumerate().map(one) } }
}

/// The button that applies the best repair of each channel; none if fewer than `least` channels have a repair.
pub(crate) fn repair_all(views: &[RepairsView], least: usize, send: &Callback<Action>) -> Option<Html> {
    let (count, edit) = RepairsView::together(views).filter(|(count, _)| *count >= least)?;
    let title = match count {
        1 => "Apply repair".to_owned(),
        2 => "Repair both".to_owned(),
        _ => format!("Repair all {count}"),
    };
    let what = if count == 1 { "the repair".to_owned() } else { format!("the repairs of {count} channels") };
    let action = Action::Catalogs(CatalogsAction::FixApplied { what, edit, is_tried: false });
    Some(html! { <button type="button" class="primary" data-testid="repair-all"
    title="Apply the first repair of each channel" onclick={press_once(send, action)}>{ title }</button> })
}

/// The best repair of a channel and the others, or why there is none.
pub(crate) fn repair_card(view: &RepairsView, is_primary: bool, send: &Callback<Action>) -> Html {
    let card = |fix: &FixView, is_best: bool| repair(&view.package, fix, is_best && is_primary, send);
    let others = view.fixes.get(1..).unwrap_or_default();
    html! { <section class="fix-card" aria-label="Repair" data-testid="fix-card">
        { view.fixes.first().map_or_else(
            || html! { <h3>{ "No edit of the channel helps" }</h3> },
            |best| card(best, true),
        ) }
        if view.reason.is_some() {
            <ul class="effects" data-testid="no-repair">{ prose_items(&view.refusal()) }</ul>
        }
        if !others.is_empty() {
            <details data-testid="other-repairs">
                <summary>{ format!("{} other way{}", others.len(), plural(others.len())) }</summary>
                { for others.iter().map(|fix| card(fix, false)) }
            </details>
        }
    </section> }
}

fn repair(package: &str, fix: &FixView, is_primary: bool, send: &Callback<Action>) -> Html {
    // Within a package its name says nothing.
    let title = prose(&fix.text.replace(&format!("`{package}.v"), "`"));
    let apply = |edit| {
        let action = Action::Catalogs(CatalogsAction::FixApplied { what: fix.text.clone(), edit, is_tried: false });
        let label = format!("Apply repair: {}", fix.text.replace('`', ""));
        html! { <button type="button" class={if is_primary { "primary" } else { "" }} data-testid="apply-repair"
        aria-label={label} onclick={press_once(send, action)}>{ "Apply repair" }</button> }
    };
    html! { <>
        <h3>{ title }</h3>
        { for fix.effects.iter().map(|text| html! { <p>{ prose(text) }{ "." }</p> }) }
        if let Some(repair) = &fix.repair {
            { diff(&DiffLine::numbered(&repair.diff), None) }
            if !repair.paths.is_empty() {
                <details>
                    <summary>{ "Now and repaired" }</summary>
                    { for repair.paths.iter().map(|paths| html! { <>
                        <p>{ &paths.title }</p>
                        { strips(["Now", "Repaired"], [&paths.before, &paths.after], &[]) }
                    </> }) }
                </details>
            }
        }
        <p class="actions">{ for fix.edit.clone().map(apply) }{ place_after(fix.place, send) }</p>
    </> }
}
