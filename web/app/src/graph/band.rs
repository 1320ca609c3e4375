//! The versions that a skipRange covers, as a band below the lane's spine.

use super::glow;
use crate::store::{Glow, Standing};
use views::{BandView, GraphView};
use yew::prelude::*;

const HALF: i32 = 8;

/// The stretches of a band, and an arrow to the entry that has the range.
pub(super) fn band(graph: &GraphView, band: &BandView, standing: &Standing, lit: Option<Glow>) -> Html {
    let taken = taken(graph, band, standing);
    let class = classes!(
        "band",
        band.warns.then_some("warns"),
        (band.folded && lit.is_none()).then_some("folded"),
        taken.then_some("taken"),
        lit.map(glow),
    );
    let (top, bottom) = (band.y - HALF, band.y + HALF);
    let stretches = band.stretches.iter().map(|(left, right)| {
        html! { <>
            <rect class="fill" x={left.to_string()} y={top.to_string()} width={(right - left).to_string()} height={(2 * HALF).to_string()} />
            <path class="rim" d={format!("M{left} {top}V{bottom}H{right}")} />
        </> }
    });
    let start = band.stretches.first().map(|(left, _)| *left);
    let open = start.filter(|_| band.unbounded_below).map(|left| {
        html! { <path class="rim" d={format!("M{} {}L{} {}L{} {}", left - 4, top + 2, left - 10, band.y, left - 4, bottom - 2)} /> }
    });
    let label = start.map(|left| {
        html! { <text x={(left + 7).to_string()} y={(band.y + 4).to_string()}>{ &band.label }</text> }
    });
    html! { <g {class}>{ for stretches }{ for open }{ for arrow(graph, band, taken) }{ for label }</g> }
}

fn arrow(graph: &GraphView, band: &BandView, taken: bool) -> Option<Html> {
    let node = graph.nodes.get(band.to as usize)?;
    let (_, right) = band.stretches.last()?;
    let (x, y) = (node.at.x, node.at.y + node.height / 2 + 3);
    let bottom = band.y + HALF;
    let d = if x > right + 8 {
        format!("M{right} {bottom}H{}Q{x} {bottom} {x} {}V{y}", x - 8, bottom - 8)
    } else {
        format!("M{x} {}V{y}", band.y - HALF)
    };
    let head = match (taken, band.warns) {
        (true, _) => "url(#head-taken)",
        (false, true) => "url(#head-warns)",
        (false, false) => "url(#head-range)",
    };
    Some(html! { <path class="arrow" {d} marker-end={head} /> })
}

/// Whether the simulation jumps over the band: from something that it covers, and that no edge leads on from.
fn taken(graph: &GraphView, band: &BandView, standing: &Standing) -> bool {
    let hop = |index: u32| standing.hop(&graph.nodes.get(index as usize)?.key);
    let from = |index: &u32| matches!((hop(*index), hop(band.to)), (Some(from), Some(to)) if to == from + 1);
    let edge = |index: u32| graph.edges.iter().any(|edge| edge.from == index && edge.to == band.to && !edge.ignored);
    graph.covered(band).find(from).is_some_and(|index| !edge(index))
}
