//! The drawing on paper: all of it, in pieces that fit the sheet, each with its names and its axis. Of a drawing of too many
//! entries for that there is what was in sight on the screen; what is not there is told, and seen in the small picture.

use super::picture::lines;
use super::piece::{BESIDE, GAP, Piece, pieces};
use super::said::Told;
use super::shape::{Frame, Shape};
use super::{Area, lane, node};
use views::{GraphView, LaneView};
use yew::prelude::*;

/// More entries are not printed with their names: they would be more than a dozen sheets.
const MOST: usize = 750;
/// A unit of the drawing is so much of a CSS pixel, or less where the sheet is narrower.
const SHARE: (i32, i32) = (17, 20);

/// What of a drawing is on paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Paper {
    /// What has names.
    pieces: Vec<Piece>,
    /// What is not there, and how to get it.
    left_out: Option<String>,
}

impl Paper {
    /// Everything or, of too much, the area that is in sight.
    pub(super) fn of(graph: &GraphView, area: Option<Area>) -> Self {
        let all = graph.nodes.len();
        if all <= MOST {
            return Self { pieces: pieces(graph, None), left_out: None };
        }
        let mut pieces = pieces(graph, area);
        let count: usize = pieces.iter().map(|piece| piece.entries(graph).len()).sum();
        let seen = if count == 0 || count > MOST {
            pieces.clear();
            format!("zoom to at most {MOST} of them to print those")
        } else {
            format!("the {count} in its frame, which are in sight on the screen, follow")
        };
        let text = format!(
            "{all} entries are too many for paper. Above are all of them, small; {seen}. Export, SVG has everything."
        );
        Self { pieces, left_out: Some(text) }
    }
}

/// The drawing on paper. The style sheet shows it there alone.
pub(super) fn paper(graph: &GraphView, told: &Told, area: Option<Area>) -> Html {
    let Paper { pieces, left_out } = Paper::of(graph, area);
    html! { <div class={if left_out.is_some() { "paper part" } else { "paper" }} data-testid="graph-paper">
        <p>{ left_out }</p>
        { for pieces.iter().map(|piece| sheet(graph, told, piece)) }
    </div> }
}

fn sheet(graph: &GraphView, told: &Told, piece: &Piece) -> Html {
    let (mut shapes, mut axis, mut height) = (Vec::new(), Vec::new(), lane::AXIS);
    for column in &graph.columns {
        if piece.has(column.x) {
            let x = column.x - piece.left + graph.gutter;
            axis.push(Shape::Text { class: "", x, y: 19, text: column.label.clone() });
        }
    }
    shapes.push(Shape::Group { class: "axis".to_owned(), title: None, shapes: axis });
    for &at in &piece.lanes {
        if let Some(lane) = graph.lanes.get(at as usize) {
            row(graph, told, &Piece { lanes: vec![at], ..piece.clone() }, (lane, height), &mut shapes);
            height += lane.height + GAP;
        }
    }
    let part = Frame { left: 0, top: 0, width: graph.gutter + piece.right - piece.left + BESIDE, height };
    let share = |units: i32| units * SHARE.0 / SHARE.1;
    let at = Frame { width: share(part.width), height: share(part.height), ..part };
    Shape::Window { class: "drawing sheet", at, part, shapes }.html()
}

/// A lane of a piece: lines and bands are cut at its ends, words above an entry are not.
fn row(graph: &GraphView, told: &Told, piece: &Piece, (lane, y): (&LaneView, i32), shapes: &mut Vec<Shape>) {
    let (gutter, height) = (graph.gutter, lane.height);
    let part = Frame { left: piece.left, top: lane.y, width: piece.right - piece.left, height };
    let name = Frame { left: 0, width: gutter, ..part };
    let card = |class, x, y, width| Shape::Rect { class, x, y, width, height, radius: 10 };
    let mut below = Vec::new();
    for column in graph.columns.iter().filter(|column| piece.has(column.x)) {
        below.push(Shape::path("column", format!("M{} {}v{height}", column.x, lane.y)));
    }
    below.append(&mut lines(graph, told, &part));
    let mut names = lane::words(graph, lane);
    names.insert(0, card("plate", 0, lane.y, gutter));
    let mut nodes = Vec::new();
    for at in piece.entries(graph) {
        let (view, said) = (&graph.nodes[at as usize], told.get(&at));
        let (class, shapes) = (node::classes(view, said), node::shapes(view, said, None));
        nodes.push(Shape::Group { class, title: None, shapes });
    }
    shapes.push(card("card", gutter - lane::UNDER, y, part.width + lane::UNDER));
    shapes.push(Shape::Window { class: "", at: part.at(gutter, y), part, shapes: below });
    shapes.push(Shape::Window { class: "lane-name", at: name.at(0, y), part: name, shapes: names });
    shapes.push(Shape::Window { class: "open", at: part.at(gutter, y), part, shapes: nodes });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::testing::{graph, lane as lane_at};
    use views::ColumnView;

    /// Lanes of 150 entries each.
    fn drawn(lanes: u32) -> GraphView {
        let nodes: Vec<_> = (0..lanes).flat_map(|lane| (0..150).map(move |at| (lane, 160 + 70 * at))).collect();
        let mut graph = graph(&nodes);
        graph.gutter = 110;
        graph.columns = (0..150).map(|at| ColumnView { x: 160 + 70 * at, label: at.to_string() }).collect();
        graph.nodes.iter_mut().for_each(|node| node.column = ((node.at.x - 160) / 70) as u32);
        graph.lanes = (0..i32::try_from(lanes).unwrap()).map(lane_at).collect();
        graph
    }

    fn printed(graph: &GraphView, paper: &Paper) -> usize {
        paper.pieces.iter().map(|piece| piece.entries(graph).len()).sum()
    }

    #[test]
    fn what_fits_is_there_as_a_whole_wherever_one_looks() {
        let graph = drawn(5);
        let paper = Paper::of(&graph, Some((500, 0, 600, 100)));
        assert_eq!((printed(&graph, &paper), paper.left_out), (750, None));
    }

    #[test]
    fn of_too_much_there_is_what_is_in_sight() {
        let graph = drawn(6);
        let paper = Paper::of(&graph, Some((500, 100, 1200, 300)));
        assert_eq!(printed(&graph, &paper), 33);
        let text = paper.left_out.unwrap();
        assert!(text.starts_with("900 entries are too many") && text.contains("the 33 in its frame"), "{text}");
        let all = Paper::of(&graph, Some((0, 0, 90_000, 9000)));
        assert_eq!(all.pieces, []);
        assert!(all.left_out.unwrap().contains("at most 750"));
    }
}
