//! Lanes on the page: the names of the channels and the axis of versions.

use super::measures::UP_NAMES;
use super::shape::{Frame, Shape, turn};
use super::tile::{DrawingPart, Part};
use crate::store::Shared;
use opscope_drawing::lane::{BASELINE, Words, column, entries, labels, ticks, versions, words, words_above};
use opscope_drawing::legend::{SIGNS, Sign, occurring, shapes};
use opscope_drawing::{SimulatedEntries, VisibleArea};
use views::{AxisDirection, GraphView, LaneView, Mark, NodeView};
use web_sys::Element;
use yew::prelude::*;

pub(super) use opscope_drawing::lane::{axis_height, cards};

/// The inputs of cards, axis and names.
#[derive(Clone, PartialEq)]
pub(super) struct Props {
    pub(super) graph: Shared<GraphView>,
    pub(super) shown: VisibleArea,
    pub(super) selected: Option<u32>,
}

/// The axis labels, which stay visible when the drawing moves down. Their size does not depend on the zoom.
pub(super) fn axis(props: &Props) -> Html {
    if props.graph.direction == AxisDirection::Up {
        return axis_up(props);
    }
    // The style sheet scales the inner element.
    let label = |(x, text): (i32, String)| {
        let place = format!("translate({x} {BASELINE})");
        html! { <g transform={place}><text>{ text }</text></g> }
    };
    let stretch = props.shown.stretch();
    let ticks = ticks(&props.graph).into_iter().filter(|(_, x, _)| stretch.contains(x) && !props.shown.far);
    let tick = |(class, x, text): (&'static str, i32, String)| {
        let place = format!("translate({x} {BASELINE})");
        html! { <g transform={place}><text {class}>{ text }</text></g> }
    };
    html! {
        <>
            <rect class="plate" x="-200000" y="-200" width="400000"
                height={(axis_height(&props.graph) + 194).to_string()} />
            { for selected(props).map(Shape::html) }
            { for labels(&props.graph, &props.shown).into_iter().map(label) }
            { for ticks.map(tick) }
        </>
    }
}

/// The versions beside the drawing if the axis leads up. The style sheet turns them back.
fn axis_up(props: &Props) -> Html {
    let (height, stretch) = (axis_height(&props.graph), props.shown.stretch());
    let versions = versions(&props.graph).into_iter().filter(|(x, _)| stretch.contains(x) && !props.shown.far);
    let version = |(x, text): (i32, String)| {
        let place = format!("translate({x} {})", height - 8);
        html! { <g transform={place}><text>{ text }</text></g> }
    };
    html! { <>
        <rect class="plate" x="-200000" y="-200" width="400000" height={(height + 200).to_string()} />
        { for selected(props).map(Shape::html) }
        { for versions.map(version) }
    </> }
}

/// The column of the selected entry, up to the top.
fn selected(props: &Props) -> Option<Shape> {
    let (x, end) = column(&props.graph, props.graph.nodes.get(props.selected? as usize)?)?;
    let (class, height) = ("selected-column", axis_height(&props.graph));
    Some(Shape::Rect { class, x, y: 0, width: end - x, height, radius: 0 })
}

/// The lane names, which stay visible when the drawing moves across. A click shows the newest entry.
pub(super) fn names(props: &Props) -> Html {
    let lanes = props.graph.lanes.iter().zip(0..);
    let seen = lanes.filter(|(_, at)| (props.shown.lanes.0..props.shown.lanes.1).contains(at));
    let graph = &props.graph;
    if graph.direction == AxisDirection::Up {
        let name = |(lane, at): (&LaneView, u32)| name_above(lane, at);
        return html! { <>{ for seen.map(name) }</> };
    }
    // Behind the names, so that nothing of the drawing is visible between them.
    html! { <>
        <rect class="backing" x="0" y="-20000" width={graph.gutter.to_string()}
            height={(graph.height + 40_000).to_string()} />
        { for seen.map(|(lane, at)| name(graph, lane, at)) }
        <path class="rule" d={format!("M8 {}H{}", graph.height, graph.gutter)} />
    </> }
}

/// Zoomed out, the versions of the heads, whose boxes have no labels then. Their size does not depend on the zoom.
pub(super) fn heads(props: &Props) -> Html {
    if !props.shown.far || props.graph.direction == AxisDirection::Up {
        return Html::default();
    }
    let head = |node: &NodeView| {
        let is_left = 2 * node.at.x < props.graph.width;
        let side = if is_left { -node.width / 2 } else { node.width / 2 };
        // The style sheet scales the inner element.
        let place = format!("translate({} {})", node.at.x + side, node.at.y - node.height / 2);
        html! {
            <g transform={place}><text y="-4" class={if is_left { "left" } else { "right" }}>{ &node.label }</text></g>
        }
    };
    html! { <>{ for heads_apart(&props.graph, &props.shown).map(head) }</> }
}

