//! The table of all installed versions: one row for each channel and version of the state before.

use super::level;
use crate::dom;
use crate::kit::use_window;
use crate::store::{Action, CompareAction, RowColumn, RowFilter, Shared};
use views::{PackageComparisonView, RowView};
use yew::prelude::*;

/// Height of a row in CSS pixels, as in the style sheet.
const ROW: u32 = 32;

/// Properties of the table.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    /// The comparison.
    pub(super) view: Shared<PackageComparisonView>,
    /// Which rows are shown, and in which order.
    pub(super) filter: RowFilter,
    /// Receives actions.
    pub(super) send: Callback<Action>,
}

/// The table with its filters. It renders the visible rows only.
#[component]
pub(super) fn Rows(props: &Props) -> Html {
    let shown = use_memo((props.view.clone(), props.filter.clone()), |(view, filter)| {
        filter.apply(&view.rows).into_iter().cloned().collect::<Vec<RowView>>()
    });
    let window = use_window(ROW, u32::MAX);
    let range = window.rows(shown.len());
    let spacer = |many: usize| {
        html! { if many > 0 { <tr role="presentation" class="spacer">
        <td role="presentation" height={(many * ROW as usize).to_string()}></td></tr> } }
    };
    let rows = shown[range.clone()].iter().zip(range.start..).map(|(row, at)| table_row(row, at));
    html! { <div class="table">
        { tools(props, shown.len()) }
        <div class="scroll grid" tabindex="0" role="region" aria-label="Installed versions"
            ref={window.frame.clone()} onscroll={window.onscroll.clone()}>
            <table class="entries" data-testid="row-table" aria-rowcount={(shown.len() + 1).to_string()}>
                <thead><tr aria-rowindex="1">{ for RowColumn::ALL.map(|(column, name)| head(props, column, name)) }
                    </tr></thead>
                <tbody>{ spacer(range.start) }{ for rows }{ spacer(shown.len() - range.end) }</tbody>
            </table>
        </div>
    </div> }
}

/// The head of a column. It sorts the table.
fn head(props: &Props, column: RowColumn, name: &'static str) -> Html {
    let filter = props.filter.sorted_by(column);
    let onclick = props.send.reform(move |_: MouseEvent| Action::Compare(CompareAction::RowsFiltered(filter.clone())));
    let (sort, arrow) = match (props.filter.by == Some(column), props.filter.reversed) {
        (false, _) => (None, ""),
        (true, false) => (Some("ascending"), " ▴"),
        (true, true) => (Some("descending"), " ▾"),
    };
    html! { <th scope="col" aria-sort={sort}><button type="button" class="plain" {onclick}>{ name }{ arrow }
    </button></th> }
}

fn tools(props: &Props, shown: usize) -> Html {
    let filtered = |filter: RowFilter| Action::Compare(CompareAction::RowsFiltered(filter));
    let filter = props.filter.clone();
    let oninput = props
        .send
        .reform(move |event: InputEvent| filtered(RowFilter { text: dom::input_text(&event), ..filter.clone() }));
    let filter = RowFilter { changed: !props.filter.changed, ..props.filter.clone() };
    let onclick = props.send.reform(move |_: MouseEvent| filtered(filter.clone()));
    let copy = props.send.reform(|_: MouseEvent| Action::Compare(CompareAction::RowsCopied));
    html! { <div class="tools">
        <input type="search" placeholder="Filter" aria-label="Installed versions that contain"
            data-testid="rows-text" value={props.filter.text.clone()} {oninput} />
        <button type="button" aria-pressed={props.filter.changed.to_string()} data-testid="rows-changed" {onclick}>
            { "Only changed" }</button>
        <span class="mute" role="status">{ format!("{shown} of {}", props.view.rows.len()) }</span>
        <button type="button" data-testid="rows-copy" onclick={copy}>{ "Copy as Markdown" }</button>
    </div> }
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
