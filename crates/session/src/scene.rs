//! The part of a catalog that a simulation reads, as small as it can be shared.

use crate::{CatalogInput, SessionCatalog};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The fields that are kept of a package and of a bundle.
const PACKAGE: [&str; 3] = ["schema", "name", "defaultChannel"];
const BUNDLE: [&str; 5] = ["schema", "package", "name", "image", "properties"];
/// The fields that are kept of the metadata of a CSV. Without its name the catalog would get a finding of its own.
const CSV: [&str; 4] = ["installModes", "minKubeVersion", "apiServiceDefinitions", "displayName"];

/// These packages of a catalog: what a resolution reads, without icons, descriptions, related images and examples. `None` if
/// `opm` cannot load the catalog.
#[must_use]
pub fn package_scene(catalog: &CatalogInput, packages: &BTreeSet<String>) -> Option<SessionCatalog<'static>> {
    let documents = catalog.documents().ok()?.migrated().ok()?;
    let mut text = String::new();
    for document in documents.of_packages(packages) {
        let mut value: Value = serde_json::from_str(&document.json).ok()?;
        let fields = value.as_object_mut()?;
        match &*document.schema {
            "olm.package" => fields.retain(|name, _| PACKAGE.contains(&&**name)),
            "olm.bundle" => slim_bundle(fields),
            _ => {}
        }
        // A message names the line of a place, so each value has a line of its own.
        text += &serde_json::to_string_pretty(&value).ok()?;
        text.push('\n');
    }
    Some(SessionCatalog {
        name: catalog.name.clone().into(),
        namespace: catalog.namespace.clone().into(),
        priority: catalog.priority,
        files: vec![("catalog.json".into(), text.into())],
    })
}

fn slim_bundle(fields: &mut Map<String, Value>) {
    fields.retain(|name, _| BUNDLE.contains(&&**name));
    let Some(Value::Array(properties)) = fields.get_mut("properties") else { return };
    properties.retain(|property| property["type"] != "olm.bundle.object");
    for property in properties.iter_mut().filter(|property| property["type"] == "olm.csv.metadata") {
        if let Some(csv) = property["value"].as_object_mut() {
            csv.retain(|name, _| CSV.contains(&&**name));
        }
    }
}
