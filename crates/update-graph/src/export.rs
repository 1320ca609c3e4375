//! Exports the update graph as text for other tools.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use catalog::{BundleName, Channel, ChannelName, DeprecationTarget, Entry, Package, heads};
use go_semver::blang::{Range, Version};
use source::one_line;

use crate::{LaneId, Mark, NodeId, UpdateGraph, Via};

// Mermaid, for one package, with the ids and edges of `opm alpha render-graph` (operator-registry
// `alpha/declcfg/write.go`).
//
// It differs from `opm` in what it adds: the default channel and the heads are named. A skipRange is a note at its
// entry, as in the drawing, and not an edge from each version that it covers. Ids keep only letters, digits, `-`, `_`
// and `.`, and quotes in labels are escaped, because Mermaid cannot parse the output of `opm` otherwise. Where names
// then have the same id, a number tells them apart.

/// The graph in the Mermaid language, edges from the older to the newer entry.
#[must_use]
pub fn mermaid(graph: &UpdateGraph<'_>) -> String {
    let package = graph.package;
    let name = package.name.as_str();
    let mut ids = Ids { package: name, ..Ids::default() };
    let deprecated = Deprecated::of(package, &mut ids);
    let mut out = "graph LR\n  classDef head stroke-width:3px\n  classDef range stroke-dasharray:4\n".to_owned();
    if !deprecated.entries.is_empty() {
        out.push_str("  classDef deprecated fill:#E8960F\n");
    }
    line(&mut out, 2, format_args!("%% package {}", quoted(name)));
    line(&mut out, 2, format_args!("subgraph {}", quoted(name)));
    for channel in &package.channels {
        push_channel(&mut out, package, channel, &mut ids);
    }
    line(&mut out, 2, format_args!("end"));
    deprecated.push(&mut out, name);
    out
}

/// What of a package has an id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part<'c> {
    Channel(&'c str),
    /// A name in a channel.
    Entry(&'c str, &'c str),
    /// The skipRange of an entry of a channel.
    SkipRange(&'c str, &'c str),
}

/// The ids of what is in a package, each another one.
#[derive(Default)]
struct Ids<'c> {
    package: &'c str,
    of: BTreeMap<Part<'c>, String>,
    taken: BTreeSet<String>,
    /// The last number behind each id that several parts would have.
    numbers: BTreeMap<String, usize>,
}

impl<'c> Ids<'c> {
    /// The id of a part, the same each time.
    fn of(&mut self, part: Part<'c>) -> String {
        if let Some(known) = self.of.get(&part) {
            return known.clone();
        }
        let package = self.package;
        let plain = id(&match part {
            Part::Channel(channel) => format!("{package}-{channel}"),
            Part::Entry(channel, name) => format!("{package}-{channel}-{name}"),
            Part::SkipRange(channel, name) => format!("{package}-{channel}-{name}-skipRange"),
        });
        let mut free = plain.clone();
        while self.taken.contains(&free) {
            let number = self.numbers.entry(plain.clone()).or_insert(1);
            *number += 1;
            free = format!("{plain}_{number}");
        }
        self.taken.insert(free.clone());
        self.of.insert(part, free.clone());
        free
    }
}

/// The ids of what `olm.deprecations` names.
struct Deprecated {
    package: bool,
    channels: BTreeSet<String>,
    entries: BTreeSet<String>,
}

impl Deprecated {
    fn of<'c>(package: &'c Package, ids: &mut Ids<'c>) -> Self {
        let mut found = Self { package: false, channels: BTreeSet::new(), entries: BTreeSet::new() };
        let mut channels: BTreeSet<&ChannelName> = BTreeSet::new();
        let mut bundles: BTreeSet<&BundleName> = BTreeSet::new();
        for deprecation in &package.deprecations {
            match &deprecation.target {
                DeprecationTarget::Package => found.package = true,
                DeprecationTarget::Channel(name) => {
                    channels.insert(name);
                }
                DeprecationTarget::Bundle(name) => {
                    bundles.insert(name);
                }
            }
        }
        for channel in &package.channels {
            let name = channel.name.value.as_str();
            if channels.contains(&channel.name.value) {
                found.channels.insert(ids.of(Part::Channel(name)));
            }
            let entries = channel.entries.iter().filter(|entry| bundles.contains(&entry.name.value));
            found.entries.extend(entries.map(|entry| ids.of(Part::Entry(name, entry.name.value.as_str()))));
        }
        found
    }

    fn push(&self, out: &mut String, package: &str) {
        if self.package {
            line(out, 0, format_args!("style {} fill:#989695", id(package)));
        }
        for channel in &self.channels {
            line(out, 0, format_args!("style {channel} fill:#DCD0FF"));
        }
        if !self.entries.is_empty() {
            let ids: Vec<&str> = self.entries.iter().map(String::as_str).collect();
            line(out, 0, format_args!("class {} deprecated", ids.join(",")));
        }
    }
}

