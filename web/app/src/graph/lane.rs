//! Lanes: the cards of the channels, their names, and the axis of versions.

use super::node;
use super::scene::VisibleArea;
use super::shape::Shape;
use crate::store::Shared;
use views::{GraphView, LaneView, Mark, NodeView};
use yew::prelude::*;

/// A card extends this far below the plate with the channel's name, which hides its rounded corners.
pub(super) const UNDER: i32 = 40;
/// Maximum width of an axis label, drawing units. Wider columns leave room to zoom out.
const LABEL: i32 = 130;
/// Left of the name and its chips.
const BESIDE: i32 = 16;
/// Distance between the tops of two chips.
const CHIP: i32 = 18;

/// Height of the axis above the first lane.
pub(super) fn axis_height(graph: &GraphView) -> i32 {
    graph.lanes.first().map_or(0, |lane| lane.y)
}

/// The inputs of cards, axis and names.
#[derive(Clone, PartialEq)]
pub(super) struct Props {
    /// The graph.
    pub(super) graph: Shared<GraphView>,
    /// The visible part.
    pub(super) shown: VisibleArea,
}

/// The cards behind the entries, and the dotted line of each version.
pub(super) fn cards(graph: &GraphView, shown: &VisibleArea) -> Vec<Shape> {
    let lanes = in_sight(graph, shown);
    let card = |lane: &LaneView| Shape::Rect {
        class: "card",
        x: graph.gutter - UNDER,
        y: lane.y,
        width: graph.width - graph.gutter + UNDER,
        height: lane.height,
        radius: 10,
    };
    let mut shapes: Vec<Shape> = lanes.iter().map(card).collect();
    if let (Some(first), Some(last), false) = (lanes.first(), lanes.last(), shown.far) {
        let columns = graph.columns.iter().filter(|column| shown.stretch().contains(&column.x));
        // One path for each line: browsers compute the dashes of a straight line only where it is visible, those of
        // other paths everywhere.
        let line = |x: i32| Shape::path("column", format!("M{x} {}V{}", first.y, last.y + last.height));
        shapes.extend(columns.map(|column| line(column.x)));
    }
    shapes
}

/// The axis labels, which stay visible when the drawing moves down. Their size does not depend on the zoom.
pub(super) fn axis(props: &Props) -> Html {
    if props.graph.columns.is_empty() {
        return Html::default();
    }
    // The style sheet scales the inner element.
    let label =
        |(x, text): (i32, String)| html! { <g transform={format!("translate({x} 19)")}><text>{ text }</text></g> };
    html! { <>
        <rect class="plate" x="-200000" y="-200" width="400000" height={(axis_height(&props.graph) + 194).to_string()} />
        { for labels(&props.graph, &props.shown).into_iter().map(label) }
    </> }
}

/// The labels that have room: every version or, zoomed out, the first of each minor version.
pub(super) fn labels(graph: &GraphView, shown: &VisibleArea) -> Vec<(i32, String)> {
    let stretch = shown.stretch();
    let mut labels = Vec::new();
    let (mut minor, mut free) = (None, i32::MIN);
    for column in &graph.columns {
        let this = column.label.splitn(3, '.').take(2).collect::<Vec<_>>();
        let starts = minor.as_ref() != Some(&this);
        let text = if shown.far { this.join(".") } else { node::fitted(&column.label, LABEL) };
        minor = Some(this);
        if column.x >= free && (starts || !shown.far) {
            free = column.x.saturating_add(shown.spacing);
            if stretch.contains(&column.x) {
                labels.push((column.x, text));
            }
        }
    }
    labels
}

/// The lane names, which stay visible when the drawing moves across. A click shows the newest entry.
pub(super) fn names(props: &Props) -> Html {
    let lanes = props.graph.lanes.iter().zip(0..);
    let seen = lanes.filter(|(_, at)| (props.shown.lanes.0..props.shown.lanes.1).contains(at));
    html! { <>{ for seen.map(|(lane, at)| name(&props.graph, lane, at)) }</> }
}

