//! Highlighting of graph nodes, edges and bands, and the reason for each, by the indices of [`GraphView`]. All of it is
//! looked up in the view, so that pointing at an entry sends nothing to the worker.

use super::{PathKind, State};
use std::collections::BTreeMap;
use std::rc::Rc;
use views::{EntryKey, GraphView, HopView, Line, Subject};

/// Why a part of the drawing is highlighted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// It is selected or pointed at, or an end of the path.
    Subject,
    /// It can be updated to the subject.
    Before,
    /// The subject can be updated to it.
    After,
    /// It is on the path that is shown, or on the one that OLM takes from the subject.
    Path,
}

/// A highlighted entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HighlightedNode {
    /// Why.
    pub role: Role,
    /// Its label: `hop 2` on a path, or the number of hops from (`+2`) or to (`−2`) the subject.
    pub word: Option<Rc<str>>,
}

/// The highlighted parts of the drawing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Highlight {
    /// Entries, by their index.
    pub nodes: BTreeMap<u32, HighlightedNode>,
    /// Edges, by their index.
    pub edges: BTreeMap<u32, Role>,
    /// Bands, by their index.
    pub bands: BTreeMap<u32, Role>,
    /// Whether everything else is dimmed.
    pub dims: bool,
}

/// The highlighted parts: the path that is shown, else the hops around the entry that is pointed at, else those around
/// the selected entry, else the selected subject.
#[must_use]
pub fn highlight(state: &State) -> Rc<Highlight> {
    let Some(graph) = state.graph.as_deref() else { return Rc::default() };
    let explore = &state.explore;
    let path = explore.path.as_ref().and_then(|path| Some(along(graph, &path.from, &path.to, hops(path)?)));
    let index = |key: &EntryKey| graph.nodes.iter().position(|node| node.key == *key).map(|at| at as u32);
    // A selected entry has the focus and counts as pointed at. It must not hide the selected edge or skipRange that it
    // is an end of.
    let elsewhere = explore.pointed.as_ref().filter(|key| Some(*key) != state.selection.entry.as_ref());
    let elsewhere = elsewhere.filter(|key| !is_end(explore.subject.as_ref(), key));
    let pointed = elsewhere.and_then(index).map(|at| around(graph, at));
    // The answer stays in sight beside the entry that is selected.
    let selected = || {
        let at = state.selection.entry.as_ref().and_then(index)?;
        let mut highlight = Highlight { dims: false, ..around(graph, at) };
        highlight.nodes.values_mut().for_each(|node| node.word = None);
        Some(highlight)
    };
    let subject = || explore.subject.as_ref().map(|subject| of_subject(graph, subject));
    Rc::new(path.or(pointed).or_else(selected).or_else(subject).unwrap_or_default())
}

/// The entries of a path, as indices, its start first.
pub type PathEntries = Rc<[u32]>;

/// The entries of the path that is shown, as soon as it is known.
#[must_use]
pub fn path_entries(state: &State) -> Option<PathEntries> {
    let graph = state.graph.as_deref()?;
    let path = state.explore.path.as_ref()?;
    let along = along(graph, &path.from, &path.to, hops(path)?);
    let named = |at: &u32| graph.nodes.get(*at as usize).is_some_and(|node| node.key.name == path.from);
    let (first, rest): (Vec<u32>, Vec<u32>) = along.nodes.keys().copied().partition(named);
    Some(first.into_iter().chain(rest).collect())
}

fn hops(path: &super::ShownPath) -> Option<&[HopView]> {
    let view = path.view.as_deref()?;
    match path.kind {
        PathKind::Olm => Some(&view.olm),
        PathKind::Shortest => view.shortest.as_deref(),
        PathKind::AcrossChannels => view.across_channels.as_deref(),
    }
}

/// Whether an entry is an end of the selected edge or has the selected range.
fn is_end(subject: Option<&Subject>, key: &EntryKey) -> bool {
    let is_in = |channel: &str| key.channel.as_deref() == Some(channel);
    match subject {
        Some(Subject::Edge { channel, from, to }) => is_in(channel) && (key.name == *from || key.name == *to),
        Some(Subject::Range { channel, entry }) => is_in(channel) && key.name == *entry,
        Some(Subject::Package | Subject::Channel { .. }) | None => false,
    }
}

