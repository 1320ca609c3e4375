//! What of the drawing stands out, and why; by the indices of [`GraphView`]. All of it follows from the view alone, so
//! that pointing at an entry asks nobody.

use super::{Route, State};
use std::collections::BTreeMap;
use std::rc::Rc;
use views::{EntryKey, GraphView, HopView, Subject};

/// Why a part of the drawing stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Glow {
    /// It is what the others stand out for.
    Subject,
    /// One can come from it.
    Before,
    /// One can go to it.
    After,
    /// It is on the way that was asked for, or on the one that OLM takes.
    Way,
}

/// An entry that stands out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LitNode {
    /// Why.
    pub glow: Glow,
    /// What is written at it, as `hop 2` on a way that was asked for, and `+2` at what OLM makes of an entry.
    pub word: Option<Rc<str>>,
}

/// What stands out of the drawing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lit {
    /// Entries, by their index.
    pub nodes: BTreeMap<u32, LitNode>,
    /// Edges, by their index.
    pub edges: BTreeMap<u32, Glow>,
    /// Bands, by their index.
    pub bands: BTreeMap<u32, Glow>,
    /// Everything else steps back.
    pub dims: bool,
}

/// What stands out now: the way that was asked for; else what is around the entry that is pointed at, or the selected
/// one; else what is selected.
#[must_use]
pub fn lit(state: &State) -> Rc<Lit> {
    let Some(graph) = state.graph.as_deref() else { return Rc::default() };
    let explore = &state.explore;
    let way = explore.way.as_ref().and_then(|way| Some(along(graph, &way.from, &way.to, hops(way)?)));
    let index = |key: &EntryKey| graph.nodes.iter().position(|node| node.key == *key).map(|at| at as u32);
    // What is selected keeps the focus: a way that ends there, or an edge that does, is to be seen all the same.
    let elsewhere = explore.pointed.as_ref().filter(|key| Some(*key) != state.selection.entry.as_ref());
    let elsewhere = elsewhere.filter(|key| !is_end(explore.subject.as_ref(), key));
    let pointed = elsewhere.and_then(index).map(|at| around(graph, at));
    let selected = || state.selection.entry.as_ref().and_then(index).map(|at| around(graph, at));
    let subject = || explore.subject.as_ref().map(|subject| of_subject(graph, subject));
    Rc::new(pointed.or(way).or_else(selected).or_else(subject).unwrap_or_default())
}

/// The stops of a way, indices of entries; from where it begins.
pub type Stops = Rc<[u32]>;

/// The stops of the way that was asked for, as soon as it is known.
#[must_use]
pub fn stops(state: &State) -> Option<Stops> {
    let graph = state.graph.as_deref()?;
    let way = state.explore.way.as_ref()?;
    let lit = along(graph, &way.from, &way.to, hops(way)?);
    let named = |at: &u32| graph.nodes.get(*at as usize).is_some_and(|node| node.key.name == way.from);
    let (first, rest): (Vec<u32>, Vec<u32>) = lit.nodes.keys().copied().partition(named);
    Some(first.into_iter().chain(rest).collect())
}

/// The hops of the way that is drawn.
fn hops(way: &super::Way) -> Option<&[HopView]> {
    let view = way.view.as_deref()?;
    match way.route {
        Route::Olm => Some(&view.olm),
        Route::Fewest => view.fewest.as_deref(),
        Route::Detour => view.detour.as_deref(),
    }
}

/// Whether an entry is an end of the selected edge or has the selected range.
fn is_end(subject: Option<&Subject>, key: &EntryKey) -> bool {
    let here = |channel: &str| key.channel.as_deref() == Some(channel);
    match subject {
        Some(Subject::Edge { channel, from, to }) => here(channel) && (key.name == *from || key.name == *to),
        Some(Subject::Range { channel, entry }) => here(channel) && key.name == *entry,
        Some(Subject::Package | Subject::Channel { .. }) | None => false,
    }
}

/// An entry, what OLM makes of it, where else it can go, and who can come to it.
fn around(graph: &GraphView, at: u32) -> Lit {
    let mut lit = Lit { dims: true, ..Lit::default() };
    let hops = Hops::of(graph, at);
    for (node, distance) in hops.distances(at, true) {
        lit.put(node, Glow::Before, &format!("−{distance}"));
    }
    for (node, distance) in hops.distances(at, false) {
        lit.put(node, Glow::After, &format!("+{distance}"));
    }
    lit.nodes.insert(at, LitNode { glow: Glow::Subject, word: None });
    let (mut step, mut number) = (at, 0);
    while let Some(next) = graph.nodes.get(step as usize).and_then(|node| node.next) {
        // Updates in a circle come back to what is lit already.
        if next == at || lit.nodes.get(&next).is_some_and(|node| node.glow == Glow::Way) {
            break;
        }
        number += 1;
        lit.put(next, Glow::Way, &format!("+{number}"));
        lit.connect(graph, step, next);
        step = next;
    }
    lit.join(graph, at);
    lit
}