/// Zoomed out, the versions of the heads, whose boxes have no labels then. Their size does not depend on the zoom.
pub(super) fn heads(props: &Props) -> Html {
    if !props.shown.far {
        return Html::default();
    }
    let head = |node: &NodeView| {
        let is_left = 2 * node.at.x < props.graph.width;
        let side = if is_left { -node.width / 2 } else { node.width / 2 };
        // The style sheet scales the inner element.
        let place = format!("translate({} {})", node.at.x + side, node.at.y - node.height / 2);
        html! { <g transform={place}><text y="-4" class={if is_left { "left" } else { "right" }}>{ &node.label }</text></g> }
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

/// The name of a lane.
fn name(graph: &GraphView, lane: &LaneView, index: u32) -> Html {
    let nodes = graph.lane_nodes(index);
    let nodes = &graph.nodes[nodes.start as usize..nodes.end as usize];
    let span = match nodes {
        [] => String::new(),
        [only] => only.label.clone(),
        [oldest, .., newest] => format!("{} to {}", oldest.label, newest.label),
    };
    let (x, y) = (graph.gutter + 6, lane.spine + 4);
    html! { <g key={index} class="lane-name" data-lane={index.to_string()}>
        <rect class="plate" x="0" y={lane.y.to_string()} width={graph.gutter.to_string()} height={lane.height.to_string()} rx="10" />
        <title>{ title(lane) }</title>
        // The style sheet scales the middle element, around the point that the outer one moves to the origin.
        <g transform={format!("translate(0 {})", lane.spine)}><g class="sized"><g transform={format!("translate(0 {})", -lane.spine)}>
            { for words(graph, lane).into_iter().map(Shape::html) }
            { away(&span, x, y) }
        </g></g></g>
        <g transform={format!("translate(0 {})", lane.y)}><g class="sized slim">
            <text x="10" y="12">{ &lane.channel }{ if lane.default { " · default" } else { "" } }{ for lane.problem.as_ref().map(|text| format!(" · {text}")) }
                { for slim_heads(nodes) }
                { for [("left", format!(" ◂ {span}")), ("right", format!(" {span} ▸")), ("both", format!(" ◂ {span} ▸"))].map(|(side, text)| html! { <tspan class={classes!("away", side)}>{ text }</tspan> }) }
            </text>
        </g></g>
    </g> }
}

/// The first heads of a lane in a narrow frame, where they stand beside the name; the style sheet shows them zoomed out.
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

fn chips(lane: &LaneView) -> Vec<(&str, &'static str)> {
    let default = lane.default.then_some(("default", "chip"));
    let problem = lane.problem.as_deref().map(|text| (text, "chip problem"));
    let deprecated = lane.deprecated.as_ref().map(|_| ("deprecated", "chip problem"));
    [default, problem, deprecated].into_iter().flatten().collect()
}

/// The baseline of the name. The last row of chips ends where the shortest lane ends.
fn baseline(lane: &LaneView, gutter: i32) -> i32 {
    let rows = placed_chips(lane, gutter).last().map_or(0, |chip| chip.row + 1);
    lane.spine + if rows == 0 { -4 } else { 12 - CHIP * rows }
}

/// A chip with its place below the name.
struct Chip<'a> {
    text: &'a str,
    class: &'static str,
    x: i32,
    width: i32,
    row: i32,
}

/// The chips side by side, in as many rows as the gutter needs.
fn placed_chips(lane: &LaneView, gutter: i32) -> Vec<Chip<'_>> {
    let (mut x, mut row, mut placed) = (BESIDE, 0, Vec::new());
    for (text, class) in chips(lane) {
        let width = 14 + 7 * i32::try_from(text.chars().count()).unwrap_or(20);
        if x > BESIDE && x + width > gutter {
            (x, row) = (BESIDE, row + 1);
        }
        placed.push(Chip { text, class, x, width, row });
        x += width + 4;
    }
    placed
}

