//! A tile: the part of the drawing that is added to the page and removed from it as a whole.

use super::lane::{self, ShapeHtml};
use super::scene::{Scene, Tile as Content, TileKey};
use super::shape::{Shape, push};
use super::simulation_marks::SimulationMarks;
use super::{band, edge, node, overlay};
use crate::dom;
use crate::store::Shared;
use opscope_drawing::{NEAR, VisibleArea};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use views::{EntryForm, GraphView, Mark, NodeView};
use yew::prelude::*;

/// Zoomed out far, entries closer than this are drawn as one bar.
const APART: i32 = 120;

/// The inputs of a tile.
#[derive(Clone, PartialEq)]
pub(super) struct Props {
    pub(super) graph: Shared<GraphView>,
    /// The index of all tiles.
    pub(super) scene: Rc<Scene>,
    pub(super) at: TileKey,
    /// Whether it is drawn without labels.
    pub(super) far: bool,
    /// Whether it is drawn without single entries.
    pub(super) tiny: bool,
    pub(super) marks: SimulationMarks,
    /// The entry that the Tab key stops at, if it is here.
    pub(super) stop: Option<u32>,
    /// The selected entry, if it is here.
    pub(super) selected: Option<u32>,
}

pub(super) fn tile(props: &Props) -> Html {
    let Some(content) = props.scene.tile(props.at, props.far) else { return Html::default() };
    let graph = &*props.graph;
    if props.far {
        let stop = props.stop.filter(|stop| content.nodes.contains(stop));
        return html! {
            <>
                { for far(graph, content, props.tiny).into_iter().map(Shape::html) }
                { for stop.map(|stop| entry(props, stop)) }
            </>
        };
    }
    let bands = content.bands.iter().filter_map(|&at| graph.bands.get(at as usize));
    html! { <>
        { for bands.map(|view| band::shape(graph, view, "", band::EVERYWHERE).html()) }
        { for lines(graph, content, true).into_iter().map(Shape::html) }
        { for content.nodes.iter().map(|&at| entry(props, at)) }
    </> }
}

/// An entry, which can have the focus.
fn entry(props: &Props, at: u32) -> Html {
    let Some(view) = props.graph.nodes.get(at as usize) else { return Html::default() };
    let mark = props.marks.get(&at);
    let summary = mark.map_or_else(|| view.summary.clone(), |mark| format!("{}; {}", view.summary, mark.text));
    let shapes = node::shapes(view, props.graph.direction, mark, None);
    let words: Vec<&str> = shapes.iter().filter_map(Shape::text).collect();
    // Its accessible name begins with its visible text, which is what people say to a voice control.
    let label = format!("{}, {summary}", words.join(" "));
    html! {
        <g key={at} class={node::classes(view, mark)} id={format!("entry-{at}")} role="button"
            tabindex={if props.stop == Some(at) { "0" } else { "-1" }} aria-label={label}
            aria-pressed={(props.selected == Some(at)).to_string()}
            data-testid="graph-node" data-index={at.to_string()} data-name={view.key.name.clone()}
            data-channel={view.key.channel.clone()}>
            <title>{ summary }</title>
            { for (view.form != EntryForm::Box).then(|| hit_area(&props.graph, view)) }
            { for shapes.into_iter().map(spaced) }
        </g>
    }
}

/// What receives the pointer around a dot, up to the middle between it and the dots beside it.
fn hit_area(graph: &GraphView, view: &NodeView) -> Html {
    const SIZE: i32 = 24;
    let lane = graph.lane_nodes(view.lane);
    let row = graph.nodes[lane.start as usize..lane.end as usize].iter().filter(|node| node.at.y == view.at.y);
    let apart = row.map(|node| (node.at.x - view.at.x).abs()).filter(|apart| *apart > 0).min();
    let width = apart.map_or(SIZE, |apart| apart.clamp(view.width, SIZE));
    html! { <rect class="hit" x={(view.at.x - width / 2).to_string()} y={(view.at.y - SIZE / 2).to_string()}
    width={width.to_string()} height={SIZE.to_string()} /> }
}

/// A shape; a space separates its text from that of the shape before.
fn spaced(shape: Shape) -> Html {
    if shape.text().is_none() {
        return shape.html();
    }
    html! { <>{ " " }{ shape.html() }</> }
}

