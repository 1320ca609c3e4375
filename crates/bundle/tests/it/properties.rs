//! What holds for every bundle directory, tried on changed ones.

use bundle::{File, RenderOutcome, Rendering, render};
use flate2::read::GzDecoder;
use proptest::prelude::*;
use serde_json::Value;
use source::FileId;
use std::io::{BufRead, BufReader};
use std::sync::LazyLock;

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
