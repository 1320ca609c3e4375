//! Compares with recorded answers of `opm render` (operator-registry `4f9d6f22`): 62 small bundle directories, each named
//! after the rule that it shows.

use bundle::{File, RenderOutcome, render};
use flate2::read::GzDecoder;
use serde_json::{Value, json};
use source::FileId;
use std::io::Read;

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
