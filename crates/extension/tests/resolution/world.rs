//! Catalogs of the package `p` in short notation, and extensions on them.

use std::fmt::Write;

use catalog::{Catalog, ParsedFile, lower};
use extension::{
    CatalogState, ClusterCatalog, ClusterExtension, DropReason, InstalledBundle, Resolution, UpgradeConstraintPolicy,
    Verdict, resolve,
};

/// Reads a catalog. A line is one of
///
/// - `channel NAME ENTRY...`, an entry being a version with `>VERSION` for `replaces`, `~VERSION` for `skips`, and
///   `[RANGE]` for `skipRange`, with `_` for blanks;
/// - `bundle VERSION PROPERTY...` with types of further properties;
/// - `deprecated VERSION`.
///
/// A bundle is named for its version, as `p.v1.0.0`.
pub(crate) fn read(notation: &str) -> Catalog {
    let mut text = String::new();
    for line in notation.lines() {
        let mut words = line.split_whitespace();
        match (words.next(), words.next()) {
            (Some("channel"), Some(name)) => {
                let entries: Vec<String> = words.map(entry).collect();
                let entries = entries.join(", ");
                writeln!(text, "---\nschema: olm.channel\npackage: p\nname: {name}\nentries: [{entries}]")
            }
            (Some("bundle"), Some(version)) => {
                let others: String = words.map(|kind| format!(", {{type: {kind}, value: {{}}}}")).collect();
                writeln!(
                    text,
                    "---\nschema: olm.bundle\npackage: p\nname: p.v{version}\nimage: example.com/p:{version}\n\
                     properties: [{{type: olm.package, value: {{packageName: p, version: '{version}'}}}}{others}]"
                )
            }
            (Some("deprecated"), Some(version)) => writeln!(
                text,
                "---\nschema: olm.deprecations\npackage: p\n\
                 entries: [{{reference: {{schema: olm.bundle, name: p.v{version}}}, message: old}}]"
            ),
            _ => panic!("a line of the notation: {line}"),
        }
        .expect("a String takes every text");
    }
    of_text(&text)
}

/// Reads the text of a catalog.
pub(crate) fn of_text(text: &str) -> Catalog {
    let parse = fbc::parse(source::FileId(0), text);
    lower(&[ParsedFile { text, parse: &parse }]).0
}

/// A catalog with one bundle and no channels.
pub(crate) fn bundle(version: &str) -> Catalog {
    read(&format!("bundle {version}"))
}

fn entry(word: &str) -> String {
    let (word, range) = word.split_once('[').unwrap_or((word, ""));
    let (word, skips) = word.split_once('~').unwrap_or((word, ""));
    let (name, replaces) = word.split_once('>').unwrap_or((word, ""));
    let mut entry = format!("{{name: p.v{name}");
    if !replaces.is_empty() {
        entry += &format!(", replaces: p.v{replaces}");
    }
    if !skips.is_empty() {
        entry += &format!(", skips: [p.v{skips}]");
    }
    if !range.is_empty() {
        entry += &format!(", skipRange: '{}'", range.trim_end_matches(']').replace('_', " "));
    }
    entry + "}"
}

/// An extension without constraints.
pub(crate) fn extension() -> ClusterExtension {
    ClusterExtension::new("e".into(), "p".into())
}

/// An extension with this version installed.
pub(crate) fn installed(version: &str) -> ClusterExtension {
    let bundle = InstalledBundle { name: (&*format!("p.v{version}")).into(), version: version.into(), release: None };
    ClusterExtension { installed: Some(bundle), ..extension() }
}

/// What a test changes of an extension.
pub(crate) trait With: Sized {
    fn channels(self, names: &[&str]) -> Self;
    fn version(self, range: &str) -> Self;
    fn self_certified(self) -> Self;
}

impl With for ClusterExtension {
    fn channels(self, names: &[&str]) -> Self {
        Self { channels: names.iter().map(|name| (*name).into()).collect(), ..self }
    }

    fn version(self, range: &str) -> Self {
        Self { version: range.into(), ..self }
    }

    fn self_certified(self) -> Self {
        Self { policy: UpgradeConstraintPolicy::SelfCertified, ..self }
    }
}

/// Resolves an extension with one catalog.
pub(crate) fn answer(extension: &ClusterExtension, catalog: &Catalog) -> Resolution {
    let object = ClusterCatalog::new("a".into());
    resolve(extension, &[CatalogState { object: &object, content: Some(catalog) }])
}

/// Resolves an extension with several catalogs, each with its name and priority.
pub(crate) fn answer_of(extension: &ClusterExtension, catalogs: &[(&str, i32, Catalog)]) -> Resolution {
    let object = |(name, priority, _): &(&str, i32, Catalog)| ClusterCatalog {
        priority: *priority,
        ..ClusterCatalog::new((*name).into())
    };
    let objects: Vec<ClusterCatalog> = catalogs.iter().map(object).collect();
    let states =
        objects.iter().zip(catalogs).map(|(object, (_, _, content))| CatalogState { object, content: Some(content) });
    resolve(extension, &states.collect::<Vec<_>>())
}

/// The chosen bundle, without the `p.v` of its name, or the error.
pub(crate) fn shown(resolution: &Resolution) -> String {
    match &resolution.outcome {
        Ok(resolved) => resolved.bundle.as_str().trim_start_matches("p.v").to_owned(),
        Err(error) => error.to_string(),
    }
}

/// Checks the answer with one catalog.
#[track_caller]
pub(crate) fn check(extension: &ClusterExtension, catalog: &Catalog, expected: &str) {
    assert_eq!(shown(&answer(extension, catalog)), expected);
}

/// Why a bundle was dropped, if it was.
pub(crate) fn dropped(resolution: &Resolution, version: &str) -> Option<DropReason> {
    let name = format!("p.v{version}");
    let candidate = resolution.candidates.iter().find(|candidate| candidate.bundle.as_str() == name);
    match &candidate.expect("a candidate of this version").verdict {
        Verdict::Dropped(reason) => Some(reason.clone()),
        Verdict::Chosen => None,
    }
}
