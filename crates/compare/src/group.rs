//! Rows with the same fate as one group: nobody reads a table of all versions and channels first.

use crate::path::{ChannelState, Path};
use crate::row::Row;
use crate::verdict::RowRule;
use catalog::BundleName;
use std::collections::BTreeMap;

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
    let mut known: BTreeMap<_, usize> = BTreeMap::new();
    for (rule, row) in found {
        let at = *known.entry((rule, &row.channel, end(&row.old), end(&row.new))).or_insert_with(|| {
            groups.push(Group { rule, rows: Vec::new() });
            groups.len() - 1
        });
        groups[at].rows.push(row);
    }
    groups
}

/// The position of a rule among all, which are in the order of their severity.
fn severity(rule: RowRule) -> usize {
    RowRule::ALL.iter().position(|other| *other == rule).unwrap_or(RowRule::ALL.len())
}

/// How the updates end: those of a group stay where they are, or lead to the same end.
fn end(path: &Path) -> (&ChannelState, bool, Option<&str>, Option<&BundleName>) {
    let last = path.last().map(|(name, _)| name).filter(|_| !path.repeats);
    (&path.state, path.repeats, path.error_text(), last)
}
