//! The properties of a bundle: `derivedProperties` (`pkg/registry/parse.go`), then `ObjectsAndPropertiesFromBundle`
//! (`pkg/registry/registry_to_model.go`).

use crate::csv::Csv;
use crate::kubernetes::{GVK, PACKAGE, text_field};
use crate::manifest::{Manifest, Parsed};
use crate::metadata::{Listed, Metadata, ignored};
use crate::render::Stop;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fbc::{FieldNames, GoType, Node, go_misfit, go_syntax_error, json_for_html, quoted, same_field};
use serde_json::value::RawValue;
use serde_json::{Value as Json, Value};
use source::{Diagnostic, FileId, Rule, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

const OLM_PACKAGE: &str = "olm.package";
const OLM_GVK: &str = "olm.gvk";

/// The annotation of a CSV that holds properties.
const OLM_PROPERTIES: &str = "olm.properties";

/// The types of properties that state a requirement.
const REQUIREMENTS: [&str; 3] = ["olm.constraint", "olm.gvk.required", "olm.package.required"];

/// Where a property comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    File,
    Annotations,
    Csv,
    Api,
}

/// A property of the bundle before it becomes one of the model.
pub(crate) struct PlacedProperty {
    property: Property,
    origin: Origin,
    span: Span,
}

/// A group, version and kind.
type Gvk = (String, String, String);

pub(crate) struct ModelProperties {
    package: Property,
    /// The `olm.package` property that counts, and those that do not.
    package_of: Option<(Origin, Span)>,
    unused_packages: Vec<(Origin, Span)>,
    provided: BTreeSet<Gvk>,
    required: BTreeSet<Gvk>,
    others: Vec<Property>,
}

/// The properties of files, annotations and manifests, without repetitions.
pub(crate) fn listed(
    parsed: &Parsed<'_>,
    metadata: &Metadata,
    findings: &mut Vec<Diagnostic>,
) -> Result<Vec<PlacedProperty>, Stop> {
    let csv = &parsed.csv;
    let mut derived = Vec::new();
    let package = &metadata.annotations.package;
    if !package.is_empty() {
        let wrapped = |stop: Stop| stop.behind("failed to derive properties: ");
        let (version, release) = (csv.version().map_err(wrapped)?, csv.release().map_err(wrapped)?);
        let mut value = format!("{{\"packageName\":{},\"version\":{}", html(package), html(&version));
        if !release.is_empty() {
            value += &format!(",\"release\":{}", html(&release));
        }
        let property = Property { kind: OLM_PACKAGE.to_owned(), value: value + "}" };
        derived.push(PlacedProperty { property, origin: Origin::Annotations, span: csv.span() });
    }
    derived.extend(of_annotation(parsed, findings));
    derived.extend(parsed.provided.iter().map(|api| {
        let (group, kind, version) = (html(&api.group), html(&api.kind), html(&api.version));
        let value = format!("{{\"group\":{group},\"kind\":{kind},\"version\":{version}}}");
        PlacedProperty { property: Property { kind: OLM_GVK.to_owned(), value }, origin: Origin::Api, span: csv.span() }
    }));
    let untyped: Vec<Span> =
        metadata.properties.iter().filter(|one| one.property.kind.is_empty()).map(|one| one.span).collect();
    if let Some(first) = untyped.first() {
        let message = match untyped.len() {
            1 => "an entry of `properties` has no `type`, so nothing finds it in the bundle".to_owned(),
            several => format!("{several} entries of `properties` have no `type`, so nothing finds them in the bundle"),
        };
        findings.push(ignored(*first, message, "write `type` and `value` in the entry itself, not below another key"));
    }
    let of_files = metadata.properties.iter().map(|Listed { property, span }| PlacedProperty {
        property: property.clone(),
        origin: Origin::File,
        span: *span,
    });
    let mut seen = BTreeSet::new();
    Ok(of_files.chain(derived).filter(|found| seen.insert(found.property.clone())).collect())
}

fn html(text: &str) -> String {
    json_for_html(&Json::from(text))
}

