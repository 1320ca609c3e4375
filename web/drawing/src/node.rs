//! An entry as a box or, where versions are close together, as a station: a dot on a line. Every mark has a sign other
//! than its colour: a word, a dash, a hatch or a badge.

use crate::shape::{Shape, shortened};
use crate::simulation_marks::SimulationMark;
use views::{AxisDirection, EntryForm, Mark, NodeView};

/// Width of a character of a label, as in the layout.
const CHARACTER: i32 = 7;
/// Padding left and right of a label, together.
const PADDING: i32 = 14;
/// Width of a character of a word above the box.
const WORD: i32 = 7;
/// Words may be this much wider than the box before they meet those of the next column.
const BESIDE: i32 = 16;
/// From the top of the box to the lowest line of words: above the ring of a selected entry.
const RAISED: i32 = 6;
/// Height of a line of words.
const LINE: i32 = 11;
/// The bar behind a head without a way on: its size, and how far behind.
const BAR: (i32, i32, i32) = (3, 18, 5);

/// The classes of an entry in the style sheet.
pub fn classes(node: &NodeView, mark: Option<&SimulationMark>) -> String {
    let mut classes = "entry".to_owned();
    let simulated =
        [(mark.is_some_and(|mark| mark.installed), "installed"), (mark.is_some_and(|s| s.chosen), "chosen")];
    let form = (node.form != EntryForm::Box, "station");
    let simulated = simulated.into_iter().chain([form]).filter(|(holds, _)| *holds).map(|(_, class)| class);
    for class in node.marks.iter().map(|mark| class(*mark)).chain(simulated) {
        classes.push(' ');
        classes.push_str(class);
    }
    classes
}

/// The box or dot with its label, the words for its marks above, and badges at its corners; a second ring if a change
/// harms it. If the axis leads up, texts are turned and the words are beside the box.
pub fn shapes(
    node: &NodeView,
    direction: AxisDirection,
    mark: Option<&SimulationMark>,
    word: Option<&str>,
) -> Vec<Shape> {
    let is_up = direction == AxisDirection::Up;
    let has = |mark| node.marks.contains(&mark);
    let is_station = node.form != EntryForm::Box;
    // The dot of a head fills its place.
    let inset = if is_station && !has(Mark::Head) { 1 } else { 0 };
    let (left, top) = (node.at.x - node.width / 2, node.at.y - node.height / 2);
    let rect = |class: &'static str, out: i32, radius: i32| Shape::Rect {
        class,
        x: left - out,
        y: top - out,
        width: node.width + 2 * out,
        height: node.height + 2 * out,
        radius,
    };
    let mut shapes = vec![rect("ring", 4, if is_station { 11 } else { 10 }), rect("box", -inset, 6)];
    if has(Mark::NoWayOn) {
        let (width, height, behind) = BAR;
        let (x, y) = (left + node.width + behind, node.at.y - height / 2);
        shapes.push(Shape::Rect { class: "no-way", x, y, width, height, radius: 1 });
    }
    if has(Mark::Switch) {
        let (y, radius) = if is_station { (node.at.y, node.width / 2 + 1) } else { (top, 4) };
        let d = format!(
            "M{} {y}a{radius} {radius} 0 1 0 {} 0a{radius} {radius} 0 1 0 -{} 0z",
            node.at.x - radius,
            2 * radius,
            2 * radius
        );
        shapes.push(Shape::path("switch-ring", d));
    }
    // A stuck one is red already.
    if has(Mark::Harmed) && !has(Mark::Stranded) {
        shapes.push(rect("harm", 7, if is_station { 14 } else { 12 }));
    } else if has(Mark::AtRisk) {
        shapes.push(rect("harm risk", 7, if is_station { 14 } else { 12 }));
    }
    if has(Mark::Pruned) {
        shapes.push(rect("hatched", -inset, 7));
    }
    let is_named = node.form == EntryForm::NamedStation || mark.is_some();
    shapes.push(match is_station {
        false if is_up => label("label", node, node.at.y, fitted(&node.label, node.height)),
        false => label("label", node, node.at.y + 4, fitted(&node.label, node.width)),
        true if is_named => label("label named", node, top - RAISED, node.label.clone()),
        true => label("label", node, top - RAISED, node.label.clone()),
    });
    shapes.extend(badges(node).map(|(mark, x, y)| badge(mark, x, y)));
    let mark = mark.into_iter().flat_map(|mark| mark.text.split(" · "));
    let words = mark.chain(word);
    if is_up {
        // Beside a station its label is on demand, and takes their place.
        let named = (is_station && is_named).then_some(&*node.label);
        let text = words.chain(named).collect::<Vec<_>>().join(" · ");
        if is_station && !text.is_empty() {
            shapes.retain(|shape| shape.text().is_none());
        }
        shapes.extend((!text.is_empty()).then(|| label("word", node, top - RAISED, text)));
        return shapes;
    }
    let lines = lines(words, node.width);
    let lines = lines.into_iter().rev().zip(i32::from(is_station && is_named)..);
    let line =
        |(text, at): (String, i32)| Shape::Text { class: "word", x: node.at.x, y: top - RAISED - LINE * at, text };
    shapes.extend(lines.map(line));
    shapes
}

