//! Installed versions with the same fate under OLM v1 as one group.

use crate::extension::{ExtensionCase, ExtensionRow};
use crate::extension_rule::ExtensionRule;
use crate::path::Path;
use catalog::{BundleName, ChannelName};
use std::collections::{BTreeMap, BTreeSet};

/// Installed versions that the same rule is about, with extensions that name the same channels, and whose updates end alike
/// before and after the change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtensionGroup<'r> {
    /// The rule.
    pub rule: ExtensionRule,
    /// The channel that the extensions name; absent if they name none.
    pub channel: Option<&'r ChannelName>,
    /// The rows, in the order of the text.
    pub rows: Vec<&'r ExtensionRow>,
}

impl<'r> ExtensionGroup<'r> {
    /// What becomes of one of its rows.
    #[must_use]
    pub fn case(&self, row: &'r ExtensionRow) -> &'r ExtensionCase {
        row.case(self.channel)
    }
}

/// The rows that a rule is about in groups: the worst first; before those of single channels those of extensions without
/// channels, which are listed once for each installed bundle.
#[must_use]
pub fn extension_groups(rows: &[ExtensionRow]) -> Vec<ExtensionGroup<'_>> {
    let mut told: BTreeSet<&BundleName> = BTreeSet::new();
    let mut found = Vec::new();
    for row in rows.iter().filter(|row| told.insert(&row.installed)) {
        found.extend(row.all.rule.map(|rule| (rule, None, row)));
    }
    found.extend(rows.iter().filter_map(|row| Some((row.one.rule?, Some(&row.channel), row))));
    found.sort_by_key(|(rule, channel, _)| (*rule, *channel));
    let mut groups: Vec<ExtensionGroup<'_>> = Vec::new();
    let mut known: BTreeMap<_, usize> = BTreeMap::new();
    for (rule, channel, row) in found {
        let case = row.case(channel);
        let at = *known.entry((rule, channel, end(&case.old), end(&case.new))).or_insert_with(|| {
            groups.push(ExtensionGroup { rule, channel, rows: Vec::new() });
            groups.len() - 1
        });
        groups[at].rows.push(row);
    }
    groups
}

fn end(path: &Path) -> (Option<&BundleName>, bool, bool) {
    (path.last().map(|(name, _)| name), path.repeats, path.error.is_some())
}
