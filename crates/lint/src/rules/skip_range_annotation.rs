//! The rule `skip-range-annotation`.
//!
#![doc = include_str!("skip_range_annotation.md")]

use crate::input::Input;
use crate::operator::Operator;
use fbc::Node;
use fbc::raw::{RawBundle, RawDoc};
use source::{Diagnostic, Findings, Rule, Span};
use std::collections::BTreeMap;

const KEY: &str = "olm.skipRange";

/// Of so many bundles of a package the annotations are read: they are the largest part of a catalog.
const READ: usize = 3;

/// A bundle whose metadata have the key, wherever that is.
struct Mention<'a> {
    name: &'a str,
    /// The text of the file.
    text: &'a str,
    metadata: &'a Node,
    key: Span,
}

pub(super) fn check(input: Input<'_>, operators: &[Operator<'_>], found: &mut Findings) {
    let mut of_package: BTreeMap<&str, Vec<Mention<'_>>> = BTreeMap::new();
    for file in input.files {
        for doc in &file.parse.docs {
            let RawDoc::Bundle(bundle) = &doc.raw else { continue };
            let Some(package) = &bundle.package else { continue };
            if let Some(mention) = mention(bundle, file.text) {
                of_package.entry(&package.value).or_default().push(mention);
            }
        }
    }
    for (package, mentions) in of_package {
        let Ok(at) = operators.binary_search_by(|operator| operator.package.name.as_str().cmp(package)) else {
            continue;
        };
        found.extend(in_package(&operators[at], mentions));
    }
}

/// The key in the metadata of a bundle, found without reading them.
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

fn in_package(operator: &Operator<'_>, mut mentions: Vec<Mention<'_>>) -> Option<Diagnostic> {
    // By name, whether no channel has a skipRange for it.
    let mut bare: BTreeMap<&str, bool> = BTreeMap::new();
    for entry in operator.lanes.iter().flat_map(|lane| &lane.channel.entries) {
        *bare.entry(entry.name.value.as_str()).or_insert(true) &= entry.skip_range.is_none();
    }
    mentions.retain(|mention| bare.get(mention.name) == Some(&true));
    let places: BTreeMap<&str, usize> =
        operator.bundles.iter().enumerate().map(|(place, bundle)| (bundle.name.value.as_str(), place)).collect();
    let mut newest: Vec<&Mention<'_>> = mentions.iter().collect();
    newest.sort_by_key(|mention| std::cmp::Reverse(places.get(mention.name)));
    let (mention, range) = newest.into_iter().take(READ).find_map(|mention| Some((mention, annotation(mention)?)))?;
    let mut message = format!(
        "`{}` has skipRange `{range}` in the annotations of its CSV alone, which nobody reads in a catalog",
        mention.name
    );
    match mentions.len() - 1 {
        0 => {}
        1 => message.push_str("; so has 1 more bundle of the package"),
        more => message.push_str(&format!("; so have {more} more bundles of the package")),
    }
    let help = "if these updates are meant, write the `skipRange` at the entries of the channel";
    Some(Diagnostic::new(Rule::SkipRangeAnnotation, mention.key, message).with_help(help))
}

/// The skipRange, if the key is that of an annotation.
fn annotation(mention: &Mention<'_>) -> Option<String> {
    let metadata = mention.metadata.to_json(mention.text).ok()?;
    let range = metadata.get("annotations")?.get(KEY)?.as_str()?;
    (!range.trim().is_empty()).then(|| range.to_owned())
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, package};
    use source::Rule;

    fn annotated(entries: &str, annotations: &[&str]) -> String {
        let metadata = |annotation: &&str| {
            format!(
                "- type: olm.csv.metadata\n  value:\n    description: about olm.skipRange\n    annotations:\n      {annotation}\n"
            )
        };
        let mut text = package(entries, &[]);
        for (annotation, version) in annotations.iter().zip(["1.0.0", "2.0.0"]) {
            text.push_str(package("", &[version]).split_once("entries:\n").unwrap().1);
            text.push_str(&metadata(annotation));
        }
        text
    }

    const CHAIN: &str = "- {name: p.v2.0.0, replaces: p.v1.0.0}\n- name: p.v1.0.0\n";

    #[test]
    fn the_newest_is_told_and_others_are_counted() {
        let expected = "36:8 `p.v2.0.0` has skipRange `<2.0.0` in the annotations of its CSV alone, which nobody reads in a catalog; so has 1 more bundle of the package";
        let text = annotated(CHAIN, &["olm.skipRange: <1.0.0", "\"olm.skipRange\" : '<2.0.0'"]);
        check(Rule::SkipRangeAnnotation, &text, &[expected]);
    }

    #[test]
    fn an_entry_has_it_too() {
        let entries = "- {name: p.v2.0.0, replaces: p.v1.0.0, skipRange: <2.0.0}\n- name: p.v1.0.0\n";
        check(Rule::SkipRangeAnnotation, &annotated(entries, &["x: y", "olm.skipRange: <2.0.0"]), &[]);
    }

    #[test]
    fn something_else_of_that_name() {
        check(Rule::SkipRangeAnnotation, &annotated(CHAIN, &["x: y", "x: 'olm.skipRange: <2.0.0'"]), &[]);
        check(Rule::SkipRangeAnnotation, &annotated(CHAIN, &["x: y", "olm.skipRange: ''"]), &[]);
    }
}
