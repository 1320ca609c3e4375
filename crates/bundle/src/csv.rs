//! The ClusterServiceVersion: what `opm` converts of it, and the parts of its `spec` (`pkg/registry/csv.go`).

use crate::document::{Icon, Updates};
use crate::kubernetes::{CRD_V1, CRD_V1BETA1, DEFINITIONS, OPERATOR_IMAGES, RELATED_IMAGES, items, text_field};
use crate::manifest::Manifest;
use crate::properties::Api;
use crate::render::Stop;
use fbc::{FieldNames, Misfit, Node, Value, go_misfit};
use source::{Span, Spanned};
use std::collections::BTreeSet;

pub(crate) struct Csv<'m> {
    manifest: &'m Manifest<'m>,
    /// `metadata.name`; empty when there is none.
    pub(crate) name: String,
    /// `spec`, unless it is null.
    spec: Option<&'m Node>,
}

/// One of the lists of APIs that a CSV owns or requires.
struct Definitions<'m> {
    owned: &'m [Node],
    required: &'m [Node],
}

impl<'m> Csv<'m> {
    /// Converts an object as `runtime.DefaultUnstructuredConverter` does.
    pub(crate) fn of(manifest: &'m Manifest<'m>) -> Result<Self, Stop> {
        let root = &manifest.document.node;
        if let Some(version) = root.get("apiVersion") {
            convert(version, Target::Text)?;
        }
        let metadata = present(root.get("metadata"));
        let mut name = String::new();
        if let Some(metadata) = metadata {
            convert(metadata, Target::Struct)?;
            for (field, target) in OBJECT_META {
                if let Some(value) = metadata.get(field) {
                    convert(value, *target)?;
                }
            }
            name = metadata.get("name").and_then(Node::as_str).unwrap_or_default().to_owned();
        }
        Ok(Self { manifest, name, spec: present(root.get("spec")) })
    }

    /// The value of an annotation and its place.
    pub(crate) fn annotation(&self, name: &str) -> Option<(&'m str, Span)> {
        let value = self.manifest.document.node.get("metadata")?.get("annotations")?.get(name)?;
        Some((value.as_str()?, value.span))
    }

    /// Where the CSV begins.
    pub(crate) fn span(&self) -> Span {
        self.manifest.document.node.span
    }

