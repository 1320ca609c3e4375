//! What `rollback` and `cleanup` do with the ClusterExtensions that the tool made (library-olm
//! `migration/pkg/migration/scan.go`).

use crate::dump::{Dump, V0, V1, annotation, is_true, text_at};
use crate::eligibility::{MIGRATED, properties};
use extension::{is_dns_label, is_dns_subdomain};
use fbc::quoted;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const BACKUP: &str = "olm.operatorframework.io/migration-subscription-backup";
const OWNER_LABEL: &str = "/metadata/labels/olm.operatorframework.io~1owner-name";

/// What becomes of a ClusterExtension that the tool made of a Subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovery {
    /// The ClusterExtension.
    pub extension: String,
    /// The Subscription, as `namespace/name`.
    pub subscription: String,
    pub rollback: Rollback,
    /// What `cleanup` does; absent if the Subscription does not exist.
    pub cleanup: Option<Cleanup>,
}

/// What `rollback` does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rollback {
    /// The error without `--acknowledge-installed`.
    pub acknowledge: Option<String>,
    /// The error with it. Nothing is deleted then.
    pub refusal: Option<String>,
    /// Whether the manifests do not show that the namespace of the Subscription exists, without which it refuses.
    pub is_namespace_unknown: bool,
    /// What it deletes, as `Kind name`, in order. What these objects own stays.
    pub deleted: Vec<String>,
    /// The Subscription that it creates then: the spec that was kept, and nothing else.
    pub restored: Option<Value>,
}

/// What `cleanup` does. The ClusterExtension stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cleanup {
    /// It ends with this error and changes nothing.
    Refused(String),
    /// It deletes these, as `Kind namespace/name`, in order. What they own stays.
    Deletes(Vec<String>),
}

/// What `rollback` and `cleanup` do with each ClusterExtension that the tool made, by name.
#[must_use]
pub fn recoveries(dump: &Dump) -> Vec<Recovery> {
    let made = dump.all(V1, "ClusterExtension").filter_map(|extension| {
        let subscription = annotation(extension, MIGRATED)?;
        Some(Recovery {
            extension: text_at(extension, "/metadata/name").to_owned(),
            subscription: subscription.to_owned(),
            rollback: rollback(dump, extension, subscription),
            cleanup: cleanup(dump, extension, subscription),
        })
    });
    made.collect()
}

fn rollback(dump: &Dump, extension: &Value, subscription: &str) -> Rollback {
    let name = text_at(extension, "/metadata/name");
    let acknowledge = is_true(extension, "Installed").then(|| {
        format!("ClusterExtension {name} is Installed=True; pass --acknowledge-installed to confirm rollback")
    });
    let refused =
        |text: String| Rollback { acknowledge: acknowledge.clone(), refusal: Some(text), ..Rollback::default() };
    let backup = match annotation(extension, BACKUP) {
        None | Some("") => {
            return refused(format!(
                "ClusterExtension {name} has no migration-subscription-backup annotation; cannot restore Subscription"
            ));
        }
        Some(text) => text,
    };
    if subscription.is_empty() {
        return refused(format!("ClusterExtension {name} has no migrated-from-subscription annotation"));
    }
    let spec: Value = match serde_json::from_str(backup) {
        Ok(spec) => spec,
        Err(error) => {
            let text = fbc::go_syntax_error(backup).unwrap_or_else(|| error.to_string());
            return refused(format!("failed to unmarshal subscription backup: {text}"));
        }
    };
    if ["/name", "/source", "/sourceNamespace"].iter().any(|pointer| text_at(&spec, pointer).is_empty()) {
        return refused("subscription backup is missing required package, source, or sourceNamespace".to_owned());
    }
    let (namespace, restored) = match split(subscription) {
        Ok(pair) => pair,
        Err(text) => return refused(text),
    };
    let set = format!("{name}-1");
    let owner = |set: &Value| set.pointer(OWNER_LABEL).and_then(Value::as_str).unwrap_or_default().to_owned();
    if let Some(other) = dump.find(V1, "ClusterObjectSet", "", &set).map(owner)
        && !other.is_empty()
        && other != name
    {
        return refused(format!("migration ClusterObjectSet {set} belongs to another extension {}", quoted(&other)));
    }
    // The first revision exists unless somebody deleted it, and goes without its label, too.
    let sets = dump.all(V1, "ClusterObjectSet").filter(|set| owner(set) == name);
    let mut sets: BTreeSet<&str> = sets.map(|set| text_at(set, "/metadata/name")).collect();
    sets.insert(&set);
    let deleted = sets.into_iter().map(|set| format!("ClusterObjectSet {set}"));
    Rollback {
        acknowledge,
        refusal: None,
        is_namespace_unknown: !dump.has_namespace(namespace),
        deleted: deleted.chain([format!("ClusterExtension {name}")]).collect(),
        restored: Some(json!({
            "apiVersion": "operators.coreos.com/v1alpha1",
            "kind": "Subscription",
            "metadata": { "name": restored, "namespace": namespace },
            "spec": spec,
        })),
    }
}

