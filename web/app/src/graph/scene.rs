//! Spatial index of the drawing, so that only its visible part needs elements on the page.
//!
//! A lane is divided into tiles of one width. Anything longer than a tile belongs to the next level, whose tiles are
//! four times as wide, and so on. So the visible parts are found without looking at the rest, and each is drawn once.

use crate::store::Highlight;
use opscope_drawing::{Area, NEAR, VisibleArea};
use std::collections::BTreeMap;
use views::{BandView, EdgeKind, EdgeView, GraphView, NodeView, Point, Subject};

/// Width of a far tile.
const FAR: i32 = 16 * NEAR;
/// How much wider the tiles of the next level are.
const GROWTH: i32 = 4;
const LEVELS: u32 = 6;
/// A graph with at most this many nodes, edges and bands is on the page as a whole.
const SMALL: usize = 240;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TileKey {
    /// Smaller ranks are wider tiles. They come first, so that entries are drawn above lines.
    pub(super) rank: u32,
    /// The lane, an index.
    pub(super) lane: u32,
    /// Its number, counted from the left.
    pub(super) at: i32,
}

impl TileKey {
    /// The left and right end of a near tile, and how far to the right its content may extend, drawing units.
    pub(super) fn stretch(self) -> (i32, i32, i32) {
        let level = LEVELS.saturating_sub(self.rank);
        let width = NEAR.saturating_mul(GROWTH.saturating_pow(level));
        let left = self.at.saturating_mul(width);
        let right = left.saturating_add(width);
        // Entries lie within their tile. Only long lines extend beyond it, and only those must be drawn before it is
        // visible.
        (left, right, if level == 0 { right + NEAR / 8 } else { right.saturating_add(width) })
    }
}

/// The content of a tile, by index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tile {
    pub(super) nodes: Vec<u32>,
    pub(super) edges: Vec<u32>,
    pub(super) bands: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Scene {
    near: Tiles,
    far: Tiles,
    /// Whether it is on the page as a whole.
    pub(super) small: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Tiles {
    width: i32,
    all: BTreeMap<TileKey, Tile>,
}

impl Scene {
    pub(super) fn of(graph: &GraphView) -> Self {
        Self {
            near: Tiles::of(graph, NEAR),
            far: Tiles::of(graph, FAR),
            small: graph.nodes.len() + graph.edges.len() + graph.bands.len() <= SMALL,
        }
    }

    /// The visible tiles, and the tile of `cursor`, which stays on the page to keep the focus.
    pub(super) fn seen(&self, shown: &VisibleArea, far: bool, graph: &GraphView, cursor: u32) -> Vec<TileKey> {
        let tiles = self.tiles(far);
        let mut seen: Vec<TileKey> =
            if self.small { tiles.all.keys().copied().collect() } else { tiles.seen(shown).collect() };
        seen.extend(self.home(graph, cursor, far).filter(|home| !seen.contains(home)));
        seen
    }

    /// The tile of an entry.
    pub(super) fn home(&self, graph: &GraphView, entry: u32, far: bool) -> Option<TileKey> {
        graph.nodes.get(entry as usize).map(|node| self.tiles(far).key(node.lane, node.at.x, node.at.x))
    }

    pub(super) fn tile(&self, key: TileKey, far: bool) -> Option<&Tile> {
        self.tiles(far).all.get(&key)
    }

    fn tiles(&self, far: bool) -> &Tiles {
        if far { &self.far } else { &self.near }
    }
}

impl Tiles {
    fn of(graph: &GraphView, width: i32) -> Self {
        let mut tiles = Self { width, all: BTreeMap::new() };
        for (node, at) in graph.nodes.iter().zip(0..) {
            tiles.tile(node.lane, node.at.x, node.at.x).nodes.push(at);
        }
        for (edge, at) in graph.edges.iter().zip(0..) {
            let lane = graph.nodes.get(edge.from as usize).map_or(0, |node| node.lane);
            let ends = edge.points.iter().map(|point| point.x);
            if let (Some(left), Some(right), true) = (ends.clone().min(), ends.max(), !edge.quiet) {
                tiles.tile(lane, left, right).edges.push(at);
            }
        }
        for (band, at) in graph.bands.iter().zip(0..).filter(|(band, _)| !band.folded) {
            let to = graph.nodes.get(band.to as usize).map_or(0, |node| node.at.x);
            let left = band.stretches.first().map_or(to, |stretch| stretch.0.min(to));
            let right = band.stretches.last().map_or(to, |stretch| stretch.1.max(to));
            tiles.tile(band.lane, left, right).bands.push(at);
        }
        tiles
    }

    fn tile(&mut self, lane: u32, left: i32, right: i32) -> &mut Tile {
        self.all.entry(self.key(lane, left, right)).or_default()
    }

    /// The smallest tile that is wide enough. Content that begins in it ends at most in the next one.
    fn key(&self, lane: u32, left: i32, right: i32) -> TileKey {
        let fits = |level: &u32| self.width_of(*level) >= right.saturating_sub(left);
        let level = (0..LEVELS).find(fits).unwrap_or(LEVELS);
        TileKey { rank: LEVELS - level, lane, at: left.div_euclid(self.width_of(level)) }
    }

    fn width_of(&self, level: u32) -> i32 {
        self.width.saturating_mul(GROWTH.saturating_pow(level))
    }

    fn seen<'a>(&'a self, shown: &'a VisibleArea) -> impl Iterator<Item = TileKey> {
        let stretch = shown.stretch();
        let lanes = (0..=LEVELS).flat_map(|rank| (shown.lanes.0..shown.lanes.1).map(move |lane| (rank, lane)));
        lanes.flat_map(move |(rank, lane)| {
            let width = self.width_of(LEVELS - rank);
            // Content that begins in the tile before may extend into the visible part.
            let (first, last) = (stretch.start().div_euclid(width) - 1, (stretch.end() - 1).div_euclid(width));
            let key = |at| TileKey { rank, lane, at };
            self.all.range(key(first)..=key(last)).map(|(key, _)| *key)
        })
    }
}

