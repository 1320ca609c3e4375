//! An ImageSetConfiguration; after `=== catalog` the catalog that it filters.

use catalog::{Catalog, ParsedFile, check as check_catalog, lower};
use mirror::{Choice, OcMirror, TrialOutcome, filter, read, smallest_min_versions, stranded};
use source::FileId;

use super::stream::LOOKED_THROUGH;
use super::text::text;
use crate::memory::bounded;
use crate::seeds::parts;
use crate::spans;

/// Memory of a configuration, whatever it says.
const FLOOR: usize = 16 << 20;

/// Checks one input; panics when a property does not hold.
pub fn check(input: &[u8]) {
    let input = text(input);
    let (text, others) = parts(&input);
    let full = others.first().map_or("", |(_, text)| *text);
    let release = OcMirror::ALL[input.len() % OcMirror::ALL.len()];
    let config = bounded(text.len(), 80, FLOOR, || read(FileId(0), text, release));
    let of_config = |file: FileId| (file == FileId(0)).then(|| text.to_owned());
    spans::check(&config, of_config);
    let parse = fbc::parse(FileId(1), full);
    let (catalog, unplaced) = lower(&[ParsedFile { text: full, parse: &parse }]);
    let (true, Choice::One(wanted)) = (config.is_accepted() && input.len() <= LOOKED_THROUGH, config.choose("")) else {
        return;
    };
    let filtering = filter(&catalog, wanted, release);
    spans::check(&filtering.diagnostics, of_config);
    assert_eq!(filter(&catalog, wanted, release), filtering, "filtered twice");
    if let Some(kept) = &filtering.kept {
        // `opm` rejects bundles and entries without names; the text has no place for them.
        let checked = check_catalog(&catalog);
        let is_accepted = unplaced.iter().chain(&parse.diagnostics).chain(&checked).all(|found| found.opm.is_none());
        if is_accepted {
            let text = kept.text(full, &parse).unwrap_or_default();
            let parse = fbc::parse(FileId(2), &text);
            let (read, _) = lower(&[ParsedFile { text: &text, parse: &parse }]);
            assert_eq!(sketch(&read), sketch(&kept.catalog(&catalog)), "the text is the model: {text}");
        }
        let found = stranded(&catalog, kept, None);
        assert!(!wanted.full || !wanted.packages.is_empty() || found.is_empty(), "a full mirror strands {found:?}");
    }
    for found in smallest_min_versions(&catalog, wanted, None, release) {
        let package = catalog.package(found.package.as_str()).expect("answers are about packages of the catalog");
        if let TrialOutcome::Found { version, .. } = found.outcome {
            assert!(
                package.bundles.iter().any(|bundle| bundle.version() == Some(&version)),
                "{version} is of no bundle"
            );
        }
    }
}

/// A catalog without its places.
fn sketch(catalog: &Catalog) -> Vec<String> {
    let mut lines = Vec::new();
    for package in &catalog.packages {
        let default = package.default_channel.as_ref().map(|channel| channel.value.as_str());
        lines.push(format!("{} {default:?} {}", package.name, package.deprecations.len()));
        for channel in &package.channels {
            for entry in &channel.entries {
                let skips: Vec<&str> = entry.skips.iter().map(|skip| skip.value.as_str()).collect();
                let replaces = entry.replaces.as_ref().map(|name| name.value.as_str());
                let range = entry.skip_range.as_ref().map(|range| &*range.value.text);
                lines.push(format!("{} {} {replaces:?} {skips:?} {range:?}", channel.name, entry.name));
            }
        }
        lines.extend(package.bundles.iter().map(|bundle| bundle.name.to_string()));
    }
    lines
}