/// The hops around an entry: the path that OLM takes from it, the other entries that one hop leads to, the entries from
/// which OLM's updates lead to it, and the others that may be updated to it in one hop.
fn around(graph: &GraphView, at: u32) -> Highlight {
    let mut highlight = Highlight { dims: true, ..Highlight::default() };
    let next = |at: u32| graph.nodes.get(at as usize).and_then(|node| node.next);
    let lane = graph.nodes.get(at as usize).map_or(0, |node| node.lane);
    for from in graph.lane_nodes(lane) {
        if let Some(hops) = graph.hops_between(from, at) {
            highlight.add(from, Role::Before, &format!("−{hops}"));
            if let Some(Line::Edge(edge)) = next(from).map(|next| next.line) {
                highlight.edges.insert(edge, Role::Before);
            }
        }
    }
    // Of a channel without updates, as one that OLM cannot order, no hops are counted.
    let counts = graph.lane_nodes(lane).any(|at| next(at).is_some());
    let words = if counts { ["−1", "+1"] } else { ["", ""] };
    highlight.add_edges(graph, at, words);
    highlight.add_bands(graph, at, words);
    highlight.nodes.insert(at, HighlightedNode { role: Role::Subject, word: None });
    highlight.add_copies(graph, at);
    let (mut step, mut hops) = (at, 0);
    while let Some(next) = next(step) {
        // Updates in a circle come back to an entry of the path.
        if next.to == at || highlight.nodes.get(&next.to).is_some_and(|node| node.role == Role::Path) {
            break;
        }
        hops += 1;
        highlight.add(next.to, Role::Path, &format!("+{hops}"));
        match next.line {
            Line::Edge(edge) => highlight.edges.insert(edge, Role::Path),
            Line::Band(band) => highlight.bands.insert(band, Role::Path),
        };
        step = next.to;
    }
    highlight
}

/// The hops of a path, each in the channel in which it is made.
fn along(graph: &GraphView, from: &str, to: &EntryKey, hops: &[HopView]) -> Highlight {
    let mut highlight = Highlight { dims: true, ..Highlight::default() };
    let find = |channel: Option<&str>, name: &str| {
        let is_entry = |node: &views::NodeView| node.key.channel.as_deref() == channel && node.key.name == name;
        graph.nodes.iter().position(is_entry).map(|at| at as u32)
    };
    let first = hops.first().map_or(to, |hop| &hop.to).channel.as_deref();
    // The installed bundle may be an entry of other channels only.
    let named = || graph.nodes.iter().position(|node| node.key.name == from).map(|at| at as u32);
    let start = find(first, from).or_else(named);
    for node in start.into_iter().chain(find(to.channel.as_deref(), &to.name)) {
        highlight.nodes.insert(node, HighlightedNode { role: Role::Subject, word: None });
    }
    for (hop, number) in hops.iter().zip(1..) {
        let channel = hop.to.channel.as_deref();
        let Some(at) = find(channel, &hop.to.name) else { continue };
        highlight.add(at, Role::Path, &format!("hop {number}"));
        if let Some(before) = find(channel, &hop.from) {
            highlight.nodes.entry(before).or_insert(HighlightedNode { role: Role::Path, word: None });
            highlight.connect(graph, before, at);
        } else {
            // The installed bundle is not an entry of the channel: only a skipRange can update it.
            let bands = graph.bands.iter().zip(0..).filter(|(band, _)| band.to == at && hop.via == "skipRange");
            highlight.bands.extend(bands.map(|(_, index)| (index, Role::Path)));
        }
    }
    highlight
}

