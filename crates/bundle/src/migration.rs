//! The migration `bundle-object-to-csv-metadata` of `opm render --migrate-level`: the metadata of a bundle's CSV in the place of its
//! manifests (operator-registry `alpha/action/migrations/000_bundle_object_to_csv_metadata.go`).

use crate::document::{Document, object};
use crate::properties::{BUNDLE_OBJECT, CSV_METADATA, Property};
use crate::render::Bundle;
use fbc::{GoType, decode_base64, first_document, json_for_html, json_member, plain_json};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use source::FileId;
use std::collections::BTreeMap;

/// The fields of the metadata that are those of the CSV's `spec`, by the names that they have there.
const OF_SPEC: [(&str, &str); 12] = [
    ("apiServiceDefinitions", "apiservicedefinitions"),
    ("crdDescriptions", "customresourcedefinitions"),
    ("description", "description"),
    ("displayName", "displayName"),
    ("installModes", "installModes"),
    ("keywords", "keywords"),
    ("links", "links"),
    ("maintainers", "maintainers"),
    ("maturity", "maturity"),
    ("minKubeVersion", "minKubeVersion"),
    ("nativeAPIs", "nativeAPIs"),
    ("provider", "provider"),
];

impl Bundle {
    /// The bundle after the migration. The same if it has no image, no CSV, or one that `opm` does not decode.
    #[must_use]
    pub fn migrated(mut self) -> Self {
        if let Ok(Some(properties)) = migrated(&self.image, &self.properties) {
            self.properties = properties;
        }
        self
    }
}

impl Document {
    /// The document after the migration, which changes bundles alone.
    ///
    /// # Errors
    /// When `opm` does not decode the CSV of the bundle.
    pub fn migrated(self) -> Result<Self, String> {
        let wrong = |error: serde_json::Error| error.to_string();
        if self.schema != "olm.bundle" {
            return Ok(self);
        }
        let fields: BTreeMap<&str, &RawValue> = serde_json::from_str(&self.json).map_err(wrong)?;
        let text = |field: Option<&&RawValue>| field.and_then(|field| serde_json::from_str(field.get()).ok());
        let listed = fields.get("properties").map_or("[]", |listed| listed.get());
        let listed: Vec<BTreeMap<&str, &RawValue>> = serde_json::from_str(listed).map_err(wrong)?;
        let property = |fields: &BTreeMap<&str, &RawValue>| Property {
            kind: text(fields.get("type")).unwrap_or_default(),
            value: fields.get("value").map(|value| value.get().to_owned()).unwrap_or_default(),
        };
        let properties: Vec<Property> = listed.iter().map(property).collect();
        let image: String = text(fields.get("image")).unwrap_or_default();
        let Some(properties) = migrated(&image, &properties).map_err(|why| format!("bundle `{}`: {why}", self.name))?
        else {
            return Ok(self);
        };
        let property = |property: &Property| {
            let kind = plain_json(&Value::from(&*property.kind));
            object(&[("type", kind), ("value", property.json())])
        };
        let properties = format!("[{}]", properties.iter().map(property).collect::<Vec<_>>().join(","));
        let names = ["schema", "name", "package", "image", "properties", "relatedImages"];
        let written = names.into_iter().filter_map(|name| {
            let field = fields.get(name)?.get();
            Some((name, if name == "properties" { properties.clone() } else { field.to_owned() }))
        });
        Ok(Self { json: object(&written.collect::<Vec<_>>()), ..self })
    }
}

/// The properties after the migration; `None` if it does not change them.
fn migrated(image: &str, properties: &[Property]) -> Result<Option<Vec<Property>>, String> {
    let manifests = properties.iter().filter(|property| property.kind == BUNDLE_OBJECT).filter_map(manifest);
    let mut csvs = manifests.filter(|manifest| manifest["kind"] == "ClusterServiceVersion");
    let has_metadata = properties.iter().any(|property| property.kind == CSV_METADATA);
    let Some(csv) = csvs.next().filter(|_| !image.is_empty() && !has_metadata) else { return Ok(None) };
    let value = written(&metadata(&csv), &fbc::CSV_METADATA)
        .ok_or("`opm` cannot decode the ClusterServiceVersion, so it migrates nothing")?;
    let kept = properties.iter().filter(|property| property.kind != BUNDLE_OBJECT).cloned();
    Ok(Some(kept.chain([Property { kind: CSV_METADATA.to_owned(), value }]).collect()))
}

fn manifest(property: &Property) -> Option<Value> {
    let value: Value = serde_json::from_str(&property.value).ok()?;
    let text = String::from_utf8(decode_base64(value["data"].as_str()?).ok()?).ok()?;
    first_document(FileId(0), &text).ok()?.node.to_json(&text).ok()
}

/// The parts of a CSV that are metadata.
fn metadata(csv: &Value) -> Value {
    let part = |of: &str, name: &str| {
        let fields = field(csv.as_object()?, of)?.as_object()?;
        field(fields, name).cloned()
    };
    let of_meta = ["annotations", "labels"].map(|name| (name, part("metadata", name)));
    let of_spec = OF_SPEC.map(|(name, of_csv)| (name, part("spec", of_csv)));
    let known = of_meta.into_iter().chain(of_spec);
    known.filter_map(|(name, value)| Some((name.to_owned(), value?))).collect::<Map<_, _>>().into()
}

fn field<'f>(fields: &'f Map<String, Value>, name: &str) -> Option<&'f Value> {
    fields.get(json_member(fields, name)?)
}

