//! Parts of values that have any shape.

use fbc::{Node, Value};

/// The items of a list; none of anything else.
pub(crate) fn items(node: &Node) -> &[Node] {
    match &node.value {
        Value::Sequence(items) => items,
        _ => &[],
    }
}

/// The text of a field that Go matches in any case; empty when there is none.
pub(crate) fn text_field(node: &Node, name: &str) -> String {
    node.field(name).and_then(Node::as_str).unwrap_or_default().to_owned()
}
