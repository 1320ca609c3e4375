//! What is not a file-based catalog: what users have instead, with advice how to make one of it, and files with parts of
//! one.

use crate::decode::{Decoder, Fields, Shape};
use crate::go_type::{GoStruct, GoType, STRING};
use crate::meta::{Meta, Syntax, lookup};
use crate::node::same_field;
use crate::parse::Findings;
use crate::raw::{RawProperty, Text};
use crate::stream::{is_json, yaml_pieces};
use crate::{Doc, Node, Parse, Value, go, json, yaml};
use serde_json::value::RawValue;
use source::{Diagnostic, FileId, Rule, Span};

/// Something that is not a file-based catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Foreign {
    pub(crate) what: &'static str,
    pub(crate) help: &'static str,
}

const CLUSTER_CATALOG: &str = "run `opm render IMAGE -o yaml > catalog.yaml` for the catalog image, and open the output; paste this into the manifests of the cluster, and ClusterExtensions are resolved from that catalog";
const BY_ITSELF: &str = "open it by itself, and the catalog in it is read: from archives, saved images and compressed files; in a folder of a catalog opm takes it for text";
const INVENTORY: &str = "`opscope list FILE` lists what they offer; for update graphs get the catalogs: `oc image extract IMAGE --path /configs/:FOLDER`, or `opm render IMAGE -o yaml > catalog.yaml`, where IMAGE is `spec.image` of the CatalogSource";
const SQLITE: &str = "sqlite catalogs are no longer supported by OLM tools; convert it with opm v1.73.0 or older: `opm render IMAGE -o yaml > catalog.yaml`, where IMAGE is the catalog image or this file, and open the output";

/// What bytes are that are not text, by how they begin.
pub(crate) fn of_bytes(bytes: &[u8]) -> Option<Foreign> {
    let compressed = "this is a compressed file";
    let begins = [
        (&b"SQLite format 3\0"[..], "this is a catalog in the old sqlite format", SQLITE),
        (b"\x1f\x8b", compressed, BY_ITSELF),
        (b"\x28\xb5\x2f\xfd", compressed, BY_ITSELF),
        (b"\xfd7zXZ\0", compressed, BY_ITSELF),
        (
            b"BZh",
            "this is a file compressed with bzip2, which Opscope does not read",
            "convert it: `bunzip2 < FILE | gzip > FILE.gz`, and open that file",
        ),
        (b"PK\x03\x04", "this is a zip archive", BY_ITSELF),
    ];
    let known = begins.into_iter().find(|(start, ..)| bytes.starts_with(start));
    // The magic of a tar header stands behind the name and the numbers of its first file.
    let tar = bytes.get(257..262).is_some_and(|magic| magic == b"ustar");
    let known = known.or(tar.then_some((&[], "this is a tar archive", BY_ITSELF)));
    known.map(|(_, what, help)| Foreign { what, help })
}

/// Why a text that was opened by itself is no catalog, and what to do. Only a text with the finding `not-a-catalog` is none.
#[must_use]
pub fn no_catalog_reason(text: &str) -> String {
    match of_text(text) {
        Some(Foreign { what, help }) => format!("{what}; {help}"),
        None if has(text, "apiVersion", "") && has(text, "kind", "") => {
            "these are manifests of Kubernetes without objects of OLM; open a catalog, or manifests with Subscriptions, \
             OperatorGroups or ClusterExtensions"
                .to_owned()
        }
        None => "no document in it has a `schema`; a catalog is a YAML or JSON file with documents such as `schema: \
                 olm.package`, or a folder of these"
            .to_owned(),
    }
}

/// Whether a line has a field whose value begins so.
fn has(text: &str, field: &str, value: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim_start_matches([' ', '-', '{', '"', '\'']);
        let rest = line.strip_prefix(field).map(|rest| rest.trim_start_matches(['"', '\'', ' ']));
        let rest = rest.and_then(|rest| rest.strip_prefix(':')).map(|rest| rest.trim_start_matches(['"', '\'', ' ']));
        rest.is_some_and(|rest| rest.starts_with(value))
    })
}

/// What a text is, by its `apiVersion` and `kind` or by its first fields.
pub(crate) fn of_text(text: &str) -> Option<Foreign> {
    let has = |field: &str, value: &str| has(text, field, value);
    let is = |group: &str, kind: &str| has("apiVersion", group) && has("kind", kind);
    let forms = [
        (
            is("mirror.openshift.io/", "ImageSetConfiguration"),
            "this is an ImageSetConfiguration of oc-mirror, which says what is mirrored of a catalog",
            "open the catalog first and then this file, or run `opscope compare CATALOG --image-set FILE`: both show which installed versions the mirror strands",
        ),
        (
            is("packages.operators.coreos.com/", "PackageManifest"),
            "these are PackageManifests, which have no update edges",
            INVENTORY,
        ),
        (
            is("olm.operatorframework.io/", "ClusterExtension"),
            "this is a ClusterExtension of OLM v1, which belongs to a cluster",
            "open its catalog, and paste this and its ClusterCatalog into the manifests of the cluster, or run `opscope cluster --cluster FILE --catalog NAME=CATALOG`: both show which bundle OLM v1 installs",
        ),
        (
            is("olm.operatorframework.io/", "ClusterCatalog"),
            "this is a ClusterCatalog of OLM v1, which names a catalog image",
            CLUSTER_CATALOG,
        ),
        (
            is("operators.coreos.com/", "ClusterServiceVersion")
                || has("operators.operatorframework.io.bundle.package.v1", ""),
            "this is part of a bundle directory",
            "open the bundle directory by itself, with `manifests/` and `metadata/`, or a folder that holds only such directories",
        ),
    ];
    forms.into_iter().find(|(is_it, ..)| *is_it).map(|(_, what, help)| Foreign { what, help })
}

