//! The icons of buttons and tabs, one small set.

use yew::prelude::*;

/// An icon.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Glyph {
    Compare,
    Copy,
    Down,
    Folder,
    Graph,
    List,
    More,
    Play,
    Search,
    Share,
    Source,
}

impl Glyph {
    /// Its lines in a square of 16 units.
    const fn path(self) -> &'static str {
        match self {
            Self::Compare => "M2.5 5.5h10M10 2.5l3 3l-3 3M13.5 11h-10M6 8l-3 3l3 3",
            Self::Copy => "M6 6h7.5v7.5H6zM10.5 6V2.5h-8v8H6",
            Self::Down => "M4.5 6.5L8 10l3.5-3.5",
            Self::Folder => "M2 12.5v-9h4l1.5 2H14v7z",
            Self::Graph => {
                "M4 6a2 2 0 1 0 0 4a2 2 0 1 0 0-4M12 2a2 2 0 1 0 0 4a2 2 0 1 0 0-4M12 10a2 2 0 1 0 0 4a2 2 0 1 0 0-4\
                M5.8 7.1l4.4-2.2M5.8 8.9l4.4 2.2"
            }
            Self::List => "M2.5 4h.01M2.5 8h.01M2.5 12h.01M6 4h8M6 8h8M6 12h8",
            Self::More => "M3.5 8h.01M8 8h.01M12.5 8h.01",
            Self::Play => "M5 3v10l8-5z",
            Self::Search => "M7 2.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9M10.5 10.5L14 14",
            Self::Share => "M8 10V2.5M5 5l3-3l3 3M3.5 8v5.5h9V8",
            Self::Source => "M6 4L2 8l4 4M10 4l4 4l-4 4",
        }
    }

    /// The icon, which says nothing to screen readers.
    pub(crate) fn html(self) -> Html {
        html! { <svg class="glyph" viewBox="0 0 16 16" aria-hidden="true"><path d={self.path()} /></svg> }
    }
}
