//! The form, and the result of reading manifests.

use crate::{CatalogId, ClusterCatalogForm, ExtensionForm, MessagesView, Place, Severity};
use serde::{Deserialize, Serialize};
use source::Approval;

/// The form, a view of manifests: Subscriptions and ClusterExtensions, each with what is installed for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClusterForm {
    /// In the order of the form.
    pub subscriptions: Vec<SubscriptionForm>,
    /// `spec.targetNamespaces` of the OperatorGroup, separated by commas; empty for all namespaces. `None` if the manifests have
    /// no OperatorGroup in the namespace, or several.
    #[serde(default)]
    pub target_namespaces: Option<String>,
    /// The ClusterExtensions, in the order of the form.
    #[serde(default)]
    pub extensions: Vec<ExtensionForm>,
    /// ClusterCatalogs that differ from those with the defaults of the API, which every other loaded catalog has.
    #[serde(default)]
    pub cluster_catalogs: Vec<ClusterCatalogForm>,
}

impl ClusterForm {
    /// Whether it has neither Subscriptions nor ClusterExtensions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.subscriptions.is_empty() && self.extensions.is_empty()
    }

    /// The names of the Subscriptions on the cluster, in their order. A namespace has no two of the same name, so later ones
    /// get a number. A row without a package is no Subscription yet; its name is empty.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        unique_names(self.subscriptions.iter().map(|form| (&*form.name, &*form.package)))
    }

    /// The names of the ClusterExtensions on the cluster, in their order, by the same rules.
    #[must_use]
    pub fn extension_names(&self) -> Vec<String> {
        unique_names(self.extensions.iter().map(|form| (&*form.name, &*form.package)))
    }
}

/// A name for each row, which has a name and a package.
fn unique_names<'f>(rows: impl Iterator<Item = (&'f str, &'f str)>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (name, package) in rows {
        let wanted = if name.is_empty() { package } else { name };
        names.push(if package.is_empty() { String::new() } else { free_name(wanted, &names) });
    }
    names
}

/// The name that is wanted, with a number if it is taken.
#[must_use]
pub fn free_name(wanted: &str, taken: &[String]) -> String {
    let numbered = (2..).map(|number| format!("{wanted}-{number}"));
    let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
    names.find(|name| !taken.contains(name)).expect("the numbers do not end")
}

/// A row of the form, a Subscription. An empty text means that the field is not set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubscriptionForm {
    /// `metadata.name`; empty for the package's name. See [`ClusterForm::names`].
    pub name: String,
    /// `spec.name`
    pub package: String,
    /// `spec.channel`
    pub channel: String,
    /// The name of the CatalogSource; empty for the first loaded catalog that has the package.
    pub catalog: String,
    /// `spec.startingCSV`, or a version of the package, which is written as the name of its CSV.
    pub starting_csv: String,
    /// `spec.installPlanApproval`
    pub approval: Approval,
    /// The CSV that is installed for it, or its version, which is written as its name; empty for a new Subscription.
    pub installed: String,
}

/// A text field of a Subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SubscriptionField {
    /// `metadata.name`
    Name,
    /// `spec.name`
    Package,
    /// `spec.channel`
    Channel,
    /// `spec.source`
    Catalog,
    /// `spec.startingCSV`
    StartingCsv,
    /// `status.installedCSV`
    Installed,
}

/// The result of reading manifests.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ManifestsView {
    /// The objects in a few words: `2 Subscriptions, 1 ClusterServiceVersion`.
    pub summary: String,
    /// The namespaces with Subscriptions, sorted. OLM resolves no others.
    pub namespaces: Vec<String>,
    /// The namespace that is resolved; empty when there is none.
    pub namespace: String,
    /// Findings about the text, in its order.
    pub findings: Vec<ManifestFinding>,
    /// Objects that have no part in a resolution, by kind.
    pub skipped: Vec<SkippedView>,
    /// The CatalogSources, each with its loaded catalog.
    pub sources: Vec<BoundSource>,
    /// The ClusterCatalogs that count for ClusterExtensions and have no loaded catalog.
    pub cluster_catalogs: Vec<BoundSource>,
    /// What the conditions and messages in the text mean; where a resolution answers, those of its namespace.
    pub messages: MessagesView,
}

/// A finding about the manifests.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ManifestFinding {
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    pub help: Option<String>,
    /// Its place, in [`FileKey::MANIFESTS`](crate::FileKey::MANIFESTS).
    pub place: Place,
}

/// Objects of a kind that has no part in a resolution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkippedView {
    /// The kind as written; empty when an object has none.
    pub kind: String,
    pub names: Vec<String>,
}

/// A CatalogSource of the manifests, or a ClusterCatalog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoundSource {
    /// `metadata.name`
    pub name: String,
    /// `metadata.namespace`; empty for a ClusterCatalog.
    pub namespace: String,
    /// `spec.priority`
    pub priority: i64,
    /// The loaded catalog with its content; without one, the simulation leaves a CatalogSource out.
    pub catalog: Option<CatalogId>,
    /// Loaded catalogs that stand for nothing else, if it has no catalog: those with most of the packages that its Subscriptions
    /// or ClusterExtensions name come first.
    pub candidates: Vec<CatalogId>,
    /// The command that saves its catalog as a file, or why there is none.
    pub command: Result<String, String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_subscriptions_are_unique() {
        let rows = [("", "cache"), ("", ""), ("mine", "cache"), ("", "cache"), ("cache", "app"), ("", "cache-2")];
        let row = |(name, package): (&str, &str)| SubscriptionForm {
            name: name.to_owned(),
            package: package.to_owned(),
            ..SubscriptionForm::default()
        };
        let form = ClusterForm { subscriptions: rows.map(row).to_vec(), ..ClusterForm::default() };
        assert_eq!(form.names(), ["cache", "", "mine", "cache-2", "cache-3", "cache-2-2"]);
    }
}
