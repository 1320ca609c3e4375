//! Parts of an ascending list, told by runs and holes: a channel may have thousands of skipRanges over thousands of
//! versions.

use std::ops::Range;
use std::rc::Rc;

/// Things of an ascending list that lie in some runs and in no hole.
#[derive(Clone, Debug)]
pub struct Picked<'c, T> {
    all: Rc<[&'c T]>,
    /// Disjoint, ascending.
    runs: Vec<Range<usize>>,
    holes: Rc<Holes>,
}

impl<'c, T> Picked<'c, T> {
    pub(crate) const fn new(all: Rc<[&'c T]>, runs: Vec<Range<usize>>, holes: Rc<Holes>) -> Self {
        Self { all, runs, holes }
    }

    /// How many they are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.runs.iter().map(|run| run.len() - (self.holes.below(run.end) - self.holes.below(run.start))).sum()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether it holds any of some positions, which ascend. Of positions in holes not many are looked at.
    pub(crate) fn holds_any(&self, positions: &[usize]) -> bool {
        const LOOKED_AT: usize = 1_000;
        let from = |start: usize| positions[positions.partition_point(|&at| at < start)..].iter().copied();
        let inside = |run: &Range<usize>| {
            let end = run.end;
            from(run.start).take_while(move |&at| at < end)
        };
        let mut inside = self.runs.iter().flat_map(inside);
        let mut looked_at = inside.by_ref().take(LOOKED_AT);
        looked_at.any(|at| self.holes.below(at + 1) == self.holes.below(at)) || inside.next().is_some()
    }

    /// All of them, ascending.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &'c T> {
        let gaps = self.runs.iter().flat_map(|run| self.holes.gaps(run));
        gaps.flat_map(|gap| self.all[gap].iter().copied())
    }
}

/// What any of some picks from one list holds, each thing once where they have the same holes.
pub(crate) fn union<'a, 'c: 'a, T: 'a>(picked: impl Iterator<Item = &'a Picked<'c, T>>) -> Vec<Picked<'c, T>> {
    let mut united: Vec<Picked<'c, T>> = Vec::new();
    for one in picked {
        let same = |last: &&mut Picked<'c, T>| Rc::ptr_eq(&last.holes, &one.holes) && Rc::ptr_eq(&last.all, &one.all);
        match united.last_mut().filter(same) {
            Some(last) => last.runs.extend(one.runs.iter().cloned()),
            None => {
                united.push(Picked { all: Rc::clone(&one.all), runs: one.runs.clone(), holes: Rc::clone(&one.holes) });
            }
        }
    }
    for Picked { runs, .. } in &mut united {
        runs.sort_unstable_by_key(|run| (run.start, run.end));
        runs.dedup_by(|later, first| {
            let touches = later.start <= first.end;
            first.end = if touches { first.end.max(later.end) } else { first.end };
            touches
        });
    }
    united
}

/// Positions of a list that are left out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Holes {
    /// Ascending, with something between each two.
    blocks: Vec<Range<usize>>,
    /// For each block how many positions lie in those before it.
    before: Vec<usize>,
}

impl Holes {
    pub(crate) fn of(mut positions: Vec<usize>) -> Self {
        positions.sort_unstable();
        positions.dedup();
        let mut holes = Self::default();
        for (count, at) in positions.into_iter().enumerate() {
            match holes.blocks.last_mut() {
                Some(block) if block.end == at => block.end += 1,
                _ => {
                    holes.blocks.push(at..at + 1);
                    holes.before.push(count);
                }
            }
        }
        holes
    }

    /// How many lie below a position.
    fn below(&self, position: usize) -> usize {
        let Some(last) = self.blocks.partition_point(|block| block.start < position).checked_sub(1) else { return 0 };
        let block = &self.blocks[last];
        self.before[last] + block.end.min(position) - block.start
    }

    /// What of a run lies between the holes.
    fn gaps(&self, run: &Range<usize>) -> impl DoubleEndedIterator<Item = Range<usize>> {
        let (start, end) = (run.start, run.end);
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
    fn check(runs: &[Range<usize>], holes: &[usize], expected: &[usize]) {
        let numbers: Vec<usize> = (0..10).collect();
        let picked = Picked::new(numbers.iter().collect(), runs.to_vec(), Rc::new(Holes::of(holes.to_vec())));
        assert_eq!(picked.iter().copied().collect::<Vec<_>>(), expected);
        assert_eq!((picked.len(), picked.iter().next_back()), (expected.len(), expected.last()));
        for at in 0..10 {
            assert_eq!(picked.holds_any(&[at]), expected.contains(&at));
        }
        assert_eq!(picked.holds_any(&[3, 7]), expected.contains(&3) || expected.contains(&7));
    }

    #[test]
    fn runs_without_their_holes() {
        check(&[2..5, 7..9], &[], &[2, 3, 4, 7, 8]);
        check(&[0..5, 5..10], &[9, 0, 4, 5, 4], &[1, 2, 3, 6, 7, 8]);
        check(&[2..3, 3..5], &[2, 3, 4], &[]);
        check(&[1..3, 4..6], &[2, 3, 4, 5], &[1]);
        check(&[], &[1], &[]);
    }

    #[test]
    fn a_union_holds_each_thing_once() {
        let numbers: Rc<[&usize]> = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].iter().collect();
        let holes = Rc::new(Holes::of(vec![5]));
        let picks: Vec<Picked<'_, usize>> = [vec![4..7, 8..9], vec![0..1, 6..8], vec![1..2, 5..6]]
            .map(|runs| Picked::new(Rc::clone(&numbers), runs, Rc::clone(&holes)))
            .into();
        let [union] = &union(picks.iter())[..] else { panic!("the holes are the same") };
        assert_eq!(union.iter().copied().collect::<Vec<_>>(), [0, 1, 4, 6, 7, 8]);
    }

    #[test]
    fn whatever_the_holes() {
        for bits in 0..1_u32 << 10 {
            let holes: Vec<usize> = (0..10).filter(|at| bits >> at & 1 == 1).collect();
            let runs = [1..4, 6..9];
            let expected: Vec<usize> = runs.iter().cloned().flatten().filter(|at| !holes.contains(at)).collect();
            check(&runs, &holes, &expected);
        }
    }
}
