//! The rows of a long table that are in sight.

use std::ops::Range;
use yew::prelude::*;

/// So many rows are kept ready beyond each edge.
const BEYOND: usize = 12;
/// So many rows are taken to be in sight until the frame has been seen.
const AT_FIRST: usize = 40;

/// Which rows of a table are in the page.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    /// The element that scrolls.
    pub(crate) frame: NodeRef,
    /// To be called when it does.
    pub(crate) onscroll: Callback<Event>,
    first: UseStateHandle<(usize, usize)>,
    rows: usize,
}

impl Window {
    /// The rows that are to be in the page.
    pub(crate) fn range(&self) -> Range<usize> {
        let (first, many) = *self.first;
        let start = first.saturating_sub(BEYOND).min(self.rows);
        start..(first + many + BEYOND).min(self.rows)
    }

    /// Puts a row into the page, so that it can be scrolled to.
    pub(crate) fn show(&self, row: usize) {
        if !self.range().contains(&row) {
            self.first.set((row, self.first.1));
        }
    }
}

/// The window on so many rows of one height.
#[hook]
pub(crate) fn use_window(rows: usize, height: u32) -> Window {
    let frame = use_node_ref();
    let first = use_state(|| (0, AT_FIRST));
    let onscroll = {
        let (first, frame) = (first.clone(), frame.clone());
        Callback::from(move |_: Event| {
            let Some(element) = frame.cast::<web_sys::Element>() else { return };
            let height = height.max(1) as usize;
            let row = usize::try_from(element.scroll_top()).unwrap_or(0) / height;
            let many = usize::try_from(element.client_height()).unwrap_or(0) / height + 1;
            // A step of half of what is ready keeps scrolling from drawing anew all the time.
            if row.abs_diff(first.0) > BEYOND / 2 || many != first.1 {
                first.set((row, many));
            }
        })
    };
    Window { frame, onscroll, first, rows }
}
