//! The arithmetic of pan and zoom: which part of the drawing the frame shows.

use super::measures::{Change, Drawing, LEGIBLE, MARGIN, Size, UP_NAMES, slim};
use opscope_drawing::{Area, NEAR, VisibleArea};
use views::LaneView;

/// A point of the drawing at `(a, b)` is shown at `(a * scale + x, b * down + y)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Viewport {
    /// Shift to the right.
    pub(crate) x: f64,
    /// Shift downwards.
    pub(crate) y: f64,
    /// Magnification across.
    pub(crate) scale: f64,
    /// Magnification down. It is the same as across as long as there are labels. Zoomed out further, lanes keep a
    /// height at which they can be told apart; see [`Drawing::down_at`].
    pub(crate) down: f64,
}

const LARGEST: f64 = 4.0;
/// The smallest scale of an initial view of a part: labels of 12 drawing units are 11 CSS pixels high.
const READABLE: f64 = 0.92;
/// The smallest scale of an initial view that shows everything: smaller labels are better than a drawing that is cut.
const WHOLE: f64 = 0.6;
/// The same in a frame with the names above the entries, whose height does not help: labels are 9 CSS pixels high.
const WHOLE_SLIM: f64 = 0.75;
/// Below it entries run together, and a chain of entries is drawn as one bar.
const TINY: f64 = 0.2;
const COMFORTABLE: f64 = 1.1;
/// Margin right of the newest entry, and on both sides of a change, CSS pixels.
const BESIDE: f64 = 120.0;
/// Minimum distance of axis labels, CSS pixels.
const LABEL: f64 = 44.0;
/// Margin around a point that is scrolled into view, drawing units.
const CLEAR: f64 = 12.0;

/// What a view keeps when its frame changes its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// The initial view.
    First,
    /// All versions.
    Width,
    /// Everything.
    Whole,
    /// The place that the user moved to.
    Own,
}

impl Viewport {
    /// The view after the frame has changed its size.
    pub(crate) fn resized(self, rule: Rule, drawing: Drawing, before: Size, frame: Size) -> Self {
        match rule {
            Rule::First => Self::first(drawing, frame),
            Rule::Width => Self::fit_width(drawing, frame),
            Rule::Whole => Self::fit(drawing, frame),
            Rule::Own if self.sees_all(drawing, before) && !self.sees_all(drawing, frame) => Self::fit(drawing, frame),
            Rule::Own => self,
        }
    }

    /// The view of the drawing after an edit. A fitted view is fitted again; one that the user moved stays, unless it
    /// showed everything and the drawing has grown.
    pub(crate) fn redrawn(self, rule: Rule, before: Drawing, drawing: Drawing, frame: Size) -> Self {
        match rule {
            _ if before == drawing => self,
            Rule::Width => Self::fit_width(drawing, frame),
            Rule::Whole => Self::fit(drawing, frame),
            Rule::First => Self::first(drawing, frame),
            Rule::Own if self.sees_all(before, frame) && !self.sees_all(drawing, frame) => Self::fit(drawing, frame),
            Rule::Own => self,
        }
    }

    /// The drawing's own size, around the middle of the frame or, of two states, around the change.
    pub(crate) fn actual(self, drawing: Drawing, frame: Size) -> Self {
        match drawing.change {
            Some(change) => Self::placed(drawing, frame, 1.0).showing(change.newest, BESIDE, drawing, frame),
            None => self.zoomed(1.0 / self.scale, (frame.width / 2.0, frame.height / 2.0), drawing, frame),
        }
    }

    /// All of the drawing.
    pub(crate) fn fit(drawing: Drawing, frame: Size) -> Self {
        Self::placed(drawing, frame, drawing.whole(frame).min(COMFORTABLE))
    }

    /// All versions; lanes below are to be scrolled to.
    pub(crate) fn fit_width(drawing: Drawing, frame: Size) -> Self {
        Self::placed(drawing, frame, drawing.across(frame).clamp(drawing.smallest(frame), COMFORTABLE))
    }

