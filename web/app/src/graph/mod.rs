//! The drawing of a package's channels on the page: its shapes, which are those of [`opscope_drawing`], as elements.

mod canvas;
mod channel_map;
mod events;
mod export;
mod lane;
mod measures;
mod navigate;
mod overlay;
mod scene;
mod tile;
mod viewport;

use crate::store::Role;
use lane::ShapeHtml;
use opscope_drawing::{band, board, chain, edge, node, print_layout, shape, simulation_marks};

pub(crate) use canvas::Canvas;
#[cfg(test)]
#[cfg(target_arch = "wasm32")]
pub(crate) use canvas::Props as CanvasProps;
pub(crate) use channel_map::ChannelMap;
pub(crate) use events::edge_edit;
pub(crate) use measures::{Drawing, Size, UP_NAMES, slim};
pub(crate) use navigate::{Arrow, announcement, neighbour};
pub(crate) use viewport::{Rule, Viewport};

/// The sign of a mark, in the middle of a square of 20 units.
pub(crate) fn sign(mark: views::Mark) -> yew::Html {
    node::badge(mark, 10, 10).html()
}

/// The way of a version to the head of its channel, as a small drawing.
pub(crate) fn small_chain(steps: &[views::ChainStep]) -> yew::Html {
    let (frame, shapes) = chain::shapes(steps);
    yew::html! {
        <svg class="drawing small-chain" role="img" aria-label={views::chain_words(steps)} viewBox={frame.view_box()}
            width={frame.width.to_string()} height={frame.height.to_string()} data-testid="small-chain">
            { for shapes.into_iter().map(shape::Shape::html) }
        </svg>
    }
}

/// The board of a namespace after this number of steps, for a wide and for a narrow place. The style sheet shows one
/// of the two.
pub(crate) fn board_picture(view: &views::BoardView, steps: usize) -> yew::Html {
    if view.changing().next().is_none() {
        return yew::Html::default();
    }
    let done = view.column_after(u32::try_from(steps).unwrap_or(u32::MAX));
    let words = view.words();
    let picture = |class: &'static str, room: board::Room| {
        let (frame, shapes) = board::shapes(view, done, room);
        yew::html! {
            <svg class={yew::classes!("drawing", "board-picture", class)} role="img" aria-label={words.clone()}
                viewBox={frame.view_box()} width={frame.width.to_string()} height={frame.height.to_string()}>
                { for shapes.into_iter().map(shape::Shape::html) }
            </svg>
        }
    };
    yew::html! {
        <div class="board" data-testid="board">
            { picture("wide", board::Room::Wide) }
            { picture("narrow", board::Room::Narrow) }
        </div>
    }
}

/// The classes of a highlighted part in the style sheet.
const fn role_class(role: Role) -> &'static str {
    match role {
        Role::Subject => "highlighted subject",
        Role::Before => "highlighted before",
        Role::After => "highlighted after",
        Role::Path => "highlighted on-path",
    }
}
