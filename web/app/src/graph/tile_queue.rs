//! Which tiles are on the page in full detail: what comes into sight is made from the middle outwards, so many entries a
//! frame, and is a shape without words until then. The number counts entries and not time, so that the same gesture
//! always puts the same on the page.

use super::scene::{NEAR, Scene, TileKey, VisibleArea};
use crate::dom;
use std::cell::{Cell, RefCell};
use views::GraphView;
use yew::prelude::*;

/// So many entries are made in one frame; the first tile of a frame may have more.
const BUDGET: usize = 40;

/// The less, the sooner: what can be seen before what is beside it, and that by its distance from the middle.
type Urgency = (bool, i32);

/// A lane further away counts as so much across, drawing units.
const LANE: i32 = 120;

/// The tiles in sight.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TilesOnPage {
    /// Those of full detail, in the order of the page.
    pub(super) near: Vec<TileKey>,
    /// Those without, to be drawn below them; none once all that can be seen has its detail.
    pub(super) far: Vec<TileKey>,
    /// What has yet to get its detail, with its number of entries.
    missing: Vec<(Urgency, TileKey, usize)>,
}

/// What the next frame goes on from.
#[derive(Debug, Default)]
struct Work {
    /// What is on the page.
    plan: RefCell<TilesOnPage>,
    /// The tiles that have their detail; they keep it when the graph changes.
    mounted: RefCell<Vec<TileKey>>,
    due: Cell<bool>,
}

/// The tiles to draw now. Where some are missing, the next frame draws more of them.
#[hook]
pub(super) fn use_tile_queue(scene: &Scene, graph: &GraphView, shown: VisibleArea, cursor: u32) -> TilesOnPage {
    let work = use_memo((), |()| Work::default());
    let again = use_force_update();
    let plan = TilesOnPage::of(scene, graph, &shown, cursor, &work.mounted.borrow());
    use_effect_with(plan.clone(), move |plan| {
        work.mounted.replace(plan.near.clone());
        work.plan.replace(plan.clone());
        if !plan.missing.is_empty() && !work.due.replace(true) {
            dom::next_frame(move || {
                work.due.set(false);
                let more = work.plan.borrow().next();
                work.mounted.borrow_mut().extend(&more);
                again.force_update();
            });
        }
    });
    plan
}

impl TilesOnPage {
    fn of(scene: &Scene, graph: &GraphView, shown: &VisibleArea, cursor: u32, before: &[TileKey]) -> Self {
        let far = |far: bool| if far { scene.seen(shown, true, graph, cursor) } else { Vec::new() };
        if shown.far {
            return Self { far: far(true), ..Self::default() };
        }
        let home = scene.home(graph, cursor, false);
        let mut plan = Self::default();
        for key in scene.seen(shown, false, graph, cursor) {
            if scene.small || before.contains(&key) || Some(key) == home {
                plan.near.push(key);
            } else {
                let entries = scene.tile(key, false).map_or(0, |tile| tile.nodes.len());
                plan.missing.push((urgency(key, shown, graph), key, entries));
            }
        }
        let bare = plan.missing.iter().any(|((beside, _), ..)| !beside);
        plan.far = far(bare);
        plan
    }

    /// What gets its detail with the next frame.
    fn next(&self) -> Vec<TileKey> {
        let (mut tiles, mut room) = (Vec::new(), BUDGET);
        let waiting = |tiles: &[TileKey]| self.missing.iter().filter(|(_, key, _)| !tiles.contains(key)).min().copied();
        while let Some((_, key, entries)) = waiting(&tiles) {
            if !tiles.is_empty() && entries > room {
                break;
            }
            room = room.saturating_sub(entries.max(1));
            tiles.push(key);
        }
        tiles
    }
}

fn urgency(key: TileKey, shown: &VisibleArea, graph: &GraphView) -> Urgency {
    let (left, right, reach) = key.stretch();
    let (start, end) = (shown.stretch().start().saturating_add(NEAR), shown.stretch().end().saturating_sub(NEAR));
    let above = key.lane == shown.lanes.0 && key.lane > 0;
    let below = key.lane + 1 == shown.lanes.1 && (shown.lanes.1 as usize) < graph.lanes.len();
    let beside = above || below || reach <= start || left >= end;
    let middle = i32::midpoint(start, end);
    let across = (left - middle).max(middle - right).max(0);
    let lanes = (shown.lanes.0 + shown.lanes.1).abs_diff(2 * key.lane + 1) / 2;
    (beside, across.saturating_add(LANE.saturating_mul(lanes as i32)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::testing::{graph, lane};

    /// Entries in so many lanes, 60 apart, and what a frame of 1440 drawing units shows of them.
    fn wide(lanes: u32) -> (GraphView, VisibleArea) {
        let nodes: Vec<_> = (0..lanes).flat_map(|lane| (0..200).map(move |at| (lane, 60 * at))).collect();
        let mut graph = graph(&nodes);
        graph.lanes = (0..lanes as i32).map(lane).collect();
        (graph, VisibleArea { across: (9, 13), lanes: (0, lanes), far: false, tiny: false, spacing: 0, names: 1 })
    }

    fn mounted(plan: &TilesOnPage, scene: &Scene) -> usize {
        plan.near.iter().filter_map(|key| scene.tile(*key, false)).map(|tile| tile.nodes.len()).sum()
    }

    #[test]
    fn no_frame_makes_more_than_its_share_and_all_is_made_in_the_end() {
        let (graph, shown) = wide(20);
        let scene = Scene::of(&graph);
        let mut plan = TilesOnPage::of(&scene, &graph, &shown, 0, &[]);
        assert!(!plan.far.is_empty(), "what has no detail yet is a shape");
        let mut frames = 0;
        while !plan.missing.is_empty() {
            let before = mounted(&plan, &scene);
            let tiles: Vec<_> = plan.near.iter().copied().chain(plan.next()).collect();
            plan = TilesOnPage::of(&scene, &graph, &shown, 0, &tiles);
            let made = mounted(&plan, &scene) - before;
            assert!((1..=BUDGET).contains(&made), "{made} entries in one frame");
            frames += 1;
        }
        assert!(frames > 10 && plan.far.is_empty());
        assert_eq!(plan.near, scene.seen(&shown, false, &graph, 0), "in the order of the page");
    }

    #[test]
    fn the_middle_comes_first() {
        let (graph, shown) = wide(9);
        let scene = Scene::of(&graph);
        let plan = TilesOnPage::of(&scene, &graph, &shown, 0, &[]);
        let first: Vec<_> = plan.next().iter().map(|key| (key.lane, key.at)).collect();
        assert!(first.contains(&(4, 11)) && !first.contains(&(0, 11)) && !first.contains(&(4, 8)), "{first:?}");
    }

    #[test]
    fn what_is_beside_the_frame_needs_no_shape() {
        let (graph, shown) = wide(2);
        let scene = Scene::of(&graph);
        let all = scene.seen(&shown, false, &graph, 0);
        let moved = VisibleArea { across: (8, 12), ..shown };
        let plan = TilesOnPage::of(&scene, &graph, &moved, 0, &all);
        assert!(!plan.missing.is_empty() && plan.far.is_empty());
    }

    #[test]
    fn from_far_away_there_are_shapes_alone() {
        let (graph, shown) = wide(2);
        let scene = Scene::of(&graph);
        let plan = TilesOnPage::of(&scene, &graph, &VisibleArea { far: true, ..shown }, 0, &[]);
        assert!(plan.near.is_empty() && plan.missing.is_empty() && !plan.far.is_empty());
    }
}
