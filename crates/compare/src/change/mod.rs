//! What else changed in a package, besides the updates of its versions. A change that a row is
//! about already is left out.

mod bundles;
mod case;
mod details;
mod entries;
mod exchange;
mod heads;
mod lifecycle;
mod package;
mod providers;
mod unlisted;

use crate::edit::edits;
use crate::row::PackageComparison;
use crate::state::State;
pub use case::Change;
use case::{Case, Harmed};
use exchange::exchanges;
use source::FileId;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The texts of both states, from which the rules read what the models leave out. Each gives the text of a file, if that is
/// still known; rules that need another one find nothing.
#[derive(Clone, Copy)]
pub struct Texts<'t> {
    /// Before the change.
    pub old: &'t dyn Fn(FileId) -> Option<Cow<'t, str>>,
    /// After the change.
    pub new: &'t dyn Fn(FileId) -> Option<Cow<'t, str>>,
}

/// The changes to a package that both states have, the worst first.
#[must_use]
pub fn changes(old: State<'_>, new: State<'_>, comparison: &PackageComparison, texts: Texts<'_>) -> Vec<Change> {
    let name = comparison.package.as_str();
    let Some((before, after)) = old.catalog.package(name).zip(new.catalog.package(name)) else { return Vec::new() };
    let exchanges = exchanges(before, after);
    let heads = exchanges.iter().filter_map(|exchange| exchange.bundles);
    let case = Case {
        states: [old, new],
        old: before,
        new: after,
        catalog: new.catalog,
        edits: edits(before, after),
        rows: comparison.subscriptions().map(|row| ((&row.channel, &row.installed), row)).collect(),
        harmed: Harmed::of(comparison.subscriptions()),
        old_heads: details::read(heads.clone().map(|(old, _)| old), texts.old),
        new_heads: details::read(heads.map(|(_, new)| new), texts.new),
        exchanges,
    };
    let mut found: Vec<Change> = Vec::new();
    let mut known = BTreeSet::new();
    let of_entries = [entries::removed, entries::skipped, unlisted::changes, providers::lost, heads::changed];
    let of_heads = [heads::provides, heads::requires, heads::max_openshift];
    let of_details = [details::min_kube, details::install_modes, details::related_images];
    let of_bundles = [bundles::changed, bundles::duplicates];
    let of_package = [package::channels, package::unselectable_channels, package::deprecations];
    let of_lifecycle = [lifecycle::ends_earlier, lifecycle::changed];
    let rules = of_entries.into_iter().chain(of_heads).chain(of_details).chain(of_bundles).chain(of_package);
    let rules = rules.chain(of_lifecycle);
    for change in rules.flat_map(|rule| rule(&case)) {
        // Channels often share their heads.
        if known.insert((change.rule, change.message.clone())) {
            found.push(change);
        }
    }
    found.sort_by_key(|change| std::cmp::Reverse(change.rule.level()));
    found
}
