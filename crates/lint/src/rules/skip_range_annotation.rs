//! The rule `skip-range-annotation`.
//!
#![doc = include_str!("skip_range_annotation.md")]

use crate::index::{IndexedPackage, Input};
use fbc::Node;
use fbc::raw::RawBundle;
use go_semver::blang::Range;
use source::{Diagnostic, QuickFix, Rewrite, Rule, Span};
use std::collections::BTreeMap;

const KEY: &str = "olm.skipRange";

/// Of how many bundles of a package the annotations are parsed; they are the largest part of a catalog.
const MAX_PARSED: usize = 3;

/// A bundle whose metadata contain the key somewhere.
struct Mention<'a> {
    name: &'a str,
    text: &'a str,
    metadata: &'a Node,
    key: Span,
}

pub(super) fn check(input: Input<'_>, indexed: &IndexedPackage<'_>) -> Option<Diagnostic> {
    // By name: whether no channel has a skipRange at the entry.
    let mut without_range: BTreeMap<&str, bool> = BTreeMap::new();
    for entry in indexed.channels.iter().flat_map(|channel| channel.entries()) {
        *without_range.entry(entry.name.value.as_str()).or_insert(true) &= entry.skip_range.is_none();
    }
    // Oldest first.
    let bundles = indexed.bundles.iter().filter(|bundle| without_range.get(bundle.name.value.as_str()) == Some(&true));
    let mentions: Vec<Mention<'_>> = bundles
        .filter_map(|bundle| {
            let (raw, text) = input.bundle(bundle.span)?;
            mention(raw, text)
        })
        .collect();
    let (mention, range) =
        mentions.iter().rev().take(MAX_PARSED).find_map(|mention| Some((mention, annotation(mention)?)))?;
    let mut message =
        format!("`{}` has skipRange `{range}` only in the annotations of its CSV, where OLM ignores it", mention.name);
    match mentions.len() - 1 {
        0 => {}
        1 => message.push_str("; the same is true of 1 more bundle of the package"),
        more => message.push_str(&format!("; the same is true of {more} more bundles of the package")),
    }
    let help = "to allow these updates, add `skipRange` to the entries of the channel";
    let finding = Diagnostic::new(Rule::SkipRangeAnnotation, mention.key, message).with_help(help);
    Some(finding.with_fix(add_to_entries(indexed, mention.name, &range)))
}

/// Finds the key in the metadata of a bundle without parsing them.
fn mention<'a>(bundle: &'a RawBundle, text: &'a str) -> Option<Mention<'a>> {
    let name = &bundle.name.as_ref()?.value;
    bundle.properties.iter().find_map(|property| {
        let metadata = property.value.as_ref()?;
        if &*property.kind.as_ref()?.value != "olm.csv.metadata" {
            return None;
        }
        let slice = metadata.span.slice(text);
        let is_key = |at: &usize| slice[at + KEY.len()..].trim_start_matches(['"', '\'', ' ']).starts_with(':');
        let at = memchr::memmem::find_iter(slice.as_bytes(), KEY).find(is_key)? as u32;
        let start = metadata.span.start + at;
        let key = Span::new(metadata.span.file, start, start + KEY.len() as u32);
        Some(Mention { name, text, metadata, key })
    })
}

/// Adds the skipRange to the entries of a bundle, if it is one that `opm` accepts and they are in one file.
fn add_to_entries(indexed: &IndexedPackage<'_>, name: &str, range: &str) -> Option<QuickFix> {
    let entries = indexed.channels.iter().flat_map(|channel| channel.entries());
    let places: Vec<Span> = entries.filter(|entry| entry.name.value.as_str() == name).map(|entry| entry.span).collect();
    let set = |&mapping: &Span| Rewrite::Set { mapping, within: None, field: "skipRange", text: range.to_owned() };
    let one_file = places.windows(2).all(|pair| pair[0].file == pair[1].file);
    (one_file && !places.is_empty() && Range::parse(range).is_ok()).then(|| QuickFix {
        title: format!("Add skipRange `{range}` to `{name}`"),
        changes: places.iter().map(set).collect(),
    })
}

/// The skipRange, if the key is that of an annotation.
fn annotation(mention: &Mention<'_>) -> Option<String> {
    let metadata = mention.metadata.to_json(mention.text).ok()?;
    let range = metadata.get("annotations")?.get(KEY)?.as_str()?;
    let is_empty = range.trim().is_empty() || Range::parse(range).is_ok_and(|range| range.never_matches());
    (!is_empty).then(|| range.to_owned())
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use source::Rule;

    #[test]
    fn findings() {
        let cases = r#"
            == the newest bundle is named and others are counted
            c: 1.0.0 <- 2.0.0
            bundle 1.0.0 (property olm.csv.metadata {description: about olm.skipRange, annotations: {olm.skipRange: <1.0.0}})
            bundle 2.0.0 (property olm.csv.metadata {annotations: {"olm.skipRange" : '<2.0.0'}})
                                                                    ^^^^^^^^^^^^^ skip-range-annotation: `p.v2.0.0` has skipRange `<2.0.0` only in the annotations of its CSV, where OLM ignores it; the same is true of 1 more bundle of the package
            == the entry has the range too
            c: 1.0.0 <- 2.0.0 (skipRange <2.0.0)
            bundle 2.0.0 (property olm.csv.metadata {annotations: {olm.skipRange: <2.0.0}})
            == a value that contains the key
            c: 1.0.0 <- 2.0.0
            bundle 2.0.0 (property olm.csv.metadata {description: about olm.skipRange, annotations: {x: 'olm.skipRange: <2.0.0'}})
            == an empty value
            c: 1.0.0 <- 2.0.0
            bundle 2.0.0 (property olm.csv.metadata {description: about olm.skipRange, annotations: {olm.skipRange: ''}})
        "#;
        check(Rule::SkipRangeAnnotation, cases);
    }
}
