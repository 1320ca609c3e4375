//! `release-config.yaml`, from which the pipelines of the community catalogs add a bundle to templates
//! (operator-pipelines `operatorcert/schemas/release-config-schema.json` and `operatorcert/entrypoints/add_bundle_to_fbc.py`).

use std::fmt::Write as _;
use update_graph::NewEntry;

/// The name of a template, and its channels, each with the entry that it gets; an `olm.semver` template computes entries.
pub type TemplateRelease<'r> = (&'r str, Vec<(&'r str, Option<&'r NewEntry>)>);

/// The file: for each template its name and what changes in its channels. Channels with the same edges share an item.
#[must_use]
pub fn release_config(templates: &[TemplateRelease<'_>]) -> String {
    let mut out = String::from("---\ncatalog_templates:\n");
    for (template, channels) in templates {
        let mut items: Vec<(Vec<&str>, Option<&NewEntry>)> = Vec::new();
        for (channel, entry) in channels {
            match items.iter_mut().find(|(_, other)| other == entry) {
                Some((names, _)) => names.push(channel),
                None => items.push((vec![channel], *entry)),
            }
        }
        for (names, entry) in items {
            let mut lines = vec![format!("template_name: {}", fbc::plain(template))];
            let list = |names: &[&str]| names.iter().map(|name| fbc::plain(name)).collect::<Vec<_>>().join(", ");
            lines.push(format!("channels: [{}]", list(&names)));
            if let Some(entry) = entry {
                lines.extend(entry.replaces.as_ref().map(|name| format!("replaces: {}", fbc::plain(name.as_str()))));
                let skips: Vec<&str> = entry.skips.iter().map(|name| name.as_str()).collect();
                lines.extend((!skips.is_empty()).then(|| format!("skips: [{}]", list(&skips))));
                lines.extend(
                    entry.skip_range.as_ref().map(|range| format!("skipRange: '{}'", range.replace('\'', "''"))),
                );
            }
            writeln!(out, "  - {}", lines.join("\n    ")).expect("a string takes all that is written");
        }
    }
    out
}
