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
pub(crate) use export::whole;
pub(crate) use measures::{Drawing, Size, UP_NAMES, slim};
pub(crate) use navigate::{Arrow, announcement, ending, neighbour};
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

/// A part of a board.
#[derive(Clone, Copy)]
pub(crate) enum BoardSpot<'v> {
    /// The cluster as it stands, or a plan, by its number.
    Column(u32),
    Lane(&'v views::BoardLane),
    Mark(&'v views::BoardLane, &'v views::BoardMark),
}

/// What pressing a part of a board does.
pub(crate) struct Pressable {
    pub(crate) label: String,
    pub(crate) is_pressed: bool,
    pub(crate) press: yew::Callback<()>,
}

/// A board after this number of plans, for a wide and for a narrow place. The style sheet shows one of the two. `part`
/// tells what pressing a part of it does.
pub(crate) fn board_picture(
    view: &views::BoardView,
    plans: usize,
    part: impl Fn(BoardSpot<'_>) -> Option<Pressable>,
) -> yew::Html {
    if view.drawn().is_empty() {
        return yew::Html::default();
    }
    let done = u32::try_from(plans).unwrap_or(u32::MAX);
    let spot = |(at, spot): (usize, &board::Spot)| {
        let of = match spot.of {
            board::SpotOf::Column(column) => BoardSpot::Column(column),
            board::SpotOf::Lane(lane) => BoardSpot::Lane(&view.lanes[lane]),
            board::SpotOf::Mark(lane, at) => BoardSpot::Mark(&view.lanes[lane], &view.lanes[lane].marks[at]),
        };
        let Some(Pressable { label, is_pressed, press }) = part(of) else { return yew::Html::default() };
        let board::Spot { frame: shape::Frame { left, top, width, height }, .. } = *spot;
        let onclick = press.reform(|_: web_sys::MouseEvent| ());
        let onkeydown = crate::kit::on_activation(press);
        yew::html! {
            <rect class="spot" role="button" tabindex={if at == 0 { "0" } else { "-1" }} aria-label={label}
                aria-pressed={is_pressed.to_string()} x={left.to_string()} y={top.to_string()}
                width={width.to_string()} height={height.to_string()} rx="7" {onclick} {onkeydown} />
        }
    };
    let picture = |class: &'static str, room: board::Room| {
        let board::Drawn { frame, shapes, spots } = board::drawn(view, done, room);
        yew::html! {
            <svg class={yew::classes!("drawing", "board-picture", class)} role="group" aria-label="Board"
                viewBox={frame.view_box()} width={frame.width.to_string()} height={frame.height.to_string()}>
                <g aria-hidden="true">{ for shapes.into_iter().map(shape::Shape::html) }</g>
                { for spots.iter().enumerate().map(spot) }
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
