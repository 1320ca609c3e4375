//! The ClusterExtension that a Subscription becomes.

use crate::next::is_accepted_version;
use crate::objects::{Objects, text_at};
use crate::obstacle::is_accepted_name;
use crate::plan::{ChannelChoice, VersionChoice};
use catalog::Package;
use cluster::{Approval, ClusterExtension, ExtensionName, NAME_LABEL, Selector, Subscription};
use serde_json::{Value, json};
use source::{OlmV1, OlmV1Release};
use std::collections::BTreeMap;

/// The ClusterExtension as OLM v1 reads it, with nothing installed.
pub(crate) fn cluster_extension(
    subscription: &Subscription,
    name: ExtensionName,
    channel: &ChannelChoice,
    version: &VersionChoice,
    catalog: Option<&str>,
    olm: OlmV1,
) -> ClusterExtension {
    let mut extension = ClusterExtension::new(name, subscription.spec.package.clone());
    extension.olm = olm;
    extension.namespace = (*subscription.namespace).into();
    if let ChannelChoice::Named(channel) | ChannelChoice::Default(Some(channel)) | ChannelChoice::NotAccepted(channel) =
        channel
    {
        extension.channels = vec![channel.clone()];
    }
    if let VersionChoice::Installed(version) | VersionChoice::NotAccepted(version) = version {
        extension.version = version.clone();
    }
    if let Some(name) = catalog {
        let label = (NAME_LABEL.into(), name.into());
        extension.selector = Selector { match_labels: BTreeMap::from([label]), ..Selector::default() };
    }
    extension
}

/// The same as an object to apply, with the configuration of the Subscription.
pub(crate) fn object(extension: &ClusterExtension, objects: &Objects, subscription: &Subscription) -> Value {
    let mut catalog = json!({ "packageName": extension.package.as_str() });
    if !extension.channels.is_empty() {
        let channels: Vec<&str> = extension.channels.iter().map(|channel| channel.as_str()).collect();
        catalog["channels"] = json!(channels);
    }
    if !extension.version.is_empty() {
        catalog["version"] = json!(*extension.version);
    }
    if let Some(name) = extension.selector.match_labels.get(NAME_LABEL) {
        catalog["selector"] = json!({ "matchLabels": { NAME_LABEL: **name } });
    }
    let mut spec = json!({
        "namespace": *subscription.namespace,
        "source": { "sourceType": "Catalog", "catalog": catalog },
    });
    if extension.olm.release() < OlmV1Release::NO_SERVICE_ACCOUNT {
        spec["serviceAccount"] = json!({ "name": installer(&extension.name) });
    }
    let raw = objects.find("Subscription", &subscription.namespace, &subscription.spec.name);
    if let Some(Value::Object(config)) = raw.and_then(|raw| raw.pointer("/spec/config")) {
        let mut config = config.clone();
        // The Deployments of a bundle have their own selectors in OLM v1.
        config.remove("selector");
        spec["config"] = json!({ "configType": "Inline", "inline": { "deploymentConfig": config } });
    }
    json!({
        "apiVersion": "olm.operatorframework.io/v1",
        "kind": "ClusterExtension",
        "metadata": { "name": extension.name.as_str() },
        "spec": spec,
    })
}

/// The name of the ServiceAccount with which an older OLM v1 installs an extension.
pub(crate) fn installer(name: &ExtensionName) -> String {
    format!("{name}-installer")
}

pub(crate) fn channel_choice(subscription: &Subscription, package: Option<&Package>) -> ChannelChoice {
    match &subscription.spec.channel {
        None => {
            let default = package.and_then(|package| package.default_channel.as_ref());
            ChannelChoice::Default(default.map(|name| name.value.clone()))
        }
        Some(channel) if is_accepted_name(channel.as_str()) => ChannelChoice::Named(channel.clone()),
        Some(channel) => ChannelChoice::NotAccepted(channel.clone()),
    }
}

pub(crate) fn version_choice(subscription: &Subscription, installed: Option<String>) -> VersionChoice {
    match installed {
        _ if subscription.approval == Approval::Automatic => VersionChoice::Any,
        Some(version) if is_accepted_version(&version) => VersionChoice::Installed(version.into()),
        Some(version) => VersionChoice::NotAccepted(version.into()),
        None => VersionChoice::NotKnown,
    }
}

/// Whether OLM v0 created the Subscription for a dependency of another one, which it says in an annotation with any value.
pub(crate) fn is_generated(objects: &Objects, Subscription { namespace, spec, .. }: &Subscription) -> bool {
    let raw = objects.find("Subscription", namespace, &spec.name);
    raw.and_then(|raw| crate::objects::annotation(raw, "olm.generated-by")).is_some()
}

/// The ServiceAccount of an OperatorGroup; empty if it names none.
pub(crate) fn service_account<'o>(objects: &'o Objects, namespace: &str, group: &str) -> &'o str {
    objects
        .find("OperatorGroup", namespace, group)
        .map(|group| text_at(group, "/spec/serviceAccountName"))
        .unwrap_or_default()
}