/// The visible heads. Of several in one lane only those whose labels do not overlap.
fn heads_apart<'a>(graph: &'a GraphView, shown: &'a VisibleArea) -> impl Iterator<Item = &'a NodeView> {
    let mut last: Option<&NodeView> = None;
    let is_head = |node: &&NodeView| node.marks.contains(&Mark::Head) && shown.meets(node.lane, node.at.x, node.at.x);
    graph.nodes.iter().filter(is_head).filter(move |node| {
        let is_apart = last.is_none_or(|last| last.lane != node.lane || node.at.x - last.at.x >= 2 * shown.spacing);
        if is_apart {
            last = Some(node);
        }
        is_apart
    })
}

fn name(graph: &GraphView, lane: &LaneView, index: u32) -> Html {
    let nodes = graph.lane_nodes(index);
    let nodes = &graph.nodes[nodes.start as usize..nodes.end as usize];
    let span = match nodes {
        [] => String::new(),
        [only] => only.label.clone(),
        [oldest, .., newest] => format!("{} to {}", oldest.label, newest.label),
    };
    let Words { name, below, middle, alone } = words(graph, lane);
    let (x, y) = (graph.gutter + 6, middle + 4);
    html! {
        <g key={index} class="lane-name" data-lane={index.to_string()}>
            <rect class="plate" x="0" y={lane.y.to_string()} width={graph.gutter.to_string()}
                height={lane.height.to_string()} rx="10" />
            // The card goes on right of it.
            <rect class="plate" x={(graph.gutter - 20).to_string()} y={lane.y.to_string()} width="20"
                height={lane.height.to_string()} />
            <rect class="fade" x={graph.gutter.to_string()} y={lane.y.to_string()} width="44"
                height={lane.height.to_string()} />
            <path class="rule" d={format!("M8 {}H{}", lane.y, graph.gutter)} />
            <title>{ title(lane) }</title>
            // The style sheet scales the middle element, around the point that the outer one moves to the origin.
            <g transform={format!("translate(0 {middle})")}>
                <g class="sized">
                    <g transform={format!("translate(0 {})", -middle)}>
                        // The style sheet moves it only where nothing is below it.
                        <g class="alone" transform={format!("translate(0 {alone})")}>
                            { for name.into_iter().map(Shape::html) }
                        </g>
                        { for below.into_iter().map(Shape::html) }
                        { away(&span, x, y) }
                    </g>
                </g>
            </g>
            <g transform={format!("translate(0 {})", lane.y)}>
                <g class="sized slim">
                    <text x="10" y="12">
                        { &lane.channel }{ if lane.default { " · default" } else { "" } }
                        if lane.stuck > 0 { { format!(" · {} stuck", lane.stuck) } }
                        { for lane.problem.as_ref().map(|text| format!(" · {text}")) }
                        { for slim_heads(nodes) }
                        { slim_away(&span) }
                    </text>
                </g>
            </g>
        </g>
    }
}

/// The name of a lane above its entries. The style sheet scales the inner element.
fn name_above(lane: &LaneView, index: u32) -> Html {
    let text = |(class, y, text): (&'static str, i32, String)| {
        html! { <text {class} x="8" y={y.to_string()}>{ text }</text> }
    };
    html! {
        <g key={index} class="lane-name" data-lane={index.to_string()}>
            <rect class="plate" x={lane.y.to_string()} y="0" width={lane.height.to_string()}
                height={UP_NAMES.to_string()} />
            <title>{ title(lane) }</title>
            <g transform={format!("translate({} 0)", lane.y)}>
                <g class="sized">{ for words_above(lane).into_iter().map(text) }</g>
            </g>
        </g>
    }
}

