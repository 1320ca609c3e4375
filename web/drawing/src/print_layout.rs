//! Divides the drawing into parts for printing. A part is as wide as a sheet and no taller than one, whatever the
//! format of the paper. Parts follow each other like lines of text.

use crate::lane::{self, axis_height};
use crate::picture::lines;
use crate::shape::{Area, Frame, Shape};
use crate::simulation_marks::SimulationMarks;
use crate::{band, node};
use std::collections::BTreeMap;
use views::{AxisDirection, GraphView, LaneView};

/// The maximum size of a part, drawing units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// Maximum width.
    pub widest: i32,
    /// Maximum height, unless a single lane is taller.
    pub tallest: i32,
}

/// The size on paper: on A4 portrait labels are printed in 7 points; two parts fit on A4 and Letter landscape, four
/// portrait, so that little of a sheet stays empty.
pub const PAPER: Sheet = Sheet { widest: 940, tallest: 300 };
/// Room right of the entries, for the words above the last one.
pub const BESIDE: i32 = 44;
/// Minimum width for entries, however wide the lane names are.
const LEAST: i32 = 300;

/// A part of the drawing that is printed as one block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintPart {
    /// Left end, drawing units.
    pub left: i32,
    pub right: i32,
    /// Its lanes, from top to bottom.
    pub lanes: Vec<u32>,
}

impl PrintPart {
    /// Whether it contains an x coordinate. Parts side by side do not overlap.
    pub fn has(&self, x: i32) -> bool {
        (self.left..self.right).contains(&x)
    }

    /// Its entries, by index.
    pub fn entries(&self, graph: &GraphView) -> Vec<u32> {
        let mut entries = Vec::new();
        for lane in &self.lanes {
            for at in graph.lane_nodes(*lane) {
                if self.has(graph.nodes[at as usize].at.x) {
                    entries.push(at);
                }
            }
        }
        entries
    }
}

/// The parts of the whole drawing or of an area, from old to new versions, then from the first lane to the last.
pub fn parts(graph: &GraphView, area: Option<Area>, sheet: Sheet) -> Vec<PrintPart> {
    let (from, top, to, bottom) = area.unwrap_or((i32::MIN, i32::MIN, i32::MAX, i32::MAX));
    let extents = extents(graph);
    let mut parts = Vec::new();
    for (left, right) in stretches(graph, (from, to), sheet.widest) {
        let mut part = PrintPart { left, right, lanes: Vec::new() };
        let mut height = axis_height(graph);
        for (at, lane) in graph.lanes.iter().enumerate() {
            let seen = lane.y < bottom && lane.y + lane.height > top;
            if !seen || extents[at].0 >= right || extents[at].1 < left {
                continue;
            }
            height += lane.height;
            if height > sheet.tallest && !part.lanes.is_empty() {
                parts.push(part.clone());
                part.lanes.clear();
                height = axis_height(graph) + lane.height;
            }
            part.lanes.push(at as u32);
        }
        if !part.lanes.is_empty() {
            parts.push(part);
        }
    }
    parts
}

/// The x ranges of the parts: cut between versions, each as wide as a sheet allows.
fn stretches(graph: &GraphView, (from, to): (i32, i32), widest: i32) -> Vec<(i32, i32)> {
    let room = (widest - BESIDE - graph.gutter).max(LEAST);
    let mut stretches: Vec<(i32, i32)> = Vec::new();
    for (left, right) in steps(graph) {
        match stretches.last_mut() {
            _ if right <= from || left >= to => {}
            Some(last) if right - last.0 <= room => last.1 = right,
            _ => stretches.push((left, right)),
        }
    }
    stretches
}

