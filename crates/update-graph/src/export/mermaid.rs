//! Mermaid, for one package, with the ids and edges of `opm alpha render-graph` (operator-registry
//! `alpha/declcfg/write.go`).
//!
//! It differs from `opm` in what it adds: the default channel and the heads are named. A skipRange is a note at its entry,
//! as in the drawing, and not an edge from each version that it covers. Ids keep only letters, digits, `-`, `_` and `.`,
//! and quotes in labels are escaped, because Mermaid cannot parse the output of `opm` otherwise.

use crate::UpdateGraph;
use blang_semver::Version;
use catalog::{BundleName, Channel, ChannelName, DeprecationTarget, Entry, Package, heads};
use source::one_line;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The graph in the Mermaid language, edges from the older to the newer entry.
#[must_use]
pub fn mermaid(graph: &UpdateGraph<'_>) -> String {
    let package = graph.package;
    let name = package.name.as_str();
    let deprecated = Deprecated::of(package);
    let mut out = "graph LR\n  classDef head stroke-width:3px\n  classDef range stroke-dasharray:4\n".to_owned();
    if !deprecated.entries.is_empty() {
        out.push_str("  classDef deprecated fill:#E8960F\n");
    }
    line(&mut out, 2, format_args!("%% package {}", quoted(name)));
    line(&mut out, 2, format_args!("subgraph {}", quoted(name)));
    for channel in &package.channels {
        push_channel(&mut out, package, channel);
    }
    line(&mut out, 2, format_args!("end"));
    deprecated.push(&mut out, name);
    out
}

/// The ids of what `olm.deprecations` names.
struct Deprecated {
    package: bool,
    channels: BTreeSet<String>,
    entries: BTreeSet<String>,
}

impl Deprecated {
    fn of(package: &Package) -> Self {
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
            let lane = format!("{}-{}", package.name, channel.name);
            if channels.contains(&channel.name.value) {
                found.channels.insert(id(&lane));
            }
            let entries = channel.entries.iter().filter(|entry| bundles.contains(&entry.name.value));
            found.entries.extend(entries.map(|entry| id(&format!("{lane}-{}", entry.name))));
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

fn push_channel(out: &mut String, package: &Package, channel: &Channel) {
    let name = channel.name.value.as_str();
    let lane = format!("{}-{name}", package.name);
    let is_default = package.default_channel.as_ref().is_some_and(|default| default.value == channel.name.value);
    let title = format!("{name}{}", if is_default { " (default)" } else { "" });
    line(out, 4, format_args!("%% channel {}", quoted(name)));
    line(out, 4, format_args!("subgraph {}[{}]", id(&lane), quoted(&title)));
    let versioned = channel.entries.iter().map(|entry| (entry, version(package, entry.name.value.as_str())));
    let mut entries: Vec<(&Entry, Version)> = versioned.collect();
    entries.sort_by(|(_, one), (_, other)| other.cmp(one));
    let nodes = Nodes { lane, heads: heads(channel).into_iter().collect() };
    entries.into_iter().for_each(|(entry, _)| nodes.push_entry(out, entry));
    line(out, 4, format_args!("end"));
}

/// The nodes of a channel.
struct Nodes<'c> {
    /// The beginning of their ids.
    lane: String,
    heads: BTreeSet<&'c str>,
}

impl Nodes<'_> {
    /// A name with its id and label, the same wherever it occurs: for Mermaid the last label counts.
    fn node(&self, name: &str) -> String {
        let head = if self.heads.contains(name) { " (head)" } else { "" };
        format!("{}[{}]", id(&format!("{}-{name}", self.lane)), quoted(&format!("{name}{head}")))
    }

    fn push_entry(&self, out: &mut String, entry: &Entry) {
        let name = entry.name.value.as_str();
        let own = self.node(name);
        line(out, 6, format_args!("{own}"));
        if self.heads.contains(name) {
            line(out, 6, format_args!("class {} head", id(&format!("{}-{name}", self.lane))));
        }
        for skip in &entry.skips {
            line(out, 6, format_args!("{}-- skip --> {own}", self.node(skip.value.as_str())));
        }
        if let Some(range) = &entry.skip_range {
            let note = id(&format!("{}-{name}-skipRange", self.lane));
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
}
