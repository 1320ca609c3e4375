//! The shared axis with its versions close together: entries are stations. If there are more versions than a page has
//! room for, runs of versions at which nothing happens in any channel are drawn as one box.

use super::axis::{Axis, box_size};
use super::rows::{FEWEST, Folds, Rows, STATION, fold_of_run, rows_of};
use crate::{LaneId, Mark, NodeId, UpdateGraph};
use source::{AxisColumn, AxisDirection, EntryForm};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// From a version to the next one: so that the targets beside each other have 24 pixels, also where the drawing is made a
/// little smaller to fit. If the axis leads up, labels need no more.
const PITCH: std::ops::RangeInclusive<i32> = 26..=47;
const LARGEST_UP: i32 = *PITCH.start();
/// About the width of a fold with the gaps beside it.
const FOLD: i32 = 84;
/// Right of the newest version, for its label.
const END: i32 = 30;
/// Width of a character of a label, and the gap between two labels.
const CHARACTER: i32 = 7;
const BETWEEN: i32 = 8;

/// What happens at a version in any of the channels.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Event {
    Head,
    /// An entry is stuck, or something is wrong with its documents.
    Wrong,
    Nothing,
}

/// Places the columns within the width of a page, and folds what has no room there, except for `opened`.
pub(super) fn place(
    graph: &UpdateGraph<'_>,
    axis: &mut Axis,
    rows: &Rows,
    page: i32,
    opened: &BTreeSet<NodeId>,
) -> Folds {
    let room = page - axis.gutter - axis.gap - END;
    let opened: BTreeSet<usize> = opened.iter().map(|&id| axis.index_of(id) as usize).collect();
    let runs = runs(&events(graph, axis), &opened, room);
    let folds = folds(graph, axis, rows, &runs);
    let mut widths: Vec<i32> = vec![STATION; graph.nodes.len()];
    for (width, fold) in widths.iter_mut().zip(&folds.of) {
        *width = fold.map_or(STATION, |fold| box_size(&folds.all[fold as usize].label, axis.direction).0);
    }
    let mut places: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    for run in runs {
        places.extend((at..run.start).map(|at| at..at + 1));
        at = run.end;
        places.push(run);
    }
    places.extend((at..axis.columns.len()).map(|at| at..at + 1));
    let mut widest = vec![STATION; axis.columns.len()];
    for (at, width) in widths.iter().enumerate() {
        let widest = &mut widest[axis.index_of(NodeId(at as u32)) as usize];
        *widest = (*widest).max(*width);
    }
    let width = |place: &Range<usize>| widest[place.clone()].iter().copied().max().unwrap_or(STATION);
    let used: i32 = places.iter().map(width).sum();
    let least = *PITCH.start() - STATION;
    let largest = if axis.direction == AxisDirection::Up { LARGEST_UP } else { *PITCH.end() };
    let gap = ((room - used) / (places.len() as i32).max(1)).clamp(least, largest - STATION);
    let mut left = axis.gutter + axis.gap;
    for place in places {
        let width = width(&place);
        for AxisColumn { x, width: of, .. } in &mut axis.columns[place] {
            (*x, *of) = (left + width / 2, width);
        }
        left += width + gap;
    }
    axis.resize(widths, left - gap + END);
    folds
}

/// What happens at each version.
fn events(graph: &UpdateGraph<'_>, axis: &Axis) -> Vec<Event> {
    let mut events = vec![Event::Nothing; axis.columns.len()];
    for (at, node) in graph.nodes.iter().enumerate() {
        let event = &mut events[axis.index_of(NodeId(at as u32)) as usize];
        if node.marks.contains(&Mark::Head) {
            *event = Event::Head;
        } else if *event == Event::Nothing && is_wrong(&node.marks) {
            *event = Event::Wrong;
        }
    }
    events
}

fn is_wrong(marks: &BTreeSet<Mark>) -> bool {
    [Mark::Stranded, Mark::NoBundle, Mark::UnknownBundle, Mark::BadRange].iter().any(|mark| marks.contains(mark))
}

/// The runs of versions to fold, as few and as old ones as the room needs: those at which nothing happens, and if that
/// does not suffice, all between heads.
fn runs(events: &[Event], opened: &BTreeSet<usize>, room: i32) -> Vec<Range<usize>> {
    let folded = |is_drawn: fn(Event) -> bool| {
        let (mut runs, mut start) = (Vec::new(), 0);
        let mut over = events.len() as i32 * PITCH.start() - room;
        for chunk in events.chunk_by(|one, other| one == other && !is_drawn(*one)) {
            let end = start + chunk.len();
            // The oldest version of all stays.
            let run = start.max(1)..end;
            start = end;
            for run in between(run, opened).filter(|run| run.len() >= FEWEST && !is_drawn(chunk[0])) {
                let needed = over + FOLD;
                let folded = run.len().min(usize::try_from(needed / PITCH.start() + 1).unwrap_or(0).max(FEWEST));
                if over > 0 {
                    over -= folded as i32 * PITCH.start() - FOLD;
                    runs.push(run.start..run.start + folded);
                }
            }
        }
        (runs, over)
    };
    match folded(|event| event != Event::Nothing) {
        (runs, over) if over <= 0 => runs,
        _ => folded(|event| event == Event::Head).0,
    }
}

/// The parts of a run between those that are opened.
fn between(run: Range<usize>, opened: &BTreeSet<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut start = run.start;
    let ends = opened.range(run.clone()).copied().chain([run.end]);
    ends.map(move |end| std::mem::replace(&mut start, end + 1)..end)
}

