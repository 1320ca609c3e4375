//! The entries of a channel, with an index of their names.

use crate::model::Entry;
use std::ops::{Deref, DerefMut};
use std::sync::OnceLock;

/// Lists up to this length are searched without an index.
const SHORT: usize = 16;

/// The entries of a channel in the order of the text. It is used as a `Vec`; a look-up by name takes logarithmic time.
#[derive(Clone, Debug, Default)]
pub struct Entries {
    list: Vec<Entry>,
    /// The positions in the list by name, of equal names the first one first. Made by the first look-up, and dropped by
    /// whatever may change the list.
    by_name: OnceLock<Vec<u32>>,
}

impl Entries {
    /// The first entry with a name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Entry> {
        if self.list.len() <= SHORT {
            return self.list.iter().find(|entry| entry.name.value.as_str() == name);
        }
        let by_name = self.by_name.get_or_init(|| {
            let mut positions: Vec<u32> = (0..self.list.len() as u32).collect();
            positions.sort_by_key(|&at| &self.list[at as usize].name.value);
            positions
        });
        let name_at = |at: &u32| self.list[*at as usize].name.value.as_str();
        let first = by_name.partition_point(|at| name_at(at) < name);
        by_name.get(first).filter(|at| name_at(at) == name).map(|&at| &self.list[at as usize])
    }
}

impl Deref for Entries {
    type Target = Vec<Entry>;

    fn deref(&self) -> &Vec<Entry> {
        &self.list
    }
}

impl DerefMut for Entries {
    fn deref_mut(&mut self) -> &mut Vec<Entry> {
        self.by_name.take();
        &mut self.list
    }
}

impl PartialEq for Entries {
    fn eq(&self, other: &Self) -> bool {
        self.list == other.list
    }
}

impl FromIterator<Entry> for Entries {
    fn from_iter<T: IntoIterator<Item = Entry>>(entries: T) -> Self {
        Self { list: entries.into_iter().collect(), by_name: OnceLock::new() }
    }
}

impl<'e> IntoIterator for &'e Entries {
    type Item = &'e Entry;
    type IntoIter = std::slice::Iter<'e, Entry>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use source::{FileId, Span, Spanned};

    fn entry(name: &str, at: u32) -> Entry {
        let span = Span::new(FileId(0), at, at);
        Entry { span, name: Spanned::new(name.into(), span), replaces: None, skips: Vec::new(), skip_range: None }
    }

    #[test]
    fn the_first_entry_of_a_name_is_found_after_every_change() {
        for count in [3, 40] {
            let mut entries: Entries = (0..count).map(|at| entry(&format!("p.v{}", at / 2), at)).collect();
            let found = |entries: &Entries, name: &str| entries.named(name).map(|entry| entry.span.start);
            assert_eq!((found(&entries, "p.v1"), found(&entries, "p.v99")), (Some(2), None));
            entries.push(entry("p.v99", 100));
            assert_eq!(found(&entries, "p.v99"), Some(100));
            entries.remove(2);
            assert_eq!(found(&entries, "p.v1"), (count > 3).then_some(3));
        }
    }
}
