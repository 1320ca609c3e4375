//! What the checks read of a CustomResourceDefinition, and reading it from YAML or JSON.

use crate::schema::Schema;
use fbc::{Node, Value};
use serde_json::Value as Json;
use source::{FileId, Span};
use std::cmp::Ordering;

pub(crate) const KIND: &str = "CustomResourceDefinition";
const GROUP: &str = "apiextensions.k8s.io";

/// A CustomResourceDefinition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Crd {
    /// Such as `etcds.example.com`.
    pub name: Box<str>,
    pub api: ApiVersion,
    /// `spec.group`
    pub group: Box<str>,
    /// `spec.names.kind`
    pub kind: Box<str>,
    /// `spec.scope`
    pub scope: Box<str>,
    /// Whether `spec.conversion.strategy` is `Webhook`.
    pub has_conversion_webhook: bool,
    /// `spec.versions`
    pub versions: Vec<Version>,
    /// `status.storedVersions`; absent in bundles, where CRDs have no status.
    pub stored_versions: Option<Vec<Box<str>>>,
}

/// The version of the API that a CustomResourceDefinition is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ApiVersion {
    /// `apiextensions.k8s.io/v1`
    #[default]
    V1,
    /// `apiextensions.k8s.io/v1beta1`, which clusters dropped with Kubernetes 1.22.
    V1Beta1,
}

/// A version that a CustomResourceDefinition has.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Version {
    pub name: Box<str>,
    pub is_served: bool,
    pub is_storage: bool,
    /// `schema.openAPIV3Schema`
    pub schema: Option<Schema>,
}

/// Why a text is not read as a CustomResourceDefinition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    pub span: Span,
    /// What was expected, and what was found.
    pub message: String,
}

impl Crd {
    /// The version of this name, the first of several.
    #[must_use]
    pub fn version(&self, name: &str) -> Option<&Version> {
        self.versions.iter().find(|version| *version.name == *name)
    }

    /// The versions that objects may be stored in: `status.storedVersions`, else the version with `storage: true`.
    #[must_use]
    pub fn stored(&self) -> Vec<Box<str>> {
        let storage = || self.versions.iter().filter(|version| version.is_storage);
        self.stored_versions.clone().unwrap_or_else(|| storage().map(|version| version.name.clone()).collect())
    }
}

/// Reads the one CustomResourceDefinition of a YAML or JSON text, as `sigs.k8s.io/yaml` and Kubernetes' decoder do: YAML 1.1,
/// names of fields to the letter, unknown fields left out.
///
/// # Errors
/// When the text is not well-formed, has no document or several, or its document is not a CustomResourceDefinition or does
/// not fit its Go type.
pub fn read(file: FileId, text: &str) -> Result<Crd, Unreadable> {
    let values = fbc::untyped_values(file, text);
    if let Some(finding) = values.diagnostics.iter().find(|finding| finding.severity == source::Severity::Error) {
        return Err(Unreadable { span: finding.span, message: finding.message.clone() });
    }
    match values.nodes.as_slice() {
        [] => Err(Unreadable { span: Span::new(file, 0, 0), message: format!("expected a {KIND}, found no document") }),
        [node] => of_node(node, text),
        [_, second, ..] => Err(Unreadable {
            span: second.span,
            message: format!("expected one {KIND}, found {} documents", values.nodes.len()),
        }),
    }
}

/// Reads a CustomResourceDefinition from a value of the file `text`.
///
/// # Errors
/// As for [`read()`].
pub fn of_node(node: &Node, text: &str) -> Result<Crd, Unreadable> {
    let fail = |span: Span, message: String| Err(Unreadable { span, message });
    let Value::Mapping(_) = node.value else {
        return fail(
            node.span,
            format!("expected a {KIND}, found a value of type {}", node.value.go_kind(node.span.slice(text))),
        );
    };
    let field = |name: &str| node.get(name).and_then(Node::as_str);
    let at = |name: &str| node.get(name).map_or(node.span, |value| value.span);
    match field("kind") {
        Some(KIND) => {}
        Some(kind) => return fail(at("kind"), format!("expected kind `{KIND}`, found `{kind}`")),
        None => return fail(at("kind"), format!("expected kind `{KIND}`, found no kind")),
    }
    let api = match field("apiVersion").and_then(|version| version.strip_prefix(GROUP)) {
        Some("/v1") => ApiVersion::V1,
        Some("/v1beta1") => ApiVersion::V1Beta1,
        _ => {
            let found = field("apiVersion").map_or("none".to_owned(), |version| format!("`{version}`"));
            return fail(at("apiVersion"), format!("expected apiVersion `{GROUP}/v1`, found {found}"));
        }
    };
    if let Some(misfit) = bundle::crd_misfit(node, api == ApiVersion::V1Beta1) {
        return fail(misfit.span, misfit.message);
    }
    let json = match node.to_exact_json(text) {
        Ok(json) => json,
        Err(error) => return fail(error.span, error.message),
    };
    if !fits(&json) {
        return fail(
            node.span,
            "expected a CustomResourceDefinition that an API server accepts, found one that is too large".to_owned(),
        );
    }
    let crd = of_json(&json, api);
    if crd.versions.len() > MAX_VERSIONS {
        let message = format!("expected at most {MAX_VERSIONS} versions, found {}", crd.versions.len());
        return fail(at("spec"), message);
    }
    if crd.name.is_empty() {
        return fail(at("metadata"), format!("expected a {KIND} with `metadata.name`, found none"));
    }
    Ok(crd)
}