fn of_subject(graph: &GraphView, subject: &Subject) -> Highlight {
    let mut highlight = Highlight { dims: true, ..Highlight::default() };
    let is_entry = |at: u32, channel: &str, name: &str| {
        let key = graph.nodes.get(at as usize).map(|node| &node.key);
        key.is_some_and(|key| key.channel.as_deref() == Some(channel) && key.name == name)
    };
    match subject {
        Subject::Package => return Highlight::default(),
        Subject::Channel { channel } => {
            let Some(lane) = graph.lanes.iter().position(|lane| lane.channel == *channel) else { return highlight };
            let nodes = graph.lane_nodes(lane as u32);
            highlight.nodes.extend(nodes.clone().map(|at| (at, HighlightedNode { role: Role::After, word: None })));
            let edges = graph.edges.iter().zip(0..).filter(|(edge, _)| nodes.contains(&edge.to));
            highlight.edges.extend(edges.map(|(_, index)| (index, Role::After)));
            let bands = graph.bands.iter().zip(0..).filter(|(band, _)| band.lane == lane as u32 && !band.folded);
            highlight.bands.extend(bands.map(|(_, index)| (index, Role::After)));
        }
        Subject::Edge { channel, from, to } => {
            let is_selected =
                |edge: &views::EdgeView| is_entry(edge.from, channel, from) && is_entry(edge.to, channel, to);
            for (edge, index) in graph.edges.iter().zip(0..).filter(|(edge, _)| is_selected(edge)) {
                highlight.edges.insert(index, Role::Subject);
                highlight.nodes.insert(edge.from, HighlightedNode { role: Role::Before, word: None });
                highlight.nodes.insert(edge.to, HighlightedNode { role: Role::After, word: None });
            }
        }
        Subject::Range { channel, entry } => {
            for (band, index) in graph.bands.iter().zip(0..).filter(|(band, _)| is_entry(band.to, channel, entry)) {
                highlight.bands.insert(index, Role::Subject);
                highlight
                    .nodes
                    .extend(graph.covered(band).map(|at| (at, HighlightedNode { role: Role::Before, word: None })));
                highlight.nodes.insert(band.to, HighlightedNode { role: Role::After, word: None });
            }
        }
    }
    highlight
}

impl Highlight {
    fn add(&mut self, at: u32, role: Role, word: &str) {
        let word = (!word.is_empty()).then(|| word.into());
        self.nodes.insert(at, HighlightedNode { role, word });
    }

    /// Adds the same bundle in other channels.
    fn add_copies(&mut self, graph: &GraphView, at: u32) {
        let Some(own) = graph.nodes.get(at as usize) else { return };
        let is_copy =
            |node: &views::NodeView| node.lane != own.lane && node.key.name == own.key.name && node.place.is_some();
        for (_, copy) in graph.nodes.iter().zip(0..).filter(|(node, _)| is_copy(node)) {
            self.nodes.insert(copy, HighlightedNode { role: Role::Subject, word: None });
        }
    }

    /// Adds the edges of an entry that OLM may use, with their other ends.
    fn add_edges(&mut self, graph: &GraphView, at: u32, [before, after]: [&str; 2]) {
        for (edge, index) in graph.edges.iter().zip(0..).filter(|(edge, _)| !edge.ignored) {
            if edge.to == at {
                self.add(edge.from, Role::Before, before);
                self.edges.insert(index, Role::Before);
            } else if edge.from == at {
                self.add(edge.to, Role::After, after);
                self.edges.insert(index, Role::After);
            }
        }
    }

    /// Adds the band of an entry, and the entries that bands lead to or from.
    fn add_bands(&mut self, graph: &GraphView, at: u32, [before, after]: [&str; 2]) {
        for (band, index) in graph.bands.iter().zip(0..) {
            if band.to == at {
                self.bands.insert(index, if band.ignored { Role::Subject } else { Role::Before });
            }
            if band.ignored {
                continue;
            }
            if band.to == at {
                graph.covered(band).for_each(|from| self.add(from, Role::Before, before));
            } else if graph.covers(band, at) {
                self.add(band.to, Role::After, after);
            }
        }
    }

