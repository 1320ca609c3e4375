//! A file of a catalog, from bytes to raw documents.

use std::collections::BTreeMap;

use fastrand::Rng;
use fbc::raw::{RawDoc, RawProperty};
use fbc::{Decoded, Node, Parse, Reading, Value};
use source::{FileId, Span, TextEdit};

use crate::memory::measured;
use crate::spans;

const FILE: FileId = FileId(0);

/// Longer texts are parsed, but their spans are not checked.
pub(super) const LOOKED_THROUGH: usize = 20_000;

/// Memory that parsing takes whatever the text.
const FLOOR: usize = 512 << 10;

/// The most findings of a text before some are left out, and the memory of one, with the room that a growing list leaves free.
const FINDINGS: usize = 10_000;
const FINDING: usize = 3 << 9;

/// Checks one input; panics when a property does not hold.
pub fn check(input: &[u8]) {
    let Decoded { text, fault } = fbc::decode_bytes(FILE, input.to_vec());
    if let Some(finding) = fault {
        let place = finding.span.start as usize..finding.span.end as usize;
        assert!(text[place].chars().eq((!text.is_empty()).then_some(char::REPLACEMENT_CHARACTER)), "{finding:?}");
    }
    let (parse, taken) = measured(|| fbc::parse(FILE, &text));
    let allowed = 10 * text.len() + FLOOR + FINDING * (text.len() / 3).min(FINDINGS);
    assert!(taken <= allowed, "{taken} bytes of memory for {} bytes of text", text.len());
    in_steps(&text, &parse);
    if text.len() > LOOKED_THROUGH {
        return;
    }
    assert_eq!(parse, fbc::parse(FILE, &text), "read twice");
    spans::check(&parse, |file| (file == FILE).then(|| text.clone()));
    legacy(&text);
    open(&text, &parse);
    if let Some(found) = session::split(&text) {
        let lines = |text: &str| text.lines().filter(|line| !line.trim().is_empty()).count();
        assert!(lines(&found.manifests) + lines(&found.catalog) <= lines(&text), "something was added");
    }
}

/// Parsing in steps, and after edits of another text, gives the same result.
fn in_steps(text: &str, expected: &Parse) {
    // The steps and edits depend on the text alone, so that a failure can be repeated.
    let mut rng = Rng::with_seed(text.bytes().fold(7, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into())));
    let cut = text.floor_char_boundary(rng.usize(..=text.len()));
    let (kept, rest) = text.split_at(cut);
    let behind = rest.ceil_char_boundary(rng.usize(..40).min(rest.len()));
    let other = ["", "---\n", "x: [", "- a\n", "\n"][rng.usize(..5)];
    let mut reading = Reading::new(FILE);
    let before = [kept, other, &rest[behind..]].concat();
    finish(&mut reading, &before, &mut rng);
    let edit = |end: usize, text: &str| TextEdit { start: cut as u32, end: end as u32, text: text.to_owned() };
    reading.edit(text, &edit(cut + other.len(), &rest[..behind]));
    if rng.bool() {
        reading.step(text, rng.u32(..100));
        reading.edit(text, &edit(cut, ""));
    }
    finish(&mut reading, text, &mut rng);
    assert_eq!(reading.parse(), expected, "read after an edit of {before:?}");
}

fn finish(reading: &mut Reading, text: &str, rng: &mut Rng) {
    let bytes = rng.u32(1..400) + text.len() as u32 / 50;
    while !reading.step(text, bytes) {}
}

fn legacy(text: &str) {
    let legacy = fbc::legacy(FILE, text);
    spans::check(&legacy, |_| Some(text.to_owned()));
    for property in legacy.iter().flat_map(|legacy| &legacy.properties) {
        opens(text, property);
    }
}

/// Values that the parser skipped are, once opened, the same as those of the reader that skips nothing.
fn open(text: &str, parse: &Parse) {
    let trees = fbc::untyped_values(FILE, text);
    let mut by_place = BTreeMap::new();
    trees.nodes.iter().for_each(|node| note(node, &mut by_place));
    let bundles = parse.docs.iter().filter_map(|doc| match &doc.raw {
        RawDoc::Bundle(bundle) => Some(bundle),
        _ => None,
    });
    for property in bundles.flat_map(|bundle| &bundle.properties) {
        opens(text, property);
        let Some((whole, value)) = by_place.get(&property.span).zip(property.value.as_ref()) else { continue };
        let Some(expected) = field(whole, "value") else { continue };
        if let (Ok(expected), Ok(value)) = (expected.to_json(text), value.to_json(text)) {
            assert_eq!(value, expected, "the value of {:?}", property.span);
        }
    }
}

/// A skipped value that fits its type still does so once it is opened.
fn opens(text: &str, property: &RawProperty) {
    let Some(value) = &property.value else { return };
    if let Ok(opened) = value.open(text) {
        spans::check(&opened, |_| Some(text.to_owned()));
    }
    if let (true, Some(kind)) = (property.fits, &property.kind) {
        assert_eq!(fbc::property_misfit(&kind.value, value, text), Ok(None), "{:?}", property.span);
    }
}

fn note<'n>(node: &'n Node, by_place: &mut BTreeMap<Span, &'n Node>) {
    match &node.value {
        Value::Mapping(entries) => {
            by_place.insert(node.span, node);
            entries.iter().for_each(|(_, value)| note(value, by_place));
        }
        Value::Sequence(items) => items.iter().for_each(|item| note(item, by_place)),
        _ => {}
    }
}

/// The field of this name, unless there are several.
fn field<'n>(node: &'n Node, name: &str) -> Option<&'n Node> {
    let Value::Mapping(entries) = &node.value else { return None };
    let mut found = entries.iter().filter(|(key, _)| fbc::same_field(&key.value, name));
    let (_, value) = found.next()?;
    found.next().is_none().then_some(value)
}
