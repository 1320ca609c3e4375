//! From entry to entry along the edges, and what is said of an entry on the way.

use views::{EdgeKind, EdgeView, GraphView};

/// What a screen reader is told of an entry that was walked to: what it is, where OLM goes from it, who can come to it.
#[must_use]
pub fn announcement(graph: &GraphView, at: usize) -> String {
    let Some(node) = graph.nodes.get(at) else { return String::new() };
    let label = |at: u32| graph.nodes.get(at as usize).map_or("", |node| node.label.as_str());
    let on = match node.next {
        None => "OLM updates it to nothing".to_owned(),
        Some(next) => {
            let (hops, end) = walk(graph, next);
            let further = if hops > 1 { format!(", and on to {} in {hops} hops", label(end)) } else { String::new() };
            format!("OLM updates it to {}{further}", label(next))
        }
    };
    let here = graph.nodes.iter().filter(|other| other.next == Some(at as u32)).count();
    let come = match here {
        0 => "none is updated to it".to_owned(),
        1 => "one is updated to it".to_owned(),
        many => format!("{many} are updated to it"),
    };
    format!("{}. {on}; {come}.", node.summary)
}

/// How many hops OLM makes by way of a first one, and where they end.
fn walk(graph: &GraphView, first: u32) -> (usize, u32) {
    let (mut at, mut hops) = (first, 1);
    while let Some(next) = graph.nodes.get(at as usize).and_then(|node| node.next) {
        if hops > graph.nodes.len() {
            break;
        }
        (at, hops) = (next, hops + 1);
    }
    (hops, at)
}

/// The entry that one of a lane is most naturally come to from: the one that it replaces, else the newest that it skips or
/// covers.
#[must_use]
pub fn predecessor(graph: &GraphView, at: u32) -> Option<u32> {
    let here = |kind: EdgeKind| graph.edges.iter().filter(move |edge| edge.to == at && edge.kind == kind);
    let newest = |edges: &mut dyn Iterator<Item = &EdgeView>| edges.map(|edge| edge.from).max();
    newest(&mut here(EdgeKind::Replaces))
        .or_else(|| newest(&mut here(EdgeKind::Skips)))
        .or_else(|| graph.bands.iter().filter(|band| band.to == at).flat_map(|band| graph.covered(band)).max())
}

/// The entry that one most naturally goes to: what OLM updates it to, else the oldest that names or covers it.
#[must_use]
pub fn successor(graph: &GraphView, at: u32) -> Option<u32> {
    let next = graph.nodes.get(at as usize)?.next;
    let named = || graph.edges.iter().filter(|edge| edge.from == at).map(|edge| edge.to).min();
    let covering = || graph.bands.iter().filter(|band| graph.covers(band, at)).map(|band| band.to).min();
    next.or_else(named).or_else(covering)
}