/// The hops of a way, in the channels in which they are made.
fn along(graph: &GraphView, from: &str, to: &EntryKey, hops: &[HopView]) -> Lit {
    let mut lit = Lit { dims: true, ..Lit::default() };
    let find = |channel: Option<&str>, name: &str| {
        let here = |node: &views::NodeView| node.key.channel.as_deref() == channel && node.key.name == name;
        graph.nodes.iter().position(here).map(|at| at as u32)
    };
    let first = hops.first().map_or(to, |hop| &hop.to).channel.as_deref();
    // What is installed may be an entry of other channels alone.
    let named = || graph.nodes.iter().position(|node| node.key.name == from).map(|at| at as u32);
    let start = find(first, from).or_else(named);
    for node in start.into_iter().chain(find(to.channel.as_deref(), &to.name)) {
        lit.nodes.insert(node, LitNode { glow: Glow::Subject, word: None });
    }
    for (hop, number) in hops.iter().zip(1..) {
        let channel = hop.to.channel.as_deref();
        let Some(at) = find(channel, &hop.to.name) else { continue };
        lit.put(at, Glow::Way, &format!("hop {number}"));
        if let Some(before) = find(channel, &hop.from) {
            lit.nodes.entry(before).or_insert(LitNode { glow: Glow::Way, word: None });
            lit.connect(graph, before, at);
        } else {
            // What is installed is no entry of the channel: only a range can lead from it.
            let bands = graph.bands.iter().zip(0..).filter(|(band, _)| band.to == at && hop.via == "skipRange");
            lit.bands.extend(bands.map(|(_, index)| (index, Glow::Way)));
        }
    }
    lit
}

fn of_subject(graph: &GraphView, subject: &Subject) -> Lit {
    let mut lit = Lit { dims: true, ..Lit::default() };
    let is = |at: u32, channel: &str, name: &str| {
        let key = graph.nodes.get(at as usize).map(|node| &node.key);
        key.is_some_and(|key| key.channel.as_deref() == Some(channel) && key.name == name)
    };
    match subject {
        Subject::Package => return Lit::default(),
        Subject::Channel { channel } => {
            let Some(lane) = graph.lanes.iter().position(|lane| lane.channel == *channel) else { return lit };
            let nodes = graph.lane_nodes(lane as u32);
            lit.nodes.extend(nodes.clone().map(|at| (at, LitNode { glow: Glow::After, word: None })));
            let edges = graph.edges.iter().zip(0..).filter(|(edge, _)| nodes.contains(&edge.to));
            lit.edges.extend(edges.map(|(_, index)| (index, Glow::After)));
            let bands = graph.bands.iter().zip(0..).filter(|(band, _)| band.lane == lane as u32 && !band.folded);
            lit.bands.extend(bands.map(|(_, index)| (index, Glow::After)));
        }
        Subject::Edge { channel, from, to } => {
            let here = |edge: &views::EdgeView| is(edge.from, channel, from) && is(edge.to, channel, to);
            for (edge, index) in graph.edges.iter().zip(0..).filter(|(edge, _)| here(edge)) {
                lit.edges.insert(index, Glow::Subject);
                lit.nodes.insert(edge.from, LitNode { glow: Glow::Before, word: None });
                lit.nodes.insert(edge.to, LitNode { glow: Glow::After, word: None });
            }
        }
        Subject::Range { channel, entry } => {
            for (band, index) in graph.bands.iter().zip(0..).filter(|(band, _)| is(band.to, channel, entry)) {
                lit.bands.insert(index, Glow::Subject);
                lit.nodes.extend(graph.covered(band).map(|at| (at, LitNode { glow: Glow::Before, word: None })));
                lit.nodes.insert(band.to, LitNode { glow: Glow::After, word: None });
            }
        }
    }
    lit
}

impl Lit {
    /// Adds an entry; what OLM does, and where one can go, counts more than where one can come from.
    fn put(&mut self, at: u32, glow: Glow, word: &str) {
        self.nodes.insert(at, LitNode { glow, word: Some(word.into()) });
    }

    /// Adds what leads from one entry to another: an edge, else a band.
    fn connect(&mut self, graph: &GraphView, from: u32, to: u32) {
        let edge = graph.edges.iter().zip(0..).find(|(edge, _)| edge.from == from && edge.to == to);
        if let Some((_, index)) = edge {
            self.edges.insert(index, Glow::Way);
            return;
        }
        let band = graph.bands.iter().zip(0..).find(|(band, _)| band.to == to && graph.covers(band, from));
        self.bands.extend(band.map(|(_, index)| (index, Glow::Way)));
    }