// Hit test: the edge or band at a point of the drawing. It is computed, because elements that receive pointer events
// would be one more for every edge.

/// Half the height of a band, drawing units.
const HALF: f64 = 8.0;

/// An edge or a band, by its index in the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hit {
    Edge(u32),
    Band(u32),
}

/// The nearest edge or band within `reach` of a point, drawing units. Within a band an edge wins only if it is nearer
/// than half of `reach`. Folded bands count only while they are highlighted.
pub(super) fn hit(graph: &GraphView, highlight: &Highlight, point: (f64, f64), reach: f64) -> Option<Hit> {
    let mut nearest = (reach, None);
    let drawn = graph.edges.iter().zip(0..).filter(|(edge, _)| !edge.quiet);
    for (edge, at) in drawn.filter(|(edge, _)| is_near(&edge.points, point, reach)) {
        let distance = from_line(&corners(&edge.points), point);
        if distance < nearest.0 {
            nearest = (distance, Some(Hit::Edge(at)));
        }
    }
    let seen = |at: u32, band: &BandView| !band.folded || highlight.bands.contains_key(&at);
    for (band, at) in graph.bands.iter().zip(0..).filter(|(band, at)| seen(*at, band)) {
        let distance = if within(band, point) { reach / 2.0 } else { from_arrow(graph, band, point) };
        if distance < nearest.0 {
            nearest = (distance, Some(Hit::Band(at)));
        }
    }
    nearest.1
}

impl Hit {
    pub(super) fn subject(self, graph: &GraphView) -> Option<Subject> {
        let channel = |node: &NodeView| graph.lanes.get(node.lane as usize).map(|lane| lane.channel.clone());
        let node = |at: u32| graph.nodes.get(at as usize);
        match self {
            Self::Edge(at) => {
                let (from, to) = ends(graph, graph.edges.get(at as usize)?)?;
                let (from, channel) = (from.key.name.clone(), channel(to)?);
                Some(Subject::Edge { channel, from, to: to.key.name.clone() })
            }
            Self::Band(at) => {
                let to = node(graph.bands.get(at as usize)?.to)?;
                Some(Subject::Range { channel: channel(to)?, entry: to.key.name.clone() })
            }
        }
    }

    /// The edge or band of a subject.
    pub(super) fn of(graph: &GraphView, subject: &Subject) -> Option<Self> {
        let edges = (0..graph.edges.len() as u32).map(Self::Edge);
        let bands = (0..graph.bands.len() as u32).map(Self::Band);
        match subject {
            Subject::Edge { .. } => edges.into_iter().find(|hit| hit.subject(graph).as_ref() == Some(subject)),
            Subject::Range { .. } => bands.into_iter().find(|hit| hit.subject(graph).as_ref() == Some(subject)),
            Subject::Package | Subject::Channel { .. } => None,
        }
    }

