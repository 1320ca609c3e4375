//! Parts of the drawing, each drawn anew only when what it shows changes. One component serves them all: each more would
//! add as much code as a part itself.

use super::shape::Shape;
use super::{lane, legend, minimap, overlay, tile};
use yew::prelude::*;

/// A part with what it shows.
#[derive(Clone, PartialEq)]
pub(super) enum Part {
    /// Some entries, edges and bands.
    Tile(tile::Props),
    /// What stands out.
    Overlay(overlay::Props),
    /// What lanes stand on.
    Cards(lane::Props),
    /// The versions.
    Axis(lane::Props),
    /// The names of lanes.
    Names(lane::Props),
    /// All of it, small.
    Minimap(minimap::Props),
    /// What the marks mean.
    Legend(legend::Props),
}

/// The properties of [`Drawn`].
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    /// Which part.
    pub(super) part: Part,
}

/// A part on the page.
#[component]
pub(super) fn DrawingPart(props: &Props) -> Html {
    match &props.part {
        Part::Tile(props) => tile::tile(props),
        Part::Overlay(props) => overlay::overlay(props),
        Part::Cards(props) => {
            html! { <>{ for lane::cards(&props.graph, &props.shown).into_iter().map(Shape::html) }</> }
        }
        Part::Axis(props) => lane::axis(props),
        Part::Names(props) => lane::names(props),
        Part::Minimap(props) => minimap::minimap(props),
        Part::Legend(props) => legend::signs(props),
    }
}
