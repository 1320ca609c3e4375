//! The objects that the form adds to manifests.

use super::field::Field;
use catalog::predicate::{Gvk, Property};
use cluster::{Csv, CsvProperties, InstalledCsv};
use serde_json::{Map, Value, json};

const OLM_V0: &str = "operators.coreos.com";
const OLM_V1: &str = "olm.operatorframework.io/v1";

pub(super) fn operator_group(namespace: &str, fields: Vec<Field>) -> Value {
    with(named("v1", "OperatorGroup", namespace, namespace), fields)
}

pub(super) fn subscription(namespace: &str, fields: Vec<Field>) -> Value {
    let api_version = format!("{OLM_V0}/v1alpha1");
    with(json!({ "apiVersion": api_version, "kind": "Subscription", "metadata": { "namespace": namespace } }), fields)
}

pub(super) fn extension(fields: Vec<Field>) -> Value {
    let source = json!({ "sourceType": "Catalog", "catalog": {} });
    with(json!({ "apiVersion": OLM_V1, "kind": "ClusterExtension", "spec": { "source": source } }), fields)
}

fn with(mut object: Value, fields: Vec<Field>) -> Value {
    for Field { path, value, .. } in fields.into_iter().filter(|field| !field.value.is_null()) {
        let place = path.split('.').fold(&mut object, |object, key| {
            if object.is_null() {
                *object = Map::new().into();
            }
            &mut object[key]
        });
        *place = value;
    }
    object
}

/// The CSV of a bundle that no loaded catalog has.
pub(super) fn unknown_csv(namespace: &str, name: &str) -> Csv {
    Csv::running(namespace, InstalledCsv::of_name(&name.into()))
}

pub(super) fn csv(csv: &Csv) -> Value {
    let mut document = named("v1alpha1", "ClusterServiceVersion", csv.installed.name.as_str(), &csv.namespace);
    if let CsvProperties::Known(properties) = &csv.installed.properties {
        let listed: Vec<Value> = properties.iter().map(|placed| property(&placed.property)).collect();
        let text = json!({ "properties": listed }).to_string();
        document["metadata"]["annotations"] = json!({ "operatorframework.io/properties": text });
    }
    document["spec"] = json!({ "version": csv.installed.version.to_string() });
    document["status"] = json!({ "phase": "Succeeded", "reason": "InstallSucceeded" });
    document
}

fn property(property: &Property) -> Value {
    let api = |Gvk { group, version, kind }: &Gvk| json!({ "group": **group, "version": **version, "kind": **kind });
    let value = match property {
        Property::Package { name, version, .. } => json!({ "packageName": name.as_str(), "version": **version }),
        Property::Gvk(gvk, ..) | Property::GvkRequired(gvk, ..) => api(gvk),
        Property::PackageRequired { name, range, .. } => {
            json!({ "packageName": name.as_str(), "versionRange": **range })
        }
        Property::Other { value, .. } => value.clone(),
    };
    json!({ "type": property.kind(), "value": value })
}

fn named(version: &str, kind: &str, name: &str, namespace: &str) -> Value {
    let api_version = format!("{OLM_V0}/{version}");
    json!({ "apiVersion": api_version, "kind": kind, "metadata": { "name": name, "namespace": namespace } })
}