/// The x range of each place: its boundaries are halfway between its boxes and those of its neighbours.
fn steps(graph: &GraphView) -> Vec<(i32, i32)> {
    let mut places: BTreeMap<i32, (i32, i32)> =
        graph.columns.iter().map(|column| (column.x, (column.x, column.x))).collect();
    for node in &graph.nodes {
        let (left, right) = places.entry(node.at.x).or_insert((node.at.x, node.at.x));
        (*left, *right) = ((*left).min(node.at.x - node.width / 2), (*right).max(node.at.x + node.width / 2));
    }
    let places: Vec<(i32, (i32, i32))> = places.into_iter().collect();
    let mut left = graph.gutter;
    let mut steps = Vec::new();
    for (at, &(x, (_, end))) in places.iter().enumerate() {
        let own = x + 1;
        let right = match places.get(at + 1) {
            Some(&(next, (start, _))) => i32::midpoint(end, start).clamp(own, next.max(own)),
            None => graph.width.max(own),
        };
        steps.push((left, right));
        left = right;
    }
    steps
}

/// The x range in which each lane has something. A lane without anything is printed with the newest versions.
fn extents(graph: &GraphView) -> Vec<(i32, i32)> {
    let mut extents = vec![(i32::MAX, i32::MIN); graph.lanes.len()];
    let mut widen = |lane: u32, left: i32, right: i32| {
        if let Some((from, to)) = extents.get_mut(lane as usize) {
            (*from, *to) = ((*from).min(left), (*to).max(right));
        }
    };
    for node in &graph.nodes {
        widen(node.lane, node.at.x, node.at.x);
    }
    for band in graph.bands.iter().filter(|band| !band.folded) {
        band.stretches.iter().for_each(|stretch| widen(band.lane, stretch.0, stretch.1));
    }
    for (from, to) in &mut extents {
        // As if they ended in the last part.
        (*from, *to) = ((*from).min(graph.width - 1), if *to == i32::MIN { i32::MAX } else { *to });
    }
    extents
}

// A part of the drawing as one block, with its axis and the names of its lanes.

/// Height of the names of lanes above their entries, if the axis leads up.
const NAMES: i32 = 44;
/// Left of the axis and of names then, and between the axis and the first lane.
const MARGIN: i32 = 8;

/// The size and the shapes of a part, with its axis and the names of its lanes.
pub fn content(graph: &GraphView, marks: &SimulationMarks, print_part: &PrintPart) -> (Frame, Vec<Shape>) {
    if graph.direction == AxisDirection::Up {
        return upright(graph, marks, print_part);
    }
    let (mut shapes, mut axis, mut height) = (Vec::new(), Vec::new(), lane::axis_height(graph));
    let on_paper = |x: i32| x - print_part.left + graph.gutter;
    for (x, text) in lane::apart(lane::minors(graph).filter(|(x, _)| print_part.has(*x)), 0) {
        axis.push(Shape::Text { class: "", x: on_paper(x), y: lane::BASELINE, text });
    }
    for (class, x, text) in lane::ticks(graph).into_iter().filter(|(_, x, _)| print_part.has(*x)) {
        axis.push(Shape::Text { class, x: on_paper(x), y: lane::BASELINE, text });
    }
    shapes.push(Shape::Group { class: "axis".to_owned(), title: None, shapes: axis });
    let width = graph.gutter + print_part.right - print_part.left + BESIDE;
    let rule = |y: i32| Shape::path("rule", format!("M0 {y}H{width}"));
    let (mut rules, mut lanes, mut last) = (Vec::new(), Vec::new(), None);
    for &at in &print_part.lanes {
        if let Some(lane) = graph.lanes.get(at as usize) {
            // Where the lane above it is printed, too, its lines to that one are whole.
            let above = last.filter(|last| at == last + 1).map_or(0, |last: u32| graph.lanes[last as usize].height);
            let one = PrintPart { lanes: vec![at], ..print_part.clone() };
            let y = height;
            shapes.push(Shape::Rect { class: "card", x: 0, y, width, height: lane.height, radius: 0 });
            row(graph, marks, &one, (lane, height, above), &mut lanes);
            rules.push(rule(height));
            (height, last) = (height + lane.height, Some(at));
        }
    }
    rules.push(rule(height));
    // Above the cards, and below what crosses them.
    shapes.append(&mut rules);
    shapes.append(&mut lanes);
    (Frame { left: 0, top: 0, width, height: height + 1 }, shapes)
}

