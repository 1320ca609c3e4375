//! The fields of manifests that the form has a field for.

use super::NAMESPACE;
use super::known::Known;
use cluster::{CatalogKey, InstalledBundle, Kind, object_nodes};
use fbc::Node;
use serde_json::{Map, Value, json};
use views::{ExtensionForm, SubscriptionForm};

pub(super) const NAME: &str = "metadata.name";
pub(super) const LABELS: &str = "metadata.labels";
pub(super) const PACKAGE: &str = "spec.name";
pub(super) const CHANNEL: &str = "spec.channel";
pub(super) const SOURCE: &str = "spec.source";
pub(super) const SOURCE_NAMESPACE: &str = "spec.sourceNamespace";
pub(super) const STARTING_CSV: &str = "spec.startingCSV";
pub(super) const APPROVAL: &str = "spec.installPlanApproval";
pub(super) const INSTALLED_CSV: &str = "status.installedCSV";
pub(super) const TARGET_NAMESPACES: &str = "spec.targetNamespaces";
pub(super) const INSTALL_NAMESPACE: &str = "spec.namespace";
pub(super) const PACKAGE_NAME: &str = "spec.source.catalog.packageName";
pub(super) const VERSION: &str = "spec.source.catalog.version";
pub(super) const CHANNELS: &str = "spec.source.catalog.channels";
pub(super) const SELECTOR: &str = "spec.source.catalog.selector.matchLabels";
pub(super) const POLICY: &str = "spec.source.catalog.upgradeConstraintPolicy";
pub(super) const INSTALLED_BUNDLE: &str = "status.install.bundle.name";
pub(super) const PRIORITY: &str = "spec.priority";
pub(super) const AVAILABILITY: &str = "spec.availabilityMode";

/// The objects of manifests that the form has rows for, in the order of the text.
pub(super) struct Objects<'n> {
    text: &'n str,
    /// The namespace of the Subscriptions and CSVs.
    pub(super) namespace: String,
    pub(super) subscriptions: Vec<&'n Node>,
    pub(super) csvs: Vec<&'n Node>,
    /// Whether any namespace has a CSV.
    pub(super) has_csvs: bool,
    pub(super) operator_groups: Vec<&'n Node>,
    pub(super) extensions: Vec<&'n Node>,
    pub(super) cluster_catalogs: Vec<&'n Node>,
}

impl<'n> Objects<'n> {
    /// With the Subscriptions of a namespace; without Subscriptions there, with those of the first namespace that has some.
    pub(super) fn of(text: &'n str, nodes: &'n [Node], namespace: &str) -> Self {
        let objects = object_nodes(nodes);
        let home = |node: &Node| match shown(&value_at(text, node, "metadata.namespace")) {
            // kubectl's default.
            none if none.is_empty() => "default".to_owned(),
            some => some,
        };
        let all = |kind: Kind| objects.iter().filter(move |(of, _)| *of == kind).map(|(_, node)| *node);
        let mut homes: Vec<String> = all(Kind::Subscription).map(home).collect();
        homes.sort();
        let chosen = homes.iter().find(|home| *home == namespace).or(homes.first());
        let namespace = chosen.map_or(NAMESPACE, String::as_str).to_owned();
        let here = |kind: Kind| all(kind).filter(|node| home(node) == namespace);
        Self {
            text,
            subscriptions: here(Kind::Subscription).collect(),
            csvs: here(Kind::ClusterServiceVersion).collect(),
            has_csvs: all(Kind::ClusterServiceVersion).next().is_some(),
            operator_groups: here(Kind::OperatorGroup).collect(),
            extensions: all(Kind::ClusterExtension).collect(),
            cluster_catalogs: all(Kind::ClusterCatalog).collect(),
            namespace,
        }
    }

    /// The text of a field; empty if it is absent.
    pub(super) fn text(&self, node: &Node, path: &str) -> String {
        shown(&value_at(self.text, node, path))
    }

    pub(super) fn csv(&self, name: &str) -> Option<&'n Node> {
        self.csvs.iter().find(|node| self.text(node, NAME) == name).copied()
    }
}

fn value_at(text: &str, node: &Node, path: &str) -> Value {
    let found = path.split('.').try_fold(node, |node, key| node.get(key));
    found.and_then(|node| node.to_exact_json(text).ok()).unwrap_or_default()
}

/// A value as the form shows it.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::Array(items) => items.iter().map(shown).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => {
            let label = |(key, value): (&String, &Value)| match value {
                Value::Null => key.clone(),
                value => format!("{key}={}", shown(value)),
            };
            fields.iter().map(label).collect::<Vec<_>>().join(", ")
        }
    }
}