    /// Adds what leads from one entry to another: an edge, else a band.
    fn connect(&mut self, graph: &GraphView, from: u32, to: u32) {
        let edge = graph.edges.iter().zip(0..).find(|(edge, _)| edge.from == from && edge.to == to);
        if let Some((_, index)) = edge {
            self.edges.insert(index, Role::Path);
            return;
        }
        let band = graph.bands.iter().zip(0..).find(|(band, _)| band.to == to && graph.covers(band, from));
        self.bands.extend(band.map(|(_, index)| (index, Role::Path)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{Shared, ShownPath};
    use opscope_drawing::testing::{self, lane, replaces};
    use views::{BandView, EdgeView, NextView, NodeView, Place};

    /// Next update, number of hops and numbers of the subtree.
    type Tree = (Option<(u32, Line)>, u32, (u32, u32));

    /// An entry without updates.
    const ALONE: Tree = (None, 0, (0, 1));

    /// A lane `c` of entries by name from old to new, edges as pairs with whether they are ignored, and one band.
    fn graph(trees: &[Tree], edges: &[(u32, u32, bool)], band: Option<(u32, (u32, u32))>) -> GraphView {
        let node = |(at, &(next, hops, subtree)): (u32, &Tree)| NodeView {
            column: at,
            key: EntryKey { channel: Some("c".to_owned()), name: format!("n{at}") },
            label: format!("{at}"),
            next: next.map(|(to, line)| NextView { to, line }),
            hops,
            end: at,
            subtree,
            ..NodeView::default()
        };
        let edge = |&(from, to, ignored): &(u32, u32, bool)| EdgeView { ignored, ..replaces(from, to, &[]) };
        let band = band.map(|(to, columns)| BandView { to, columns: vec![columns], ..BandView::default() });
        GraphView {
            lanes: vec![lane(0)],
            nodes: (0..).zip(trees).map(node).collect(),
            edges: edges.iter().map(edge).collect(),
            bands: band.into_iter().collect(),
            ..testing::graph(&[])
        }
    }

    /// `index role word` of entries, then the highlighted edges and bands.
    fn shown(highlight: &Highlight) -> (Vec<String>, Vec<u32>, Vec<u32>) {
        let Highlight { nodes, edges, bands, .. } = highlight;
        let node = |(at, node): (&u32, &HighlightedNode)| {
            format!("{at} {:?} {}", node.role, node.word.as_deref().unwrap_or_default())
        };
        (nodes.iter().map(node).collect(), edges.keys().copied().collect(), bands.keys().copied().collect())
    }

    #[test]
    fn hops_around_an_entry_lead_to_it_and_away_from_it() {
        // OLM jumps from 1 over the band to 3; an edge leads to 2 as well.
        let trees = [
            (Some((1, Line::Edge(0))), 2, (2, 3)),
            (Some((3, Line::Band(0))), 1, (1, 3)),
            (Some((3, Line::Edge(2))), 1, (3, 4)),
            (None, 0, (0, 4)),
        ];
        let graph = graph(&trees, &[(0, 1, false), (1, 2, false), (2, 3, false)], Some((3, (1, 2))));
        let expected = ["0 Before −1", "1 Subject ", "2 After +1", "3 Path +1"].map(str::to_owned);
        assert_eq!(shown(&around(&graph, 1)), (expected.to_vec(), vec![0, 1], vec![0]));
        let expected = ["0 Before −2", "1 Before −1", "2 Before −1", "3 Subject "].map(str::to_owned);
        assert_eq!(shown(&around(&graph, 3)), (expected.to_vec(), vec![0, 2], vec![0]));
    }

    #[test]
    fn a_bundle_is_highlighted_in_all_channels_that_list_it() {
        let numbered = |number: u32| (None, 0, (number, number + 1));
        let mut graph = graph(&[0, 1, 2, 3].map(numbered), &[], None);
        for (at, place) in [(2, Some(Place::default())), (3, None)] {
            let key = EntryKey { channel: Some("d".to_owned()), name: "n0".to_owned() };
            graph.nodes[at] = NodeView { lane: 1, key, place, ..graph.nodes[at].clone() };
        }
        assert_eq!(shown(&around(&graph, 0)).0, ["0 Subject ", "2 Subject "], "a ghost of it is no copy");
    }

    #[test]
    fn no_hops_are_counted_in_a_channel_without_updates() {
        let graph = graph(&[ALONE, (None, 0, (1, 2))], &[(0, 1, false)], None);
        assert_eq!(shown(&around(&graph, 1)), (vec!["0 Before ".to_owned(), "1 Subject ".to_owned()], vec![0], vec![]));
    }

    #[test]
    fn ignored_edges_lead_nowhere() {
        let graph = graph(&[ALONE, (None, 0, (1, 2))], &[(0, 1, true)], None);
        assert_eq!(shown(&around(&graph, 0)).0, ["0 Subject "]);
    }

    #[test]
    fn a_circle_is_followed_once() {
        let trees = [(Some((1, Line::Edge(0))), 0, (0, 2)), (Some((0, Line::Edge(1))), 1, (1, 2))];
        let graph = graph(&trees, &[(0, 1, false), (1, 0, false)], None);
        assert_eq!(shown(&around(&graph, 0)).0, ["0 Subject ", "1 Path +1"]);
    }

    #[test]
    fn a_path_is_highlighted_hop_by_hop() {
        let numbered = |number: u32| (None, 0, (number, number + 1));
        let mut graph = graph(&[0, 1, 2, 3].map(numbered), &[(0, 1, false), (1, 2, false)], None);
        let to = |at: u32| EntryKey { channel: Some("c".to_owned()), name: format!("n{at}") };
        let hop = |from: u32| HopView {
            from: format!("n{from}"),
            to: to(from + 1),
            label: String::new(),
            via: "replaces".to_owned(),
            because: String::new(),
            deprecated: None,
            place: Place::default(),
        };
        let highlight = along(&graph, "n0", &to(2), &[hop(0), hop(1)]);
        let expected = ["0 Subject ", "1 Path hop 1", "2 Path hop 2"].map(str::to_owned);
        assert_eq!(shown(&highlight), (expected.to_vec(), vec![0, 1], Vec::new()));
        // Where OLM is stuck on the path, both ends are highlighted.
        assert_eq!(shown(&along(&graph, "n0", &to(3), &[hop(0)])).0, ["0 Subject ", "1 Path hop 1", "3 Subject "]);
        // The installed bundle may be an entry of another channel only.
        let key = EntryKey { channel: Some("d".to_owned()), name: "m".to_owned() };
        graph.nodes.push(NodeView { key, ..graph.nodes[0].clone() });
        assert_eq!(shown(&along(&graph, "m", &to(3), &[])).0, ["3 Subject ", "4 Subject "]);
    }

    #[test]
    fn a_pointer_does_not_hide_the_path() {
        let numbered = |number: u32| (None, 0, (number, number + 1));
        let graph = graph(&[0, 1, 2].map(numbered), &[(0, 1, false)], None);
        let key = |at: u32| EntryKey { channel: Some("c".to_owned()), name: format!("n{at}") };
        let mut state = State { graph: Some(Shared::new(graph)), ..State::default() };
        state.explore.pointed = Some(key(2));
        assert_eq!(shown(&highlight(&state)).0, ["2 Subject "]);
        state.explore.path = Some(ShownPath {
            from: "n0".to_owned(),
            to: key(1),
            view: Some(Shared::new(views::PathView::default())),
            kind: PathKind::Olm,
            from_reach: false,
            before: None,
        });
        assert_eq!(shown(&highlight(&state)).0, ["0 Subject ", "1 Subject "]);
    }

    #[test]
    fn a_range_is_highlighted_with_the_entries_that_it_covers() {
        let graph = graph(&[ALONE; 3], &[], Some((2, (0, 2))));
        let subject = Subject::Range { channel: "c".to_owned(), entry: "n2".to_owned() };
        let expected = ["0 Before ", "1 Before ", "2 After "].map(str::to_owned);
        assert_eq!(shown(&of_subject(&graph, &subject)), (expected.to_vec(), Vec::new(), vec![0]));
    }
}