/// The properties in the annotation of the CSV: those that Go can decode, even where it reports an error.
fn of_annotation(parsed: &Parsed<'_>, findings: &mut Vec<Diagnostic>) -> Vec<PlacedProperty> {
    let Some((text, span)) = parsed.csv.annotation(OLM_PROPERTIES) else { return Vec::new() };
    let (properties, fault) = decoded(text);
    if let Some(fault) = fault {
        let message = match properties.is_empty() {
            true => format!("opm ignores the annotation `olm.properties`, which is no list of properties: {fault}"),
            false => format!("opm ignores a part of the annotation `olm.properties`: {fault}"),
        };
        findings.push(ignored(span, message, "write a JSON list of objects with `type` and `value`"));
    }
    properties.into_iter().map(|property| PlacedProperty { property, origin: Origin::Csv, span }).collect()
}

/// What `json.Unmarshal` leaves in a list of properties, and its error. It goes on behind values of a wrong type.
fn decoded(text: &str) -> (Vec<Property>, Option<String>) {
    if let Some(fault) = go_syntax_error(text) {
        return (Vec::new(), Some(fault));
    }
    let misfit = |found: &RawValue, target: &str| format!("json: cannot unmarshal {} into Go {target}", kind_of(found));
    let whole: Result<&RawValue, _> = serde_json::from_str(text);
    let items: Vec<&RawValue> = match (&whole, serde_json::from_str(text)) {
        (_, Ok(items)) => items,
        (Ok(whole), Err(_)) if whole.get() == "null" => return (Vec::new(), None),
        (Ok(whole), Err(_)) => return (Vec::new(), Some(misfit(whole, "value of type []registry.Property"))),
        (Err(error), Err(_)) => return (Vec::new(), Some(error.to_string())),
    };
    let mut fault = None;
    let properties = items.into_iter().map(|item| {
        let mut property = Property { kind: String::new(), value: String::new() };
        let Ok(fields) = serde_json::from_str::<BTreeMap<String, &RawValue>>(item.get()) else {
            if item.get() != "null" {
                fault.get_or_insert_with(|| misfit(item, "value of type registry.Property"));
            }
            return property;
        };
        for (key, value) in fields {
            if same_field(&key, "value") {
                value.get().clone_into(&mut property.value);
            } else if same_field(&key, "type") && value.get() != "null" {
                match serde_json::from_str(value.get()) {
                    Ok(kind) => property.kind = kind,
                    Err(_) => {
                        fault.get_or_insert_with(|| misfit(value, "struct field Property.type of type string"));
                    }
                }
            }
        }
        property
    });
    (properties.collect(), fault)
}

/// The kind of a JSON value in the errors of Go.
fn kind_of(value: &RawValue) -> &'static str {
    match value.get().as_bytes().first() {
        Some(b'{') => "object",
        Some(b'[') => "array",
        Some(b'"') => "string",
        Some(b't' | b'f') => "bool",
        Some(b'n') | None => "null",
        Some(_) => "number",
    }
}

pub(crate) fn of_model(
    parsed: &Parsed<'_>,
    metadata: &Metadata,
    listed: Vec<PlacedProperty>,
) -> Result<ModelProperties, Stop> {
    let csv = &parsed.csv;
    let (mut provided, mut required) = (BTreeSet::new(), BTreeSet::new());
    let (mut packages, mut others) = (Vec::new(), Vec::new());
    for (index, PlacedProperty { property, origin, span }) in listed.into_iter().enumerate() {
        match &*property.kind {
            OLM_GVK => drop(provided.insert(gvk(&decode(&property, index, span, &GVK)?))),
            OLM_PACKAGE => packages.push((decode(&property, index, span, &PACKAGE)?, origin, span)),
            _ => others.push(property),
        }
    }
    let mut requirements = Vec::new();
    for (index, Listed { property, span }) in metadata.dependencies.iter().enumerate() {
        match &*property.kind {
            OLM_GVK => drop(required.insert(gvk(&decode(property, index, *span, &GVK)?))),
            OLM_PACKAGE => {
                let package = decode(property, index, *span, &PACKAGE)?;
                let (name, range) = (text_field(&package, "packageName"), text_field(&package, "version"));
                let fields = [("packageName", &*name), ("versionRange", &*range)];
                requirements.push(Property::of_texts("olm.package.required", &fields));
            }
            _ => others.push(property.clone()),
        }
    }
    let version = csv.version().map_err(|stop| stop.behind("get version: "))?;
    let release = csv.release().map_err(|stop| stop.behind("get release: "))?;
    provided.extend(parsed.provided.iter().map(|api| (api.group.clone(), api.kind.clone(), api.version.clone())));
    let of_csv = csv.required().map_err(|stop| stop.behind("get required apis: "))?;
    required.extend(of_csv.into_iter().map(|api| (api.group, api.kind, api.version)));
    let last = packages.pop();
    let package = match &last {
        Some((node, ..)) => {
            let text = |name: &str| text_field(node, name);
            package_property(&text("packageName"), &text("version"), &text("release"))
        }
        None => package_property(&metadata.annotations.package, &version, &release),
    };
    requirements.extend(others);
    Ok(ModelProperties {
        package,
        package_of: last.map(|(_, origin, span)| (origin, span)),
        unused_packages: packages.into_iter().map(|(_, origin, span)| (origin, span)).collect(),
        provided,
        required,
        others: requirements,
    })
}

