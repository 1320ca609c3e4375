//! Collections that are being read: a list or mapping whose end has not come yet.

use crate::budget::Budget;
use crate::mapping::Entry;
use crate::node::same_field;
use crate::{Node, raw::Text};
use source::Span;

/// The key that waits for its value.
pub(super) enum Key {
    /// A key like any other.
    Plain(Text),
    /// `<<`, whose value is merged into the mapping.
    Merge,
    /// `null`, which JSON cannot have.
    Null(Span),
    /// A list or mapping, which yaml.v2 rejects.
    Collection,
}

/// What is collected.
pub(super) enum Items {
    Sequence(Vec<Node>),
    Mapping(Vec<Entry>, Option<Key>),
}

/// An open collection.
pub(super) struct Frame {
    pub(super) items: Items,
    /// First byte in the file.
    pub(super) start: u32,
    /// One past the last byte of the last child.
    pub(super) end: u32,
    /// The number of its anchor, 0 for none.
    pub(super) anchor: usize,
    /// Levels below.
    pub(super) height: usize,
    /// How many nodes had been decoded before it.
    pub(super) decoded_before: u64,
    /// The budget and the number of anchors and aliases before it, if its tree is dropped after it is checked.
    pub(super) unkept: Option<(Budget, usize)>,
}

impl Frame {
    /// The text of a field that was read already.
    pub(super) fn text_of(&self, name: &str) -> Option<&str> {
        let Items::Mapping(entries, _) = &self.items else { return None };
        entries.iter().rev().find(|entry| same_field(&entry.key.value, name))?.node.as_str()
    }

    /// Whether the value that comes next belongs to the key `name`.
    pub(super) fn expects(&self, name: &str) -> bool {
        matches!(&self.items, Items::Mapping(_, Some(Key::Plain(key))) if same_field(&key.value, name))
    }

    /// Whether a key comes next.
    pub(super) fn expects_key(&self) -> bool {
        matches!(self.items, Items::Mapping(_, None))
    }
}
