//! Properties that hold for every input, whatever its bytes. A target is a function that panics when one of them does
//! not hold; `tests/targets.rs` runs the targets on seeds, and on inputs that bolero makes of them.

mod memory;
mod seeds;
mod spans;
pub mod targets;

pub use memory::check;
pub use seeds::{EditedSeed, Input, Seed, seeds};