fn package_property(name: &str, version: &str, release: &str) -> Property {
    let fields = [("packageName", name), ("version", version), ("release", release)];
    let written = if release.is_empty() { &fields[..2] } else { &fields };
    Property::of_texts(OLM_PACKAGE, written)
}

fn gvk(node: &Node) -> Gvk {
    (text_field(node, "group"), text_field(node, "kind"), text_field(node, "version"))
}

/// Decodes the value of a property, or says why Go does not.
fn decode(property: &Property, index: usize, span: Span, go_type: &'static GoType) -> Result<Node, Stop> {
    let fault = |words: &str| {
        Stop::Opm(format!("parse property[{index}] of type {}: {words}", quoted(&property.kind)), Some(span))
    };
    if let Some(words) = go_syntax_error(&property.value) {
        return Err(fault(&words));
    }
    // JSON that is well-formed is YAML of the same meaning, apart from texts that are read by their letters.
    let document = fbc::first_document(FileId(0), &property.value)
        .map_err(|finding| Stop::Unknown(finding.message, Some(span)))?;
    match go_misfit(&document.node, go_type, FieldNames::AnyCase) {
        Some(misfit) => Err(fault(&misfit.message)),
        None => Ok(document.node),
    }
}

impl ModelProperties {
    /// All properties in the order in which `opm` writes them, the manifests last.
    pub(crate) fn in_order(self, manifests: &[Manifest<'_>]) -> Vec<Property> {
        let gvk = |kind: &'static str| {
            move |(group, name, version): Gvk| {
                Property::of_texts(kind, &[("group", &group), ("kind", &name), ("version", &version)])
            }
        };
        let mut all = vec![self.package];
        all.extend(self.provided.into_iter().map(gvk(OLM_GVK)));
        all.extend(self.required.into_iter().map(gvk("olm.gvk.required")));
        all.extend(self.others);
        all.extend(manifests.iter().map(|manifest| Property::of_object(&manifest.object)));
        all.sort();
        let (objects, mut others): (Vec<_>, Vec<_>) = all.into_iter().partition(Property::is_object);
        others.extend(objects);
        others
    }
}

/// Reports `olm.package` properties that replace what the annotations say, or have no effect, and dependencies that become
/// offers.
pub(crate) fn report_package(
    metadata: &Metadata,
    properties: &ModelProperties,
    csv: &Csv<'_>,
    findings: &mut Vec<Diagnostic>,
) {
    let finding =
        |span, message: &str, help: &str| Diagnostic::new(Rule::OverriddenPackage, span, message).with_help(help);
    if let Some((Origin::Csv | Origin::File, span)) = properties.package_of {
        let message =
            "this `olm.package` property takes the place of the package and version of the annotations and the CSV";
        findings.push(finding(
            span,
            message,
            "remove it: opm makes the property of the annotations and `spec.version`",
        ));
    }
    for (origin, span) in &properties.unused_packages {
        if matches!(origin, Origin::Csv | Origin::File) {
            let message = "this `olm.package` property has no effect: opm takes another one";
            findings.push(finding(*span, message, "remove it"));
        }
    }
    for Listed { property, span } in &metadata.dependencies {
        let kind = &*property.kind;
        if kind == OLM_GVK || kind == OLM_PACKAGE || REQUIREMENTS.contains(&kind) {
            continue;
        }
        let message =
            format!("opm makes a property of this dependency: `{}` offers `{kind}` instead of requiring it", csv.name);
        let help = "only `olm.package`, `olm.gvk` and `olm.constraint` are requirements";
        findings.push(Diagnostic::new(Rule::OfferedDependency, *span, message).with_help(help));
    }
}

