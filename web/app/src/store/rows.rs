//! The table of all installed versions of a comparison: its columns.

use super::table::TableFilter;
use views::RowView;

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowColumn {
    Channel,
    Installed,
    /// What becomes of it before the change.
    Before,
    /// What becomes of it after the change.
    After,
    Rule,
}

impl RowColumn {
    /// All columns in the order shown, with their heads.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::Channel, "Channel"),
        (Self::Installed, "Installed"),
        (Self::Before, "Before"),
        (Self::After, "After"),
        (Self::Rule, "What changes"),
    ];
}

/// Kinds of installed versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// Those that the change makes a difference for.
    Changed,
}

/// Which installed versions are shown, and in which order: else that of the catalog.
pub type RowFilter = TableFilter<RowKind, RowColumn>;

impl RowFilter {
    /// The rows that are shown, in order.
    #[must_use]
    pub fn rows<'v>(&self, rows: &'v [RowView]) -> Vec<&'v RowView> {
        let texts = |row: &'v RowView| {
            let texts = [&*row.channel, &row.installed, &row.label, &row.before, &row.after];
            texts.into_iter().chain(row.rule.as_deref()).collect()
        };
        let is_of = |row: &RowView, RowKind::Changed| row.level.is_some();
        self.apply(rows.iter(), texts, is_of, |a, b, column| match column {
            RowColumn::Channel => a.channel.cmp(&b.channel),
            RowColumn::Installed => a.order.cmp(&b.order),
            RowColumn::Before => a.before.cmp(&b.before),
            RowColumn::After => a.after.cmp(&b.after),
            // The worst level first.
            RowColumn::Rule => b.level.cmp(&a.level).then_with(|| a.rule.cmp(&b.rule)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use views::Level;

    #[test]
    fn the_worst_level_is_first_and_nothing_is_last() {
        let row = |(name, level): (&str, Option<Level>)| RowView {
            channel: "stable".to_owned(),
            installed: name.to_owned(),
            label: name.to_owned(),
            order: 0,
            rule: level.map(|level| level.as_str().to_owned()),
            level,
            before: String::new(),
            after: String::new(),
        };
        let levels = [("a", None), ("b", Some(Level::Good)), ("c", Some(Level::Breaking)), ("d", Some(Level::Risky))];
        let rows = levels.map(row);
        let names = |filter: &RowFilter| filter.rows(&rows).into_iter().map(|row| &*row.installed).collect::<Vec<_>>();
        let sorted = RowFilter::default().sorted_by(RowColumn::Rule);
        assert_eq!(names(&sorted), ["c", "d", "b", "a"]);
        assert_eq!(names(&sorted.sorted_by(RowColumn::Rule)), ["a", "b", "d", "c"]);
        assert_eq!(names(&RowFilter { kind: Some(RowKind::Changed), ..sorted }), ["c", "d", "b"]);
    }
}
