//! A finding.

use super::{folded_list, place_link, rule_link, severity};
use crate::kit::prose;
use crate::store::{Action, NavigationAction};
use views::{FindingView, Severity};
use yew::prelude::*;

/// A finding with message, help, places and `opm`'s text. Its place links to the source and the graph.
pub(crate) fn finding(finding: &FindingView, send: &Callback<Action>) -> Html {
    let class = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "hint",
    };
    let followed = Box::new(finding.clone());
    let onclick =
        send.reform(move |_: MouseEvent| Action::Navigation(NavigationAction::FindingFollowed(followed.clone())));
    let place = format!("{}:{}:{}", finding.path, finding.place.line, finding.place.column);
    let labels = finding.labels.iter().map(|label| {
        html! { <>{ prose(&label.message) }{ " " }{ place_link(Some(&label.path), label.place, send) }</> }
    });
    html! {
        <article class={classes!("finding", class)} data-testid="finding-row" data-rule={finding.rule.clone()}>
            <p class="head">{ severity(finding.severity) }
                { rule_link(&finding.rule, send) }
                <button type="button" class="link" {onclick}>{ place }</button></p>
            { message(&finding.message) }
            if !finding.labels.is_empty() {
                <div class="labels">{ folded_list(labels.collect()) }</div>
            }
            if let Some(help) = &finding.help {
                <p class="help"><b>{ "What to do: " }</b>{ prose(help) }</p>
            }
            if let Some(line) = &finding.opm {
                <details><summary>{ "what opm prints" }</summary><pre>{ line }</pre></details>
            }
        </article>
    }
}

/// The message: the part before the first semicolon, then one line for each clause after it.
fn message(text: &str) -> Html {
    let clauses: Vec<&str> = text.split("; ").collect();
    // A semicolon between backticks belongs to a name.
    let inside_name = clauses.iter().any(|clause| clause.matches('`').count() % 2 == 1);
    let (first, rest) = if inside_name { (text, &[][..]) } else { (clauses[0], &clauses[1..]) };
    html! { <div class="message">
        <p>{ prose(first) }</p>
        if !rest.is_empty() { <ul>{ for rest.iter().map(|clause| html! { <li>{ prose(clause) }</li> }) }</ul> }
    </div> }
}
