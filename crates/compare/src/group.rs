//! Rows with the same outcome as one group: nobody reads a table of all versions and channels first.

use crate::path::{ChannelState, Path};
use crate::row::Row;
use crate::rule::Rule;
use catalog::BundleName;
use std::collections::BTreeMap;

/// Rows that the same rule is about, with Subscriptions or extensions that name the same channel, and whose updates end alike
/// before and after the change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group<'r> {
    pub rule: Rule,
    /// The first row, which stands for all.
    pub first: &'r Row,
    /// The rows with the first one: those of OLM v0 by version, those of OLM v1 in the order of the text.
    pub rows: Vec<&'r Row>,
}

/// The rows that a rule is about in groups: those of OLM v0 before those of OLM v1, the worst first, then by channel.
#[must_use]
pub fn groups<'r>(rows: impl IntoIterator<Item = &'r Row>) -> Vec<Group<'r>> {
    let mut found: Vec<(Rule, &Row)> = rows.into_iter().filter_map(|row| Some((row.rule?, row))).collect();
    // The errors of OLM v1 depend on the version: the cause of the newest one, which texts list first, is the simplest.
    let by_version = |row: &Row| (!row.updated_by.is_v1()).then(|| (row.version.clone(), row.installed.clone()));
    found.sort_by_cached_key(|(rule, row)| (*rule, row.named_channel(), by_version(row)));
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut known: BTreeMap<_, usize> = BTreeMap::new();
    for (rule, row) in found {
        let at =
            *known.entry((rule, row.named_channel(), end(row, &row.old), end(row, &row.new))).or_insert_with(|| {
                groups.push(Group { rule, first: row, rows: Vec::new() });
                groups.len() - 1
            });
        groups[at].rows.push(row);
    }
    groups
}

/// How the updates end: those of a group stay where they are, or lead to the same end.
type End<'r> = (&'r ChannelState, bool, Option<&'r str>, Option<&'r BundleName>);

fn end<'r>(row: &Row, path: &'r Path) -> End<'r> {
    let last = path.last().map(|(name, _)| name).filter(|_| !path.repeats);
    // The errors of OLM v1 name the installed version.
    let error = path.error_text().map(|text| if row.updated_by.is_v1() { "" } else { text });
    (&path.state, path.repeats, error, last)
}
