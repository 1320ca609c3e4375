//! The drawing of a package's channels, from [`views::GraphView`]: its shapes as values, and the picture made of them
//! as SVG. The page renders the shapes as elements. Positions are the layout's.

pub mod band;
pub mod bracket;
pub mod chain;
pub mod edge;
pub mod lane;
pub mod legend;
pub mod node;
mod picture;
pub mod print_layout;
mod print_part;
pub mod shape;
mod simulated;
pub mod simulation_marks;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod text;
mod visible_area;

pub use picture::{Picture, lines, picture, whole_picture};
pub use print_part::content;
pub use simulated::SimulatedEntries;
pub use text::shortened;
pub use visible_area::{Area, NEAR, VisibleArea};
