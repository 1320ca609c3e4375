//! Which versions can be updated to an entry, and what it can be updated to.

use catalog::{BundleName, Channel, Package};
use update_graph::{Installables, UpdateChain, hop, update_forest, version_of};

/// The hops from and to an entry of a channel, as lines of text.
#[derive(Debug, Default)]
pub(super) struct Hops {
    /// Versions that OLM updates to it in one hop.
    pub(super) from: Vec<String>,
    /// Versions that it may update in one hop, but for which OLM prefers another update.
    pub(super) passed_over: Vec<String>,
    /// Entries that it may be updated to in one hop, the one that OLM takes first.
    pub(super) to: Vec<String>,
    /// Versions that OLM updates to it in more hops.
    pub(super) later: Vec<String>,
    /// Versions that OLM does not update to it.
    pub(super) never: Vec<String>,
}

/// The hops from and to `name` in a channel. OLM makes none if it cannot order the channel.
pub(super) fn hops(package: &Package, channel: &Channel, name: &str) -> Hops {
    let name = BundleName::from(name);
    let Ok(chain) = UpdateChain::of(package, channel) else {
        return Hops { never: others(package, &name), ..Hops::default() };
    };
    let successors = chain.successors(&name, version_of(package, &name).as_ref()).into_iter();
    let to = successors.map(|next| format!("{} ({})", next.to.name, next.via.as_str())).collect();
    let mut hops = Hops { to, ..Hops::default() };
    match chain.position(&name) {
        Some(position) => arrivals(package, &chain, position, &mut hops),
        // OLM updates nothing to an entry that is not in the update chain.
        None => hops.never = others(package, &name),
    }
    hops
}

/// Everything that may be installed except one version, the newest first.
fn others(package: &Package, name: &BundleName) -> Vec<String> {
    let rows = Installables::of(package);
    rows.rows.iter().rev().filter(|row| row.name != name).map(|row| row.name.to_string()).collect()
}

/// Groups everything that may be installed by how OLM updates it to an entry, the newest first.
fn arrivals(package: &Package, chain: &UpdateChain<'_>, position: usize, hops: &mut Hops) {
    let to = chain.entries[position];
    let rows = Installables::of(package);
    let goal = rows.row_of(&to.name.value);
    let forest = update_forest(&rows.next_rows(chain), goal);
    for (row, tree) in rows.rows.iter().zip(forest).rev().filter(|(row, _)| *row.name != to.name.value) {
        let count = (Some(tree.end) == goal).then_some(tree.hops);
        match (hop(to, row.name, row.version.as_ref()), count) {
            (Some(via), Some(1)) => hops.from.push(format!("{} ({})", row.name, via.as_str())),
            (Some(via), _) => hops.passed_over.push(format!("{} ({})", row.name, via.as_str())),
            (None, Some(count)) => hops.later.push(format!("{} ({count} hops)", row.name)),
            (None, None) => hops.never.push(row.name.to_string()),
        }
    }
}
