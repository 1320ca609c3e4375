//! Any YAML or JSON text as trees: split and read as catalogs are, which is how `kubectl` does it, but not looked into.

use crate::parse::Found;
use crate::{Node, Reading, Value};
use source::{Diagnostic, FileId, Rule};

/// The documents of a text, in order, and what is wrong with it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trees {
    /// Those that could be read and have content, built whole but for what lies deeper than 64 levels.
    pub nodes: Vec<Node>,
    /// What could not be read.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads YAML documents or concatenated JSON values that are no catalog. Never fails.
///
/// ```
/// use source::FileId;
///
/// let text = "kind: A\n---\nkind: [\n---\nkind: B\n";
/// let trees = fbc::trees(FileId(0), text);
/// let kinds: Vec<_> = trees.nodes.iter().filter_map(|node| node.get("kind")?.as_str()).collect();
/// assert_eq!((kinds, trees.diagnostics.len()), (vec!["A", "B"], 1));
/// ```
#[must_use]
pub fn trees(file: FileId, text: &str) -> Trees {
    let mut reading = Reading::with(file, Found { trees: Some(Vec::new()), ..Found::default() });
    while !reading.step(text, u32::MAX) {}
    let found = reading.into_found();
    let mut nodes = found.trees.unwrap_or_default();
    nodes.retain(|node| node.value != Value::Null);
    let mut diagnostics = found.parse.diagnostics;
    // An empty document is none. `opm` has no say here.
    diagnostics.retain(|finding| finding.rule != Rule::EmptyDocument);
    for finding in &mut diagnostics {
        finding.opm = None;
        if finding.rule == Rule::LostText {
            "only the first document up to here is read, and the rest is ignored".clone_into(&mut finding.message);
        }
    }
    Trees { nodes, diagnostics }
}
