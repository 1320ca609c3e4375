//! Which versions can be updated to an entry, and what it can be updated to.

use catalog::{BundleName, Channel, Package};
use go_semver::blang::Version;
use update_graph::{Installable, Installables, UpdateChain, Walks, hop, version_of};

/// The hops from and to an entry of a channel, as lines of text.
#[derive(Debug, Default)]
pub(super) struct Hops {
    /// Versions that OLM updates to it in one hop.
    pub(super) from: Vec<String>,
    /// Entries that it may be updated to in one hop, the one that OLM takes first.
    pub(super) to: Vec<String>,
    /// Versions that OLM updates to it in more hops.
    pub(super) later: Vec<String>,
    /// Versions with an edge to it that OLM does not use.
    pub(super) passed_over: Vec<String>,
    /// Versions, none of them newer, that OLM does not update to it.
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

/// Everything that may be installed and is not newer than one version, which is left out; the newest first.
fn others(package: &Package, name: &BundleName) -> Vec<String> {
    let rows = Installables::of(package);
    let version = version_of(package, name);
    let others = rows.rows.iter().rev().filter(|row| row.name != name && !is_newer(row, version.as_ref()));
    others.map(|row| row.name.to_string()).collect()
}

/// Whether a row is newer than a version. No update should lead from it to that version.
fn is_newer(row: &Installable<'_>, version: Option<&Version>) -> bool {
    version.is_some_and(|version| row.version.as_ref().is_some_and(|newer| newer > version))
}

/// Groups everything that may be installed by how OLM updates it to an entry, the newest first.
fn arrivals(package: &Package, chain: &UpdateChain<'_>, position: usize, hops: &mut Hops) {
    let to = chain.entries[position];
    let rows = Installables::of(package);
    let Some(goal) = rows.row_of(&to.name.value) else { return };
    let version = version_of(package, &to.name.value);
    let walks = Walks::new(rows.next_rows(chain));
    for (at, row) in rows.rows.iter().enumerate().rev().filter(|(at, _)| *at != goal) {
        let count = walks.hops_to(at, goal);
        match (hop(to, row.name, row.version.as_ref()), count) {
            (Some(via), Some(1)) => hops.from.push(format!("{} ({})", row.name, via.as_str())),
            (_, Some(count)) => hops.later.push(format!("{} ({count} hops)", row.name)),
            (Some(via), None) => hops.passed_over.push(format!("{} ({})", row.name, via.as_str())),
            (None, None) if is_newer(row, version.as_ref()) => {}
            (None, None) => hops.never.push(row.name.to_string()),
        }
    }
}
