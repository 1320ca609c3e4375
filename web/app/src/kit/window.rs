//! Virtual scrolling: which rows and columns of a large table are rendered.

use crate::dom;
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

// A boundary between two regions that can be moved by dragging and by keys.

/// How far a key moves the boundary, in CSS pixels.
const STEP: i32 = 24;

#[derive(Clone, PartialEq, Properties)]
pub(crate) struct Props {
    /// The id of the region whose size the boundary determines; the style sheet's variable is named after it.
    pub(crate) region: &'static str,
    /// The name of the boundary for screen readers.
    pub(crate) label: &'static str,
    /// Whether the region is on the left of the boundary.
    pub(crate) leads: bool,
    /// The size of the region in CSS pixels; `None` if it is as the style sheet has it.
    pub(crate) size: Option<u32>,
    /// Receives the size when the boundary was moved, and `None` when it was reset.
    pub(crate) on_move: Callback<Option<u32>>,
}

/// A vertical boundary. While it is dragged only the style sheet's variable changes, and nothing is rendered.
#[component]
pub(crate) fn Splitter(props: &Props) -> Html {
    let Props { region, leads, on_move, .. } = props.clone();
    // The pointer's position and the region's size when dragging began.
    let grip = use_mut_ref(|| None::<(i32, i32)>);
    let at = move |grip: (i32, i32), x: i32| (grip.1 + if leads { x - grip.0 } else { grip.0 - x }).max(0);
    let onpointerdown = {
        let grip = grip.clone();
        Callback::from(move |event: PointerEvent| {
            if event.button() == 0 {
                event.prevent_default();
                dom::capture_pointer(&event);
                *grip.borrow_mut() = Some((event.client_x(), dom::region_width(region)));
            }
        })
    };
    let onpointermove = {
        let grip = grip.clone();
        Callback::from(move |event: PointerEvent| {
            if let Some(grip) = *grip.borrow() {
                dom::set_region_width(region, Some(at(grip, event.client_x()).unsigned_abs()));
            }
        })
    };
    let onpointerup = {
        let on_move = on_move.clone();
        Callback::from(move |event: PointerEvent| {
            let moved = grip.borrow_mut().take().filter(|grip| grip.0 != event.client_x());
            if moved.is_some() {
                // The style sheet bounds the size, so that no region vanishes.
                on_move.emit(Some(dom::region_width(region).unsigned_abs()));
            }
        })
    };
    let onkeydown = {
        let on_move = on_move.clone();
        Callback::from(move |event: KeyboardEvent| {
            let step = match event.key().as_str() {
                "ArrowLeft" if leads => -STEP,
                "ArrowRight" if leads => STEP,
                "ArrowLeft" => STEP,
                "ArrowRight" => -STEP,
                "Enter" => 0,
                _ => return,
            };
            event.prevent_default();
            let size = (dom::region_width(region) + step).max(0).unsigned_abs();
            on_move.emit((step != 0).then_some(size));
        })
    };
    let ondblclick = on_move.reform(|_: MouseEvent| None);
    let text = props.size.map_or_else(|| "automatic".to_owned(), |size| format!("{size} pixels"));
    html! {
        <div class="splitter" data-region={region} role="separator" tabindex="0" aria-orientation="vertical"
            aria-label={props.label} aria-controls={region} aria-valuenow={props.size.unwrap_or_default().to_string()}
            aria-valuetext={text} title="Drag, or press the arrow keys; double-click or Enter resets"
            data-testid={format!("splitter-{region}")} {onpointerdown} {onpointermove} {onpointerup} {onkeydown}
            {ondblclick}></div>
    }
}
