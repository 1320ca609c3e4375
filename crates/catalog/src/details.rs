//! What describes a bundle and takes most of a catalog's bytes: the metadata of its ClusterServiceVersion and its related
//! images. The model leaves it out; it is read from the text of a single bundle when it is needed.

use crate::Bundle;
use crate::lower::{METADATA, OBJECT, bundle_property_kind};
use fbc::raw::{RawBundle, RawDoc, RawProperty};
use fbc::{Node, Value};
use memchr::memmem;
use source::FileId;
use std::collections::BTreeSet;
use std::fmt;

/// What a bundle says beside its [`Bundle`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BundleDetails {
    /// What its ClusterServiceVersion says; absent if the bundle has no metadata of it that can be read.
    pub csv: Option<CsvDetails>,
    /// The images in `relatedImages`, without empty ones.
    pub related_images: BTreeSet<Box<str>>,
}

/// What a ClusterServiceVersion says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CsvDetails {
    /// `minKubeVersion`; absent if empty.
    pub min_kube_version: Option<Box<str>>,
    /// `installModes` (`InstallModeSet` in operator-framework/api `pkg/operators/v1alpha1/clusterserviceversion.go`).
    pub install_modes: InstallModes,
    /// The names of the owned API services: those that the operator serves itself, without a CustomResourceDefinition.
    pub owned_api_services: BTreeSet<Box<str>>,
}

/// Reads the details of a bundle; `text` is the text of its file. Nothing if the text does not have the bundle.
///
/// Parses the document of the bundle again, which takes about a millisecond for 100 kB, so that loading a catalog neither
/// reads nor keeps what few bundles are asked for.
#[must_use]
pub fn bundle_details(bundle: &Bundle, text: &str) -> Option<BundleDetails> {
    let document = bundle.span.slice(text);
    let parse = fbc::parse(bundle.span.file, document);
    let raw = parse.docs.iter().find_map(|doc| match &doc.raw {
        RawDoc::Bundle(raw) if raw.name.as_ref().is_some_and(|name| *name.value == *bundle.name.value.as_str()) => {
            Some(raw)
        }
        _ => None,
    })?;
    let images = raw.related_images.iter().filter_map(|related| Some(related.image.as_ref()?.value.clone()));
    Some(BundleDetails {
        csv: csv_metadata(raw, document).as_ref().map(csv_details),
        related_images: images.filter(|image| !image.is_empty()).collect(),
    })
}

fn csv_details(csv: &Node) -> CsvDetails {
    let min_kube_version = csv.field("minKubeVersion").and_then(Node::as_str).filter(|version| !version.is_empty());
    let listed = items(csv.field("installModes"));
    let owned = items(csv.field("apiServiceDefinitions").and_then(|definitions| definitions.field("owned")));
    let name = |service: &Node| service.field("name").and_then(Node::as_str).unwrap_or_default().into();
    let is_supported = |mode: &Node| mode.field("supported").is_some_and(|value| value.value == Value::Bool(true));
    let kind = |mode: &Node| mode.field("type").and_then(Node::as_str).unwrap_or_default().to_owned();
    let install_modes = listed.iter().map(|mode| (kind(mode), is_supported(mode)));
    CsvDetails {
        min_kube_version: min_kube_version.map(Into::into),
        install_modes: install_modes.collect(),
        owned_api_services: owned.iter().map(name).collect(),
    }
}

/// What `opm serve` has of a bundle's ClusterServiceVersion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CsvPresence {
    /// Nothing: the bundle has neither `olm.csv.metadata` nor a ClusterServiceVersion in `olm.bundle.object`.
    Absent,
    /// It has no `displayName`.
    WithoutName,
    /// It has all that the package server needs; also if nobody can tell, as with metadata that cannot be read.
    Complete,
}

/// `ClusterServiceVersion` in base64, at each of the three places that it may have in the bytes before it.
const CSV_IN_BASE64: [&str; 3] =
    ["Q2x1c3RlclNlcnZpY2VWZXJzaW9u", "NsdXN0ZXJTZXJ2aWNlVmVyc2lvb", "DbHVzdGVyU2VydmljZVZlcnNpb2"];
