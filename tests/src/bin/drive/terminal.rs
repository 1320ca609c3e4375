//! What every part of this program needs: printing, and what shows that a catalog is open.

use suite::browser::LongTask;

/// A row of the overview, or an entry of the graph of the only package.
pub(crate) const FIRST_PACKAGES: &str =
    "[data-testid='large-package'], [data-testid='graph'] [data-testid='graph-node']";

/// The longest of these tasks, and what it did.
pub(crate) fn longest(tasks: Vec<LongTask>) -> String {
    let longest = tasks.into_iter().max_by_key(|task| task.duration);
    longest.map_or("none over 50 ms".to_owned(), |task| format!("{} ms ({})", task.duration.as_millis(), task.cause))
}

#[expect(clippy::print_stdout, reason = "the terminal is where this tool answers")]
pub(crate) fn say(line: &str) {
    println!("{line}");
}
