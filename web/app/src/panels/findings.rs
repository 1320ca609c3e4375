//! The list of findings.

use super::close_dialog;
use super::compare::comparison_rule;
use crate::dom;
use crate::kit::{Modal, button, choice, on, on_input, press, prose};
use crate::parts::{finding_group, rule_link, severity};
use crate::store::{self, Action, FindingsAction, NavigationAction, RuleTexts, Rules, State, Tab};
use views::{Counts, FindingGroup, FindingsView, RuleCount, RuleDoc, RuleExample, RuleFile, Severity};
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) findings: store::Findings,
    /// Whether loading goes on, so that not all findings are known.
    pub(crate) is_loading: bool,
    /// Number of findings outside the selection, if there is one.
    pub(crate) elsewhere: Option<u32>,
    /// Whether a catalog is selected as a whole.
    pub(crate) whole: bool,
    pub(crate) send: Callback<Action>,
}

/// The list with its filters.
#[component]
pub(crate) fn Findings(props: &Props) -> Html {
    let Props { findings, is_loading, elsewhere, whole, send } = props;
    let everything = findings.everything || elsewhere.is_none();
    let scopes = [(false, if *whole { "This catalog" } else { "This package" }), (true, "Everything")];
    let scope = |everything| FindingsAction::ScopeChosen { everything };
    let oninput = on_input(send, FindingsAction::Filtered);
    let shown: usize = findings.view.groups.iter().map(|group| group.rows.len()).sum();
    let total = findings.view.total as usize;
    html! {
        <section class="findings" role="tabpanel" aria-label="Findings" data-testid="findings">
            <div class="tools">
                { severities(findings, send) }
                if elsewhere.is_some() {
                    { choice("Which findings", &scopes, findings.everything, send, scope) }
                }
                <input type="search" placeholder="Filter by rule, message or path" aria-label="Filter findings"
                    data-testid="findings-filter" value={findings.text.clone()} {oninput} />
                <span class="mute" role="status" data-testid="findings-count">{ count(&findings.view, shown) }</span>
            </div>
            { rules(&findings.view, send) }
            <div class="scroll">
                if total == 0 {
                    <p class="mute waiting">
                        { if *is_loading { "Checking…" } else { empty_list(findings, everything || *whole) } }
                    </p>
                }
                { for findings.view.groups.iter().map(|group| finding_group(group, send)) }
                if shown < total {
                    <p>{ button("findings-more", "Show more", send, FindingsAction::MoreAsked) }</p>
                }
                if !everything && !whole {
                    { for elsewhere.filter(|count| *count > 0).map(|count| others(count, send)) }
                }
            </div>
        </section>
    }
}

/// The findings of the package, below its graph. The headline over it offers the repairs of one channel.
pub(super) fn findings_of_package(view: &FindingsView, offered: Option<&String>, send: &Callback<Action>) -> Html {
    let group = |group: &FindingGroup| {
        let mut group = group.clone();
        for row in &mut group.rows {
            row.repaired_channel = row.repaired_channel.take().filter(|channel| Some(channel) != offered);
        }
        finding_group(&group, send)
    };
    let all = Action::Navigation(NavigationAction::TabChosen(Tab::Findings));
    html! { if !view.groups.is_empty() {
        <section class="below" aria-labelledby="findings-below" data-testid="package-findings">
            <h3 id="findings-below">{ "Findings " }<small class="mute">{ view.total }</small></h3>
            { for view.groups.iter().map(group) }
            if view.total > store::Findings::BELOW {
                <button type="button" class="link" data-testid="all-findings" onclick={press(send, all)}>
                    { format!("All {} findings", view.total) }</button>
            }
        </section>
    } }
}

/// How many findings are listed, and how many are hidden.
fn count(view: &FindingsView, shown: usize) -> String {
    let total = view.total as usize;
    let count = match total {
        0 => "no findings".to_owned(),
        1 => "1 finding".to_owned(),
        _ if shown < total => format!("First {shown} of {total} findings"),
        _ => format!("{total} findings"),
    };
    match hidden(view) {
        0 => count,
        hidden => format!("{count} · {hidden} hidden"),
    }
}

/// The buttons that show the findings of one severity, each with its number.
fn severities(findings: &store::Findings, send: &Callback<Action>) -> Html {
    let Counts { errors, warnings, hints } = findings.view.counts;
    let all = [
        (None, "All", findings.view.counts.total()),
        (Some(Severity::Error), "Errors", errors),
        (Some(Severity::Warning), "Warnings", warnings),
        (Some(Severity::Hint), "Hints", hints),
    ];
    let button = |(severity, name, count): (Option<Severity>, &str, u32)| {
        let onclick = press(send, FindingsAction::SeverityChosen(severity));
        let is_on = findings.severity == severity;
        html! {
            <button type="button" aria-pressed={is_on.to_string()} disabled={count == 0 && !is_on} {onclick}>
                { name }{ " " }<span class="number">{ count }</span>
            </button>
        }
    };
    html! {
        <div class="choice" role="group" aria-label="Severity" data-testid="findings-severity">
            { for all.into_iter().map(button) }
        </div>
    }
}

/// A hint that there are findings outside the selected package.
fn others(count: u32, send: &Callback<Action>) -> Html {
    let onclick = press(send, FindingsAction::ScopeChosen { everything: true });
    let text = if count == 1 { "1 finding is".to_owned() } else { format!("{count} findings are") };
    html! { <p class="mute elsewhere">{ text }{ " about other packages or whole files. " }
    <button type="button" class="link" data-testid="findings-elsewhere" {onclick}>{ "Show everything" }</button></p> }
}

/// Why the list is empty.
fn empty_list(findings: &store::Findings, everything: bool) -> &'static str {
    match (findings.text.trim().is_empty() && findings.severity.is_none(), everything) {
        (false, _) => "No finding matches the filter.",
        (true, _) if hidden(&findings.view) > 0 => "All findings here belong to rules that you switched off.",
        (true, false) => "No problems found in this package.",
        (true, true) => "No problems found in these catalogs.",
    }
}

// Rules: the list of those that have findings, and the dialog that describes one.

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
            { rule_link(&row.rule, &row.rule, send) }
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
