//! The Table tab: the entries of a package with the same content as the graph, filtered and sorted. Up and Down arrow
//! keys move between rows, Left and Right along the edges.

use crate::dom;
use crate::graph::{Arrow, announcement, neighbour};
use crate::kit::use_window;
use crate::parts::mark_sign;
use crate::store::{
    Action, ExploreAction, NavigationAction, Shared, TableColumn, TableFilter, TableKind, TableRow, table,
};
use opscope_drawing::SimulatedEntries;
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
const CHARACTER: [usize; 7] = [74, 70, 66, 66, 74, 74, 74];
/// The largest width of the first column in characters.
const FIRST: usize = 264;
/// Width of a sign before the words of the marks.
const SIGN: usize = 20;
/// Horizontal padding of a cell, left and right together.
const PADDING: usize = 25;
/// The heads of the columns, in the order of [`TableColumn::ALL`].
const HEADS: [&str; 7] = ["Entry", "Channel", "Marks", "Findings", "Replaces", "Skips", "skipRange"];
/// Characters that the arrow of a sorted column takes.
const ARROW: usize = 2;

/// Properties of the tab.
#[derive(Clone, PartialEq, Properties)]
pub(crate) struct Props {
    /// The graph.
    pub(crate) graph: Shared<GraphView>,
    /// Which entries are shown, and in which order.
    pub(crate) filter: TableFilter,
    /// The simulation's marks on its entries.
    pub(crate) simulated: SimulatedEntries,
    /// The selected entry.
    pub(crate) selected: Option<EntryKey>,
    /// Whether the page is being printed.
    pub(crate) printing: bool,
    /// Receives actions.
    pub(crate) send: Callback<Action>,
}

