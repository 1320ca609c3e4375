//! The shapes of the drawing as values, which become elements on the page or text in a file, so that the two cannot
//! differ.

use std::fmt::Write;
use std::ops::RangeInclusive;

/// A shape, in drawing units.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A rectangle with round corners.
    Rect {
        /// Its classes in the style sheet.
        class: &'static str,
        /// Left edge.
        x: i32,
        /// Top.
        y: i32,
        width: i32,
        height: i32,
        radius: i32,
    },
    /// Lines and curves.
    Path {
        /// Its classes in the style sheet.
        class: String,
        /// The `d` of SVG.
        d: String,
    },
    Text {
        /// Its classes in the style sheet.
        class: &'static str,
        /// Its anchor, across.
        x: i32,
        /// Its baseline.
        y: i32,
        text: String,
    },
    /// Shapes with a common class and tooltip.
    Group {
        /// Its classes in the style sheet.
        class: String,
        title: Option<String>,
        shapes: Vec<Shape>,
    },
    /// Shapes that are along an axis and across it, where the axis leads up: a point is at `top - x` and `left + y`.
    Turned { left: i32, top: i32, shapes: Vec<Shape> },
    /// A part of another drawing, cut off at its edges unless the style sheet makes the overflow visible.
    Window {
        /// Its classes in the style sheet.
        class: &'static str,
        /// Where it is drawn.
        at: Frame,
        part: Frame,
        /// The shapes, in the coordinates of their own drawing.
        shapes: Vec<Shape>,
    },
}

/// A part of a drawing, in drawing units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    pub left: i32,
    pub top: i32,
    pub width: i32,
    pub height: i32,
}

impl Frame {
    /// The same size at another position.
    pub fn at(self, left: i32, top: i32) -> Self {
        Self { left, top, ..self }
    }

    /// As an SVG attribute.
    #[must_use]
    pub fn view_box(self) -> String {
        format!("{} {} {} {}", self.left, self.top, self.width, self.height)
    }
}

impl Shape {
    /// A path.
    pub fn path(class: impl Into<String>, d: String) -> Self {
        Self::Path { class: class.into(), d }
    }

    /// Its text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text { text, .. } => Some(text),
            Self::Rect { .. } | Self::Path { .. } | Self::Group { .. } | Self::Turned { .. } | Self::Window { .. } => {
                None
            }
        }
    }

    /// Writes it as text of an SVG file.
    pub fn write(&self, out: &mut String) {
        match self {
            Self::Rect { class, x, y, width, height, radius } => push(
                out,
                format_args!(
                    r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}" rx="{radius}"/>"#
                ),
            ),
            Self::Path { class, d } => push(out, format_args!(r#"<path class="{class}" d="{d}"/>"#)),
            Self::Text { class, x, y, text } => {
                push(out, format_args!(r#"<text class="{class}" x="{x}" y="{y}">{}</text>"#, escaped(text)));
            }
            Self::Group { class, title, shapes } => {
                push(out, format_args!(r#"<g class="{class}">"#));
                if let Some(title) = title {
                    push(out, format_args!("<title>{}</title>", escaped(title)));
                }
                shapes.iter().for_each(|shape| shape.write(out));
                out.push_str("</g>");
            }
            Self::Turned { left, top, shapes } => {
                push(out, format_args!(r#"<g class="up" transform="{}">"#, turn(*left, *top)));
                shapes.iter().for_each(|shape| shape.write(out));
                out.push_str("</g>");
            }
            Self::Window { class, at: Frame { left, top, width, height }, part, shapes } => {
                push(
                    out,
                    format_args!(
                        r#"<svg class="{class}" x="{left}" y="{top}" width="{width}" height="{height}" viewBox="{}">"#,
                        part.view_box()
                    ),
                );
                shapes.iter().for_each(|shape| shape.write(out));
                out.push_str("</svg>");
            }
        }
    }
}

/// The transform of [`Shape::Turned`].
#[must_use]
pub fn turn(left: i32, top: i32) -> String {
    format!("matrix(0 -1 1 0 {left} {top})")
}

/// Escapes text for XML.
pub fn escaped(text: &str) -> String {
    let allowed = |c: &char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
    let text: String = text.chars().filter(allowed).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Appends formatted text.
pub fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to a string cannot fail");
}

// Texts that fit their place.

/// A text of at most `room` characters: it loses its middle, because versions differ at their ends.
#[must_use]
pub fn shortened(text: &str, room: usize) -> String {
    let count = text.chars().count();
    if count <= room {
        return text.to_owned();
    }
    let kept = room.max(1) - 1;
    let head: String = text.chars().take(kept.div_ceil(2)).collect();
    let tail: String = text.chars().skip(count - kept / 2).collect();
    format!("{head}…{tail}")
}

// The part of a drawing that is on the screen.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_catalog_is_never_markup() {
        let text = "</text><script>&\u{1b}".to_owned();
        let mut out = String::new();
        Shape::Text { class: "c", x: 1, y: 2, text }.write(&mut out);
        assert_eq!(out, r#"<text class="c" x="1" y="2">&lt;/text&gt;&lt;script&gt;&amp;</text>"#);
    }
}
