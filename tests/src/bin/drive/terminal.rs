//! What every part of this program needs: printing, and what shows that a catalog is open.

/// A row of the overview, or an entry of the graph of the only package.
pub(crate) const FIRST_PACKAGES: &str =
    "[data-testid='large-package'], [data-testid='graph'] [data-testid='graph-node']";

#[expect(clippy::print_stdout, reason = "the terminal is where this tool answers")]
pub(crate) fn say(line: &str) {
    println!("{line}");
}