    /// The edges of an entry, then its band.
    pub(super) fn at(graph: &GraphView, entry: u32) -> Vec<Self> {
        let meets = |edge: &EdgeView| edge.from == entry || edge.to == entry;
        let edges = graph.edges.iter().zip(0..).filter(|(edge, _)| meets(edge)).map(|(_, at)| Self::Edge(at));
        let bands = graph.bands.iter().zip(0..).filter(|(band, _)| band.to == entry).map(|(_, at)| Self::Band(at));
        edges.chain(bands).collect()
    }

    pub(super) fn text(self, graph: &GraphView) -> Option<String> {
        match self {
            Self::Edge(at) => {
                let edge = graph.edges.get(at as usize)?;
                let (from, to) = ends(graph, edge)?;
                let verb = if edge.kind == EdgeKind::Replaces { "replaces" } else { "skips" };
                let ignored = if edge.ignored { " · ignored by OLM" } else { "" };
                Some(format!("{} {verb} {}{ignored}", to.label, from.label))
            }
            Self::Band(at) => {
                let band = graph.bands.get(at as usize)?;
                let to = graph.nodes.get(band.to as usize)?;
                Some(format!("skipRange of {}: {}", to.label, band.label))
            }
        }
    }

    /// Its extent (left, top, right, bottom), and the entry that it leads to.
    pub(super) fn extent(self, graph: &GraphView) -> Option<(Area, &NodeView)> {
        let (points, to) = match self {
            Self::Edge(at) => graph.edges.get(at as usize).map(|edge| (edge.points.clone(), edge.to))?,
            Self::Band(at) => graph.bands.get(at as usize).map(|band| {
                let sides = band.stretches.iter().flat_map(|&(left, right)| [left, right]);
                (sides.map(|x| Point { x, y: band.y }).collect(), band.to)
            })?,
        };
        let to = graph.nodes.get(to as usize)?;
        let (left, right) = (points.iter().map(|at| at.x).min()?, points.iter().map(|at| at.x).max()?);
        let (top, bottom) = (points.iter().map(|at| at.y).min()?, points.iter().map(|at| at.y).max()?);
        Some(((left, top, right, bottom), to))
    }
}

fn ends<'a>(graph: &'a GraphView, edge: &EdgeView) -> Option<(&'a NodeView, &'a NodeView)> {
    graph.nodes.get(edge.from as usize).zip(graph.nodes.get(edge.to as usize))
}

/// Whether a polyline can be within `reach` of a point.
fn is_near(points: &[Point], (x, y): (f64, f64), reach: f64) -> bool {
    let beyond = |at: f64, part: fn(&Point) -> i32| {
        let parts = || points.iter().map(|point| f64::from(part(point)));
        parts().all(|part| part > at + reach) || parts().all(|part| part < at - reach)
    };
    !beyond(x, |point| point.x) && !beyond(y, |point| point.y)
}

fn corners(points: &[Point]) -> Vec<(f64, f64)> {
    points.iter().map(|point| (f64::from(point.x), f64::from(point.y))).collect()
}

fn within(band: &BandView, (x, y): (f64, f64)) -> bool {
    let inside = |&(left, right): &(i32, i32)| f64::from(left) <= x && x <= f64::from(right);
    (y - f64::from(band.y)).abs() <= HALF && band.stretches.iter().any(inside)
}

/// The distance from the arrow between a band and its entry.
fn from_arrow(graph: &GraphView, band: &BandView, point: (f64, f64)) -> f64 {
    let (Some(node), Some(&(_, right))) = (graph.nodes.get(band.to as usize), band.stretches.last()) else {
        return f64::INFINITY;
    };
    let (x, top) = (f64::from(node.at.x), f64::from(node.at.y + node.height / 2));
    let bottom = f64::from(band.y);
    let corner = (x, bottom);
    let start = if node.at.x > right + 8 { (f64::from(right), bottom) } else { corner };
    from_line(&[start, corner, (x, top)], point)
}

/// The distance of a point from a polyline.
fn from_line(line: &[(f64, f64)], point: (f64, f64)) -> f64 {
    let pairs = line.iter().zip(line.iter().skip(1));
    pairs.map(|(from, to)| from_piece(*from, *to, point)).fold(f64::INFINITY, f64::min)
}

