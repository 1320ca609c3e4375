//! Output to the terminal, and the clock.

use std::fmt::Display;
use std::time::{Duration, Instant};

/// Prints one line.
#[expect(clippy::print_stdout, reason = "the terminal is where this tool answers")]
pub(crate) fn say(line: impl Display) {
    println!("{line}");
}

/// The result of `work` and how long it took.
#[expect(clippy::disallowed_methods, reason = "this tool never runs on wasm32")]
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}
