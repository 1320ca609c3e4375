//! The Table tab: the entries of a package with the same content as the graph, filtered and sorted. Up and Down arrow
//! keys move between rows, Left and Right along the edges.

use crate::dom;
use crate::graph::{Arrow, announcement, neighbour};
use crate::kit::{on, option, table_body, use_window};
use crate::parts::{TableParts, mark_sign};
use crate::store::{
    Action, EntryColumn, EntryFilter, EntryKind, ExploreAction, NavigationAction, Shared, TableEntry, entry_rows,
};
use opscope_drawing::SimulatedEntries;
use std::collections::BTreeSet;
use std::ops::Range;
use views::{EntryKey, GraphView, Mark};
use yew::prelude::*;

/// Height of a row in CSS pixels, as in the style sheet.
const ROW: u32 = 32;
/// Rows that Page Up and Page Down move.
const PAGE: usize = 12;
/// The largest number of printed rows.
const PRINTED: usize = 2_000;
/// The largest width of a column in characters; longer texts are shown in full in the details.
const LONGEST: usize = 56;
/// Width of a character by column, tenths of a CSS pixel: names and versions are monospaced.
const CHARACTER: [usize; EntryColumn::ALL.len()] = [74, 70, 66, 66, 74, 74, 74];
/// The largest width of the first column in characters.
const FIRST: usize = 264;
/// Width of a sign before the words of the marks.
const SIGN: usize = 20;
/// Horizontal padding of a cell, left and right together.
const PADDING: usize = 25;
/// Characters that the arrow of a sorted column takes.
const ARROW: usize = 2;

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct Props {
    pub(crate) graph: Shared<GraphView>,
    /// Which entries are shown, and in which order.
    pub(crate) filter: EntryFilter,
    /// The simulation's marks on its entries.
    pub(crate) simulated: SimulatedEntries,
    pub(crate) selected: Option<EntryKey>,
    /// Whether another package is selected, whose entries take their place as soon as they arrive.
    pub(crate) outdated: bool,
    /// Whether the page is being printed.
    pub(crate) printing: bool,
    pub(crate) send: Callback<Action>,
}

/// One row for each entry that the filter shows.
#[component]
pub(crate) fn Table(props: &Props) -> Html {
    let entries =
        use_memo((props.graph.clone(), props.simulated.clone()), |(graph, simulated)| entry_rows(graph, simulated));
    let rows = use_memo((entries.clone(), props.filter.clone()), |(entries, filter)| {
        filter.entries(entries).into_iter().cloned().collect::<Vec<_>>()
    });
    let columns = use_memo(rows.clone(), |rows| widths(rows));
    let first = props.selected.as_ref().and_then(|key| rows.iter().position(|row| row.key == *key));
    let at = use_state(|| first.unwrap_or(0));
    let window = use_window(ROW, u32::MAX);
    let moved = use_mut_ref(|| false);
    {
        let moved = moved.clone();
        use_effect_with(*at, move |at| {
            if moved.replace(false) {
                dom::focus_into_view(&format!("row-{at}"));
            }
        });
    }
    // A filter may have left fewer rows.
    let stop = (*at).min(rows.len().saturating_sub(1));
    let onkeydown = {
        let (props, rows, window) = (props.clone(), rows.clone(), window.clone());
        Callback::from(move |event: KeyboardEvent| {
            if let Some(next) = step(&props.graph, &rows, stop, &event.key()) {
                event.prevent_default();
                *moved.borrow_mut() = next != *at;
                window.show(next, 0);
                at.set(next);
            }
        })
    };
    let visible = window.rows(rows.len());
    let range = if props.printing { printed(rows.len(), visible.start) } else { visible };
    let left_out = (range.len() < rows.len()).then(|| {
        format!(
            "Rows {} to {} of {}. To get all of them, use JSON in the menu below the graph.",
            range.start + 1,
            range.end,
            rows.len()
        )
    });
    let filtered = on(&props.send, ExploreAction::TableFiltered);
    let parts = TableParts { filter: &props.filter, filtered };
    let announced = rows.get(stop).map(|row| announcement(&props.graph, row.node));
    html! {
        <div class={classes!("table", props.outdated.then_some("outdated"))} role="tabpanel" aria-label="Entries"
            aria-busy={props.outdated.then_some("true")} inert={props.outdated}>
            { tools(&entries, &parts, rows.len()) }
            <div class="scroll grid" ref={window.frame.clone()} onscroll={window.onscroll.clone()}>
                <table class="entries" data-testid="table" aria-rowcount={(rows.len() + 1).to_string()} {onkeydown}>
                    <colgroup>{ for columns.iter().map(|width| html! { <col width={width.to_string()} /> }) }</colgroup>
                    <thead>
                        <tr aria-rowindex="1">
                            { for EntryColumn::ALL.map(|(column, name)| parts.head(column, name)) }
                        </tr>
                    </thead>
                    { table_body(ROW, rows.len(), range, |at| table_row(props, &rows[at], at, at == stop)) }
                </table>
                if rows.is_empty() {
                    { parts.empty("table", "No entry matches the filters.", "Show all entries", "table-text") }
                }
                <p class="on-paper">{ left_out }</p>
                <p class="unseen" aria-live="polite" data-testid="table-announcement">{ announced }</p>
            </div>
        </div>
    }
}

