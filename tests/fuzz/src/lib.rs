//! What holds for every input, whatever its bytes: a list of targets, each a function that panics when something does
//! not hold, and an engine that thinks up inputs for them.
//!
//! The engine knows no coverage: it cuts, swaps, repeats and mixes seeds, with words of the languages they are written
//! in. It is small, the same seed gives the same inputs, and it runs wherever the tests run. `src/covered.rs` puts the same
//! targets and the same mutations under libFuzzer, which is guided by coverage.

mod campaign;
mod inputs;
mod memory;
mod mutate;
mod parts;
mod shrink;
mod spans;
mod targets;
mod trial;
mod words;

pub use campaign::{Campaign, Tally};
pub use inputs::{seeds, seeds_folder};
pub use mutate::mutate;
pub use shrink::shrink;
pub use targets::{TARGETS, Target, target};
pub use trial::{Fault, trial};
