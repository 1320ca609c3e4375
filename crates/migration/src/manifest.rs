//! The manifests of the objects to create, as YAML for `kubectl apply`.

use crate::catalog_choice::{CatalogChoice, CatalogOrigin};
use crate::plan::{ChannelChoice, Migration, VersionChoice};
use extension::{CatalogName, ClusterExtension, UpgradeConstraintPolicy};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

const API_VERSION: &str = "olm.operatorframework.io/v1";

/// The ClusterCatalogs that have to be created, each once, and the ClusterExtensions, as a YAML stream. The order is that of
/// the migrations; comments say where a ClusterExtension does not follow the Subscription.
#[must_use]
pub fn manifests<'m>(migrations: impl IntoIterator<Item = &'m Migration>) -> String {
    let migrations: Vec<&Migration> = migrations.into_iter().collect();
    let mut written: BTreeSet<&CatalogName> = BTreeSet::new();
    let catalogs = migrations.iter().filter_map(|migration| migration.catalog.as_ref());
    let catalogs = catalogs.filter(|choice| written.insert(&choice.name)).filter_map(catalog);
    let documents: Vec<String> = catalogs.chain(migrations.iter().map(|migration| extension(migration))).collect();
    documents.join("---\n")
}

/// A ClusterCatalog with the image of its CatalogSource.
fn catalog(choice: &CatalogChoice) -> Option<String> {
    let CatalogOrigin::Image { image, priority } = &choice.origin else { return None };
    let mut spec = json!({ "source": { "type": "Image", "image": { "ref": **image } } });
    if *priority != 0 {
        spec["priority"] = json!(priority);
    }
    // A digest never changes; a tag does, and the API has no default for it.
    let comments = if image.contains('@') {
        Vec::new()
    } else {
        vec![
            "Without `pollIntervalMinutes` the image is pulled once, and later changes of its tag are not seen."
                .to_owned(),
        ]
    };
    let name = choice.name.as_str();
    Some(document(
        &comments,
        &json!({ "apiVersion": API_VERSION, "kind": "ClusterCatalog", "metadata": { "name": name }, "spec": spec }),
    ))
}

fn extension(migration: &Migration) -> String {
    let ClusterExtension { name, namespace, package, version, channels, selector, policy, .. } = &migration.extension;
    let mut source = json!({ "packageName": package.as_str() });
    source["upgradeConstraintPolicy"] = json!(match policy {
        UpgradeConstraintPolicy::CatalogProvided => "CatalogProvided",
        UpgradeConstraintPolicy::SelfCertified => "SelfCertified",
    });
    if !channels.is_empty() {
        source["channels"] = channels.iter().map(|channel| channel.as_str()).collect();
    }
    if !version.is_empty() {
        source["version"] = json!(**version);
    }
    if !selector.match_labels.is_empty() {
        let labels = selector.match_labels.iter().map(|(key, value)| (key.to_string(), json!(**value)));
        source["selector"] = json!({ "matchLabels": labels.collect::<Map<String, Value>>() });
    }
    document(
        &comments(migration),
        &json!({
            "apiVersion": API_VERSION,
            "kind": "ClusterExtension",
            "metadata": { "name": name.as_str() },
            "spec": { "namespace": **namespace, "source": { "sourceType": "Catalog", "catalog": source } },
        }),
    )
}

fn comments(migration: &Migration) -> Vec<String> {
    let catalog = migration.catalog.as_ref().filter(|catalog| catalog.origin == CatalogOrigin::NoImage);
    let catalog = catalog.map(|catalog| {
        format!("Create ClusterCatalog `{}` first: the image of its CatalogSource is not known.", catalog.name)
    });
    let channel = match &migration.channel {
        ChannelChoice::Named(_) => None,
        ChannelChoice::NotNamed { .. } => Some("No channel: the Subscription names none.".to_owned()),
        ChannelChoice::NotAccepted(channel) => {
            Some(format!("No channel: `{channel}` is no DNS subdomain, so the API does not accept it."))
        }
    };
    let version = match &migration.version {
        VersionChoice::Any => None,
        VersionChoice::Installed(_) => Some("Approval is Manual: change `version` to update."),
        VersionChoice::Starting(_) => {
            Some("Approval is Manual: `version` is that of `startingCSV`; change it to update.")
        }
        VersionChoice::NotKnown => Some("Approval is Manual: state a `version`, or OLM v1 updates without approval."),
    };
    catalog.into_iter().chain(channel).chain(version.map(ToOwned::to_owned)).collect()
}

/// A document behind comments. A control character in a comment, which could end it, becomes a blank.
fn document(comments: &[String], value: &Value) -> String {
    let line = |comment: &String| {
        let is_break = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
        format!("# {}\n", comment.replace(is_break, " "))
    };
    comments.iter().map(line).collect::<String>() + &fbc::to_yaml(value)
}
