//! The legend: the marks of the drawing and their meaning.

use super::part::{DrawingPart, Part};
use super::shape::Shape;
use super::shape_html::ShapeHtml;
use crate::store::Shared;
use opscope_drawing::SimulatedEntries;
use opscope_drawing::legend::{SIGNS, Sign, occurring, shapes};
use views::{GraphView, Mark};
use yew::prelude::*;

/// The inputs of the legend.
#[derive(Clone, PartialEq)]
pub(super) struct Props {
    graph: Shared<GraphView>,
    /// The entries that the simulation installs or finds installed.
    simulated: SimulatedEntries,
}

/// The sign that is listed only if OLM v1 is chosen.
const DIFFERS: Sign = Sign::Entry(Mark::RuntimesDiffer);

/// The legend of a graph.
pub(super) fn legend(graph: Shared<GraphView>, simulated: SimulatedEntries) -> Html {
    html! { <DrawingPart part={Part::Legend(Props { graph, simulated })} /> }
}

/// The signs that the drawing has, and all of them with their meaning on demand.
pub(super) fn signs(props: &Props) -> Html {
    let here = occurring(&props.graph, &props.simulated);
    let item = |(sign, name, help): &(Sign, &'static str, &'static str)| {
        html! { <li title={*help}>{ swatch(*sign) }{ *name }</li> }
    };
    html! {
        <div class="legend">
            <ul aria-label="Legend">{ for SIGNS.iter().filter(|(sign, ..)| here.contains(sign)).map(item) }</ul>
            <AllSigns />
        </div>
    }
}

/// All signs with their meaning. They are rendered when they are shown for the first time: they are a fifth of the
/// page.
#[component]
fn AllSigns() -> Html {
    let shown = use_state(|| false);
    let setter = shown.setter();
    let ontoggle = Callback::from(move |_| setter.set(true));
    let line = |(sign, name, help): &(Sign, &'static str, &'static str)| {
        html! { <div><dt>{ swatch(*sign) }{ *name }</dt><dd>{ *help }</dd></div> }
    };
    html! {
        <details name="menu" data-testid="legend-all" {ontoggle}>
            <summary>{ "All marks" }</summary>
            if *shown { <dl>{ for SIGNS.iter().filter(|(sign, ..)| *sign != DIFFERS).map(line) }</dl> }
        </details>
    }
}

fn swatch(sign: Sign) -> Html {
    html! {
        <svg class="swatch drawing" viewBox="0 0 34 20" aria-hidden="true">
            { for shapes(sign).into_iter().map(Shape::html) }
        </svg>
    }
}