// Properties of bundles as they are written: a type and a raw JSON value.

/// The type of the properties that hold the manifests.
pub(crate) const BUNDLE_OBJECT: &str = "olm.bundle.object";
/// The type of the property with the metadata of the CSV.
pub(crate) const CSV_METADATA: &str = "olm.csv.metadata";

/// A property.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Property {
    /// `type`
    pub kind: String,
    /// The text of its value: JSON as `opm` read or made it, with the blanks that it was written with. Empty when the list
    /// that it comes from gives none, which is printed as `null`.
    pub value: String,
}

impl Property {
    /// A property whose value is an object of texts, which `opm` writes without HTML escapes.
    fn of_texts(kind: &str, fields: &[(&str, &str)]) -> Self {
        let text = |text: &str| fbc::plain_json(&Value::from(text));
        let fields: Vec<String> = fields.iter().map(|(name, value)| format!("\"{name}\":{}", text(value))).collect();
        Self { kind: kind.to_owned(), value: format!("{{{}}}", fields.join(",")) }
    }

    /// The property of a manifest, whose JSON is written with HTML escapes.
    pub(crate) fn of_object(object: &Value) -> Self {
        let data = STANDARD.encode(fbc::json_for_html(object));
        Self { kind: BUNDLE_OBJECT.to_owned(), value: format!("{{\"data\":\"{data}\"}}") }
    }

    /// Whether the property is written behind all others.
    pub(crate) fn is_object(&self) -> bool {
        self.kind == BUNDLE_OBJECT || self.kind == CSV_METADATA
    }

    /// The value as compact JSON.
    #[must_use]
    pub fn json(&self) -> String {
        if self.value.is_empty() { "null".to_owned() } else { fbc::compact_json(&self.value) }
    }
}

// APIs, the keys of the sets that `opm` compares (`pkg/registry/types.go`, `APIKey`).

/// An API. The order of the fields is that in which Go prints the keys of a map.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Api {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
    pub(crate) plural: String,
}

impl fmt::Display for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{} ({})", self.group, self.version, self.kind, self.plural)
    }
}

/// A set of APIs as Go prints it.
pub(crate) fn printed(apis: &BTreeSet<Api>) -> String {
    let entries: Vec<String> = apis.iter().map(|api| format!("{api}:{{}}")).collect();
    format!("map[{}]", entries.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str)], fault: Option<&str>) {
        let (properties, warning) = decoded(text);
        let found: Vec<_> = properties.iter().map(|property| (&*property.kind, &*property.value)).collect();
        assert_eq!((&found[..], warning.as_deref()), (expected, fault), "{text}");
    }

    #[test]
    fn go_decodes_what_it_can_of_an_annotation() {
        check(r#"[{"type": "a", "value": {"b": 1.50}}, {"Type":"c"}]"#, &[("a", "{\"b\": 1.50}"), ("c", "")], None);
        check("null", &[], None);
        check("{bad", &[], Some("invalid character 'b' looking for beginning of object key string"));
        check("{}", &[], Some("json: cannot unmarshal object into Go value of type []registry.Property"));
        let fault = "json: cannot unmarshal number into Go struct field Property.type of type string";
        check(r#"[{"type": 5, "value": 1}, null, {"type": "a"}]"#, &[("", "1"), ("", ""), ("a", "")], Some(fault));
    }

    #[test]
    fn texts_are_escaped_where_go_escapes_them() {
        assert_eq!(html("<"), "\"\\u003c\"");
        assert_eq!(package_property("a", ">1", "").value, "{\"packageName\":\"a\",\"version\":\">1\"}");
    }
}