/// `isplayName` in base64, likewise.
const NAME_IN_BASE64: [&str; 3] = ["aXNwbGF5TmFtZ", "lzcGxheU5hbW", "pc3BsYXlOYW1l"];

/// What `opm serve` has of a bundle's ClusterServiceVersion (operator-registry `pkg/api/model_to_api.go`); `text` is the text
/// that the bundle was parsed from. Manifests are searched and not decoded, because they are most of a catalog's bytes: of one
/// with a `displayName` somewhere it is not known whether it is that of the operator.
#[must_use]
pub fn csv_presence(raw: &RawBundle, text: &str) -> CsvPresence {
    let value = |property: &RawProperty| property.value.as_ref().map_or("", |value| value.span.slice(text));
    let has = |value: &str, parts: [&str; 3]| {
        parts.iter().any(|part| memmem::find(value.as_bytes(), part.as_bytes()).is_some())
            || value.lines().nth(LINES).is_some()
    };
    let objects = || raw.properties.iter().filter(|property| bundle_property_kind(property) == OBJECT).map(value);
    if let Some(manifest) = objects().find(|value| has(value, CSV_IN_BASE64)) {
        return if has(manifest, NAME_IN_BASE64) { CsvPresence::Complete } else { CsvPresence::WithoutName };
    }
    if !raw.properties.iter().any(|property| bundle_property_kind(property) == METADATA) {
        return CsvPresence::Absent;
    }
    if raw
        .properties
        .iter()
        .filter(|property| bundle_property_kind(property) == METADATA)
        .take(1)
        .any(|property| is_named(property, text))
    {
        return CsvPresence::Complete;
    }
    let is_unnamed = |csv: Node| csv.field("displayName").and_then(Node::as_str).is_none_or(str::is_empty);
    match values(raw, text, METADATA).next().is_some_and(is_unnamed) {
        true => CsvPresence::WithoutName,
        false => CsvPresence::Complete,
    }
}

/// Whether a line of the metadata certainly gives their `displayName`. Most do, and parsing the metadata of all heads would take
/// half of the time of all checks.
fn is_named(metadata: &RawProperty, text: &str) -> bool {
    let Some(value) = &metadata.value else { return false };
    let before = text.get(..value.span.start as usize).unwrap_or_default();
    let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
    let key = format!("\n{}displayName: ", " ".repeat(column));
    let lines = value.span.slice(text);
    memmem::find(lines.as_bytes(), key.as_bytes()).is_some_and(|at| {
        let name = lines[at + key.len()..].lines().next().unwrap_or_default().trim_end();
        // Words that YAML does not read as a text, such as `null`, are short.
        name.starts_with(|first: char| first.is_ascii_alphabetic())
            && name.len() > "False".len()
            && !name.contains([':', '#'])
    })
}

/// The field, without the letter that may be a capital one.
const MIN_KUBE: &str = "inKubeVersion";
/// [`MIN_KUBE`] in base64, at each of the three places that it may have in the bytes before it.
const MIN_KUBE_IN_BASE64: [&str; 3] = ["aW5LdWJlVmVyc2lvb", "luS3ViZVZlcnNpb2", "pbkt1YmVWZXJzaW9u"];
/// A value of more lines may have its base64 cut anywhere.
const LINES: usize = 4;

/// `minKubeVersion` of a bundle's ClusterServiceVersion, as in [`CsvDetails`]; `text` is the text that the bundle was parsed
/// from. Of all bundles of a catalog this takes little time: only what may have the field is parsed.
#[must_use]
pub fn min_kube_version(raw: &RawBundle, text: &str) -> Option<Box<str>> {
    let has_metadata = raw.properties.iter().any(|property| bundle_property_kind(property) == METADATA);
    let may_have = raw.properties.iter().filter(|property| {
        let value = property.value.as_ref().map_or("", |value| value.span.slice(text));
        match bundle_property_kind(property) {
            METADATA => value.contains(MIN_KUBE),
            OBJECT if !has_metadata => {
                let has = |part: &&str| memmem::find(value.as_bytes(), part.as_bytes()).is_some();
                MIN_KUBE_IN_BASE64.iter().any(has) || value.lines().nth(LINES).is_some()
            }
            _ => false,
        }
    });
    let metadata = |property: &RawProperty| {
        let value = property.value.as_ref()?.open(text).ok()?;
        if bundle_property_kind(property) == METADATA { Some(value) } else { manifest(&value) }
    };
    csv_details(&may_have.filter_map(metadata).next()?).min_kube_version
}

