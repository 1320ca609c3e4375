//! A package in both states, with what the rules about changes need of it.

use super::exchange::Exchange;
use crate::edit::Edit;
use crate::row::Row;
use crate::rule::Rule;
use crate::state::State;
use catalog::predicate::{Gvk, Property};
use catalog::{BundleDetails, BundleName, Catalog, ChannelName, Package};
use source::Level;
use std::collections::{BTreeMap, BTreeSet};

/// A change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub rule: Rule,
    /// What changed, and what this means for clusters.
    pub message: String,
    /// Where it is in the texts.
    pub edit: Edit,
}

/// A package in both states.
pub(super) struct Case<'c> {
    pub(super) states: [State<'c>; 2],
    pub(super) old: &'c Package,
    pub(super) new: &'c Package,
    /// The catalog after the change.
    pub(super) catalog: &'c Catalog,
    pub(super) edits: Vec<Edit>,
    pub(super) rows: BTreeMap<(&'c ChannelName, &'c BundleName), &'c Row>,
    pub(super) harmed: Harmed<'c>,
    pub(super) exchanges: Vec<Exchange<'c>>,
    /// The details of the heads that were exchanged, and of those that took their place.
    pub(super) old_heads: BTreeMap<&'c BundleName, BundleDetails>,
    pub(super) new_heads: BTreeMap<&'c BundleName, BundleDetails>,
}

impl<'c> Case<'c> {
    pub(super) fn row(&self, channel: &'c ChannelName, installed: &'c BundleName) -> Option<&'c Row> {
        self.rows.get(&(channel, installed)).copied()
    }
}

/// What the rows say that harms somebody.
#[derive(Default)]
pub(super) struct Harmed<'c> {
    pub(super) rows: BTreeSet<(&'c ChannelName, &'c BundleName)>,
    pub(super) channels: BTreeSet<&'c ChannelName>,
    pub(super) installed: BTreeSet<&'c BundleName>,
}

impl<'c> Harmed<'c> {
    pub(super) fn of(rows: impl Iterator<Item = &'c Row>) -> Self {
        let mut harmed = Self::default();
        for Row { channel, installed, .. } in rows.filter(|row| row.rule.map(Rule::level) >= Some(Level::Risky)) {
            harmed.rows.insert((channel, installed));
            harmed.channels.insert(channel);
            harmed.installed.insert(installed);
        }
        harmed
    }
}

/// The APIs that a bundle provides.
pub(super) fn provided(bundle: &catalog::Bundle) -> Vec<&Gvk> {
    let apis = bundle.properties.iter().filter_map(|property| match &property.value {
        Property::Gvk(gvk, _) => Some(gvk),
        _ => None,
    });
    apis.collect()
}
