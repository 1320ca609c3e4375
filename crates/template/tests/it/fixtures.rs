//! Bundles for tests, and the findings of an expansion as text.

use source::{FileId, LineIndex};
use template::{Expansion, Images, RenderStatus, expand};

/// A catalog of bundles `op.v<version>` with the image `op:<version>`, for versions with blanks between them; `+` in an image is
/// `_`.
pub(crate) fn catalog(versions: &str) -> String {
    versions.split(' ').map(|version| bundle("op", version, version)).collect()
}

/// A bundle of a package, with the image `<package>:<tag>`.
pub(crate) fn bundle(package: &str, tag: &str, version: &str) -> String {
    let image = tag.replace('+', "_");
    format!(
        "---\nschema: olm.bundle\nname: {package}.v{tag}\npackage: {package}\nimage: {package}:{image}\nproperties:\n\
         - type: olm.package\n  value:\n    packageName: {package}\n    version: \"{version}\"\n"
    )
}

/// Expands `template` with the bundles of `catalog`.
pub(crate) fn expanded(template: &str, catalog: &str) -> Expansion {
    let parse = fbc::parse(FileId(0), catalog);
    let mut images = Images::default();
    images.add(catalog, &parse);
    expand(FileId(1), template, &images)
}

/// Channels, one a line, then the default channel.
pub(crate) fn channels(expansion: &Expansion) -> Vec<String> {
    let Some(catalog) = &expansion.catalog else { return Vec::new() };
    let short = |name: &str| name.replace("op.v", "");
    let channel = |channel: &template::Channel| {
        let entries = channel.entries.iter().map(|entry| {
            let replaces = entry.replaces.iter().map(|name| format!(" replaces {}", short(name)));
            let skips: Vec<String> = entry.skips.iter().map(|name| short(name)).collect();
            let skips = if skips.is_empty() { String::new() } else { format!(" skips {}", skips.join(" ")) };
            let range = entry.skip_range.iter().map(|range| format!(" range {range}"));
            short(&entry.name) + &replaces.collect::<String>() + &skips + &range.collect::<String>()
        });
        format!("{}: {}", channel.name, entries.collect::<Vec<_>>().join(", "))
    };
    let default = catalog.packages.iter().map(|package| format!("default {}", package.default_channel));
    catalog.channels.iter().map(channel).chain(default).collect()
}

/// The findings as `line:column rule: message`, then what `opm` does.
pub(crate) fn reported(template: &str, expansion: &Expansion) -> Vec<String> {
    let lines = LineIndex::new(template);
    let findings = expansion.diagnostics.iter().map(|finding| {
        let at = lines.position(template, finding.span.start);
        format!("{}:{} {}: {}", at.line, at.column, finding.rule, finding.message)
    });
    let verdict = match &expansion.status {
        RenderStatus::Accepted => "accepted".to_owned(),
        RenderStatus::NeedsRegistry(_) => "needs a registry".to_owned(),
        RenderStatus::TooLarge => "too large".to_owned(),
        RenderStatus::Rejected(lines) => format!("opm: {}", lines.join(" | ")),
    };
    findings.chain([verdict]).collect()
}
