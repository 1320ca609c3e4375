//! Mermaid, as `opm alpha render-graph` draws it (operator-registry `alpha/declcfg/write.go`), for one package.
//!
//! As without `--draw-v0-semantics`, which is the default. It differs where Mermaid cannot parse the output of `opm`: the header
//! defines no unused class, the number of skipRange edges is bounded, ids keep only letters, digits, `-`, `_` and `.`, and
//! quotes in labels are escaped.

use super::covered::{Covered, Drawn};
use crate::UpdateGraph;
use blang_semver::Version;
use catalog::{BundleName, Channel, ChannelName, DeprecationTarget, Entry, Package};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The graph in the Mermaid language, edges from the older to the newer entry.
#[must_use]
pub fn mermaid(graph: &UpdateGraph<'_>) -> String {
    let package = graph.package;
    let name = package.name.as_str();
    let deprecated = Deprecated::of(package);
    let mut out = "graph LR\n".to_owned();
    if !deprecated.entries.is_empty() {
        out.push_str("  classDef deprecated fill:#E8960F\n");
    }
    line(&mut out, 2, format_args!("%% package {}", quoted(name)));
    line(&mut out, 2, format_args!("subgraph {}", quoted(name)));
    let mut drawn = Drawn::default();
    for channel in &package.channels {
        push_channel(&mut out, package, channel, &mut drawn);
    }
    line(&mut out, 2, format_args!("end"));
    deprecated.push(&mut out, name);
    if drawn.left_out > 0 {
        line(&mut out, 2, format_args!("%% {} more edges of skipRanges are left out", drawn.left_out));
    }
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

fn push_channel(out: &mut String, package: &Package, channel: &Channel, drawn: &mut Drawn) {
    let name = channel.name.value.as_str();
    let lane = format!("{}-{name}", package.name);
    line(out, 4, format_args!("%% channel {}", quoted(name)));
    line(out, 4, format_args!("subgraph {}[{}]", id(&lane), quoted(name)));
    let versioned = channel.entries.iter().map(|entry| (entry, version(package, entry.name.value.as_str())));
    let listed: Vec<(&Entry, Version)> = versioned.collect();
    let covered = Covered::of(listed.iter().enumerate().map(|(at, (_, version))| (at, version)));
    let mut entries: Vec<&(&Entry, Version)> = listed.iter().collect();
    entries.sort_by(|(_, one), (_, other)| other.cmp(one));
    for (entry, _) in entries {
        let range = entry.skip_range.as_ref().and_then(|range| range.value.range.as_ref().ok());
        let places = range.map(|range| covered.by(range, None, drawn)).unwrap_or_default();
        push_entry(out, entry, places.into_iter().map(|at| listed[at].0), &lane);
    }
    line(out, 4, format_args!("end"));
}

/// `covered` are the entries of the channel that its skipRange matches, in the order of the text.
fn push_entry<'c>(out: &mut String, entry: &Entry, covered: impl Iterator<Item = &'c Entry>, lane: &str) {
    let node = |name: &str| format!("{}[{}]", id(&format!("{lane}-{name}")), quoted(name));
    let own = node(entry.name.value.as_str());
    line(out, 6, format_args!("{own}"));
    for skip in &entry.skips {
        line(out, 6, format_args!("{}-- skip --> {own}", node(skip.value.as_str())));
    }
    if let Some(skip_range) = &entry.skip_range {
        let label = quoted(&format!("skipRange({})", skip_range.value.text));
        for other in covered {
            line(out, 6, format_args!("{}-- {label} --> {own}", node(other.name.value.as_str())));
        }
    }
    if let Some(replaces) = &entry.replaces {
        line(out, 6, format_args!("{}-- replace --> {own}", node(replaces.value.as_str())));
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
    format!("\"{}\"", text.replace('"', "#quot;").replace(['\n', '\r'], " "))
}

fn line(out: &mut String, indent: usize, text: std::fmt::Arguments<'_>) {
    writeln!(out, "{:indent$}{text}", "").expect("writing to a string cannot fail");
}

#[cfg(test)]
mod tests {
    use crate::testing::{bundles, catalog};

    #[test]
    fn the_graph_is_written_as_opm_does() {
        let entries = "- name: p.v1.0.0\n- {name: p.v3.0.0, replaces: p.v1.0.0, skips: [p.v2.0.0], skipRange: '>=1.0.0 <3.0.0'}\n";
        let catalog = catalog(&format!("{entries}{}", bundles(&["1.0.0", "3.0.0"])));
        let expected = r#"graph LR
  %% package "p"
  subgraph "p"
    %% channel "c"
    subgraph p-c["c"]
      p-c-p.v3.0.0["p.v3.0.0"]
      p-c-p.v2.0.0["p.v2.0.0"]-- skip --> p-c-p.v3.0.0["p.v3.0.0"]
      p-c-p.v1.0.0["p.v1.0.0"]-- "skipRange(>=1.0.0 <3.0.0)" --> p-c-p.v3.0.0["p.v3.0.0"]
      p-c-p.v1.0.0["p.v1.0.0"]-- replace --> p-c-p.v3.0.0["p.v3.0.0"]
      p-c-p.v1.0.0["p.v1.0.0"]
    end
  end
"#;
        assert_eq!(super::mermaid(&crate::build(&catalog.packages[0])), expected);
    }

    #[test]
    fn deprecations_and_quotes() {
        let entries = "- name: 'p.\"1\"'\n---\nschema: olm.deprecations\npackage: p\nentries:\n- {reference: {schema: olm.package}, message: m}\n- {reference: {schema: olm.channel, name: c}, message: m}\n- {reference: {schema: olm.bundle, name: 'p.\"1\"'}, message: m}\n";
        let catalog = catalog(entries);
        let expected = r#"graph LR
  classDef deprecated fill:#E8960F
  %% package "p"
  subgraph "p"
    %% channel "c"
    subgraph p-c["c"]
      p-c-p._1_["p.#quot;1#quot;"]
    end
  end
style p fill:#989695
style p-c fill:#DCD0FF
class p-c-p._1_ deprecated
"#;
        assert_eq!(super::mermaid(&crate::build(&catalog.packages[0])), expected);
    }
}
