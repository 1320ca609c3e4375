//! The manifests of the objects that the migration tool creates, as YAML.

use crate::catalog_choice::{CatalogChoice, CatalogOrigin};
use crate::catalogs::{MIGRATED_FROM, NewClusterCatalog};
use crate::convert::Conversion;
use crate::eligibility::MigrationState;
use crate::plan::{ChannelChoice, Migration, VersionChoice};
use extension::CatalogName;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const API_VERSION: &str = "olm.operatorframework.io/v1";

/// The ClusterCatalogs that have to be created, each once, then for each migration the Namespace, the ClusterObjectSet and the
/// ClusterExtension that `convert` creates, as a YAML stream. Comments say where a ClusterExtension does not follow the Subscription.
#[must_use]
pub fn manifests<'m>(migrations: impl IntoIterator<Item = &'m Migration>) -> String {
    let migrations: Vec<&Migration> = migrations.into_iter().collect();
    let mut written: BTreeSet<&CatalogName> = BTreeSet::new();
    let catalogs = migrations.iter().filter_map(|migration| migration.catalog.as_ref());
    let catalogs = catalogs.filter(|choice| written.insert(&choice.name)).filter_map(catalog);
    let converted = migrations.iter().flat_map(|migration| converted(migration));
    let documents: Vec<String> = catalogs.chain(converted).collect();
    documents.join("---\n")
}

/// A ClusterCatalog as `migrate-catalogs-v0-to-v1` creates it.
fn catalog(choice: &CatalogChoice) -> Option<String> {
    let CatalogOrigin::Created(new) = &choice.origin else { return None };
    let NewClusterCatalog { name, migrated_from, image, poll_minutes, priority } = &**new;
    let mut source = json!({ "ref": **image });
    if let Some(minutes) = poll_minutes {
        source["pollIntervalMinutes"] = json!(minutes);
    }
    // A digest never changes; a tag does, and the API has no default for it.
    let comments = if poll_minutes.is_some() || image.contains('@') {
        Vec::new()
    } else {
        vec![
            "Without `pollIntervalMinutes` the image is pulled once, and later changes of its tag are not seen."
                .to_owned(),
        ]
    };
    let spec = json!({
        "source": { "type": "Image", "image": source },
        "priority": priority,
        "availabilityMode": "Available",
    });
    let metadata = json!({ "name": name.as_str(), "annotations": { MIGRATED_FROM: **migrated_from } });
    let object = json!({ "apiVersion": API_VERSION, "kind": "ClusterCatalog", "metadata": metadata, "spec": spec });
    Some(document(&comments, &object))
}

/// What `convert` creates, in its order. If it refuses, the ClusterExtension alone, with the reason.
fn converted(migration: &Migration) -> Vec<String> {
    let Conversion { new_namespace, object_set, .. } = &migration.conversion;
    let namespace = new_namespace.iter().map(|namespace| document(&[MADE.to_owned()], namespace));
    let set = object_set.iter().map(|set| {
        let phases = set.phases.iter().map(|phase| format!("`{}` ({})", phase.name, phase.objects.join(", ")));
        let phases = phases.collect::<Vec<_>>().join(", ");
        let named = if phases.is_empty() { "none".to_owned() } else { phases };
        let comments = [
            MADE.to_owned(),
            format!("`phases` has the objects of the cluster. Of these the manifests name: {named}."),
        ];
        document(&comments, &set.object)
    });
    namespace.chain(set).chain([document(&comments(migration), &migration.object)]).collect()
}

fn comments(migration: &Migration) -> Vec<String> {
    let catalog = migration.catalog.as_ref().and_then(|CatalogChoice { name, origin }| match origin {
        CatalogOrigin::NoImage => {
            Some(format!("Create ClusterCatalog `{name}` first: the image of its CatalogSource is not known."))
        }
        CatalogOrigin::Refused(reason) => {
            Some(format!("Create ClusterCatalog `{name}` first: `migrate-catalogs-v0-to-v1` does not: {reason}."))
        }
        CatalogOrigin::SameImage | CatalogOrigin::Existing | CatalogOrigin::Created(_) => None,
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
            Some("Approval is Manual: the tool states the installed version, which the manifests do not tell.")
        }
    };
    let verdict = match (migration.eligibility.state, &migration.conversion.refusal) {
        (MigrationState::Eligible, None) => CREATED.to_owned(),
        (MigrationState::Eligible, Some(text)) => format!("`convert` does not create this object: `{text}`."),
        (state, _) => format!(
            "The migration tool does not create this object: {}, {}.",
            state.as_str(),
            migration.eligibility.reason
        ),
    };
    std::iter::once(verdict).chain(catalog).chain(channel).chain(version.map(ToOwned::to_owned)).collect()
}

/// What the tool does with an object that OLM v1 needs before the ClusterExtension.
const MADE: &str = "`convert` of the migration tool creates this object.";
/// What the tool does with the ClusterExtension.
const CREATED: &str = "`convert` of the migration tool creates this object; if it exists before, `convert` refuses.";

/// A document behind comments. A control character in a comment, which could end it, becomes a blank.
fn document(comments: &[String], value: &Value) -> String {
    let line = |comment: &String| {
        let is_break = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
        format!("# {}\n", comment.replace(is_break, " "))
    };
    comments.iter().map(line).collect::<String>() + &fbc::to_yaml(value)
}
