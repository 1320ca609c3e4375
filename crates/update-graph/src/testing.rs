//! Small catalogs for the tests of this crate.

use catalog::{Catalog, ParsedFile, lower};
use source::FileId;

pub(crate) fn read(notation: &str) -> Catalog {
    let text = fixture::yaml(notation);
    let parse = fbc::parse(FileId(0), &text);
    assert_eq!(parse.diagnostics, []);
    let (catalog, unplaced) = lower(&[ParsedFile { text: &text, parse: &parse }]);
    assert_eq!(unplaced, []);
    catalog
}
