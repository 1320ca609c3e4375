//! Lanes: the cards of the channels, their names, and the axis of versions.

use crate::shape::{Shape, VisibleArea};
use crate::{band, node};
use views::{AxisColumn, AxisDirection, GraphLayout, GraphView, LaneView, Mark, NodeView};

/// A card extends this far below the plate with the channel's name, which hides its rounded corners.
pub const UNDER: i32 = 40;
/// Maximum width of an axis label, drawing units.
const LABEL: i32 = 130;
/// From the label of a minor version to the next one with the same text, so that one is in sight.
const AGAIN: i32 = 480;
/// From the line of a minor version to its label.
pub const ASIDE: i32 = 6;
/// From the line of the first minor version to its column: half of the gap between columns.
const BETWEEN: i32 = 10;
/// The baselines of the labels of minor versions, and of the rest of versions below them.
pub const BASELINES: (i32, i32) = (17, 35);
/// Left of the name and its chips.
const BESIDE: i32 = 16;
/// Height of the name's letters.
const ASCENT: i32 = 11;
/// Distance between the tops of two chips.
const CHIP: i32 = 18;
/// From a line of words to the next.
const LINE: i32 = 16;
/// Width of a character of the name, and of the words beside it.
const CHARACTER: i32 = 7;
/// Size of the bar that shows which entries reach the head.
const METER: (i32, i32) = (98, 3);
/// With the space above it.
const METER_LINE: i32 = 12;

/// Height of the axis above the first lane.
pub fn axis_height(graph: &GraphView) -> i32 {
    graph.lanes.first().map_or(0, |lane| lane.y)
}

/// The whole column of a node on a shared axis: left and right end.
pub fn column(graph: &GraphView, node: &NodeView) -> Option<(i32, i32)> {
    let is_narrow = graph.layout == GraphLayout::Dense || graph.direction == AxisDirection::Up;
    let place = graph.columns.get(node.column as usize).filter(|_| is_narrow)?;
    let beside = |other: Option<&AxisColumn>| {
        let apart = |other: &AxisColumn| (other.x - place.x).abs();
        other.map(|other| (apart(other) - other.width / 2 + place.width / 2) / 2)
    };
    let after = beside(graph.columns.iter().find(|other| other.x > place.x));
    let before = beside(graph.columns.iter().rfind(|other| other.x < place.x));
    let (before, after) = (before.or(after)?, after.or(before)?);
    Some((place.x - before, place.x + after))
}

/// The cards behind the entries, the column of the selected one, a line where each minor version begins, and the
/// brackets over what is stuck.
pub fn cards(graph: &GraphView, selected: Option<u32>, shown: &VisibleArea) -> Vec<Shape> {
    let lanes = in_sight(graph, shown);
    let card = |lane: &LaneView| Shape::Rect {
        class: "card",
        x: graph.gutter - UNDER,
        y: lane.y,
        width: graph.width - graph.gutter + UNDER,
        height: lane.height,
        radius: 10,
    };
    let mut shapes: Vec<Shape> = lanes.iter().map(card).collect();
    let rule = |y: i32| Shape::path("rule", format!("M{} {y}H{}", graph.gutter - UNDER, graph.width));
    shapes.extend(lanes.iter().map(|lane| rule(lane.y)));
    shapes.extend(graph.lanes.last().map(|lane| rule(lane.y + lane.height)));
    let selected = selected.and_then(|at| column(graph, graph.nodes.get(at as usize)?));
    let tint = |(x, end): (i32, i32)| Shape::Rect {
        class: "selected-column",
        x,
        y: axis_height(graph),
        width: end - x,
        height: graph.height - axis_height(graph),
        radius: 0,
    };
    shapes.extend(selected.map(tint));
    if let (Some(first), Some(last), false) = (lanes.first(), lanes.last(), shown.far) {
        let stretch = shown.stretch();
        let starts = minors(graph).map(|(x, _)| x).filter(|x| stretch.contains(x));
        shapes.extend(starts.map(|x| Shape::path("column", format!("M{x} {}V{}", first.y, last.y + last.height))));
        shapes.extend((shown.lanes.0..shown.lanes.1).flat_map(|lane| band::shapes(graph, lane, &stretch)));
    }
    shapes
}

