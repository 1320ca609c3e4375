//! Writes a form as manifests: the parts of a cluster in that state that a resolution looks at.

use super::scenario::Scenario;
use super::{extension_form, form};
use crate::Workbench;
use predicate::{Gvk, Property};
use resolver::CsvProperties;
use serde_json::{Value, json};
use simulate::{Approval, CatalogSource, Csv, OperatorGroup, Subscription};
use views::ClusterForm;

impl Workbench {
    /// The form as a YAML stream: its CatalogSources, OperatorGroup, Subscriptions and installed CSVs, and the objects of
    /// OLM v1.
    #[must_use]
    pub fn manifests(&self, form: &ClusterForm) -> String {
        let Scenario { cluster, .. } = form::scenario(self, form);
        let documents = (cluster.catalog_sources.iter().map(catalog_source))
            .chain(cluster.operator_groups.iter().map(operator_group))
            .chain(cluster.subscriptions.iter().map(subscription))
            .chain(cluster.csvs.iter().map(csv));
        // Without Subscriptions the objects around them have no effect.
        let documents = documents.filter(|_| form.extensions.is_empty() || !form.subscriptions.is_empty());
        let documents = documents.map(|document| fbc::to_yaml(&document));
        documents.chain(extension_form::documents(self, form)).collect::<Vec<_>>().join("---\n")
    }
}

fn catalog_source(source: &CatalogSource) -> Value {
    let mut document = manifest("v1alpha1", "CatalogSource", &source.key.name, &source.key.namespace);
    document["spec"] = json!({ "sourceType": "grpc", "priority": source.priority });
    document
}

fn operator_group(group: &OperatorGroup) -> Value {
    manifest("v1", "OperatorGroup", &group.name, &group.namespace)
}

fn subscription(subscription: &Subscription) -> Value {
    let spec = &subscription.spec;
    let mut document = manifest("v1alpha1", "Subscription", &spec.name, &subscription.namespace);
    document["spec"] = json!({ "name": spec.package.as_str() });
    let approval = (subscription.approval != Approval::Automatic).then_some(subscription.approval.as_str());
    let fields = [
        ("channel", spec.channel.as_ref().map(|channel| channel.as_str())),
        ("source", spec.catalog.as_ref().map(|key| &*key.name)),
        ("sourceNamespace", spec.catalog.as_ref().map(|key| &*key.namespace)),
        ("startingCSV", spec.starting_csv.as_ref().map(|csv| csv.as_str())),
        ("installPlanApproval", approval),
    ];
    for (name, value) in fields {
        if let Some(value) = value {
            document["spec"][name] = json!(value);
        }
    }
    if let Some(installed) = &spec.installed_csv {
        let installed = installed.as_str();
        document["status"] = json!({ "currentCSV": installed, "installedCSV": installed, "state": "AtLatestKnown" });
    }
    document
}

fn csv(csv: &Csv) -> Value {
    let mut document = manifest("v1alpha1", "ClusterServiceVersion", csv.installed.name.as_str(), &csv.namespace);
    if let CsvProperties::Known(properties) = &csv.installed.properties {
        let listed: Vec<Value> = properties.iter().map(|placed| property(&placed.property)).collect();
        let text = json!({ "properties": listed }).to_string();
        document["metadata"]["annotations"] = json!({ "operatorframework.io/properties": text });
    }
    document["spec"] = json!({ "version": csv.installed.version.to_string() });
    document["status"] = json!({ "phase": "Succeeded" });
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

fn manifest(version: &str, kind: &str, name: &str, namespace: &str) -> Value {
    let version = format!("operators.coreos.com/{version}");
    json!({ "apiVersion": version, "kind": kind, "metadata": { "name": name, "namespace": namespace } })
}

#[cfg(test)]
mod tests {
    use crate::testing::workbench;
    use views::{Approval, ClusterForm, ClusterInput, SubscriptionForm};

    const CATALOG: &str = "package p c\nchannel p c p.v2.0.0>p.v1.0.0 p.v1.0.0\nbundle p 1.0.0 provides It's\nbundle p 2.0.0 requires q >=1.0.0\npackage q yes\nchannel q yes q.v1.0.0\nbundle q 1.0.0";

    #[test]
    fn the_manifests_of_a_form_come_to_the_same() {
        let row = |package: &str, installed: &str| SubscriptionForm {
            package: package.to_owned(),
            installed: installed.to_owned(),
            ..SubscriptionForm::default()
        };
        let manual = SubscriptionForm { approval: Approval::Manual, ..row("p", "p.v1.0.0") };
        let starting = SubscriptionForm {
            channel: "yes".to_owned(),
            starting_csv: "q.v1.0.0".to_owned(),
            name: "on".to_owned(),
            ..row("q", "")
        };
        let mut workbench = workbench(&[("c", CATALOG)]);
        for rows in [vec![row("p", "")], vec![manual], vec![row("p", "p.v1.0.0"), starting], vec![row("p", "p.v9.0.0")]]
        {
            let form = ClusterForm { subscriptions: rows, ..ClusterForm::default() };
            let text = workbench.manifests(&form);
            workbench.set_cluster(ClusterInput::Manifests(text.clone()));
            let read = workbench.simulate("");
            let manifests = read.manifests.unwrap();
            assert!(manifests.findings.is_empty() && manifests.skipped.is_empty(), "{text}\n{:?}", manifests.findings);
            workbench.set_cluster(ClusterInput::Form(form));
            let played = workbench.simulate("");
            let verdicts = |view: &[views::OutcomeView]| -> Vec<Vec<String>> {
                view.iter()
                    .map(|o| o.subscriptions.iter().map(|s| format!("{}: {}", s.name, s.verdict)).collect())
                    .collect()
            };
            assert_eq!(verdicts(&read.outcomes), verdicts(&played.outcomes), "{text}");
        }
    }
}