/// A field of an object, with what the form says that it is.
pub(super) struct Field {
    /// The keys from the object, with dots between.
    pub(super) path: &'static str,
    /// Null for an absent field.
    pub(super) value: Value,
}

impl Field {
    pub(super) const fn new(path: &'static str, value: Value) -> Self {
        Self { path, value }
    }

    pub(super) fn text(path: &'static str, text: &str) -> Self {
        Self::new(path, if text.is_empty() { Value::Null } else { text.into() })
    }
}

/// The fields of the Subscription of a row with this name.
pub(super) fn subscription(known: &Known<'_>, row: &SubscriptionForm, name: &str) -> Vec<Field> {
    let mut fields = vec![
        Field::text(NAME, name),
        Field::text(PACKAGE, &row.package),
        Field::text(CHANNEL, &row.channel),
        Field::text(STARTING_CSV, &known.csv_name(&row.package, &row.starting_csv)),
        Field::text(APPROVAL, &row.approval),
    ];
    fields.extend(source(source_key(known, row).as_ref()));
    fields
}

/// The fields of the CatalogSource of a Subscription.
pub(super) fn source(key: Option<&CatalogKey>) -> [Field; 2] {
    let (name, namespace) = key.map_or(("", ""), |key| (&*key.name, &*key.namespace));
    [Field::text(SOURCE, name), Field::text(SOURCE_NAMESPACE, namespace)]
}

/// The CatalogSource of a row.
pub(super) fn source_key(known: &Known<'_>, row: &SubscriptionForm) -> Option<CatalogKey> {
    if row.catalog.is_empty() { known.catalog_of(&row.package) } else { Some(known.named(&row.catalog)) }
}

/// The fields that OLM writes into the status of a Subscription whose CSV is installed; without a CSV they are absent.
pub(super) fn installed_csv(csv: &str) -> [Field; 3] {
    let state = if csv.is_empty() { "" } else { "AtLatestKnown" };
    [Field::text(INSTALLED_CSV, csv), Field::text("status.currentCSV", csv), Field::text("status.state", state)]
}

/// The fields of the OperatorGroup that selects these namespaces, separated by commas.
pub(super) fn operator_group(target_namespaces: &str) -> Vec<Field> {
    vec![Field::new(TARGET_NAMESPACES, list(target_namespaces))]
}

/// The fields of the ClusterExtension of a row with this name.
pub(super) fn extension(row: &ExtensionForm, name: &str) -> Vec<Field> {
    let namespace = if row.namespace.is_empty() { name } else { &row.namespace };
    vec![
        Field::text(NAME, name),
        Field::text(INSTALL_NAMESPACE, namespace),
        Field::text(PACKAGE_NAME, &row.package),
        Field::text(VERSION, &row.version),
        Field::new(CHANNELS, list(&row.channels)),
        Field::new(SELECTOR, labels(&row.selector)),
        Field::text(POLICY, &row.policy),
    ]
}

/// The fields of the bundle that is installed for a ClusterExtension.
pub(super) fn installed_bundle(known: &Known<'_>, row: &ExtensionForm) -> [Field; 2] {
    let InstalledBundle { name, version, .. } =
        known.bundle(&row.package, &row.installed).unwrap_or_else(|| unknown_bundle(known, row));
    [Field::text(INSTALLED_BUNDLE, name.as_str()), Field::text("status.install.bundle.version", &version)]
}

fn unknown_bundle(known: &Known<'_>, row: &ExtensionForm) -> InstalledBundle {
    let text = &row.installed;
    let (name, version) = match go_semver::blang::Version::parse(text) {
        Ok(_) if !row.package.is_empty() => {
            let name = update_graph::csv_name(&row.package, &known.packages(&row.package), text);
            (name.to_string(), text.clone())
        }
        _ => (text.clone(), update_graph::version_in(text).map(|version| version.to_string()).unwrap_or_default()),
    };
    InstalledBundle { name: name.as_str().into(), version: version.into(), release: None }
}

/// A list that commas separate; null if it is empty.
pub(super) fn list(text: &str) -> Value {
    let parts: Vec<&str> = listed(text).collect();
    if parts.is_empty() { Value::Null } else { json!(parts) }
}

/// The parts of a list that commas separate.
pub(super) fn listed(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|part| !part.is_empty())
}

/// Labels written as `key=value`, separated by commas. One without a value is null.
pub(super) fn labels(text: &str) -> Value {
    let label = |part: &str| match part.split_once('=') {
        Some((key, value)) => (key.trim().to_owned(), value.trim().into()),
        None => (part.to_owned(), Value::Null),
    };
    let labels: Map<String, Value> = listed(text).map(label).collect();
    if labels.is_empty() { Value::Null } else { labels.into() }
}
