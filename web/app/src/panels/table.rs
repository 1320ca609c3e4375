//! The Table tab: the entries of a package with the same content as the graph. Up and Down arrow keys move between
//! rows, Left and Right along the edges.

use crate::dom;
use crate::graph::{Arrow, announcement, neighbour};
use crate::kit::use_window;
use crate::parts::mark_sign;
use crate::store::{Action, NavigationAction, Shared, SimulatedEntries, TableRow, table};
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
const CHARACTER: [usize; 7] = [74, 70, 74, 74, 74, 66, 66];
/// The largest width of the first column in characters.
const FIRST: usize = 264;
/// Width of a sign before the words of the marks.
const SIGN: usize = 20;
/// Horizontal padding of a cell, left and right together.
const PADDING: usize = 25;
const HEADS: [&str; 7] = ["Entry", "Channel", "Replaces", "Skips", "skipRange", "Marks", "Findings"];

/// Properties of the tab.
#[derive(Clone, PartialEq, Properties)]
pub(crate) struct Props {
    /// The graph.
    pub(crate) graph: Shared<GraphView>,
    /// The simulation's marks on its entries.
    pub(crate) simulated: SimulatedEntries,
    /// The selected entry.
    pub(crate) selected: Option<EntryKey>,
    /// Whether the page is being printed.
    pub(crate) printing: bool,
    /// Receives actions.
    pub(crate) send: Callback<Action>,
}

/// One row for each entry, channel by channel, newest first.
#[component]
pub(crate) fn Table(props: &Props) -> Html {
    let rows = use_memo((props.graph.clone(), props.simulated.clone()), |(graph, simulated)| {
        table(graph, simulated).into_iter().map(RowText::of).collect::<Vec<_>>()
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
        html! { if many > 0 { <tr role="presentation" class="spacer"><td role="presentation" height={(many * ROW as usize).to_string()}></td></tr> } }
    };
    let shown =
        rows[range.clone()].iter().zip(range.start..).map(|(row, index)| table_row(props, row, index, index == here));
    let words = rows.get(here).map(|row| announcement(&props.graph, row.node));
    html! {
        <div class="scroll grid" role="tabpanel" aria-label="Entries" ref={window.frame.clone()} onscroll={window.onscroll.clone()}>
            <table class="entries" data-testid="table" aria-rowcount={(rows.len() + 1).to_string()} {onkeydown}>
                <colgroup>{ for columns.iter().map(|width| html! { <col width={width.to_string()} /> }) }</colgroup>
                <thead><tr aria-rowindex="1">{ for HEADS.map(|name| html! { <th scope="col">{ name }</th> }) }</tr></thead>
                <tbody>{ spacer(range.start) }{ for shown }{ spacer(rows.len() - range.end) }</tbody>
            </table>
            <p class="on-paper">{ left_out }</p>
            <p class="unseen" aria-live="polite" data-testid="table-announcement">{ words }</p>
        </div>
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
        let marks = row.marks.iter().map(|mark| mark_word(*mark).to_owned()).chain(row.simulated);
        Self {
            marks: marks.collect::<Vec<_>>().join(", "),
            signs: row.marks.to_vec(),
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
    let mut longest = HEADS.map(|head| head.chars().count());
    let mut signs = 0;
    for row in rows {
        signs = row.signs.len().max(signs);
        let channel = row.key.channel.as_deref().unwrap_or("none");
        let cells = [&*row.label, channel, &row.replaces, &row.skips, &row.skip_range, &row.marks];
        for (longest, cell) in longest.iter_mut().zip(cells) {
            *longest = cell.chars().count().max(*longest);
        }
    }
    let mut widths = HEADS.map(|_| 0);
    for ((width, longest), tenths) in widths.iter_mut().zip(longest).zip(CHARACTER) {
        *width = longest.min(LONGEST) * tenths / 10 + PADDING;
    }
    widths[5] += SIGN * signs;
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
            Action::Explore(crate::store::ExploreAction::PathTo(key.clone()))
        } else {
            Action::Navigation(NavigationAction::EntrySelected(key.clone()))
        }
    });
    let cell = |text: &str| html! { <td class="mono" title={text.to_owned()}>{ text }</td> };
    html! {
        <tr key={row.node} aria-rowindex={(index + 2).to_string()} aria-current={(props.selected.as_ref() == Some(&row.key)).then_some("true")}>
            <th scope="row"><button type="button" class="link mono" id={format!("row-{index}")} tabindex={if stop { "0" } else { "-1" }}
                title={row.key.name.clone()} {onclick}>{ &row.label }</button></th>
            <td title={row.key.channel.clone()}>{ row.key.channel.as_deref().unwrap_or("none") }</td>
            { cell(&row.replaces) }{ cell(&row.skips) }{ cell(&row.skip_range) }
            <td title={row.marks.clone()}>{ for row.signs.iter().map(|mark| mark_sign(*mark)) }{ &row.marks }</td>
            <td>if row.findings > 0 { <span class="number">{ row.findings }</span> }</td>
        </tr>
    }
}

/// The label of a mark.
const fn mark_word(mark: Mark) -> &'static str {
    match mark {
        Mark::Head => "head",
        Mark::Skipped => "skipped",
        Mark::Pruned => "pruned",
        Mark::Ghost => "not in channel",
        Mark::NotStartable => "not startable",
        Mark::Stranded => "stranded",
        Mark::Deprecated => "deprecated",
        Mark::NoBundle => "no bundle",
        Mark::BadRange => "invalid skipRange",
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
        assert_eq!(widths(&[row]), [264, 74, 84, 439, 173, 78, 77]);
    }

    #[test]
    fn paper_has_all_rows_or_those_from_what_is_in_sight_on() {
        assert_eq!(printed(160, 40), 0..160);
        assert_eq!(printed(9600, 700), 700..2700);
        assert_eq!(printed(9600, 9500), 7600..9600);
    }
}
