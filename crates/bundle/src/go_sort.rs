//! The order in which Go's `sort.Slice` leaves equal items.
//!
//! `opm` sorts images with it. Up to twelve items it is stable. Beyond, a pattern-defeating quicksort (Peters 2021) moves
//! equal items, always in the same way: the same image under two names is printed in an order that only the same choice of
//! pivots gives.

use std::cmp::Ordering;

/// Ranges up to this length are sorted by insertion.
const SHORT: usize = 12;

/// From this length on the pivot is a median of medians, and nearly sorted ranges are repaired.
const LONG: usize = 50;

/// How many neighbours in the wrong order are repaired.
const MAX_REPAIRS: usize = 5;

/// The number of exchanges with which the choice of a pivot finds a range in descending order.
const ALL_EXCHANGED: usize = 12;

/// Sorts items as `sort.Slice` does.
pub(crate) fn sort<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let length = items.len();
    let limit = usize::BITS - length.leading_zeros();
    Sorter { items, compare }.range(0, length, limit);
}

struct Sorter<'s, T, F> {
    items: &'s mut [T],
    compare: F,
}

/// What the choice of a pivot says about a range.
#[derive(PartialEq, Eq)]
enum Pattern {
    Ascending,
    Descending,
    None,
}

impl<T, F: Fn(&T, &T) -> Ordering> Sorter<'_, T, F> {
    fn less(&self, one: usize, other: usize) -> bool {
        (self.compare)(&self.items[one], &self.items[other]) == Ordering::Less
    }

    /// Sorts the items `from..to`. After `limit` bad pivots it gives up on pivots; what Go does then with equal items is not
    /// followed.
    fn range(&mut self, mut from: usize, mut to: usize, mut limit: u32) {
        let (mut is_balanced, mut is_partitioned) = (true, true);
        loop {
            let length = to - from;
            if length <= SHORT || limit == 0 {
                return self.items[from..to].sort_by(&self.compare);
            }
            if !is_balanced {
                self.scatter(from, length);
                limit -= 1;
            }
            let (mut pivot, mut pattern) = self.pivot(from, length);
            if pattern == Pattern::Descending {
                self.items[from..to].reverse();
                pivot = (to - 1) - (pivot - from);
                pattern = Pattern::Ascending;
            }
            if is_balanced && is_partitioned && pattern == Pattern::Ascending && self.repair(from, to) {
                return;
            }
            // The item before the range is the pivot of an earlier partition: many items equal it.
            if from > 0 && !self.less(from - 1, pivot) {
                from = self.partition_equal(from, to, pivot);
                continue;
            }
            let (middle, was_partitioned) = self.partition(from, to, pivot);
            is_partitioned = was_partitioned;
            let (left, right) = (middle - from, to - middle);
            is_balanced = left.min(right) >= length / 8;
            if left < right {
                self.range(from, middle, limit);
                from = middle + 1;
            } else {
                self.range(middle + 1, to, limit);
                to = middle;
            }
        }
    }

    /// Moves what is less than the pivot before it. Returns its place, and whether nothing had to be moved.
    fn partition(&mut self, from: usize, to: usize, pivot: usize) -> (usize, bool) {
        self.items.swap(from, pivot);
        // Items before `low` are less than the pivot, those from `high` on are not.
        let (mut low, mut high) = (from + 1, to);
        let mut is_partitioned = true;
        loop {
            while low < high && self.less(low, from) {
                low += 1;
            }
            while low < high && !self.less(high - 1, from) {
                high -= 1;
            }
            if low >= high {
                self.items.swap(high - 1, from);
                return (high - 1, is_partitioned);
            }
            is_partitioned = false;
            self.items.swap(low, high - 1);
            low += 1;
            high -= 1;
        }
    }

    /// Moves what equals the pivot to the start of a range that has nothing less. Returns where the rest begins.
    fn partition_equal(&mut self, from: usize, to: usize, pivot: usize) -> usize {
        self.items.swap(from, pivot);
        let (mut low, mut high) = (from + 1, to);
        loop {
            while low < high && !self.less(from, low) {
                low += 1;
            }
            while low < high && self.less(from, high - 1) {
                high -= 1;
            }
            if low >= high {
                return low;
            }
            self.items.swap(low, high - 1);
            low += 1;
            high -= 1;
        }
    }

    /// Repairs a range that is nearly sorted. Returns whether it is sorted then.
    fn repair(&mut self, from: usize, to: usize) -> bool {
        let mut at = from + 1;
        for _ in 0..MAX_REPAIRS {
            while at < to && !self.less(at, at - 1) {
                at += 1;
            }
            if at == to {
                return true;
            }
            if to - from < LONG {
                return false;
            }
            self.items.swap(at, at - 1);
            let mut left = at - 1;
            while at - from >= 2 && left >= 1 && self.less(left, left - 1) {
                self.items.swap(left, left - 1);
                left -= 1;
            }
            let mut right = at + 1;
            while right < to && self.less(right, right - 1) {
                self.items.swap(right, right - 1);
                right += 1;
            }
        }
        false
    }

    /// Exchanges three items in the middle with others, chosen by a generator that begins with the length (xorshift,
    /// Marsaglia 2003).
    fn scatter(&mut self, from: usize, length: usize) {
        let mask = (1u64 << (usize::BITS - length.leading_zeros())) - 1;
        let mut state = length as u64;
        let first = from + length / 4 * 2 - 1;
        for at in first..first + 3 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let other = (state & mask) as usize;
            let other = if other >= length { other - length } else { other };
            self.items.swap(at, from + other);
        }
    }

    fn pivot(&self, from: usize, length: usize) -> (usize, Pattern) {
        let mut exchanged = 0;
        let quarter = length / 4;
        let mut places = [from + quarter, from + quarter * 2, from + quarter * 3];
        if length >= LONG {
            places = places.map(|at| self.median([at - 1, at, at + 1], &mut exchanged));
        }
        let pivot = self.median(places, &mut exchanged);
        let pattern = match exchanged {
            0 => Pattern::Ascending,
            ALL_EXCHANGED => Pattern::Descending,
            _ => Pattern::None,
        };
        (pivot, pattern)
    }

    /// The place of the median of three items.
    fn median(&self, [mut a, mut b, mut c]: [usize; 3], exchanged: &mut usize) -> usize {
        let order = |one: &mut usize, other: &mut usize, exchanged: &mut usize| {
            if self.less(*other, *one) {
                *exchanged += 1;
                std::mem::swap(one, other);
            }
        };
        order(&mut a, &mut b, exchanged);
        order(&mut b, &mut c, exchanged);
        order(&mut a, &mut b, exchanged);
        b
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Items `(key, number)`, with keys that repeat.
    fn items(length: u64, keys: u64) -> Vec<(u64, u64)> {
        let mut state = length;
        let key = |number| {
            state = (state * 1_103_515_245 + 12345) % (1 << 31);
            (state / 65536 % keys, number)
        };
        (0..length).map(key).collect()
    }

    fn sorted(length: u64, keys: u64) -> Vec<(u64, u64)> {
        let mut items = items(length, keys);
        sort(&mut items, |one, other| one.0.cmp(&other.0));
        items
    }

    #[test]
    fn every_length_is_sorted() {
        for length in 0..300 {
            for keys in [1, 2, 7, 1000] {
                let (mut expected, mut found) = (items(length, keys), sorted(length, keys));
                let keys_of = |items: &[(u64, u64)]| items.iter().map(|item| item.0).collect::<Vec<_>>();
                expected.sort_unstable();
                assert_eq!(keys_of(&found), keys_of(&expected));
                found.sort_unstable();
                assert_eq!(found, expected);
            }
        }
    }

    /// The numbers are those of a transcription of Go's `zsortfunc.go` to another language.
    #[test]
    fn equal_items_are_where_go_leaves_them() {
        let places: Vec<u64> = sorted(20, 3).into_iter().map(|item| item.1).collect();
        assert_eq!(places, [19, 4, 17, 6, 16, 9, 15, 14, 13, 2, 18, 8, 5, 12, 11, 10, 7, 0, 3, 1]);
        let lists = (0..300).flat_map(|length| [1, 2, 7, 1000].map(|keys| sorted(length, keys)));
        let hash = lists.flatten().fold(0, |hash: u128, item| (hash * 31 + u128::from(item.1)) % (1 << 61));
        assert_eq!(hash, 578_707_327_216_914_852);
    }

    #[test]
    fn short_lists_keep_the_order_of_equal_items() {
        let mut expected = items(12, 3);
        expected.sort_by_key(|item| item.0);
        assert_eq!(sorted(12, 3), expected);
    }
}