/// The JSON that Go writes of a value after it has decoded it into a type; `None` if it does not decode it.
fn written(value: &Value, go_type: &'static GoType) -> Option<String> {
    Some(match (go_type, value) {
        // A raw message stays as it is.
        (GoType::Any | GoType::Custom(_), value) => json_for_html(value),
        (GoType::Text(_), Value::Null) => "\"\"".to_owned(),
        (GoType::Bool, Value::Null) => "false".to_owned(),
        (GoType::Int(..), Value::Null) => "0".to_owned(),
        (GoType::List(_) | GoType::Map(_), Value::Null) => "null".to_owned(),
        (GoType::Text(_), Value::String(_)) | (GoType::Bool, Value::Bool(_)) => plain_json(value),
        (GoType::Int(_, least, most), Value::Number(number)) => {
            number.as_i64().filter(|number| (least..=most).contains(&number))?.to_string()
        }
        (GoType::List(inner), Value::Array(items)) => {
            let items: Option<Vec<String>> = items.iter().map(|item| written(item, inner)).collect();
            format!("[{}]", items?.join(","))
        }
        (GoType::Map(inner), Value::Object(entries)) => {
            let entry = |(key, value): (&String, &Value)| {
                Some(format!("{}:{}", plain_json(&Value::from(&**key)), written(value, inner)?))
            };
            let entries: Option<Vec<String>> = entries.iter().map(entry).collect();
            format!("{{{}}}", entries?.join(","))
        }
        (GoType::Struct(_), Value::Null) => written(&Value::Object(Map::new()), go_type)?,
        (GoType::Struct(shape), Value::Object(fields)) => {
            let mut parts = Vec::new();
            for (name, go_type) in shape.fields {
                let given = field(fields, name);
                let text = written(given.unwrap_or(&Value::Null), go_type)?;
                let is_empty = match go_type {
                    GoType::Struct(_) => false,
                    GoType::Any | GoType::Custom(_) => given.is_none(),
                    _ => matches!(&*text, "\"\"" | "false" | "0" | "null" | "[]" | "{}"),
                };
                if !is_empty || is_required(shape.name, name) {
                    parts.push((*name, text));
                }
            }
            object(&parts)
        }
        _ => return None,
    })
}

/// Whether a field is written where it is empty, too (operator-framework/api
/// `pkg/operators/v1alpha1/clusterserviceversion_types.go`, and `GroupVersionKind` of Kubernetes).
fn is_required(of: &str, name: &str) -> bool {
    match of {
        "CSVMetadata" | "AppLink" | "Maintainer" => false,
        _ => ["name", "group", "version", "kind", "path", "type", "supported"].contains(&name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const ANY: &str = r#"{"a":"\u003c"}"#;

    fn bundle() -> Bundle {
        let csv = json!({
            "kind": "ClusterServiceVersion",
            "metadata": { "name": "p.v1", "annotations": { "b": ">", "a": "b" } },
            "spec": {
                "displayName": "P",
                "customresourcedefinitions": { "owned": [{
                    "version": "v1", "kind": "K", "unknown": 1, "resources": [{ "Kind": "Pod" }],
                    "specDescriptors": [{ "x-descriptors": [], "value": { "a": "<" }, "displayName": "D" }],
                }], "required": [] },
                "apiservicedefinitions": { "owned": [{ "containerPort": 0, "name": null }] },
                "installModes": [{ "supported": false, "type": "OwnNamespace" }],
                "keywords": [],
                "maintainers": [{ "email": "a@b" }],
            },
        });
        let properties = [json!({ "kind": "Service" }), csv].map(|object| Property::of_object(&object));
        Bundle { name: "p.v1".to_owned(), properties: properties.into(), ..Bundle::default() }
    }

    #[test]
    fn the_metadata_has_the_fields_of_its_types_in_their_order() {
        assert_eq!(bundle().migrated(), bundle(), "opm migrates no bundle without an image");
        let migrated = Bundle { image: "i".to_owned(), ..bundle() }.migrated();
        let expected = [
            r#"{"annotations":{"a":"b","b":">"},"#,
            r#""apiServiceDefinitions":{"owned":[{"name":"","group":"","version":"","kind":""}]},"#,
            r#""crdDescriptions":{"owned":[{"name":"","version":"v1","kind":"K","#,
            r#""resources":[{"name":"","kind":"Pod","version":""}],"#,
            &format!(r#""specDescriptors":[{{"path":"","displayName":"D","value":{ANY}}}]}}]}},"#),
            r#""displayName":"P","installModes":[{"type":"OwnNamespace","supported":false}],"#,
            r#""maintainers":[{"email":"a@b"}],"provider":{}}"#,
        ];
        assert_eq!((migrated.properties.len(), &*migrated.properties[0].value), (1, &*expected.concat()));
    }

    #[test]
    fn a_document_is_migrated_as_the_bundle_is() {
        let with_image = Bundle { image: "i".to_owned(), ..bundle() };
        let migrated = with_image.document().migrated().unwrap();
        assert_eq!(migrated, with_image.clone().migrated().document());
        assert_eq!(migrated.clone().migrated().unwrap(), migrated, "a bundle with metadata stays as it is");
        let wrong = Property::of_object(&json!({"kind": "ClusterServiceVersion", "spec": {"keywords": "a"}}));
        let wrong = Bundle { properties: vec![wrong], ..with_image };
        assert!(wrong.document().migrated().is_err());
        assert_eq!(wrong.clone().migrated(), wrong);
    }
}