fn kinds(rows: &[TableEntry]) -> Vec<EntryKind> {
    let marks: BTreeSet<Mark> = rows.iter().flat_map(|row| row.marks.iter().copied()).collect();
    let findings = rows.iter().any(|row| row.findings > 0).then_some(EntryKind::WithFindings);
    findings.into_iter().chain(marks.into_iter().map(EntryKind::Marked)).collect()
}

/// The name of a kind, which is also the value of its option.
const fn kind_name(kind: Option<EntryKind>) -> &'static str {
    match kind {
        None => "all entries",
        Some(EntryKind::WithFindings) => "with findings",
        Some(EntryKind::Marked(mark)) => mark.word(),
    }
}

/// The filters, and the number of entries that they show.
fn tools(rows: &[TableEntry], parts: &TableParts<'_, EntryKind, EntryColumn>, shown: usize) -> Html {
    let all = rows.len();
    let kinds = kinds(rows);
    let chosen = parts.filter.kind;
    let kind_option = |kind| option(kind_name(kind), kind == chosen, kind_name(kind));
    let options = std::iter::once(None).chain(kinds.iter().copied().map(Some)).map(kind_option).collect::<Html>();
    let filter = parts.filter.clone();
    let onchange = parts.filtered.reform(move |event: Event| {
        let name = dom::select_text(&event);
        let kind = kinds.iter().copied().find(|kind| kind_name(Some(*kind)) == name);
        EntryFilter { kind, ..filter.clone() }
    });
    html! {
        <div class="tools">
            { parts.search(("Filter", "Entries that contain", "table-text"), |filter| &mut filter.text) }
            <select aria-label="Kind of entries" data-testid="table-kind" {onchange}>{ options }</select>
            <span class="mute" role="status">
                { format!("{shown} of {all} entr{}", if all == 1 { "y" } else { "ies" }) }
            </span>
        </div>
    }
}

/// The printed rows: all, or if there are too many, those from the first visible one.
fn printed(all: usize, first: usize) -> Range<usize> {
    let start = first.min(all.saturating_sub(PRINTED));
    start..all.min(start + PRINTED)
}

