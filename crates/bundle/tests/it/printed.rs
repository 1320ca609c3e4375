//! Recorded documents: the bytes that `opm` prints of them.
//!
//! One row a line: `json`, a value as JSON with four blanks for each level, and `yaml`, the same as YAML, or `error`, why there is
//! none. They were recorded from a program of Go 1.26.5 that writes as `alpha/declcfg/write.go` of operator-registry
//! `4f9d6f22` does: with `encoding/json`, and with `JSONToYAML` of sigs.k8s.io/yaml v1.6.0 over go.yaml.in/yaml/v2 v2.4.4. The
//! values were made for it: texts as items and as keys with every kind of character, of all that could be read as another type,
//! around the column of the fold, keys of all lengths, numbers, orders of keys, and random ones. Values whose keys were in another
//! order in one of eight runs are left out.

use bundle::{Document, catalog_document, in_order};
use flate2::read::GzDecoder;
use serde_json::Value;
use source::FileId;
use std::io::Read;
use walkdir::WalkDir;

const ROWS: &[u8] = include_bytes!("../printed.jsonl.gz");

#[test]
fn every_recorded_document_is_printed_to_the_byte() {
    let mut rows = String::new();
    GzDecoder::new(ROWS).read_to_string(&mut rows).unwrap();
    let mut wrong = Vec::new();
    for line in rows.lines() {
        let row: Value = serde_json::from_str(line).expect("a row");
        let value: Value = serde_json::from_str(row["json"].as_str().expect("a text")).expect("JSON");
        let none = String::new;
        let document = Document { schema: none(), package: none(), name: none(), json: fbc::plain_json(&value) };
        let (json, yaml) = (document.to_json(), document.to_yaml());
        let is_same = match (&yaml, row["yaml"].as_str()) {
            (Ok(found), Some(expected)) => found.strip_prefix("---\n") == Some(expected),
            (found, expected) => found.is_err() && expected.is_none(),
        };
        if !is_same || row["json"] != *json {
            wrong.push(format!("{line}\n{json:?}\n{yaml:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.lines().count(), wrong.join("\n\n"));
    assert_eq!(rows.lines().count(), 2_239);
}

/// What `opm` prints of a catalog.
fn printed(text: &str) -> String {
    let nodes = fbc::untyped_values(FileId(0), text).nodes;
    let documents = nodes.iter().map(|node| catalog_document(node, text).expect("it can be opened")).collect();
    in_order(documents).iter().map(|document| document.to_yaml().expect("it can be written")).collect()
}

#[test]
fn catalogs_that_opm_printed_stay_as_they_are() {
    const CATALOG: &str = "---\ndefaultChannel: stable\nname: etcd\nschema: olm.package\n---\nentries:\n- name: etcd.v1.0.0\nname: \
                           stable\npackage: etcd\nschema: olm.channel\n";
    assert_eq!(printed(CATALOG), CATALOG);
    // Real ones: the folder has catalogs that a pipeline rendered with `opm`, which begin like this one.
    let Some(folder) = std::env::var_os("OPSCOPE_CATALOGS") else { return };
    let files = WalkDir::new(folder).into_iter().map(|entry| entry.expect("a readable folder").into_path());
    let yaml = files.filter(|path| path.extension().is_some_and(|ending| ending == "yaml"));
    let texts = yaml.filter_map(|path| Some((std::fs::read_to_string(&path).ok()?, path)));
    let (mut count, mut wrong) = (0, Vec::new());
    for (text, path) in texts.filter(|(text, _)| text.starts_with("---\ndefaultChannel: ")) {
        count += 1;
        if printed(&text) != text {
            wrong.push(path);
        }
    }
    assert!(count > 0 && wrong.is_empty(), "{} of {count} differ: {wrong:#?}", wrong.len());
}