/// How many versions are compared, each with all others; real CRDs have a handful.
const MAX_VERSIONS: usize = 50;
/// What reading and comparing a CRD may take, in bytes. API servers refuse objects of more than 1.5 MiB.
const BUDGET: usize = 64 << 20;
/// What a schema takes, without its path.
const SCHEMA: usize = 1000;

/// Whether the schemas of a CRD take memory in proportion to what real ones take. Each has a path with the names around it,
/// and each `oneOf` around it may be printed with all that is in it.
fn fits(crd: &Json) -> bool {
    fn takes(value: &Json, path: usize, one_ofs: usize, left: &mut usize) -> Option<()> {
        match value {
            Json::Object(fields) => {
                *left = left.checked_sub((SCHEMA + path).saturating_mul(one_ofs + 1))?;
                fields.iter().try_for_each(|(key, value)| {
                    takes(value, path + key.len(), one_ofs + usize::from(key == "oneOf"), left)
                })
            }
            Json::Array(items) => items.iter().try_for_each(|item| takes(item, path, one_ofs, left)),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => Some(()),
        }
    }
    takes(crd, 0, 0, &mut { BUDGET }).is_some()
}

fn of_json(json: &Json, api: ApiVersion) -> Crd {
    let text = |value: Option<&Json>| Box::from(value.and_then(Json::as_str).unwrap_or_default());
    let at = |pointer: &str| json.pointer(pointer);
    let listed = |pointer: &str| at(pointer).and_then(Json::as_array).map(Vec::as_slice);
    let flag = |version: &Json, name: &str| version.get(name).and_then(Json::as_bool).unwrap_or_default();
    let schema =
        |within: Option<&Json>| within?.get("openAPIV3Schema").filter(|schema| !schema.is_null()).map(Schema::of);
    // In `apiextensions.k8s.io/v1beta1` all versions may share a schema.
    let shared = || schema(at("/spec/validation"));
    let version = |version: &Json| Version {
        name: text(version.get("name")),
        is_served: flag(version, "served"),
        is_storage: flag(version, "storage"),
        schema: schema(version.get("schema")).or_else(|| shared().filter(|_| api == ApiVersion::V1Beta1)),
    };
    let mut versions: Vec<Version> = listed("/spec/versions").unwrap_or_default().iter().map(version).collect();
    let single: Box<str> = text(at("/spec/version"));
    if api == ApiVersion::V1Beta1 && !single.is_empty() && versions.is_empty() {
        versions.push(Version { name: single, is_served: true, is_storage: true, schema: shared() });
    }
    Crd {
        name: text(at("/metadata/name")),
        api,
        group: text(at("/spec/group")),
        kind: text(at("/spec/names/kind")),
        scope: text(at("/spec/scope")),
        has_conversion_webhook: at("/spec/conversion/strategy").and_then(Json::as_str) == Some("Webhook"),
        versions,
        stored_versions: listed("/status/storedVersions")
            .map(|names| names.iter().map(|name| text(Some(name))).collect()),
    }
}

// The order of API versions: `CompareKubeAwareVersionStrings` of `k8s.io/apimachinery` `pkg/version/helpers.go`.