/// In each row of each lane, the entries of a run as one box.
fn folds(graph: &UpdateGraph<'_>, axis: &Axis, rows: &Rows, runs: &[Range<usize>]) -> Folds {
    let mut folds = Folds::none(graph);
    let run_of = |id: NodeId| {
        let column = axis.index_of(id) as usize;
        let before = runs.partition_point(|run| run.end <= column);
        runs.get(before).filter(|run| run.contains(&column)).map(|_| before)
    };
    for lane in (0..graph.lanes.len() as u32).map(LaneId) {
        for row in rows_of(graph, axis, rows, lane) {
            let chunks = row.chunk_by(|&one, &other| run_of(one).is_some() && run_of(one) == run_of(other));
            for chunk in chunks.filter(|chunk| chunk.len() > 1) {
                folds.add(fold_of_run(graph, chunk));
            }
        }
    }
    folds
}

/// How each entry is drawn: heads and what is wrong have their label, as far as there is room in their row.
pub(super) fn forms(graph: &UpdateGraph<'_>, axis: &Axis, rows: &Rows, folds: &Folds) -> Vec<EntryForm> {
    let mut forms = vec![EntryForm::Station; graph.nodes.len()];
    let mut taken: BTreeMap<(LaneId, u32), Vec<(i32, i32)>> = BTreeMap::new();
    let mut named: Vec<(Reverse<bool>, Reverse<u32>, usize)> = Vec::new();
    for (at, node) in graph.nodes.iter().enumerate() {
        let is_head = node.marks.contains(&Mark::Head);
        match folds.of[at] {
            Some(_) => forms[at] = EntryForm::Box,
            None if is_head || is_wrong(&node.marks) => {
                named.push((Reverse(is_head), Reverse(axis.index_of(NodeId(at as u32))), at));
            }
            None => {}
        }
    }
    named.sort_unstable();
    for (_, _, at) in named {
        let (node, id) = (&graph.nodes[at], NodeId(at as u32));
        let half = (CHARACTER * node.label().chars().count() as i32 + BETWEEN) / 2;
        let x = axis.column_of(id).x;
        let taken = taken.entry((node.lane, rows.of[at])).or_default();
        if taken.iter().all(|&(from, to)| x + half <= from || to <= x - half) {
            taken.push((x - half, x + half));
            forms[at] = EntryForm::NamedStation;
        }
    }
    forms
}

#[cfg(test)]
mod tests {
    use super::super::dense;
    use super::*;
    use crate::build;
    use crate::testing::read;

    /// The places of the first lane from left to right: labels of stations in brackets unless they are drawn, those of
    /// folds, and the width of the drawing.
    fn drawn(notation: &str, opened: &[u32]) -> (Vec<String>, i32) {
        let catalog = read(notation);
        let graph = build(&catalog.packages[0]);
        let layout = dense(&graph, AxisDirection::Right, &opened.iter().copied().map(NodeId).collect());
        let mut places: BTreeMap<i32, String> = BTreeMap::new();
        for (id, node) in graph.nodes_of(LaneId(0)) {
            let drawn = layout.nodes[id.0 as usize];
            let text = match (drawn.fold, drawn.form) {
                (Some(fold), _) => layout.folds[fold as usize].label.clone(),
                (None, EntryForm::NamedStation) => node.label(),
                (None, _) => format!("({})", node.label()),
            };
            places.insert(drawn.at.x, text);
        }
        (places.into_values().collect(), layout.width)
    }

    fn chain(versions: u32) -> String {
        let entry = |minor: u32| format!("1.{minor}.0 (replaces 1.{}.0)", minor - 1);
        let entries: Vec<String> = (1..versions).rev().map(entry).collect();
        format!("c: {}, 1.0.0", entries.join(", "))
    }

    #[test]
    fn versions_that_have_room_are_stations() {
        let (places, width) = drawn(&chain(20), &[]);
        assert_eq!((places.len(), &*places[0], &*places[19]), (20, "(1.0.0)", "1.19.0"));
        assert!(width <= 840, "{width}");
    }

    #[test]
    fn a_long_channel_is_folded_between_its_oldest_and_its_newest_entries() {
        let (places, width) = drawn(&chain(300), &[]);
        assert!(width <= 840, "{width}");
        assert!(places[1].starts_with("… 2") && !places[2].starts_with('…'), "{places:?}");
        assert_eq!((&*places[0], places.last().map(String::as_str)), ("(1.0.0)", Some("1.299.0")));
        let (opened, width) = drawn(&chain(300), &(0..300).collect::<Vec<_>>());
        assert!(opened.len() == 300 && width > 5000, "{width}");
    }

    #[test]
    fn an_entry_in_the_middle_of_a_fold_is_drawn_between_two() {
        let (places, width) = drawn(&chain(300), &[200]);
        assert!(width <= 840, "{width}");
        let is_fold = |at: usize| places[at].starts_with('…');
        assert!(is_fold(1) && places[2] == "(1.99.0)" && is_fold(3) && !is_fold(4), "{places:?}");
    }

    #[test]
    fn what_is_wrong_stays_in_sight() {
        let stuck = "1.30.0 (replaces 0.1.0; skips 1.20.0)";
        let text = chain(300).replace("1.30.0 (replaces 1.29.0)", stuck);
        let (places, width) = drawn(&text, &[]);
        assert!(width <= 840, "{width}");
        let stuck: Vec<&String> =
            places.iter().filter(|text| text.contains("1.29.0") || text.contains("1.19.0")).collect();
        assert_eq!(stuck, ["1.29.0"], "{places:?}");
    }
}
