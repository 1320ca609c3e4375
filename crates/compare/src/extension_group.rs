//! Installed versions with the same fate under OLM v1 as one group.

use crate::extension::{ExtensionCase, ExtensionRow};
use crate::extension_rule::ExtensionRule;
use catalog::{BundleName, ChannelName};
use std::collections::BTreeSet;

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
    for (rule, channel, row) in found {
        let is_its = |group: &&mut ExtensionGroup<'_>| {
            let (one, other) = (group.case(group.rows[0]), if channel.is_none() { &row.all } else { &row.one });
            group.rule == rule && group.channel == channel && ends_alike(one, other)
        };
        match groups.iter_mut().find(is_its) {
            Some(group) => group.rows.push(row),
            None => groups.push(ExtensionGroup { rule, channel, rows: vec![row] }),
        }
    }
    groups
}

fn ends_alike(one: &ExtensionCase, other: &ExtensionCase) -> bool {
    let end = |case: &ExtensionCase| {
        [&case.old, &case.new]
            .map(|fate| (fate.hops.last().map(|hop| hop.to.clone()), fate.repeats, fate.error.is_some()))
    };
    end(one) == end(other)
}
