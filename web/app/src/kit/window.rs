//! Virtual scrolling: which rows and columns of a large table are rendered.

use std::ops::Range;
use yew::prelude::*;

/// Rows rendered beyond each edge.
const BEYOND: usize = 8;
/// Columns rendered beyond each edge.
const BESIDE: usize = 2;
/// Rows and columns assumed visible before the frame was measured.
const AT_FIRST: Seen = Seen { row: 0, rows: 40, column: 0, columns: 12 };

/// The visible rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen {
    row: usize,
    rows: usize,
    column: usize,
    columns: usize,
}

/// Which rows and columns of a table are rendered.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    /// The element that scrolls.
    pub(crate) frame: NodeRef,
    /// The scroll handler of the element.
    pub(crate) onscroll: Callback<Event>,
    seen: UseStateHandle<Seen>,
}

impl Window {
    /// The rendered rows of a table with this many rows.
    pub(crate) fn rows(&self, all: usize) -> Range<usize> {
        around(self.seen.row, self.seen.rows, BEYOND, all)
    }

    /// The rendered columns of a table with this many columns.
    pub(crate) fn columns(&self, all: usize) -> Range<usize> {
        around(self.seen.column, self.seen.columns, BESIDE, all)
    }

    /// Renders a row and a column, so that they can be scrolled to.
    pub(crate) fn show(&self, row: usize, column: usize) {
        let mut seen = *self.seen;
        if !self.rows(usize::MAX).contains(&row) {
            seen.row = row;
        }
        if !self.columns(usize::MAX).contains(&column) {
            seen.column = column;
        }
        if seen != *self.seen {
            self.seen.set(seen);
        }
    }
}

/// The body of a table: the rows of a range, and space for the others. All rows have this height in CSS pixels.
pub(crate) fn table_body(height: u32, all: usize, range: Range<usize>, row: impl Fn(usize) -> Html) -> Html {
    let space = |rows: usize| {
        html! {
            if rows > 0 {
                <tr role="presentation" class="spacer">
                    <td role="presentation" height={(rows * height as usize).to_string()}></td>
                </tr>
            }
        }
    };
    html! { <tbody>{ space(range.start) }{ for range.clone().map(row) }{ space(all - range.end) }</tbody> }
}

fn around(first: usize, many: usize, beyond: usize, all: usize) -> Range<usize> {
    first.saturating_sub(beyond).min(all)..first.saturating_add(many + beyond).min(all)
}

/// Virtual scrolling for rows and columns of fixed sizes in CSS pixels.
#[hook]
pub(crate) fn use_window(height: u32, width: u32) -> Window {
    let frame = use_node_ref();
    let seen = use_state(|| AT_FIRST);
    let onscroll = {
        let (seen, frame) = (seen.clone(), frame.clone());
        Callback::from(move |_: Event| {
            let Some(element) = frame.cast::<web_sys::Element>() else { return };
            let part = |pixels: i32, size: u32| usize::try_from(pixels).unwrap_or(0) / size.max(1) as usize;
            let now = Seen {
                row: part(element.scroll_top(), height),
                rows: part(element.client_height(), height) + 1,
                column: part(element.scroll_left(), width),
                columns: part(element.client_width(), width) + 1,
            };
            // Move in steps of half the margin, so that not every scroll event renders again.
            let far = now.row.abs_diff(seen.row) > BEYOND / 2 || now.column.abs_diff(seen.column) > BESIDE / 2;
            if far || (now.rows, now.columns) != (seen.rows, seen.columns) {
                seen.set(now);
            }
        })
    };
    Window { frame, onscroll, seen }
}