/// Where the versions of each minor version begin on the axis, with its label: in the middle between two columns. In a
/// fold none begins.
pub(crate) fn minors(graph: &GraphView) -> impl Iterator<Item = (i32, String)> {
    let mut before: Option<(&str, i32)> = None;
    let places = graph.columns.chunk_by(|one, other| one.x == other.x).filter_map(<[_]>::first);
    places.filter_map(move |column| {
        let (minor, _) = split(&column.label);
        let left = column.x - column.width / 2;
        let start = before.map_or(left - BETWEEN, |(_, end)| i32::midpoint(end, left));
        let starts = before.is_none_or(|(other, _)| other != minor);
        before = Some((minor, column.x + column.width / 2));
        starts.then(|| (start, node::fitted(minor, LABEL)))
    })
}

/// A version as its minor version and the rest, which begins with a dot.
fn split(version: &str) -> (&str, &str) {
    let dots: Vec<usize> = version.match_indices('.').map(|(at, _)| at).take(2).collect();
    version.split_at(dots.get(1).copied().unwrap_or(version.len()))
}

/// Among stations, what follows the minor version of each version, in the middle of its column: all that have room
/// beside each other.
pub fn patches(graph: &GraphView) -> Vec<(i32, &str)> {
    let mut free = graph.gutter;
    let places = graph.columns.chunk_by(|one, other| one.x == other.x).filter(|_| graph.layout == GraphLayout::Dense);
    let label = places.filter_map(|place| {
        // A fold has the text of its box.
        let [column] = place else { return None };
        let (_, rest) = split(&column.label);
        let half = CHARACTER * rest.chars().count() as i32 / 2;
        let has_room = !rest.is_empty() && column.x - half >= free;
        free = if has_room { column.x + half + 2 } else { free };
        has_room.then_some((column.x, rest))
    });
    label.collect()
}

/// The labels that have room: the minor versions, each where its versions begin, and again if they are long.
pub fn labels(graph: &GraphView, shown: &VisibleArea) -> Vec<(i32, String)> {
    let stretch = shown.stretch();
    let ends = minors(graph).skip(1).map(|(x, _)| x).chain(std::iter::once(graph.width));
    let every = minors(graph).zip(ends).flat_map(|((start, text), end)| {
        let places = (start..end - AGAIN / 2).step_by(AGAIN as usize);
        std::iter::once(start).chain(places.skip(1)).map(move |x| (x, text.clone()))
    });
    apart(every, shown.spacing).filter(|(x, _)| stretch.contains(x)).collect()
}

/// If the axis leads up, the versions beside it, in the middle of their columns: all that have room below each other.
pub fn versions(graph: &GraphView) -> Vec<(i32, String)> {
    let mut free = i32::MIN;
    let places = graph.columns.chunk_by(|one, other| one.x == other.x);
    let label = places.filter_map(|place| {
        // A fold has the text of its box.
        let [column] = place else { return None };
        let has_room = column.x >= free;
        free = if has_room { column.x + LINE - 2 } else { free };
        has_room.then(|| (column.x, node::fitted(&column.label, axis_height(graph))))
    });
    label.collect()
}

/// The labels that do not meet the one before, and are so far from where it begins.
pub(crate) fn apart(labels: impl Iterator<Item = (i32, String)>, spacing: i32) -> impl Iterator<Item = (i32, String)> {
    let mut free = i32::MIN;
    labels.filter(move |(x, text)| {
        let has_room = *x >= free;
        let width = CHARACTER * (text.chars().count() as i32 + 1);
        free = if has_room { x.saturating_add(width.max(spacing)) } else { free };
        has_room
    })
}

fn chips(lane: &LaneView) -> Vec<(&str, &'static str)> {
    let problem = lane.problem.as_deref().map(|text| (text, "chip error"));
    let deprecated = lane.deprecated.as_ref().map(|_| ("deprecated", "chip warning"));
    [problem, deprecated].into_iter().flatten().collect()
}

/// A chip with its place below the name.
struct Chip<'a> {
    text: &'a str,
    class: &'static str,
    x: i32,
    width: i32,
    row: i32,
}

/// The chips side by side, in as many rows as the gutter needs.
fn placed_chips(lane: &LaneView, gutter: i32) -> Vec<Chip<'_>> {
    let (mut x, mut row, mut placed) = (BESIDE, 0, Vec::new());
    for (text, class) in chips(lane) {
        let width = 14 + 7 * i32::try_from(text.chars().count()).unwrap_or(20);
        if x > BESIDE && x + width > gutter {
            (x, row) = (BESIDE, row + 1);
        }
        placed.push(Chip { text, class, x, width, row });
        x += width + 4;
    }
    placed
}

/// The channel's name, and below it how many of its entries reach the head. On the page their size does not depend on
/// the zoom.
pub struct Words {
    pub name: Vec<Shape>,
    pub below: Vec<Shape>,
    /// The middle of all: beside the line of the channel, as far as all of it is inside of the lane.
    pub middle: i32,
    /// How far below its place the name is in the middle by itself.
    pub alone: i32,
}

