//! What becomes of the Subscriptions of the user's cluster when the catalog is exchanged.

use super::level;
use crate::kit::prose;
use crate::panels::namespace_state::namespace_states;
use crate::store::Action;
use views::{ClusterComparisonView, NamespaceFailureRow, OpenShiftView, SubscriptionRow};
use yew::prelude::*;

/// The namespaces as they stand, each Subscription, the namespaces that cannot be resolved, and what blocks an upgrade
/// of OpenShift.
pub(super) fn cluster(view: &ClusterComparisonView, send: &Callback<Action>) -> Html {
    html! { <section aria-label="Your cluster" data-testid="compare-cluster"><h3>{ "What happens to your cluster" }</h3>
        { namespace_states(&view.namespaces, send) }
        { for view.notices.iter().map(|text| html! { <p>{ prose(text) }{ "." }</p> }) }
        if !view.subscriptions.is_empty() { <ul class="changes">{ for view.subscriptions.iter().map(subscription) }
            </ul> }
        { for view.failures.iter().map(failure) }
        { for view.openshift.as_ref().map(openshift) }
    </section> }
}

fn subscription(row: &SubscriptionRow) -> Html {
    let installed = row.installed.as_deref().unwrap_or("not installed");
    html! { <li data-testid="compared-subscription" data-rule={row.rule.clone()}>{ level(row.level) }{ " " }<b>
        { format!("{}/{}", row.namespace, row.name) }</b>{ " " }<code>{ installed }</code>
        if row.about.is_empty() {
            { ": " }{ prose(&row.after) }{ ", as before" }
        } else {
            { " " }{ prose(&row.about) }<span class="mute">
                { prose(&format!(" Before: {}. After: {}.", row.before, row.after)) }</span>
        }
        if !row.dependencies.is_empty() { { " Dependencies: " }{ prose(&row.dependencies.join(", ")) } }
    </li> }
}

/// A namespace that OLM cannot resolve, with its own text.
fn failure(row: &NamespaceFailureRow) -> Html {
    let when = match (&row.before, &row.after) {
        (Some(_), Some(_)) => "cannot be resolved before and after",
        (None, _) => "can no longer be resolved",
        (Some(_), None) => "can be resolved again",
    };
    let text = row.after.as_ref().or(row.before.as_ref());
    html! { <div class="failure"><p><b>{ format!("Namespace {} ", row.namespace) }</b>{ when }
        { ": none of its Subscriptions gets anything." }
    if !row.causes.is_empty() { { " Because of " }{ prose(&row.causes.join(", ")) }{ "." } }</p>
    { for text.map(|text| html! { <pre>{ text }</pre> }) }</div> }
}

fn openshift(view: &OpenShiftView) -> Html {
    let state = |when: &'static str, message: &Option<String>| match message {
        Some(message) => html! { <><dt>{ when }</dt><dd><pre>{ message }</pre></dd></> },
        None => html! { <><dt>{ when }</dt><dd>{ "no operator blocks it" }</dd></> },
    };
    html! { <div data-testid="compare-openshift"><h4>
        { format!("Upgrade of OpenShift from {} to {}", view.current, view.next) }</h4>
        <dl>{ state("Now", &view.now) }{ state("After the updates of the catalog before", &view.before) }
            { state("After the updates of the catalog after", &view.after) }</dl>
        { for view.remaining.iter().map(|text| html! { <p>{ "Still blocks after its updates: " }{ prose(text) }</p> }) }
    </div> }
}