fn label(class: &'static str, node: &NodeView, y: i32, text: String) -> Shape {
    Shape::Text { class, x: node.at.x, y, text }
}

/// Joins words to lines from top to bottom that are no wider than the room between the neighbouring columns.
fn lines<'a>(words: impl Iterator<Item = &'a str>, width: i32) -> Vec<String> {
    let room = usize::try_from((width + BESIDE) / WORD).unwrap_or(0);
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut().filter(|line| line.chars().count() + 3 + word.chars().count() <= room) {
            Some(line) => *line = format!("{line} · {word}"),
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The badges of a node with their places: of a box from its right corner to the left, of a station below it.
fn badges(node: &NodeView) -> impl Iterator<Item = (Mark, i32, i32)> {
    let loud = [
        Mark::Stranded,
        Mark::Pruned,
        Mark::Deprecated,
        Mark::NoBundle,
        Mark::UnknownBundle,
        Mark::BadRange,
        Mark::Added,
        Mark::Removed,
        Mark::RuntimesDiffer,
    ];
    // Those in the first row have a bracket.
    let is_said = |mark: &Mark| *mark == Mark::Stranded && node.row == 0;
    let marks = loud.into_iter().filter(move |mark| node.marks.contains(mark) && !is_said(mark));
    let half = node.height / 2;
    marks.zip(0..).map(move |(mark, place)| match node.form {
        EntryForm::Box => (mark, node.at.x + node.width / 2 - 4 - 18 * place, node.at.y - half),
        EntryForm::Station | EntryForm::NamedStation => (mark, node.at.x, node.at.y + half + 9 + 16 * place),
    })
}

/// A badge around a point: a circle with a cross, a circle with a bar, a triangle with an exclamation mark, a torn
/// band, or a circle with a question mark.
pub fn badge(mark: Mark, x: i32, y: i32) -> Shape {
    let round = || format!("M{} {y}a7 7 0 1 0 14 0a7 7 0 1 0 -14 0z", x - 7);
    let (class, outline, sign) = match mark {
        Mark::Stranded => ("badge stranded", round(), format!("M{} {}l6 6m0 -6l-6 6", x - 3, y - 3)),
        Mark::Pruned => ("badge pruned", round(), format!("M{} {y}h7", x - 3)),
        Mark::Deprecated => {
            ("badge deprecated", format!("M{x} {}l7 12h-14z", y - 8), format!("M{x} {}v4m0 2v1", y - 3))
        }
        Mark::BadRange => {
            let (top, left) = (y - 5, x - 8);
            ("badge bad-range", format!("M{left} {top}h16v10h-16z"), format!("M{} {top}l-3 5h6l-3 5", x + 1))
        }
        Mark::Added => ("badge added", round(), format!("M{} {y}h7m-3.5 -3.5v7", x - 3)),
        Mark::Removed => ("badge removed", round(), format!("M{} {y}h7", x - 3)),
        Mark::UnknownBundle => ("badge unknown-bundle", round(), question(x, y)),
        Mark::RuntimesDiffer => {
            ("badge runtimes-differ", round(), format!("M{} {}h7m-7 4h7m-1 -7l-5 10", x - 3, y - 2))
        }
        Mark::NoBundle
        | Mark::Switch
        | Mark::NoWayOn
        | Mark::Head
        | Mark::Skipped
        | Mark::Ghost
        | Mark::NotStartable
        | Mark::Harmed
        | Mark::AtRisk => ("badge no-bundle", round(), question(x, y)),
    };
    let shapes = vec![Shape::path("plate", outline), Shape::path("sign", sign)];
    Shape::Group { class: class.to_owned(), title: None, shapes }
}

/// A question mark around a point.
fn question(x: i32, y: i32) -> String {
    format!("M{} {}q0 -2 2 -2t2 2q0 1 -2 2v1m0 2v1", x - 2, y - 1)
}

/// A label cut to the width of its box.
pub fn fitted(label: &str, width: i32) -> String {
    shortened(label, usize::try_from((width - PADDING) / CHARACTER).unwrap_or(0).max(5))
}

/// The class of a mark in the style sheet.
pub const fn class(mark: Mark) -> &'static str {
    match mark {
        Mark::Head => "head",
        Mark::Skipped => "skipped",
        Mark::Pruned => "pruned",
        Mark::Ghost => "ghost",
        Mark::NotStartable => "not-startable",
        Mark::Stranded => "stranded",
        Mark::Switch => "switch",
        Mark::NoWayOn => "no-way-on",
        Mark::Deprecated => "deprecated",
        Mark::NoBundle => "no-bundle",
        Mark::UnknownBundle => "unknown-bundle",
        Mark::BadRange => "bad-range",
        Mark::Added => "added",
        Mark::Removed => "removed",
        Mark::Harmed => "harmed",
        Mark::AtRisk => "at-risk",
        Mark::RuntimesDiffer => "runtimes-differ",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_label_loses_its_middle() {
        assert_eq!(fitted("1.2.3", 49), "1.2.3");
        assert_eq!(fitted("1.2.3-alpha.7+build.20240102", 14 + 7 * 11), "1.2.3…40102");
    }

    #[test]
    fn words_do_not_reach_into_the_next_column() {
        let lines = |words: &[&'static str], width| lines(words.iter().copied(), width);
        assert_eq!(lines(&["from 1.0", "hop 2", "+2"], 60), ["from 1.0", "hop 2 · +2"]);
        assert_eq!(lines(&["hop 2", "+2"], 60), ["hop 2 · +2"]);
        assert_eq!(lines(&["from 1.0", "installed", "hop 12"], 120), ["from 1.0", "installed · hop 12"]);
    }

    #[test]
    fn a_station_has_its_version_above_it() {
        let station = |form, marks: &[Mark]| {
            let node =
                NodeView { form, marks: marks.to_vec(), width: 14, height: 14, ..crate::testing::node(0, 100, 50) };
            let texts =
                shapes(&node, AxisDirection::Right, None, Some("+1")).into_iter().filter_map(|shape| match shape {
                    Shape::Text { class, y, text, .. } => Some((class, y, text)),
                    _ => None,
                });
            texts.collect::<Vec<_>>()
        };
        let text = |class, y, text: &str| (class, y, text.to_owned());
        assert_eq!(station(EntryForm::Station, &[]), [text("label", 37, "1.0.0"), text("word", 37, "+1")]);
        let head = [text("label named", 37, "1.0.0"), text("word", 26, "+1")];
        assert_eq!(station(EntryForm::NamedStation, &[Mark::Head]), head);
    }

    #[test]
    fn words_are_beside_an_entry_if_the_axis_leads_up() {
        let mut node = NodeView { width: 28, height: 60, ..crate::testing::node(0, 100, 50) };
        node.marks = vec![Mark::Head];
        let shapes = shapes(&node, AxisDirection::Up, None, Some("path"));
        let texts: Vec<&str> = shapes.iter().filter_map(Shape::text).collect();
        assert_eq!(texts, ["1.0.0", "path"]);
    }

    #[test]
    fn marks_and_the_simulation_are_classes_and_words() {
        let mut node = crate::testing::node(0, 100, 50);
        node.marks = vec![Mark::Head, Mark::Deprecated];
        let mark = SimulationMark { installed: true, chosen: false, hop: 0, text: "installed".to_owned() };
        assert_eq!(classes(&node, Some(&mark)), "entry head deprecated installed");
        let texts = |node: &NodeView| -> Vec<String> {
            let text = |shape| match shape {
                Shape::Text { text, .. } => Some(text),
                Shape::Rect { .. }
                | Shape::Path { .. }
                | Shape::Group { .. }
                | Shape::Turned { .. }
                | Shape::Window { .. } => None,
            };
            shapes(node, AxisDirection::Right, Some(&mark), Some("path")).into_iter().filter_map(text).collect()
        };
        assert_eq!(texts(&node), ["1.0.0", "path", "installed"]);
    }
}