/// Edges as one path for each class: the hit test is computed, so edges need no elements of their own.
fn lines(graph: &GraphView, content: &Content, tips: bool) -> Vec<Shape> {
    let edges = || content.edges.iter().filter_map(|&at| graph.edges.get(at as usize));
    let of_class = |class| edges().filter(move |view| edge::class(view) == class).peekable();
    let mut shapes = Vec::new();
    for class in edge::CLASSES {
        let mut edges = of_class(class);
        if edges.peek().is_some() {
            shapes.extend(edge::merged(class, edges, tips));
        }
    }
    shapes
}

/// A far tile: boxes and lines without labels, one path for all of the same class. If it is `tiny`, entries side by
/// side are one bar, which hides the lines between them.
fn far(graph: &GraphView, content: &Content, tiny: bool) -> Vec<Shape> {
    let mut shapes = lines(graph, content, false);
    if tiny {
        // Entries side by side hide the lines between them, but not what a change adds or removes.
        let is_change = |class: &str| class.ends_with("added") || class.ends_with("removed");
        shapes.retain(|shape| matches!(shape, Shape::Path { class, .. } if is_change(class)));
    }
    let mut fills = Fills::default();
    for band in content.bands.iter().filter_map(|&at| graph.bands.get(at as usize)) {
        let d = fills.of(if band.warns { "far-band warns" } else { "far-band" });
        for (left, right) in &band.stretches {
            push(d, format_args!("M{left} {}H{right}v16H{left}z", band.y - 8));
        }
    }
    for (class, Bar { left, right, top, height }) in bars(graph, content, if tiny { APART } else { i32::MIN }) {
        push(fills.of(class), format_args!("M{left} {top}H{right}v{height}H{left}z"));
    }
    shapes.extend(fills.0.into_iter().map(|(class, d)| Shape::path(class, d)));
    shapes
}

/// The box of some entries of the same class.
#[derive(Clone, Copy)]
struct Bar {
    left: i32,
    right: i32,
    top: i32,
    height: i32,
}

