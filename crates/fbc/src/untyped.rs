//! YAML or JSON text as untyped values: split and parsed as catalogs are, which is how `kubectl` does it, but no schema is
//! decoded.

use crate::parse::Found;
use crate::{Node, Reading, Value};
use source::{Diagnostic, FileId, Rule};

/// The documents of a text, in order, and the findings about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UntypedValues {
    /// The documents that could be read and have content, built down to 64 levels.
    pub nodes: Vec<Node>,
    /// The documents that could not be read.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads YAML documents or concatenated JSON values that are not a catalog. Never fails.
///
/// ```
/// use source::FileId;
///
/// let text = "kind: A\n---\nkind: [\n---\nkind: B\n";
/// let values = fbc::untyped_values(FileId(0), text);
/// let kinds: Vec<_> = values.nodes.iter().filter_map(|node| node.get("kind")?.as_str()).collect();
/// assert_eq!((kinds, values.diagnostics.len()), (vec!["A", "B"], 1));
/// ```
#[must_use]
pub fn untyped_values(file: FileId, text: &str) -> UntypedValues {
    let mut reading = Reading::with(file, Found { trees: Some(Vec::new()), ..Found::default() });
    while !reading.step(text, u32::MAX) {}
    let found = reading.into_found();
    let mut nodes = found.trees.unwrap_or_default();
    nodes.retain(|node| node.value != Value::Null);
    let mut diagnostics = found.parse.diagnostics;
    // An empty document has no value. The errors of `opm` do not apply here.
    diagnostics.retain(|finding| finding.rule != Rule::EmptyDocument);
    for finding in &mut diagnostics {
        finding.opm = None;
        if finding.rule == Rule::LostText {
            "only the first document up to here is read, and the rest is ignored".clone_into(&mut finding.message);
        }
    }
    UntypedValues { nodes, diagnostics }
}
