//! Installed versions with the same outcome: the paths before and after, what the cluster shows, the cause and fixes.

use super::{level, level_words, line_link};
use crate::kit::{button, on, plural, prose, select, table_body, use_window};
use crate::panels::result::namespace_states;
use crate::parts::{TableParts, TryFix, diff, fixes, rule_link, strips};
use crate::store::{Action, Audience, CompareAction, RowColumn, RowFilter, RowKind, Shared, State, chosen_level};
use views::{
    CauseView, ClusterComparisonView, ComparisonRuleDoc, DiffLine, DiffSign, GroupView, Level, LineView,
    NamespaceFailureRow, OpenShiftView, PackageComparisonView, RowView, SubscriptionRow,
};
use yew::prelude::*;

/// A group; the first one is open.
pub(super) fn group(row: &GroupView, open: bool, send: &Callback<Action>) -> Html {
    let key = format!("{} {:?} {}", row.rule, row.channel, row.title);
    let open = open || row.level == Level::Breaking;
    let test_id = if row.is_v1 { "extension-group" } else { "row-group" };
    html! {
        <details class="row-group" {key} {open} data-testid={test_id} data-rule={row.rule.clone()}>
            { summary(row) }
            <p>{ prose(&row.about) }{ " " }{ rule_link(&row.rule, "rule", send) }</p>
            <div class="split">
                <div>
                    { strips(["Before", "After"], [&row.before, &row.after], &row.versions) }
                    { shows(row) }
                </div>
                { causes(&row.cause, row.more_causes, send) }
            </div>
            { fixes("Fixes (each one verified)", &row.fixes, TryFix::Made, Audience::Publishes, send) }
        </details>
    }
}

/// The level, the versions, the channel and the outcome in one line.
fn summary(row: &GroupView) -> Html {
    let channels = match &row.channel {
        None => html! { <span>{ " without channels" }</span> },
        Some(_) => html! { <span>
        { format!(" in channel{} ", plural(row.channels.len())) }<b>{ row.channels.join(", ") }</b></span> },
    };
    html! { <summary>
        { level(row.level) }<b title={row.versions.join(", ")}>{ &row.title }</b>{ channels }
        <span class="outcome">{ outcome(row) }</span>
        // Where it ends does not say what the risk is.
        if row.level == Level::Risky { <span class="risk">{ prose(&row.about) }</span> }
    </summary> }
}

/// What the cluster shows, and what happens with all that the versions require.
fn shows(row: &GroupView) -> Html {
    html! { <>
        <p class="shows"><b>{ "The cluster shows: " }</b>{ prose(&row.shows) }</p>
        if row.is_v1 { <p>{ prose(&row.effect) }</p> }
        if let Some(text) = &row.simulated {
            <p data-testid="with-dependencies"><b>{ "But " }</b>{ prose(text) }</p>
        }
    </> }
}

/// How the updates of the versions end, in a few words.
fn outcome(row: &GroupView) -> String {
    match &row.after.last {
        Some(last) => format!("→ {last}, {}", row.after.end),
        None => row.after.end.clone(),
    }
}

/// The edits that a group is due to.
fn causes(rows: &[CauseView], more: u32, send: &Callback<Action>) -> Html {
    html! {
        if !rows.is_empty() {
            <div data-testid="cause"><h4>{ "Cause" }</h4><ul class="cause">
                { for rows.iter().map(|row| cause(row, send)) }
                if more > 0 { <li>{ format!("{more} more") }</li> }</ul></div>
        }
    }
}

/// An edit with the lines that it changed.
fn cause(row: &CauseView, send: &Callback<Action>) -> Html {
    let lines = [(DiffSign::Removed, &row.before), (DiffSign::Added, &row.after)];
    let lines = lines.into_iter().filter_map(|(sign, line)| Some((sign, line.as_ref()?)));
    let numbered =
        |(sign, line): (DiffSign, &LineView)| (Some(line.place.line), DiffLine { sign, text: line.text.clone() });
    let places = lines.clone().map(|(_, line)| html! { <>{ " " }{ line_link(line, send) }</> });
    html! { <li>
        { diff(&lines.clone().map(numbered).collect::<Vec<_>>(), None) }
        <p>{ prose(&row.text) }{ for places }</p>
    </li> }
}

