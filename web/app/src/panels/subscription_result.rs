//! The result for one Subscription.

use crate::kit::prose;
use crate::parts::{fixes, funnel, refusals};
use crate::store::{Action, hop_labels};
use views::{StepView, SubscriptionView};
use yew::prelude::*;

/// The headline, the hops (those of the `done` steps marked) and what prevents further updates.
pub(super) fn subscription_result(view: &SubscriptionView, done: &[StepView], send: &Callback<Action>) -> Html {
    let dots = hop_labels(&view.package, &view.hops);
    let now = now(view, done);
    let dots = dots.iter().enumerate().map(|(index, name)| {
        html! { <li class={classes!((now == Some(index)).then_some("now"))} title={view.hops[index].clone()}><i aria-hidden="true"></i><code>{ name.as_ref() }</code></li> }
    });
    html! { <section class="verdict" data-testid="verdict" data-subscription={view.name.clone()}>
        <p><b>{ &view.name }</b>{ " " }{ prose(&view.verdict) }</p>
        if view.hops.len() > 1 { <ol class="hops">{ for dots }</ol> }
        if !view.stuck.is_empty() { <p class="remark">{ prose(&view.stuck) }</p> }
        { fixes(&view.fixes, send) }
        { refusals(&view.refused, 0, send) }
        if let Some(row) = &view.funnel {
            <details><summary>{ "Why no newer version?" }</summary>{ funnel(row, send) }</details>
        }
    </section> }
}

/// The index of the CSV in `row.hops` that is installed after the steps `done`.
fn now(view: &SubscriptionView, done: &[StepView]) -> Option<usize> {
    let first = usize::from(view.installed.is_some());
    let is_there = |name: &&String| done.iter().flat_map(|step| &step.selected).any(|row| row.csv.name == **name);
    let made = view.hops.iter().skip(first).take_while(is_there).count();
    (first + made).checked_sub(1)
}