// Catalog documents that are embedded in other files, such as templates.

/// The first YAML document of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct YamlDocument {
    /// The value, built down to 64 levels; null when the text has no content.
    pub node: Node,
    /// The byte at which the value ends. What follows was not looked at.
    pub end: u32,
    /// Findings about keys that occur twice, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads the first document of a text as `yaml.Unmarshal` of `sigs.k8s.io/yaml` does: by YAML's own rules of where a
/// document ends, JSON as a kind of YAML.
///
/// ```
/// use source::FileId;
///
/// let document = fbc::yaml_document(FileId(0), "# licence\n---\nkind: A\n---\nkind: B\n").unwrap();
/// assert_eq!((document.node.get("kind").and_then(fbc::Node::as_str), document.end), (Some("A"), 22));
/// ```
///
/// # Errors
/// When the document is not well-formed; `opm` of the finding is the error of `yaml.Unmarshal`.
pub fn yaml_document(file: FileId, text: &str) -> Result<YamlDocument, Box<Diagnostic>> {
    match yaml::read_text(file, text, yaml::Open::All) {
        Ok(document) => Ok(YamlDocument {
            node: document.node,
            end: document.end.min(text.len()) as u32,
            diagnostics: document.diagnostics.into_reported(),
        }),
        Err(fault) => {
            let at = text.floor_char_boundary(fault.at);
            let end = text.ceil_char_boundary((at + 1).min(text.len()));
            let opm = fault.opm();
            let place = Span::new(file, at as u32, end as u32);
            let mut finding = Diagnostic::new(Rule::BrokenDocument, place, fault.message);
            finding.opm = opm;
            Err(Box::new(finding))
        }
    }
}

/// Reads parts of a text as catalog documents: what `declcfg.LoadSlice` does with the entries of a template.
#[must_use]
pub fn documents(text: &str, nodes: Vec<Node>) -> Parse {
    let mut parse = Parse::default();
    let mut findings = Findings::default();
    for node in nodes {
        let span = node.span;
        let mut meta = Meta { text, syntax: Syntax::Json, diagnostics: &mut findings, fitting: &[] };
        parse.docs.extend(meta.document(node).map(|raw| Doc { span, raw }));
    }
    parse.diagnostics = findings.into_reported();
    parse
}

impl Node {
    /// The text that `sigs.k8s.io/yaml` makes of a number or boolean where a text is wanted. Nothing for other values.
    #[must_use]
    pub fn coerced(&self) -> Option<String> {
        match self.value {
            Value::Bool(value) => Some(value.to_string()),
            Value::Number(number) => Some(go::coerced(number)),
            Value::Null | Value::String(_) | Value::Sequence(_) | Value::Mapping(_) | Value::Unopened => None,
        }
    }
}

// `dependencies.yaml` and `properties.yaml` of a bundle's `metadata/` folder, from before file-based catalogs.
//
// They are no catalog documents: `opm` reads them only out of bundle images. Read here, they can be attached to a
// bundle of a catalog as the properties that `opm` makes of them (operator-registry `pkg/registry/types.go`, OLM
// documentation "Declaring Dependencies").

