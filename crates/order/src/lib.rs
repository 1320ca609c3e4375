//! Stable sorting and ordered collections that add little to a WebAssembly module.
//!
//! The standard library's stable sort is compiled anew for every type and comparison, 4 kB of code each time, and
//! collecting into an ordered map or set sorts first. Here one sort of positions serves all types; maps and sets are
//! filled one by one.
//!
//! ```
//! use order::{Order, Ordered};
//! use std::collections::BTreeSet;
//!
//! let mut versions = vec![(2, "b"), (1, "c"), (2, "a")];
//! versions.order_by_key(|&(major, _)| major);
//! assert_eq!(versions, [(1, "c"), (2, "b"), (2, "a")]);
//!
//! let majors: BTreeSet<u32> = versions.iter().map(|&(major, _)| major).ordered();
//! assert_eq!(majors, BTreeSet::from([1, 2]));
//! ```

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Stable sorting in place, in O(n log n) comparisons.
pub trait Order<T> {
    /// As [`slice::sort_by`].
    fn order_by(&mut self, compare: impl Fn(&T, &T) -> Ordering);

    /// As [`slice::sort_by_key`].
    fn order_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
        self.order_by(|a, b| key(a).cmp(&key(b)));
    }

    /// As [`slice::sort`].
    fn order(&mut self)
    where
        T: Ord,
    {
        self.order_by(T::cmp);
    }
}

impl<T> Order<T> for [T] {
    fn order_by(&mut self, compare: impl Fn(&T, &T) -> Ordering) {
        let mut places = positions(self.len(), &|a, b| compare(&self[a], &self[b]));
        for start in 0..places.len() {
            let mut at = start;
            loop {
                let from = std::mem::replace(&mut places[at], at);
                if from == start {
                    break;
                }
                self.swap(at, from);
                at = from;
            }
        }
    }
}

/// By place in the sorted list: which item belongs there.
fn positions(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..len).collect();
    places.sort_by(|&a, &b| compare(a, b));
    places
}

/// Collecting into ordered maps and sets.
pub trait Ordered: Iterator + Sized {
    /// As [`Iterator::collect`] into a [`BTreeSet`] or [`BTreeMap`]: of equal keys the last value counts.
    fn ordered<C: Fill<Self::Item>>(self) -> C {
        let mut all = C::default();
        self.for_each(|item| all.put(item));
        all
    }
}

impl<I: Iterator> Ordered for I {}

/// What can be filled one by one.
pub trait Fill<T>: Default {
    /// Puts an item in.
    fn put(&mut self, item: T);
}

impl<T: Ord> Fill<T> for BTreeSet<T> {
    fn put(&mut self, item: T) {
        self.insert(item);
    }
}

impl<K: Ord, V> Fill<(K, V)> for BTreeMap<K, V> {
    fn put(&mut self, (key, value): (K, V)) {
        self.insert(key, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn items_come_as_the_standard_sort_puts_them(mut items: Vec<(u8, u16)>) {
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            items.order_by_key(|item| item.0);
            prop_assert_eq!(items, expected);
        }

        #[test]
        fn collections_hold_what_collecting_gives(items: Vec<(u8, u16)>) {
            let map: BTreeMap<u8, u16> = items.iter().copied().ordered();
            prop_assert_eq!(map, items.iter().copied().collect());
            let set: BTreeSet<(u8, u16)> = items.iter().copied().ordered();
            prop_assert_eq!(set, items.iter().copied().collect());
        }
    }
}
