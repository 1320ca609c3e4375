//! Lanes: the cards of the channels, their names, and the axis of versions.

use crate::shape::{Shape, VisibleArea};
use crate::{band, edge, node};
use views::{AxisColumn, AxisDirection, AxisTick, BeforeEntry, BeforeView, GraphLayout, GraphView, LaneView, NodeView};

/// A card extends this far below the plate with the channel's name, which hides its rounded corners.
const UNDER: i32 = 40;
/// Maximum width of an axis label, drawing units.
const LABEL: i32 = 130;
/// From the label of a minor version to the next one with the same text, so that one is in sight.
const AGAIN: i32 = 480;
/// The baseline of the labels of the axis.
pub const BASELINE: i32 = 17;
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
/// In a lower lane there is room for its name alone.
const NAMED: i32 = 36;
/// From the left end of the column with the ways to its text, and the width of a character of it.
const WAYS: (i32, i32) = (16, 6);
/// From the middle of a lane to the baselines of two lines of it, and of one.
const BASELINES: (i32, i32) = (-2, 4);

/// Height of the axis above the first lane.
pub fn axis_height(graph: &GraphView) -> i32 {
    graph.lanes.first().map_or(0, |lane| lane.y)
}

/// The whole column of a node on a shared axis: left and right end.
pub fn column(graph: &GraphView, node: &NodeView) -> Option<(i32, i32)> {
    let is_narrow = graph.layout == GraphLayout::Dots || graph.direction == AxisDirection::Up;
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

/// The cards behind the entries, the column of the selected one, what is stuck, and the ways to newer channels.
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
    if !shown.far {
        let stretch = shown.stretch();
        for lane in shown.lanes.0..shown.lanes.1.min(graph.lanes.len() as u32) {
            shapes.extend(band::shapes(graph, lane, &stretch));
            shapes.extend(beside(graph, lane));
        }
    }
    shapes
}

/// What stands beside the entries of a lane: its ways to newer channels and the lines of its switches; in the grid of
/// one channel the labels of the rows.
#[must_use]
pub fn beside(graph: &GraphView, lane: u32) -> Vec<Shape> {
    let of_lane = |at: u32| graph.nodes.get(at as usize).is_some_and(|node| node.lane == lane);
    // If the axis leads up, the words above a lane say it.
    let mut shapes = if graph.direction == AxisDirection::Up { Vec::new() } else { ways(graph, lane) };
    shapes.extend(graph.lanes.get(lane as usize).and_then(|lane| lane.before.as_ref()).into_iter().flat_map(before));
    for view in graph.switches.iter().filter(|view| of_lane(view.from)) {
        shapes.extend(edge::along(&view.points, "switch-line"));
    }
    if graph.lanes.len() == 1 {
        let tick =
            |tick: &AxisTick| Shape::Text { class: "tick", x: tick.at.x, y: tick.at.y, text: tick.label.clone() };
        shapes.extend(graph.ticks.iter().map(tick));
    }
    shapes
}

/// From the top of the row of the state before to its middle.
const BEFORE: i32 = 10;
/// Radius of an entry in that row, height of its head, and the width of a character of that.
const SMALL: (i32, i32, i32) = (3, 16, 7);

/// The updates before a change: what reached the head, what was stuck, and the head.
fn before(view: &BeforeView) -> Vec<Shape> {
    let (radius, head, character) = SMALL;
    let y = view.top + BEFORE;
    let line = |entry: &BeforeEntry| Some(Shape::path("before-line", format!("M{} {y}H{}", entry.x, entry.to?)));
    let mut shapes: Vec<Shape> = view.entries.iter().filter_map(line).collect();
    let mut end = 0;
    for entry in &view.entries {
        let (x, label) = (entry.x, entry.head.as_deref().unwrap_or_default());
        let (class, width, height) = match label.chars().count() as i32 {
            0 if entry.is_stuck => ("before-entry stuck", 2 * radius, 2 * radius),
            0 => ("before-entry", 2 * radius, 2 * radius),
            characters => ("before-head", character * (characters + 1), head),
        };
        let (left, top) = (x - width / 2, y - height / 2);
        shapes.push(Shape::Rect { class, x: left, y: top, width, height, radius: height.min(2 * radius) });
        if !label.is_empty() {
            shapes.push(Shape::Text { class: "before-label", x, y: y + 4, text: label.to_owned() });
        }
        end = end.max(left + width);
    }
    shapes.push(Shape::Text { class: "before", x: end + character, y: y + 4, text: "before".to_owned() });
    shapes
}

