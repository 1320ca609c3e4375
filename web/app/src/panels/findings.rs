//! The list of findings.

use super::rules::{hidden, rules};
use crate::kit::{button, choice, on_input, press};
use crate::parts::finding_group;
use crate::store::{self, Action, FindingsAction, NavigationAction, Tab};
use views::{Counts, FindingGroup, FindingsView, Severity};
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