    /// `spec`, which must be an object.
    fn spec_object(&self) -> Result<&'m Node, Stop> {
        let Some(spec) = self.spec else {
            return Err(Stop::Opm("unexpected end of JSON input".to_owned(), Some(self.span().at_start())));
        };
        if matches!(spec.value, Value::Mapping(_)) {
            return Ok(spec);
        }
        let found = spec.value.go_kind(spec.span.slice(self.manifest.file.text));
        let words = format!("json: cannot unmarshal {found} into Go value of type map[string]*json.RawMessage");
        Err(Stop::Opm(words, Some(spec.span)))
    }

    /// A field of `spec`, unless it is null. Its name matches to the letter.
    fn section(&self, name: &str) -> Result<Option<&'m Node>, Stop> {
        Ok(present(self.spec_object()?.get(name)))
    }

    /// `spec.version`; empty when there is none.
    pub(crate) fn version(&self) -> Result<String, Stop> {
        let Some(version) = self.section("version")? else { return Ok(String::new()) };
        match version.as_str() {
            Some(text) => Ok(text.to_owned()),
            None => {
                let found = version.value.go_kind(version.span.slice(self.manifest.file.text));
                let words = format!("json: cannot unmarshal {found} into Go value of type string");
                Err(Stop::Opm(words, Some(version.span)))
            }
        }
    }

    /// `spec.release`; empty when there is none.
    pub(crate) fn release(&self) -> Result<String, Stop> {
        let Some(release) = self.section("release")? else { return Ok(String::new()) };
        match &release.value {
            Value::String(text) => Ok(text.to_string()),
            Value::Number(_) => Ok(fbc::json_for_html(&release.to_exact_json(self.manifest.file.text)?)),
            _ => Err(Stop::Opm("release field must be a string or number".to_owned(), Some(release.span))),
        }
    }

    /// How it updates other bundles. A fault is not one of `opm render`, which reads none of it.
    pub(crate) fn updates(&self) -> Updates {
        let mut updates = Updates {
            skip_range: self.annotation("olm.skipRange").map(|(range, _)| range.to_owned()).unwrap_or_default(),
            substitutes_for: self
                .annotation("olm.substitutesFor")
                .filter(|(name, _)| !name.is_empty())
                .map(|(name, span)| Spanned::new(name.to_owned(), span)),
            ..Updates::default()
        };
        let Some(spec) = self.spec else { return updates };
        let misfit = |node: &Node, wanted: &str| {
            let found = node.value.go_kind(node.span.slice(self.manifest.file.text));
            Some(format!("json: cannot unmarshal {found} into Go value of type {wanted}"))
        };
        match present(spec.get("replaces")).map(|node| (node, node.as_str())) {
            Some((_, Some(name))) => name.clone_into(&mut updates.replaces),
            Some((node, None)) => updates.fault = misfit(node, "string"),
            None => {}
        }
        match present(spec.get("skips")).map(|node| (node, &node.value)) {
            Some((_, Value::Sequence(names))) => {
                for name in names {
                    match name.as_str() {
                        Some(name) => updates.skips.push(name.to_owned()),
                        // Go leaves the element empty.
                        None if name.value == Value::Null => updates.skips.push(String::new()),
                        None => updates.fault = misfit(name, "string"),
                    }
                }
            }
            Some((node, _)) => updates.fault = misfit(node, "[]string"),
            None => {}
        }
        updates
    }

    /// `spec.minKubeVersion`; empty when there is none. `opm render` does not look at it.
    pub(crate) fn min_kube_version(&self) -> String {
        self.spec.map(|spec| text_field(spec, "minKubeVersion")).unwrap_or_default()
    }

    /// The first icon.
    pub(crate) fn icon(&self) -> Option<Icon> {
        let icon = self.spec?.get("icon").map(items)?.first()?;
        Some(Icon { data: text_field(icon, "base64data"), media_type: text_field(icon, "mediatype") })
    }

    /// Where its name is, or where it begins.
    pub(crate) fn place(&self) -> Span {
        let name = self.manifest.document.node.get("metadata").and_then(|metadata| metadata.get("name"));
        name.map_or_else(|| self.span().at_start(), |name| name.span)
    }

    /// The CRDs that the CSV owns, by the place of each.
    pub(crate) fn owned_crds(&self) -> Result<Vec<(Api, Span)>, Stop> {
        let owned = self.definitions("customresourcedefinitions")?.owned;
        owned.iter().map(|item| Ok((crd(item)?, item.span))).collect()
    }

    /// The APIs of the APIServices that the CSV owns.
    pub(crate) fn owned_services(&self) -> Result<Vec<Api>, Stop> {
        let definitions = self.service_definitions()?;
        definitions.owned.iter().map(service).collect()
    }

    /// The APIs that the CSV requires.
    pub(crate) fn required(&self) -> Result<BTreeSet<Api>, Stop> {
        let crds = self.definitions("customresourcedefinitions")?.required;
        let mut required = crds.iter().map(crd).collect::<Result<BTreeSet<_>, _>>()?;
        for item in self.service_definitions()?.required {
            required.insert(service(item)?);
        }
        Ok(required)
    }

    fn service_definitions(&self) -> Result<Definitions<'m>, Stop> {
        self.spec_object().map_err(|stop| stop.behind("error unmarshaling into object map: "))?;
        self.definitions("apiservicedefinitions")
    }

    fn definitions(&self, name: &str) -> Result<Definitions<'m>, Stop> {
        let none = Definitions { owned: &[], required: &[] };
        let Some(section) = self.section(name)? else { return Ok(none) };
        if let Some(misfit) = go_misfit(section, &DEFINITIONS, FieldNames::AnyCase) {
            return Err(Stop::Opm(misfit.message, Some(misfit.span)));
        }
        let list = |name: &str| section.field(name).map(items).unwrap_or_default();
        Ok(Definitions { owned: list("owned"), required: list("required") })
    }
}

/// The API of an owned or required CRD, whose name is `plural.group`.
fn crd(item: &Node) -> Result<Api, Stop> {
    let item = entry(item)?;
    let name = text_field(item, "name");
    let Some((plural, group)) = name.split_once('.') else {
        let words = format!("couldn't parse plural.group from crd name: {name}");
        let place = item.field("name").map_or(item.span, |name| name.span);
        return Err(Stop::Opm(words, Some(place)));
    };
    Ok(Api {
        group: group.to_owned(),
        version: text_field(item, "version"),
        kind: text_field(item, "kind"),
        plural: plural.to_owned(),
    })
}

