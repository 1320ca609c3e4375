//! The drawing of a package's channels as SVG, from [`views::GraphView`]; positions are the layout's.

mod band;
mod canvas;
mod channel_map;
mod edge;
mod events;
mod export;
mod hit;
mod lane;
mod legend;
mod minimap;
mod navigate;
mod node;
mod overlay;
mod part;
mod picture;
mod print;
mod print_layout;
mod scene;
mod shape;
mod simulation_marks;
#[cfg(test)]
pub(crate) mod testing;
mod tile;
mod tile_queue;
mod viewport;

use crate::store::Role;

pub(crate) use canvas::Canvas;
#[cfg(test)]
#[cfg(target_arch = "wasm32")]
pub(crate) use canvas::Props as CanvasProps;
pub(crate) use channel_map::ChannelMap;
pub(crate) use navigate::{Arrow, announcement, neighbour};
pub use picture::{Picture, whole_picture};
pub(crate) use scene::VisibleArea;
pub(crate) use viewport::{Area, Drawing, Rule, Size, Viewport, slim};

/// The sign of a mark, in the middle of a square of 20 units.
pub(crate) fn sign(mark: views::Mark) -> yew::Html {
    node::badge(mark, 10, 10).html()
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