/// The words of a lane.
#[must_use]
pub fn words(graph: &GraphView, lane: &LaneView) -> Words {
    let chips = placed_chips(lane, graph.gutter);
    let rows = chips.last().map_or(0, |chip| chip.row + 1);
    let meter = if lane.stuck > 0 { METER_LINE } else { 0 };
    let height = ASCENT + LINE + meter + CHIP * rows;
    // Zoomed out a little, all of it is still inside of the lane.
    let half = (height / 2 + 2) * 3 / 2;
    let (highest, lowest) = (lane.y + half, lane.y + lane.height - half);
    let middle = if highest < lowest { lane.spine.clamp(highest, lowest) } else { lane.y + lane.height / 2 };
    let y = middle - height / 2 + ASCENT;
    let name = shortened(&lane.channel, graph.gutter);
    let beside = BESIDE + CHARACTER * (i32::try_from(name.chars().count()).unwrap_or(20) + 1);
    let has_room = beside + CHARACTER * "default".len() as i32 <= graph.gutter;
    let default = lane.default.then(|| "default".to_owned());
    let (aside, before) = if has_room { (default, None) } else { (None, default) };
    let count = [before, Some(count(lane))].into_iter().flatten().collect::<Vec<_>>().join(" · ");
    let mut below = vec![Shape::Text { class: "count", x: BESIDE, y: y + LINE, text: count }];
    below.extend((lane.stuck > 0).then(|| meter_shape(graph, lane, y + LINE + METER_LINE - 3)));
    below.extend(chips.iter().map(|chip| chip_shape(chip, y + LINE + meter + 5 + CHIP * chip.row)));
    let name = Shape::Text { class: "name", x: BESIDE, y, text: name };
    let aside = aside.map(|text| Shape::Text { class: "count", x: beside, y, text });
    Words { name: std::iter::once(name).chain(aside).collect(), below, middle, alone: height / 2 - ASCENT + 4 }
}

/// The words of a lane above its entries, with class and baseline.
pub fn words_above(lane: &LaneView) -> Vec<(&'static str, i32, String)> {
    let count = if lane.stuck > 0 { format!("{} of {} stuck", lane.stuck, lane.entries) } else { entries(lane) };
    let default = lane.default.then_some("default");
    let count: Vec<&str> =
        default.into_iter().chain([&*count]).chain(chips(lane).into_iter().map(|(text, _)| text)).collect();
    // The page has the whole name as a tooltip.
    let fitted = |text: &str, width| crate::shape::shortened(text, usize::try_from(lane.height / width).unwrap_or(8));
    vec![("name", 17, fitted(&lane.channel, 8)), ("count", 33, fitted(&count.join(" · "), CHARACTER))]
}

/// How many entries there are and, if not all, how many reach the head.
fn count(lane: &LaneView) -> String {
    match lane.stuck {
        0 => entries(lane),
        stuck => format!("{} of {} reach the head", lane.entries.saturating_sub(stuck), lane.entries),
    }
}

/// A bar of the entries from old to new: what reaches the head, and what does not.
fn meter_shape(graph: &GraphView, lane: &LaneView, y: i32) -> Shape {
    let at = graph.lanes.iter().zip(0..).find(|(of, _)| of.channel == lane.channel).map_or(0, |(_, at)| at);
    let nodes = graph.lane_nodes(at).map(|node| &graph.nodes[node as usize]).filter(|node| node.place.is_some());
    let stuck: Vec<bool> = nodes.map(|node| node.marks.contains(&Mark::Stranded)).collect();
    let place = |index: usize| BESIDE + (METER.0 as usize * index / stuck.len()) as i32;
    let mut shapes = Vec::new();
    let mut start = 0;
    for run in stuck.chunk_by(|one, other| one == other) {
        let (left, right) = (place(start), place(start + run.len()));
        start += run.len();
        let class = if run[0] { "stuck" } else { "" };
        shapes.push(Shape::Rect { class, x: left, y, width: (right - left - 2).max(1), height: METER.1, radius: 1 });
    }
    Shape::Group { class: "meter".to_owned(), title: None, shapes }
}

fn chip_shape(&Chip { text, class, x, width, .. }: &Chip<'_>, y: i32) -> Shape {
    let shapes = vec![
        Shape::Rect { class: "", x, y, width, height: CHIP - 2, radius: 8 },
        Shape::Text { class: "", x: x + width / 2, y: y + 12, text: text.to_owned() },
    ];
    Shape::Group { class: class.to_owned(), title: None, shapes }
}