/// The API of an owned or required APIService.
fn service(item: &Node) -> Result<Api, Stop> {
    let item = entry(item)?;
    Ok(Api {
        group: text_field(item, "group"),
        version: text_field(item, "version"),
        kind: text_field(item, "kind"),
        plural: text_field(item, "name"),
    })
}

/// An entry of a list of APIs. `opm` follows a null pointer where it is null.
fn entry(item: &Node) -> Result<&Node, Stop> {
    match item.value {
        Value::Null => {
            let why = "opm crashes: a list of APIs in the CSV has an empty entry".to_owned();
            Err(Stop::Unknown(why, Some(item.span)))
        }
        _ => Ok(item),
    }
}

fn present(node: Option<&Node>) -> Option<&Node> {
    node.filter(|node| node.value != Value::Null)
}

/// A Go type that a field of the CSV is converted into.
#[derive(Clone, Copy)]
enum Target {
    Text,
    Integer,
    Texts,
    TextMap,
    Struct,
}

/// The fields of `metadata` that can be of a wrong type, in the order in which they are converted (`ObjectMeta`).
const OBJECT_META: &[(&str, Target)] = &[
    ("name", Target::Text),
    ("generateName", Target::Text),
    ("namespace", Target::Text),
    ("selfLink", Target::Text),
    ("uid", Target::Text),
    ("resourceVersion", Target::Text),
    ("generation", Target::Integer),
    ("deletionGracePeriodSeconds", Target::Integer),
    ("labels", Target::TextMap),
    ("annotations", Target::TextMap),
    ("finalizers", Target::Texts),
];

/// Checks a value as apimachinery `pkg/runtime/converter.go` (`fromUnstructured`) converts it.
fn convert(node: &Node, target: Target) -> Result<(), Stop> {
    let found = match &node.value {
        Value::Null => return Ok(()),
        Value::Bool(_) => "bool",
        Value::Number(number) if number.0.fract() == 0.0 => "int64",
        Value::Number(_) => "float64",
        Value::String(_) => "string",
        Value::Sequence(_) => "slice",
        Value::Mapping(_) | Value::Unopened => "map",
    };
    let words = match (target, &node.value) {
        (Target::Text, Value::String(_))
        | (Target::Struct, Value::Mapping(_) | Value::Unopened)
        | (_, Value::Unopened) => return Ok(()),
        (Target::Integer, Value::Number(number)) if number.0.fract() == 0.0 => return Ok(()),
        (Target::Text, Value::Number(_)) if found == "int64" => "cannot convert int64 to string".to_owned(),
        (Target::Text, _) => "unrecognized type: string".to_owned(),
        (Target::Integer, Value::Number(_)) => "cannot convert float64 to int64".to_owned(),
        (Target::Integer, _) => "unrecognized type: int64".to_owned(),
        (Target::Texts, Value::Sequence(items)) => {
            return items.iter().try_for_each(|item| convert(item, Target::Text));
        }
        (Target::TextMap, Value::Mapping(entries)) => {
            return entries.iter().try_for_each(|(_, value)| convert(value, Target::Text));
        }
        (Target::Texts, _) => format!("cannot restore slice from {found}"),
        (Target::TextMap, _) => format!("cannot restore map from {found}"),
        (Target::Struct, _) => format!("cannot restore struct from: {found}"),
    };
    Err(Stop::Opm(words, Some(node.span)))
}

// The APIs that the CRDs of a bundle provide: `Bundle.cache` and `Bundle.ProvidedAPIs` (`pkg/registry/bundle.go`).

const GROUP: &str = "apiextensions.k8s.io";

/// Go's name for the scheme of `pkg/registry`: the line of v1.73.0 that makes it.
const SCHEME: &str = "pkg/registry/bundle.go:24";

