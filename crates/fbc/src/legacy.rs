//! `dependencies.yaml` and `properties.yaml` of a bundle's `metadata/` folder, from before file-based catalogs.
//!
//! They are no catalog documents: `opm` reads them only out of bundle images. Read here, they can be attached to a bundle
//! of a catalog as the properties that `opm` makes of them (operator-registry `pkg/registry/types.go`, OLM documentation
//! "Declaring Dependencies").

use crate::decode::{Decoder, Fields, Shape};
use crate::findings::Findings;
use crate::go_type::{GoStruct, GoType, STRING};
use crate::meta::lookup;
use crate::node::same_field;
use crate::raw::{RawProperty, Text};
use crate::stream::{is_json, yaml_pieces};
use crate::{Node, Value, json, yaml};
use GoType::{Any, List, Struct};
use serde_json::value::RawValue;
use source::{Diagnostic, FileId, Rule, Span};

/// A file of properties or dependencies.
#[derive(Clone, Debug, PartialEq)]
pub struct Legacy {
    /// The bundle that the file names by a `bundle` field; `opm` knows no such field.
    pub bundle: Option<Text>,
    /// The listed properties. Dependencies are turned into the properties that require them.
    pub properties: Vec<RawProperty>,
    /// Findings about the file. None of them is an error of `opm`.
    pub diagnostics: Vec<Diagnostic>,
}

static LEGACY: Shape = Shape {
    go: &GoStruct {
        package: "",
        name: "",
        fields: &[
            ("bundle", STRING),
            ("schema", STRING),
            ("dependencies", List(&Struct(&LISTED))),
            ("properties", List(&Struct(&LISTED))),
        ],
    },
    path: "",
    title: "the file",
};

static ITEM: Shape = Shape { go: &LISTED, path: "", title: "a property" };

static LISTED: GoStruct =
    GoStruct { package: "", name: "", fields: &[("type", STRING), ("value", Any), ("property", Struct(&LISTED))] };

/// Reads a text that is a `dependencies.yaml` or `properties.yaml`: one mapping without a `schema`, with a list
/// `dependencies` or `properties`. Nothing for any other text.
#[must_use]
pub fn legacy(file: FileId, text: &str) -> Option<Legacy> {
    let mut node = document(file, text)?;
    let Value::Mapping(entries) = &mut node.value else { return None };
    let is_list = |name| matches!(lookup(entries, name), Some(Node { value: Value::Sequence(_), .. }));
    if lookup(entries, "schema").is_some() || !(is_list("dependencies") || is_list("properties")) {
        return None;
    }
    let mut findings = Findings::default();
    let mut decoder = Decoder { text, prefix: "", since: None, diagnostics: &mut findings, fitting: &[] };
    let mut fields = decoder.fields(entries, &LEGACY);
    let bundle = decoder.text(&mut fields, "bundle");
    let dependencies = decoder.list(&mut fields, "dependencies", &ITEM, item);
    let listed = decoder.list(&mut fields, "properties", &ITEM, item);
    let required = dependencies.into_iter().filter_map(|property| match required(property) {
        Ok(property) => Some(property),
        Err(finding) => {
            findings.push(*finding);
            None
        }
    });
    let properties = required.chain(listed).collect();
    let mut diagnostics = findings.into_reported();
    for finding in &mut diagnostics {
        finding.opm = None;
    }
    Some(Legacy { bundle, properties, diagnostics })
}

/// The document of a text that has only one, if it can be read.
fn document(file: FileId, text: &str) -> Option<Node> {
    if is_json(text) {
        let raw = serde_json::from_str::<&RawValue>(text.trim()).ok()?;
        let mut reader = json::Reader::new(file, text, true);
        return Some(reader.document(raw));
    }
    let chunks = yaml_pieces(text, 0).map(|piece| piece.chunk).filter(|chunk| !chunk.is_empty());
    let mut chunks = chunks.map(|chunk| yaml::read(file, text, chunk, yaml::Open::All));
    let mut nodes = chunks.by_ref().map_while(Result::ok).map(|document| document.node);
    let mut filled = nodes.by_ref().filter(|node| node.value != Value::Null);
    let only = filled.next()?;
    filled.next().is_none().then_some(only)
}

/// `{type, value}`, or the same under `property`, which OLM's documentation shows as well.
fn item(decoder: &mut Decoder<'_>, span: Span, item: &mut Fields<'_>) -> RawProperty {
    if let Some(mut inner) = decoder.object(item, "property", &ITEM) {
        return property(decoder, span, &mut inner);
    }
    property(decoder, span, item)
}

