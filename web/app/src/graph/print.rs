//! Prints the drawing in parts that fit a sheet, each with its lane names and its axis. If there are too many entries,
//! only the visible area is printed, with a note about the rest and the minimap.

use super::print_layout::{PAPER, PrintPart, parts};
use super::shape::{Frame, Shape};
use super::shape_html::ShapeHtml;
use super::simulation_marks::SimulationMarks;
use opscope_drawing::{Area, content};
use views::GraphView;
use yew::prelude::*;

/// The most entries that are printed: more would need more than a dozen sheets.
const MOST: usize = 750;
/// A drawing unit is this share of a CSS pixel, or less where the sheet is narrower.
const SHARE: (i32, i32) = (17, 20);

/// The parts of a drawing that are printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Printout {
    /// In the order of the sheets.
    parts: Vec<PrintPart>,
    /// A note about entries that are not printed, and how to print them.
    left_out: Option<String>,
}

impl Printout {
    /// Everything or, if that is too much, the visible area.
    pub(super) fn of(graph: &GraphView, area: Option<Area>) -> Self {
        let all: usize = (0..graph.lanes.len() as u32).map(|lane| graph.boxes(lane).count()).sum();
        if all <= MOST {
            return Self { parts: parts(graph, None, PAPER), left_out: None };
        }
        let mut parts = parts(graph, area, PAPER);
        let count: usize = parts.iter().map(|print_part| print_part.entries(graph).len()).sum();
        let seen = if count == 0 || count > MOST {
            parts.clear();
            format!("zoom in until at most {MOST} entries are visible to print those")
        } else {
            format!("the {count} entries that are visible on the screen follow")
        };
        let text = format!(
            "This graph has {all} entries, too many to print. The overview above shows all of them; {seen}. To get \
             everything, export it as SVG."
        );
        Self { parts, left_out: Some(text) }
    }
}

/// The printed drawing. The style sheet shows it only on paper.
pub(super) fn printout(graph: &GraphView, marks: &SimulationMarks, area: Option<Area>) -> Html {
    let Printout { parts, left_out } = Printout::of(graph, area);
    html! { <div class={if left_out.is_some() { "paper part" } else { "paper" }} data-testid="graph-paper">
        <p>{ left_out }</p>
        { for parts.iter().map(|print_part| sheet(graph, marks, print_part)) }
    </div> }
}

fn sheet(graph: &GraphView, marks: &SimulationMarks, print_part: &PrintPart) -> Html {
    let (part, shapes) = content(graph, marks, print_part);
    let share = |units: i32| units * SHARE.0 / SHARE.1;
    let at = Frame { width: share(part.width), height: share(part.height), ..part };
    Shape::Window { class: "drawing sheet", at, part, shapes }.html()
}

#[cfg(test)]
mod tests {
    use super::*;
    use opscope_drawing::testing::{graph, lane as lane_at};
    use views::ColumnView;

    /// Lanes of 150 entries each.
    fn drawn(lanes: u32) -> GraphView {
        let nodes: Vec<_> = (0..lanes).flat_map(|lane| (0..150).map(move |at| (lane, 160 + 70 * at))).collect();
        let mut graph = graph(&nodes);
        graph.gutter = 110;
        graph.columns = (0..150).map(|at| ColumnView { x: 160 + 70 * at, width: 50, label: at.to_string() }).collect();
        graph.nodes.iter_mut().for_each(|node| node.column = ((node.at.x - 160) / 70) as u32);
        graph.lanes = (0..i32::try_from(lanes).unwrap()).map(lane_at).collect();
        graph
    }

    fn printed(graph: &GraphView, printout: &Printout) -> usize {
        printout.parts.iter().map(|print_part| print_part.entries(graph).len()).sum()
    }

    #[test]
    fn a_small_graph_is_printed_as_a_whole() {
        let graph = drawn(5);
        let printout = Printout::of(&graph, Some((500, 0, 600, 100)));
        assert_eq!((printed(&graph, &printout), printout.left_out), (750, None));
    }

    #[test]
    fn of_a_large_graph_the_visible_area_is_printed() {
        let graph = drawn(6);
        let printout = Printout::of(&graph, Some((500, 100, 1200, 300)));
        assert_eq!(printed(&graph, &printout), 33);
        let text = printout.left_out.unwrap();
        assert!(text.starts_with("This graph has 900 entries") && text.contains("the 33 entries"), "{text}");
        let all = Printout::of(&graph, Some((0, 0, 90_000, 9000)));
        assert_eq!(all.parts, []);
        assert!(all.left_out.unwrap().contains("at most 750"));
    }
}
