//! The part of a drawing that is on the screen.

use std::ops::RangeInclusive;

/// A part of the drawing: left, top, right and bottom.
pub type Area = (i32, i32, i32, i32);

/// Width of a near tile, drawing units.
pub const NEAR: i32 = 480;

/// The part of a drawing that is visible, with some room around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VisibleArea {
    /// The first and the last near tile, by number.
    pub across: (i32, i32),
    /// The first lane, and one past the last.
    pub lanes: (u32, u32),
    /// Whether it is zoomed out too far for labels.
    pub far: bool,
    /// Whether it is zoomed out too far for single entries.
    pub tiny: bool,
    /// Minimum distance between labels of the axis, drawing units.
    pub spacing: i32,
}

impl VisibleArea {
    /// Nothing: the size of the frame is not known yet.
    pub const START: Self = Self { across: (0, 0), lanes: (0, 0), far: false, tiny: false, spacing: 0 };

    /// Left and right end, drawing units.
    pub fn stretch(&self) -> RangeInclusive<i32> {
        self.across.0.saturating_mul(NEAR)..=self.across.1.saturating_add(1).saturating_mul(NEAR)
    }

    /// Whether a part of a lane is visible.
    pub fn meets(&self, lane: u32, left: i32, right: i32) -> bool {
        let stretch = self.stretch();
        (self.lanes.0..self.lanes.1).contains(&lane) && left <= *stretch.end() && right >= *stretch.start()
    }
}
