//! The drawing of a package's channels, from [`views::GraphView`]: its shapes as values, and the picture made of them
//! as SVG. The page renders the shapes as elements. Positions are the layout's.

pub mod band;
pub mod board;
pub mod chain;
pub mod edge;
pub mod lane;
pub mod legend;
pub mod node;
mod picture;
pub mod print_layout;
pub mod shape;
pub mod simulation_marks;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use picture::{Picture, lines, picture, whole_picture};
pub use print_layout::content;
pub use shape::{Area, NEAR, VisibleArea, shortened};
pub use simulation_marks::SimulatedEntries;
