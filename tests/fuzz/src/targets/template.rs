//! A template; after `=== catalog` the catalogs with the bundles of its images.

use source::FileId;
use template::{Images, expand, kind_of};

use super::stream::LOOKED_THROUGH;
use super::text::text;
use crate::memory::bounded;
use crate::seeds::parts;
use crate::spans;

/// Memory of an expansion, whatever the template.
const FLOOR: usize = 16 << 20;

/// Checks one input; panics when a property does not hold.
pub fn check(input: &[u8]) {
    let input = text(input);
    let (text, others) = parts(&input);
    let parses: Vec<_> =
        (1..).zip(others.iter().take(3)).map(|(at, (_, text))| (*text, fbc::parse(FileId(at), text))).collect();
    let mut images = Images::default();
    for (text, parse) in &parses {
        images.add(text, parse);
    }
    let parse = fbc::parse(FileId(0), text);
    assert_eq!(kind_of(&parse), kind_of(&fbc::parse(FileId(0), text)));
    let expansion = bounded(input.len(), 80, FLOOR, || expand(FileId(0), text, &images));
    if input.len() > LOOKED_THROUGH {
        return;
    }
    spans::check(&expansion.diagnostics, |file| match file.0 {
        0 => Some(text.to_owned()),
        at => parses.get(at as usize - 1).map(|(text, _)| (*text).to_owned()),
    });
    if let Some(catalog) = &expansion.catalog {
        let yaml = catalog.to_yaml();
        let parse = fbc::parse(FileId(9), &yaml);
        assert_eq!(parse.docs.len(), catalog.documents.len(), "{yaml}\n{:?}", parse.diagnostics);
    }
    assert_eq!(expand(FileId(0), text, &images), expansion, "expanded twice");
}