/// The column widths in CSS pixels for all rows, including those out of sight, so that scrolling does not move
/// columns. The style sheet distributes extra space.
fn widths(rows: &[TableEntry]) -> [usize; EntryColumn::ALL.len()] {
    let mut longest = EntryColumn::ALL.map(|(_, head)| head.chars().count() + ARROW);
    let mut signs = 0;
    for row in rows {
        signs = row.marks.len().max(signs);
        let channel = row.key.channel.as_deref().unwrap_or("none");
        let cells = [
            &row.label,
            channel,
            &row.words,
            "",
            &row.replaces,
            &row.skips,
            row.skip_range.as_deref().unwrap_or_default(),
        ];
        for (longest, cell) in longest.iter_mut().zip(cells) {
            *longest = cell.chars().count().max(*longest);
        }
    }
    let mut widths = [0; EntryColumn::ALL.len()];
    for ((width, longest), tenths) in widths.iter_mut().zip(longest).zip(CHARACTER) {
        *width = longest.min(LONGEST) * tenths / 10 + PADDING;
    }
    widths[2] += SIGN * signs;
    // The first column is sticky: a wide one would leave no room for the others.
    widths[0] = widths[0].min(FIRST);
    widths
}

fn step(graph: &GraphView, rows: &[TableEntry], here: usize, key: &str) -> Option<usize> {
    let last = rows.len().checked_sub(1)?;
    Some(match key {
        "ArrowUp" => here.saturating_sub(1),
        "ArrowDown" => (here + 1).min(last),
        "PageUp" => here.saturating_sub(PAGE),
        "PageDown" => (here + PAGE).min(last),
        "Home" => 0,
        "End" => last,
        "ArrowLeft" | "ArrowRight" => {
            let next = neighbour(graph, rows.get(here)?.node, Arrow::of_key(key)?)?;
            rows.iter().position(|row| row.node == next)?
        }
        _ => return None,
    })
}

fn table_row(props: &Props, row: &TableEntry, index: usize, stop: bool) -> Html {
    let key = row.key.clone();
    let onclick = props.send.reform(move |event: MouseEvent| {
        if event.shift_key() {
            Action::Explore(ExploreAction::PathTo(key.clone()))
        } else {
            Action::Navigation(NavigationAction::EntrySelected(key.clone()))
        }
    });
    let cell = |text: &str| html! { <td class="mono" title={text.to_owned()}>{ text }</td> };
    html! {
        <tr key={row.node} aria-rowindex={(index + 2).to_string()}
            aria-current={(props.selected.as_ref() == Some(&row.key)).then_some("true")}>
            <th scope="row">
                <button type="button" class="link mono" id={format!("row-{index}")}
                    tabindex={if stop { "0" } else { "-1" }} title={row.key.name.clone()} {onclick}>
                    { &row.label }
                </button>
            </th>
            <td title={row.key.channel.clone()}>{ row.key.channel.as_deref().unwrap_or("none") }</td>
            <td title={row.words.clone()}>{ for row.marks.iter().map(|mark| mark_sign(*mark)) }{ &row.words }</td>
            <td>if row.findings > 0 { <span class="number">{ row.findings }</span> }</td>
            { cell(&row.replaces) }{ cell(&row.skips) }{ cell(row.skip_range.as_deref().unwrap_or_default()) }
        </tr>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_what_is_in_them() {
        let key = EntryKey { channel: Some("stable".to_owned()), name: "p.v1.0.0".to_owned() };
        let row = TableEntry {
            key,
            node: 0,
            label: "1.0.0".repeat(50),
            replaces: String::new(),
            skips: "p".repeat(900),
            skip_range: Some(">=1.0.0 <1.30.0-rc.1".to_owned()),
            words: "head".to_owned(),
            marks: vec![Mark::Head],
            findings: 0,
            versions: [None; 3],
        };
        assert_eq!(widths(&[row]), [264, 88, 91, 91, 99, 439, 173]);
    }

    #[test]
    fn paper_has_all_rows_or_those_from_what_is_in_sight_on() {
        assert_eq!(printed(160, 40), 0..160);
        assert_eq!(printed(9600, 700), 700..2700);
        assert_eq!(printed(9600, 9500), 7600..9600);
    }
}
