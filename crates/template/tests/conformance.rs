//! Recorded templates: what the real code (operator-registry v1.73.0) made of them in twelve runs each.
//!
//! `data/semver-template.jsonl`, one a line: `template`, `bundles` (what its images stand for), `expected` (the distinct
//! results, entries by name). An image that the real run did not have ended it with `bundle image ... not found`; here it is missing.

use serde_json::{Map, Value, json};
use source::FileId;
use template::{Channel, Entry, Expansion, Images, RenderStatus, expand};

const ROWS: &str = include_str!("data/semver-template.jsonl");

#[test]
fn every_recorded_template_expands_the_same() {
    let mut told = Vec::new();
    let mut count = 0;
    for line in ROWS.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| row[name].as_str().unwrap().to_owned();
        let (template, bundles) = (text("template"), text("bundles"));
        let parse = fbc::parse(FileId(0), &bundles);
        let mut images = Images::default();
        images.add(&bundles, &parse);
        let mut found = results(&expand(FileId(1), &template, &images));
        let mut expected = row["expected"].as_array().unwrap().clone();
        found.sort_by_key(ToString::to_string);
        expected.sort_by_key(ToString::to_string);
        if found != expected {
            told.push(format!("{}\n{template}\nexpected {expected:?}\nfound    {found:?}", text("name")));
        }
        count += 1;
    }
    assert!(told.is_empty(), "{} of {count} differ:\n{}", told.len(), told.join("\n\n"));
    assert_eq!(count, 250);
}

/// What `opm` may print, in the form of the rows.
fn results(expansion: &Expansion) -> Vec<Value> {
    match &expansion.status {
        RenderStatus::Rejected(lines) => lines.iter().map(|line| json!({"error": line})).collect(),
        RenderStatus::NeedsRegistry => {
            let missing = expansion.missing.iter();
            missing.map(|image| json!({"error": format!("bundle image {:?} not found", image.value)})).collect()
        }
        RenderStatus::TooLarge => Vec::new(),
        RenderStatus::Accepted => {
            let catalog = expansion.catalog.as_ref().expect("what is accepted has a catalog");
            let [package] = catalog.packages.as_slice() else { panic!("a template has one package") };
            let channels: Vec<Value> = catalog.channels.iter().map(channel).collect();
            vec![json!({"package": package.name, "defaultChannel": package.default_channel, "channels": channels})]
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
    if !entry.skips.is_empty() {
        fields.insert("skips".to_owned(), json!(entry.skips));
    }
    Value::Object(fields)
}
