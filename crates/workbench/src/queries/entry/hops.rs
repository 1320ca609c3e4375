//! Who can come to an entry, and where it leads.

use catalog::{BundleName, Channel, Package};
use update_graph::{Installables, Ladder, Ways, hop};

/// The hops around an entry of a channel, as lines of text.
#[derive(Debug, Default)]
pub(super) struct Hops {
    /// Versions that may be updated to it in one hop.
    pub(super) from: Vec<String>,
    /// Entries that it may be updated to in one hop, the one that OLM takes first.
    pub(super) to: Vec<String>,
    /// Versions that OLM brings to it in more hops.
    pub(super) later: Vec<String>,
    /// Versions that OLM does not bring to it.
    pub(super) never: Vec<String>,
}

/// The hops around `name` in a channel; OLM makes none where it finds no order.
pub(super) fn hops(package: &Package, channel: &Channel, name: &str) -> Hops {
    let (ways, name) = (Ways::of(package), BundleName::from(name));
    let Ok(ladder) = Ladder::of(package, channel) else {
        return Hops { never: others(package, &name), ..Hops::default() };
    };
    let version = ways.version(&name);
    let targets = ladder.rungs.iter().filter(|entry| entry.name.value != name);
    let mut hops = Hops {
        to: targets
            .filter_map(|to| Some(format!("{} ({})", to.name, hop(to, &name, version.as_ref())?.as_str())))
            .collect(),
        ..Hops::default()
    };
    match ladder.rung(&name) {
        Some(rung) => arrivals(package, &ladder, rung, &mut hops),
        // OLM takes nobody to what is off the chain from the head.
        None => hops.never = others(package, &name),
    }
    hops
}

/// All that may be installed but one, the newest first.
fn others(package: &Package, name: &BundleName) -> Vec<String> {
    let rows = Installables::of(package);
    rows.rows.iter().rev().filter(|row| row.name != name).map(|row| row.name.to_string()).collect()
}

/// Goes through everything that may be installed, the newest first.
fn arrivals(package: &Package, ladder: &Ladder<'_>, rung: usize, hops: &mut Hops) {
    let to = ladder.rungs[rung];
    let rows = Installables::of(package);
    let goal = rows.row_of(&to.name.value);
    let away = distances(ladder, &rows, goal);
    for (row, away) in rows.rows.iter().zip(away).rev().filter(|(row, _)| *row.name != to.name.value) {
        match (hop(to, row.name, row.version.as_ref()), away) {
            (Some(via), Some(1)) => hops.from.push(format!("{} ({})", row.name, via.as_str())),
            (Some(via), _) => hops.from.push(format!("{} ({}, but OLM prefers another)", row.name, via.as_str())),
            (None, Some(away)) => hops.later.push(format!("{} ({away} hops)", row.name)),
            (None, None) => hops.never.push(row.name.to_string()),
        }
    }
}

/// In how many hops OLM brings each row to a goal.
fn distances(ladder: &Ladder<'_>, rows: &Installables<'_>, goal: Option<usize>) -> Vec<Option<u32>> {
    let installed: Vec<_> = rows.rows.iter().map(|row| (row.name, row.version.as_ref())).collect();
    let climbs = ladder.climbs(&installed).into_iter();
    let next: Vec<Option<usize>> = climbs.map(|rung| rows.row_of(&ladder.rungs[rung?].name.value)).collect();
    let mut away = vec![None; rows.rows.len()];
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); rows.rows.len()];
    for (row, next) in next.iter().enumerate() {
        before[next.unwrap_or(row)].push(row);
    }
    let mut waiting: Vec<(usize, u32)> = goal.map(|goal| (goal, 0)).into_iter().collect();
    while let Some((row, hops)) = waiting.pop() {
        if away[row].is_none() {
            away[row] = Some(hops);
            waiting.extend(before[row].iter().map(|&row| (row, hops + 1)));
        }
    }
    away
}
