//! The list of rules that have findings, each with a switch.

use crate::dom;
use crate::parts::{rule_link, severity};
use crate::store::{Action, FindingsAction};
use views::{FindingsView, RuleCount};
use yew::prelude::*;

/// The folded list. Its summary says how many rules are off and how many findings they hide.
pub(super) fn rules(view: &FindingsView, send: &Callback<Action>) -> Html {
    if view.rules.is_empty() {
        return Html::default();
    }
    let off = view.rules.iter().filter(|row| row.off).count();
    let all_on = send.reform(|_: MouseEvent| Action::Findings(FindingsAction::RulesRestored));
    html! {
        <details class="rules" data-testid="rules">
            <summary>{ "Rules" }if off > 0 { { format!(" · {off} off") } }</summary>
            <ul>{ for view.rules.iter().map(|row| rule(row, send)) }</ul>
            if off > 0 { <p><button type="button" data-testid="rules-on" onclick={all_on}>{ "Switch all on" }</button></p> }
        </details>
    }
}

/// Number of findings in scope that are hidden because their rules are off.
pub(super) fn hidden(view: &FindingsView) -> u32 {
    view.rules.iter().map(RuleCount::hidden).sum()
}

fn rule(row: &RuleCount, send: &Callback<Action>) -> Html {
    let (switched, copied) = (row.rule.clone(), row.rule.clone());
    let onchange = send.reform(move |event: Event| {
        Action::Findings(FindingsAction::RuleSwitched { rule: switched.clone(), on: dom::is_checked(&event) })
    });
    let copy = send.reform(move |_: MouseEvent| Action::Findings(FindingsAction::CommentCopied(copied.clone())));
    let fixed = !row.off && row.count > 0 && row.opm == row.count;
    let label = format!("Show findings of {}", row.rule);
    let count = format!("{} {}", row.count, if row.count == 1 { "finding" } else { "findings" });
    html! {
        <li key={row.rule.clone()} data-testid="rule-row" data-rule={row.rule.clone()} class={classes!(row.off.then_some("off"))}>
            <input type="checkbox" checked={!row.off} disabled={fixed} aria-label={label} {onchange} />
            { severity(row.severity) }
            { rule_link(&row.rule, send) }
            <span class="mute">{ count }</span>
            if fixed { <span class="mute">{ "Errors that opm reports, always shown" }</span> } else {
                <button type="button" class="link" aria-label={format!("Copy as comment: {}", row.rule)} onclick={copy}>{ "copy as comment" }</button>
            }
        </li>
    }
}
