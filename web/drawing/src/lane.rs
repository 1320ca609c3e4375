//! Lanes: the cards of the channels, their names, and the axis of versions.

use crate::node;
use crate::shape::Shape;
use crate::visible_area::VisibleArea;
use views::{GraphView, LaneView};

/// A card extends this far below the plate with the channel's name, which hides its rounded corners.
pub const UNDER: i32 = 40;
/// Maximum width of an axis label, drawing units. Wider columns leave room to zoom out.
const LABEL: i32 = 130;
/// Left of the name and its chips.
const BESIDE: i32 = 16;
/// Height of the name's letters.
const ASCENT: i32 = 11;
/// Distance between the tops of two chips.
const CHIP: i32 = 18;

/// Height of the axis above the first lane.
pub fn axis_height(graph: &GraphView) -> i32 {
    graph.lanes.first().map_or(0, |lane| lane.y)
}

/// The cards behind the entries, and the dotted line of each version.
pub fn cards(graph: &GraphView, shown: &VisibleArea) -> Vec<Shape> {
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
    if let (Some(first), Some(last), false) = (lanes.first(), lanes.last(), shown.far) {
        let columns = graph.columns.iter().filter(|column| shown.stretch().contains(&column.x));
        // One path for each line: browsers compute the dashes of a straight line only where it is visible, those of
        // other paths everywhere.
        let line = |x: i32| Shape::path("column", format!("M{x} {}V{}", first.y, last.y + last.height));
        shapes.extend(columns.map(|column| line(column.x)));
    }
    shapes
}

/// The labels that have room: every version or, zoomed out, the first of each minor version.
pub fn labels(graph: &GraphView, shown: &VisibleArea) -> Vec<(i32, String)> {
    let stretch = shown.stretch();
    let mut labels = Vec::new();
    let (mut minor, mut free) = (None, i32::MIN);
    for column in &graph.columns {
        let this = column.label.splitn(3, '.').take(2).collect::<Vec<_>>();
        let starts = minor.as_ref() != Some(&this);
        let text = if shown.far { this.join(".") } else { node::fitted(&column.label, LABEL) };
        minor = Some(this);
        if column.x >= free && (starts || !shown.far) {
            free = column.x.saturating_add(shown.spacing);
            if stretch.contains(&column.x) {
                labels.push((column.x, text));
            }
        }
    }
    labels
}

fn chips(lane: &LaneView) -> Vec<(&str, &'static str)> {
    let default = lane.default.then_some(("default", "chip"));
    let problem = lane.problem.as_deref().map(|text| (text, "chip error"));
    let deprecated = lane.deprecated.as_ref().map(|_| ("deprecated", "chip warning"));
    [default, problem, deprecated].into_iter().flatten().collect()
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

/// The channel's name, and its chips or the number of entries below it. On the page their size does not depend on the
/// zoom.
pub struct Words {
    pub name: Shape,
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
    let height = if rows == 0 { ASCENT + 17 } else { ASCENT + 3 + CHIP * rows };
    // Zoomed out a little, all of it is still inside of the lane.
    let half = (height / 2 + 2) * 3 / 2;
    let (highest, lowest) = (lane.y + half, lane.y + lane.height - half);
    let middle = if highest < lowest { lane.spine.clamp(highest, lowest) } else { lane.y + lane.height / 2 };
    let baseline = middle - height / 2 + ASCENT;
    let name = Shape::Text { class: "name", x: BESIDE, y: baseline, text: shortened(&lane.channel, graph.gutter) };
    let below = match chips.as_slice() {
        [] => vec![Shape::Text { class: "count", x: BESIDE, y: baseline + 14, text: entries(lane) }],
        chips => chips.iter().map(|chip| chip_shape(chip, baseline + 5 + CHIP * chip.row)).collect(),
    };
    Words { name, below, middle, alone: height / 2 - ASCENT + 4 }
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
    use views::ColumnView;

    #[test]
    fn the_words_of_a_lane_are_inside_of_it() {
        let mut graph = crate::testing::graph(&[(0, 100)]);
        graph.gutter = 120;
        for (problem, spine) in [(None, 48), (Some("2 heads"), 48), (Some("2 heads"), 22), (None, 22)] {
            let problem = problem.map(str::to_owned);
            let lane =
                LaneView { y: 10, height: 64, spine: 10 + spine, problem, default: true, ..crate::testing::lane(0) };
            let words = words(&graph, &lane);
            let Shape::Text { y: top, .. } = words.name else { panic!("the name is a text") };
            let chips = placed_chips(&lane, graph.gutter).len() as i32;
            assert!(top - ASCENT >= 10 && top + 3 + CHIP * chips <= 74, "{top} {chips}");
            assert!((top - 4 + words.alone - words.middle).abs() <= 1, "by itself the name is in the middle");
        }
    }

    #[test]
    fn zoomed_out_the_axis_names_minor_versions() {
        let mut graph = crate::testing::graph(&[]);
        let versions = ["1.0.0", "1.0.1", "1.1.0", "1.1.1", "1.2.0"];
        graph.columns = versions
            .iter()
            .zip(0..)
            .map(|(label, at)| ColumnView { x: 100 * at, label: (*label).to_owned() })
            .collect();
        let labels = |far, spacing| {
            let shown = VisibleArea { far, spacing, ..VisibleArea::START };
            labels(&graph, &shown).into_iter().map(|(_, text)| text).collect::<Vec<_>>()
        };
        assert_eq!(labels(false, 0), versions);
        assert_eq!(labels(true, 150), ["1.0", "1.1", "1.2"]);
        assert_eq!(labels(true, 300), ["1.0", "1.2"]);
    }
}
