//! What every part of this program needs: printing, and where the first graph is.

/// A bundle in a channel graph.
pub(crate) const FIRST_GRAPH: &str = "[data-testid='graph'] [data-testid='graph-node']";

#[expect(clippy::print_stdout, reason = "the terminal is where this tool answers")]
pub(crate) fn say(line: &str) {
    println!("{line}");
}
