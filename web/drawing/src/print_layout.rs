//! Divides the drawing into parts for printing. A part is as wide as a sheet and no taller than one, whatever the
//! format of the paper. Parts follow each other like lines of text.

use crate::lane::axis_height;
use crate::visible_area::Area;
use std::collections::BTreeMap;
use views::GraphView;

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
/// Gap below a lane.
pub const GAP: i32 = 8;
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
            for at in graph.boxes(*lane) {
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
            height += lane.height + GAP;
            if height > sheet.tallest && !part.lanes.is_empty() {
                parts.push(part.clone());
                part.lanes.clear();
                height = axis_height(graph) + lane.height + GAP;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{graph, lane};
    use views::ColumnView;

    /// The given number of lanes, each with entries in these columns, 70 apart.
    fn drawn(lanes: u32, columns: impl Fn(u32) -> std::ops::Range<i32>) -> GraphView {
        let x = |column: i32| 160 + 70 * column;
        let nodes: Vec<_> = (0..lanes).flat_map(|at| columns(at).map(move |column| (at, x(column)))).collect();
        let mut graph = graph(&nodes);
        (graph.gutter, graph.height) = (110, 30 + 100 * i32::try_from(lanes).unwrap());
        graph.lanes = (0..i32::try_from(lanes).unwrap()).map(lane).collect();
        let last = graph.nodes.iter().map(|node| node.at.x).max().unwrap_or(160);
        graph.columns =
            (0..=(last - 160) / 70).map(|at| ColumnView { x: x(at), width: 50, label: at.to_string() }).collect();
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
                let lanes = part.lanes.iter().map(|at| graph.lanes[*at as usize].height + GAP);
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