/// The versions of a lane that are out of sight in a narrow frame, as [`away`] has them in a wide one.
fn slim_away(span: &str) -> Html {
    let sides = [("left", format!(" ◂ {span}")), ("right", format!(" {span} ▸")), ("both", format!(" ◂ {span} ▸"))];
    let side = |(side, text): (&'static str, String)| html! { <tspan class={classes!("away", side)}>{ text }</tspan> };
    html! { <>{ for sides.map(side) }</> }
}

/// The first heads of a lane in a narrow frame, where they stand beside the name; the style sheet shows them zoomed
/// out.
fn slim_heads(nodes: &[NodeView]) -> impl Iterator<Item = Html> {
    let heads = nodes.iter().filter(|node| node.marks.contains(&Mark::Head));
    heads.take(2).map(|head| html! { <tspan class="head-version">{ format!(" · {}", head.label) }</tspan> })
}

/// Arrows that show where the entries of a lane are while none is visible; the style sheet shows one of them then.
fn away(span: &str, x: i32, y: i32) -> Html {
    // Lines that pass through run in the middle of the lane.
    let above = (y - 12).to_string();
    let (x, y) = (x.to_string(), y.to_string());
    html! { <>
        <text class="away left" x={x.clone()} y={y.clone()}>{ format!("◂ {span}") }</text>
        <text class="away right" x={x.clone()} {y}>{ format!("{span} ▸") }</text>
        <text class="away both" {x} y={above}>{ format!("◂ {span} ▸") }</text>
    </> }
}

fn title(lane: &LaneView) -> String {
    let entries = format!("{}: {}", lane.channel, entries(lane));
    lane.deprecated.as_ref().map_or_else(|| entries.clone(), |message| format!("{entries}; deprecated: {message}"))
}

// The legend: the marks of the drawing and their meaning.

#[derive(Clone, PartialEq, Properties)]
pub(super) struct LegendProps {
    graph: Shared<GraphView>,
    /// The entries that the simulation installs or finds installed.
    simulated: SimulatedEntries,
    /// Whether it is printed: paper has no buttons.
    printing: bool,
}

/// The sign that is listed only if OLM v1 is chosen.
const DIFFERS: Sign = Sign::Entry(Mark::RuntimesDiffer);

pub(super) fn legend(graph: Shared<GraphView>, simulated: SimulatedEntries, printing: bool) -> Html {
    html! { <DrawingPart part={Part::Legend(LegendProps { graph, simulated, printing })} /> }
}

/// The signs with their meaning on demand: those of the drawing, and all others.
pub(super) fn signs(props: &LegendProps) -> Html {
    html! { <Signs ..props.clone() /> }
}

/// They are rendered when they are shown for the first time: they are a fifth of the page.
#[component]
fn Signs(props: &LegendProps) -> Html {
    let shown = use_state(|| false);
    let (setter, printing) = (shown.setter(), props.printing);
    let ontoggle = Callback::from(move |event: Event| {
        let is_open = event.target_dyn_into::<Element>().is_some_and(|list| list.has_attribute("open"));
        if is_open && !printing {
            setter.set(true);
        }
    });
    html! {
        <details class="legend" name="menu" data-testid="legend" open={props.printing} {ontoggle}>
            <summary class="button">
                <span class="signs" aria-hidden="true">{ most_important(props) }</span>{ "Legend" }
            </summary>
            if *shown || props.printing { <div class="menu">{ lists(props) }</div> }
        </details>
    }
}

/// The signs that the legend names before it is opened, if the drawing has them, at most [`NAMED`]: where updates end,
/// what a change or a simulation is about, and what keeps a version from being installed.
const IMPORTANT: [Sign; 10] = [
    Sign::Entry(Mark::Head),
    Sign::Entry(Mark::Stranded),
    Sign::Installed,
    Sign::Chosen,
    Sign::Entry(Mark::NoWayOn),
    Sign::Entry(Mark::Switch),
    Sign::Entry(Mark::Skipped),
    Sign::Entry(Mark::Pruned),
    Sign::Range,
    Sign::Entry(Mark::Ghost),
];
const NAMED: usize = 4;

/// The most important signs of the drawing.
fn most_important(props: &LegendProps) -> Html {
    let occurring = occurring(&props.graph, &props.simulated);
    let named = IMPORTANT.iter().filter(|sign| occurring.contains(sign)).take(NAMED);
    let name = |sign: &Sign| SIGNS.iter().find(|(other, ..)| other == sign).map(|(_, name, _)| *name);
    html! { <>{ for named.map(|sign| html! { <span>{ swatch(*sign) }{ name(sign) }</span> }) }</> }
}

/// A sign, its name and its meaning.
type Line = (Sign, &'static str, &'static str);

fn lists(props: &LegendProps) -> Html {
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

// The shapes of the drawing as elements.

/// What is rendered as elements.
pub(super) trait ShapeHtml {
    /// Renders it as elements.
    fn html(self) -> Html;
}

impl ShapeHtml for Shape {
    fn html(self) -> Html {
        match self {
            Self::Rect { class, x, y, width, height, radius } => html! {
                <rect {class} x={x.to_string()} y={y.to_string()} width={width.to_string()} height={height.to_string()}
                    rx={radius.to_string()} />
            },
            Self::Path { class, d } => html! { <path {class} {d} /> },
            Self::Text { class, x, y, text } => {
                html! { <text {class} x={x.to_string()} y={y.to_string()}>{ text }</text> }
            }
            Self::Group { class, title, shapes } => html! { <g {class}>
                if let Some(title) = title { <title>{ title }</title> }
                { for shapes.into_iter().map(Self::html) }
            </g> },
            Self::Turned { left, top, shapes } => html! { <g class="up" transform={turn(left, top)}>
                { for shapes.into_iter().map(Self::html) }
            </g> },
            Self::Window { class, at: Frame { left, top, width, height }, part, shapes } => html! {
                <svg {class} x={left.to_string()} y={top.to_string()} width={width.to_string()}
                    height={height.to_string()} viewBox={part.view_box()}>
                    { for shapes.into_iter().map(Self::html) }
                </svg>
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zoomed_out_heads_are_named_where_their_labels_have_room() {
        let mut graph = opscope_drawing::testing::graph(&[(0, 100), (0, 400), (0, 500), (1, 450), (2, 100)]);
        for at in [1, 2, 3, 4] {
            graph.nodes[at].marks = vec![Mark::Head];
        }
        let shown = VisibleArea { across: (0, 3), lanes: (0, 2), far: true, spacing: 64, ..VisibleArea::START };
        let named: Vec<_> = heads_apart(&graph, &shown).map(|node| (node.lane, node.at.x)).collect();
        assert_eq!(named, [(0, 400), (1, 450)]);
    }
}
