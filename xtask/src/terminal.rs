//! Output to the terminal, and the clock.

use std::fmt::Display;
use std::time::{Duration, Instant};

/// Prints one line.
#[expect(clippy::print_stdout, reason = "the terminal is where this tool answers")]
pub(crate) fn say(line: impl Display) {
    println!("{line}");
}

/// A clock that starts now. Returns how to read it.
#[expect(clippy::disallowed_methods, reason = "this tool never runs on wasm32")]
pub(crate) fn stopwatch() -> impl Fn() -> Duration {
    let start = Instant::now();
    move || start.elapsed()
}

/// The result of `work` and how long it took.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let elapsed = stopwatch();
    let result = work();
    (result, elapsed())
}