/// The channel's name with its chips or the number of entries.
pub(super) fn words(graph: &GraphView, lane: &LaneView) -> Vec<Shape> {
    let (chips, baseline) = (placed_chips(lane, graph.gutter), baseline(lane, graph.gutter));
    let mut shapes =
        vec![Shape::Text { class: "name", x: BESIDE, y: baseline, text: shortened(&lane.channel, graph.gutter) }];
    if chips.is_empty() {
        shapes.push(Shape::Text { class: "count", x: BESIDE, y: lane.spine + 10, text: entries(lane) });
    }
    shapes.extend(chips.into_iter().map(|chip| chip_shape(&chip, baseline + 5 + CHIP * chip.row)));
    shapes
}

fn chip_shape(&Chip { text, class, x, width, .. }: &Chip<'_>, y: i32) -> Shape {
    let shapes = vec![
        Shape::Rect { class: "", x, y, width, height: CHIP - 2, radius: 8 },
        Shape::Text { class: "", x: x + width / 2, y: y + 12, text: text.to_owned() },
    ];
    Shape::Group { class: class.to_owned(), title: None, shapes }
}

fn in_sight<'a>(graph: &'a GraphView, shown: &VisibleArea) -> &'a [LaneView] {
    let end = (shown.lanes.1 as usize).min(graph.lanes.len());
    &graph.lanes[(shown.lanes.0 as usize).min(end)..end]
}

fn entries(lane: &LaneView) -> String {
    if lane.entries == 1 { "1 entry".to_owned() } else { format!("{} entries", lane.entries) }
}

fn title(lane: &LaneView) -> String {
    let entries = format!("{}: {}", lane.channel, entries(lane));
    lane.deprecated.as_ref().map_or_else(|| entries.clone(), |message| format!("{entries}; deprecated: {message}"))
}

/// A name shortened to the gutter; the tooltip has the whole name.
fn shortened(name: &str, gutter: i32) -> String {
    let room = usize::try_from((gutter - 30) / 8).unwrap_or(0).max(6);
    if name.chars().count() <= room {
        return name.to_owned();
    }
    let head: String = name.chars().take(room - 1).collect();
    format!("{head}…")
}

#[cfg(test)]
mod tests {
    use super::*;
    use views::ColumnView;

    #[test]
    fn zoomed_out_the_axis_names_minor_versions() {
        let mut graph = crate::graph::testing::graph(&[]);
        let versions = ["1.0.0", "1.0.1", "1.1.0", "1.1.1", "1.2.0"];
        graph.columns = versions
            .iter()
            .zip(0..)
            .map(|(label, at)| ColumnView { x: 100 * at, label: (*label).to_owned() })
            .collect();
        let labels = |far, spacing| {
            let shown = VisibleArea { far, spacing, ..VisibleArea::START };
            labels(&graph, &shown).into_iter().map(|(_, text)| text).collect::<Vec<_>>()
        };
        assert_eq!(labels(false, 0), versions);
        assert_eq!(labels(true, 150), ["1.0", "1.1", "1.2"]);
        assert_eq!(labels(true, 300), ["1.0", "1.2"]);
    }

    #[test]
    fn zoomed_out_heads_are_named_where_their_labels_have_room() {
        let mut graph = crate::graph::testing::graph(&[(0, 100), (0, 400), (0, 500), (1, 450), (2, 100)]);
        for at in [1, 2, 3, 4] {
            graph.nodes[at].marks = vec![Mark::Head];
        }
        let shown = VisibleArea { across: (0, 3), lanes: (0, 2), far: true, spacing: 64, ..VisibleArea::START };
        let named: Vec<_> = heads_apart(&graph, &shown).map(|node| (node.lane, node.at.x)).collect();
        assert_eq!(named, [(0, 400), (1, 450)]);
    }
}
