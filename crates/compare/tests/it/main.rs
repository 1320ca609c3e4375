//! Comparisons of small catalogs.

mod causes;
mod changes;
mod cluster;
mod dependencies;
mod extensions;
mod fixes;
mod fixtures;
mod openshift;
mod properties;
mod providers;
mod rows;
mod union;

use catalog::{Catalog, ParsedFile, lower};
use compare::{Budget, Explained, Explanation, Group, Listings, PackageComparison, Search, State};
use resolver::Listing;
use source::FileId;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A catalog of package `p`. A line is `channel:` or an entry of it: `1.1.0 replaces=1.0.0 skips=0.9.0,0.9.1
/// range=>=0.8.0_<1.1.0`. Every listed version has a bundle; `!` behind it forbids it by `olm.deprecated`.
fn catalog(lines: &str) -> Catalog {
    let mut text = "schema: olm.package\nname: p\ndefaultChannel: stable\n".to_owned();
    let mut bundles = BTreeSet::new();
    for line in lines.lines() {
        if let Some(channel) = line.strip_suffix(':') {
            text += &format!("---\nschema: olm.channel\npackage: p\nname: {channel}\nentries:\n");
            continue;
        }
        let mut fields = line.split(' ');
        let version = fields.next().unwrap_or_default();
        bundles.insert((version.trim_end_matches('!'), version.ends_with('!')));
        text += &format!("- name: p.v{}\n", version.trim_end_matches('!'));
        text.extend(fields.map(field));
    }
    for (version, forbidden) in bundles {
        let more = if forbidden { "- {type: olm.deprecated, value: {}}\n" } else { "" };
        text += &format!(
            "---\nschema: olm.bundle\npackage: p\nname: p.v{version}\nimage: i\nproperties:\n- {{type: olm.package, value: {{packageName: p, version: {version}}}}}\n{more}"
        );
    }
    lowered(&text)
}

fn state(catalog: &Catalog) -> State<'_> {
    State { catalog, rejected: None }
}

/// The explanations of groups of rows, searched in pieces of so much work.
fn explained(
    (old, new): (&Catalog, &Catalog),
    comparison: &PackageComparison,
    groups: &[Group<'_>],
    piece: usize,
) -> Vec<Explanation> {
    let [before, after] = [old, new].map(|catalog| Arc::new(Listing::of(catalog)));
    let listings = &|| Listings { old: Arc::clone(&before), new: Arc::clone(&after), others: Vec::new() };
    let of = Explained { old: state(old), new: state(new), comparison, is_written: true, listings };
    let (mut search, budget) = (Search::default(), Budget::of(1, 0, resolver::Budget::default()));
    loop {
        budget.begin_piece(piece);
        if search.advance(of, groups, &budget) {
            return search.found;
        }
    }
}

/// The catalog of a text in YAML.
fn lowered(text: &str) -> Catalog {
    let parse = fbc::parse(FileId(0), text);
    assert_eq!(parse.diagnostics, []);
    lower(&[ParsedFile { text, parse: &parse }]).0
}

fn field(field: &str) -> String {
    match field.split_once('=').unwrap_or_default() {
        ("replaces", version) => format!("  replaces: p.v{version}\n"),
        ("skips", versions) => format!("  skips: [p.v{}]\n", versions.replace(',', ", p.v")),
        (_, range) => format!("  skipRange: '{}'\n", range.replace('_', " ")),
    }
}