fn in_sight<'a>(graph: &'a GraphView, shown: &VisibleArea) -> &'a [LaneView] {
    let end = (shown.lanes.1 as usize).min(graph.lanes.len());
    &graph.lanes[(shown.lanes.0 as usize).min(end)..end]
}

/// The number of entries in words.
#[must_use]
pub fn entries(lane: &LaneView) -> String {
    if lane.entries == 1 { "1 entry".to_owned() } else { format!("{} entries", lane.entries) }
}

/// A name shortened to the gutter; the tooltip has the whole name.
fn shortened(name: &str, gutter: i32) -> String {
    let room = usize::try_from((gutter - 30) / 8).unwrap_or(0).max(6);
    if name.chars().count() <= room {
        return name.to_owned();
    }
    let head: String = name.chars().take(room - 1).collect();
    format!("{head}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_lane_are_inside_of_it() {
        let mut graph = crate::testing::graph(&[(0, 100)]);
        graph.gutter = 120;
        for (problem, spine) in [(None, 48), (Some("2 heads"), 48), (Some("2 heads"), 22), (None, 22)] {
            let problem = problem.map(str::to_owned);
            let lane =
                LaneView { y: 10, height: 64, spine: 10 + spine, problem, default: true, ..crate::testing::lane(0) };
            let words = words(&graph, &lane);
            let Shape::Text { y: top, .. } = words.name[0] else { panic!("the name is a text") };
            let chips = placed_chips(&lane, graph.gutter).len() as i32;
            assert!(top - ASCENT >= 10 && top + LINE + CHIP * chips <= 74, "{top} {chips}");
            assert!((top - 4 + words.alone - words.middle).abs() <= 1, "by itself the name is in the middle");
        }
    }

    #[test]
    fn a_lane_says_how_many_entries_reach_the_head() {
        let mut graph = crate::testing::graph(&[(0, 100), (0, 170), (0, 240)]);
        (graph.gutter, graph.lanes) = (150, vec![LaneView { entries: 3, stuck: 2, ..crate::testing::lane(0) }]);
        for node in &mut graph.nodes {
            node.place = Some(graph.lanes[0].place);
        }
        for at in [0, 1] {
            graph.nodes[at].marks = vec![Mark::Stranded];
        }
        let words = words(&graph, &graph.lanes[0]);
        let texts = |shapes: &[Shape]| shapes.iter().filter_map(Shape::text).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(
            (texts(&words.name), texts(&words.below)),
            (vec!["c0".to_owned(), "default".to_owned()], vec!["1 of 3 reach the head".to_owned()])
        );
        let Some(Shape::Group { shapes, .. }) = words.below.get(1) else { panic!("a bar") };
        assert_eq!(shapes.len(), 2);
    }

    #[test]
    fn the_axis_names_minor_versions() {
        let mut graph = crate::testing::graph(&[]);
        let versions = ["1.0.0", "1.0.1", "1.1.0", "1.1.1", "1.2.0"];
        graph.columns = versions
            .iter()
            .zip(0..)
            .map(|(label, at)| AxisColumn { x: 100 * at + 100, width: 60, label: (*label).to_owned() })
            .collect();
        graph.width = 500;
        let labels = |spacing| labels(&graph, &VisibleArea { spacing, ..VisibleArea::START });
        let label = |x: i32, text: &str| (x, text.to_owned());
        assert_eq!(labels(0), [label(60, "1.0"), label(250, "1.1"), label(450, "1.2")]);
        assert_eq!(labels(300), [label(60, "1.0"), label(450, "1.2")]);
        assert_eq!(patches(&graph), [], "boxes have their versions inside");
        let mut dense = graph.clone();
        dense.columns.iter_mut().zip(0..).for_each(|(column, at)| (column.x, column.width) = (60 + 20 * at, 14));
        dense.layout = GraphLayout::Dense;
        (dense.columns[2].x, dense.columns[3].x) = (110, 110);
        assert_eq!(patches(&dense), [(60, ".0"), (80, ".1"), (140, ".0")], "none of what is folded");
        let starts: Vec<_> = minors(&dense).collect();
        assert_eq!(starts, [label(43, "1.0"), label(95, "1.1"), label(125, "1.2")]);
        let mut long = graph.clone();
        (long.width, long.columns) = (1100, graph.columns[..2].to_vec());
        let shown = VisibleArea { across: (0, 3), ..VisibleArea::START };
        let labels = super::labels(&long, &shown);
        assert_eq!(labels, [label(60, "1.0"), label(540, "1.0")], "one is in sight wherever one looks");
    }
}
