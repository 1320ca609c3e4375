//! Rules: the list of those that have findings, and the dialog that describes one.

use super::close_dialog;
use super::compare::comparison_rule;
use crate::dom;
use crate::kit::{Modal, button, on, press, prose};
use crate::parts::{rule_link, severity};
use crate::store::{Action, FindingsAction, RuleTexts, Rules, State};
use views::{FindingsView, RuleCount, RuleDoc, RuleExample, RuleFile, Severity};
use yew::prelude::*;

/// The folded list. Its summary says how many rules are off and how many findings they hide.
pub(super) fn rules(view: &FindingsView, send: &Callback<Action>) -> Html {
    if view.rules.is_empty() {
        return Html::default();
    }
    let off = view.rules.iter().filter(|row| row.off).count();
    html! {
        <details class="rules" data-testid="rules">
            <summary>{ "Rules" }if off > 0 { { format!(" · {off} off") } }</summary>
            <ul>{ for view.rules.iter().map(|row| rule(row, send)) }</ul>
            if off > 0 {
                <p>{ button("rules-on", "Switch all on", send, FindingsAction::RulesRestored) }</p>
            }
        </details>
    }
}

/// Number of findings in scope that are hidden because their rules are off.
pub(super) fn hidden(view: &FindingsView) -> u32 {
    view.rules.iter().map(RuleCount::hidden).sum()
}

fn rule(row: &RuleCount, send: &Callback<Action>) -> Html {
    let switched = row.rule.clone();
    let onchange = on(send, move |event: Event| FindingsAction::RuleSwitched {
        rule: switched.clone(),
        on: dom::is_checked(&event),
    });
    let copy = press(send, FindingsAction::CommentCopied(row.rule.clone()));
    let fixed = !row.off && row.count > 0 && row.opm == row.count;
    let label = format!("Show findings of {}", row.rule);
    let count = format!("{} {}", row.count, if row.count == 1 { "finding" } else { "findings" });
    html! {
        <li key={row.rule.clone()} data-testid="rule-row" data-rule={row.rule.clone()}
            class={classes!(row.off.then_some("off"))}>
            <input type="checkbox" checked={!row.off} disabled={fixed} aria-label={label} {onchange} />
            { severity(row.severity) }
            { rule_link(&row.rule, send) }
            <span class="mute">{ count }</span>
            if fixed {
                <span class="mute">{ "Errors that opm reports, always shown" }</span>
            } else {
                <button type="button" class="link" aria-label={format!("Copy as comment: {}", row.rule)} onclick={copy}>
                    { "copy as comment" }
                </button>
            }
        </li>
    }
}

/// The dialog about the requested rule.
pub(super) fn rule_dialog(state: &State, send: &Callback<Action>) -> Html {
    let rules = &state.rules;
    let rule = &rules.explained;
    let compared = rules.texts.of_comparison(rule);
    let again = press(send, FindingsAction::RuleExplained(rule.clone()));
    let content = match (rules.texts.of(rule), compared, &rules.texts) {
        (Some(doc), ..) => text(doc),
        (None, Some(doc), _) => comparison_rule(state, doc, send),
        (None, None, RuleTexts::Here(_)) => html! { <p class="mute">{ "There is no description of this rule." }</p> },
        (None, None, RuleTexts::Refused { reason }) => {
            html! { <p role="alert">{ "Could not load the rule descriptions: " }{ reason }{ " " }
            <button type="button" onclick={again}>{ "Try again" }</button></p> }
        }
        (None, None, RuleTexts::Unasked | RuleTexts::Awaited) => {
            html! { <p class="mute" role="status">{ "Fetching…" }</p> }
        }
    };
    html! {
        <Modal title={rule.clone()} testid="rule-dialog"
            on_close={close_dialog(send)}>
            <div class="rule-text">{ content }</div>
            { actions(rules, compared.is_none(), send) }
        </Modal>
    }
}

fn text(doc: &RuleDoc) -> Html {
    html! { <>
        <p>{ severity(doc.severity) }{ " " }<b>{ prose(&doc.summary) }</b></p>
        { paragraphs(&doc.about) }
        <h3>{ "Fails" }</h3>
        { example(&doc.fails) }
        <h3>{ "Passes" }</h3>
        { example(&doc.passes) }
        if let Some(since) = &doc.since { <p>{ "Reported by opm since " }{ since }{ "." }</p> }
        <p class="mute">{ "Source: " }{ prose(&doc.source) }</p>
    </> }
}

fn paragraphs(texts: &[String]) -> Html {
    html! { <>{ for texts.iter().map(|text| html! { <p>{ prose(text) }</p> }) }</> }
}

fn example(example: &RuleExample) -> Html {
    html! { <>{ paragraphs(&example.about) }{ for example.files.iter().map(file) }</> }
}

fn file(file: &RuleFile) -> Html {
    html! { <figure>
        if !file.name.is_empty() { <figcaption><code>{ &file.name }</code></figcaption> }
        <pre tabindex="0">{ for file.text.split_inclusive('\n').map(line) }</pre>
    </figure> }
}

/// A line of an example; a line of carets that marks the line above has the finding's colour.
fn line(text: &str) -> Html {
    let mark = text.trim_start_matches(['#', ' ']);
    let is_pointed = |severity: &Severity| mark.starts_with('^') && mark.contains(&format!("{}[", severity.as_str()));
    match Severity::ALL.into_iter().find(is_pointed) {
        Some(severity) => html! { <span class={classes!("mark", severity.as_str())}>{ text }</span> },
        None => html! { { text } },
    }
}

/// The buttons of the dialog. Rules of comparisons are switched off by their level.
fn actions(rules: &Rules, has_switch: bool, send: &Callback<Action>) -> Html {
    let on = rules.off.contains(&rules.explained);
    let rule = || rules.explained.clone();
    let switch = FindingsAction::RuleSwitched { rule: rule(), on };
    html! {
        <p class="actions">
            { button("rule-copy", "Copy as comment", send, FindingsAction::CommentCopied(rule())) }
            if has_switch { { button("rule-switch", if on { "Switch on" } else { "Switch off" }, send, switch) } }
        </p>
    }
}
