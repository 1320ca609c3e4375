//! The table of entries: its rows, filtered and sorted.

use opscope_drawing::SimulatedEntries;
use std::cmp::Ordering;
use views::{EdgeKind, EntryKey, GraphView, Mark};

/// An entry as a row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow<'a> {
    /// The entry.
    pub key: &'a EntryKey,
    /// The index of its node.
    pub node: usize,
    /// Its version, else its name.
    pub label: &'a str,
    /// Versions, else names, of entries that it replaces.
    pub replaces: Vec<&'a str>,
    /// Versions, else names, of entries that it skips.
    pub skips: Vec<&'a str>,
    /// Its skipRange as written.
    pub skip_range: Option<&'a str>,
    /// Its marks, without those that others imply.
    pub marks: Vec<Mark>,
    /// The label of the simulation: installed, or chosen in a step.
    pub simulated: Option<String>,
    /// The number of findings about it.
    pub findings: u32,
    /// Where its version, and the oldest that it replaces and skips, is among all versions of the package.
    versions: [Option<u32>; 3],
}

/// The columns of the table, in the order shown: what is special about an entry comes before its fields, which are
/// long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableColumn {
    /// The version, else the name.
    Entry,
    /// The channel.
    Channel,
    /// The marks.
    Marks,
    /// The number of findings.
    Findings,
    /// `replaces`
    Replaces,
    /// `skips`
    Skips,
    /// `skipRange`
    SkipRange,
}

impl TableColumn {
    /// In the order shown.
    pub const ALL: [Self; 7] =
        [Self::Entry, Self::Channel, Self::Marks, Self::Findings, Self::Replaces, Self::Skips, Self::SkipRange];

    /// Versions are compared by their place among those of the package, not as text. Empty cells come last.
    fn compare(self, a: &TableRow<'_>, b: &TableRow<'_>) -> Ordering {
        let version = |at: usize| {
            let key = |row: &TableRow<'_>| (row.versions[at].is_none(), row.versions[at]);
            key(a).cmp(&key(b))
        };
        let text = |a: Option<&str>, b: Option<&str>| (a.is_none(), a).cmp(&(b.is_none(), b));
        match self {
            Self::Entry => version(0),
            Self::Channel => text(a.key.channel.as_deref(), b.key.channel.as_deref()),
            Self::Marks => (a.marks.is_empty(), &a.marks).cmp(&(b.marks.is_empty(), &b.marks)),
            Self::Findings => a.findings.cmp(&b.findings),
            Self::Replaces => version(1),
            Self::Skips => version(2),
            Self::SkipRange => text(a.skip_range, b.skip_range),
        }
    }
}

/// Which entries the table shows, and in which order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableFilter {
    /// Entries that contain this text in a name, a version, a channel or a field.
    pub text: String,
    /// Entries of this kind.
    pub kind: TableKind,
    /// Sorted by this column, else channel by channel, newest first.
    pub by: Option<TableColumn>,
    /// Whether the order is reversed.
    pub reversed: bool,
}

/// Kinds of entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableKind {
    /// All.
    #[default]
    All,
    /// Those with findings.
    WithFindings,
    /// Those with a mark.
    Marked(Mark),
}

impl TableFilter {
    /// The order after a click on the head of a column: by it, then reversed, then as without a click.
    #[must_use]
    pub fn sorted_by(&self, column: TableColumn) -> Self {
        let (by, reversed) = match (self.by == Some(column), self.reversed) {
            (true, true) => (None, false),
            (true, false) => (Some(column), true),
            (false, _) => (Some(column), false),
        };
        Self { by, reversed, ..self.clone() }
    }

    fn shows(&self, row: &TableRow<'_>) -> bool {
        let needle = self.text.trim().to_lowercase();
        let fields = row.replaces.iter().chain(&row.skips).copied().chain(row.skip_range);
        let names = [row.label, &row.key.name].into_iter().chain(row.key.channel.as_deref());
        let of_kind = match self.kind {
            TableKind::All => true,
            TableKind::WithFindings => row.findings > 0,
            TableKind::Marked(mark) => row.marks.contains(&mark),
        };
        of_kind && (needle.is_empty() || names.chain(fields).any(|text| text.to_lowercase().contains(&needle)))
    }

    /// The rows that are shown, in order.
    #[must_use]
    pub fn apply<'a>(&self, mut rows: Vec<TableRow<'a>>) -> Vec<TableRow<'a>> {
        rows.retain(|row| self.shows(row));
        if let Some(column) = self.by {
            rows.sort_by(|a, b| column.compare(a, b));
        }
        if self.reversed {
            rows.reverse();
        }
        rows
    }
}

