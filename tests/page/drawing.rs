//! No text of a drawing meets another text, a line, a bar or a box that it does not stand in. With `OPSCOPE_CATALOGS`, the
//! path of a folder of packages, these are measured, too.

use std::{env, fs};

use kurbo::{BezPath, PathEl, Point, Rect, flatten};
use opscope_drawing::shape::{Frame, Shape};
use opscope_drawing::simulation_marks::SimulationMarks;
use opscope_drawing::{VisibleArea, lane, lines, node};
use views::{AxisDirection, GraphLayout, GraphOptions, GraphView};

/// A text with its class and place.
struct Text {
    class: &'static str,
    text: String,
    place: Rect,
}

/// What texts must not meet: shapes by class.
#[derive(Default)]
struct Measured {
    texts: Vec<Text>,
    rects: Vec<(String, Rect)>,
    paths: Vec<(String, Vec<Point>)>,
}

/// The width of a character of a text and where it is anchored: its start, or its middle.
fn font(class: &str, group: &str) -> (f64, bool) {
    match class {
        "bracket" => (6.7, false),
        "label" | "label named" | "word" | "patch" => (7.2, false),
        "name" => (7.4, true),
        "count" | "reason" | "ways" => (5.6, true),
        "ways lead" | "ways none" => (6.2, true),
        "tick" => (6.6, true),
        "" if group.starts_with("chip") => (6.7, false),
        _ => (7.2, true),
    }
}

impl Measured {
    fn add(&mut self, shape: &Shape, group: &str) {
        match shape {
            Shape::Group { class, shapes, .. } => shapes.iter().for_each(|shape| self.add(shape, class)),
            Shape::Rect { class, x, y, width, height, .. } => {
                let (x, y) = (f64::from(*x), f64::from(*y));
                let place = Rect::new(x, y, x + f64::from(*width), y + f64::from(*height));
                // What has no colour, and what is behind all.
                let is_drawn = !matches!(*class, "ring" | "card" | "plate" | "selected-column" | "hatched");
                self.rects.extend(is_drawn.then(|| (format!("{group} {class}"), place)));
            }
            Shape::Path { class, d } => {
                let is_bracket = class == "bracket" || class == "rule";
                let path = BezPath::from_svg(d).expect("a path");
                self.paths.extend((!is_bracket).then(|| (class.clone(), points(&path))));
            }
            Shape::Text { class, x, y, text } => {
                let (character, is_start) = font(class, group);
                let width = character * text.chars().count() as f64;
                let left = f64::from(*x) - if is_start { 0.0 } else { width / 2.0 };
                let place = Rect::new(left, f64::from(*y) - 8.0, left + width, f64::from(*y) + 1.0);
                // The versions of dots are shown on demand.
                let is_shown = !(*class == "label" && group.contains("station"));
                self.texts.extend(is_shown.then(|| Text { class, text: text.clone(), place }));
            }
            Shape::Turned { .. } | Shape::Window { .. } => panic!("only parts of files have these"),
        }
    }

    /// On a narrow screen the names of channels are above the entries.
    fn of(graph: &GraphView, is_narrow: bool) -> Self {
        let (marks, lanes) = (SimulationMarks::new(), graph.lanes.len() as u32);
        let tiles = graph.width / opscope_drawing::NEAR + 1;
        let all = VisibleArea { across: (0, tiles), lanes: (0, lanes), far: false, tiny: false, spacing: 0 };
        let frame = Frame { left: 0, top: 0, width: graph.width, height: graph.height };
        let mut measured = Self::default();
        let mut add = |shapes: Vec<Shape>, group: &str| shapes.iter().for_each(|shape| measured.add(shape, group));
        add(lane::cards(graph, None, &all), "");
        add(lines(graph, &marks, &frame), "");
        for view in &graph.nodes {
            add(node::shapes(view, graph.direction, None, None), &node::classes(view, None));
        }
        for view in &graph.lanes {
            let words = lane::words(graph, view);
            if is_narrow {
                let text = view.channel.clone();
                add(vec![Shape::Text { class: "name", x: graph.gutter + 10, y: view.y + 12, text }], "slim");
            } else {
                add(words.name, "lane-name");
                add(words.below, "lane-name");
            }
        }
        let axis = |class, x, text| Shape::Text { class, x, y: lane::BASELINE, text };
        add(lane::labels(graph, &all).into_iter().map(|(x, text)| axis("", x, text)).collect(), "axis");
        add(lane::ticks(graph).into_iter().map(|(class, x, text)| axis(class, x, text)).collect(), "axis");
        measured
    }

