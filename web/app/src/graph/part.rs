//! The parts of the drawing that are rendered on their own, only when their inputs change. One component serves all of
//! them: each further component would add as much code to the page as a part itself.

use super::shape::Shape;
use super::shape_html::ShapeHtml;
use super::{lane, legend, minimap, overlay, tile};
use yew::prelude::*;

/// A part with its inputs.
#[derive(Clone, PartialEq)]
pub(super) enum Part {
    /// Some entries, edges and bands.
    Tile(tile::Props),
    Overlay(overlay::Props),
    Cards(lane::Props),
    Axis(lane::Props),
    Names(lane::Props),
    /// The versions of heads, zoomed out.
    Heads(lane::Props),
    Minimap(minimap::Props),
    Legend(legend::Props),
}

#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub(super) part: Part,
}

/// Renders a part.
#[component]
pub(super) fn DrawingPart(props: &Props) -> Html {
    match &props.part {
        Part::Tile(props) => tile::tile(props),
        Part::Overlay(props) => overlay::overlay(props),
        Part::Cards(props) => {
            html! { <>{ for lane::cards(&props.graph, props.selected, &props.shown).into_iter().map(Shape::html) }</> }
        }
        Part::Axis(props) => lane::axis(props),
        Part::Names(props) => lane::names(props),
        Part::Heads(props) => lane::heads(props),
        Part::Minimap(props) => minimap::minimap(props),
        Part::Legend(props) => legend::signs(props),
    }
}