fn push_channel<'c>(out: &mut String, package: &Package, channel: &'c Channel, ids: &mut Ids<'c>) {
    let name = channel.name.value.as_str();
    let is_default = package.default_channel.as_ref().is_some_and(|default| default.value == channel.name.value);
    let title = format!("{name}{}", if is_default { " (default)" } else { "" });
    line(out, 4, format_args!("%% channel {}", quoted(name)));
    line(out, 4, format_args!("subgraph {}[{}]", ids.of(Part::Channel(name)), quoted(&title)));
    let versioned = channel.entries.iter().map(|entry| (entry, version(package, entry.name.value.as_str())));
    let mut entries: Vec<(&Entry, Version)> = versioned.collect();
    entries.sort_by(|(_, one), (_, other)| other.cmp(one));
    let mut nodes = Nodes { channel: name, ids, heads: heads(channel).into_iter().collect() };
    entries.into_iter().for_each(|(entry, _)| nodes.push_entry(out, entry));
    line(out, 4, format_args!("end"));
}

struct Nodes<'c, 'i> {
    channel: &'c str,
    ids: &'i mut Ids<'c>,
    heads: BTreeSet<&'c str>,
}

impl<'c> Nodes<'c, '_> {
    /// A name with its id and label, the same wherever it occurs: for Mermaid the last label counts.
    fn node(&mut self, name: &'c str) -> String {
        let head = if self.heads.contains(name) { " (head)" } else { "" };
        format!("{}[{}]", self.ids.of(Part::Entry(self.channel, name)), quoted(&format!("{name}{head}")))
    }

    fn push_entry(&mut self, out: &mut String, entry: &'c Entry) {
        let name = entry.name.value.as_str();
        let own = self.node(name);
        line(out, 6, format_args!("{own}"));
        if self.heads.contains(name) {
            line(out, 6, format_args!("class {} head", self.ids.of(Part::Entry(self.channel, name))));
        }
        for skip in &entry.skips {
            line(out, 6, format_args!("{}-- skip --> {own}", self.node(skip.value.as_str())));
        }
        if let Some(range) = &entry.skip_range {
            let note = self.ids.of(Part::SkipRange(self.channel, name));
            let text = quoted(&format!("skipRange {}", range.value.text));
            line(out, 6, format_args!("{note}([{text}])-.-> {own}"));
            line(out, 6, format_args!("class {note} range"));
        }
        if let Some(replaces) = &entry.replaces {
            line(out, 6, format_args!("{}-- replace --> {own}", self.node(replaces.value.as_str())));
        }
    }
}

/// The version of a bundle; 0.0.0 for names without bundle, as in `opm`.
fn version(package: &Package, name: &str) -> Version {
    package.bundle(name).and_then(|bundle| bundle.version()).cloned().unwrap_or_else(|| Version::new(0, 0, 0))
}

fn id(text: &str) -> String {
    text.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect()
}

/// A quoted label: Mermaid's escape for quotes, and no line breaks.
fn quoted(text: &str) -> String {
    format!("\"{}\"", one_line(text).replace('"', "#quot;"))
}

fn line(out: &mut String, indent: usize, text: std::fmt::Arguments<'_>) {
    writeln!(out, "{:indent$}{text}", "").expect("writing to a string cannot fail");
}

// Graphviz: one cluster for each channel, edges from the older to the newer entry.

/// The graph in the DOT language. Every text is quoted.
#[must_use]
pub fn dot(graph: &UpdateGraph<'_>) -> String {
    let mut out =
        format!("digraph {} {{\n  rankdir=LR;\n  node [shape=box];\n", quoted_dot(graph.package.name.as_str()));
    for (lane, at) in graph.lanes.iter().zip(0..) {
        let default = if lane.default { " (default)" } else { "" };
        let label = quoted_dot(&format!("{}{default}", lane.channel.name));
        push(&mut out, format_args!("  subgraph cluster_{at} {{\n    label={label};\n"));
        for (NodeId(id), node) in graph.nodes_of(LaneId(at)) {
            push(
                &mut out,
                format_args!("    n{id} [label={}{}];\n", quoted_dot(node.name.as_str()), style(&node.marks)),
            );
        }
        out.push_str("  }\n");
    }
    for edge in &graph.edges {
        let style = if edge.ignored { ", style=dashed" } else { "" };
        let (NodeId(from), NodeId(to)) = (edge.from, edge.to);
        push(&mut out, format_args!("  n{from} -> n{to} [label={}{style}];\n", edge.via.as_str()));
    }
    push_skip_ranges(&mut out, graph);
    out.push_str("}\n");
    out
}

