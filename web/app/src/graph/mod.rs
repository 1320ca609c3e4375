//! The drawing of a package's channels as SVG, from [`views::GraphView`]; positions are the layout's.

mod band;
mod canvas;
mod edge;
mod events;
mod export;
mod hit;
mod lane;
mod legend;
mod minimap;
mod mount;
mod navigate;
mod node;
mod overlay;
mod paper;
mod part;
mod picture;
mod piece;
mod said;
mod scene;
mod shape;
#[cfg(test)]
mod testing;
mod tile;
mod viewport;

use crate::store::Glow;

pub(crate) use canvas::Canvas;
#[cfg(test)]
#[cfg(target_arch = "wasm32")]
pub(crate) use canvas::Props as CanvasProps;
pub(crate) use navigate::{Arrow, neighbour};
pub(crate) use scene::Shown;
pub(crate) use viewport::{Area, Drawing, Rule, Size, Viewport, slim};

/// The class of what stands out.
const fn glow(glow: Glow) -> &'static str {
    match glow {
        Glow::Subject => "lit subject",
        Glow::Before => "lit before",
        Glow::After => "lit after",
        Glow::Way => "lit way",
    }
}
