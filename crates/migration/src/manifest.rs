//! The objects to apply, as YAML.

use crate::cluster_catalog::{CatalogOrigin, CatalogTarget, MIGRATED_FROM, NewClusterCatalog};
use crate::plan::{ChannelChoice, Migration, VersionChoice};
use cluster::CatalogName;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use views::MigrationVerdict;

/// The ClusterCatalogs that have to be created, each once, then the ClusterExtension of each migration, as a YAML stream. Comments
/// say what to know before they are applied.
#[must_use]
pub fn manifests<'m>(migrations: impl IntoIterator<Item = &'m Migration>) -> String {
    let migrations: Vec<&Migration> = migrations.into_iter().collect();
    let mut written: BTreeSet<&CatalogName> = BTreeSet::new();
    let catalogs = migrations.iter().filter_map(|migration| migration.catalog.as_ref());
    let catalogs = catalogs.filter(|target| written.insert(&target.name)).filter_map(catalog);
    let extensions = migrations.iter().map(|migration| document(&comments(migration), &migration.object));
    let documents: Vec<String> = catalogs.chain(extensions).collect();
    documents.join("---\n")
}

fn catalog(CatalogTarget { source, name, origin, .. }: &CatalogTarget) -> Option<String> {
    let CatalogOrigin::New(NewClusterCatalog { image, poll_minutes, priority }) = origin else { return None };
    let mut image_source = json!({ "ref": **image });
    if let Some(minutes) = poll_minutes {
        image_source["pollIntervalMinutes"] = json!(minutes);
    }
    // A digest never changes; a tag does, and the API has no default for it.
    let is_pulled_once = poll_minutes.is_none() && !image.contains('@');
    let comment = "Without `pollIntervalMinutes` the image is pulled once, and later changes of its tag are not seen.";
    let object = json!({
        "apiVersion": "olm.operatorframework.io/v1",
        "kind": "ClusterCatalog",
        "metadata": {
            "name": name.as_str(),
            "annotations": { MIGRATED_FROM: format!("{}/{}", source.namespace, source.name) },
        },
        "spec": {
            "source": { "type": "Image", "image": image_source },
            "priority": priority,
            "availabilityMode": "Available",
        },
    });
    let comments: Vec<String> = is_pulled_once.then(|| comment.to_owned()).into_iter().collect();
    Some(document(&comments, &object))
}

fn comments(migration: &Migration) -> Vec<String> {
    let refused = matches!(migration.verdict, MigrationVerdict::Fails | MigrationVerdict::Refused)
        .then(|| format!("Under OLM v1 it {}.", crate::words::summary(migration)));
    let catalog = migration.catalog.as_ref().and_then(|CatalogTarget { name, origin, .. }| match origin {
        CatalogOrigin::New(_) | CatalogOrigin::SameImage | CatalogOrigin::SameName => None,
        CatalogOrigin::OtherImage(image) => Some(format!(
            "ClusterCatalog `{name}` has the image `{image}`, not that of the CatalogSource: create another one."
        )),
        CatalogOrigin::NoImage => {
            Some(format!("Create ClusterCatalog `{name}` first: its CatalogSource has no image."))
        }
        CatalogOrigin::UnknownImage => {
            Some(format!("Create ClusterCatalog `{name}` first: the image of its CatalogSource is not known."))
        }
    });
    let channel = match &migration.channel {
        ChannelChoice::Named(_) | ChannelChoice::Default(Some(_)) => None,
        ChannelChoice::Default(None) => Some("No channel: the Subscription names none.".to_owned()),
        ChannelChoice::NotAccepted(channel) => {
            Some(format!("The API does not accept channel `{channel}`, which is no DNS subdomain."))
        }
    };
    let version = match &migration.version {
        VersionChoice::Any => None,
        VersionChoice::Installed(_) => Some("Approval is Manual: change `version` to update."),
        VersionChoice::NotAccepted(_) => Some("The API does not accept the version."),
        VersionChoice::NotKnown => {
            Some("Approval is Manual: state the installed version, which the manifests do not show.")
        }
    };
    let by_tool = migration.installed.as_ref().map(|_| BY_TOOL.to_owned());
    [refused, by_tool, catalog, channel, version.map(ToOwned::to_owned)].into_iter().flatten().collect()
}

const BY_TOOL: &str =
    "The migration tool of operator-framework/library-olm creates this object itself, and refuses if it exists.";

/// A document behind comments. A control character in a comment, which could end it, becomes a blank.
fn document(comments: &[String], value: &Value) -> String {
    let line = |comment: &String| {
        let is_break = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
        format!("# {}\n", comment.replace(is_break, " "))
    };
    comments.iter().map(line).collect::<String>() + &fbc::to_yaml(value)
}