/// One row for each entry that the filter shows.
#[component]
pub(crate) fn Table(props: &Props) -> Html {
    let rows =
        use_memo((props.graph.clone(), props.simulated.clone(), props.filter.clone()), |(graph, simulated, filter)| {
            filter.apply(table(graph, simulated)).into_iter().map(RowText::of).collect::<Vec<_>>()
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
    let here = (*at).min(rows.len().saturating_sub(1));
    let onkeydown = {
        let (props, rows, at, window) = (props.clone(), rows.clone(), at.clone(), window.clone());
        Callback::from(move |event: KeyboardEvent| {
            if let Some(next) = step(&props.graph, &rows, here, &event.key()) {
                event.prevent_default();
                *moved.borrow_mut() = next != *at;
                window.show(next, 0);
                at.set(next);
            }
        })
    };
    let range =
        if props.printing { printed(rows.len(), window.rows(rows.len()).start) } else { window.rows(rows.len()) };
    let left_out = (range.len() < rows.len()).then(|| {
        format!(
            "Rows {} to {} of {}. To get all of them, use Export > JSON in the Graph tab.",
            range.start + 1,
            range.end,
            rows.len()
        )
    });
    let spacer = |many: usize| {
        html! {
            if many > 0 {
                <tr role="presentation" class="spacer">
                    <td role="presentation" height={(many * ROW as usize).to_string()}></td>
                </tr>
            }
        }
    };
    let shown =
        rows[range.clone()].iter().zip(range.start..).map(|(row, index)| table_row(props, row, index, index == here));
    let words = rows.get(here).map(|row| announcement(&props.graph, row.node));
    html! {
        <div class="table" role="tabpanel" aria-label="Entries">
            { tools(props, rows.len()) }
            <div class="scroll grid" ref={window.frame.clone()} onscroll={window.onscroll.clone()}>
                <table class="entries" data-testid="table" aria-rowcount={(rows.len() + 1).to_string()} {onkeydown}>
                    <colgroup>{ for columns.iter().map(|width| html! { <col width={width.to_string()} /> }) }</colgroup>
                    <thead>
                        <tr aria-rowindex="1">
                            { for TableColumn::ALL.iter().zip(HEADS).map(|(column, name)| head(props, *column, name)) }
                        </tr>
                    </thead>
                    <tbody>{ spacer(range.start) }{ for shown }{ spacer(rows.len() - range.end) }</tbody>
                </table>
                if rows.is_empty() { { empty_list(props) } }
                <p class="on-paper">{ left_out }</p>
                <p class="unseen" aria-live="polite" data-testid="table-announcement">{ words }</p>
            </div>
        </div>
    }
}

/// The head of a column. It sorts the table.
fn head(props: &Props, column: TableColumn, name: &'static str) -> Html {
    let filter = props.filter.sorted_by(column);
    let onclick = props.send.reform(move |_: MouseEvent| Action::Explore(ExploreAction::TableFiltered(filter.clone())));
    let sorted = props.filter.by == Some(column);
    let (sort, arrow) = match props.filter.reversed {
        _ if !sorted => (None, ""),
        false => (Some("ascending"), " ▴"),
        true => (Some("descending"), " ▾"),
    };
    html! {
        <th scope="col" aria-sort={sort}><button type="button" class="plain" {onclick}>{ name }{ arrow }</button></th>
    }
}

/// The kinds of entries that there are, by the value of their option.
fn kinds(graph: &GraphView) -> Vec<(String, TableKind)> {
    let rows = table(graph, &SimulatedEntries::default());
    let mut marks: Vec<Mark> = rows.iter().flat_map(|row| row.marks.iter().copied()).collect();
    marks.sort();
    marks.dedup();
    let findings = rows.iter().any(|row| row.findings > 0).then_some(TableKind::WithFindings);
    let kinds = std::iter::once(TableKind::All).chain(findings).chain(marks.into_iter().map(TableKind::Marked));
    kinds.map(|kind| (kind_name(kind).to_owned(), kind)).collect()
}

const fn kind_name(kind: TableKind) -> &'static str {
    match kind {
        TableKind::All => "all entries",
        TableKind::WithFindings => "with findings",
        TableKind::Marked(mark) => mark.word(),
    }
}

/// The filters, and the number of entries that they show.
fn tools(props: &Props, shown: usize) -> Html {
    let all = props.graph.nodes.len();
    let filter = props.filter.clone();
    let oninput = props.send.reform(move |event: InputEvent| {
        let text = dom::input_text(&event);
        Action::Explore(ExploreAction::TableFiltered(TableFilter { text, ..filter.clone() }))
    });
    let kinds = kinds(&props.graph);
    let options = kinds.iter().map(|(name, kind)| {
        html! { <option value={name.clone()} selected={*kind == props.filter.kind}>{ name }</option> }
    });
    let (filter, known) = (props.filter.clone(), kinds.clone());
    let onchange = props.send.reform(move |event: Event| {
        let chosen = dom::select_text(&event);
        let kind = known.iter().find(|(name, _)| *name == chosen).map_or(TableKind::All, |(_, kind)| *kind);
        Action::Explore(ExploreAction::TableFiltered(TableFilter { kind, ..filter.clone() }))
    });
    html! {
        <div class="tools">
            <input type="search" placeholder="Filter" aria-label="Entries that contain" data-testid="table-text"
                value={props.filter.text.clone()} {oninput} />
            <select aria-label="Kind of entries" data-testid="table-kind" {onchange}>{ for options }</select>
            <span class="mute" role="status">
                { format!("{shown} of {all} entr{}", if all == 1 { "y" } else { "ies" }) }
            </span>
        </div>
    }
}

/// The text of a table without rows, with a button that shows all.
fn empty_list(props: &Props) -> Html {
    let all = TableFilter { text: String::new(), kind: TableKind::All, ..props.filter.clone() };
    let onclick = props.send.reform(move |_: MouseEvent| {
        dom::focus("table-text");
        Action::Explore(ExploreAction::TableFiltered(all.clone()))
    });
    html! {
        <p class="mute waiting" role="status">
            { "No entry matches the filters. " }
            <button type="button" class="link" data-testid="table-all" {onclick}>{ "Show all entries" }</button>
        </p>
    }
}

/// The printed rows: all, or if there are too many, those from the first visible one.
fn printed(all: usize, first: usize) -> Range<usize> {
    let start = first.min(all.saturating_sub(PRINTED));
    start..all.min(start + PRINTED)
}

/// The cells of a row as text.
#[derive(Clone, Debug, PartialEq)]
struct RowText {
    key: EntryKey,
    /// The index of its node.
    node: usize,
    label: String,
    replaces: String,
    skips: String,
    skip_range: String,
    marks: String,
    /// Marks whose signs are shown.
    signs: Vec<Mark>,
    findings: u32,
}

impl RowText {
    fn of(row: TableRow<'_>) -> Self {
        let marks = row.marks.iter().map(|mark| mark.word().to_owned()).chain(row.simulated);
        Self {
            marks: marks.collect::<Vec<_>>().join(", "),
            signs: row.marks.clone(),
            key: row.key.clone(),
            node: row.node,
            label: row.label.to_owned(),
            replaces: row.replaces.join(", "),
            skips: row.skips.join(", "),
            skip_range: row.skip_range.unwrap_or_default().to_owned(),
            findings: row.findings,
        }
    }
}

/// The column widths in CSS pixels for all rows, including those out of sight, so that scrolling does not move
/// columns. The style sheet distributes extra space.
fn widths(rows: &[RowText]) -> [usize; HEADS.len()] {
    let mut longest = HEADS.map(|head| head.chars().count() + ARROW);
    let mut signs = 0;
    for row in rows {
        signs = row.signs.len().max(signs);
        let channel = row.key.channel.as_deref().unwrap_or("none");
        let cells = [&*row.label, channel, &row.marks, "", &row.replaces, &row.skips, &row.skip_range];
        for (longest, cell) in longest.iter_mut().zip(cells) {
            *longest = cell.chars().count().max(*longest);
        }
    }
    let mut widths = HEADS.map(|_| 0);
    for ((width, longest), tenths) in widths.iter_mut().zip(longest).zip(CHARACTER) {
        *width = longest.min(LONGEST) * tenths / 10 + PADDING;
    }
    widths[2] += SIGN * signs;
    // The first column is sticky.
    widths[0] = widths[0].min(FIRST);
    widths
}

/// The row that a key moves to.
fn step(graph: &GraphView, rows: &[RowText], here: usize, key: &str) -> Option<usize> {
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

fn table_row(props: &Props, row: &RowText, index: usize, stop: bool) -> Html {
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
            <td title={row.marks.clone()}>{ for row.signs.iter().map(|mark| mark_sign(*mark)) }{ &row.marks }</td>
            <td>if row.findings > 0 { <span class="number">{ row.findings }</span> }</td>
            { cell(&row.replaces) }{ cell(&row.skips) }{ cell(&row.skip_range) }
        </tr>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_what_is_in_them() {
        let key = EntryKey { channel: Some("stable".to_owned()), name: "p.v1.0.0".to_owned() };
        let row = RowText {
            key,
            node: 0,
            label: "1.0.0".repeat(50),
            replaces: String::new(),
            skips: "p".repeat(900),
            skip_range: ">=1.0.0 <1.30.0-rc.1".to_owned(),
            marks: "head".to_owned(),
            signs: vec![Mark::Head],
            findings: 0,
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
