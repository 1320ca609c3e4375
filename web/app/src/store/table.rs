//! What the tables of the page have in common: which of their rows are shown, and in which order.

use std::cmp::Ordering;

/// The sort key of a cell: empty cells come last.
pub(super) fn cell_key<T: Ord>(cell: Option<T>) -> (bool, Option<T>) {
    (cell.is_none(), cell)
}

/// Which rows of a table are shown, and in which order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableFilter<K, C> {
    /// Rows that contain this text.
    pub text: String,
    /// Columns whose head contains this text; for a table whose columns are not always the same.
    pub head: String,
    /// Only rows of this kind.
    pub kind: Option<K>,
    /// Sorted by this column, else in the table's own order.
    pub by: Option<C>,
    /// Whether the order is reversed.
    pub reversed: bool,
}

// Derived, it would ask for a default kind and a default column.
impl<K, C> Default for TableFilter<K, C> {
    fn default() -> Self {
        Self { text: String::new(), head: String::new(), kind: None, by: None, reversed: false }
    }
}

impl<K: Copy + PartialEq, C: Clone + PartialEq> TableFilter<K, C> {
    /// After a click on the head of a column: sorted by it, then reversed, then in the table's own order again.
    #[must_use]
    pub fn sorted_by(&self, column: C) -> Self {
        let (by, reversed) = match (self.by.as_ref() == Some(&column), self.reversed) {
            (true, true) => (None, false),
            (true, false) => (Some(column), true),
            (false, _) => (Some(column), false),
        };
        Self { by, reversed, ..self.clone() }
    }

    /// The rows that are shown, in order: `texts` are those of a row that are searched, `is_of` says whether it is of a
    /// kind, and `compare` is the ascending order by a column.
    pub(super) fn apply<'t, R: Copy>(
        &self,
        rows: impl Iterator<Item = R>,
        texts: impl Fn(R) -> Vec<&'t str>,
        is_of: impl Fn(R, K) -> bool,
        compare: impl Fn(R, R, &C) -> Ordering,
    ) -> Vec<R> {
        let needle = self.text.trim().to_lowercase();
        let has_text = |row: R| texts(row).iter().any(|text| text.to_lowercase().contains(&needle));
        let is_shown = |row: &R| self.kind.is_none_or(|kind| is_of(*row, kind)) && has_text(*row);
        let mut shown: Vec<R> = rows.filter(is_shown).collect();
        if let Some(column) = &self.by {
            shown.sort_by(|a, b| compare(*a, *b, column));
        }
        if self.reversed {
            shown.reverse();
        }
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows that a filter shows, each of one cell; `-` for the empty one.
    fn shown(filter: &TableFilter<char, ()>) -> Vec<&'static str> {
        let rows = [Some("b2"), None, Some("A1"), Some("b1")];
        let texts = |row: Option<&'static str>| vec![row.unwrap_or_default()];
        let is_of = |row: Option<&str>, kind: char| row.is_some_and(|text| text.contains(kind));
        let shown = filter.apply(rows.into_iter(), texts, is_of, |a, b, ()| cell_key(a).cmp(&cell_key(b)));
        shown.into_iter().map(|row| row.unwrap_or("-")).collect()
    }

    #[test]
    fn a_third_click_on_a_head_restores_the_order() {
        let filter = TableFilter::default();
        assert_eq!(shown(&filter), ["b2", "-", "A1", "b1"]);
        let filter = filter.sorted_by(());
        assert_eq!(shown(&filter), ["A1", "b1", "b2", "-"]);
        let filter = filter.sorted_by(());
        assert_eq!(shown(&filter), ["-", "b2", "b1", "A1"]);
        assert_eq!(filter.sorted_by(()), TableFilter::default());
    }

    #[test]
    fn text_and_kind_narrow_the_rows() {
        let text = |text: &str| TableFilter { text: text.to_owned(), ..TableFilter::default() };
        assert_eq!(shown(&text(" B")), ["b2", "b1"]);
        assert_eq!(shown(&TableFilter { kind: Some('b'), ..text("1") }), ["b1"]);
    }
}
