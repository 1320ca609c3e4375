//! What OLM v1 does with each ClusterExtension: its updates, the error, and why the other bundles were not taken.

use crate::kit::{grouped, prose, prose_items};
use crate::parts::{folded_list, place_after};
use crate::store::Action;
use views::{DroppedBundle, ExtensionCondition, ExtensionStatus, ExtensionView};
use yew::prelude::*;

/// The answers, if there are any.
pub(super) fn extensions(views: &[ExtensionView], send: &Callback<Action>) -> Html {
    if views.is_empty() {
        return Html::default();
    }
    html! {
        <section aria-label="ClusterExtensions" data-testid="extensions">
            <h4>{ "OLM v1" }</h4>
            { for views.iter().map(|row| extension(row, send)) }
        </section>
    }
}

fn extension(view: &ExtensionView, send: &Callback<Action>) -> Html {
    let last = view.hops.len().saturating_sub(1);
    let hop = |(at, name): (usize, &String)| {
        html! {
            <li class={classes!((at == last).then_some("now"))}><i aria-hidden="true"></i><code>{ name }</code></li>
        }
    };
    let groups = grouped(&view.dropped, |row| (&row.because, &row.catalog));
    html! {
        <section class="verdict" data-testid="extension" data-extension={view.name.clone()}
            data-status={status(view.status)}>
            <p>
                <b>{ &view.name }</b>{ " " }{ prose(&view.verdict) }
                { place_after(view.place, send) }
            </p>
            if view.hops.len() > 1 { <ol class="hops">{ for view.hops.iter().enumerate().map(hop) }</ol> }
            { for view.error.iter().map(|text| error("extension-error", text)) }
            { for view.refusals.iter().map(|text| error("extension-refusal", text)) }
            if !view.fixes.is_empty() {
                <div data-testid="extension-fixes">
                    <h4>{ "Fixes (each followed to its end)" }</h4>
                    <ul>{ prose_items(&view.fixes) }</ul>
                </div>
            }
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
                        { match view.hops.len() {
                            0 | 1 => "Conditions that follow from the catalogs, where the cluster reports others",
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
