//! The ClusterExtension that `convert` creates (library-olm `migration/pkg/migration/migration.go`).

use super::options::{ConvertOptions, InstallNamespace};
use crate::dump::{Dump, V0, text_at};
use crate::eligibility::{installed_version, operator_group};
use serde_json::Value;

/// The ClusterExtension that the tool creates for a Subscription, with its annotations but the random
/// `migration-invocation`. `selected` is the ClusterCatalog, and `default_channel` that of the package in it.
#[must_use]
pub fn cluster_extension(
    dump: &Dump,
    (namespace, name): (&str, &str),
    selected: Option<&str>,
    default_channel: Option<&str>,
    options: &ConvertOptions,
) -> Option<Value> {
    let subscription = dump.find(V0, "Subscription", namespace, name)?;
    let key = |key: &str| format!("olm.operatorframework.io/{key}");
    let mut annotations = serde_json::Map::new();
    annotations.insert(key("migrated-from-subscription"), format!("{namespace}/{name}").into());
    annotations
        .insert(key("migration-subscription-backup"), backup(subscription.get("spec"), SUBSCRIPTION_KEYS).into());
    if let Some(group) = operator_group(dump, namespace) {
        annotations.insert(key("migration-operatorgroup-backup"), backup(group.get("spec"), GROUP_KEYS).into());
    }
    for flag in options.acknowledged.flags() {
        annotations.insert(key(&format!("acknowledged-{flag}")), "true".into());
    }
    let mut catalog = serde_json::json!({ "packageName": text_at(subscription, "/spec/name") });
    let channel =
        Some(text_at(subscription, "/spec/channel")).filter(|channel| !channel.is_empty()).or(default_channel);
    if let Some(channel) = channel {
        catalog["channels"] = serde_json::json!([channel]);
    }
    if let Some(version) = installed_version(dump, (namespace, name))
        && text_at(subscription, "/spec/installPlanApproval") == "Manual"
    {
        catalog["version"] = version.into();
    }
    if let Some(selected) = selected {
        catalog["selector"] =
            serde_json::json!({ "matchLabels": { "olm.operatorframework.io/metadata.name": selected } });
    }
    let mut spec = serde_json::json!({ "source": { "sourceType": "Catalog", "catalog": catalog } });
    match &options.install_namespace {
        InstallNamespace::Source => spec["namespace"] = namespace.into(),
        InstallNamespace::Named(target) => spec["namespace"] = (**target).into(),
        InstallNamespace::SystemManaged => {}
    }
    if let Some(Value::Object(config)) = subscription.pointer("/spec/config") {
        let mut config = config.clone();
        config.remove("selector");
        spec["config"] = serde_json::json!({ "configType": "Inline", "inline": { "deploymentConfig": config } });
    }
    Some(serde_json::json!({
        "apiVersion": "olm.operatorframework.io/v1",
        "kind": "ClusterExtension",
        "metadata": { "name": name, "annotations": annotations },
        "spec": spec,
    }))
}

/// The keys of the Go types, in their order; the first three of a Subscription are always written.
const SUBSCRIPTION_KEYS: &[(&str, bool)] = &[
    ("source", true),
    ("sourceNamespace", true),
    ("name", true),
    ("channel", false),
    ("startingCSV", false),
    ("installPlanApproval", false),
    ("config", false),
];
const GROUP_KEYS: &[(&str, bool)] = &[
    ("selector", false),
    ("targetNamespaces", false),
    ("serviceAccountName", false),
    ("staticProvidedAPIs", false),
    ("upgradeStrategy", false),
];

/// A spec as the tool keeps it in an annotation.
fn backup(spec: Option<&Value>, keys: &[(&str, bool)]) -> String {
    let fields = keys.iter().filter_map(|(key, is_always)| {
        let value =
            spec.and_then(|spec| spec.get(*key)).filter(|value| !value.is_null() && **value != "" && **value != false);
        let text = match value {
            Some(value) => fbc::plain_json(value),
            None if *is_always => "\"\"".to_owned(),
            None => return None,
        };
        Some(format!("{}:{text}", fbc::plain_json(&Value::from(*key))))
    });
    format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
}
