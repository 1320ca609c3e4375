//! Recorded answers of `opm`: what it renders of small bundle directories (operator-registry `4f9d6f22`), each named
//! after the rule that it shows, and prints of documents.

use bundle::{Document, File, RenderOutcome, Rendering, catalog_document, in_order, render};
use flate2::read::GzDecoder;
use proptest::prelude::*;
use serde_json::{Value, json};
use source::FileId;
use std::io::{BufRead, BufReader, Read};
use std::sync::LazyLock;
use walkdir::WalkDir;

const ROWS: &[u8] = include_bytes!("../bundles.jsonl.gz");

/// The answer in the form of the rows: the data of bundle objects is the JSON that its base64 holds.
fn answer(outcome: &RenderOutcome) -> Value {
    match outcome {
        RenderOutcome::Bundle(bundle) => {
            let mut blob: Value = serde_json::from_str(&bundle.document().json).expect("JSON");
            for property in blob["properties"].as_array_mut().into_iter().flatten() {
                if property["type"] == "olm.bundle.object" {
                    let data = property["value"]["data"].as_str().expect("base64").to_owned();
                    let object = fbc::decode_base64(&data).expect("base64");
                    property["value"]["data"] = serde_json::from_slice(&object).expect("JSON");
                }
            }
            json!({ "bundle": blob })
        }
        RenderOutcome::Nothing => json!({ "bundle": null }),
        RenderOutcome::Rejected(error) => json!({ "error": error }),
        RenderOutcome::Unknown(why) => panic!("{why}"),
    }
}

#[test]
fn bundles_are_rendered_as_opm_renders_them() {
    let mut text = String::new();
    GzDecoder::new(ROWS).read_to_string(&mut text).expect("it is packed text");
    let mut count = 0;
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).expect("a row");
        let name = row["name"].as_str().expect("a name");
        let files = row["files"].as_object().expect("files");
        let file = |(number, (path, text)): (u32, (&'_ String, &'_ Value))| {
            (FileId(number), path.clone(), text.as_str().expect("a text").to_owned())
        };
        let files: Vec<(FileId, String, String)> = (0..).zip(files).map(file).collect();
        let files: Vec<_> = files.iter().map(|(id, path, text)| File { id: *id, path, text, fault: None }).collect();
        let rendering = render(&files);
        assert_eq!(answer(&rendering.outcome), row["expected"], "{name}");
        let is_warned = !row["warnings"].as_array().expect("a list").is_empty();
        assert!(!is_warned || !rendering.findings.is_empty(), "{name}: opm's warnings are not told");
        for finding in &rendering.findings {
            let text = files[finding.span.file.0 as usize].text;
            assert!(text.get(finding.span.start as usize..finding.span.end as usize).is_some(), "{name}: {finding:?}");
        }
        count += 1;
    }
    assert_eq!(count, 62);
}

// Recorded documents: the bytes that `opm` prints of them.
//
// One row a line: `json`, a value as JSON with four blanks for each level, and `yaml`, the same as YAML, or `error`,
// why there is none. They were recorded from a program of Go 1.26.5 that writes as `alpha/declcfg/write.go` of
// operator-registry `4f9d6f22` does: with `encoding/json`, and with `JSONToYAML` of sigs.k8s.io/yaml v1.6.0 over
// go.yaml.in/yaml/v2 v2.4.4. The values were made for it: texts as items and as keys with every kind of character, of
// all that could be read as another type, around the column of the fold, keys of all lengths, numbers, orders of keys,
// and random ones. Values whose keys were in another order in one of eight runs are left out.

const PRINTED_ROWS: &[u8] = include_bytes!("../printed.jsonl.gz");

#[test]
fn every_recorded_document_is_printed_to_the_byte() {
    let mut rows = String::new();
    GzDecoder::new(PRINTED_ROWS).read_to_string(&mut rows).unwrap();
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

// What holds for every bundle directory, tried on changed ones.

/// The files of the recorded directories.
static DIRECTORIES: LazyLock<Vec<Vec<(String, String)>>> = LazyLock::new(|| {
    let rows = BufReader::new(GzDecoder::new(&include_bytes!("../bundles.jsonl.gz")[..])).lines();
    let files = |row: Value| {
        let files = row["files"].as_object().expect("files");
        files.iter().map(|(path, text)| (path.clone(), text.as_str().expect("a text").to_owned())).collect()
    };
    rows.map(|row| files(serde_json::from_str(&row.expect("a line")).expect("a row"))).collect()
});

fn rendered(files: &[(String, String)]) -> Rendering {
    let files = (0..).zip(files);
    let files: Vec<_> = files.map(|(id, (path, text))| File { id: FileId(id), path, text, fault: None }).collect();
    render(&files)
}

/// Puts `with` in the place of `length` bytes, wherever they are.
fn change(text: &str, at: usize, length: usize, with: &str) -> String {
    let start = text.floor_char_boundary(at % (text.len() + 1));
    let end = text.ceil_char_boundary((start + length).min(text.len()));
    format!("{}{with}{}", &text[..start], &text[end..])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn changed_directories_are_answered(
        (directory, file) in (any::<proptest::sample::Index>(), any::<proptest::sample::Index>()),
        changes in proptest::collection::vec(
            (any::<usize>(), 0usize..12, proptest::sample::select(vec![
                "", "\n", "\n---\n", ": ", "- ", "{", "}", "[", "\"", "null", "1", "1.50", "é", "&a ", "*a", "~", "\t", "  ", "<<: ",
            ])),
            1..4,
        ),
    ) {
        let mut files = directory.get(&DIRECTORIES).clone();
        let file = file.index(files.len());
        for (at, length, with) in changes {
            files[file].1 = change(&files[file].1, at, length, with);
        }
        let Rendering { outcome, findings, .. } = rendered(&files);
        for finding in &findings {
            let text = &files[finding.span.file.0 as usize].1;
            prop_assert!(text.get(finding.span.start as usize..finding.span.end as usize).is_some(), "{finding:?}");
        }
        match &outcome {
            RenderOutcome::Bundle(bundle) => {
                let document = bundle.document();
                let from_json: Value = serde_json::from_str(&document.to_json()).expect("JSON");
                prop_assert_eq!(&from_json["name"], &Value::from(bundle.name.as_str()));
                let yaml = document.to_yaml().expect("YAML");
                let nodes = fbc::untyped_values(FileId(0), &yaml).nodes;
                prop_assert_eq!(nodes[0].get("name").and_then(fbc::Node::as_str), Some(bundle.name.as_str()));
            }
            // Whatever gives no bundle has a finding that says why.
            RenderOutcome::Nothing | RenderOutcome::Rejected(_) => {
                prop_assert!(findings.iter().any(|finding| finding.rule == source::Rule::UnrenderedBundle));
            }
            RenderOutcome::Unknown(_) => {}
        }
        // The order in which the files are given plays no role.
        files.reverse();
        prop_assert_eq!(rendered(&files).outcome, outcome);
    }
}
