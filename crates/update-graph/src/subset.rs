//! A subset of a sorted list, stored as index ranges minus exclusions: a channel may have thousands of skipRanges over
//! thousands of versions, and a list of what each covers would take memory out of proportion to the text.

use std::ops::Range;
use std::rc::Rc;

/// The elements of a sorted list that lie in some index ranges and are not excluded.
#[derive(Clone, Debug)]
pub struct Subset<'c, T> {
    all: Rc<[&'c T]>,
    /// Disjoint and ascending.
    ranges: Vec<Range<usize>>,
    excluded: Rc<Exclusions>,
}

impl<'c, T> Subset<'c, T> {
    pub(crate) const fn new(all: Rc<[&'c T]>, ranges: Vec<Range<usize>>, excluded: Rc<Exclusions>) -> Self {
        Self { all, ranges, excluded }
    }

    /// The number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ranges
            .iter()
            .map(|range| range.len() - (self.excluded.below(range.end) - self.excluded.below(range.start)))
            .sum()
    }

    /// Whether it has no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether it contains any of some ascending indices. If very many of them lie in its ranges, the answer is yes without
    /// a look at the exclusions.
    pub(crate) fn contains_any(&self, positions: &[usize]) -> bool {
        const MAX_EXAMINED: usize = 1_000;
        let from = |start: usize| positions[positions.partition_point(|&at| at < start)..].iter().copied();
        let inside = |range: &Range<usize>| {
            let end = range.end;
            from(range.start).take_while(move |&at| at < end)
        };
        let mut inside = self.ranges.iter().flat_map(inside);
        let mut examined = inside.by_ref().take(MAX_EXAMINED);
        examined.any(|at| self.excluded.below(at + 1) == self.excluded.below(at)) || inside.next().is_some()
    }

    /// The elements, ascending.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &'c T> {
        let gaps = self.ranges.iter().flat_map(|range| self.excluded.gaps(range));
        gaps.flat_map(|gap| self.all[gap].iter().copied())
    }
}

/// The union of some subsets. Subsets of the same list with the same exclusions become one, so that it has each element once.
pub(crate) fn union<'a, 'c: 'a, T: 'a>(subsets: impl Iterator<Item = &'a Subset<'c, T>>) -> Vec<Subset<'c, T>> {
    let mut united: Vec<Subset<'c, T>> = Vec::new();
    for one in subsets {
        let same =
            |last: &&mut Subset<'c, T>| Rc::ptr_eq(&last.excluded, &one.excluded) && Rc::ptr_eq(&last.all, &one.all);
        match united.last_mut().filter(same) {
            Some(last) => last.ranges.extend(one.ranges.iter().cloned()),
            None => {
                united.push(Subset {
                    all: Rc::clone(&one.all),
                    ranges: one.ranges.clone(),
                    excluded: Rc::clone(&one.excluded),
                });
            }
        }
    }
    for Subset { ranges, .. } in &mut united {
        ranges.sort_unstable_by_key(|range| (range.start, range.end));
        ranges.dedup_by(|later, first| {
            let touches = later.start <= first.end;
            first.end = if touches { first.end.max(later.end) } else { first.end };
            touches
        });
    }
    united
}

/// The excluded indices of a list.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exclusions {
    /// Ascending, with a gap between each two.
    blocks: Vec<Range<usize>>,
    /// For each block the number of indices in those before it.
    before: Vec<usize>,
}

impl Exclusions {
    pub(crate) fn of(mut positions: Vec<usize>) -> Self {
        positions.sort_unstable();
        positions.dedup();
        let mut excluded = Self::default();
        for (count, at) in positions.into_iter().enumerate() {
            match excluded.blocks.last_mut() {
                Some(block) if block.end == at => block.end += 1,
                _ => {
                    excluded.blocks.push(at..at + 1);
                    excluded.before.push(count);
                }
            }
        }
        excluded
    }

    /// The number of excluded indices below an index.
    fn below(&self, position: usize) -> usize {
        let Some(last) = self.blocks.partition_point(|block| block.start < position).checked_sub(1) else { return 0 };
        let block = &self.blocks[last];
        self.before[last] + block.end.min(position) - block.start
    }

    /// The parts of a range that are not excluded.
    fn gaps(&self, range: &Range<usize>) -> impl DoubleEndedIterator<Item = Range<usize>> {
        let (start, end) = (range.start, range.end);
        let first = self.blocks.partition_point(|block| block.end <= start);
        let last = self.blocks.partition_point(|block| block.start < end);
        (first..=last).filter_map(move |next| {
            let from = if next == first { start } else { self.blocks[next - 1].end };
            let to = if next == last { end } else { self.blocks[next].start };
            (from < to).then_some(from..to)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(ranges: &[Range<usize>], excluded: &[usize], expected: &[usize]) {
        let numbers: Vec<usize> = (0..10).collect();
        let subset = Subset::new(numbers.iter().collect(), ranges.to_vec(), Rc::new(Exclusions::of(excluded.to_vec())));
        assert_eq!(subset.iter().copied().collect::<Vec<_>>(), expected);
        assert_eq!((subset.len(), subset.iter().next_back()), (expected.len(), expected.last()));
        for at in 0..10 {
            assert_eq!(subset.contains_any(&[at]), expected.contains(&at));
        }
        assert_eq!(subset.contains_any(&[3, 7]), expected.contains(&3) || expected.contains(&7));
    }

    #[test]
    fn ranges_minus_exclusions() {
        check(&[2..5, 7..9], &[], &[2, 3, 4, 7, 8]);
        check(&[0..5, 5..10], &[9, 0, 4, 5, 4], &[1, 2, 3, 6, 7, 8]);
        check(&[2..3, 3..5], &[2, 3, 4], &[]);
        check(&[1..3, 4..6], &[2, 3, 4, 5], &[1]);
        check(&[], &[1], &[]);
    }

    #[test]
    fn a_union_has_each_element_once() {
        let numbers: Rc<[&usize]> = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].iter().collect();
        let excluded = Rc::new(Exclusions::of(vec![5]));
        let picks: Vec<Subset<'_, usize>> = [vec![4..7, 8..9], vec![0..1, 6..8], vec![1..2, 5..6]]
            .map(|ranges| Subset::new(Rc::clone(&numbers), ranges, Rc::clone(&excluded)))
            .into();
        let [union] = &union(picks.iter())[..] else { panic!("the excluded are the same") };
        assert_eq!(union.iter().copied().collect::<Vec<_>>(), [0, 1, 4, 6, 7, 8]);
    }

    #[test]
    fn all_combinations_of_exclusions() {
        for bits in 0..1_u32 << 10 {
            let excluded: Vec<usize> = (0..10).filter(|at| bits >> at & 1 == 1).collect();
            let ranges = [1..4, 6..9];
            let expected: Vec<usize> = ranges.iter().cloned().flatten().filter(|at| !excluded.contains(at)).collect();
            check(&ranges, &excluded, &expected);
        }
    }
}