fn push_skip_ranges(out: &mut String, graph: &UpdateGraph<'_>) {
    let mut drawn = Drawn::default();
    for lane in (0..graph.lanes.len() as u32).map(LaneId) {
        let ids = graph.nodes_of(lane).map(|(id, _)| id.0 as usize);
        let covered = Covered::of(ids.filter_map(|id| Some((id, graph.nodes[id].version.as_ref()?))));
        for (NodeId(id), node) in graph.nodes_of(lane) {
            let Some(skip_range) = node.entry.and_then(|entry| entry.skip_range.as_ref()) else { continue };
            let Ok(range) = &skip_range.value.range else { continue };
            let label = quoted_dot(&format!("{}({})", Via::SkipRange.as_str(), skip_range.value.text));
            for from in covered.by(range, id as usize, &mut drawn) {
                push(out, format_args!("  n{from} -> n{id} [label={label}, style=dotted];\n"));
            }
        }
    }
    if drawn.left_out > 0 {
        push(out, format_args!("  // {} more edges of skipRanges are left out\n", drawn.left_out));
    }
}

fn style(marks: &std::collections::BTreeSet<Mark>) -> &'static str {
    if marks.contains(&Mark::Head) {
        ", penwidth=3"
    } else if marks.contains(&Mark::Ghost) {
        ", style=dotted"
    } else if marks.contains(&Mark::Skipped) {
        ", style=dashed"
    } else {
        ""
    }
}

fn quoted_dot(text: &str) -> String {
    format!("\"{}\"", one_line(text).replace('\\', "\\\\").replace('"', "\\\""))
}

fn push(out: &mut String, line: std::fmt::Arguments<'_>) {
    out.write_fmt(line).expect("writing to a string cannot fail");
}

// The edges of skipRanges: one for each entry that a range matches, up to a bound.

/// The most edges of skipRanges that are written for a package, those of the first ranges. Viewers cannot lay out more, and
/// their number grows with the square of the entries.
const EDGES: usize = 10_000;

/// Limits the number of written edges and counts the edges that are left out.
struct Drawn {
    left: usize,
    left_out: usize,
}

impl Default for Drawn {
    fn default() -> Self {
        Self { left: EDGES, left_out: 0 }
    }
}

/// The entries of a channel by version.
struct Covered<'v> {
    ascending: Vec<&'v Version>,
    /// Their indices in the channel.
    places: Vec<usize>,
    /// By index in the channel, the index in `ascending`.
    ranks: BTreeMap<usize, usize>,
}

