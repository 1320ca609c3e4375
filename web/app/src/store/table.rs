//! What the tables of the page have in common: which of their rows are shown, and in which order.

use opscope_drawing::SimulatedEntries;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use views::{EdgeKind, EntryKey, GraphView, Mark, NodeView};

/// The sort key of a cell: empty cells come last.
fn cell_key<T: Ord>(cell: Option<T>) -> (bool, Option<T>) {
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

// The table of entries: its rows and columns.

/// An entry as a row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableEntry {
    pub key: EntryKey,
    /// The index of its node.
    pub node: usize,
    /// Its version, else its name.
    pub label: String,
    /// Versions, else names, of entries that it replaces.
    pub replaces: String,
    /// Versions, else names, of entries that it skips.
    pub skips: String,
    /// Its skipRange as written.
    pub skip_range: Option<String>,
    /// Its marks, without those that others imply.
    pub marks: Vec<Mark>,
    /// The marks in words, and the label of the simulation: installed, or chosen in a step.
    pub words: String,
    pub findings: u32,
    /// Where its version, and the oldest that it replaces and skips, is among all versions of the package.
    pub versions: [Option<u32>; 3],
}

/// The columns of the table, in the order shown: what is special about an entry comes before its fields, which are
/// long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryColumn {
    /// The version, else the name.
    Entry,
    Channel,
    Marks,
    Findings,
    Replaces,
    Skips,
    SkipRange,
}

impl EntryColumn {
    /// All columns in the order shown, with their heads.
    pub const ALL: [(Self, &'static str); 7] = [
        (Self::Entry, "Entry"),
        (Self::Channel, "Channel"),
        (Self::Marks, "Marks"),
        (Self::Findings, "Findings"),
        (Self::Replaces, "Replaces"),
        (Self::Skips, "Skips"),
        (Self::SkipRange, "skipRange"),
    ];
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    WithFindings,
    Marked(Mark),
}

/// Which entries the table shows, and in which order: else channel by channel, newest first.
pub type EntryFilter = TableFilter<EntryKind, EntryColumn>;

impl EntryFilter {
    /// The entries that are shown, in order. Versions are compared by their place among those of the package, not as
    /// text.
    #[must_use]
    pub fn entries<'r>(&self, rows: &'r [TableEntry]) -> Vec<&'r TableEntry> {
        let texts = |row: &'r TableEntry| {
            let texts = [&*row.label, &row.key.name, &row.replaces, &row.skips];
            texts.into_iter().chain(row.key.channel.as_deref()).chain(row.skip_range.as_deref()).collect()
        };
        let is_of = |row: &TableEntry, kind| match kind {
            EntryKind::WithFindings => row.findings > 0,
            EntryKind::Marked(mark) => row.marks.contains(&mark),
        };
        let version =
            |a: &TableEntry, b: &TableEntry, at: usize| cell_key(a.versions[at]).cmp(&cell_key(b.versions[at]));
        self.apply(rows.iter(), texts, is_of, |a, b, column| match column {
            EntryColumn::Entry => version(a, b, 0),
            EntryColumn::Channel => cell_key(a.key.channel.as_ref()).cmp(&cell_key(b.key.channel.as_ref())),
            EntryColumn::Marks => (a.marks.is_empty(), &a.marks).cmp(&(b.marks.is_empty(), &b.marks)),
            EntryColumn::Findings => a.findings.cmp(&b.findings),
            EntryColumn::Replaces => version(a, b, 1),
            EntryColumn::Skips => version(a, b, 2),
            EntryColumn::SkipRange => cell_key(a.skip_range.as_ref()).cmp(&cell_key(b.skip_range.as_ref())),
        })
    }
}

/// The entries of a graph as rows, lane by lane, newest first.
#[must_use]
pub fn entry_rows(graph: &GraphView, simulated: &SimulatedEntries) -> Vec<TableEntry> {
    // Collected once: looking through all edges for each entry would be quadratic.
    let mut older: BTreeMap<(u32, EdgeKind), Vec<&NodeView>> = BTreeMap::new();
    for edge in &graph.edges {
        older.entry((edge.to, edge.kind)).or_default().extend(graph.nodes.get(edge.from as usize));
    }
    let bands: BTreeMap<u32, &str> = graph.bands.iter().rev().map(|band| (band.to, &*band.range)).collect();
    let mut rows: Vec<(u32, TableEntry)> = Vec::new();
    for (node, index) in graph.nodes.iter().zip(0..) {
        let older = |kind| older.get(&(index, kind)).map(Vec::as_slice).unwrap_or_default();
        let labels = |kind| older(kind).iter().map(|node| node.label.as_str()).collect::<Vec<_>>().join(", ");
        let oldest = |kind| older(kind).iter().map(|node| node.column).min();
        let marks = distinct(&node.marks);
        let words = marks.iter().map(|mark| mark.word().to_owned()).chain(simulated.label(&node.key));
        let row = TableEntry {
            key: node.key.clone(),
            node: index as usize,
            findings: node.findings,
            label: node.label.clone(),
            replaces: labels(EdgeKind::Replaces),
            skips: labels(EdgeKind::Skips),
            skip_range: bands.get(&index).copied().or(node.bad_range.as_deref()).map(str::to_owned),
            words: words.collect::<Vec<_>>().join(", "),
            marks,
            versions: [Some(node.column), oldest(EdgeKind::Replaces), oldest(EdgeKind::Skips)],
        };
        rows.push((node.lane, row));
    }
    // The nodes of a lane are the oldest first; the sort keeps the order within a lane.
    rows.reverse();
    rows.sort_by_key(|(lane, _)| *lane);
    rows.into_iter().map(|(_, row)| row).collect()
}