// The table of all installed versions: one row for each channel and version of the state before.

/// Height of a row in CSS pixels, as in the style sheet.
const ROW: u32 = 32;

#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub(super) view: Shared<PackageComparisonView>,
    /// Which rows are shown, and in which order.
    pub(super) filter: RowFilter,
    pub(super) send: Callback<Action>,
}

/// The table with its filters. It renders the visible rows only.
#[component]
pub(super) fn Rows(props: &Props) -> Html {
    let shown = use_memo((props.view.clone(), props.filter.clone()), |(view, filter)| {
        filter.rows(&view.rows).into_iter().cloned().collect::<Vec<RowView>>()
    });
    let window = use_window(ROW, u32::MAX);
    let filtered = on(&props.send, CompareAction::RowsFiltered);
    let parts = TableParts { filter: &props.filter, filtered };
    html! {
        <div class="table">
            { tools(props, &parts, shown.len()) }
            <div class="scroll grid" tabindex="0" role="region" aria-label="Installed versions"
                ref={window.frame.clone()} onscroll={window.onscroll.clone()}>
                <table class="entries" data-testid="row-table" aria-rowcount={(shown.len() + 1).to_string()}>
                    <thead>
                        <tr aria-rowindex="1">
                            { for RowColumn::ALL.map(|(column, name)| parts.head(column, name)) }
                        </tr>
                    </thead>
                    { table_body(ROW, shown.len(), window.rows(shown.len()), |at| table_row(&shown[at], at)) }
                </table>
                if shown.is_empty() {
                    { parts.empty("rows", "No installed version matches the filters.", "Show all", "rows-text") }
                }
            </div>
        </div>
    }
}

/// The filters, and the number of rows that they show.
fn tools(props: &Props, parts: &TableParts<'_, RowKind, RowColumn>, shown: usize) -> Html {
    html! {
        <div class="tools">
            { parts.search(("Filter", "Installed versions that contain", "rows-text"), |filter| &mut filter.text) }
            { parts.kind_button(RowKind::Changed, "rows-changed", None, html! { "Only changed" }) }
            <span class="mute" role="status">{ format!("{shown} of {}", props.view.rows.len()) }</span>
            { button("rows-copy", "Copy as Markdown", &props.send, CompareAction::RowsCopied) }
        </div>
    }
}

fn table_row(row: &RowView, at: usize) -> Html {
    let cell = |text: &str| html! { <td title={text.to_owned()}>{ text }</td> };
    html! { <tr key={format!("{} {}", row.channel, row.installed)} aria-rowindex={(at + 2).to_string()}>
        { cell(&row.channel) }<th scope="row" class="mono" title={row.installed.clone()}>{ &row.label }</th>
            { cell(&row.before) }{ cell(&row.after) }
        <td>{ for row.level.map(level) }{ " " }<small class="mono">{ row.rule.as_deref().unwrap_or("nothing") }
            </small></td>
    </tr> }
}

// What the dialog about a rule of comparisons shows: what clusters do, and the level, which the user can change.

/// The description of a rule, and the choice of its level.
pub(in crate::panels) fn comparison_rule(state: &State, doc: &ComparisonRuleDoc, send: &Callback<Action>) -> Html {
    let chosen = chosen_level(&state.compare.levels, &doc.id);
    let rule = doc.id.clone();
    let choose = move |level: String| {
        let level = Some(level).filter(|level| !level.is_empty());
        Some(CompareAction::LevelChosen { rule: rule.clone(), level })
    };
    let own = (String::new(), format!("{}, its own", level_words(doc.level).0));
    let names = Level::ALL.iter().map(|level| level_words(*level).0).chain(["off"]);
    let options = std::iter::once(own).chain(names.map(|name| (name.to_owned(), name.to_owned())));
    html! { <>
        <p>{ level(doc.level) }{ " " }<b>{ prose(&doc.about) }</b></p>
        <p>{ prose(&doc.effect) }</p>
        <p><label>{ "Level in this comparison: " }
            { select("rule-level", options, chosen.unwrap_or_default(), send, choose) }</label></p>
        <p class="mute">
            { "A comment with this rule at an entry, at the head of its channel or at the channel ignores it " }
            { "there." }
        </p>
    </> }
}

// What becomes of the Subscriptions of the user's cluster when the catalog is exchanged.

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
