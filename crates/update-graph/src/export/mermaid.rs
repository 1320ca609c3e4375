//! Mermaid, as `opm alpha render-graph` draws it (operator-registry `alpha/declcfg/write.go`), for one package.
//!
//! Differences: the header names no classes that nothing uses, and node ids keep only letters, digits, `-`, `_` and `.`
//! because Mermaid breaks on others.

use crate::UpdateGraph;
use blang_semver::Version;
use catalog::{Channel, Entry, Package};
use std::fmt::Write;

/// The graph in the Mermaid language, edges from the older to the newer entry.
#[must_use]
pub fn mermaid(graph: &UpdateGraph<'_>) -> String {
    let package = graph.package;
    let name = package.name.as_str();
    let mut out = format!("graph LR\n  %% package \"{name}\"\n  subgraph \"{name}\"\n");
    for channel in &package.channels {
        push_channel(&mut out, package, channel);
    }
    out.push_str("  end\n");
    out
}

fn push_channel(out: &mut String, package: &Package, channel: &Channel) {
    let name = channel.name.value.as_str();
    let lane = format!("{}-{name}", package.name);
    line(out, 4, format_args!("%% channel \"{name}\""));
    line(out, 4, format_args!("subgraph {}[\"{name}\"]", id(&lane)));
    let mut entries: Vec<&Entry> = channel.entries.iter().collect();
    entries.sort_by_key(|entry| std::cmp::Reverse(version(package, entry.name.value.as_str())));
    for entry in entries {
        push_entry(out, package, channel, entry, &lane);
    }
    line(out, 4, format_args!("end"));
}

fn push_entry(out: &mut String, package: &Package, channel: &Channel, entry: &Entry, lane: &str) {
    let node = |name: &str| format!("{}[\"{name}\"]", id(&format!("{lane}-{name}")));
    let own = node(entry.name.value.as_str());
    line(out, 6, format_args!("{own}"));
    for skip in &entry.skips {
        line(out, 6, format_args!("{}-- skip --> {own}", node(skip.value.as_str())));
    }
    if let Some(skip_range) = &entry.skip_range
        && let Ok(range) = &skip_range.value.range
    {
        for other in &channel.entries {
            let name = other.name.value.as_str();
            if range.matches(&version(package, name)).unwrap_or(false) {
                line(out, 6, format_args!("{}-- \"skipRange({})\" --> {own}", node(name), skip_range.value.text));
            }
        }
    }
    if let Some(replaces) = &entry.replaces {
        line(out, 6, format_args!("{}-- replace --> {own}", node(replaces.value.as_str())));
    }
}

/// The version of a bundle; 0.0.0 for names without bundle, as `opm` has it.
fn version(package: &Package, name: &str) -> Version {
    package.bundle(name).and_then(|bundle| bundle.version()).cloned().unwrap_or_else(|| Version::new(0, 0, 0))
}

fn id(text: &str) -> String {
    text.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' }).collect()
}

fn line(out: &mut String, indent: usize, text: std::fmt::Arguments<'_>) {
    writeln!(out, "{:indent$}{text}", "").expect("writing to a string cannot fail");
}

#[cfg(test)]
mod tests {
    use crate::testing::{bundles, catalog};

    #[test]
    fn as_opm_draws_it() {
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
}
