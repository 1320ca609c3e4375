//! Whether a repaired channel is no worse than the present one to anybody, by the comparison of both states.

use crate::question::Question;
use catalog::{Catalog, Channel, Package};
use compare::{Row, Rule, State, compare_package};
use source::{Level, Runtime};
use std::collections::BTreeSet;

/// Whether the comparison confirms a repair, under OLM v0 and OLM v1: no row is broken that is not broken without the repair. Both
/// states are taken as served, even if `opm` rejects the present one: else nothing could be worse than that.
#[must_use]
pub fn is_harmless(question: &Question<'_>, repaired: &Channel) -> bool {
    let mut after = question.after.clone();
    for channel in after.channels.iter_mut().filter(|channel| channel.name.value == repaired.name.value) {
        *channel = repaired.clone();
    }
    let alone = |package: &Package| Catalog { packages: vec![package.clone().into()], ..Catalog::default() };
    let before = alone(question.before.unwrap_or(question.after));
    let old = State { catalog: &before, rejected: None };
    let compared = |to: &Catalog| {
        let new = State { catalog: to, rejected: None };
        compare_package(old, new, &question.after.name, Runtime::Both)
    };
    let without = compared(&alone(question.after));
    let is_broken = |row: &&Row| row.rule.map(Rule::level) == Some(Level::Breaking);
    let were_broken: BTreeSet<_> = without.rows.iter().filter(is_broken).map(Row::key).collect();
    let with = compared(&alone(&after));
    with.rows.iter().filter(is_broken).all(|row| were_broken.contains(&row.key()))
}
