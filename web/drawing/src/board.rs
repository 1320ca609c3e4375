//! The board of a namespace: a lane for each operator, a column for the cluster as it stands and for each InstallPlan.

use crate::shape::{Frame, Shape, shortened};
use crate::{edge, node};
use views::{BoardColumn, BoardLane, BoardLink, BoardMark, BoardView, MarkKind, PlanColumn, Point};

/// How much room there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// The names of the operators are beside their lanes.
    Wide,
    /// They are above.
    Narrow,
}

/// Width of a character of a label and padding beside it, and the most characters, as in the boxes of the drawing.
const CHARACTER: i32 = 7;
const PADDING: i32 = 18;
const LONGEST: usize = 18;
/// Height of a box, and of the second row of a lane, which has what a fix makes possible.
const BOX: i32 = 28;
const ROW: i32 = 44;
/// The baseline of the titles, the track below, and where the lanes begin.
const AXIS: (i32, i32, i32) = (14, 34, 58);
/// Height of a line of text below a box.
const LINE: i32 = 15;
/// The most lanes that are drawn.
const LANES: usize = 60;
/// The most requirements that are written below a box.
const LABELS: usize = 4;
/// The most characters of a requirement and of a name.
const WORDS: usize = 26;

struct Measures {
    /// Width of the names beside the lanes.
    names: i32,
    /// Height of the name above a lane.
    above: i32,
    /// Width of a column.
    pitch: i32,
    /// The most plans that have a column.
    plans: usize,
}

impl Room {
    fn measures(self, widest: i32) -> Measures {
        match self {
            Self::Wide => Measures { names: 216, above: 0, pitch: (widest + 62).clamp(112, 190), plans: 6 },
            Self::Narrow => Measures { names: 0, above: 34, pitch: (widest + 18).clamp(84, 150), plans: 2 },
        }
    }
}

/// The board as it is drawn.
pub struct Drawn {
    /// The part of the drawing that the shapes take.
    pub frame: Frame,
    pub shapes: Vec<Shape>,
    /// What can be pressed, in the order of reading.
    pub spots: Vec<Spot>,
}

/// A part of the board that can be pressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spot {
    pub frame: Frame,
    pub of: SpotOf,
}

/// What a part of the board stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpotOf {
    /// A column of the board, by its number: the cluster as it stands, or a plan.
    Column(u32),
    /// A lane, by its index.
    Lane(usize),
    /// A version, by the index of its lane and its own in that.
    Mark(usize, usize),
}

/// The board after `done` plans.
#[must_use]
pub fn drawn(view: &BoardView, done: u32, room: Room) -> Drawn {
    let lanes = view.drawn();
    let labels = lanes.iter().flat_map(|at| &view.lanes[*at].marks).map(|mark| mark.label.chars().count());
    let widest = PADDING + CHARACTER * labels.max().unwrap_or(5).min(LONGEST) as i32;
    let measures = room.measures(widest);
    let columns = view.columns(measures.plans);
    let board = Board { view, done, columns: &columns, measures: &measures };
    let (mut shapes, mut spots, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    let mut y = 0;
    if !view.is_of_package() {
        y = AXIS.2;
        spots = board.stops();
    }
    for at in lanes.into_iter().take(LANES) {
        let lane = &view.lanes[at];
        let middle = y + measures.above + BOX / 2 + if view.is_of_package() { 34 } else { 22 };
        shapes.extend(board.name(lane, y, middle));
        spots.push(board.name_spot(at, y, middle));
        shapes.extend(board.lane(lane, middle));
        spots.extend(board.mark_spots(at, lane, middle));
        rows.push((at, middle));
        y += board.height(at, lane);
        let line = format!("M0 {y}L{} {y}", board.right());
        shapes.push(Shape::path("rule", line));
    }
    let links = board.links(&rows);
    let mut all = if view.is_of_package() { Vec::new() } else { board.axis(y) };
    all.extend(links);
    all.extend(shapes);
    Drawn { frame: Frame { left: 0, top: 0, width: board.right(), height: y + 2 }, shapes: all, spots }
}

struct Board<'v> {
    view: &'v BoardView,
    done: u32,
    columns: &'v [BoardColumn],
    measures: &'v Measures,
}