    /// Adds the edges between entries that are lit, and the bands of the entry in the middle.
    fn join(&mut self, graph: &GraphView, middle: u32) {
        let glow = |lit: &Self, at: u32| lit.nodes.get(&at).map(|node| node.glow);
        for (edge, index) in graph.edges.iter().zip(0..).filter(|(edge, _)| !edge.ignored || edge.to == middle) {
            let (from, to) = (glow(self, edge.from), glow(self, edge.to));
            let side = match (from, to) {
                (Some(Glow::Before), Some(Glow::Before | Glow::Subject)) => Glow::Before,
                (Some(Glow::Subject | Glow::After | Glow::Way), Some(Glow::After | Glow::Way)) => Glow::After,
                _ => continue,
            };
            self.edges.entry(index).or_insert(side);
        }
        for (band, index) in graph.bands.iter().zip(0..).filter(|(band, _)| band.to == middle) {
            self.bands.entry(index).or_insert(if band.ignored { Glow::Subject } else { Glow::Before });
        }
    }
}

/// The hops within the lane of an entry that OLM v0 may make.
struct Hops<'a> {
    graph: &'a GraphView,
    first: u32,
    after: Vec<Vec<u32>>,
    before: Vec<Vec<u32>>,
    /// Bands, by their index.
    bands: Vec<usize>,
}

impl<'a> Hops<'a> {
    fn of(graph: &'a GraphView, at: u32) -> Self {
        let lane = graph.nodes.get(at as usize).map_or(0, |node| node.lane);
        let nodes = graph.lane_nodes(lane);
        let mut hops = Self {
            graph,
            first: nodes.start,
            after: vec![Vec::new(); nodes.len()],
            before: vec![Vec::new(); nodes.len()],
            bands: (0..graph.bands.len())
                .filter(|&index| graph.bands[index].lane == lane && !graph.bands[index].ignored)
                .collect(),
        };
        for edge in graph.edges.iter().filter(|edge| !edge.ignored && nodes.contains(&edge.to)) {
            hops.after[(edge.from - nodes.start) as usize].push(edge.to);
            hops.before[(edge.to - nodes.start) as usize].push(edge.from);
        }
        hops
    }

