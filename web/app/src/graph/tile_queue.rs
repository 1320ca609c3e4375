//! Which tiles are on the page as near tiles, with labels. New ones are added from the middle outwards, a bounded
//! number of entries in each frame, and are far tiles until then. The bound is a number of entries and not a time, so
//! that the same gesture always leads to the same page.

use super::scene::{Scene, TileKey};
use crate::dom;
use opscope_drawing::{NEAR, VisibleArea};
use std::cell::{Cell, RefCell};
use views::GraphView;
use yew::prelude::*;

/// The most entries that are added in one frame; the first tile of a frame may have more.
const BUDGET: usize = 40;

/// Tiles with the least value come first: whether it is outside of the frame, then its distance from the middle.
type Urgency = (bool, i32);

/// A lane of distance counts as this many drawing units across.
const LANE: i32 = 120;

/// The tiles that are drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TilesOnPage {
    /// The near tiles, in the order of the page.
    pub(super) near: Vec<TileKey>,
    /// The far tiles, drawn below them; none once every visible tile is a near one.
    pub(super) far: Vec<TileKey>,
    /// The tiles that are still to be added as near tiles, with their number of entries.
    missing: Vec<(Urgency, TileKey, usize)>,
}

/// What the next frame continues with.
#[derive(Debug, Default)]
struct Work {
    plan: RefCell<TilesOnPage>,
    /// The near tiles; they stay when the graph changes.
    mounted: RefCell<Vec<TileKey>>,
    due: Cell<bool>,
}

/// The tiles to draw now. While some are missing, each frame adds more of them.
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

    /// The tiles that the next frame adds.
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
    use opscope_drawing::testing::{graph, lane};

    /// Entries in the given number of lanes, 60 apart, and the visible area of a frame of 1440 drawing units.
    fn wide(lanes: u32) -> (GraphView, VisibleArea) {
        let nodes: Vec<_> = (0..lanes).flat_map(|lane| (0..200).map(move |at| (lane, 60 * at))).collect();
        let mut graph = graph(&nodes);
        graph.lanes = (0..lanes as i32).map(lane).collect();
        (graph, VisibleArea { across: (9, 13), lanes: (0, lanes), far: false, tiny: false, spacing: 0 })
    }

    fn mounted(plan: &TilesOnPage, scene: &Scene) -> usize {
        plan.near.iter().filter_map(|key| scene.tile(*key, false)).map(|tile| tile.nodes.len()).sum()
    }

    #[test]
    fn every_frame_adds_a_bounded_number_of_entries_until_all_are_there() {
        let (graph, shown) = wide(20);
        let scene = Scene::of(&graph);
        let mut plan = TilesOnPage::of(&scene, &graph, &shown, 0, &[]);
        assert!(!plan.far.is_empty(), "missing tiles are far ones");
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
    fn tiles_in_the_middle_are_added_first() {
        let (graph, shown) = wide(9);
        let scene = Scene::of(&graph);
        let plan = TilesOnPage::of(&scene, &graph, &shown, 0, &[]);
        let first: Vec<_> = plan.next().iter().map(|key| (key.lane, key.at)).collect();
        assert!(first.contains(&(4, 11)) && !first.contains(&(0, 11)) && !first.contains(&(4, 8)), "{first:?}");
    }

    #[test]
    fn tiles_outside_of_the_frame_need_no_far_tile() {
        let (graph, shown) = wide(2);
        let scene = Scene::of(&graph);
        let all = scene.seen(&shown, false, &graph, 0);
        let moved = VisibleArea { across: (8, 12), ..shown };
        let plan = TilesOnPage::of(&scene, &graph, &moved, 0, &all);
        assert!(!plan.missing.is_empty() && plan.far.is_empty());
    }

    #[test]
    fn zoomed_out_all_tiles_are_far_ones() {
        let (graph, shown) = wide(2);
        let scene = Scene::of(&graph);
        let plan = TilesOnPage::of(&scene, &graph, &VisibleArea { far: true, ..shown }, 0, &[]);
        assert!(plan.near.is_empty() && plan.missing.is_empty() && !plan.far.is_empty());
    }
}