impl Board<'_> {
    /// The middle of a column.
    fn x(&self, column: usize) -> i32 {
        self.measures.names + self.measures.pitch * column as i32 + self.measures.pitch / 2
    }

    fn right(&self) -> i32 {
        self.measures.names + self.measures.pitch * self.columns.len() as i32
    }

    fn is_shown(&self, column: &BoardColumn) -> bool {
        (column.of.0..=column.of.1).contains(&self.done)
    }

    /// The column that is shown, the titles, and the track with a stop for each plan.
    fn axis(&self, bottom: i32) -> Vec<Shape> {
        let mut shapes = Vec::new();
        if let Some(at) = self.columns.iter().position(|column| self.is_shown(column)) {
            let (x, width) = (self.x(at) - self.measures.pitch / 2 + 4, self.measures.pitch - 8);
            shapes.push(Shape::Rect { class: "shown", x, y: 0, width, height: bottom, radius: 8 });
        }
        let last = self.columns.iter().rposition(|column| column.of.0 <= self.view.plans.len() as u32).unwrap_or(0);
        let track = |from: usize, to: usize| format!("M{} {}L{} {}", self.x(from), AXIS.1, self.x(to), AXIS.1);
        shapes.push(Shape::path("track", track(0, last)));
        for (at, column) in self.columns.iter().enumerate() {
            let class = match column.plan {
                Some(PlanColumn::Version) => continue,
                _ if column.of.0 > self.view.plans.len() as u32 => "time behind",
                Some(PlanColumn::Fails | PlanColumn::Refused) => "time fails",
                // Once it is approved, it waits no more.
                Some(PlanColumn::Manual) if column.of.1 > self.done => "time waits",
                Some(PlanColumn::Automatic | PlanColumn::Manual | PlanColumn::Update) | None => "time",
            };
            let class = if self.is_shown(column) { format!("{class} now") } else { class.to_owned() };
            let mut parts = vec![Shape::Text { class: "time", x: self.x(at), y: AXIS.0, text: column.title.clone() }];
            if at <= last {
                let stop =
                    Shape::Rect { class: "stop", x: self.x(at) - 6, y: AXIS.1 - 6, width: 12, height: 12, radius: 6 };
                parts.push(stop);
            }
            shapes.push(Shape::Group { class, title: None, shapes: parts });
        }
        shapes
    }

    fn height(&self, at: usize, lane: &BoardLane) -> i32 {
        let second = if self.columns.iter().any(|column| column.with_fix(lane).is_some()) { ROW } else { 0 };
        let labels = self.unmet(at).count().min(LABELS) as i32 * LINE;
        let notes = if lane.marks.iter().any(|mark| !mark.note.is_empty()) { LINE } else { 0 };
        let elbow = if self.view.is_of_package() { 12 } else { 0 };
        self.measures.above + 36 + BOX + elbow + second + labels.max(notes)
    }

    /// Where the name of a lane begins, and its baseline.
    fn name_at(&self, top: i32, middle: i32) -> Point {
        if self.measures.above > 0 { Point { x: 4, y: top + 18 } } else { Point { x: 4, y: middle - 2 } }
    }

    /// The name of the operator, with its channel and catalog.
    fn name(&self, lane: &BoardLane, top: i32, middle: i32) -> Vec<Shape> {
        let Point { x, y } = self.name_at(top, middle);
        let what = match &lane.added_for {
            Some(csv) => format!("added by OLM for {csv}"),
            None if !lane.note.is_empty() => lane.note.clone(),
            None => {
                let parts = [&lane.channel, &lane.catalog].into_iter().filter(|part| !part.is_empty());
                parts.cloned().collect::<Vec<_>>().join(" · ")
            }
        };
        let most = if self.measures.above > 0 { WORDS * 2 } else { WORDS };
        let text = |class, y, text: &str| Shape::Text { class, x, y, text: shortened(text, most) };
        vec![text("operator", y, lane.title()), text("where", y + 15, &what)]
    }

    fn name_spot(&self, lane: usize, top: i32, middle: i32) -> Spot {
        let Point { y, .. } = self.name_at(top, middle);
        let width = if self.measures.names > 0 { self.measures.names - 12 } else { self.right() };
        // The ring around it is as wide as its line.
        Spot { frame: Frame { left: 2, top: y - 16, width: width - 2, height: 36 }, of: SpotOf::Lane(lane) }
    }

    /// The stops of the axis. Several plans in one column have none.
    fn stops(&self) -> Vec<Spot> {
        let is_stop = |column: &BoardColumn| column.of.0 == column.of.1 && column.of.0 <= self.view.plans.len() as u32;
        let columns = self.columns.iter().enumerate().filter(|(_, column)| is_stop(column));
        let spot = |(at, column): (usize, &BoardColumn)| {
            let width = self.measures.pitch - 8;
            let frame = Frame { left: self.x(at) - width / 2, top: 0, width, height: AXIS.1 + 10 };
            Spot { frame, of: SpotOf::Column(column.of.0) }
        };
        columns.map(spot).collect()
    }

    fn mark_spots(&self, at: usize, lane: &BoardLane, middle: i32) -> Vec<Spot> {
        let index = |mark: &BoardMark| lane.marks.iter().position(|other| std::ptr::eq(other, mark));
        let spot = |mark: &BoardMark, x: i32, y: i32| {
            let width = width(mark);
            let frame = Frame { left: x - width / 2 - 2, top: y - BOX / 2 - 2, width: width + 4, height: BOX + 4 };
            Some(Spot { frame, of: SpotOf::Mark(at, index(mark)?) })
        };
        let of_column = |(at, column): (usize, &BoardColumn)| {
            let first = column.mark(lane).and_then(|(mark, _)| spot(mark, self.x(at), middle));
            let second = column.with_fix(lane).and_then(|mark| spot(mark, self.x(at), middle + ROW));
            first.into_iter().chain(second).collect::<Vec<Spot>>()
        };
        self.columns.iter().enumerate().flat_map(of_column).collect()
    }

    /// The versions, with the lines between them.
    fn lane(&self, lane: &BoardLane, middle: i32) -> Vec<Shape> {
        let current = lane.marks.iter().rposition(|mark| mark.column <= self.done && mark.is_reached());
        let mut shapes = Vec::new();
        let mut before: Option<Point> = None;
        let mut new = None;
        for (at, column) in self.columns.iter().enumerate() {
            let Some((mark, left_out)) = column.mark(lane) else { continue };
            let (x, half) = (self.x(at), width(mark) / 2);
            let is_current = current.is_some_and(|at| lane.marks[at].csv == mark.csv && mark.column <= self.done);
            shapes.push(entry(mark, x, middle, is_current));
            if mark.kind == MarkKind::New {
                new = Some(x);
                continue;
            }
            // Before the first version of a package nothing leads to it.
            let starts = at > 0 && new.is_none();
            let from = before.or(starts.then_some(Point { x: x - half - 30, y: middle }));
            let to = Point { x: x - half, y: middle };
            // Through versions that are not drawn no single update leads.
            let lines = from.into_iter().flat_map(|from| match left_out {
                0 if mark.is_direct => line(mark, from, to),
                _ => vec![Shape::path("folded", format!("M{} {}L{} {}", from.x, from.y, to.x, to.y))],
            });
            shapes.splice(0..0, lines);
            // What stands below a version of a package says how far it is.
            if left_out > 0 && mark.note.is_empty() {
                let text = format!("{left_out} more, then");
                shapes.push(Shape::Text { class: "caption", x, y: middle + BOX / 2 + LINE, text });
            }
            if let (Some(new), true) = (new, mark.is_head) {
                let (top, down) = (middle - BOX / 2 - 12, middle - BOX / 2);
                let d = format!("M{new} {down}L{new} {top}L{x} {top}L{x} {down}");
                let text = Shape::Text {
                    class: "caption",
                    x: (new + x) / 2,
                    y: top - 4,
                    text: "a new installation gets the head".to_owned(),
                };
                shapes.extend([Shape::path("need elbow", d), text]);
            }
            before = Some(Point { x: x + half, y: middle });
        }
        shapes.extend(self.with_change(lane, middle));
        shapes
    }

    /// What a change makes possible, in a row of its own.
    fn with_change(&self, lane: &BoardLane, middle: i32) -> Vec<Shape> {
        let mut shapes = Vec::new();
        let mut before: Option<Point> = None;
        for (at, column) in self.columns.iter().enumerate() {
            let Some(mark) = column.with_fix(lane) else { continue };
            let (x, y, half) = (self.x(at), middle + ROW, width(mark) / 2);
            match before {
                Some(from) => shapes.push(Shape::path("change", format!("M{} {y}L{} {y}", from.x, x - half))),
                None => {
                    let text = self.view.change.words().to_owned();
                    shapes.push(Shape::Text { class: "fix", x: x - half - 6, y: y + 4, text });
                }
            }
            shapes.push(entry(mark, x, y, false));
            before = Some(Point { x: x + half, y });
        }
        shapes
    }

    /// What bundles of a lane require and do not get.
    fn unmet(&self, lane: usize) -> impl Iterator<Item = &BoardLink> {
        self.view.links.iter().filter(move |link| !link.is_met && link.from.0 as usize == lane)
    }

    /// Requirements: a line to what meets them, and the words for those that are not met.
    fn links(&self, rows: &[(usize, i32)]) -> Vec<Shape> {
        let place = |(lane, csv): &(u32, String)| {
            let (_, y) = rows.iter().find(|(at, _)| *at == *lane as usize)?;
            let mark = self.view.lanes.get(*lane as usize)?.mark(csv)?;
            let at = self.columns.iter().position(|column| (column.of.0..=column.of.1).contains(&mark.column))?;
            Some(Point { x: self.x(at), y: *y })
        };
        let mut shapes = Vec::new();
        let mut labelled = Vec::new();
        for link in self.view.links.iter().filter(|link| link.is_met) {
            let ends = place(&link.from).zip(link.to.as_ref().and_then(place));
            let Some((from, to)) = ends.filter(|(from, to)| from.y != to.y) else { continue };
            let down = if to.y > from.y { BOX / 2 } else { -BOX / 2 };
            let d = match from.x == to.x {
                true => format!("M{} {}L{} {}", from.x, from.y + down, to.x, to.y - down),
                false => {
                    let turn = to.y - down * 2;
                    format!("M{} {}L{} {turn}L{} {turn}L{} {}", from.x, from.y + down, from.x, to.x, to.x, to.y - down)
                }
            };
            // Beside the line, and not in the place of what stands above a version.
            // Labels of several requirements of a bundle would lie on each other.
            let others = self.view.links.iter().filter(|other| other.is_met && other.from == link.from).count() - 1;
            let words = match others {
                0 => link.label.clone(),
                others => format!("{} and {others} more", link.label),
            };
            let x = from.x + 34;
            let room = ((self.right() - x) / CHARACTER).max(6) as usize;
            let text = Shape::Text {
                class: "need",
                x,
                y: from.y + down + if down > 0 { 13 } else { -6 },
                text: shortened(&words, WORDS.min(room)),
            };
            let is_first = !labelled.contains(&&link.from);
            labelled.push(&link.from);
            let dot = Shape::Rect { class: "dot", x: to.x - 3, y: to.y - down - 3, width: 6, height: 6, radius: 3 };
            let shapes_of = [Shape::path("need", d), dot].into_iter().chain(is_first.then_some(text)).collect();
            shapes.push(Shape::Group { class: "link met".to_owned(), title: None, shapes: shapes_of });
        }
        for (lane, _) in rows {
            for (number, link) in self.unmet(*lane).take(LABELS).enumerate() {
                let Some(from) = place(&link.from) else { continue };
                let text = match self.unmet(*lane).count().saturating_sub(LABELS) {
                    more if more > 0 && number + 1 == LABELS => format!("needs {} more", more + 1),
                    _ => format!("needs {}", shortened(&link.label, WORDS)),
                };
                let text =
                    Shape::Text { class: "need", x: from.x, y: from.y + BOX / 2 + LINE * (number as i32 + 1), text };
                shapes.push(Shape::Group { class: "link unmet".to_owned(), title: None, shapes: vec![text] });
            }
        }
        shapes
    }
}

