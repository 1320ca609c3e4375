//! Independent pieces of work, which a caller that has threads may do at once.

use crate::{Diagnostic, Findings};
use std::sync::OnceLock;

/// Calls the function for each number below the first argument, in any order and perhaps several at once.
pub type ForEach = fn(usize, &(dyn Fn(usize) + Sync));

/// How independent pieces of work are done: one after the other, or as the caller does them. The results are the same.
///
/// ```
/// use source::Executor;
///
/// let backwards = Executor::new(|count, work| (0..count).rev().for_each(work));
/// let squares = |executor: Executor| executor.map(&[1, 2, 3], |number| number * number);
/// assert_eq!(squares(backwards), squares(Executor::default()));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Executor(Option<ForEach>);

impl Executor {
    /// Does work as this function does it.
    #[must_use]
    pub const fn new(for_each: ForEach) -> Self {
        Self(Some(for_each))
    }

    /// What `work` makes of each item, in their order.
    pub fn map<'i, I: Sync, T: Send + Sync>(self, items: &'i [I], work: impl Fn(&'i I) -> T + Sync) -> Vec<T> {
        let Some(for_each) = self.0 else { return items.iter().map(work).collect() };
        let results: Vec<OnceLock<T>> = items.iter().map(|_| OnceLock::new()).collect();
        let result = |at: usize| results[at].get_or_init(|| work(&items[at]));
        for_each(items.len(), &|at| _ = result(at));
        // What the caller left out is done here.
        (0..items.len()).for_each(|at| _ = result(at));
        results.into_iter().map(|result| result.into_inner().expect("every item was worked on")).collect()
    }

    /// What `work` makes of each item, and the findings about it. `None` if the work is better done one item after the other
    /// with one [`Findings`]: nothing is done at once, or there are so many findings that their limits matter.
    pub fn map_with_findings<I: Sync, T: Send + Sync>(
        self,
        items: &[I],
        work: impl Fn(&I, &mut Findings) -> T + Sync,
    ) -> Option<Vec<(T, Vec<Diagnostic>)>> {
        /// Enough for many cores. All groups together keep no more findings than one list of them.
        const GROUPS: usize = 32;
        self.0?;
        let groups: Vec<&[I]> = items.chunks(items.len().div_ceil(GROUPS).max(1)).collect();
        let of_group = |group: &&[I]| {
            let mut findings = Findings::one_of(GROUPS);
            let results: Vec<_> = group.iter().map(|item| (work(item, &mut findings), findings.take())).collect();
            findings.is_complete().then_some(results)
        };
        Some(self.map(&groups, of_group).into_iter().collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
    }

    /// The findings about each item, in their order; then hints about those that are not kept, if there are more than
    /// [`Findings`] keeps of all items together.
    pub fn findings<I: Sync>(
        self,
        items: &[I],
        check: impl Fn(&I, &mut Findings) + Sync,
    ) -> (Vec<Vec<Diagnostic>>, Vec<Diagnostic>) {
        let mut findings = Findings::default();
        let found = match self.map_with_findings(items, &check) {
            Some(found) => found.into_iter().map(|((), found)| findings.taking(|all| all.extend(found))).collect(),
            None => items.iter().map(|item| findings.taking(|all| check(item, all))).collect(),
        };
        (found, findings.into_diagnostics())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FileId, Rule, Span};

    const AT_ONCE: Executor = Executor::new(|count, work| {
        std::thread::scope(|scope| (0..count).for_each(|at| drop(scope.spawn(move || work(at)))));
    });

    /// The messages of `count` findings about each of 100 items, and of those that say how many are left out.
    fn messages(executor: Executor, count: usize) -> Vec<String> {
        let items: Vec<usize> = (0..100).collect();
        let finding = |item: usize, at: usize| {
            Diagnostic::new(Rule::Downgrade, Span::new(FileId(0), at as u32, 0), format!("{item}: {at}"))
        };
        let (found, hints) =
            executor.findings(&items, |&item, findings| findings.extend((0..count).map(|at| finding(item, at))));
        found.into_iter().flatten().chain(hints).map(|finding| finding.message).collect()
    }

    #[test]
    fn findings_are_the_same_and_in_the_same_order() {
        for count in [0, 1, 9, 11, 400] {
            assert_eq!(messages(AT_ONCE, count), messages(Executor::default(), count), "{count}");
        }
        assert_eq!(messages(AT_ONCE, 1)[..3], ["0: 0", "1: 0", "2: 0"]);
        assert_eq!(messages(AT_ONCE, 11)[1000], "100 more findings of `downgrade` in this file are not shown");
    }

    #[test]
    fn nothing_is_done_at_once_without_threads() {
        assert_eq!(Executor::default().map_with_findings(&[1], |_, _| ()), None);
        assert_eq!(AT_ONCE.map(&[0; 0], |number| *number), [0; 0]);
    }
}
