//! The table of all installed versions: one row for each channel and version of the state before.

use super::level;
use crate::kit::{button, on, table_body, use_window};
use crate::parts::TableParts;
use crate::store::{Action, CompareAction, RowColumn, RowFilter, RowKind, Shared};
use views::{PackageComparisonView, RowView};
use yew::prelude::*;

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