fn width(mark: &BoardMark) -> i32 {
    PADDING + CHARACTER * mark.label.chars().count().min(LONGEST) as i32
}

/// A version as a box.
fn entry(mark: &BoardMark, x: i32, y: i32, is_current: bool) -> Shape {
    let width = width(mark);
    let kind = match mark.kind {
        MarkKind::Installed | MarkKind::Next => "version",
        MarkKind::NeverRuns => "version never-runs",
        MarkKind::NotChosen => "version not-chosen",
        MarkKind::NotReached => "version not-reached",
        MarkKind::WithFix => "version with-fix",
        MarkKind::Listed => "version listed",
        MarkKind::New => "version new",
    };
    let class =
        format!("{kind}{}{}", if mark.is_head { " head" } else { "" }, if is_current { " current" } else { "" });
    let rect = Shape::Rect { class: "box", x: x - width / 2, y: y - BOX / 2, width, height: BOX, radius: 7 };
    let label = Shape::Text { class: "label", x, y: y + 4, text: node::fitted(&mark.label, width) };
    let word = match (mark.kind, mark.is_head) {
        (MarkKind::NeverRuns, _) => Some("never runs"),
        (MarkKind::NotChosen, _) => Some("no solution"),
        // A head is black, and links of other lanes end above it.
        (MarkKind::Listed, true) => Some("head"),
        _ => None,
    };
    let caption = |text: &str, y: i32| Shape::Text { class: "caption", x, y, text: text.to_owned() };
    let above = word.filter(|_| mark.kind != MarkKind::Listed).map(|text| caption(text, y - BOX / 2 - 5));
    let below = Some(&*mark.note).filter(|note| !note.is_empty());
    let below = below.or(word.filter(|_| mark.kind == MarkKind::Listed)).map(|text| caption(text, y + BOX / 2 + 13));
    let title = (!mark.csv.is_empty()).then(|| mark.csv.clone());
    Shape::Group { class, title, shapes: [rect, label].into_iter().chain(above).chain(below).collect() }
}

