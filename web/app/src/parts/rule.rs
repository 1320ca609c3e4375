//! The name of a rule.

use crate::store::{Action, FindingsAction};
use yew::prelude::*;

/// The id of a rule, linked to its description.
pub(crate) fn rule_link(rule: &str, send: &Callback<Action>) -> Html {
    let asked = rule.to_owned();
    let onclick = send.reform(move |_: MouseEvent| Action::Findings(FindingsAction::RuleExplained(asked.clone())));
    html! { <button type="button" class="link rule" title="What is this rule?" data-testid="rule-link" {onclick}>{ rule }</button> }
}