/// A lane of a part, with the height of the one above it, if that is printed. Lines and bands are cut off at its ends,
/// words above an entry are not.
fn row(
    graph: &GraphView,
    marks: &SimulationMarks,
    print_part: &PrintPart,
    (lane, y, above): (&LaneView, i32, i32),
    shapes: &mut Vec<Shape>,
) {
    let (gutter, height) = (graph.gutter, lane.height);
    let part = Frame { left: print_part.left, top: lane.y, width: print_part.right - print_part.left, height };
    let name = Frame { left: 0, width: gutter, ..part };
    let below = below(graph, marks, print_part, &part);
    let words = lane::words(graph, lane);
    let names = words.name.into_iter().chain(words.below).collect();
    let nodes = entries(graph, marks, print_part);
    let lines = Frame { top: part.top - above, height: height + above, ..part };
    shapes.push(Shape::Window { class: "", at: lines.at(gutter, y - above), part: lines, shapes: below });
    shapes.push(Shape::Window { class: "lane-name", at: name.at(0, y), part: name, shapes: names });
    shapes.push(Shape::Window { class: "open", at: part.at(gutter, y), part, shapes: nodes });
}

/// What is drawn below the entries of a lane: lines, bands, brackets, and its ways to newer channels.
fn below(graph: &GraphView, marks: &SimulationMarks, print_part: &PrintPart, part: &Frame) -> Vec<Shape> {
    let mut below = lines(graph, marks, part);
    for &at in &print_part.lanes {
        below.append(&mut band::shapes(graph, at, &(print_part.left..=print_part.right)));
        below.append(&mut lane::beside(graph, at));
    }
    below
}

fn entries(graph: &GraphView, marks: &SimulationMarks, print_part: &PrintPart) -> Vec<Shape> {
    let mut nodes = Vec::new();
    for at in print_part.entries(graph) {
        let (view, mark) = (&graph.nodes[at as usize], marks.get(&at));
        let (class, shapes) = (node::classes(view, mark), node::shapes(view, graph.direction, mark, None));
        nodes.push(Shape::Group { class, title: Some(view.summary.clone()), shapes });
    }
    nodes
}