/// The line to a version: dotted where no plan leads there.
fn line(mark: &BoardMark, from: Point, to: Point) -> Vec<Shape> {
    let ignored = matches!(mark.kind, MarkKind::NotReached | MarkKind::NotChosen);
    edge::shapes(&edge::straight(from, to, ignored), "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(label: &str, column: u32, kind: MarkKind, is_head: bool) -> BoardMark {
        let note = String::new();
        BoardMark { csv: format!("p.v{label}"), label: label.to_owned(), column, kind, is_head, note, is_direct: true }
    }

    fn lane(name: &str, marks: Vec<BoardMark>) -> BoardLane {
        let (name, package, channel) = (name.to_owned(), name.to_owned(), "stable".to_owned());
        let (catalog, note) = (String::new(), String::new());
        BoardLane { name, package, channel, catalog, added_for: None, status: None, note, marks }
    }

    fn svg(view: &BoardView, done: u32, room: Room) -> (Frame, String) {
        let Drawn { frame, shapes, .. } = drawn(view, done, room);
        let mut svg = String::new();
        shapes.iter().for_each(|shape| shape.write(&mut svg));
        (frame, svg)
    }

    fn hops(count: u32) -> BoardView {
        let marks = (0..=count).map(|at| {
            let kind = if at == 0 { MarkKind::Installed } else { MarkKind::Next };
            mark(&format!("1.{at}.0"), at, kind, at == count)
        });
        let plans = vec![PlanColumn::Automatic; count as usize];
        BoardView { plans, lanes: vec![lane("p", marks.collect())], ..BoardView::default() }
    }

    #[test]
    fn the_column_that_is_shown_has_the_version_that_runs_then() {
        for (done, version) in [(0, "1.0.0"), (2, "1.2.0"), (3, "1.3.0")] {
            let (_, svg) = svg(&hops(3), done, Room::Wide);
            let current = svg.split("<g class=\"").find(|part| part.contains(" current\"")).unwrap();
            assert!(current.contains(&format!(">{version}<")), "{done}: {current}");
            assert_eq!((svg.matches(" current\"").count(), svg.matches("class=\"shown\"").count()), (1, 1));
        }
    }

    #[test]
    fn what_can_be_pressed_lies_on_what_is_drawn() {
        for room in [Room::Wide, Room::Narrow] {
            let view = hops(30);
            let Drawn { frame, shapes, spots } = drawn(&view, 0, room);
            let boxes = shapes
                .iter()
                .filter(|shape| matches!(shape, Shape::Group { class, .. } if class.starts_with("version")));
            let stops = spots.iter().filter(|spot| matches!(spot.of, SpotOf::Column(_))).count();
            assert_eq!(spots.len(), boxes.count() + 1 + stops, "the stops, the name of the lane, and each box");
            let of: Vec<SpotOf> = spots[stops..].iter().take(2).map(|spot| spot.of).collect();
            assert_eq!((spots[0].of, of), (SpotOf::Column(0), vec![SpotOf::Lane(0), SpotOf::Mark(0, 0)]));
            let inside = |spot: &Spot| spot.frame.left >= 0 && spot.frame.left + spot.frame.width <= frame.width;
            assert!(spots.iter().all(inside), "{spots:?}");
        }
    }

    #[test]
    fn a_change_has_a_row_of_its_own() {
        let (before, after) = (hops(1), hops(3));
        let (frame, svg) = svg(&before.with_change(&after), 0, Room::Wide);
        assert_eq!((svg.matches("version with-fix").count(), svg.matches("with the change").count()), (2, 1), "{svg}");
        assert!(frame.height > drawn(&before, 0, Room::Wide).frame.height);
    }

    #[test]
    fn the_channels_of_a_package_have_no_axis() {
        let new = BoardMark { csv: String::new(), ..mark("new", 0, MarkKind::New, false) };
        let marks = vec![new, mark("1.0.0", 1, MarkKind::Listed, false), mark("1.1.0", 2, MarkKind::Listed, true)];
        let view = BoardView {
            plans: vec![PlanColumn::Version; 2],
            lanes: vec![lane("stable", marks)],
            ..BoardView::default()
        };
        let (_, svg) = svg(&view, 0, Room::Wide);
        assert_eq!((svg.matches("class=\"time").count(), svg.matches("need elbow").count()), (0, 1), "{svg}");
        assert_eq!(svg.matches("edge replaces").count(), 1, "nothing leads to the first version");
    }

    #[test]
    fn the_middle_of_many_plans_is_left_out() {
        let (wide, text) = svg(&hops(30), 0, Room::Wide);
        assert!(text.contains(">… 24 more …<") && text.contains(">1.30.0<") && !text.contains(">plan 10<"), "{text}");
        let (narrow, _) = svg(&hops(30), 0, Room::Narrow);
        assert!(narrow.width < 400 && wide.width < 1400, "{narrow:?} {wide:?}");
    }

    #[test]
    fn what_is_not_met_is_written_below_and_what_is_met_is_a_line() {
        let app = lane("app", vec![mark("1.0.0", 1, MarkKind::NotChosen, true)]);
        let cache =
            lane("cache", vec![mark("1.0.0", 0, MarkKind::Installed, false), mark("2.0.0", 1, MarkKind::Next, false)]);
        let link = |to: Option<u32>, is_met: bool| BoardLink {
            from: (0, "p.v1.0.0".to_owned()),
            to: to.map(|lane| (lane, "p.v2.0.0".to_owned())),
            label: "cache >=3.0.0".to_owned(),
            is_met,
            place: None,
        };
        let view = BoardView {
            plans: vec![PlanColumn::Fails],
            lanes: vec![app, cache],
            links: vec![link(None, false), link(Some(1), true)],
            ..BoardView::default()
        };
        let (_, svg) = svg(&view, 0, Room::Wide);
        for part in ["needs cache &gt;=3.0.0", "link met", "time fails", "no solution", "edge replaces ignored"] {
            assert!(svg.contains(part), "{part}: {svg}");
        }
    }
}
