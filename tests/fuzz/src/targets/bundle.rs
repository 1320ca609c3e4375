//! A bundle directory: each file begins with `=== PATH`.

use bundle::{File, RenderOutcome, Rendering, render};
use serde_json::Value;
use source::{FileId, Rule};

use super::stream::LOOKED_THROUGH;
use super::text::text;
use crate::memory::bounded;
use crate::seeds::parts;
use crate::spans;

/// Memory of a rendering, whatever the directory.
const FLOOR: usize = 16 << 20;

/// Whether JSON may have a character that YAML may not.
fn is_refused(c: char) -> bool {
    c.is_control() && c != '\n' || matches!(c, '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// Checks one input; panics when a property does not hold.
pub fn check(input: &[u8]) {
    let input = text(input);
    let (_, files) = parts(&input);
    let files: Vec<File<'_>> =
        (0..).zip(&files).map(|(id, (path, text))| File { id: FileId(id), path, text, fault: None }).collect();
    if files.is_empty() {
        return;
    }
    let Rendering { outcome, findings, .. } = bounded(input.len(), 100, FLOOR, || render(&files));
    if input.len() > LOOKED_THROUGH {
        return;
    }
    spans::check(&findings, |file| files.get(file.0 as usize).map(|file| file.text.to_owned()));
    match &outcome {
        RenderOutcome::Bundle(bundle) => {
            let document = bundle.document();
            let text = document.to_json();
            let json: Value = serde_json::from_str(&text).expect("a document is JSON");
            assert_eq!(json["name"], bundle.name.as_str());
            match document.to_yaml() {
                Ok(yaml) => {
                    let nodes = fbc::untyped_values(FileId(0), &yaml).nodes;
                    assert_eq!(nodes[0].get("name").and_then(fbc::Node::as_str), Some(bundle.name.as_str()), "{yaml}");
                }
                Err(error) => assert!(text.chars().any(is_refused), "{error}"),
            }
        }
        RenderOutcome::Nothing | RenderOutcome::Rejected(_) => {
            let says_why = findings.iter().any(|finding| finding.rule == Rule::UnrenderedBundle);
            assert!(says_why, "no finding says why there is no bundle");
        }
        RenderOutcome::Unknown(_) => {}
    }
    let mut paths: Vec<&str> = files.iter().map(|file| file.path).collect();
    paths.sort_unstable();
    // A folder has each file once.
    if paths.windows(2).all(|pair| pair[0] != pair[1]) {
        let reversed: Vec<File<'_>> = files.iter().rev().copied().collect();
        assert_eq!(render(&reversed).outcome, outcome, "the order of files matters");
    }
}
