//! What the migration tool looks up among all objects for each Subscription, found once for all of them.

use crate::dump::{CRDS, Objects, V0, V1, annotation, list_at, text_at};
use crate::eligibility::{MIGRATED, properties};
use serde_json::Value;
use std::collections::BTreeMap;

/// What names an object: group, kind, namespace and name.
pub(crate) type ObjectKey = (String, String, String, String);

/// The namespace and the name of a Subscription.
pub(crate) type SubscriptionKey = (String, String);

/// Lookups in the objects of a cluster. All lists are in the order of the objects.
#[derive(Debug, Default)]
pub(crate) struct Index {
    subscriptions: BTreeMap<String, Vec<SubscriptionKey>>,
    /// The Subscriptions whose CSVs require a package, each with its own package.
    dependents: BTreeMap<String, Vec<(String, SubscriptionKey)>>,
    /// The name of the last ClusterExtension that was made of each Subscription, which is `namespace/name`.
    extensions: BTreeMap<String, String>,
    /// The objects that a label says a CSV owns.
    labelled: BTreeMap<String, Vec<ObjectKey>>,
    /// The objects of a namespace that a reference says a CSV owns.
    referring: BTreeMap<(String, String), Vec<ObjectKey>>,
    /// The CustomResourceDefinitions that OLM v0 labels with an operator, which is `package.namespace`.
    crds: BTreeMap<String, Vec<ObjectKey>>,
}

impl Index {
    pub(crate) fn of(objects: &Objects) -> Self {
        let mut index = Self::default();
        for ((group, kind), of_kind) in objects {
            for ((namespace, name), value) in of_kind {
                index.add_owners(&(group.clone(), kind.clone(), namespace.clone(), name.clone()), value);
            }
        }
        let of_kind = |group: &str, kind: &str| objects.get(&(group.to_owned(), kind.to_owned())).into_iter().flatten();
        for (key, extension) in of_kind(V1, "ClusterExtension") {
            if let Some(subscription) = annotation(extension, MIGRATED) {
                index.extensions.insert(subscription.to_owned(), key.1.clone());
            }
        }
        let csvs: BTreeMap<_, _> = of_kind(V0, "ClusterServiceVersion").collect();
        for (key, subscription) in of_kind(V0, "Subscription") {
            let package = text_at(subscription, "/spec/name").to_owned();
            let installed = (key.0.clone(), text_at(subscription, "/status/installedCSV").to_owned());
            for required in csvs.get(&installed).map(|csv| required(csv)).unwrap_or_default() {
                let dependents = index.dependents.entry(required).or_default();
                if dependents.last().is_none_or(|(_, last)| last != key) {
                    dependents.push((package.clone(), key.clone()));
                }
            }
            index.subscriptions.entry(package).or_default().push(key.clone());
        }
        index
    }

    fn add_owners(&mut self, key: &ObjectKey, value: &Value) {
        let labels = value.pointer("/metadata/labels");
        let label = |name: &str| labels.and_then(|labels| labels.get(name)).and_then(Value::as_str);
        if let Some(csv) = label("olm.owner") {
            self.labelled.entry(csv.to_owned()).or_default().push(key.clone());
        }
        let owners = list_at(value, "/metadata/ownerReferences").iter();
        for owner in owners.filter(|owner| text_at(owner, "/kind") == "ClusterServiceVersion") {
            let csv = (key.2.clone(), text_at(owner, "/name").to_owned());
            self.referring.entry(csv).or_default().push(key.clone());
        }
        if (&*key.0, &*key.1) == (CRDS, "CustomResourceDefinition") && label("olm.managed") == Some("true") {
            for (name, text) in labels.and_then(Value::as_object).into_iter().flatten() {
                let operator = name.strip_prefix("operators.coreos.com/").filter(|_| text.as_str() == Some(""));
                if let Some(operator) = operator {
                    self.crds.entry(operator.to_owned()).or_default().push(key.clone());
                }
            }
        }
    }

    /// The first other Subscription of a package.
    pub(crate) fn other(&self, package: &str, own: (&str, &str)) -> Option<&SubscriptionKey> {
        let all = self.subscriptions.get(package)?;
        all.iter().find(|(namespace, name)| (&**namespace, &**name) != own)
    }

    /// The Subscriptions of other packages whose CSVs require a package.
    pub(crate) fn dependents(&self, package: &str) -> impl Iterator<Item = &SubscriptionKey> {
        let all = self.dependents.get(package).map_or(&[][..], Vec::as_slice);
        all.iter().filter(move |(own, _)| own != package).map(|(_, key)| key)
    }

    /// The name of the ClusterExtension that was made of a Subscription, which is `namespace/name`.
    pub(crate) fn extension(&self, subscription: &str) -> Option<&str> {
        self.extensions.get(subscription).map(|name| &**name)
    }

    /// The objects that a CSV of a namespace owns; the same object may come twice.
    pub(crate) fn owned(&self, namespace: &str, csv: &str) -> impl Iterator<Item = &ObjectKey> {
        let referring = self.referring.get(&(namespace.to_owned(), csv.to_owned()));
        self.labelled.get(csv).into_iter().chain(referring).flatten()
    }

    /// The CustomResourceDefinitions of an operator, which is `package.namespace`.
    pub(crate) fn crds(&self, operator: &str) -> impl Iterator<Item = &ObjectKey> {
        self.crds.get(operator).into_iter().flatten()
    }
}

/// The packages that the properties of a CSV require.
fn required(csv: &Value) -> Vec<String> {
    let properties = properties(csv).unwrap_or_default().into_iter();
    let packages = properties.filter(|property| property.kind == "olm.package.required").filter_map(|property| {
        let value: Value = serde_json::from_str(property.value?.get()).ok()?;
        Some(text_at(&value, "/packageName").to_owned())
    });
    packages.collect()
}
