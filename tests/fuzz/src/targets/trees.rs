//! Any YAML or JSON as trees of values.

use fbc::{Node, Value};
use source::FileId;

use super::stream::LOOKED_THROUGH;
use super::text::text;
use crate::memory::bounded;
use crate::spans;

const FILE: FileId = FileId(0);

/// Trees are built whole, a node for every two bytes of `[,]`: they are for manifests and templates, not for catalogs.
const TIMES: usize = 80;
/// At most some ten thousand findings, and what reading takes whatever the text.
const FLOOR: usize = 8 << 20;

/// Checks one input; panics when a property does not hold.
pub fn check(input: &[u8]) {
    let text = text(input);
    let trees = bounded(text.len(), TIMES, FLOOR, || fbc::untyped_values(FILE, &text));
    let document = bounded(text.len(), TIMES, FLOOR, || fbc::yaml_document(FILE, &text));
    if text.len() > LOOKED_THROUGH {
        return;
    }
    assert_eq!(trees, fbc::untyped_values(FILE, &text), "read twice");
    spans::check(&(&trees, &document), |_| Some(text.clone()));
    for node in &trees.nodes {
        written(node, &text);
    }
    if let Ok(document) = document {
        assert!(text.is_char_boundary(document.end as usize), "ends inside a character");
        written(&document.node, &text);
        spans::check(&fbc::documents(&text, vec![document.node]), |_| Some(text.clone()));
    }
}

/// As JSON it is read back to the same.
fn written(node: &Node, text: &str) {
    let Ok(json) = node.to_json(text) else { return };
    let line = json.to_string();
    let again = fbc::untyped_values(FILE, &line);
    // A text that begins with a brace is JSON.
    if !matches!(node.value, Value::Mapping(_)) {
        return;
    }
    let read = again.nodes.first().map(|node| node.to_json(&line));
    assert_eq!(read, Some(Ok(json)), "{line}");
}