/// The APIs of all CRDs: every version, served or not.
pub(crate) fn provided(manifests: &[Manifest<'_>]) -> Result<BTreeSet<Api>, Stop> {
    let mut provided = BTreeSet::new();
    for manifest in manifests.iter().filter(|manifest| manifest.kind() == "CustomResourceDefinition") {
        let (group, version) = manifest.group_and_version();
        let go_type = match version {
            "v1" => &CRD_V1,
            "v1beta1" => &CRD_V1BETA1,
            _ => continue,
        };
        let root = &manifest.document.node;
        // The version alone says what it is decoded into, and only the decoder looks at the group.
        if group != GROUP {
            let api = if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") };
            let kind = format!("no kind \"CustomResourceDefinition\" is registered for version {}", fbc::quoted(&api));
            let words = format!("error decoding {version} CRD: {kind} in scheme \"{SCHEME}\"");
            return Err(Stop::Opm(words, root.get("apiVersion").map(|api| api.span)));
        }
        if let Some(misfit) = go_misfit(root, go_type, FieldNames::Exact) {
            return Err(Stop::Opm(format!("error decoding {version} CRD: {}", misfit.message), Some(misfit.span)));
        }
        provided.extend(of_crd(root, version == "v1beta1"));
    }
    Ok(provided)
}

/// The APIs of one CRD. The first releases of CRDs had their version in `spec.version`.
fn of_crd(root: &Node, may_have_one_version: bool) -> Vec<Api> {
    let spec = root.get("spec");
    let text = |node: Option<&Node>, name: &str| {
        node.and_then(|node| node.get(name)).and_then(Node::as_str).unwrap_or_default().to_owned()
    };
    let names = spec.and_then(|spec| spec.get("names"));
    let listed = spec.and_then(|spec| spec.get("versions")).map(items).unwrap_or_default();
    let mut versions: Vec<String> = listed.iter().map(|version| text(Some(version), "name")).collect();
    versions.extend(Some(text(spec, "version")).filter(|version| may_have_one_version && !version.is_empty()));
    let api =
        |version| Api { group: text(spec, "group"), version, kind: text(names, "kind"), plural: text(names, "plural") };
    versions.into_iter().map(api).collect()
}

/// What Go says of a value that is decoded into a CustomResourceDefinition of `apiextensions.k8s.io/v1`, or of `v1beta1`;
/// nothing when it fits. Parts that are not open are not looked at.
#[must_use]
pub fn crd_misfit(value: &Node, is_v1beta1: bool) -> Option<Misfit> {
    go_misfit(value, if is_v1beta1 { &CRD_V1BETA1 } else { &CRD_V1 }, FieldNames::Exact)
}

// The images that a bundle needs: `getRelatedImages` (`alpha/action/render.go`), `GetOperatorImages`
// (`pkg/registry/csv.go`).

/// An image that a bundle needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelatedImage {
    /// Empty for images that only a deployment names.
    pub name: String,
    /// The reference.
    pub image: String,
}

/// The images of a CSV, sorted.
pub(crate) fn images_of(csv: &Csv<'_>) -> Result<Vec<RelatedImage>, Stop> {
    let mut images = Vec::new();
    if let Some(listed) = csv.section("relatedImages")? {
        if let Some(misfit) = go_misfit(listed, &RELATED_IMAGES, FieldNames::AnyCase) {
            return Err(Stop::Opm(misfit.message, Some(misfit.span)));
        }
        for item in items(listed) {
            images.push(RelatedImage { name: text_field(item, "name"), image: text_field(item, "image") });
        }
    }
    let known: BTreeSet<String> = images.iter().map(|image| image.image.clone()).collect();
    // Go adds them in an order that varies; where equal images are, may depend on it.
    let deployed = of_deployments(csv)?.into_iter().filter(|image| !known.contains(image));
    images.extend(deployed.map(|image| RelatedImage { name: String::new(), image }));
    // Stable, as Go's unstable sort is up to twelve items.
    images.sort_by(|one, other| one.image.cmp(&other.image));
    Ok(images)
}

/// The images of the containers in the deployments of the only install strategy that `opm` knows.
fn of_deployments(csv: &Csv<'_>) -> Result<BTreeSet<String>, Stop> {
    let spec = csv.spec_object()?;
    if let Some(misfit) = go_misfit(spec, &OPERATOR_IMAGES, FieldNames::AnyCase) {
        return Err(Stop::Opm(misfit.message, Some(misfit.span)));
    }
    let Some(install) = spec.field("install") else { return Ok(BTreeSet::new()) };
    if text_field(install, "strategy") != "deployment" {
        return Ok(BTreeSet::new());
    }
    let deployments = install.field("spec").and_then(|spec| spec.field("deployments"));
    let pods = deployments.into_iter().flat_map(items).filter_map(|deployment| {
        ["spec", "template", "spec"].into_iter().try_fold(deployment, |node, name| node.field(name))
    });
    let containers = |pod: &'_ Node| -> Vec<String> {
        let lists = ["containers", "initContainers"].into_iter().filter_map(|name| pod.field(name));
        lists.flat_map(items).map(|container| text_field(container, "image")).collect()
    };
    Ok(pods.flat_map(containers).collect())
}
