//! Spatial index of the drawing, so that only its visible part needs elements on the page.
//!
//! A lane is divided into tiles of one width. Anything longer than a tile belongs to the next level, whose tiles are
//! four times as wide, and so on. So the visible parts are found without looking at the rest, and each is drawn once.

use opscope_drawing::{NEAR, VisibleArea};
use std::collections::{BTreeMap, BTreeSet};
use views::{EdgeView, GraphView};

/// Width of a far tile.
pub(super) const FAR: i32 = 16 * NEAR;
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

    /// The content of a tile.
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
        for (node, at) in graph.nodes.iter().zip(0..).filter(|(_, at)| graph.shown_as(*at) == *at) {
            tiles.tile(node.lane, node.at.x, node.at.x).nodes.push(at);
        }
        // The edges of folded entries may coincide.
        let mut drawn = BTreeSet::new();
        let mut is_drawn = |edge: &EdgeView| {
            let points: Vec<(i32, i32)> = edge.points.iter().map(|point| (point.x, point.y)).collect();
            !edge.quiet && (graph.folds.is_empty() || drawn.insert((edge.kind, edge.ignored, points)))
        };
        for (edge, at) in graph.edges.iter().zip(0..) {
            let lane = graph.nodes.get(edge.from as usize).map_or(0, |node| node.lane);
            let ends = edge.points.iter().map(|point| point.x);
            if let (Some(left), Some(right), true) = (ends.clone().min(), ends.max(), is_drawn(edge)) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use opscope_drawing::testing::{graph, replaces};

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
}
