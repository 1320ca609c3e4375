//! Properties that hold for every input, whatever its bytes. A target is a function that panics when one of them does
//! not hold; `tests/targets.rs` runs the targets on seeds, and on inputs that bolero makes of them.

mod edits;
mod memory;
mod parts;
mod seeds;
mod spans;
pub mod targets;
mod time;

pub use edits::{EditedSeed, Input};
pub use seeds::{Seed, seeds};
pub use time::check;
