//! Which edges are drawn only on demand.

use crate::{Edge, NodeId, Via};
use std::collections::BTreeSet;

/// Which edges matter to nobody, and are drawn only on demand: OLM ignores them and their older entry is not stuck, or
/// they skip what the same entry replaces.
#[must_use]
pub fn quiet_edges(edges: &[Edge], is_stuck: impl Fn(NodeId) -> bool) -> Vec<bool> {
    let replaces = edges.iter().filter(|edge| edge.via == Via::Replaces);
    let replaces: BTreeSet<(NodeId, NodeId)> = replaces.map(|edge| (edge.from, edge.to)).collect();
    let is_quiet = |edge: &Edge| {
        let is_twice = edge.via != Via::Replaces && replaces.contains(&(edge.from, edge.to));
        (edge.ignored && !is_stuck(edge.from)) || is_twice
    };
    edges.iter().map(is_quiet).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_quiet_that_olm_ignores_or_that_repeat_another_one() {
        let edge = |from, via, ignored| Edge { from: NodeId(from), to: NodeId(2), via, ignored };
        let edges = [
            edge(0, Via::Replaces, false),
            edge(0, Via::Skips, false),
            edge(1, Via::Skips, false),
            edge(1, Via::Replaces, true),
        ];
        let quiet = |stuck| quiet_edges(&edges, |id| id == NodeId(stuck));
        assert_eq!(quiet(0), [false, true, true, true]);
        assert_eq!(quiet(1), [false, true, true, false], "it may be what is wrong");
    }
}
