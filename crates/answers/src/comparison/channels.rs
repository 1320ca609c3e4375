//! The repairs of the channels of a package that is compared, searched one channel at a time.

use crate::repairs::{ChannelRepairs, RepairScope, repairs_in};
use catalog::predicate::PackageName;
use catalog::{BundleName, ChannelName, Package};
use cluster::Budget;
use compare::{Compared, Row};
use session::Comparison;
use std::collections::BTreeSet;
use views::{FixView, RepairsView};

/// The repairs of a package that is compared, as far as they were searched.
#[derive(Default)]
pub(super) struct Repairs {
    /// The channels that are left, the next one last; `None` before the search.
    left: Option<Vec<ChannelName>>,
    /// What was found, with its words.
    found: Vec<(ChannelRepairs, RepairsView)>,
}

impl Repairs {
    /// Nothing is searched yet.
    pub(super) const fn new() -> Self {
        Self { left: None, found: Vec::new() }
    }

    /// Goes on up to the next channel in which something is wrong, or until channels with about `piece` entries were looked at.
    /// Returns whether any are left.
    pub(super) fn advance(
        &mut self,
        comparison: &Comparison<'_>,
        compared: &Compared,
        installed: &[(PackageName, ChannelName, BundleName)],
        piece: usize,
        budget: &Budget,
    ) -> bool {
        let left = self.left.get_or_insert_with(|| channels(comparison, compared));
        let (mut work, known) = (0, self.found.len());
        while let Some(channel) = left.pop() {
            let scope = RepairScope {
                before: Some(comparison.before),
                after: comparison.after.input,
                package: Some(compared.comparison.package.as_str()),
                channel: Some(channel.as_str()),
                avoid: &[],
                installed,
                budget,
            };
            self.found.extend(repairs_in(scope).into_iter().map(|found| {
                let view = found.view(scope);
                (found, view)
            }));
            let entries =
                |package: &Package| package.channel(channel.as_str()).map_or(0, |channel| channel.entries.len());
            work += comparison.states(compared).into_iter().flatten().map(entries).sum::<usize>();
            if self.found.len() > known || work >= piece {
                break;
            }
        }
        !left.is_empty()
    }

    /// What was found, by channel.
    pub(super) fn views(&self) -> Vec<RepairsView> {
        self.found.iter().map(|(_, view)| view.clone()).collect()
    }

    /// How many channels are left; before the search at least one.
    pub(super) fn left(&self) -> usize {
        self.left.as_ref().map_or(1, Vec::len)
    }

    /// Whether each repair of the channel of a row with a Subscription brings the row to the head.
    pub(super) fn heal(&self, row: &Row) -> bool {
        self.healing(row).is_some()
    }

    /// The repairs that bring a row with a Subscription to the head, each of them.
    pub(super) fn healing(&self, row: &Row) -> Option<&[FixView]> {
        let (_, view) = self.found.iter().find(|(found, _)| found.heal(row))?;
        Some(&view.fixes)
    }
}

/// The channels of both states that are looked at, the first one last. None if nobody edits the text of the state after the
/// change, or if it is about OLM v1 alone: repairs are edits for OLM v0.
fn channels(comparison: &Comparison<'_>, compared: &Compared) -> Vec<ChannelName> {
    let [old, new] = comparison.states(compared);
    // Of a package that is gone, the groups of rows say all there is to say.
    let packages = old.into_iter().filter(|_| new.is_some()).chain(new);
    let packages = packages.filter(|_| comparison.has_repairs());
    let names = packages.flat_map(|package| package.channels.iter().map(|channel| channel.name.value.clone()));
    names.collect::<BTreeSet<_>>().into_iter().rev().collect()
}