/// A part whose axis leads up: its versions are at the left, and the names of its lanes above their entries.
fn upright(graph: &GraphView, marks: &SimulationMarks, print_part: &PrintPart) -> (Frame, Vec<Shape>) {
    let height = print_part.right - print_part.left;
    let (mut left, mut shapes) = (lane::axis_height(graph), Vec::new());
    let versions = lane::versions(graph).into_iter().filter(|(x, _)| print_part.has(*x));
    let version = |(x, text): (i32, String)| Shape::Text {
        class: "",
        x: left - MARGIN,
        y: NAMES + print_part.right - x + 4,
        text,
    };
    shapes.push(Shape::Group {
        class: "axis up-axis".to_owned(),
        title: None,
        shapes: versions.map(version).collect(),
    });
    for &at in &print_part.lanes {
        let Some(lane) = graph.lanes.get(at as usize) else { continue };
        let one = PrintPart { lanes: vec![at], ..print_part.clone() };
        // Along the axis and across it.
        let part = Frame { left: print_part.left, top: lane.y, width: height, height: lane.height };
        let (mut inside, mut nodes) = (below(graph, marks, &one, &part), entries(graph, marks, &one));
        inside.append(&mut nodes);
        let (width, radius) = (lane.height, 10);
        shapes.push(Shape::Rect { class: "card", x: left, y: NAMES, width, height, radius });
        let names = lane::words_above(lane).into_iter();
        let name = |(class, y, text)| Shape::Text { class, x: left + MARGIN, y, text };
        shapes.push(Shape::Group { class: "lane-name".to_owned(), title: None, shapes: names.map(name).collect() });
        let turned = Shape::Turned { left: -lane.y, top: print_part.right, shapes: inside };
        let frame = Frame { left: 0, top: 0, width, height };
        shapes.push(Shape::Window { class: "open", at: frame.at(left, NAMES), part: frame, shapes: vec![turned] });
        left += lane.height;
    }
    (Frame { left: 0, top: 0, width: left, height: NAMES + height }, shapes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{graph, lane};
    use views::AxisColumn;

    /// The given number of lanes, each with entries in these columns, 70 apart.
    fn drawn(lanes: u32, columns: impl Fn(u32) -> std::ops::Range<i32>) -> GraphView {
        let x = |column: i32| 160 + 70 * column;
        let nodes: Vec<_> = (0..lanes).flat_map(|at| columns(at).map(move |column| (at, x(column)))).collect();
        let mut graph = graph(&nodes);
        (graph.gutter, graph.height) = (110, 30 + 100 * i32::try_from(lanes).unwrap());
        graph.lanes = (0..i32::try_from(lanes).unwrap()).map(lane).collect();
        let last = graph.nodes.iter().map(|node| node.at.x).max().unwrap_or(160);
        graph.columns =
            (0..=(last - 160) / 70).map(|at| AxisColumn { x: x(at), width: 50, label: at.to_string() }).collect();
        graph.nodes.iter_mut().for_each(|node| node.column = ((node.at.x - 160) / 70) as u32);
        graph
    }

    fn has(part: &PrintPart, graph: &GraphView, at: usize) -> bool {
        let node = &graph.nodes[at];
        part.lanes.contains(&node.lane) && part.has(node.at.x)
    }

    #[test]
    fn a_small_drawing_is_one_part() {
        let parts = parts(&drawn(2, |_| 0..5), None, PAPER);
        assert_eq!(parts, [PrintPart { left: 110, right: 490, lanes: vec![0, 1] }]);
    }

    #[test]
    fn every_entry_is_in_one_part_and_every_part_fits_a_sheet() {
        for (lanes, columns) in [(1, 1000), (60, 160), (7, 13), (2, 12)] {
            let graph = drawn(lanes, |_| 0..columns);
            let parts = parts(&graph, None, PAPER);
            for at in 0..graph.nodes.len() {
                assert_eq!(parts.iter().filter(|part| has(part, &graph, at)).count(), 1, "entry {at}");
            }
            for part in &parts {
                assert!(graph.gutter + part.right - part.left + BESIDE <= PAPER.widest, "{part:?}");
                let lanes = part.lanes.iter().map(|at| graph.lanes[*at as usize].height);
                assert!(axis_height(&graph) + lanes.sum::<i32>() <= PAPER.tallest, "{part:?}");
            }
        }
    }

    #[test]
    fn parts_are_as_wide_as_a_sheet_and_cut_no_box() {
        let graph = drawn(1, |_| 0..13);
        let cuts: Vec<_> = parts(&graph, None, PAPER).iter().map(|part| (part.left, part.right)).collect();
        assert_eq!(cuts, [(110, 895), (895, 1050)]);
    }

    #[test]
    fn a_lane_is_in_the_parts_where_it_has_something() {
        let mut graph = drawn(4, |lane| if lane == 3 { 0..0 } else { 20 * lane as i32..20 * lane as i32 + 20 });
        graph.lanes[3].channel = "empty".to_owned();
        let parts = parts(&graph, None, PAPER);
        assert!(parts.len() > 4 && parts.iter().all(|part| part.lanes.len() <= 2), "{parts:?}");
        assert_eq!(parts.last().map(|part| part.lanes.clone()), Some(vec![2, 3]), "the empty lane is shown as well");
    }

    #[test]
    fn parts_of_an_area_overlap_it() {
        let graph = drawn(9, |_| 0..100);
        let all = parts(&graph, Some((2000, 240, 2500, 400)), PAPER);
        assert_eq!(all.len(), 1);
        assert_eq!(all[0].lanes, [2, 3]);
        assert!(all[0].left <= 2000 && all[0].left > 1900 && all[0].right >= 2500 && all[0].right < 2600, "{all:?}");
    }

    #[test]
    fn a_lane_taller_than_a_sheet_has_a_part_of_its_own() {
        let mut graph = drawn(2, |_| 0..3);
        (graph.lanes[0].height, graph.lanes[1].y) = (900, 940);
        let lanes: Vec<_> = parts(&graph, None, PAPER).into_iter().map(|part| part.lanes).collect();
        assert_eq!(lanes, [vec![0], vec![1]]);
    }
}