impl<'v> Covered<'v> {
    /// Indexes entries that have a version, given with their index in the channel.
    pub(super) fn of(versions: impl Iterator<Item = (usize, &'v Version)>) -> Self {
        let mut pairs: Vec<(usize, &Version)> = versions.collect();
        pairs.sort_by_key(|(_, version)| *version);
        let (places, ascending): (Vec<usize>, Vec<&Version>) = pairs.into_iter().unzip();
        let ranks = places.iter().enumerate().map(|(rank, &place)| (place, rank)).collect();
        Self { ascending, places, ranks }
    }

    /// The indices that a range matches, ascending, as many as may be written, without `own`.
    fn by(&self, range: &Range, own: usize, drawn: &mut Drawn) -> Vec<usize> {
        let runs = range.runs(&self.ascending);
        if drawn.left == 0 {
            let has_own = self.ranks.get(&own).is_some_and(|rank| runs.iter().any(|run| run.contains(rank)));
            let count: usize = runs.iter().map(ExactSizeIterator::len).sum();
            drawn.left_out += count - usize::from(has_own);
            return Vec::new();
        }
        let mut places: Vec<usize> = runs.into_iter().flat_map(|run| self.places[run].iter().copied()).collect();
        places.retain(|&place| place != own);
        places.sort_unstable();
        drawn.left_out += places.len().saturating_sub(drawn.left);
        places.truncate(drawn.left);
        drawn.left -= places.len();
        places
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::read;

    #[test]
    fn heads_ranges_and_the_default_channel_are_named() {
        let catalog = read("c: 1.0.0, 3.0.0 (replaces 1.0.0; skips 2.0.0; skipRange >=1.0.0 <3.0.0)");
        let expected = r#"graph LR
  classDef head stroke-width:3px
  classDef range stroke-dasharray:4
  %% package "p"
  subgraph "p"
    %% channel "c"
    subgraph p-c["c (default)"]
      p-c-p.v3.0.0["p.v3.0.0 (head)"]
      class p-c-p.v3.0.0 head
      p-c-p.v2.0.0["p.v2.0.0"]-- skip --> p-c-p.v3.0.0["p.v3.0.0 (head)"]
      p-c-p.v3.0.0-skipRange(["skipRange >=1.0.0 <3.0.0"])-.-> p-c-p.v3.0.0["p.v3.0.0 (head)"]
      class p-c-p.v3.0.0-skipRange range
      p-c-p.v1.0.0["p.v1.0.0"]-- replace --> p-c-p.v3.0.0["p.v3.0.0 (head)"]
      p-c-p.v1.0.0["p.v1.0.0"]
    end
  end
"#;
        assert_eq!(super::mermaid(&crate::build(&catalog.packages[0])), expected);
    }

    #[test]
    fn each_part_has_an_id_of_its_own() {
        let catalog = read(
            "c: p.\"1 1\" (skipRange <2.0.0; no bundle), p.\"1_1\" (replaces p.\"1 1\"; no bundle), \
             p.\"1+1\" (skips p.\"1_1\"; no bundle), p.\"1 1\"-skipRange (no bundle)\ndeprecated p.\"1+1\"",
        );
        let expected = r#"    subgraph p-c["c (default)"]
      p-c-p._1_1__2["p.#quot;1 1#quot;"]
      p-c-p._1_1_-skipRange(["skipRange <2.0.0"])-.-> p-c-p._1_1__2["p.#quot;1 1#quot;"]
      class p-c-p._1_1_-skipRange range
      p-c-p._1_1__3["p.#quot;1_1#quot;"]
      p-c-p._1_1__2["p.#quot;1 1#quot;"]-- replace --> p-c-p._1_1__3["p.#quot;1_1#quot;"]
      p-c-p._1_1_["p.#quot;1+1#quot; (head)"]
      class p-c-p._1_1_ head
      p-c-p._1_1__3["p.#quot;1_1#quot;"]-- skip --> p-c-p._1_1_["p.#quot;1+1#quot; (head)"]
      p-c-p._1_1_-skipRange_2["p.#quot;1 1#quot;-skipRange (head)"]
      class p-c-p._1_1_-skipRange_2 head
    end
  end
class p-c-p._1_1_ deprecated
"#;
        let mermaid = super::mermaid(&crate::build(&catalog.packages[0]));
        assert!(mermaid.ends_with(expected), "{mermaid}");
    }

    #[test]
    fn deprecations_and_quotes() {
        let catalog = read("c: p.\"1\" (no bundle)\ndeprecated package\ndeprecated channel c\ndeprecated p.\"1\"");
        let expected = r#"graph LR
  classDef head stroke-width:3px
  classDef range stroke-dasharray:4
  classDef deprecated fill:#E8960F
  %% package "p"
  subgraph "p"
    %% channel "c"
    subgraph p-c["c (default)"]
      p-c-p._1_["p.#quot;1#quot; (head)"]
      class p-c-p._1_ head
    end
  end
style p fill:#989695
style p-c fill:#DCD0FF
class p-c-p._1_ deprecated
"#;
        assert_eq!(super::mermaid(&crate::build(&catalog.packages[0])), expected);
    }

    #[test]
    fn edges_of_ranges_are_bounded_and_counted() {
        let entries: Vec<String> = (0..300).map(|minor| format!("1.{minor}.0 (skipRange <=2.0.0)")).collect();
        let catalog = read(&format!("c: {}", entries.join(", ")));
        let graph = crate::build(&catalog.packages[0]);
        let dot = super::dot(&graph);
        assert_eq!(dot.matches("skipRange(").count(), 10_000);
        assert!(dot.ends_with("\n  // 79700 more edges of skipRanges are left out\n}\n"));
    }

    #[test]
    fn clusters_edges_and_quotes() {
        let catalog = read("c: p.\"2\" (replaces 1.0.0; skipRange <2.0.0; no bundle), 1.0.0");
        let expected = r##"digraph "p" {
  rankdir=LR;
  node [shape=box];
  subgraph cluster_0 {
    label="c (default)";
    n0 [label="p.\"2\"", penwidth=3];
    n1 [label="p.v1.0.0"];
  }
  n1 -> n0 [label=replaces];
  n1 -> n0 [label="skipRange(<2.0.0)", style=dotted];
}
"##;
        assert_eq!(super::dot(&crate::build(&catalog.packages[0])), expected);
    }
}
