//! The stripes of the channels, their names and the axis of versions.

use super::viewport::AXIS;
use views::{GraphView, LaneView, NodeView};
use yew::prelude::*;

/// Wider than any screen, so that stripes have no end in sight.
const ENDLESS: &str = "40000";
/// From the top of one chip to the top of the next.
const CHIP: i32 = 18;

/// The stripe of a channel.
pub(super) fn stripe(lane: &LaneView) -> Html {
    html! { <rect class="stripe" x="-20000" y={lane.y.to_string()} width={ENDLESS} height={lane.height.to_string()} /> }
}

/// The name of a channel, which stays in sight when the drawing moves across; a click shows the newest entry. When all
/// entries are out of sight, [`away`] says where they are.
pub(super) fn name(graph: &GraphView, lane: &LaneView, index: u32) -> Html {
    let (spine, gutter) = (lane.spine, graph.gutter);
    let nodes: Vec<&NodeView> = graph.nodes.iter().filter(|node| node.lane == index).collect();
    let from = nodes.iter().map(|node| node.at.x - node.width / 2).min();
    let to = nodes.iter().map(|node| node.at.x + node.width / 2).max();
    let default = lane.default.then_some(("default", "chip"));
    let problem = lane.problem.as_deref().map(|text| (text, "chip problem"));
    let deprecated = lane.deprecated.as_ref().map(|_| ("deprecated", "chip problem"));
    let plain = default.is_none() && problem.is_none() && deprecated.is_none();
    let chips: Vec<_> = [default, problem, deprecated].into_iter().flatten().collect();
    // The last chip ends where the shortest lane ends.
    let baseline = spine + if plain { 1 } else { 12 - CHIP * i32::try_from(chips.len()).unwrap_or(1) };
    let chips = chips.into_iter().zip(0..).map(|((text, class), row)| chip(text, class, baseline + 5 + CHIP * row));
    html! { <g class="lane-name" data-lane={index.to_string()} data-spine={spine.to_string()}
        data-from={from.map(|x| x.to_string())} data-to={to.map(|x| x.to_string())}>
        <rect class="plate" x="0" y={lane.y.to_string()} width={(gutter - 8).max(60).to_string()} height={lane.height.to_string()} />
        <title>{ title(lane) }</title>
        <text x="16" y={baseline.to_string()}>{ shortened(&lane.channel, gutter) }</text>
        if plain { <text class="count" x="16" y={(spine + 15).to_string()}>{ entries(lane) }</text> }
        { for chips }
        { away(&nodes, gutter + 6, spine + 4) }
    </g> }
}

fn chip(text: &str, class: &'static str, top: i32) -> Html {
    let width = 14 + 6 * i32::try_from(text.chars().count()).unwrap_or(20);
    html! { <g {class}>
        <rect x="16" y={top.to_string()} width={width.to_string()} height={(CHIP - 2).to_string()} rx="8" />
        <text x={(16 + width / 2).to_string()} y={(top + 12).to_string()}>{ text }</text>
    </g> }
}

/// Which entries there are beyond the left or the right edge; the style sheet shows the one that holds.
fn away(nodes: &[&NodeView], x: i32, y: i32) -> Html {
    let (Some(oldest), Some(newest)) =
        (nodes.iter().min_by_key(|node| node.at.x), nodes.iter().max_by_key(|node| node.at.x))
    else {
        return Html::default();
    };
    let span = if nodes.len() == 1 { oldest.label.clone() } else { format!("{} to {}", oldest.label, newest.label) };
    html! { <>
        <text class="away left" x={x.to_string()} y={y.to_string()}>{ format!("◂ {span}") }</text>
        <text class="away right" x={x.to_string()} y={y.to_string()}>{ format!("{span} ▸") }</text>
    </> }
}

/// The versions above their columns, which stay in sight when the drawing moves down.
pub(super) fn axis(graph: &GraphView) -> Html {
    let labels = graph.columns.iter().map(|column| {
        html! { <text x={column.x.to_string()} y="19">{ &column.label }</text> }
    });
    html! { <><rect class="plate" x="-20000" y="-200" width={ENDLESS} height={(AXIS + 194.0).to_string()} />{ for labels }</> }
}

/// The dotted line of a version through all lanes.
pub(super) fn columns(graph: &GraphView) -> Html {
    let line = |x: i32| html! { <path class="column" d={format!("M{x} 0V{}", graph.height)} /> };
    html! { <>{ for graph.columns.iter().map(|column| line(column.x)) }</> }
}

/// What the axis passes under, left of the entries.
pub(super) fn corner(graph: &GraphView) -> Html {
    let width = (graph.gutter - 8).max(60).to_string();
    html! { <rect class="plate" x="0" y="-200" {width} height={(AXIS + 194.0).to_string()} /> }
}

fn entries(lane: &LaneView) -> String {
    if lane.entries == 1 { "1 entry".to_owned() } else { format!("{} entries", lane.entries) }
}

fn title(lane: &LaneView) -> String {
    let entries = format!("{}: {}", lane.channel, entries(lane));
    lane.deprecated.as_ref().map_or_else(|| entries.clone(), |message| format!("{entries}; deprecated: {message}"))
}

/// A name that fits left of the entries; the whole name is in its title.
fn shortened(name: &str, gutter: i32) -> String {
    let room = usize::try_from((gutter - 30) / 8).unwrap_or(0).max(6);
    if name.chars().count() <= room {
        return name.to_owned();
    }
    let head: String = name.chars().take(room - 1).collect();
    format!("{head}…")
}
