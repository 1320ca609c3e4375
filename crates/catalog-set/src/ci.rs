//! `ci.yaml` of an operator: which template makes which catalogs (operator-pipelines
//! `operatorcert/schemas/ci-schema.json`).

use fbc::{Node, Value};
use source::{FileId, Span, Spanned};

/// An item of `fbc.catalog_mapping`.
pub(crate) struct Mapping {
    /// The name of a file in `catalog-templates/`.
    pub(crate) template: String,
    /// Whether that is an `olm.template.basic`.
    pub(crate) is_basic: bool,
    /// `catalog_names`
    pub(crate) catalogs: Vec<Spanned<Box<str>>>,
}

/// The mappings of a `ci.yaml`, and where the list begins; `None` if FBC is not enabled, or if the text cannot be read.
pub(crate) fn mappings(file: FileId, text: &str) -> Option<(Vec<Mapping>, Span)> {
    let node = fbc::yaml_document(file, text).ok()?.node;
    let fbc = node.get("fbc")?;
    let list = fbc.get("catalog_mapping")?;
    let is_enabled = fbc.get("enabled").is_some_and(|enabled| enabled.value == Value::Bool(true));
    let mapping = |item: &Node| {
        let names = item.get("catalog_names").map(items).unwrap_or_default().iter();
        Some(Mapping {
            template: item.get("template_name")?.as_str()?.to_owned(),
            is_basic: item.get("type").and_then(Node::as_str) == Some("olm.template.basic"),
            catalogs: names.filter_map(|name| Some(Spanned::new(name.as_str()?.into(), name.span))).collect(),
        })
    };
    is_enabled.then(|| (items(list).iter().filter_map(mapping).collect(), list.span.at_start()))
}

fn items(list: &Node) -> &[Node] {
    match &list.value {
        Value::Sequence(items) => items,
        _ => &[],
    }
}