/// The entries of a graph as rows, lane by lane, newest first.
#[must_use]
pub fn table<'a>(graph: &'a GraphView, simulated: &SimulatedEntries) -> Vec<TableRow<'a>> {
    let older = |to: u32, kind: EdgeKind| {
        let edges = graph.edges.iter().filter(move |edge| edge.to == to && edge.kind == kind);
        edges.filter_map(|edge| graph.nodes.get(edge.from as usize))
    };
    let mut rows: Vec<(u32, TableRow<'a>)> = Vec::new();
    for (node, index) in graph.nodes.iter().zip(0..) {
        let band = graph.bands.iter().find(|band| band.to == index);
        let labels = |kind| older(index, kind).map(|node| node.label.as_str()).collect();
        let oldest = |kind| older(index, kind).map(|node| node.column).min();
        let row = TableRow {
            key: &node.key,
            node: index as usize,
            findings: node.findings,
            label: &node.label,
            replaces: labels(EdgeKind::Replaces),
            skips: labels(EdgeKind::Skips),
            skip_range: band.map(|band| band.range.as_str()).or(node.bad_range.as_deref()),
            marks: distinct(&node.marks),
            simulated: simulated.label(&node.key),
            versions: [Some(node.column), oldest(EdgeKind::Replaces), oldest(EdgeKind::Skips)],
        };
        rows.push((node.lane, row));
    }
    rows.reverse();
    rows.sort_by_key(|(lane, _)| *lane);
    rows.into_iter().map(|(_, row)| row).collect()
}

/// The marks without those that another one implies: what is pruned is not in the channel, and what is not in the
/// channel cannot be a startingCSV.
fn distinct(marks: &[Mark]) -> Vec<Mark> {
    let implied = |mark: Mark| match mark {
        Mark::Ghost => marks.contains(&Mark::Pruned),
        Mark::NotStartable => marks.contains(&Mark::Pruned) || marks.contains(&Mark::Ghost),
        Mark::Head
        | Mark::Skipped
        | Mark::Pruned
        | Mark::Stranded
        | Mark::Deprecated
        | Mark::NoBundle
        | Mark::UnknownBundle
        | Mark::BadRange
        | Mark::Added
        | Mark::Removed
        | Mark::Harmed
        | Mark::RuntimesDiffer => false,
    };
    marks.iter().copied().filter(|mark| !implied(*mark)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use opscope_drawing::testing;
    use views::{EdgeView, NodeView};

    /// 1.9.0 and 1.10.0 in `stable`, which replaces it; 1.10.0 pruned in `fast`.
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
            node(1, 1, "fast", "1.10.0", &[Mark::Ghost, Mark::Pruned, Mark::NotStartable], 0),
        ];
        let edge = EdgeView {
            kind: EdgeKind::Replaces,
            from: 0,
            to: 1,
            points: Vec::new(),
            ignored: false,
            presence: views::Presence::Both,
        };
        GraphView { nodes, edges: vec![edge], ..testing::graph(&[]) }
    }

    /// `label channel` of the rows that a filter shows.
    fn shown(filter: &TableFilter) -> Vec<String> {
        let (graph, simulated) = (graph(), SimulatedEntries::default());
        let rows = filter.apply(table(&graph, &simulated));
        rows.iter().map(|row| format!("{} {}", row.label, row.key.channel.as_deref().unwrap_or_default())).collect()
    }

    #[test]
    fn rows_are_sorted_by_version_and_not_as_text() {
        let filter = TableFilter::default();
        assert_eq!(shown(&filter), ["1.10.0 stable", "1.9.0 stable", "1.10.0 fast"]);
        let filter = filter.sorted_by(TableColumn::Entry);
        assert_eq!(shown(&filter), ["1.9.0 stable", "1.10.0 stable", "1.10.0 fast"]);
        let filter = filter.sorted_by(TableColumn::Entry);
        assert_eq!(shown(&filter), ["1.10.0 fast", "1.10.0 stable", "1.9.0 stable"]);
        assert_eq!(filter.sorted_by(TableColumn::Entry), TableFilter::default());
        let by = |column| shown(&filter.sorted_by(column));
        assert_eq!(by(TableColumn::Channel), ["1.10.0 fast", "1.10.0 stable", "1.9.0 stable"]);
        assert_eq!(by(TableColumn::Replaces)[0], "1.10.0 stable");
        assert_eq!(by(TableColumn::Findings)[2], "1.10.0 stable");
    }

    #[test]
    fn rows_are_filtered_by_text_and_kind() {
        let text = |text: &str| shown(&TableFilter { text: text.to_owned(), ..TableFilter::default() });
        assert_eq!(text("FAST"), ["1.10.0 fast"]);
        assert_eq!(text("1.9"), ["1.10.0 stable", "1.9.0 stable"], "an entry that replaces it has it in a field");
        let kind = |kind| shown(&TableFilter { kind, ..TableFilter::default() });
        assert_eq!(kind(TableKind::WithFindings), ["1.10.0 stable"]);
        assert_eq!(kind(TableKind::Marked(Mark::Pruned)), ["1.10.0 fast"]);
    }

    #[test]
    fn one_word_stands_for_one_thing() {
        assert_eq!(distinct(&[Mark::Ghost, Mark::Pruned, Mark::NotStartable]), [Mark::Pruned]);
        assert_eq!(distinct(&[Mark::Ghost, Mark::NotStartable, Mark::Deprecated]), [Mark::Ghost, Mark::Deprecated]);
    }
}