    /// The initial view: everything if that is legible, else all versions, else the newest entries of the first lane
    /// or, of two states, the change.
    pub(crate) fn first(drawing: Drawing, frame: Size) -> Self {
        let whole = drawing.across(frame).min(drawing.down(frame));
        let across = drawing.across(frame).min(drawing.down(frame).max(1.0));
        let smallest = if slim(frame) { WHOLE_SLIM } else { WHOLE };
        let scale = match drawing.up {
            _ if whole >= smallest => whole,
            // As many of the newest versions as have room.
            true => Self::beside(drawing, frame),
            false => across.max(READABLE),
        };
        let view = Self::placed(drawing, frame, scale.min(COMFORTABLE));
        // At the scale that makes it as wide as the room, it may be wider by a rounding error.
        let fits = (drawing.size.width - drawing.gutter) * view.scale <= drawing.room(frame).width + 0.5;
        let x = if fits { view.x } else { view.x.max(frame.width - BESIDE - drawing.newest * view.scale) };
        let view = Self { x, ..view };
        let change = drawing.change.filter(|_| !view.sees_all(drawing, frame));
        change.map_or(view, |change| view.at_change(change, drawing, frame))
    }

    /// The height of a frame of this width in which the initial view shows all lanes, CSS pixels; if the axis leads up,
    /// all versions.
    pub(crate) fn needed(drawing: Drawing, frame: Size) -> f64 {
        if drawing.up {
            let scale = Self::beside(drawing, frame);
            return UP_NAMES + 2.0 * MARGIN + drawing.size.width * scale;
        }
        let across = drawing.across(frame);
        let smallest = if slim(frame) { WHOLE_SLIM } else { WHOLE };
        let scale = if across >= smallest { across } else { READABLE };
        drawing.top + 2.0 * MARGIN + (drawing.size.height - drawing.top) * scale.min(COMFORTABLE)
    }

    /// If the axis leads up, the scale at which all lanes are beside each other, or that of legible labels.
    fn beside(drawing: Drawing, frame: Size) -> f64 {
        Some(drawing.down(frame).min(1.0)).filter(|scale| *scale >= WHOLE_SLIM).unwrap_or(1.0)
    }

    /// All of a change if its labels are legible then, else its newest entry.
    fn at_change(self, Change { area, newest }: Change, drawing: Drawing, frame: Size) -> Self {
        let (room, (left, top, right, bottom)) = (drawing.room(frame), area);
        let is_legible =
            f64::from(right - left) * WHOLE <= room.width && f64::from(bottom - top) * WHOLE <= room.height;
        match is_legible {
            true => self.showing_all(area, newest, drawing, frame),
            false => self.showing(newest, BESIDE, drawing, frame),
        }
    }

    /// Below the axis, beside the names; if there is no room, the right end at the right.
    fn placed(drawing: Drawing, frame: Size, scale: f64) -> Self {
        let room = drawing.room(frame);
        let down = drawing.down_at(scale, frame);
        let width = (drawing.size.width - drawing.gutter) * scale;
        let height = (drawing.size.height - drawing.top) * down;
        let left = drawing.names(frame) + MARGIN;
        let beside = room.width - width;
        // The newest versions are below the names.
        let start = left + if drawing.up { beside } else { beside.min(0.0) };
        let top = drawing.top + if height <= room.height { MARGIN } else { 0.0 };
        Self { x: start - drawing.gutter * scale, y: top - drawing.top * down, scale, down }
    }

    /// Where the lane names begin: left of the entries, but always visible.
    pub(crate) fn names_left(self, drawing: Drawing, frame: Size) -> f64 {
        (drawing.gutter * self.scale + self.x - drawing.names(frame)).max(0.0)
    }

