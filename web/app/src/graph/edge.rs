//! `replaces` and `skips` edges.

use super::glow;
use crate::store::{Glow, Standing};
use views::{EdgeKind, EdgeView, GraphView, Point};
use yew::prelude::*;

/// An edge as a path with an arrow head; the way of the simulation, and what is lit, is drawn stronger.
pub(super) fn edge(graph: &GraphView, edge: &EdgeView, standing: &Standing, lit: Option<Glow>) -> Html {
    let kind = match edge.kind {
        EdgeKind::Replaces => "replaces",
        EdgeKind::Skips => "skips",
    };
    let taken = taken(graph, edge, standing);
    let class = classes!("edge", kind, edge.ignored.then_some("ignored"), taken.then_some("taken"), lit.map(glow));
    let head = match (taken, edge.kind) {
        (true, _) => "url(#head-taken)",
        (false, EdgeKind::Replaces) => "url(#head-replaces)",
        (false, EdgeKind::Skips) => "url(#head-skips)",
    };
    html! { <path {class} d={path(&edge.points)} marker-end={head} /> }
}

/// Whether the simulation goes along the edge: from something installed or chosen to what is chosen next.
fn taken(graph: &GraphView, edge: &EdgeView, standing: &Standing) -> bool {
    let hop = |index: u32| standing.hop(&graph.nodes.get(index as usize)?.key);
    matches!((hop(edge.from), hop(edge.to)), (Some(from), Some(to)) if to == from + 1)
}

/// Two points are a line, four a cubic curve, others a polyline.
fn path(points: &[Point]) -> String {
    let mut d = String::new();
    for (index, Point { x, y }) in points.iter().enumerate() {
        let command = match (points.len(), index) {
            (_, 0) => "M",
            (4, 1) => "C",
            (4, _) => " ",
            _ => "L",
        };
        d.push_str(&format!("{command}{x} {y}"));
    }
    d
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_points_are_a_curve() {
        let at = |x, y| Point { x, y };
        assert_eq!(path(&[at(0, 1), at(2, 3)]), "M0 1L2 3");
        assert_eq!(path(&[at(0, 0), at(1, 0), at(2, 5), at(3, 5)]), "M0 0C1 0 2 5 3 5");
        assert_eq!(path(&[at(0, 0), at(1, 0), at(2, 5)]), "M0 0L1 0L2 5");
    }
}
