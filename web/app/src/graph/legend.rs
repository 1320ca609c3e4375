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
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    graph: Shared<GraphView>,
    /// The entries that the simulation installs or finds installed.
    simulated: SimulatedEntries,
    /// Whether it is printed: paper has no buttons.
    printing: bool,
}

/// The sign that is listed only if OLM v1 is chosen.
const DIFFERS: Sign = Sign::Entry(Mark::RuntimesDiffer);

pub(super) fn legend(graph: Shared<GraphView>, simulated: SimulatedEntries, printing: bool) -> Html {
    html! { <DrawingPart part={Part::Legend(Props { graph, simulated, printing })} /> }
}

/// The signs with their meaning on demand: those of the drawing, and all others.
pub(super) fn signs(props: &Props) -> Html {
    html! { <Signs ..props.clone() /> }
}

/// They are rendered when they are shown for the first time: they are a fifth of the page.
#[component]
fn Signs(props: &Props) -> Html {
    let shown = use_state(|| false);
    let setter = shown.setter();
    let ontoggle = Callback::from(move |_: Event| setter.set(true));
    html! {
        <details class="legend" name="menu" data-testid="legend" open={props.printing} {ontoggle}>
            <summary class="button">{ "Legend" }</summary>
            if *shown || props.printing { <div class="menu">{ lists(props) }</div> }
        </details>
    }
}

/// A sign, its name and its meaning.
type Line = (Sign, &'static str, &'static str);

fn lists(props: &Props) -> Html {
    let occurring = occurring(&props.graph, &props.simulated);
    let line = |(sign, name, help): &Line| {
        html! { <div><dt>{ swatch(*sign) }{ *name }</dt><dd>{ *help }</dd></div> }
    };
    let (here, others): (Vec<&Line>, Vec<&Line>) = SIGNS.iter().partition(|(sign, ..)| occurring.contains(sign));
    let others = others.into_iter().filter(|(sign, ..)| *sign != DIFFERS);
    html! {
        <>
            <dl aria-label="Legend">{ for here.into_iter().map(line) }</dl>
            <details>
                <summary>{ "All other marks" }</summary>
                <dl>{ for others.map(line) }</dl>
            </details>
        </>
    }
}

fn swatch(sign: Sign) -> Html {
    html! {
        <svg class="swatch drawing" viewBox="0 0 34 20" aria-hidden="true">
            { for shapes(sign).into_iter().map(Shape::html) }
        </svg>
    }
}