use GoType::{Any, List, Struct};

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

    #[test]
    fn what_is_not_read_says_how_to_convert_it() {
        let help = |bytes: &[u8]| of_bytes(bytes).map_or("", |form| form.help);
        assert!(help(b"SQLite format 3\0\x10").contains("opm v1.73.0 or older: `opm render IMAGE -o yaml"));
        assert!(help(b"BZh91AY").contains("bunzip2 < FILE | gzip"));
        assert!(help(b"PK\x03\x04").starts_with("open it by itself"));
        let packages = "apiVersion: packages.operators.coreos.com/v1\nkind: PackageManifest\n";
        assert!(of_text(packages).is_some_and(|form| form.help.starts_with("`opscope list FILE`")));
    }

    #[test]
    fn bytes_are_recognised_by_their_beginning() {
        let what = |bytes: &[u8]| of_bytes(bytes).map(|form| form.what);
        assert_eq!(what(b"SQLite format 3\0\x10"), Some("this is a catalog in the old sqlite format"));
        assert_eq!(what(b"\x1f\x8b\x08"), Some("this is a compressed file"));
        let mut tar = vec![0; 512];
        tar[257..262].copy_from_slice(b"ustar");
        assert_eq!(what(&tar), Some("this is a tar archive"));
        assert_eq!(what(b"schema: olm.package"), None);
    }

    #[test]
    fn texts_are_recognised_by_kind_and_group() {
        let what = |text: &str| of_text(text).map(|form| form.what);
        let packages = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: packages.operators.coreos.com/v1\n  kind: PackageManifest\n";
        assert_eq!(what(packages), Some("these are PackageManifests, which have no update edges"));
        let json = "{\n  \"apiVersion\": \"packages.operators.coreos.com/v1\",\n  \"kind\": \"PackageManifest\"\n}";
        assert_eq!(what(json), what(packages));
        let mirrored = "kind: ImageSetConfiguration\napiVersion: mirror.openshift.io/v2alpha1\n";
        assert_eq!(
            what(mirrored),
            Some("this is an ImageSetConfiguration of oc-mirror, which says what is mirrored of a catalog")
        );
        let annotations = "annotations:\n  operators.operatorframework.io.bundle.package.v1: etcd\n";
        assert_eq!(what(annotations), Some("this is part of a bundle directory"));
        assert_eq!(what("apiVersion: v1\nkind: ConfigMap\n"), None);
    }

    #[test]
    fn a_text_by_itself_has_a_reason_without_advice_about_folders() {
        let other = "no document in it has a `schema`; a catalog is a YAML or JSON file with documents such as `schema: \
                     olm.package`, or a folder of these";
        assert_eq!(no_catalog_reason("# Kitchen\n\nHow to *boil* water: slowly.\n"), other);
        assert_eq!(no_catalog_reason("#!/bin/sh\nopm validate catalog\n"), other);
        let manifest = no_catalog_reason("apiVersion: v1\nkind: ConfigMap\n");
        assert!(manifest.starts_with("these are manifests of Kubernetes without objects of OLM; open"), "{manifest}");
        let annotations = no_catalog_reason("annotations:\n  operators.operatorframework.io.bundle.package.v1: etcd\n");
        assert!(annotations.starts_with("this is part of a bundle directory; open the bundle"), "{annotations}");
    }

    #[test]
    fn objects_of_olm_v1_belong_to_the_manifests_of_a_cluster() {
        for kind in ["ClusterExtension", "ClusterCatalog"] {
            let text = format!("apiVersion: olm.operatorframework.io/v1\nkind: {kind}\nmetadata: {{name: etcd}}\n");
            let form = of_text(&text).unwrap();
            assert!(form.what.starts_with(&format!("this is a {kind} of OLM v1, which ")), "{}", form.what);
            assert!(form.help.contains("into the manifests of the cluster"), "{}", form.help);
        }
    }

    #[track_caller]
    fn broken(text: &str) -> (u32, String) {
        let finding = yaml_document(FileId(0), text).unwrap_err();
        (finding.span.start, finding.opm.unwrap())
    }

    #[test]
    fn faults_count_lines_from_the_top_of_the_text() {
        let words = "error converting YAML to JSON: yaml: line 3: mapping values are not allowed in this context";
        assert_eq!(broken("---\na: 1\nb: c: d\n"), (13, words.to_owned()));
    }

    #[test]
    fn only_the_first_document_is_read() {
        let document = yaml_document(FileId(0), "\u{feff}a: 1\na: 2\n...\nb: [\n").unwrap();
        assert_eq!((document.diagnostics.len(), document.node.get("b")), (1, None));
        assert_eq!(yaml_document(FileId(0), "---\n---\na: 1\n").unwrap().node.value, Value::Null);
        assert_eq!(yaml_document(FileId(0), "").unwrap().node.value, Value::Null);
    }

    #[test]
    fn numbers_and_booleans_become_texts() {
        let text = "[4.10, 5, yes, 1e6, 1.5, 0xE, 9007199254740993, x]";
        let Value::Sequence(items) = yaml_document(FileId(0), text).unwrap().node.value else { panic!() };
        let coerced: Vec<_> = items.iter().map(Node::coerced).collect();
        let expected = ["4.1", "5", "true", "1e+06", "1.5", "14", "9007199254740993"].map(|text| Some(text.to_owned()));
        assert_eq!(coerced, [&expected[..], &[None]].concat());
    }

    #[test]
    fn parts_are_read_as_documents() {
        let text = "entries:\n- schema: olm.package\n  name: a\n- schema: olm.channel\n  name: 1.0\n- x\n";
        let node = yaml_document(FileId(0), text).unwrap().node;
        let Some(Value::Sequence(items)) = node.get("entries").map(|entries| entries.value.clone()) else { panic!() };
        let parse = documents(text, items);
        let opm: Vec<_> = parse.diagnostics.iter().filter_map(|finding| finding.opm.as_deref()).collect();
        assert_eq!(parse.docs.len(), 2);
        assert_eq!(opm[0], "expected value for key \"name\" to be a string, got %!t(float64=1): 1");
        assert!(opm[1].starts_with("json: cannot unmarshal string into Go value of type map[string]interface {}"));
    }

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