/// Compares two names of versions, the older first: `v1alpha1`, `v1beta1`, `v1beta2`, `v1`, `v2`. All other names are before
/// these, in descending order.
pub(crate) fn compare(one: &str, other: &str) -> Ordering {
    match (parse(one), parse(other)) {
        (None, None) => other.cmp(one),
        (one, other) => one.cmp(&other),
    }
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stability {
    Alpha,
    Beta,
    Stable,
}

fn parse(name: &str) -> Option<(Stability, i64, i64)> {
    let rest = name.strip_prefix('v')?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (major, rest) = rest.split_at(digits);
    let (stability, minor) = match (rest.strip_prefix("alpha"), rest.strip_prefix("beta")) {
        (Some(minor), _) => (Stability::Alpha, number(minor)?),
        (_, Some(minor)) => (Stability::Beta, number(minor)?),
        _ if rest.is_empty() => (Stability::Stable, 0),
        _ => return None,
    };
    Some((stability, number(major)?, minor))
}

fn number(digits: &str) -> Option<i64> {
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: as.b}\n";

    fn read(text: &str) -> Result<Crd, Unreadable> {
        super::read(FileId(0), text)
    }

    #[track_caller]
    fn check_refused(text: &str, part: &str, expected: &str) {
        let error = read(text).expect_err("it is no CRD");
        assert_eq!((error.span.slice(text), &*error.message), (part, expected));
    }

    #[test]
    fn the_fields_that_checks_look_at_are_read() {
        let text = "spec:\n  group: b\n  scope: Cluster\n  names: {kind: A}\n  conversion: {strategy: Webhook}\n  versions:\n  \
                    - {name: v1, served: yes, storage: true, schema: {openAPIV3Schema: {type: object}}}\n  - {name: v2, \
                    schema: {openAPIV3Schema: null}}\nstatus: {storedVersions: [v1]}\n";
        let crd = read(&format!("{HEAD}{text}")).unwrap();
        let schema = Schema { kind: "object".to_owned(), ..Schema::default() };
        let expected = Crd {
            name: "as.b".into(),
            api: ApiVersion::V1,
            group: "b".into(),
            kind: "A".into(),
            scope: "Cluster".into(),
            has_conversion_webhook: true,
            versions: vec![
                Version { name: "v1".into(), is_served: true, is_storage: true, schema: Some(schema) },
                Version { name: "v2".into(), ..Version::default() },
            ],
            stored_versions: Some(vec!["v1".into()]),
        };
        assert_eq!(crd, expected);
    }

    #[test]
    fn the_first_api_shares_a_schema_and_names_one_version() {
        let head = HEAD.replace("io/v1", "io/v1beta1");
        let validation = "  validation: {openAPIV3Schema: {type: object}}\n";
        let shared = read(&format!("{head}spec:\n{validation}  versions: [{{name: v1}}]\n")).unwrap();
        assert_eq!(shared.versions[0].schema.as_ref().map(|schema| &*schema.kind), Some("object"));
        let single = read(&format!("{head}spec:\n  version: v1\n{validation}")).unwrap();
        assert_eq!((&*single.versions[0].name, single.stored()), ("v1", vec!["v1".into()]));
        assert_eq!(read(&format!("{HEAD}spec: {{version: v1}}\n")).unwrap().versions, []);
    }

    #[test]
    fn other_documents_are_refused() {
        check_refused("", "", "expected a CustomResourceDefinition, found no document");
        check_refused("[1]", "[1]", "expected a CustomResourceDefinition, found a value of type array");
        check_refused("{a: 1}", "{a: 1}", "expected kind `CustomResourceDefinition`, found no kind");
        check_refused("kind: List\n", "List", "expected kind `CustomResourceDefinition`, found `List`");
        check_refused("kind: A\n---\nkind: B\n", "kind: B", "expected one CustomResourceDefinition, found 2 documents");
        let nameless = HEAD.replace("name:", "labels:").replace("as.b", "{}");
        check_refused(
            &nameless,
            "{labels: {}}",
            "expected a CustomResourceDefinition with `metadata.name`, found none",
        );
    }

    #[test]
    fn schemas_are_of_their_go_type() {
        let text =
            |schema: &str| format!("{HEAD}spec: {{versions: [{{name: v1, schema: {{openAPIV3Schema: {schema}}}}}]}}\n");
        let of = |field: &str| format!("json: cannot unmarshal number into Go struct field {field} of type string");
        let path = "spec.versions.schema.openAPIV3Schema";
        check_refused(
            &text("{x-kubernetes-validations: [{rule: 1}]}"),
            "1",
            &of(&format!("ValidationRule.{path}.x-kubernetes-validations.rule")),
        );
        check_refused(
            &text("{dependencies: {a: [2]}}"),
            "2",
            "json: cannot unmarshal number into Go value of type string",
        );
        assert!(read(&text("{dependencies: {a: [b], c: {type: d}, e: 3}, example: 1, default: 2}")).is_ok());
    }

    #[test]
    fn a_crd_that_would_take_too_much_memory_is_refused() {
        let text = |key: usize, properties: usize| {
            let properties: Vec<String> = (0..properties).map(|at| format!("p{at}: {{}}")).collect();
            format!(
                "{HEAD}spec: {{versions: [{{name: v1, schema: {{openAPIV3Schema: {{properties: {{{}: {{properties: {{{}}}}}}}}}}}}}]}}\n",
                "k".repeat(key),
                properties.join(", ")
            )
        };
        assert!(read(&text(100, 20_000)).is_ok());
        let error = read(&text(900, 40_000)).expect_err("it is too large");
        assert!(error.message.ends_with("found one that is too large"), "{error:?}");
        let versions = |count: usize| format!("{HEAD}spec: {{versions: [{}]}}\n", vec!["{name: v1}"; count].join(", "));
        assert!(read(&versions(50)).is_ok());
        assert_eq!(
            read(&versions(51)).map_err(|error| error.message),
            Err("expected at most 50 versions, found 51".to_owned())
        );
    }

    #[test]
    fn stable_versions_are_last_and_foreign_names_first() {
        let expected =
            ["v1x", "foo10", "foo1", "v1alpha1", "v2alpha1", "v1beta2", "v1beta10", "v3beta1", "v1", "v2", "v10"];
        let mut sorted = expected;
        sorted.reverse();
        sorted.sort_by(|one, other| super::compare(one, other));
        assert_eq!(sorted, expected);
    }

    #[test]
    fn numbers_without_digits_and_too_large_ones_are_foreign() {
        for name in ["v", "v1alpha", "v1beta-1", "v+1", "v99999999999999999999", "1", "v1alpha1x"] {
            assert_eq!(super::parse(name), None, "{name}");
        }
    }
}
