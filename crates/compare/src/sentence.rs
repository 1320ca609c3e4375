//! A comparison of a package in one sentence.

use crate::row::{PackageComparison, Row};
use crate::rule::Rule;
use catalog::BundleName;
use std::collections::{BTreeMap, BTreeSet};

/// What is said if no rule is about an installed version.
pub const NOTHING: &str = "nothing changes for what is installed";

/// How many of the installed versions each rule is about under OLM v0, such as "2 of 4 installed versions get stuck, 1 moves on
/// to 2.1.0 as expected"; `None` if none is about any. Rows that are not shown count as unchanged.
#[must_use]
pub fn sentence(comparison: &PackageComparison, is_shown: impl Fn(&Row) -> bool) -> Option<String> {
    let all = comparison.subscriptions().count();
    let channels: BTreeSet<_> = comparison.subscriptions().map(|row| &row.channel).collect();
    let mut by_rule: BTreeMap<Rule, Vec<&Row>> = BTreeMap::new();
    for row in comparison.subscriptions().filter(|row| row.rule.is_some() && is_shown(row)) {
        row.rule.into_iter().for_each(|rule| by_rule.entry(rule).or_default().push(row));
    }
    let of_channels = match channels.len() {
        0 | 1 => String::new(),
        many => format!(" in {many} channels"),
    };
    let mut parts: Vec<String> = Vec::new();
    for (rule, rows) in by_rule {
        let count = match parts.len() {
            0 if all == 1 => "the installed version".to_owned(),
            0 => format!("{} of {all} installed versions{of_channels}", rows.len()),
            _ => rows.len().to_string(),
        };
        parts.push(format!("{count} {}", what_happens(rule, &rows)));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// How many installed versions each rule about OLM v1 is about, the worst one for each; `None` if none is about any.
#[must_use]
pub fn counted(comparison: &PackageComparison, is_shown: impl Fn(&Row) -> bool) -> Option<String> {
    let mut worst: BTreeMap<&BundleName, (Rule, &Row)> = BTreeMap::new();
    for row in comparison.extensions().filter(|row| is_shown(row)) {
        let Some(rule) = row.rule else { continue };
        let known = worst.entry(&row.installed).or_insert((rule, row));
        if rule < known.0 {
            *known = (rule, row);
        }
    }
    let mut by_rule: BTreeMap<Rule, Vec<&Row>> = BTreeMap::new();
    worst.into_values().for_each(|(rule, row)| by_rule.entry(rule).or_default().push(row));
    let part = |(rule, rows): (&Rule, &Vec<&Row>)| {
        let versions = if rows.len() == 1 { "installed version" } else { "installed versions" };
        format!("{} {versions} {}", rows.len(), what_happens(*rule, rows))
    };
    (!by_rule.is_empty()).then(|| by_rule.iter().map(part).collect::<Vec<_>>().join(", "))
}

/// What happens to the rows of a rule, as a verb with its object.
pub(crate) fn what_happens(rule: Rule, rows: &[&Row]) -> String {
    let ends_alike = |row: &&Row| row.old.end(&row.installed) == row.new.end(&row.installed);
    match rule {
        Rule::V0ManualPending => format!("{} instead of to a removed version", moves_on(rows)),
        Rule::V0EndHigher | Rule::V1EndHigher if !rows.iter().all(|row| row.new.is_empty()) => {
            // A bundle that has another version now is no release.
            let expected = if rows.iter().any(ends_alike) { "" } else { " as expected" };
            moves_on(rows) + expected
        }
        _ => verb(rule)[usize::from(rows.len() > 1)].to_owned(),
    }
}

/// What happens to one installed version, and to several.
const fn verb(rule: Rule) -> [&'static str; 2] {
    match rule {
        Rule::V0PackageGone => ["loses its package", "lose their package"],
        Rule::V0ChannelGone => ["loses its channel", "lose their channel"],
        Rule::V0GraphBroken | Rule::V0Deprecated => ["can no longer be resolved", "can no longer be resolved"],
        Rule::V0Stranded => ["gets stuck", "get stuck"],
        Rule::V0StillStranded => ["is still stuck", "are still stuck"],
        Rule::V0Unstranded | Rule::V1Unstranded => ["is no longer stuck", "are no longer stuck"],
        Rule::V0LowerByName => ["moves to a lower version", "move to a lower version"],
        Rule::V0Loop => ["is updated in a circle", "are updated in a circle"],
        Rule::V0EndBehind => ["stops below the head", "stop below the head"],
        Rule::V0NextChanged => ["takes another way", "take another way"],
        Rule::V0JumpWidened => ["jumps over a minor version", "jump over a minor version"],
        Rule::V0PathLonger | Rule::V1PathLonger => ["needs more updates", "need more updates"],
        Rule::V0PathShorter | Rule::V1PathShorter => ["needs fewer updates", "need fewer updates"],
        Rule::V0EndHigher => ["stays where it is, now the head", "stay where they are, now the heads"],
        Rule::V1Error => ["finds no bundle any more", "find no bundle any more"],
        Rule::V1Ambiguous => ["is in several catalogs", "are in several catalogs"],
        Rule::V1Dependency => ["comes to a bundle with a dependency", "come to a bundle with a dependency"],
        Rule::V0Downgrade | Rule::V1Downgrade => ["is downgraded", "are downgraded"],
        Rule::V0EndLower | Rule::V1EndLower => ["ends at a lower version", "end at a lower version"],
        Rule::V1EndBehind => ["stops short of the highest version", "stop short of the highest version"],
        Rule::V1NextChanged => ["takes another next update", "take another next update"],
        Rule::V1JumpWidened => ["leaves out a minor version", "leave out a minor version"],
        Rule::V1ImageSwap => ["gets another image in place", "get another image in place"],
        Rule::V1PinLost => ["can no longer be pinned", "can no longer be pinned"],
        Rule::V1SuccessorLower => ["never gets a lower release", "never get a lower release"],
        _ => ["changes", "change"],
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
