//! Rows with the same fate as one group: nobody reads a table of all versions and channels first.

use crate::fate::Fate;
use crate::row::Row;
use crate::verdict::RowRule;

/// Rows of one channel that the same rule is about, and whose updates end alike before and after the change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group<'r> {
    /// The rule.
    pub rule: RowRule,
    /// The rows, by version.
    pub rows: Vec<&'r Row>,
}

/// The rows that a rule is about in groups: the worst first, then by channel and version.
#[must_use]
pub fn groups(rows: &[Row]) -> Vec<Group<'_>> {
    let mut found: Vec<(RowRule, &Row)> = rows.iter().filter_map(|row| Some((row.rule?, row))).collect();
    found.sort_by_key(|(rule, row)| (severity(*rule), &row.channel, &row.version, &row.installed));
    let mut groups: Vec<Group<'_>> = Vec::new();
    for (rule, row) in found {
        match groups.iter_mut().find(|group| group.rule == rule && ends_alike(group.rows[0], row)) {
            Some(group) => group.rows.push(row),
            None => groups.push(Group { rule, rows: vec![row] }),
        }
    }
    groups
}

/// The position of a rule among all, which are in the order of their severity.
fn severity(rule: RowRule) -> usize {
    RowRule::ALL.iter().position(|other| *other == rule).unwrap_or(RowRule::ALL.len())
}

/// Whether both stay where they are, or their updates lead to the same end, in each state.
fn ends_alike(a: &Row, b: &Row) -> bool {
    let is_same = |one: &Fate, other: &Fate| {
        let last = |fate: &Fate| fate.hops.last().map(|hop| hop.to.clone());
        (&one.state, one.repeats, &one.error) == (&other.state, other.repeats, &other.error)
            && (one.repeats || last(one) == last(other))
    };
    a.channel == b.channel && is_same(&a.old, &b.old) && is_same(&a.new, &b.new)
}