    /// At which sides of the frame the drawing goes on.
    pub(crate) fn cut(self, drawing: Drawing, frame: Size) -> &'static str {
        let is_left = drawing.gutter * self.scale + self.x < drawing.names(frame) - 0.5;
        let is_right = drawing.size.width * self.scale + self.x > frame.width + 0.5;
        match (is_left, is_right) {
            (true, true) => "left right",
            (true, false) => "left",
            (false, true) => "right",
            (false, false) => "",
        }
    }

    /// Where the axis begins: above the first lane, but always visible.
    pub(crate) fn axis_top(self, drawing: Drawing) -> f64 {
        (drawing.top * self.down + self.y - drawing.top).max(0.0)
    }

    /// The part of the drawing that the frame shows: left, top, right and bottom.
    pub(crate) fn area(self, drawing: Drawing, frame: Size) -> (f64, f64, f64, f64) {
        let names = if slim(frame) { 0.0 } else { drawing.names(frame) };
        let (x, y) = (|at: f64| (at - self.x) / self.scale, |at: f64| (at - self.y) / self.down);
        (x(names), y(0.0), x(frame.width), y(frame.height))
    }

    /// The visible area, with one more tile on each side.
    pub(crate) fn shown(self, drawing: Drawing, frame: Size, lanes: &[LaneView]) -> VisibleArea {
        let (left, top, right, bottom) = self.area(drawing, frame);
        let tile = |x: f64| (x / f64::from(NEAR)).floor() as i32;
        let above = |y: f64| lanes.partition_point(|lane| f64::from(lane.y + lane.height) < y) as u32;
        let below = |y: f64| lanes.partition_point(|lane| f64::from(lane.y) <= y) as u32;
        // In steps, so that zooming a little changes no labels.
        let mut spacing = if self.far() { 64 } else { 0 };
        while self.far() && f64::from(spacing) * self.scale < LABEL {
            spacing *= 2;
        }
        VisibleArea {
            across: (tile(left).saturating_sub(1), tile(right).saturating_add(1)),
            lanes: (above(top).saturating_sub(1), below(bottom).saturating_add(1).min(lanes.len() as u32)),
            far: self.far(),
            tiny: self.tiny(),
            spacing,
        }
    }

    /// Whether the drawing is too small for its labels.
    pub(crate) fn far(self) -> bool {
        self.scale < LEGIBLE
    }

    /// Whether it is too small for single entries.
    pub(crate) fn tiny(self) -> bool {
        self.scale < TINY
    }

    /// On which side of the frame some x ranges of the drawing are, if none of them is visible.
    pub(crate) fn away(self, stretches: &[(f64, f64)], drawing: Drawing, frame: Size) -> Option<&'static str> {
        let at = |x: f64| x * self.scale + self.x;
        let left = stretches.partition_point(|(_, to)| at(*to) < drawing.names(frame));
        match stretches.get(left) {
            Some((from, _)) if at(*from) <= frame.width => None,
            Some(_) if left > 0 => Some("both"),
            Some(_) => Some("right"),
            None => (left > 0).then_some("left"),
        }
    }

    /// Moved by CSS pixels, within bounds that keep the drawing visible.
    pub(crate) fn panned(self, dx: f64, dy: f64, drawing: Size, frame: Size) -> Self {
        let keep = 60.0;
        let reach = |shown: f64| -(shown - keep).max(0.0);
        Self {
            x: (self.x + dx).clamp(reach(drawing.width * self.scale), (frame.width - keep).max(0.0)),
            y: (self.y + dy).clamp(reach(drawing.height * self.down), (frame.height - keep).max(0.0)),
            ..self
        }
    }

    /// Zoomed around a point of the frame, which stays where it is.
    pub(crate) fn zoomed(self, factor: f64, (x, y): (f64, f64), drawing: Drawing, frame: Size) -> Self {
        let scale = (self.scale * factor).clamp(drawing.smallest(frame), LARGEST);
        let down = drawing.down_at(scale, frame);
        let (wider, higher) = (scale / self.scale, down / self.down);
        Self { x: x - (x - self.x) * wider, y: y - (y - self.y) * higher, scale, down }
    }

    /// Moved so that a point of the drawing is in the middle.
    pub(crate) fn centred(self, (x, y): (f64, f64), drawing: Drawing, frame: Size) -> Self {
        let names = drawing.names(frame);
        let (at_x, at_y) = (x * self.scale + self.x, y * self.down + self.y);
        let (middle_x, middle_y) =
            (names + (frame.width - names) / 2.0, drawing.top + (frame.height - drawing.top) / 2.0);
        self.panned(middle_x - at_x, middle_y - at_y, drawing.size, frame)
    }

    /// Moved as little as needed to show a point of the drawing with `half` to both of its sides, not covered by the
    /// names and the axis.
    pub(crate) fn showing(self, (x, y): (f64, f64), half: f64, drawing: Drawing, frame: Size) -> Self {
        let beside = (half + CLEAR) * self.scale;
        let (left, top) = (drawing.names(frame) + beside, drawing.top + 30.0 * self.down);
        let bottom = frame.height - 2.0 * CLEAR * self.down;
        let (at_x, at_y) = (x * self.scale + self.x, y * self.down + self.y);
        let into = |at: f64, low: f64, high: f64| at.max(low).min(high.max(low)) - at;
        let (across, down) = (into(at_x, left, frame.width - beside), into(at_y, top, bottom));
        Self { x: self.x + across, y: self.y + down, ..self }
    }

    /// Whether the whole drawing is visible.
    pub(crate) fn sees_all(self, drawing: Drawing, frame: Size) -> bool {
        let (left, top, right, bottom) = self.area(drawing, frame);
        let Size { width, height } = drawing.size;
        left <= drawing.gutter && top <= drawing.top && right >= width && bottom >= height
    }

    /// Whether all or any of a part of the drawing is visible, not covered by the names and the axis.
    pub(crate) fn sees(self, (left, top, right, bottom): Area, drawing: Drawing, frame: Size, all: bool) -> bool {
        let (x, y) = (|at: i32| f64::from(at) * self.scale + self.x, |at: i32| f64::from(at) * self.down + self.y);
        let names = drawing.names(frame);
        if all {
            x(left) >= names && x(right) <= frame.width && y(top) >= drawing.top && y(bottom) <= frame.height
        } else {
            x(right) >= names && x(left) <= frame.width && y(bottom) >= drawing.top && y(top) <= frame.height
        }
    }

    /// Moved, and zoomed out while labels stay legible, to show a whole part of the drawing; else its start.
    pub(crate) fn showing_all(self, area: Area, start: (f64, f64), drawing: Drawing, frame: Size) -> Self {
        if self.sees(area, drawing, frame, true) {
            return self;
        }
        let (left, top, right, bottom) = area;
        let room = drawing.room(frame);
        let (width, height) = (f64::from((right - left).max(1)), f64::from((bottom - top).max(1)));
        let scale = self.scale.min(room.width / width).min(room.height / height);
        if scale < LEGIBLE {
            // At the left, so that as much as possible of what follows is visible. An entry may be wider than most.
            let half = (start.0 - f64::from(left)).clamp(60.0, 120.0);
            let left = drawing.names(frame) + (half + CLEAR) * self.scale;
            return Self { x: left - start.0 * self.scale, ..self.showing(start, half, drawing, frame) };
        }
        let middle = (f64::from(left) + width / 2.0, f64::from(top) + height / 2.0);
        Self { scale, down: drawing.down_at(scale, frame), ..self }
            .centred(middle, drawing, frame)
            .filled(drawing, frame)
    }

    /// Moved so that the drawing leaves no room empty on one side that it needs on the other.
    fn filled(self, drawing: Drawing, frame: Size) -> Self {
        let (placed, room) = (Self::placed(drawing, frame, self.scale), drawing.room(frame));
        let width = (drawing.size.width - drawing.gutter) * self.scale;
        let height = (drawing.size.height - drawing.top) * self.down;
        let most = drawing.names(frame) + MARGIN - drawing.gutter * self.scale;
        let least = (frame.height - MARGIN - drawing.size.height * self.down).min(placed.y);
        Self {
            x: if width <= room.width { placed.x } else { self.x.clamp(placed.x.min(most), most) },
            y: if height <= room.height { placed.y } else { self.y.clamp(least, placed.y) },
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::measures::LANE;

    const FRAME: Size = Size { width: 800.0, height: 400.0 };

    fn drawing(width: f64, height: f64) -> Drawing {
        Drawing {
            size: Size { width, height },
            top: 30.0,
            gutter: 100.0,
            newest: width - 30.0,
            lane: 100.0,
            change: None,
            up: false,
        }
    }

    #[test]
    fn a_frame_of_the_needed_height_shows_all_lanes() {
        for (width, height) in [(300.0, 100.0), (700.0, 500.0), (3000.0, 300.0)] {
            let drawing = drawing(width, height);
            let frame = Size { height: Viewport::needed(drawing, FRAME), ..FRAME };
            let (_, top, _, bottom) = Viewport::first(drawing, frame).area(drawing, frame);
            assert!(top <= drawing.top && bottom >= height, "{width} x {height}: {top} to {bottom}");
        }
    }

    #[test]
    fn a_small_drawing_stands_beside_the_names_at_the_top() {
        let view = Viewport::first(drawing(300.0, 100.0), FRAME);
        assert_eq!(view.scale, COMFORTABLE);
        let left = 100.0 * view.scale + view.x;
        assert_eq!((left - 100.0).round(), MARGIN);
        assert!(view.axis_top(drawing(300.0, 100.0)) > 0.0, "the axis stays with the lanes");
        assert_eq!(view.cut(drawing(300.0, 100.0), FRAME), "");
        assert_eq!(Viewport { x: view.x - 400.0, ..view }.cut(drawing(300.0, 100.0), FRAME), "left");
        assert_eq!(Viewport { scale: 9.0, ..view }.cut(drawing(300.0, 100.0), FRAME), "right");
        assert_eq!(view.names_left(drawing(300.0, 100.0), FRAME), left - 100.0);
    }

    #[test]
    fn the_initial_view_shows_all_of_a_drawing_that_fits_legibly() {
        // Some of the widths lead to a rounding error.
        for width in 700..1100 {
            let drawing = Drawing { newest: 400.0, ..drawing(720.0, 120.0) };
            let frame = Size { width: f64::from(width) + 0.8125, height: 700.0 };
            let view = Viewport::first(drawing, frame);
            let right = drawing.size.width * view.scale + view.x;
            let fits = view.scale > READABLE;
            assert!(!fits || right <= frame.width - MARGIN + 1.0, "{right} of {width}");
        }
    }

    #[test]
    fn a_shown_part_leaves_no_room_empty_above_the_first_lane() {
        let drawing = drawing(3000.0, 900.0);
        let start = Viewport { x: -2200.0, y: -400.0, scale: 1.0, down: 1.0 };
        let view = start.showing_all((200, 50, 500, 80), (250.0, 65.0), drawing, FRAME);
        assert!(view.sees((200, 50, 500, 80), drawing, FRAME, true), "{view:?}");
        assert_eq!(drawing.top * view.down + view.y, drawing.top, "the first lane is at the top");
        assert!(drawing.gutter * view.scale + view.x <= drawing.names(FRAME) + MARGIN, "and the oldest entry left");
        let view = start.showing_all((200, 840, 500, 870), (250.0, 855.0), drawing, FRAME);
        assert_eq!(drawing.size.height * view.down + view.y, FRAME.height - MARGIN, "the last lane is at the bottom");
    }

    #[test]
    fn the_initial_view_of_a_long_drawing_is_its_newest_end() {
        let drawing = drawing(4000.0, 300.0);
        let view = Viewport::first(drawing, FRAME);
        assert_eq!(view.scale, READABLE);
        assert_eq!(4000.0 * view.scale + view.x, 788.0);
        let fit = Viewport::fit(drawing, FRAME);
        assert!(fit.scale < 0.2 && 4000.0 * fit.scale + fit.x <= 800.0, "{fit:?}");
    }

    #[test]
    fn the_initial_view_shows_the_newest_entry_of_the_first_lane() {
        let view = Viewport::first(Drawing { newest: 2000.0, ..drawing(4000.0, 300.0) }, FRAME);
        assert_eq!(2000.0 * view.scale + view.x, 680.0);
    }

    #[test]
    fn zooming_keeps_the_point_under_the_pointer() {
        let view = Viewport { x: 10.0, y: 20.0, scale: 1.0, down: 1.0 }.zoomed(
            2.0,
            (110.0, 120.0),
            drawing(300.0, 100.0),
            FRAME,
        );
        assert_eq!(view, Viewport { x: -90.0, y: -80.0, scale: 2.0, down: 2.0 });
    }

    #[test]
    fn panning_never_loses_the_drawing() {
        let drawing = Size { width: 1000.0, height: 300.0 };
        let view = Viewport { x: 0.0, y: 0.0, scale: 1.0, down: 1.0 }.panned(-99_999.0, 99_999.0, drawing, FRAME);
        assert_eq!((view.x, view.y), (-940.0, 340.0));
    }

    #[test]
    fn a_lane_is_away_when_none_of_it_is_in_sight() {
        let view = Viewport { x: -500.0, y: 0.0, scale: 1.0, down: 1.0 };
        let away = |stretch| view.away(&[stretch], drawing(2000.0, 300.0), FRAME);
        assert_eq!(away((100.0, 590.0)), Some("left"));
        assert_eq!(away((100.0, 610.0)), None);
        assert_eq!(away((1290.0, 1500.0)), None);
        assert_eq!(away((1310.0, 1500.0)), Some("right"));
        let some = [(100.0, 150.0), (200.0, 250.0), (1400.0, 1450.0)];
        assert_eq!(view.away(&some, drawing(2000.0, 300.0), FRAME), Some("both"), "only a line passes through");
    }

    #[test]
    fn on_an_axis_that_leads_up_the_newest_versions_are_at_the_top() {
        let phone = Size { width: 600.0, height: 390.0 };
        let drawing = |width, height| Drawing { up: true, gutter: 0.0, top: 84.0, ..drawing(width, height) };
        let short = drawing(400.0, 300.0);
        let view = Viewport::first(short, phone);
        assert!(view.sees_all(short, phone) && 400.0 * view.scale + view.x > 580.0, "{view:?}");
        assert_eq!(Viewport::needed(short, phone), UP_NAMES + 24.0 + 400.0, "as long as it is");
        let long = drawing(4000.0, 300.0);
        let view = Viewport::first(long, phone);
        assert!((view.scale - 1.0).abs() < 1e-9 && 4000.0 * view.scale + view.x <= 600.0, "{view:?}");
    }

    #[test]
    fn a_narrow_frame_gives_entries_all_its_width() {
        let frame = Size { width: 390.0, height: 600.0 };
        assert_eq!(drawing(900.0, 300.0).names(frame), MARGIN);
        let view = Viewport::fit_width(drawing(900.0, 300.0), frame);
        assert_eq!((100.0 * view.scale + view.x).round(), 24.0);
    }

    #[test]
    fn showing_a_visible_point_moves_nothing() {
        let view = Viewport { x: 0.0, y: 0.0, scale: 1.0, down: 1.0 };
        let drawing = drawing(2000.0, 300.0);
        assert_eq!(view.showing((400.0, 200.0), 25.0, drawing, FRAME), view);
        assert_eq!(view.showing((1000.0, 200.0), 25.0, drawing, FRAME).x, -237.0);
        assert_eq!(view.showing((50.0, 200.0), 25.0, drawing, FRAME).x, 87.0);
        let centred = view.centred((1000.0, 200.0), drawing, FRAME);
        assert_eq!((1000.0 + centred.x, 200.0 + centred.y), (450.0, 215.0));
    }

    #[test]
    fn the_initial_view_shows_everything_that_fits_at_a_smaller_scale() {
        let wide = drawing(830.0, 100.0);
        let view = Viewport::first(wide, FRAME);
        assert!((READABLE..1.0).contains(&view.scale) && view.sees_all(wide, FRAME), "{view:?}");
        let low = Size { height: 300.0, ..FRAME };
        let view = Viewport::first(drawing(500.0, 290.0), low);
        assert!(view.scale < 1.0 && view.sees_all(drawing(500.0, 290.0), low), "{view:?}");
    }

    #[test]
    fn a_fitted_view_is_fitted_again_and_a_moved_one_stays() {
        let (drawing, low) = (drawing(500.0, 300.0), Size { height: 310.0, ..FRAME });
        for rule in [Rule::First, Rule::Whole] {
            let view = Viewport::first(drawing, FRAME).resized(rule, drawing, FRAME, low);
            assert!(view.sees_all(drawing, low), "{rule:?}: {view:?}");
        }
        let width = Viewport::fit_width(drawing, FRAME).resized(Rule::Width, drawing, FRAME, low);
        assert_eq!(width, Viewport::fit_width(drawing, low));
        let moved = Viewport { x: -200.0, y: 0.0, scale: 1.0, down: 1.0 };
        assert_eq!(moved.resized(Rule::Own, drawing, FRAME, low), moved);
        let nudged = Viewport { x: 5.0, y: 60.0, scale: 1.0, down: 1.0 };
        assert!(
            nudged.sees_all(drawing, FRAME) && nudged.resized(Rule::Own, drawing, FRAME, low).sees_all(drawing, low)
        );
    }

    #[test]
    fn a_drawing_that_needs_small_labels_is_shown_as_a_whole() {
        let twelve = Drawing { newest: 950.0, ..drawing(1000.0, 120.0) };
        let view = Viewport::first(twelve, FRAME);
        assert!(view.scale < READABLE && view.sees_all(twelve, FRAME), "{view:?}");
    }

    #[test]
    fn a_fitted_view_is_fitted_again_after_an_edit() {
        let (before, after) = (drawing(500.0, 300.0), drawing(900.0, 300.0));
        let view = Viewport::first(before, FRAME);
        assert!(view.redrawn(Rule::First, before, after, FRAME).sees_all(after, FRAME));
        assert!(view.redrawn(Rule::Own, before, after, FRAME).sees_all(after, FRAME), "it showed everything");
        let moved = view.panned(-300.0, 0.0, before.size, FRAME);
        assert_eq!(moved.redrawn(Rule::Own, before, after, FRAME), moved);
        assert_eq!(moved.redrawn(Rule::First, before, before, FRAME), moved, "the drawing is the same");
    }

    #[test]
    fn a_comparison_opens_at_the_change() {
        let change = |left| Change { area: (left, 130, 2100, 170), newest: (2000.0, 150.0) };
        let compared = |left| Drawing { newest: 4000.0, change: Some(change(left)), ..drawing(4000.0, 300.0) };
        let (one, several, far) = (compared(1900), compared(1200), compared(200));
        let own = Viewport::fit(far, FRAME).actual(far, FRAME);
        assert_eq!(own.scale, 1.0);
        for view in [Viewport::first(one, FRAME), Viewport::first(far, FRAME), own] {
            assert!(view.sees((1900, 130, 2100, 170), far, FRAME, true), "{view:?}");
        }
        let view = Viewport::first(several, FRAME);
        assert!(view.sees((1200, 130, 2100, 170), several, FRAME, true), "{view:?}");
    }

    #[test]
    fn a_path_is_shown_as_a_whole_or_from_its_start() {
        let (view, drawing) = (Viewport { x: 0.0, y: 0.0, scale: 1.0, down: 1.0 }, drawing(4000.0, 300.0));
        let inside = (200, 100, 700, 130);
        assert_eq!(view.showing_all(inside, (225.0, 115.0), drawing, FRAME), view, "it is visible");
        let longer = view.showing_all((200, 100, 1400, 130), (225.0, 115.0), drawing, FRAME);
        assert!(longer.scale < 0.6 && longer.sees((200, 100, 1400, 130), drawing, FRAME, true), "{longer:?}");
        let far = view.showing_all((1000, 100, 3900, 130), (1025.0, 115.0), drawing, FRAME);
        assert!(far.scale == 1.0 && far.sees((1000, 100, 1550, 130), drawing, FRAME, true), "{far:?}");
    }

    #[test]
    fn a_long_drawing_fits_with_lanes_as_high_as_the_frame_allows() {
        let drawing = drawing(20_000.0, 830.0);
        let fit = Viewport::fit(drawing, FRAME);
        assert!(fit.scale < 0.05 && fit.sees_all(drawing, FRAME), "{fit:?}");
        assert!(fit.down * 830.0 > 350.0, "{fit:?}");
        let near = fit.zoomed(20.0, (400.0, 200.0), drawing, FRAME);
        assert_eq!(near.scale, near.down, "labels keep their proportions");
        let (x, y) = (|view: Viewport| (400.0 - view.x) / view.scale, |view: Viewport| (200.0 - view.y) / view.down);
        assert!((x(fit) - x(near)).abs() < 0.01 && (y(fit) - y(near)).abs() < 0.01, "{near:?}");
    }

    #[test]
    fn many_lanes_keep_a_height_at_which_their_names_can_be_read() {
        let fit = Viewport::fit(drawing(20_000.0, 8000.0), FRAME);
        assert!(fit.scale < 0.05 && fit.x + 20_000.0 * fit.scale <= 800.0, "{fit:?}");
        assert!((100.0 * fit.down - LANE).abs() < 0.01, "{fit:?}");
    }

    #[test]
    fn the_visible_area_changes_in_steps() {
        let drawing = drawing(9000.0, 300.0);
        let shown = |x| Viewport { x, y: 0.0, scale: 1.0, down: 1.0 }.shown(drawing, FRAME, &[]);
        assert_eq!(shown(-500.0).across, (0, 3));
        assert_eq!(shown(-560.0), shown(-500.0));
        assert_eq!(shown(-900.0).across, (1, 4));
    }
}
