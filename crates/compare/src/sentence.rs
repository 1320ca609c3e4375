//! A comparison of a package in one sentence.

use crate::extension::ExtensionRow;
use crate::extension_rule::ExtensionRule;
use crate::row::{PackageComparison, Row};
use crate::verdict::RowRule;
use catalog::{BundleName, ChannelName};
use std::collections::{BTreeMap, BTreeSet};

/// How many of the installed versions each rule is about, such as "2 of 4 installed versions get stuck, 1 moves on to 2.1.0
/// as expected". Rows that are not shown count as unchanged.
#[must_use]
pub fn sentence(comparison: &PackageComparison, is_shown: impl Fn(&Row) -> bool) -> String {
    let rows: Vec<&Row> = comparison.rows.iter().filter(|row| row.rule.is_some() && is_shown(row)).collect();
    let channels: BTreeSet<_> = comparison.rows.iter().map(|row| &row.channel).collect();
    let of_channels = match channels.len() {
        0 | 1 => String::new(),
        many => format!(" in {many} channels"),
    };
    let mut parts = Vec::new();
    for rule in RowRule::ALL {
        let found: Vec<&Row> = rows.iter().copied().filter(|row| row.rule == Some(rule)).collect();
        if found.is_empty() {
            continue;
        }
        let all = comparison.rows.len();
        let count = match parts.len() {
            0 if all == 1 => "the installed version".to_owned(),
            0 => format!("{} of {all} installed versions{of_channels}", found.len()),
            _ => found.len().to_string(),
        };
        parts.push(format!("{count} {}", what_happens(rule, &found)));
    }
    if parts.is_empty() { "nothing changes for what is installed".to_owned() } else { parts.join(", ") }
}

/// What happens to the rows of a rule, as a verb with its object.
fn what_happens(rule: RowRule, rows: &[&Row]) -> String {
    let one = rows.len() == 1;
    let verb = |singular: &str, plural: &str| if one { singular.to_owned() } else { plural.to_owned() };
    match rule {
        RowRule::PackageGone => verb("loses its package", "lose their package"),
        RowRule::ChannelGone => verb("loses its channel", "lose their channel"),
        RowRule::GraphBroken | RowRule::Deprecated => "can no longer be resolved".to_owned(),
        RowRule::Stranded => verb("gets stuck", "get stuck"),
        RowRule::StillStranded => verb("is still stuck", "are still stuck"),
        RowRule::Unstranded => verb("is no longer stuck", "are no longer stuck"),
        RowRule::Downgrade => verb("is downgraded", "are downgraded"),
        RowRule::LowerByName => verb("moves to a lower version", "move to a lower version"),
        RowRule::Loop => verb("is updated in a circle", "are updated in a circle"),
        RowRule::EndLower => verb("ends at a lower version", "end at a lower version"),
        RowRule::EndBehind => verb("stops below the head", "stop below the head"),
        RowRule::NextChanged => verb("takes another way", "take another way"),
        RowRule::JumpWidened => verb("jumps over a minor version", "jump over a minor version"),
        RowRule::ManualPending => format!("{} instead of to a removed version", moves_on(rows)),
        RowRule::PathLonger => verb("needs more updates", "need more updates"),
        RowRule::PathShorter => verb("needs fewer updates", "need fewer updates"),
        RowRule::EndHigher if rows.iter().all(|row| row.new.is_empty()) => {
            verb("stays where it is, now the head", "stay where they are, now the heads")
        }
        // A bundle that has another version now is no release.
        RowRule::EndHigher if rows.iter().any(|row| row.old.end(&row.installed) == row.new.end(&row.installed)) => {
            moves_on(rows)
        }
        RowRule::EndHigher => format!("{} as expected", moves_on(rows)),
    }
}

/// That the rows are updated, and to which version if it is one.
fn moves_on(rows: &[&Row]) -> String {
    let verb = if rows.len() == 1 { "moves" } else { "move" };
    let ends: BTreeSet<String> = rows.iter().map(|row| end(row)).collect();
    match ends.into_iter().collect::<Vec<_>>().as_slice() {
        [end] => format!("{verb} on to {end}"),
        _ => format!("{verb} on"),
    }
}

/// The version where the updates end.
fn end(row: &Row) -> String {
    let version = row.new.last().and_then(|(_, version)| version).map(ToString::to_string);
    version.unwrap_or_else(|| row.new.end(&row.installed).to_string())
}

/// How many installed versions each rule about OLM v1 harms most; `None` if none harms any.
#[must_use]
pub fn counted(
    rows: &[ExtensionRow],
    is_shown: impl Fn(&ExtensionRow, Option<&ChannelName>) -> bool,
) -> Option<String> {
    let mut worst: BTreeMap<&BundleName, ExtensionRule> = BTreeMap::new();
    for row in rows {
        let shown = [None, Some(&row.channel)].into_iter().filter(|channel| is_shown(row, *channel));
        let Some(rule) = shown.filter_map(|channel| row.case(channel).rule).min() else { continue };
        let known = worst.entry(&row.installed).or_insert(rule);
        *known = rule.min(*known);
    }
    let mut counts: BTreeMap<ExtensionRule, usize> = BTreeMap::new();
    worst.values().for_each(|rule| *counts.entry(*rule).or_default() += 1);
    let part = |(rule, count): (&ExtensionRule, &usize)| {
        let [one, many] = match rule {
            ExtensionRule::Error => ["finds no bundle any more", "find no bundle any more"],
            ExtensionRule::Ambiguous => ["is in several catalogs", "are in several catalogs"],
            ExtensionRule::Dependency => ["comes to a bundle with a dependency", "come to a bundle with a dependency"],
            ExtensionRule::Downgrade => ["is downgraded", "are downgraded"],
            ExtensionRule::EndLower => ["ends at a lower version", "end at a lower version"],
            ExtensionRule::EndBehind => ["stops short of the highest version", "stop short of the highest version"],
            ExtensionRule::NextChanged => ["takes another next update", "take another next update"],
            ExtensionRule::JumpWidened => ["leaves out a minor version", "leave out a minor version"],
            ExtensionRule::ImageSwap => ["gets another image in place", "get another image in place"],
            ExtensionRule::PinLost => ["can no longer be pinned", "can no longer be pinned"],
            ExtensionRule::SuccessorLower => ["never gets a lower release", "never get a lower release"],
        };
        if *count == 1 { format!("1 installed version {one}") } else { format!("{count} installed versions {many}") }
    };
    (!counts.is_empty()).then(|| counts.iter().map(part).collect::<Vec<_>>().join(", "))
}
