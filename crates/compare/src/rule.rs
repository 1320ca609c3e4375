//! What all rules of comparisons have, and the list of them.

use crate::change::ChangeRule;
use crate::extension_rule::ExtensionRule;
use crate::level::Level;
use crate::verdict::RowRule;

/// A rule of comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComparisonRule {
    /// Its id.
    pub id: &'static str,
    /// Its level, unless the user chose another one.
    pub level: Level,
    /// What it says, as a sentence.
    pub about: &'static str,
    /// What clusters do and show, and what helps. Names are in backticks.
    pub effect: &'static str,
}

/// All rules: those about installed versions under OLM v0 and under OLM v1, then those about other changes.
#[must_use]
pub fn rules() -> Vec<ComparisonRule> {
    let rows =
        RowRule::ALL.into_iter().map(RowRule::rule).chain(ExtensionRule::ALL.into_iter().map(ExtensionRule::rule));
    let mut rules: Vec<ComparisonRule> = rows.collect();
    for rule in ChangeRule::ALL.into_iter().map(ChangeRule::rule) {
        // A row and a change share the rule about `olm.deprecated`.
        if rules.iter().all(|known| known.id != rule.id) {
            rules.push(rule);
        }
    }
    rules
}