    /// Every entry that one can come to, or from, with the fewest hops.
    fn distances(&self, at: u32, back: bool) -> Vec<(u32, u32)> {
        let mut bands = self.bands.clone();
        let mut seen = vec![false; self.after.len()];
        let mut found = Vec::new();
        let mut waiting = std::collections::VecDeque::from([(at, 0)]);
        seen[(at - self.first) as usize] = true;
        while let Some((node, distance)) = waiting.pop_front() {
            let named = if back { &self.before } else { &self.after };
            let (here, left): (Vec<usize>, Vec<usize>) = bands.into_iter().partition(|&index| {
                let band = &self.graph.bands[index];
                if back { band.to == node } else { self.graph.covers(band, node) }
            });
            bands = left;
            let ranged: Vec<u32> = here
                .into_iter()
                .flat_map(|index| {
                    let band = &self.graph.bands[index];
                    if back { self.graph.covered(band).collect() } else { vec![band.to] }
                })
                .collect();
            for &next in named[(node - self.first) as usize].iter().chain(&ranged) {
                if !std::mem::replace(&mut seen[(next - self.first) as usize], true) {
                    found.push((next, distance + 1));
                    waiting.push_back((next, distance + 1));
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use views::{BandView, CatalogId, EdgeKind, EdgeView, LaneView, NodeView, PackageKey, Place, Point};

    const PLACE: Place = Place { file: views::FileKey(0), start: 0, end: 0, line: 1, column: 1 };

    /// A lane `c` of entries by name from old to new, edges as pairs with whether they are ignored, and one band.
    fn graph(next: &[Option<u32>], edges: &[(u32, u32, bool)], band: Option<(u32, (u32, u32))>) -> GraphView {
        let node = |(at, next): (u32, &Option<u32>)| NodeView {
            lane: 0,
            column: at,
            key: EntryKey { channel: Some("c".to_owned()), name: format!("n{at}") },
            label: format!("{at}"),
            at: Point { x: 0, y: 0 },
            width: 50,
            height: 26,
            marks: Vec::new(),
            summary: format!("n{at}"),
            place: None,
            next: *next,
            findings: 0,
            bad_range: None,
        };
        let edge = |&(from, to, ignored): &(u32, u32, bool)| EdgeView {
            kind: EdgeKind::Replaces,
            from,
            to,
            points: Vec::new(),
            ignored,
        };
        let band = band.map(|(to, columns)| BandView {
            lane: 0,
            to,
            range: String::new(),
            label: String::new(),
            stretches: Vec::new(),
            y: 0,
            folded: false,
            unbounded_below: false,
            warns: false,
            columns: vec![columns],
            ignored: false,
        });
        let lane = LaneView {
            channel: "c".to_owned(),
            default: true,
            deprecated: None,
            y: 0,
            height: 0,
            spine: 0,
            entries: 4,
            problem: None,
            place: PLACE,
        };
        GraphView {
            package: PackageKey { catalog: CatalogId(0), package: "p".to_owned() },
            deprecated: None,
            width: 0,
            height: 0,
            gutter: 0,
            columns: Vec::new(),
            lanes: vec![lane],
            nodes: (0..).zip(next).map(node).collect(),
            edges: edges.iter().map(edge).collect(),
            bands: band.into_iter().collect(),
        }
    }

    /// `index glow word` of entries, then edges and bands that are lit.
    fn told(lit: &Lit) -> (Vec<String>, Vec<u32>, Vec<u32>) {
        let node =
            |(at, node): (&u32, &LitNode)| format!("{at} {:?} {}", node.glow, node.word.as_deref().unwrap_or_default());
        (lit.nodes.iter().map(node).collect(), lit.edges.keys().copied().collect(), lit.bands.keys().copied().collect())
    }

    #[test]
    fn around_an_entry_is_all_that_it_may_become_and_all_that_may_become_it() {
        // OLM jumps from 1 over the band to 3; an edge leads to 2 as well.
        let graph = graph(
            &[Some(1), Some(3), Some(3), None],
            &[(0, 1, false), (1, 2, false), (2, 3, false)],
            Some((3, (1, 2))),
        );
        let expected = ["0 Before −1", "1 Subject ", "2 After +1", "3 Way +1"].map(str::to_owned);
        assert_eq!(told(&around(&graph, 1)), (expected.to_vec(), vec![0, 1, 2], vec![0]));
        let expected = ["0 Before −2", "1 Before −1", "2 Before −1", "3 Subject "].map(str::to_owned);
        assert_eq!(told(&around(&graph, 3)).0, expected);
    }

    #[test]
    fn what_olm_ignores_leads_nowhere() {
        let graph = graph(&[None, None], &[(0, 1, true)], None);
        assert_eq!(told(&around(&graph, 0)).0, ["0 Subject "]);
    }

    #[test]
    fn a_circle_is_walked_once() {
        let graph = graph(&[Some(1), Some(0)], &[(0, 1, false), (1, 0, false)], None);
        assert_eq!(told(&around(&graph, 0)).0, ["0 Subject ", "1 Way +1"]);
    }

    #[test]
    fn a_way_is_lit_hop_by_hop() {
        let graph = graph(&[Some(1), Some(2), None, None], &[(0, 1, false), (1, 2, false)], None);
        let to = |at: u32| EntryKey { channel: Some("c".to_owned()), name: format!("n{at}") };
        let hop = |from: u32| HopView {
            from: format!("n{from}"),
            to: to(from + 1),
            label: String::new(),
            via: "replaces".to_owned(),
            because: String::new(),
            place: PLACE,
        };
        let lit = along(&graph, "n0", &to(2), &[hop(0), hop(1)]);
        let expected = ["0 Subject ", "1 Way hop 1", "2 Way hop 2"].map(str::to_owned);
        assert_eq!(told(&lit), (expected.to_vec(), vec![0, 1], Vec::new()));
        // Where OLM rests on the way, both ends are lit.
        assert_eq!(told(&along(&graph, "n0", &to(3), &[hop(0)])).0, ["0 Subject ", "1 Way hop 1", "3 Subject "]);
        // What is installed may be an entry of another channel alone.
        let mut graph = graph;
        let key = EntryKey { channel: Some("d".to_owned()), name: "m".to_owned() };
        graph.nodes.push(NodeView { key, ..graph.nodes[0].clone() });
        assert_eq!(told(&along(&graph, "m", &to(3), &[])).0, ["3 Subject ", "4 Subject "]);
    }

    #[test]
    fn a_range_lights_what_it_covers() {
        let graph = graph(&[None, None, None], &[], Some((2, (0, 2))));
        let subject = Subject::Range { channel: "c".to_owned(), entry: "n2".to_owned() };
        let expected = ["0 Before ", "1 Before ", "2 After "].map(str::to_owned);
        assert_eq!(told(&of_subject(&graph, &subject)), (expected.to_vec(), Vec::new(), vec![0]));
    }
}
