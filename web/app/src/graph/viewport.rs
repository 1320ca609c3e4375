//! Which part of the drawing the frame shows: arithmetic of pan and zoom.

/// A width and a height in CSS pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Size {
    /// Across.
    pub(crate) width: f64,
    /// Down.
    pub(crate) height: f64,
}

/// The drawing's size, and where its first lane begins.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Drawing {
    /// All of it.
    pub(crate) size: Size,
    /// Top of the first lane.
    pub(crate) top: f64,
    /// Where entries begin.
    pub(crate) gutter: f64,
    /// The newest entry of the first lane, which is to be seen first.
    pub(crate) newest: f64,
}

/// A point of the drawing at `p` is shown at `p * scale + (x, y)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Viewport {
    /// Shift to the right.
    pub(crate) x: f64,
    /// Shift downwards.
    pub(crate) y: f64,
    /// Magnification.
    pub(crate) scale: f64,
}

/// The strip of the axis at the top, at scale 1.
pub(crate) const AXIS: f64 = 30.0;
const MARGIN: f64 = 12.0;
const SMALLEST: f64 = 0.15;
const LARGEST: f64 = 4.0;
/// Below it labels are hard to read, so a first look shows the newest part only.
const READABLE: f64 = 0.8;
/// Below it labels cannot be read at all, and the drawing shows its shape without them.
const LEGIBLE: f64 = 0.45;
const COMFORTABLE: f64 = 1.25;
/// So much is left right of the newest entry, CSS pixels.
const BESIDE: f64 = 140.0;

impl Viewport {
    /// All of the drawing.
    pub(crate) fn fit(drawing: Drawing, frame: Size) -> Self {
        let across = (frame.width - 2.0 * MARGIN) / drawing.size.width.max(1.0);
        let down = (frame.height - 2.0 * MARGIN) / (drawing.size.height - drawing.top + AXIS).max(1.0);
        Self::placed(drawing, frame, across.min(down).clamp(SMALLEST, COMFORTABLE))
    }

    /// What to see first: all across if that is readable, else what leads to the newest entry of the first lane.
    pub(crate) fn first(drawing: Drawing, frame: Size) -> Self {
        let across = (frame.width - 2.0 * MARGIN) / drawing.size.width.max(1.0);
        let scale = across.clamp(READABLE, COMFORTABLE);
        let view = Self::placed(drawing, frame, scale);
        let x = (frame.width - BESIDE - drawing.newest * scale).min(0.0);
        Self { x: view.x.max(x), ..view }
    }

    /// At the top; at the left if there is room, else the right end at the right.
    fn placed(drawing: Drawing, frame: Size, scale: f64) -> Self {
        let x = (frame.width - MARGIN - drawing.size.width * scale).min(0.0);
        Self { x, y: (AXIS - drawing.top) * scale, scale }
    }

    /// Whether the drawing is too small for its labels.
    pub(crate) fn far(self) -> bool {
        self.scale < LEGIBLE
    }