fn property(decoder: &mut Decoder<'_>, span: Span, fields: &mut Fields<'_>) -> RawProperty {
    RawProperty { span, kind: decoder.text(fields, "type"), value: decoder.any(fields, "value"), fits: false }
}

/// The property that requires what a dependency names.
fn required(dependency: RawProperty) -> Result<RawProperty, Box<Diagnostic>> {
    let RawProperty { span, kind, value, fits } = dependency;
    let Some(kind) = kind else {
        let finding = Diagnostic::new(Rule::MissingField, span, "the dependency has no `type`");
        return Err(Box::new(finding.with_help("say `olm.gvk`, `olm.package`, `olm.label` or `olm.constraint`")));
    };
    let (name, value) = match &*kind.value {
        "olm.gvk" => ("olm.gvk.required", value),
        "olm.package" => ("olm.package.required", value.map(with_version_range)),
        "olm.label" => ("olm.label.required", value),
        "olm.constraint" => ("olm.constraint", value),
        other => {
            let finding =
                Diagnostic::new(Rule::UnknownField, kind.span, format!("no dependency has the type `{other}`"));
            return Err(Box::new(finding.with_help("say `olm.gvk`, `olm.package`, `olm.label` or `olm.constraint`")));
        }
    };
    Ok(RawProperty { span, kind: Some(Text::new(name.into(), kind.span)), value, fits })
}

/// The range of a dependency is called `version`, that of a requirement `versionRange`.
fn with_version_range(mut value: Node) -> Node {
    if let Value::Mapping(entries) = &mut value.value {
        for (key, _) in entries.iter_mut().filter(|(key, _)| same_field(&key.value, "version")) {
            key.value = "versionRange".into();
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each property as `type value`, then each finding.
    fn told(text: &str) -> Option<Vec<String>> {
        let legacy = legacy(FileId(0), text)?;
        let properties = legacy.properties.iter().map(|property| {
            let kind = property.kind.as_ref().map_or("", |kind| &kind.value);
            let value = property.value.as_ref().map(|value| value.to_json(text).unwrap());
            format!("{kind} {}", value.unwrap_or_default())
        });
        let findings = legacy.diagnostics.iter().map(|finding| format!("{}: {}", finding.rule, finding.message));
        Some(properties.chain(findings).collect())
    }

    #[test]
    fn dependencies_become_requirements() {
        let text = "dependencies:\n- type: olm.package\n  value: {packageName: prometheus, version: '>0.27.0'}\n\
                    - type: olm.gvk\n  value: {group: g, kind: K, version: v1}\n- {type: olm.label, value: {label: lts}}\n";
        let expected = [
            r#"olm.package.required {"packageName":"prometheus","versionRange":">0.27.0"}"#,
            r#"olm.gvk.required {"group":"g","kind":"K","version":"v1"}"#,
            r#"olm.label.required {"label":"lts"}"#,
        ];
        assert_eq!(told(text).unwrap(), expected);
    }

    #[test]
    fn properties_are_taken_in_both_forms_of_the_documentation() {
        let text = "properties:\n- type: sushi\n  value: salmon\n- property:\n    type: soup\n    value: miso\n";
        assert_eq!(told(text).unwrap(), [r#"sushi "salmon""#, r#"soup "miso""#]);
    }

    #[test]
    fn json_is_read_too_and_may_name_its_bundle() {
        let text = r#"{"bundle": "a.v1", "properties": [{"type": "t", "value": 1}]}"#;
        assert_eq!(told(text).unwrap(), ["t 1"]);
        assert_eq!(&*legacy(FileId(0), text).unwrap().bundle.unwrap().value, "a.v1");
    }

    #[test]
    fn what_is_wrong_is_told_and_the_rest_counts() {
        let text = "dependencies:\n- {type: olm.gvks, value: {}}\n- {value: {}}\n- {type: olm.gvk, value: {}}\n";
        let expected = [
            "olm.gvk.required {}",
            "unknown-field: no dependency has the type `olm.gvks`",
            "missing-field: the dependency has no `type`",
        ];
        assert_eq!(told(text).unwrap(), expected);
    }

    #[test]
    fn other_texts_are_left_alone() {
        for text in ["", "a: 1", "schema: olm.bundle\nproperties: []\n", "properties: x", "properties: [", "- a\n"] {
            assert_eq!(told(text), None, "{text}");
        }
    }
}