/// How the entries of a lane come to newer channels, in the column right of them.
fn ways(graph: &GraphView, lane: u32) -> Vec<Shape> {
    let Some((lane, ways)) = graph.lanes.get(lane as usize).and_then(|lane| Some((lane, lane.ways.as_ref()?))) else {
        return Vec::new();
    };
    let (of, count, is_wide) = (lane.entries, ways.count, graph.aside > NARROW);
    let to = ways.to.as_ref().map(|to| format!("to {to}")).unwrap_or_default();
    let only = || if ways.only.len() <= ONLY { format!("only {}", ways.only.join(", ")) } else { to.clone() };
    let lead = |text: String| if is_wide { format!("↗ {text}") } else { text };
    let all = || lead(if of == 1 { "yes".to_owned() } else { format!("all {of}") });
    let (class, first, second) = match (ways.is_newest, lane.default) {
        (true, true) if is_wide => ("ways", "newest and default".to_owned(), String::new()),
        (true, _) => ("ways", "newest".to_owned(), String::new()),
        (false, true) if ways.is_dead_end && count == 0 => {
            ("ways none", if is_wide { "none, default" } else { "none" }.to_owned(), String::new())
        }
        (false, true) if count == 0 => ("ways", "default".to_owned(), String::new()),
        (false, true) if count == of => ("ways", "default".to_owned(), format!("all {to}")),
        (false, true) => ("ways", "default".to_owned(), format!("{count} of {of} {to}")),
        (false, false) if count == of => ("ways lead", all(), to.clone()),
        (false, false) if count > 0 => ("ways lead", lead(format!("{count} of {of}")), only()),
        (false, false) => {
            let text = match of {
                _ if !is_wide => "none".to_owned(),
                1 => "no way on".to_owned(),
                _ => format!("none of {of}"),
            };
            (if ways.is_dead_end { "ways none" } else { "ways" }, text, String::new())
        }
    };
    let x = ways_left(graph);
    let room = |used: i32| usize::try_from((graph.aside - WAYS.0 - used) / WAYS.1).unwrap_or(0);
    let text = |class, x, y, text: String| Shape::Text { class, x, y: lane.spine + y, text };
    let is_low = lane.height < NAMED;
    if second.is_empty() || !is_wide || is_low {
        let used = WAYS.1 * (first.chars().count() as i32 + 1);
        let fits = is_wide && !second.is_empty() && second.chars().count() <= room(used);
        let beside = fits.then(|| text("ways", x + used, BASELINES.1, second));
        return std::iter::once(text(class, x, BASELINES.1, first)).chain(beside).collect();
    }
    let second = crate::shape::shortened(&second, room(0));
    vec![text(class, x, BASELINES.0, first), text("ways", x, BASELINES.0 + LINE - 2, second)]
}

/// Where the texts of the column with the ways begin.
fn ways_left(graph: &GraphView) -> i32 {
    graph.width - graph.aside + if graph.aside > NARROW { WAYS.0 } else { WAYS.0 / 2 }
}

/// A column of this width has room for one short line.
const NARROW: i32 = 80;
/// So many versions are named.
const ONLY: usize = 2;