    /// On which side of the frame a stretch of the drawing is out of sight, the names on the left covering `gutter`.
    pub(crate) fn away(self, (from, to): (f64, f64), gutter: f64, frame: Size) -> Option<&'static str> {
        let at = |x: f64| x * self.scale + self.x;
        if at(to) < gutter * self.scale {
            Some("left")
        } else if at(from) > frame.width {
            Some("right")
        } else {
            None
        }
    }

    /// How much names of lanes are magnified beyond the drawing, so that they can always be read.
    pub(crate) fn names(self) -> f64 {
        if self.far() { 0.7 / self.scale } else { 1.0 }
    }

    /// Moved by CSS pixels, but never so that the drawing gets out of sight.
    pub(crate) fn panned(self, dx: f64, dy: f64, drawing: Size, frame: Size) -> Self {
        let keep = 60.0;
        let reach = |size: f64| size * self.scale - keep;
        Self {
            x: (self.x + dx).clamp(-reach(drawing.width).max(0.0), (frame.width - keep).max(0.0)),
            y: (self.y + dy).clamp(-reach(drawing.height).max(0.0), (frame.height - keep).max(0.0)),
            scale: self.scale,
        }
    }

    /// Magnified around a point of the frame, which stays where it is.
    pub(crate) fn zoomed(self, factor: f64, (x, y): (f64, f64)) -> Self {
        let scale = (self.scale * factor).clamp(SMALLEST, LARGEST);
        let grown = scale / self.scale;
        Self { x: x - (x - self.x) * grown, y: y - (y - self.y) * grown, scale }
    }

    /// Moved as little as needed to show a point of the drawing and what reaches `half` to both of its sides, clear of
    /// the names and the axis.
    pub(crate) fn showing(self, (x, y): (f64, f64), half: f64, gutter: f64, frame: Size) -> Self {
        let (left, top) = ((gutter + half + 12.0) * self.scale, (AXIS + 30.0) * self.scale);
        let right = frame.width - (half + 12.0) * self.scale;
        let (at_x, at_y) = (x * self.scale + self.x, y * self.scale + self.y);
        let into = |at: f64, low: f64, high: f64| at.max(low).min(high.max(low)) - at;
        Self {
            x: self.x + into(at_x, left, right),
            y: self.y + into(at_y, top, frame.height - 40.0),
            scale: self.scale,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Size = Size { width: 800.0, height: 400.0 };

    fn drawing(width: f64, height: f64) -> Drawing {
        Drawing { size: Size { width, height }, top: 20.0, gutter: 100.0, newest: width - 30.0 }
    }

    #[test]
    fn a_small_drawing_is_not_blown_up() {
        let view = Viewport::fit(drawing(200.0, 100.0), FRAME);
        assert_eq!((view.x, view.scale), (0.0, COMFORTABLE));
        assert_eq!(view.y + 20.0 * view.scale, AXIS * view.scale);
    }

    #[test]
    fn a_long_drawing_begins_with_its_newest_end() {
        let drawing = drawing(4000.0, 300.0);
        let view = Viewport::first(drawing, FRAME);
        assert_eq!(view.scale, READABLE);
        assert_eq!(4000.0 * view.scale + view.x, 788.0);
        let fit = Viewport::fit(drawing, FRAME);
        assert!(fit.scale < 0.2 && 4000.0 * fit.scale + fit.x <= 800.0);
    }

    #[test]
    fn the_newest_entry_of_the_first_lane_is_seen_first() {
        let view = Viewport::first(Drawing { newest: 2000.0, ..drawing(4000.0, 300.0) }, FRAME);
        assert_eq!(2000.0 * view.scale + view.x, 660.0);
    }

    #[test]
    fn zooming_keeps_the_point_under_the_pointer() {
        let view = Viewport { x: 10.0, y: 20.0, scale: 1.0 }.zoomed(2.0, (110.0, 120.0));
        assert_eq!(view, Viewport { x: -90.0, y: -80.0, scale: 2.0 });
    }

    #[test]
    fn panning_never_loses_the_drawing() {
        let drawing = Size { width: 1000.0, height: 300.0 };
        let view = Viewport { x: 0.0, y: 0.0, scale: 1.0 }.panned(-99_999.0, 99_999.0, drawing, FRAME);
        assert_eq!((view.x, view.y), (-940.0, 340.0));
    }

    #[test]
    fn a_lane_is_away_when_none_of_it_is_in_sight() {
        let view = Viewport { x: -500.0, y: 0.0, scale: 1.0 };
        assert_eq!(view.away((100.0, 590.0), 100.0, FRAME), Some("left"));
        assert_eq!(view.away((100.0, 610.0), 100.0, FRAME), None);
        assert_eq!(view.away((1290.0, 1500.0), 100.0, FRAME), None);
        assert_eq!(view.away((1310.0, 1500.0), 100.0, FRAME), Some("right"));
    }

    #[test]
    fn names_are_as_large_however_far_away_the_drawing_is() {
        let size = |scale| Viewport { x: 0.0, y: 0.0, scale }.names() * scale;
        assert_eq!((size(1.0), size(0.25)), (1.0, 0.7));
    }

    #[test]
    fn a_point_in_sight_moves_nothing() {
        let view = Viewport { x: 0.0, y: 0.0, scale: 1.0 };
        assert_eq!(view.showing((400.0, 200.0), 25.0, 100.0, FRAME), view);
        assert_eq!(view.showing((1000.0, 200.0), 25.0, 100.0, FRAME).x, -237.0);
        assert_eq!(view.showing((50.0, 200.0), 25.0, 100.0, FRAME).x, 87.0);
    }
}
