//! A form as manifests: what a cluster in that state would print, as far as a resolution looks at it.

use super::{Scenario, form};
use crate::Workbench;
use predicate::{Gvk, Property};
use resolver::CsvProperties;
use serde_json::{Value, json};
use simulate::{Approval, CatalogSource, Csv, OperatorGroup, Subscription};
use views::ClusterForm;

impl Workbench {
    /// The form as a YAML stream: its CatalogSources, OperatorGroup, Subscriptions and installed CSVs.
    #[must_use]
    pub fn manifests(&self, form: &ClusterForm) -> String {
        let Scenario { cluster, .. } = form::scenario(self, form);
        let documents = (cluster.catalog_sources.iter().map(catalog_source))
            .chain(cluster.operator_groups.iter().map(operator_group))
            .chain(cluster.subscriptions.iter().map(subscription))
            .chain(cluster.csvs.iter().map(csv));
        documents.collect::<Vec<_>>().join("---\n")
    }
}

fn catalog_source(source: &CatalogSource) -> String {
    let head = head("v1alpha1", "CatalogSource", &source.key.name, &source.key.namespace);
    format!("{head}spec:\n  sourceType: grpc\n  priority: {}\n", source.priority)
}

fn operator_group(group: &OperatorGroup) -> String {
    head("v1", "OperatorGroup", &group.name, &group.namespace)
}

fn subscription(subscription: &Subscription) -> String {
    let spec = &subscription.spec;
    let mut text = head("v1alpha1", "Subscription", &spec.name, &subscription.namespace);
    text += &format!("spec:\n  name: {}\n", scalar(spec.package.as_str()));
    let approval = match subscription.approval {
        Approval::Automatic => None,
        Approval::Manual => Some("Manual"),
    };
    let fields = [
        ("channel", spec.channel.as_ref().map(|channel| channel.as_str())),
        ("source", spec.catalog.as_ref().map(|key| &*key.name)),
        ("sourceNamespace", spec.catalog.as_ref().map(|key| &*key.namespace)),
        ("startingCSV", spec.starting_csv.as_ref().map(|csv| csv.as_str())),
        ("installPlanApproval", approval),
    ];
    for (name, value) in fields {
        text += &value.map(|value| format!("  {name}: {}\n", scalar(value))).unwrap_or_default();
    }
    if let Some(installed) = &spec.installed_csv {
        let installed = scalar(installed.as_str());
        text += &format!("status:\n  currentCSV: {installed}\n  installedCSV: {installed}\n  state: AtLatestKnown\n");
    }
    text
}

fn csv(csv: &Csv) -> String {
    let mut text = head("v1alpha1", "ClusterServiceVersion", csv.installed.name.as_str(), &csv.namespace);
    if let CsvProperties::Known(properties) = &csv.installed.properties {
        let listed: Vec<Value> = properties.iter().map(|placed| property(&placed.property)).collect();
        let json = json!({ "properties": listed }).to_string().replace('\'', "''");
        text += &format!("  annotations:\n    operatorframework.io/properties: '{json}'\n");
    }
    text += &format!("spec:\n  version: {}\n", scalar(&csv.installed.version.to_string()));
    text + "status:\n  phase: Succeeded\n"
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

fn head(version: &str, kind: &str, name: &str, namespace: &str) -> String {
    format!(
        "apiVersion: operators.coreos.com/{version}\nkind: {kind}\nmetadata:\n  name: {}\n  namespace: {}\n",
        scalar(name),
        scalar(namespace)
    )
}

/// A text as YAML reads it back: plain where that is safe, else quoted.
fn scalar(text: &str) -> String {
    let is_word = text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'));
    let is_other = matches!(
        text.to_ascii_lowercase().as_str(),
        "y" | "n" | "yes" | "no" | "on" | "off" | "true" | "false" | "null"
    );
    if is_word && !is_other { text.to_owned() } else { Value::from(text).to_string() }
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
        let workbench = workbench(&[("c", CATALOG)]);
        for rows in [vec![row("p", "")], vec![manual], vec![row("p", "p.v1.0.0"), starting], vec![row("p", "p.v9.0.0")]]
        {
            let form = ClusterForm { subscriptions: rows };
            let text = workbench.manifests(&form);
            let read = workbench.simulate(&ClusterInput::Manifests { text: text.clone(), namespace: String::new() });
            let manifests = read.manifests.unwrap();
            assert!(manifests.findings.is_empty() && manifests.skipped.is_empty(), "{text}\n{:?}", manifests.findings);
            let played = workbench.simulate(&ClusterInput::Form(form));
            let verdicts = |view: &[views::OutcomeView]| -> Vec<Vec<String>> {
                view.iter()
                    .map(|o| o.subscriptions.iter().map(|s| format!("{}: {}", s.name, s.verdict)).collect())
                    .collect()
            };
            assert_eq!(verdicts(&read.outcomes), verdicts(&played.outcomes), "{text}");
        }
    }
}
