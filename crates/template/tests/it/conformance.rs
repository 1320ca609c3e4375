//! Recorded templates: what the real code made of them in several runs each.
//!
//! One row a line: `template`, `bundles` (what its images stand for), `expected` (the distinct results, with channels, entries
//! and bundles by name). `data/semver-template.jsonl` was recorded from operator-registry v1.73.0 in twelve runs;
//! `data/substitutes.jsonl.gz` from its commit `4f9d6f22` in eight. A run that did not have an image ended with an error; here
//! the image is missing.

use flate2::read::GzDecoder;
use serde_json::{Map, Value, json};
use source::FileId;
use std::io::Read;
use template::{Channel, Entry, Expansion, Images, RenderStatus, expand};

const SEMVER: &str = include_str!("../data/semver-template.jsonl");
const SUBSTITUTES: &[u8] = include_bytes!("../data/substitutes.jsonl.gz");

/// Compares each row with what is found; `is_same` gets both sorted.
fn check(rows: &str, count: usize, is_same: impl Fn(&[Value], &[Value]) -> bool) {
    let mut wrong = Vec::new();
    for line in rows.lines() {
        let row: Value = serde_json::from_str(line).expect("a row");
        let text = |name: &str| row[name].as_str().expect("a text").to_owned();
        let (template, bundles) = (text("template"), text("bundles"));
        let parse = fbc::parse(FileId(0), &bundles);
        let mut images = Images::default();
        images.add(&bundles, &parse);
        let mut found = results(&expand(FileId(1), &template, &images));
        let mut expected = row["expected"].as_array().expect("a list").clone();
        found.sort_by_key(ToString::to_string);
        expected.sort_by_key(ToString::to_string);
        if !is_same(&found, &expected) {
            wrong.push(format!("{}\n{template}\nexpected {expected:?}\nfound    {found:?}", text("name")));
        }
    }
    assert!(wrong.is_empty(), "{} of {count} differ:\n{}", wrong.len(), wrong.join("\n\n"));
    assert_eq!(rows.lines().count(), count);
}

#[test]
fn every_semver_template_expands_the_same() {
    // The rows have no list of bundles.
    let without_bundles = |found: &[Value]| -> Vec<Value> {
        let mut found = found.to_vec();
        found.iter_mut().for_each(|result| drop(result.as_object_mut().unwrap().remove("bundles")));
        found
    };
    check(SEMVER, 250, |found, expected| without_bundles(found) == expected);
}

#[test]
fn every_substitutes_template_expands_the_same() {
    let mut rows = String::new();
    GzDecoder::new(SUBSTITUTES).read_to_string(&mut rows).unwrap();
    // Trees of errors are in the order of Go's maps.
    check(&rows, 400, |found, expected| matches!(found, [only] if expected.contains(only)));
}

/// What `opm` may print, in the form of the rows.
fn results(expansion: &Expansion) -> Vec<Value> {
    match &expansion.status {
        RenderStatus::Rejected(lines) | RenderStatus::NeedsRegistry(lines) => {
            lines.iter().map(|line| json!({"error": line})).collect()
        }
        RenderStatus::TooLarge => Vec::new(),
        RenderStatus::Accepted => {
            let catalog = expansion.catalog.clone().unwrap_or_default();
            let package = catalog.packages.first().cloned().unwrap_or_default();
            let mut channels: Vec<&Channel> = catalog.channels.iter().collect();
            channels.sort_by_key(|channel| &channel.name);
            let bundles = catalog.documents.iter().filter(|document| &*document.schema == "olm.bundle");
            let mut bundles: Vec<&str> = bundles.map(|bundle| &*bundle.name).collect();
            bundles.sort_unstable();
            vec![json!({
                "package": package.name,
                "defaultChannel": package.default_channel,
                "channels": channels.into_iter().map(channel).collect::<Vec<_>>(),
                "bundles": bundles,
            })]
        }
    }
}

fn channel(channel: &Channel) -> Value {
    let mut entries: Vec<&Entry> = channel.entries.iter().collect();
    entries.sort_by_key(|entry| &entry.name);
    json!({"name": channel.name, "entries": entries.into_iter().map(entry).collect::<Vec<_>>()})
}

fn entry(entry: &Entry) -> Value {
    let mut fields = Map::from_iter([("name".to_owned(), json!(entry.name))]);
    if let Some(replaces) = &entry.replaces {
        fields.insert("replaces".to_owned(), json!(replaces));
    }
    if let Some(range) = &entry.skip_range {
        fields.insert("skipRange".to_owned(), json!(range));
    }
    if !entry.skips.is_empty() {
        let mut skips = entry.skips.clone();
        skips.sort_unstable();
        fields.insert("skips".to_owned(), json!(skips));
    }
    Value::Object(fields)
}
