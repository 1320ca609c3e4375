//! The comparison of two Go values as go-cmp reports it: what is the same, and where they differ.

use super::Go;
use super::edits::{Edit, Likeness, edits};
use std::collections::BTreeMap;

/// How many lists within each other are aligned; deeper ones count as different as a whole.
const MAX_LISTS: u32 = 3;

/// Two values at the same place. One is absent where a list or map has only the other.
pub(super) struct Pair<'g> {
    pub(super) old: Option<&'g Go>,
    pub(super) new: Option<&'g Go>,
    /// The parts, with the names of fields and the keys of maps. Empty for a leaf.
    pub(super) parts: Vec<(String, Self)>,
    /// How many leaves are the same.
    pub(super) same: usize,
    /// How many leaves differ.
    pub(super) different: usize,
    /// The number of all parts of parts.
    pub(super) size: usize,
    /// How deep the parts are nested.
    pub(super) depth: usize,
}

impl<'g> Pair<'g> {
    /// Compares two values.
    pub(super) fn of(old: &'g Go, new: &'g Go) -> Self {
        Self::within(old, new, MAX_LISTS)
    }

    fn within(old: &'g Go, new: &'g Go, lists: u32) -> Self {
        match (old, new) {
            (
                Go::Pointer(Some(one)) | Go::Reference(Some(one)),
                Go::Pointer(Some(other)) | Go::Reference(Some(other)),
            ) => Self::with_parts(old, new, vec![(String::new(), Self::within(one, other, lists))]),
            (Go::Struct(_, one), Go::Struct(_, other)) => {
                let parts = one.iter().zip(other);
                let parts =
                    parts.map(|((name, one), (_, other))| ((*name).to_owned(), Self::within(one, other, lists)));
                Self::with_parts(old, new, parts.collect())
            }
            (Go::Map(_, one), Go::Map(_, other)) if !one.is_empty() && !other.is_empty() => {
                let mut both: BTreeMap<&str, (Option<&Go>, Option<&Go>)> = BTreeMap::new();
                for (key, value) in one {
                    both.entry(key).or_default().0 = Some(value);
                }
                for (key, value) in other {
                    both.entry(key).or_default().1 = Some(value);
                }
                let part = |(key, (one, other)): (&str, (Option<&'g Go>, Option<&'g Go>))| {
                    let pair = match (one, other) {
                        (Some(one), Some(other)) => Self::within(one, other, lists),
                        _ => Self::leaf(one, other),
                    };
                    (key.to_owned(), pair)
                };
                Self::with_parts(old, new, both.into_iter().map(part).collect())
            }
            (Go::List(_, one), Go::List(_, other)) if !one.is_empty() && !other.is_empty() && lists > 0 => {
                Self::with_parts(old, new, aligned(one, other, lists - 1))
            }
            (Go::Bytes(one), Go::Bytes(other)) if !one.is_empty() && !other.is_empty() => {
                Self::of_bytes(old, new, one, other)
            }
            _ => Self::leaf(Some(old), Some(new)),
        }
    }

    fn leaf(old: Option<&'g Go>, new: Option<&'g Go>) -> Self {
        let is_same = old == new;
        Self {
            old,
            new,
            parts: Vec::new(),
            same: usize::from(is_same),
            different: usize::from(!is_same),
            size: 0,
            depth: 0,
        }
    }

    fn with_parts(old: &'g Go, new: &'g Go, parts: Vec<(String, Self)>) -> Self {
        let parts_of = || parts.iter().map(|(_, part)| part);
        Self {
            old: Some(old),
            new: Some(new),
            same: parts_of().map(|part| part.same).sum(),
            different: parts_of().map(|part| part.different).sum(),
            size: parts_of().map(|part| part.size + 1).sum(),
            depth: parts_of().map(|part| part.depth + 1).max().unwrap_or_default(),
            parts,
        }
    }

    /// Bytes are compared one by one, but are shown together.
    fn of_bytes(old: &'g Go, new: &'g Go, one: &str, other: &str) -> Self {
        let (one, other) = (one.as_bytes(), other.as_bytes());
        let likeness = |x: usize, y: usize| {
            let is_same = one[x] == other[y];
            Likeness { same: usize::from(is_same), different: usize::from(!is_same) }
        };
        let edits = edits(one.len(), other.len(), likeness);
        let (mut x, mut y, mut same) = (0, 0, 0);
        for edit in &edits {
            match edit {
                Edit::Removed => x += 1,
                Edit::Added => y += 1,
                Edit::Paired => {
                    same += usize::from(one[x] == other[y]);
                    (x, y) = (x + 1, y + 1);
                }
            }
        }
        let size = edits.len();
        Self { old: Some(old), new: Some(new), parts: Vec::new(), same, different: size - same, size, depth: 1 }
    }

    const fn likeness(&self) -> Likeness {
        Likeness { same: self.same, different: self.different }
    }
}

/// The elements of two lists, aligned.
fn aligned<'g>(old: &'g [Go], new: &'g [Go], lists: u32) -> Vec<(String, Pair<'g>)> {
    let mut pairs: BTreeMap<(usize, usize), Pair<'g>> = BTreeMap::new();
    let found = edits(old.len(), new.len(), |x, y| {
        pairs.entry((x, y)).or_insert_with(|| Pair::within(&old[x], &new[y], lists)).likeness()
    });
    let (mut x, mut y) = (0, 0);
    let mut parts = Vec::new();
    for edit in found {
        let part = match edit {
            Edit::Removed => Pair::leaf(old.get(x), None),
            Edit::Added => Pair::leaf(None, new.get(y)),
            Edit::Paired => pairs.remove(&(x, y)).unwrap_or_else(|| Pair::within(&old[x], &new[y], lists)),
        };
        x += usize::from(edit != Edit::Added);
        y += usize::from(edit != Edit::Removed);
        parts.push((String::new(), part));
    }
    parts
}
