//! Small catalogs for the tests of this crate.

use catalog::{Catalog, ParsedFile, lower};
use source::FileId;

/// Package `p` with the default channel `c`, whose entries (and whatever documents follow) are `rest`.
pub(crate) fn catalog(rest: &str) -> Catalog {
    let text = format!(
        "schema: olm.package\nname: p\ndefaultChannel: c\n---\nschema: olm.channel\npackage: p\nname: c\nentries:\n{rest}"
    );
    lowered(&text)
}

/// The catalog of a notation of [`fixture`].
pub(crate) fn read(notation: &str) -> Catalog {
    lowered(&fixture::yaml(notation))
}

fn lowered(text: &str) -> Catalog {
    let parse = fbc::parse(FileId(0), text);
    assert_eq!(parse.diagnostics, []);
    let (catalog, unplaced) = lower(&[ParsedFile { text, parse: &parse }]);
    assert_eq!(unplaced, []);
    catalog
}

/// Documents of the bundles `p.v<version>`.
pub(crate) fn bundles(versions: &[&str]) -> String {
    let document = |version: &&str| {
        format!(
            "---\nschema: olm.bundle\npackage: p\nname: p.v{version}\nimage: i\nproperties:\n- type: olm.package\n  value: {{packageName: p, version: {version}}}\n"
        )
    };
    versions.iter().map(document).collect()
}
