//! The CSV of a bundle as metadata, as `opm render --migrate-level bundle-object-to-csv-metadata` writes it
//! (operator-registry `alpha/action/migrations/000_bundle_object_to_csv_metadata.go`).

use crate::property::{BUNDLE_OBJECT, CSV_METADATA, Property};
use crate::rendered::Bundle;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

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

/// The fields that are written where they are empty, too.
const ALWAYS: [&str; 3] = ["apiServiceDefinitions", "crdDescriptions", "provider"];

impl Bundle {
    /// The bundle with the metadata of its CSV in the place of its manifests. The same if it has no image or no CSV.
    #[must_use]
    pub fn migrated(mut self) -> Self {
        let objects = self.properties.iter().filter(|property| property.kind == BUNDLE_OBJECT);
        let Some(csv) = objects.filter_map(manifest).find(|object| object["kind"] == "ClusterServiceVersion") else {
            return self;
        };
        if self.image.is_empty() {
            return self;
        }
        self.properties.retain(|property| property.kind != BUNDLE_OBJECT);
        if self.properties.iter().all(|property| property.kind != CSV_METADATA) {
            self.properties.push(Property { kind: CSV_METADATA.to_owned(), value: metadata(&csv).to_string() });
        }
        self
    }
}

/// The manifest in a property.
fn manifest(property: &Property) -> Option<Value> {
    let value: Value = serde_json::from_str(&property.value).ok()?;
    serde_json::from_slice(&STANDARD.decode(value["data"].as_str()?).ok()?).ok()
}

fn metadata(csv: &Value) -> Value {
    let of_meta = ["annotations", "labels"].map(|name| (name, csv["metadata"][name].clone()));
    let of_spec = OF_SPEC.map(|(name, field)| (name, csv["spec"][field].clone()));
    let mut fields = Map::new();
    for (name, value) in of_meta.into_iter().chain(of_spec) {
        let is_empty = match &value {
            Value::Null => true,
            Value::String(text) => text.is_empty(),
            Value::Array(items) => items.is_empty(),
            Value::Object(fields) => fields.is_empty(),
            Value::Bool(_) | Value::Number(_) => false,
        };
        if !is_empty {
            fields.insert(name.to_owned(), value);
        } else if ALWAYS.contains(&name) {
            fields.insert(name.to_owned(), json!({}));
        }
    }
    Value::Object(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_metadata_of_the_csv_takes_the_place_of_the_manifests() {
        let csv = json!({
            "kind": "ClusterServiceVersion",
            "metadata": { "name": "p.v1", "annotations": { "a": "b" } },
            "spec": { "displayName": "P", "customresourcedefinitions": { "owned": [{ "kind": "K" }] }, "keywords": [] },
        });
        let properties = [json!({ "kind": "Service" }), csv].map(|object| Property::of_object(&object));
        let bundle = Bundle { properties: properties.into(), ..Bundle::default() };
        assert_eq!(bundle.clone().migrated(), bundle, "opm migrates no bundle without an image");
        let migrated = Bundle { image: "i".to_owned(), ..bundle }.migrated();
        let value: Value = serde_json::from_str(&migrated.properties[0].value).unwrap();
        let expected = json!({
            "annotations": { "a": "b" },
            "apiServiceDefinitions": {},
            "crdDescriptions": { "owned": [{ "kind": "K" }] },
            "displayName": "P",
            "provider": {},
        });
        assert_eq!((migrated.properties.len(), value), (1, expected));
    }
}