/// The labels above the entries of a grid, and the head of the column with the ways: class, x and text.
#[must_use]
pub fn ticks(graph: &GraphView) -> Vec<(&'static str, i32, String)> {
    let above = graph.ticks.iter().filter(|_| graph.lanes.len() > 1);
    let above = above.map(|tick| ("patch", tick.at.x, tick.label.clone()));
    let has_ways = graph.lanes.iter().any(|lane| lane.ways.is_some());
    let text = if graph.aside > NARROW { "To a newer channel" } else { "Way on" };
    let head = has_ways.then(|| ("ways", ways_left(graph), text.to_owned()));
    above.chain(head).collect()
}

/// Where the versions of each minor version begin on the axis, with its label.
pub(crate) fn minors(graph: &GraphView) -> impl Iterator<Item = (i32, String)> {
    let mut before: Option<&str> = None;
    graph.columns.iter().filter_map(move |column| {
        let (minor, _) = split(&column.label);
        let starts = before.is_none_or(|other| other != minor);
        before = Some(minor);
        starts.then(|| (column.x - column.width / 2, node::fitted(minor, LABEL)))
    })
}

/// A version as its minor version and the rest, which begins with a dot.
fn split(version: &str) -> (&str, &str) {
    let dots: Vec<usize> = version.match_indices('.').map(|(at, _)| at).take(2).collect();
    version.split_at(dots.get(1).copied().unwrap_or(version.len()))
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
    let label = graph.columns.iter().filter_map(|column| {
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
    let is_low = lane.height < NAMED;
    let chips = if is_low { Vec::new() } else { placed_chips(lane, graph.gutter) };
    let rows = chips.last().map_or(0, |chip| chip.row + 1);
    let height = if is_low { ASCENT } else { ASCENT + LINE + CHIP * rows };
    // Zoomed out a little, all of it is still inside of the lane.
    let half = (height / 2 + 2) * 3 / 2;
    let (highest, lowest) = (lane.y + half, lane.y + lane.height - half);
    let middle = if highest < lowest { lane.spine.clamp(highest, lowest) } else { lane.y + lane.height / 2 };
    let y = middle - height / 2 + ASCENT;
    let name = shortened(&lane.channel, graph.gutter);
    let beside = BESIDE + CHARACTER * (i32::try_from(name.chars().count()).unwrap_or(20) + 1);
    let has_room = beside + CHARACTER * "default".len() as i32 <= graph.gutter;
    // The column with the ways says it, too, and the only channel is it.
    let is_said = lane.ways.is_some() || graph.lanes.len() == 1;
    let default = (lane.default && !is_said).then(|| "default".to_owned());
    let (aside, before) = if has_room { (default, None) } else { (None, default) };
    let count = before.unwrap_or_else(|| entries(lane));
    let mut below = Vec::new();
    if !is_low {
        below.push(Shape::Text { class: "count", x: BESIDE, y: y + LINE, text: count });
        below.extend(chips.iter().map(|chip| chip_shape(chip, y + LINE + 5 + CHIP * chip.row)));
    }
    let name = Shape::Text { class: "name", x: BESIDE, y, text: name };
    let aside = aside.map(|text| Shape::Text { class: "count", x: beside, y, text });
    Words { name: std::iter::once(name).chain(aside).collect(), below, middle, alone: height / 2 - ASCENT + 4 }
}

/// The words of a lane above its entries, with class and baseline.
pub fn words_above(lane: &LaneView) -> Vec<(&'static str, i32, String)> {
    let count = if lane.stuck > 0 { format!("{} of {} stuck", lane.stuck, lane.entries) } else { entries(lane) };
    let is_end = lane.stuck == 0 && lane.ways.as_ref().is_some_and(|ways| ways.is_dead_end);
    let no_way_on = is_end.then_some("no way on");
    let default = lane.default.then_some("default");
    let count: Vec<&str> = default
        .into_iter()
        .chain([&*count])
        .chain(no_way_on)
        .chain(chips(lane).into_iter().map(|(text, _)| text))
        .collect();
    // The page has the whole name as a tooltip.
    let fitted = |text: &str, width| crate::shape::shortened(text, usize::try_from(lane.height / width).unwrap_or(8));
    vec![("name", 17, fitted(&lane.channel, 8)), ("count", 33, fitted(&count.join(" · "), CHARACTER))]
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
    use views::WaysView;

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
    fn the_state_before_is_a_row_of_dots_below_the_entries() {
        let entry =
            |x, to, is_stuck, head: Option<&str>| BeforeEntry { x, to, is_stuck, head: head.map(str::to_owned) };
        let entries = vec![
            entry(50, None, true, None),
            entry(150, Some(250), false, None),
            entry(250, None, false, Some("1.2.0")),
        ];
        let drawn = before(&BeforeView { top: 90, entries });
        let dot = |class, x| Shape::Rect { class, x: x - 3, y: 97, width: 6, height: 6, radius: 6 };
        let line = Shape::path("before-line", "M150 100H250".to_owned());
        let head = Shape::Rect { class: "before-head", x: 229, y: 92, width: 42, height: 16, radius: 6 };
        let text = |class, x, text: &str| Shape::Text { class, x, y: 104, text: text.to_owned() };
        let expected = [
            line,
            dot("before-entry stuck", 50),
            dot("before-entry", 150),
            head,
            text("before-label", 250, "1.2.0"),
            text("before", 278, "before"),
        ];
        assert_eq!(drawn, expected);
    }

    #[test]
    fn a_lane_says_how_one_comes_to_a_newer_channel() {
        let mut graph = crate::testing::graph(&[(0, 100)]);
        graph.aside = 138;
        let texts = |graph: &GraphView| {
            let shapes = ways(graph, 0);
            let text = |shape: &Shape| match shape {
                Shape::Text { class, text, .. } => format!("{class}: {text}"),
                other => format!("{other:?}"),
            };
            shapes.iter().map(text).collect::<Vec<_>>()
        };
        let mut said = |ways: WaysView, default: bool| {
            let lane = LaneView { entries: 3, default, ways: Some(ways), ..crate::testing::lane(0) };
            graph.lanes = vec![lane];
            texts(&graph)
        };
        let to = |count: u32, only: &[&str]| WaysView {
            count,
            only: only.iter().map(|label| (*label).to_owned()).collect(),
            to: Some("stable".to_owned()),
            ..WaysView::default()
        };
        assert_eq!(said(WaysView { is_newest: true, ..WaysView::default() }, true), ["ways: newest and default"]);
        assert_eq!(said(to(3, &[]), false), ["ways lead: ↗ all 3", "ways: to stable"]);
        assert_eq!(said(to(1, &["1.0.0"]), false), ["ways lead: ↗ 1 of 3", "ways: only 1.0.0"]);
        assert_eq!(said(WaysView { is_dead_end: true, ..WaysView::default() }, false), ["ways none: none of 3"]);
        assert_eq!(said(WaysView::default(), false), ["ways: none of 3"], "nobody misses a newer version");
        graph.lanes[0].height = 28;
        graph.lanes[0].ways = Some(to(1, &["1.0.0"]));
        assert_eq!(texts(&graph), ["ways lead: ↗ 1 of 3", "ways: only 1.0.0"]);
        graph.aside = 62;
        assert_eq!(texts(&graph), ["ways lead: 1 of 3"]);
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
        assert_eq!(labels(0), [label(70, "1.0"), label(270, "1.1"), label(470, "1.2")]);
        assert_eq!(labels(300), [label(70, "1.0"), label(470, "1.2")]);
        let mut long = graph.clone();
        (long.width, long.columns) = (1100, graph.columns[..2].to_vec());
        let shown = VisibleArea { across: (0, 3), ..VisibleArea::START };
        let labels = super::labels(&long, &shown);
        assert_eq!(labels, [label(70, "1.0"), label(550, "1.0")], "one is in sight wherever one looks");
    }
}