/// The namespace and the name in an annotation, or the error of the tool.
fn split(subscription: &str) -> Result<(&str, &str), String> {
    let pair = subscription.split_once('/').filter(|(namespace, name)| {
        is_dns_label(namespace) && namespace.len() <= 63 && is_dns_subdomain(name) && name.len() <= 253
    });
    pair.ok_or_else(|| {
        let text = quoted(subscription);
        format!("invalid migrated-from-subscription annotation {text}: invalid namespace/name ref {text}")
    })
}

fn cleanup(dump: &Dump, extension: &Value, subscription: &str) -> Option<Cleanup> {
    let (namespace, name) = subscription.split_once('/')?;
    let found = dump.find(V0, "Subscription", namespace, name)?;
    Some(match conflict(dump, extension, (namespace, name), found) {
        Err(text) => Cleanup::Refused(text),
        Ok((package, csvs)) => {
            let mut deleted = vec![format!("Subscription {namespace}/{name}")];
            for csv in &csvs {
                deleted.push(format!("ClusterServiceVersion {namespace}/{csv}"));
                deleted.push(format!("OperatorCondition {namespace}/{csv}"));
                deleted.extend(copies(dump, namespace, csv));
            }
            deleted.push(format!("Operator {package}.{namespace}"));
            Cleanup::Deletes(deleted)
        }
    })
}

/// The package of a conflict and the names of its CSVs in order, or the error of the tool.
fn conflict<'d>(
    dump: &'d Dump,
    extension: &'d Value,
    (namespace, name): (&str, &str),
    subscription: &'d Value,
) -> Result<(&'d str, BTreeSet<&'d str>), String> {
    let package = text_at(extension, "/spec/source/catalog/packageName");
    if package.is_empty() {
        let name = text_at(extension, "/metadata/name");
        return Err(format!("ClusterExtension {name} has no catalog package for conflict cleanup"));
    }
    if subscription.get("spec").is_some() && text_at(subscription, "/spec/name") != package {
        let package = quoted(package);
        return Err(format!("conflict Subscription package does not match ClusterExtension package {package}"));
    }
    let names = |subscription: &'d Value| {
        let names = ["/status/installedCSV", "/status/currentCSV"].map(|pointer| text_at(subscription, pointer));
        names.into_iter().filter(|name| !name.is_empty())
    };
    let mut csvs: BTreeSet<&str> = names(subscription).collect();
    let here = |kind| dump.all_in(V0, kind, namespace);
    for csv in here("ClusterServiceVersion") {
        let csv_name = text_at(csv, "/metadata/name");
        let Ok(properties) = properties(csv) else { continue };
        for property in properties.iter().filter(|property| property.kind == "olm.package") {
            let value: Option<Value> = property.value.and_then(|value| serde_json::from_str(value.get()).ok());
            let its = value.as_ref().map(|value| text_at(value, "/packageName")).unwrap_or_default();
            if its == package {
                csvs.insert(csv_name);
            } else if !its.is_empty() && csvs.contains(csv_name) {
                let (its, package) = (quoted(its), quoted(package));
                return Err(format!("conflict CSV {namespace}/{csv_name} belongs to package {its}, not {package}"));
            }
        }
    }
    for other in here("Subscription").filter(|other| text_at(other, "/metadata/name") != name) {
        if text_at(other, "/spec/name") == package || names(other).any(|name| csvs.contains(name)) {
            let (package, other) = (quoted(package), text_at(other, "/metadata/name"));
            return Err(format!(
                "cannot clean up package {package}: Subscription {namespace}/{other} still references its CSVs"
            ));
        }
    }
    Ok((package, csvs))
}

/// The copies of a CSV that OLM v0 made in other namespaces, as far as the manifests have them.
fn copies(dump: &Dump, namespace: &str, csv: &str) -> Vec<String> {
    let is_copy = |value: &&Value| {
        let label = |key: &str| value.pointer(&format!("/metadata/labels/{key}")).and_then(Value::as_str);
        text_at(value, "/metadata/name") == csv
            && label("olm.managed") == Some("true")
            && label("olm.copiedFrom") == Some(namespace)
    };
    let copies = dump.all(V0, "ClusterServiceVersion").filter(is_copy);
    copies.map(|copy| format!("ClusterServiceVersion {}/{csv}", text_at(copy, "/metadata/namespace"))).collect()
}