/// The entries as bars; entries of the same class that are at most `apart` from each other share one. A bar that
/// continues in the next tile extends up to its first entry there.
fn bars(graph: &GraphView, content: &Content, apart: i32) -> Vec<(&'static str, Bar)> {
    let place = |view: &NodeView| (far_class(view), view.at.x - view.width / 2, view.at.y - view.height / 2);
    let mut bars: Vec<(&'static str, Bar)> = Vec::new();
    for view in content.nodes.iter().filter_map(|&at| graph.nodes.get(at as usize)) {
        let ((class, left, top), height) = (place(view), view.height);
        let right = left + view.width;
        match bars.iter_mut().rfind(|(of, bar)| *of == class && bar.top == top) {
            Some((_, bar)) if left.saturating_sub(bar.right) <= apart => bar.right = bar.right.max(right),
            _ => bars.push((class, Bar { left, right, top, height })),
        }
    }
    let Some(last) = content.nodes.last().and_then(|&at| graph.nodes.get(at as usize)) else { return bars };
    let after = graph.nodes.iter().skip(content.nodes.last().map_or(0, |&at| at as usize + 1));
    let near =
        |view: &&NodeView| view.lane == last.lane && view.at.x.saturating_sub(last.at.x) <= apart.saturating_mul(2);
    let mut looks = Vec::new();
    for (of, left, at_top) in after.take_while(near).map(place) {
        if looks.contains(&(of, at_top)) {
            continue;
        }
        looks.push((of, at_top));
        let bar = bars.iter_mut().rfind(|(class, bar)| *class == of && bar.top == at_top);
        if let Some((_, bar)) = bar.filter(|(_, bar)| (1..=apart).contains(&left.saturating_sub(bar.right))) {
            bar.right = left;
        }
    }
    bars
}

/// Paths by class, in the order of their first use.
#[derive(Default)]
struct Fills(Vec<(&'static str, String)>);

impl Fills {
    fn of(&mut self, class: &'static str) -> &mut String {
        let at = self.0.iter().position(|(known, _)| *known == class).unwrap_or_else(|| {
            self.0.push((class, String::new()));
            self.0.len() - 1
        });
        &mut self.0[at].1
    }
}

fn far_class(node: &NodeView) -> &'static str {
    let has = |mark: Mark| node.marks.contains(&mark);
    if has(Mark::Added) {
        "far-node added"
    } else if has(Mark::Removed) {
        "far-node removed"
    } else if has(Mark::Harmed) {
        "far-node harmed"
    } else if has(Mark::AtRisk) {
        "far-node at-risk"
    } else if has(Mark::Head) {
        "far-node head"
    } else if has(Mark::Stranded) || has(Mark::NoBundle) || has(Mark::BadRange) {
        "far-node wrong"
    } else if has(Mark::Ghost) || has(Mark::Pruned) {
        "far-node faint"
    } else {
        "far-node"
    }
}

// Which tiles are on the page as near tiles, with labels. New ones are added from the middle outwards, a bounded
// number of entries in each frame, and are far tiles until then. The bound is a number of entries and not a time, so
// that the same gesture always leads to the same page.

/// The most entries that are added in one frame; the first tile of a frame may have more.
const BUDGET: usize = 40;

/// Tiles with the least value come first: whether it is outside of the frame, then its distance from the middle.
type Urgency = (bool, i32);

/// A lane of distance counts as this many drawing units across.
const LANE: i32 = 120;

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

// The parts of the drawing that are rendered on their own, only when their inputs change. One component serves all of
// them: each further component would add as much code to the page as a part itself.

#[derive(Clone, PartialEq)]
pub(super) enum Part {
    /// Some entries, edges and bands.
    Tile(Props),
    Overlay(overlay::Props),
    Cards(lane::Props),
    Axis(lane::Props),
    Names(lane::Props),
    /// The versions of heads, zoomed out.
    Heads(lane::Props),
    Minimap(overlay::MinimapProps),
    Legend(lane::LegendProps),
}

#[derive(Clone, PartialEq, Properties)]
pub(super) struct PartProps {
    pub(super) part: Part,
}

#[component]
pub(super) fn DrawingPart(props: &PartProps) -> Html {
    match &props.part {
        Part::Tile(props) => tile(props),
        Part::Overlay(props) => overlay::overlay(props),
        Part::Cards(props) => {
            html! { <>{ for lane::cards(&props.graph, props.selected, &props.shown).into_iter().map(Shape::html) }</> }
        }
        Part::Axis(props) => lane::axis(props),
        Part::Names(props) => lane::names(props),
        Part::Heads(props) => lane::heads(props),
        Part::Minimap(props) => overlay::minimap(props),
        Part::Legend(props) => lane::signs(props),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use opscope_drawing::testing::{graph, lane};

    #[test]
    fn tiny_entries_side_by_side_are_one_bar() {
        let mut graph = graph(&[(0, 0), (0, 70), (0, 140), (0, 900), (0, 970)]);
        graph.nodes[2].at.y = 40;
        graph.nodes[4].marks = vec![Mark::Head];
        let content = Content { nodes: (0..5).collect(), ..Content::default() };
        let drawn = |apart| {
            let bars = bars(&graph, &content, apart);
            bars.into_iter().map(|(class, bar)| (class, bar.left, bar.right)).collect::<Vec<_>>()
        };
        assert_eq!(drawn(i32::MIN).len(), 5);
        let expected =
            [("far-node", -25, 95), ("far-node", 115, 165), ("far-node", 875, 925), ("far-node head", 945, 995)];
        assert_eq!(drawn(APART), expected);
    }

    #[test]
    fn zoomed_out_the_marks_of_a_change_come_first() {
        let mut graph = graph(&[(0, 0)]);
        let mut class = |marks: &[Mark]| {
            graph.nodes[0].marks = marks.to_vec();
            far_class(&graph.nodes[0])
        };
        assert_eq!(class(&[Mark::Head, Mark::Added]), "far-node added");
        assert_eq!(class(&[Mark::Ghost, Mark::Removed, Mark::Harmed]), "far-node removed");
        assert_eq!(class(&[Mark::Head, Mark::Harmed]), "far-node harmed");
    }

    #[test]
    fn a_bar_continues_into_the_next_tile() {
        let graph = graph(&[(0, 0), (0, 70), (0, 140), (0, 400), (1, 420)]);
        let drawn = |nodes: &[u32]| {
            let content = Content { nodes: nodes.to_vec(), ..Content::default() };
            bars(&graph, &content, APART).into_iter().map(|(_, bar)| (bar.left, bar.right)).collect::<Vec<_>>()
        };
        assert_eq!(drawn(&[0]), [(-25, 45)], "up to the first entry of the next tile");
        assert_eq!(drawn(&[1, 2]), [(45, 165)], "which is too far away, or in another lane");
        assert_eq!(drawn(&[3]), [(375, 425)]);
    }

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
