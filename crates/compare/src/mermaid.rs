//! The changed part of a package's update graph in the Mermaid language, for a report: what was added, removed or is harmed, with
//! the entries next to it.

use crate::union::Union;
use catalog::Package;
use source::{Presence, one_line};
use std::collections::{BTreeMap, BTreeSet};
use update_graph::Via;

/// The most entries that are drawn; GitHub refuses large drawings, and nobody reads them.
const ENTRIES: usize = 60;

/// The drawing of a package in both states, where `harmed` are channels with the installed versions that the change harms.
/// `None` if no edge changed, or if too much did.
#[must_use]
pub fn mermaid(old: &Package, new: &Package, harmed: &BTreeSet<(&str, &str)>) -> Option<String> {
    let union = Union::of(old, new);
    let is_harmed = |channel: &str, name: &str| harmed.contains(&(channel, name));
    let mut out = "graph LR\n  classDef added stroke-width:3px\n  classDef removed stroke-dasharray:3\n  classDef harmed stroke:#b02018,stroke-width:3px\n".to_owned();
    let mut count = 0;
    for (number, channel) in union.package.channels.iter().enumerate() {
        let name = channel.name.value.as_str();
        let edges: Vec<(&str, &str, Presence)> = (channel.entries.iter())
            .flat_map(|entry| {
                let newer = entry.name.value.as_str();
                let replaced = entry.replaces.iter().map(move |older| (older.value.as_str(), newer, Via::Replaces));
                replaced.chain(entry.skips.iter().map(move |older| (older.value.as_str(), newer, Via::Skips)))
            })
            .map(|(older, newer, via)| (older, newer, union.edge(name, (older, newer), via).0))
            .collect();
        let is_changed = |entry: &str| union.entry(name, entry) != Presence::Both || is_harmed(name, entry);
        let shown: Vec<&(&str, &str, Presence)> = (edges.iter())
            .filter(|(older, newer, presence)| *presence != Presence::Both || is_changed(older) || is_changed(newer))
            .collect();
        let lone = channel.entries.iter().map(|entry| entry.name.value.as_str()).filter(|entry| is_changed(entry));
        let entries: BTreeSet<&str> = shown.iter().flat_map(|(older, newer, _)| [*older, *newer]).chain(lone).collect();
        if entries.is_empty() {
            continue;
        }
        if count + entries.len() > ENTRIES {
            return None;
        }
        let ids: BTreeMap<&str, usize> = entries.iter().copied().zip(count..).collect();
        count += ids.len();
        // Without an id of its own, the subgraph has its title as one, which may be that of an entry.
        out += &format!("  subgraph c{number}[{}]\n", quoted(name));
        for (entry, id) in &ids {
            let mut class = match union.entry(name, entry) {
                Presence::Both => "",
                Presence::Before => ":::removed",
                Presence::After => ":::added",
            };
            if is_harmed(name, entry) {
                class = ":::harmed";
            }
            out += &format!("    n{id}[{}]{class}\n", quoted(entry));
        }
        let mut drawn = BTreeSet::new();
        for (older, newer, presence) in shown {
            let line = match presence {
                Presence::Both => "-->",
                Presence::Before => "-.->|removed|",
                Presence::After => "==>|added|",
            };
            if drawn.insert((older, newer)) {
                out += &format!("    n{} {line} n{}\n", ids[older], ids[newer]);
            }
        }
        out += "  end\n";
    }
    (count > 0).then_some(out)
}

/// A label in quotes; Mermaid knows no escape but entities.
fn quoted(text: &str) -> String {
    let safe = one_line(text).replace('`', " ").replace('"', "#quot;").replace('<', "#lt;").replace('>', "#gt;");
    format!("\"{safe}\"")
}
