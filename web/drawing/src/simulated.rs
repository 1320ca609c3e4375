//! What a simulation says of the entries of a package.

use std::collections::{BTreeMap, BTreeSet};
use views::EntryKey;

/// The entries of the selected package that the simulation installs or finds installed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SimulatedEntries {
    /// Installed after the shown step.
    pub installed: BTreeSet<String>,
    /// Installed before the first step, but no longer after the shown one.
    pub replaced: BTreeSet<String>,
    /// How many steps are completed at the point that is shown.
    pub step: u32,
    /// Chosen entries by channel and name, with the number of the step, counted from 1.
    pub chosen: BTreeMap<(String, String), u32>,
}

impl SimulatedEntries {
    /// The number of the hop in which an entry is chosen; 0 if it is installed before the first.
    #[must_use]
    pub fn hop(&self, key: &EntryKey) -> Option<u32> {
        let chosen = key.channel.as_ref().and_then(|channel| self.chosen.get(&(channel.clone(), key.name.clone())));
        let before = self.replaced.contains(&key.name) || self.installed.contains(&key.name);
        chosen.copied().or_else(|| before.then_some(0))
    }

    /// The label of an entry: `installed`, `before`, `hop 1`, two of them or none.
    #[must_use]
    pub fn label(&self, key: &EntryKey) -> Option<String> {
        let held = match (self.installed.contains(&key.name), self.replaced.contains(&key.name)) {
            (true, _) => Some("installed".to_owned()),
            (false, true) => Some("before".to_owned()),
            (false, false) => None,
        };
        // The entry that the shown step installs is labelled as installed already.
        let hop = self
            .hop(key)
            .filter(|hop| *hop > 0 && !(*hop == self.step && held.is_some()))
            .map(|hop| format!("hop {hop}"));
        match (held, hop) {
            (Some(held), Some(hop)) => Some(format!("{held} · {hop}")),
            (held, hop) => held.or(hop),
        }
    }
}