    /// What each text meets.
    fn collisions(&self, graph: &GraphView) -> Vec<String> {
        let view = Rect::new(0.0, 0.0, f64::from(graph.width), f64::from(graph.height));
        let mut found = Vec::new();
        for (at, Text { class, text, place }) in self.texts.iter().enumerate() {
            let mut meets = |what: String| found.push(format!("`{text}` ({class}) meets {what}"));
            for other in &self.texts[at + 1..] {
                if place.overlaps(other.place) {
                    meets(format!("`{}` ({})", other.text, other.class));
                }
            }
            for (of, rect) in &self.rects {
                if place.overlaps(*rect) && !rect.inflate(1.0, 1.0).contains_rect(*place) {
                    meets(of.clone());
                }
            }
            for (of, points) in &self.paths {
                if points.iter().any(|point| place.contains(*point)) {
                    meets(of.clone());
                }
            }
            if !view.contains_rect(*place) {
                meets("the edge of the drawing".to_owned());
            }
        }
        found
    }
}

/// Points along a path, two units apart.
fn points(path: &BezPath) -> Vec<Point> {
    let (mut points, mut last, mut start) = (Vec::new(), Point::ZERO, Point::ZERO);
    let mut line = |from: Point, to: Point| {
        let steps = (from.distance(to) / 2.0).ceil().max(1.0) as u32;
        points.extend((0..=steps).map(|at| from.lerp(to, f64::from(at) / f64::from(steps))));
    };
    flatten(path, 0.5, |element| match element {
        PathEl::MoveTo(to) => (last, start) = (to, to),
        PathEl::LineTo(to) => {
            line(last, to);
            last = to;
        }
        PathEl::ClosePath => line(last, start),
        PathEl::QuadTo(..) | PathEl::CurveTo(..) => unreachable!("a flat path has none"),
    });
    points
}

/// What meets in the drawings of a package in a layout, or in the best one, on a page and on a narrow screen.
fn drawn(name: &str, text: &str, layout: Option<GraphLayout>) -> Vec<String> {
    let mut found = Vec::new();
    for direction in [AxisDirection::Right, AxisDirection::Up] {
        let options = GraphOptions { layout, direction, ..GraphOptions::default() };
        let Ok(graph) = answers::drawing(name, text.as_bytes().to_vec(), None, &options) else { continue };
        // Where the axis leads up, texts are turned.
        if graph.direction == AxisDirection::Right {
            let is_narrow = direction == AxisDirection::Up;
            let collisions = Measured::of(&graph, is_narrow).collisions(&graph);
            found.extend(collisions.into_iter().map(|found| format!("{name}, {direction:?}: {found}")));
        }
    }
    found
}

/// A package with channels of chains, some of whose entries skip others and have ranges; the parameters are counts.
fn generated(channels: u32, entries: u32, skips: u32) -> String {
    let channel = |at: u32| {
        let entry = |minor: u32| {
            let replaces = minor.checked_sub(1).map(|before| format!("replaces 1.{before}.{at}"));
            let skipped = (skips > 0 && minor % (skips + 1) == skips).then(|| format!("skips 1.{}.{at}", minor - 1));
            let range = (skips > 1 && minor + 1 == entries).then(|| format!("skipRange >=1.0.0 <1.{minor}.0"));
            let clauses: Vec<String> = [replaces, skipped, range].into_iter().flatten().collect();
            let clauses = if clauses.is_empty() { String::new() } else { format!(" ({})", clauses.join("; ")) };
            format!("1.{minor}.{at}{clauses}")
        };
        let entries: Vec<String> = (0..entries).map(entry).collect();
        format!("channel-{at}: {}\n", entries.join(", "))
    };
    fixture::yaml(&(0..channels).map(channel).collect::<String>())
}

#[test]
fn no_text_meets_anything() {
    let mut found = Vec::new();
    for example in session::gallery::gallery() {
        for catalog in &example.catalogs {
            found.extend(drawn(example.slug, catalog.text, None));
        }
    }
    for (channels, entries) in [(1, 1), (1, 9), (1, 30), (1, 200), (2, 4), (3, 12), (9, 9), (4, 60), (12, 25)] {
        for skips in 0..4 {
            let text = generated(channels, entries, skips);
            for layout in [None, Some(GraphLayout::Boxes), Some(GraphLayout::Dots), Some(GraphLayout::Grid)] {
                let name = format!("{channels} of {entries}, {skips} skips, {layout:?}");
                found.extend(drawn(&name, &text, layout));
            }
        }
    }
    for package in env::var_os("OPSCOPE_CATALOGS").into_iter().flat_map(|path| fs::read_dir(path).expect("a folder")) {
        for file in fs::read_dir(package.expect("a folder").path()).into_iter().flatten() {
            let path = file.expect("a file").path();
            let text = fs::read_to_string(&path).unwrap_or_default();
            found.extend(drawn(&path.display().to_string(), &text, None));
        }
    }
    assert!(found.is_empty(), "{} collisions:\n{}", found.len(), found[..found.len().min(60)].join("\n"));
}