/// The items of a list; none if it is absent or no list.
fn items(list: Option<&Node>) -> &[Node] {
    match list.map(|list| &list.value) {
        Some(Value::Sequence(items)) => items,
        _ => &[],
    }
}

/// The metadata of a bundle's ClusterServiceVersion, in the shape of `olm.csv.metadata`, from that property or from the
/// manifest in an `olm.bundle.object` property; `text` is the text that the bundle was parsed from.
#[must_use]
pub fn csv_metadata(raw: &RawBundle, text: &str) -> Option<Node> {
    values(raw, text, METADATA).next().or_else(|| values(raw, text, OBJECT).find_map(|value| manifest(&value)))
}

/// The values of the properties of a type that can be read.
fn values<'r>(raw: &'r RawBundle, text: &'r str, wanted: &'static str) -> impl Iterator<Item = Node> + 'r {
    let of_kind = raw.properties.iter().filter(move |property| bundle_property_kind(property) == wanted);
    of_kind.filter_map(|property| property.value.as_ref()?.open(text).ok())
}

/// The metadata in a base64-encoded manifest, if that is a ClusterServiceVersion.
fn manifest(value: &Node) -> Option<Node> {
    let bytes = fbc::decode_base64(value.field("data")?.as_str()?).ok()?;
    let manifest = String::from_utf8(bytes).ok()?;
    let object = fbc::untyped_values(FileId(0), &manifest).nodes.into_iter().next()?;
    (object.field("kind")?.as_str()? == "ClusterServiceVersion").then(|| spec(&object))?
}

/// The `spec` of a ClusterServiceVersion with its annotations.
fn spec(object: &Node) -> Option<Node> {
    let mut spec = object.field("spec")?.clone();
    let meta = object.field("metadata");
    if let (Value::Mapping(fields), Some(Value::Mapping(meta))) = (&mut spec.value, meta.map(|meta| &meta.value)) {
        fields.extend(meta.iter().filter(|(key, _)| *key.value == *"annotations").cloned());
    }
    Some(spec)
}

// The install modes of a ClusterServiceVersion: which sets of namespaces its operator can watch.

/// `spec.installModes`, in order: the type of each mode, and whether it is supported. A mode that is not listed is not
/// supported. Its `Display` form is Go's, such as `[{OwnNamespace true} {AllNamespaces false}]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InstallModes(Box<[(Box<str>, bool)]>);

impl InstallModes {
    /// Whether the mode is supported.
    #[must_use]
    pub fn supports(&self, mode: &str) -> bool {
        self.0.iter().any(|(listed, supported)| **listed == *mode && *supported)
    }

    /// The supported modes.
    #[must_use]
    pub fn supported(&self) -> BTreeSet<Box<str>> {
        self.0.iter().filter(|(_, supported)| *supported).map(|(mode, _)| mode.clone()).collect()
    }

    /// Whether a mode is listed twice.
    #[must_use]
    pub fn has_duplicates(&self) -> bool {
        self.0.iter().map(|(mode, _)| mode).collect::<BTreeSet<_>>().len() < self.0.len()
    }
}

impl<M: Into<Box<str>>> FromIterator<(M, bool)> for InstallModes {
    fn from_iter<I: IntoIterator<Item = (M, bool)>>(modes: I) -> Self {
        Self(modes.into_iter().map(|(mode, supported)| (mode.into(), supported)).collect())
    }
}

impl fmt::Display for InstallModes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let modes: Vec<String> = self.0.iter().map(|(mode, supported)| format!("{{{mode} {supported}}}")).collect();
        write!(f, "[{}]", modes.join(" "))
    }
}

// The versions of a bundle's CustomResourceDefinitions, read from its `olm.bundle.object` properties.

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
    let properties =
        raws.take(1).flat_map(|raw| &raw.properties).filter(|property| bundle_property_kind(property) == OBJECT);
    properties.map(|property| crd_manifest(&property.value.as_ref()?.open(document).ok()?)).collect()
}