fn from_piece(from: (f64, f64), to: (f64, f64), at: (f64, f64)) -> f64 {
    let (along_x, along_y) = (to.0 - from.0, to.1 - from.1);
    let length = along_x * along_x + along_y * along_y;
    let share = if length > 0.0 { ((at.0 - from.0) * along_x + (at.1 - from.1) * along_y) / length } else { 0.0 };
    let share = share.clamp(0.0, 1.0);
    (from.0 + share * along_x - at.0).hypot(from.1 + share * along_y - at.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use opscope_drawing::testing::{graph, lane, replaces};

    #[test]
    fn only_visible_tiles_are_on_the_page() {
        let nodes: Vec<_> = (0..1000).map(|at| (0, 100 * at)).collect();
        let mut graph = graph(&nodes);
        graph.edges = vec![replaces(0, 1, &[(0, 0), (100, 0)]), replaces(0, 999, &[(0, 0), (99_900, 0)])];
        let scene = Scene::of(&graph);
        let shown = VisibleArea { across: (100, 102), lanes: (0, 1), far: false, tiny: false, spacing: 0 };
        let seen = scene.seen(&shown, false, &graph, 0);
        let tiles: Vec<&Tile> = seen.iter().filter_map(|key| scene.tile(*key, false)).collect();
        let edges: Vec<u32> = tiles.iter().flat_map(|tile| &tile.edges).copied().collect();
        let nodes: Vec<u32> = tiles.iter().flat_map(|tile| &tile.nodes).copied().collect();
        assert_eq!(edges, [1, 0], "the long edge passes; the short one is in the tile of the cursor");
        let around: Vec<u32> = (476..=494).chain(0..5).collect();
        assert_eq!(nodes, around, "the visible entries, those of the tile before, and those beside the cursor");
    }

    #[test]
    fn a_small_graph_is_on_the_page_as_a_whole() {
        let graph = graph(&[(0, 0), (1, 9000), (2, 90_000)]);
        let scene = Scene::of(&graph);
        let shown = VisibleArea { across: (0, 1), lanes: (0, 1), far: false, tiny: false, spacing: 0 };
        assert_eq!(scene.seen(&shown, false, &graph, 0).len(), 3);
    }

    fn drawn() -> GraphView {
        let mut graph = graph(&[(0, 0), (0, 100), (0, 200)]);
        graph.lanes = vec![lane(0)];
        graph.edges =
            vec![replaces(0, 1, &[(25, 0), (75, 0)]), replaces(0, 2, &[(0, 0), (0, -80), (200, -80), (200, 0)])];
        graph.bands = vec![BandView {
            to: 2,
            label: "<2.0.0 · covers 2 versions".to_owned(),
            stretches: vec![(-25, 125)],
            y: 40,
            ..BandView::default()
        }];
        graph
    }

    #[test]
    fn lines_bands_and_their_arrows_are_hit() {
        let (graph, none) = (drawn(), Highlight::default());
        let at = |x: f64, y: f64| hit(&graph, &none, (x, y), 6.0);
        assert_eq!(at(50.0, 4.0), Some(Hit::Edge(0)));
        assert_eq!(at(50.0, 7.0), None);
        assert_eq!(at(100.0, -77.0), Some(Hit::Edge(1)));
        assert_eq!(at(100.0, -62.0), None);
        assert_eq!(at(60.0, 42.0), Some(Hit::Band(0)));
        assert_eq!(at(160.0, 43.0), Some(Hit::Band(0)), "the arrow to its entry");
        assert_eq!(at(170.0, 30.0), None);
    }

    #[test]
    fn a_folded_band_is_hit_while_it_is_drawn() {
        let mut graph = drawn();
        graph.bands[0].folded = true;
        let mut highlight = Highlight::default();
        assert_eq!(hit(&graph, &highlight, (60.0, 42.0), 6.0), None);
        highlight.bands.insert(0, crate::store::Role::Before);
        assert_eq!(hit(&graph, &highlight, (60.0, 42.0), 6.0), Some(Hit::Band(0)));
    }

    #[test]
    fn a_hit_has_a_tooltip_and_a_subject() {
        let graph = drawn();
        for (what, text) in
            [(Hit::Edge(1), "1.0.0 replaces 1.0.0"), (Hit::Band(0), "skipRange of 1.0.0: <2.0.0 · covers 2 versions")]
        {
            assert_eq!(what.text(&graph).as_deref(), Some(text));
            let subject = what.subject(&graph).unwrap();
            assert_eq!(Hit::of(&graph, &subject), Some(what));
        }
        assert_eq!(Hit::at(&graph, 0), [Hit::Edge(0), Hit::Edge(1)]);
        assert_eq!(Hit::at(&graph, 2), [Hit::Edge(1), Hit::Band(0)]);
    }
}