/// The marks without those that another one implies: what is not in the channel cannot be a startingCSV.
fn distinct(marks: &[Mark]) -> Vec<Mark> {
    let implied = |mark: Mark| match mark {
        Mark::NotStartable => marks.contains(&Mark::Ghost),
        Mark::Head
        | Mark::Skipped
        | Mark::Pruned
        | Mark::Ghost
        | Mark::Stranded
        | Mark::Switch
        | Mark::NoWayOn
        | Mark::Deprecated
        | Mark::NoBundle
        | Mark::UnknownBundle
        | Mark::BadRange
        | Mark::Added
        | Mark::Removed
        | Mark::Harmed
        | Mark::AtRisk
        | Mark::RuntimesDiffer => false,
    };
    marks.iter().copied().filter(|mark| !implied(*mark)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use opscope_drawing::testing;
    use views::EdgeView;

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

    /// 1.9.0 and 1.10.0 in `stable`, which replaces it; `fast` does not list 1.10.0.
    fn graph() -> GraphView {
        let node = |lane, column, channel: &str, label: &str, marks: &[Mark], findings| NodeView {
            column,
            key: EntryKey { channel: Some(channel.to_owned()), name: format!("p.v{label}") },
            label: label.to_owned(),
            marks: marks.to_vec(),
            findings,
            ..testing::node(lane, 0, 0)
        };
        let nodes = vec![
            node(0, 0, "stable", "1.9.0", &[], 0),
            node(0, 1, "stable", "1.10.0", &[Mark::Head], 2),
            node(1, 1, "fast", "1.10.0", &[Mark::Ghost, Mark::NotStartable], 0),
        ];
        let edge = EdgeView {
            kind: EdgeKind::Replaces,
            from: 0,
            to: 1,
            points: Vec::new(),
            ignored: false,
            quiet: false,
            presence: views::Presence::Both,
        };
        GraphView { nodes, edges: vec![edge], ..testing::graph(&[]) }
    }

    /// `label channel` of the rows that a filter shows.
    fn shown_entries(filter: &EntryFilter) -> Vec<String> {
        let (graph, simulated) = (graph(), SimulatedEntries::default());
        let rows = entry_rows(&graph, &simulated);
        filter
            .entries(&rows)
            .into_iter()
            .map(|row| format!("{} {}", row.label, row.key.channel.as_deref().unwrap_or_default()))
            .collect()
    }

    #[test]
    fn rows_are_sorted_by_version_and_not_as_text() {
        let filter = EntryFilter::default();
        assert_eq!(shown_entries(&filter), ["1.10.0 stable", "1.9.0 stable", "1.10.0 fast"]);
        let filter = filter.sorted_by(EntryColumn::Entry);
        assert_eq!(shown_entries(&filter), ["1.9.0 stable", "1.10.0 stable", "1.10.0 fast"]);
        let filter = filter.sorted_by(EntryColumn::Entry);
        assert_eq!(shown_entries(&filter), ["1.10.0 fast", "1.10.0 stable", "1.9.0 stable"]);
        assert_eq!(filter.sorted_by(EntryColumn::Entry), EntryFilter::default());
        let by = |column| shown_entries(&filter.sorted_by(column));
        assert_eq!(by(EntryColumn::Channel), ["1.10.0 fast", "1.10.0 stable", "1.9.0 stable"]);
        assert_eq!(by(EntryColumn::Replaces)[0], "1.10.0 stable");
        assert_eq!(by(EntryColumn::Findings)[2], "1.10.0 stable");
    }

    #[test]
    fn rows_are_filtered_by_text_and_kind() {
        let text = |text: &str| shown_entries(&EntryFilter { text: text.to_owned(), ..EntryFilter::default() });
        assert_eq!(text("FAST"), ["1.10.0 fast"]);
        assert_eq!(text("1.9"), ["1.10.0 stable", "1.9.0 stable"], "an entry that replaces it has it in a field");
        let kind = |kind| shown_entries(&EntryFilter { kind: Some(kind), ..EntryFilter::default() });
        assert_eq!(kind(EntryKind::WithFindings), ["1.10.0 stable"]);
        assert_eq!(kind(EntryKind::Marked(Mark::Ghost)), ["1.10.0 fast"]);
    }

    #[test]
    fn one_word_stands_for_one_thing() {
        assert_eq!(distinct(&[Mark::Ghost, Mark::NotStartable, Mark::Deprecated]), [Mark::Ghost, Mark::Deprecated]);
    }
}