/// The base64-encoded manifest.
fn crd_manifest(value: &Node) -> Option<String> {
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

    const BUNDLE: &str = "schema: olm.bundle\npackage: p\nname: p.v1\nimage: i\nrelatedImages:\n- {name: a, image: b}\n- {name: c, image: b}\n- {name: d, image: ''}\nproperties:\n- {type: olm.package, value: {packageName: p, version: 1.0.0}}\n";

    /// The details of the only bundle of a text, behind another document.
    fn read(text: &str) -> Option<BundleDetails> {
        let text = &format!("schema: olm.package\nname: p\n---\n{text}");
        let parse = fbc::parse(FileId(0), text);
        let (catalog, _) = lower(&[ParsedFile { text, parse: &parse }]);
        bundle_details(&catalog.packages[0].bundles[0], text)
    }

    fn csv(min_kube_version: Option<&str>, install_modes: &[(&str, bool)]) -> Option<CsvDetails> {
        let install_modes = install_modes.iter().copied().collect();
        let min_kube_version = min_kube_version.map(Into::into);
        Some(CsvDetails { min_kube_version, install_modes, ..CsvDetails::default() })
    }

    #[test]
    fn related_images_are_listed_once_and_not_if_empty() {
        let details = BundleDetails { csv: None, related_images: BTreeSet::from(["b".into()]) };
        assert_eq!(read(BUNDLE), Some(details));
    }

    #[test]
    fn metadata_is_read_as_go_reads_it() {
        let metadata = |value: &str| read(&format!("{BUNDLE}- {{type: olm.csv.metadata, value: {value}}}\n"));
        let found = metadata("{minKubeVersion: 1.20.0, installModes: [{type: A, supported: true}, {type: B}]}");
        assert_eq!(found.unwrap().csv, csv(Some("1.20.0"), &[("A", true), ("B", false)]));
        assert_eq!(metadata("{minKubeVersion: ''}").unwrap().csv, csv(None, &[]));
        let spelled =
            "{MinKubeVersion: 1.2.0, installModes: [{type: A, Supported: true}, {type: C, supported: false}]}";
        assert_eq!(metadata(spelled).unwrap().csv, csv(Some("1.2.0"), &[("A", true), ("C", false)]));
    }

    #[test]
    fn an_anchor_elsewhere_in_the_document_is_followed() {
        let text = BUNDLE.replace("version: 1.0.0", "version: &v 1.0.0")
            + "- {type: olm.csv.metadata, value: {minKubeVersion: *v}}\n";
        assert_eq!(read(&text).unwrap().csv, csv(Some("1.0.0"), &[]));
    }

    #[test]
    fn manifests_are_read_if_there_is_no_metadata() {
        // {"kind":"ClusterServiceVersion","spec":{"minKubeVersion":"1.19.0"}}
        let data = "eyJraW5kIjoiQ2x1c3RlclNlcnZpY2VWZXJzaW9uIiwic3BlYyI6eyJtaW5LdWJlVmVyc2lvbiI6IjEuMTkuMCJ9fQ==";
        let text = format!("{BUNDLE}- {{type: olm.bundle.object, value: {{data: {data}}}}}\n");
        assert_eq!(read(&text).unwrap().csv, csv(Some("1.19.0"), &[]));
    }

    #[test]
    fn the_version_of_kubernetes_is_found_wherever_it_stands() {
        let found = |value: &str| {
            let text = format!("{BUNDLE}- {value}\n");
            let parse = fbc::parse(FileId(0), &text);
            let RawDoc::Bundle(raw) = &parse.docs[0].raw else { panic!("no bundle") };
            min_kube_version(raw, &text)
        };
        assert_eq!(found("{type: olm.csv.metadata, value: {minKubeVersion: 1.20.0}}").as_deref(), Some("1.20.0"));
        assert_eq!(found("{type: olm.csv.metadata, value: {MinKubeVersion: 1.20.0}}").as_deref(), Some("1.20.0"));
        assert_eq!(found("{type: olm.csv.metadata, value: {maturity: alpha}}"), None);
        // {"kind":"ClusterServiceVersion","spec":{"minKubeVersion":"1.19.0"}}, with more blanks in each.
        let manifests = [
            "eyJraW5kIjoiQ2x1c3RlclNlcnZpY2VWZXJzaW9uIiwic3BlYyI6eyJtaW5LdWJlVmVyc2lvbiI6IjEuMTkuMCJ9fQ==",
            "eyJraW5kIjoiQ2x1c3RlclNlcnZpY2VWZXJzaW9uIiwic3BlYyI6eyAibWluS3ViZVZlcnNpb24iOiIxLjE5LjAifX0=",
            "eyJraW5kIjoiQ2x1c3RlclNlcnZpY2VWZXJzaW9uIiwic3BlYyI6eyAgIm1pbkt1YmVWZXJzaW9uIjoiMS4xOS4wIn19",
        ];
        for data in manifests {
            let found = found(&format!("{{type: olm.bundle.object, value: {{data: {data}}}}}"));
            assert_eq!(found.as_deref(), Some("1.19.0"), "{data}");
        }
    }

    #[test]
    fn a_name_on_a_line_of_the_metadata_is_one_if_it_is_a_text_at_their_top() {
        let found = |lines: &str| {
            let text = format!("{BUNDLE}- type: olm.csv.metadata\n  value:\n    annotations: {{}}\n{lines}");
            let parse = fbc::parse(FileId(0), &text);
            let RawDoc::Bundle(raw) = &parse.docs[0].raw else { panic!("no bundle") };
            csv_presence(raw, &text)
        };
        for named in ["Red Kettle", "\"Red\"", "Red", "null and void", "Kettle # red"] {
            assert_eq!(found(&format!("    displayName: {named}\n")), CsvPresence::Complete, "{named}");
        }
        for unnamed in ["", "null", "False", "''", "1000000", "null # comment"] {
            assert_eq!(found(&format!("    displayName: {unnamed}\n")), CsvPresence::WithoutName, "{unnamed}");
        }
        let nested = "    crdDescriptions:\n      owned:\n      - displayName: Red Kettle\n";
        assert_eq!(found(nested), CsvPresence::WithoutName);
        let in_text = "    description: |\n      a\n       displayName: Red Kettle\n";
        assert_eq!(found(in_text), CsvPresence::WithoutName);
    }

    #[test]
    fn json_is_read() {
        let text =
            r#"{"schema":"olm.bundle","package":"p","name":"p.v1","image":"i","relatedImages":[{"image":"é"}]} {}"#;
        let parse = fbc::parse(FileId(0), text);
        let (catalog, _) = lower(&[ParsedFile { text, parse: &parse }]);
        let found = bundle_details(&catalog.packages[0].bundles[0], text);
        assert_eq!(found.unwrap().related_images, BTreeSet::from(["é".into()]));
    }

    #[test]
    fn a_mapping_in_braces_is_read_in_a_yaml_file() {
        let details = read("{schema: olm.bundle, package: p, name: p.v1, image: i, relatedImages: [{image: b}]}\n");
        assert_eq!(details.unwrap().related_images.len(), 1);
    }

    #[test]
    fn another_text_has_no_details() {
        let parse = fbc::parse(FileId(0), BUNDLE);
        let (catalog, _) = lower(&[ParsedFile { text: BUNDLE, parse: &parse }]);
        let bundle = &catalog.packages[0].bundles[0];
        assert_eq!(bundle_details(bundle, &BUNDLE.replace("p.v1", "p.v2")), None);
        assert_eq!(bundle_details(bundle, "schema"), None);
    }

    /// The CRDs of a bundle with one manifest, whose base64 is `data`.
    fn read_crds(data: &str) -> Vec<BundleCrd> {
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
        assert_eq!(read_crds(data), [BundleCrd { name: "a.b".into(), versions, storage: Some("v1".into()) }]);
    }

    #[test]
    fn other_manifests_are_none() {
        // {"kind":"ClusterServiceVersion","spec":{"minKubeVersion":"1.19.0"}}
        assert_eq!(
            read_crds("eyJraW5kIjoiQ2x1c3RlclNlcnZpY2VWZXJzaW9uIiwic3BlYyI6eyJtaW5LdWJlVmVyc2lvbiI6IjEuMTkuMCJ9fQ=="),
            []
        );
        assert_eq!(read_crds("'!'"), []);
    }
}
