//! The versions of a bundle's CustomResourceDefinitions, read from its `olm.bundle.object` properties.

use crate::Bundle;
use crate::lower::bundle::{OBJECT, kind};
use fbc::raw::RawDoc;
use fbc::{Node, Value};
use source::FileId;

/// A CustomResourceDefinition of a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundleCrd {
    /// Such as `etcds.example.com`.
    pub name: Box<str>,
    /// The names of all versions, served or not, in the order of the manifest.
    pub versions: Vec<Box<str>>,
    /// The version that objects are stored in.
    pub storage: Option<Box<str>>,
}

/// The CustomResourceDefinitions in the manifests of a bundle; `text` is the text of its file. Empty for a bundle that was
/// migrated to `olm.csv.metadata`, which has no manifests.
///
/// Parses the document of the bundle again, like [`crate::bundle_details`].
#[must_use]
pub fn bundle_crds(bundle: &Bundle, text: &str) -> Vec<BundleCrd> {
    bundle_crd_manifests(bundle, text).iter().filter_map(|manifest| crd(manifest)).collect()
}

/// The manifests of a bundle that mention CustomResourceDefinitions, as YAML or JSON: what a comparison of CRDs reads. `text`
/// is the text of its file. Empty for a bundle that was migrated to `olm.csv.metadata`, which has no manifests.
#[must_use]
pub fn bundle_crd_manifests(bundle: &Bundle, text: &str) -> Vec<String> {
    // Most manifests are others, and schemas are large.
    let is_crd = |manifest: &String| manifest.contains("CustomResourceDefinition");
    objects(bundle, text).into_iter().flatten().filter(is_crd).collect()
}

/// All manifests of a bundle, as YAML or JSON, from its `olm.bundle.object` properties; `text` is the text of its file. `None`
/// if the bundle has none, or one that cannot be decoded.
///
/// Parses the document of the bundle again, like [`crate::bundle_details`].
#[must_use]
pub fn bundle_manifests(bundle: &Bundle, text: &str) -> Option<Vec<String>> {
    let manifests: Option<Vec<String>> = objects(bundle, text).into_iter().collect();
    manifests.filter(|manifests| !manifests.is_empty())
}

/// The content of each `olm.bundle.object` property; absent where it cannot be decoded.
fn objects(bundle: &Bundle, text: &str) -> Vec<Option<String>> {
    let document = bundle.span.slice(text);
    if !bundle.has_objects {
        return Vec::new();
    }
    let parse = fbc::parse(bundle.span.file, document);
    let raws = parse.docs.iter().filter_map(|doc| match &doc.raw {
        RawDoc::Bundle(raw) if raw.name.as_ref().is_some_and(|name| *name.value == *bundle.name.value.as_str()) => {
            Some(raw)
        }
        _ => None,
    });
    let properties = raws.take(1).flat_map(|raw| &raw.properties).filter(|property| kind(property) == OBJECT);
    properties.map(|property| manifest(&property.value.as_ref()?.open(document).ok()?)).collect()
}

/// The base64-encoded manifest.
fn manifest(value: &Node) -> Option<String> {
    String::from_utf8(fbc::decode_base64(value.field("data")?.as_str()?).ok()?).ok()
}

/// The CustomResourceDefinition in a manifest, if it is one.
fn crd(manifest: &str) -> Option<BundleCrd> {
    let object = fbc::untyped_values(FileId(0), manifest).nodes.into_iter().next()?;
    if object.get("kind")?.as_str()? != "CustomResourceDefinition" {
        return None;
    }
    let spec = object.get("spec");
    let listed = match spec.and_then(|spec| spec.get("versions")).map(|versions| &versions.value) {
        Some(Value::Sequence(versions)) => versions.as_slice(),
        _ => &[],
    };
    let name = |version: &Node| Some(Box::from(version.get("name")?.as_str()?));
    let is_storage = |version: &&Node| version.get("storage").is_some_and(|value| value.value == Value::Bool(true));
    let mut versions: Vec<Box<str>> = listed.iter().filter_map(name).collect();
    // `apiextensions.k8s.io/v1beta1` may name the first version beside the list.
    let single = spec.and_then(|spec| spec.get("version")).and_then(Node::as_str).filter(|version| !version.is_empty());
    if let Some(single) = single.filter(|single| versions.iter().all(|version| **version != **single)) {
        versions.push(single.into());
    }
    let storage = listed.iter().find(is_storage).and_then(name).or_else(|| versions.first().cloned());
    Some(BundleCrd { name: object.get("metadata")?.get("name")?.as_str()?.into(), versions, storage })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ParsedFile, lower};

    /// The CRDs of a bundle with one manifest, whose base64 is `data`.
    fn read(data: &str) -> Vec<BundleCrd> {
        let text = &format!(
            "schema: olm.package\nname: p\n---\nschema: olm.bundle\npackage: p\nname: p.v1\nproperties:\n- {{type: \
             olm.bundle.object, value: {{data: {data}}}}}\n"
        );
        let parse = fbc::parse(FileId(0), text);
        let (catalog, _) = lower(&[ParsedFile { text, parse: &parse }]);
        bundle_crds(&catalog.packages[0].bundles[0], text)
    }

    #[test]
    fn versions_are_read_from_the_manifest() {
        // {"kind":"CustomResourceDefinition","metadata":{"name":"a.b"},"spec":{"versions":[{"name":"v1beta1"},{"name":"v1","storage":true}]}}
        let data = "eyJraW5kIjoiQ3VzdG9tUmVzb3VyY2VEZWZpbml0aW9uIiwibWV0YWRhdGEiOnsibmFtZSI6ImEuYiJ9LCJzcGVjIjp7InZlcnNpb25zIjpbeyJuYW1lIjoidjFiZXRhMSJ9LHsibmFtZSI6InYxIiwic3RvcmFnZSI6dHJ1ZX1dfX0=";
        let versions = vec!["v1beta1".into(), "v1".into()];
        assert_eq!(read(data), [BundleCrd { name: "a.b".into(), versions, storage: Some("v1".into()) }]);
    }

    #[test]
    fn other_manifests_are_none() {
        // {"kind":"ClusterServiceVersion","spec":{"minKubeVersion":"1.19.0"}}
        assert_eq!(
            read("eyJraW5kIjoiQ2x1c3RlclNlcnZpY2VWZXJzaW9uIiwic3BlYyI6eyJtaW5LdWJlVmVyc2lvbiI6IjEuMTkuMCJ9fQ=="),
            []
        );
        assert_eq!(read("'!'"), []);
    }
}
