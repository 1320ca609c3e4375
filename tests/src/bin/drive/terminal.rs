//! What every part of this program needs: printing, and what shows that a catalog is open.

use suite::browser::LongTask;

/// A row of the overview, or an entry of the graph of the only package.
pub(crate) const FIRST_PACKAGES: &str =
    "[data-testid='large-package'], [data-testid='graph'] [data-testid='graph-node']";

/// The longest task of each run and what it did: that of the best run, and of several runs also that of the worst. What else the
/// machine does makes tasks longer, never shorter.
pub(crate) fn longest(runs: Vec<Vec<LongTask>>) -> String {
    let longest = runs.into_iter().map(|tasks| tasks.into_iter().max_by_key(|task| task.duration));
    let mut longest: Vec<Option<LongTask>> = longest.collect();
    longest.sort_by_key(|task| task.as_ref().map(|task| task.duration));
    let text = |task: &Option<LongTask>| match task {
        Some(LongTask { duration, cause, .. }) => format!("{} ms ({cause})", duration.as_millis()),
        None => "none over 50 ms".to_owned(),
    };
    match &longest[..] {
        [best, .., worst] => format!("{} to {}", text(best), text(worst)),
        one => one.iter().map(text).collect(),
    }
}

/// The middle of the milliseconds of some runs, with the least and the most.
pub(crate) fn middle(mut runs: Vec<f64>) -> String {
    runs.sort_by(f64::total_cmp);
    format!("{:.0} ms ({:.0} to {:.0})", runs[runs.len() / 2], runs[0], runs[runs.len() - 1])
}

#[expect(clippy::print_stdout, reason = "the terminal is where this tool answers")]
pub(crate) fn say(line: &str) {
    println!("{line}");
}
