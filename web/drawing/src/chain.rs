//! The way of a version to the head of its channel in a few boxes, with the shapes of the drawing.

use crate::shape::{Frame, Shape};
use crate::{edge, node};
use views::{ChainLine, ChainStep, Point};

/// Height of a box, and of the picture.
const HEIGHT: (i32, i32) = (28, 34);
/// Room at both ends of the picture.
const MARGIN: i32 = 2;
/// Length of a line, of one with the break mark, and of one with how many versions are left out.
const GAP: (i32, i32, i32) = (34, 52, 78);
/// Width of a character of a label and padding beside it, as in the boxes of the drawing, and the most characters:
/// those of a range of versions.
const CHARACTER: i32 = 7;
const PADDING: i32 = 18;
const LONGEST: usize = 18;

/// The shapes from left to right, and the part of the drawing that they take.
#[must_use]
pub fn shapes(steps: &[ChainStep]) -> (Frame, Vec<Shape>) {
    let middle = HEIGHT.1 / 2;
    let (mut x, mut shapes) = (MARGIN, Vec::new());
    for (at, step) in steps.iter().enumerate() {
        if at > 0 {
            let to = match step.line {
                ChainLine::Update if step.more == 0 => x + GAP.0,
                ChainLine::Update => x + GAP.2,
                ChainLine::Ignored | ChainLine::Missing => x + GAP.1,
            };
            shapes.extend(line(step, Point { x, y: middle }, Point { x: to, y: middle }));
            x = to;
        }
        let width = PADDING + CHARACTER * step.label.chars().count().min(LONGEST) as i32;
        shapes.push(entry(step, x, width));
        x += width;
    }
    (Frame { left: 0, top: 0, width: x + MARGIN, height: HEIGHT.1 }, shapes)
}

/// A version as a box.
fn entry(step: &ChainStep, x: i32, width: i32) -> Shape {
    let top = (HEIGHT.1 - HEIGHT.0) / 2;
    let text = node::fitted(&step.label, width);
    let class = step.marks.iter().fold("entry".to_owned(), |class, mark| format!("{class} {}", node::class(*mark)));
    let shapes = vec![
        Shape::Rect { class: "box", x, y: top, width, height: HEIGHT.0, radius: 7 },
        Shape::Text { class: "label", x: x + width / 2, y: HEIGHT.1 / 2 + 4, text },
    ];
    Shape::Group { class, title: None, shapes }
}

/// The line to a version: an arrow, broken where OLM ignores it or where nothing leads on.
fn line(step: &ChainStep, from: Point, to: Point) -> Vec<Shape> {
    let (ignored, middle) = (step.line != ChainLine::Update, (from.x + to.x) / 2);
    let mut shapes = edge::shapes(&edge::straight(from, to, ignored), "");
    if step.line == ChainLine::Missing {
        // Nothing leads there.
        shapes.retain(|shape| !matches!(shape, Shape::Path { class, .. } if class.starts_with("tip")));
    }
    if !ignored && step.more > 0 {
        let text = Shape::Text { class: "word", x: middle - 3, y: from.y + 4, text: format!("… {} …", step.more) };
        shapes.push(Shape::Group { class: "entry".to_owned(), title: None, shapes: vec![text] });
    }
    shapes
}

#[cfg(test)]
mod tests {
    use super::*;
    use views::Mark;

    fn step(label: &str, marks: &[Mark], line: ChainLine, more: u32) -> ChainStep {
        ChainStep { label: label.to_owned(), marks: marks.to_vec(), line, more }
    }

    fn drawn(steps: Vec<ChainStep>) -> (Frame, String) {
        let (frame, shapes) = shapes(&steps);
        let mut svg = String::new();
        shapes.iter().for_each(|shape| shape.write(&mut svg));
        (frame, svg)
    }

    #[test]
    fn a_way_that_breaks_off_has_the_break_mark_and_the_classes_of_the_drawing() {
        let (_, svg) = drawn(vec![
            step("0.2.1", &[Mark::Stranded], ChainLine::Update, 0),
            step("0.2.3", &[Mark::Skipped], ChainLine::Ignored, 0),
            step("0.3.0", &[Mark::Head], ChainLine::Update, 0),
        ]);
        for class in ["entry stranded", "entry skipped", "entry head", "edge replaces ignored", "break"] {
            assert_eq!(svg.matches(&format!("class=\"{class}\"")).count(), 1, "{class}: {svg}");
        }
    }

    #[test]
    fn versions_that_are_left_out_are_counted_on_the_line() {
        let (frame, svg) =
            drawn(vec![step("1.0.0", &[], ChainLine::Update, 0), step("6.0.0", &[Mark::Head], ChainLine::Update, 4)]);
        assert!(svg.contains(">… 4 …<") && !svg.contains("break"), "{svg}");
        let long = "1.2.5274-c1e2d3f4a5b6";
        let (longer, svg) = drawn(vec![step(long, &[], ChainLine::Update, 0)]);
        assert!(longer.width < frame.width && !svg.contains(long), "{svg}");
    }
}
