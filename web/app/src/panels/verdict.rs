//! What becomes of a Subscription.

use crate::kit::prose;
use crate::parts::{funnel, refusals, ways_out};
use crate::store::{Action, hops};
use views::SubscriptionView;
use yew::prelude::*;

/// The verdict with the hops, and what keeps it from going on.
pub(super) fn verdict(view: &SubscriptionView, send: &Callback<Action>) -> Html {
    let dots = hops(&view.package, &view.hops);
    let last = dots.len().saturating_sub(1);
    let dots = dots.iter().enumerate().map(|(index, name)| {
        html! { <li class={classes!((index == last).then_some("now"))} title={view.hops[index].clone()}><i aria-hidden="true"></i><code>{ name.as_ref() }</code></li> }
    });
    html! { <section class="verdict" data-testid="verdict" data-subscription={view.name.clone()}>
        <p><b>{ &view.name }</b>{ " " }{ prose(&view.verdict) }</p>
        if view.hops.len() > 1 { <ol class="hops">{ for dots }</ol> }
        if !view.stuck.is_empty() { <p class="remark">{ prose(&view.stuck) }</p> }
        { ways_out(&view.fixes, send) }
        { refusals(&view.refused, 0, send) }
        if let Some(row) = &view.funnel {
            <details><summary>{ "why nothing newer?" }</summary>{ funnel(row, send) }</details>
        }
    </section> }
}
