//! The objects of manifests as they are written, also those that cannot be read.

use fbc::{Node, Value};

use super::{Inherited, Kind};

/// The objects of the kinds that OLM reads, in the order of the text; also those with errors.
#[must_use]
pub fn object_nodes(nodes: &[Node]) -> Vec<(Kind, &Node)> {
    let all = every_object(nodes).into_iter();
    all.filter_map(|(kind, api_version, node)| Some((Kind::of(kind, api_version)?, node))).collect()
}

/// All objects with their `kind` and `apiVersion`, which the items of a list take from it, in the order of the text.
#[must_use]
pub fn every_object(nodes: &[Node]) -> Vec<(&str, &str, &Node)> {
    let mut found = Vec::new();
    nodes.iter().for_each(|node| collect(node, &Inherited::default(), &mut found));
    found
}

fn collect<'n>(node: &'n Node, inherited: &Inherited<'n>, found: &mut Vec<(&'n str, &'n str, &'n Node)>) {
    if let Value::Sequence(items) = &node.value {
        return items.iter().for_each(|item| collect(item, inherited, found));
    }
    let text = |key| node.get(key).and_then(Node::as_str);
    let kind = text("kind").unwrap_or(inherited.kind);
    let api_version = text("apiVersion").unwrap_or(inherited.api_version);
    let of_list = if kind.is_empty() { Some(kind) } else { kind.strip_suffix("List") };
    match node.get("items").zip(of_list) {
        Some((items, "")) => collect(items, &Inherited::default(), found),
        Some((items, kind)) => collect(items, &Inherited { kind, api_version }, found),
        None => found.push((kind, api_version, node)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use source::FileId;

    #[test]
    fn objects_are_found_in_lists_and_with_errors() {
        let text = "kind: Subscription\n---\napiVersion: v1\nkind: List\nitems:\n- {kind: OperatorGroup}\n- {kind: ConfigMap}\n---\n\
                    apiVersion: olm.operatorframework.io/v1\nkind: ClusterExtensionList\nitems: [{spec: 1}]\n---\n\
                    apiVersion: messaging.knative.dev/v1\nkind: Subscription\n";
        let trees = fbc::untyped_values(FileId(0), text);
        let kinds: Vec<Kind> = object_nodes(&trees.nodes).into_iter().map(|(kind, _)| kind).collect();
        assert_eq!(kinds, [Kind::Subscription, Kind::OperatorGroup, Kind::ClusterExtension]);
    }
}
