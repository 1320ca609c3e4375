//! `ci.yaml` of an operator: which template makes which catalogs (operator-pipelines
//! `operatorcert/schemas/ci-schema.json`).

use fbc::{Node, Value};
use source::{FileId, Span, Spanned};

/// `fbc`, where it is enabled.
pub(crate) struct Fbc {
    /// `catalog_mapping`
    pub(crate) mappings: Vec<Mapping>,
    /// Where this list begins.
    pub(crate) start: Span,
    /// Whether `version_promotion_strategy` says how the operator gets into catalogs for new versions of OpenShift.
    pub(crate) has_promotion_strategy: bool,
}

/// An item of `fbc.catalog_mapping`.
pub(crate) struct Mapping {
    /// The name of a file in `catalog-templates/`.
    pub(crate) template: String,
    /// Whether that is an `olm.template.basic`.
    pub(crate) is_basic: bool,
    /// `catalog_names`
    pub(crate) catalogs: Vec<Spanned<Box<str>>>,
}

/// What a `ci.yaml` says of FBC; `None` if that is not enabled, or if the text cannot be read.
pub(crate) fn read(file: FileId, text: &str) -> Option<Fbc> {
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
    is_enabled.then(|| Fbc {
        mappings: items(list).iter().filter_map(mapping).collect(),
        start: list.span.at_start(),
        has_promotion_strategy: fbc.get("version_promotion_strategy").is_some(),
    })
}

fn items(list: &Node) -> &[Node] {
    match &list.value {
        Value::Sequence(items) => items,
        _ => &[],
    }
}
