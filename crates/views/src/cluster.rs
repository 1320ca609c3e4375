//! What a simulation starts from: a form, or manifests and what was read of them.

use crate::{CatalogId, Place, Severity};
use serde::{Deserialize, Serialize};

/// What a simulation starts from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClusterInput {
    /// Subscriptions as the form has them; all loaded catalogs take part.
    Form(ClusterForm),
    /// Objects as `kubectl get -o yaml` prints them; the catalogs that its CatalogSources name take part.
    Manifests {
        /// The text.
        text: String,
        /// The namespace to resolve; empty takes the first one with Subscriptions.
        namespace: String,
    },
}

impl Default for ClusterInput {
    fn default() -> Self {
        Self::Form(ClusterForm::default())
    }
}

/// Subscriptions with what is installed for them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClusterForm {
    /// In the order of the form.
    pub subscriptions: Vec<SubscriptionForm>,
}

impl ClusterForm {
    /// The names that the Subscriptions have on the cluster, in their order: a namespace has no two of one name, so that
    /// later ones get a number. One without a package is none yet, and its name is empty.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for form in &self.subscriptions {
            let wanted = if form.name.is_empty() { &form.package } else { &form.name };
            let numbered = (2..).map(|number| format!("{wanted}-{number}"));
            let mut free = std::iter::once(wanted.clone()).chain(numbered).filter(|name| !names.contains(name));
            let name = free.next().filter(|_| !form.package.is_empty());
            names.push(name.unwrap_or_default());
        }
        names
    }
}

/// A Subscription as the form has it. Empty texts mean that the field is not set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubscriptionForm {
    /// `metadata.name`; empty takes the package's name. See [`ClusterForm::names`].
    pub name: String,
    /// `spec.name`
    pub package: String,
    /// `spec.channel`
    pub channel: String,
    /// The name of the CatalogSource; its namespace follows from the loaded catalog of that name.
    pub catalog: String,
    /// `spec.startingCSV`
    pub starting_csv: String,
    /// `spec.installPlanApproval`
    pub approval: Approval,
    /// The CSV that is installed for it; empty for a new Subscription.
    pub installed: String,
}

/// `spec.installPlanApproval`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Approval {
    /// Plans are carried out at once.
    #[default]
    Automatic,
    /// Plans wait for an approval; one such Subscription makes all plans of the namespace wait.
    Manual,
}

/// What was read of manifests.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ManifestsView {
    /// What was found, in a few words: `2 Subscriptions, 1 ClusterServiceVersion`.
    pub summary: String,
    /// The namespaces that have Subscriptions, by name: the others are never resolved.
    pub namespaces: Vec<String>,
    /// The one that is resolved; empty when there is none.
    pub namespace: String,
    /// What could not be read, in the order of the text.
    pub findings: Vec<ManifestFinding>,
    /// Objects that a resolution does not look at, by kind.
    pub skipped: Vec<SkippedView>,
    /// The CatalogSources, each with the loaded catalog that stands for it.
    pub sources: Vec<BoundSource>,
    /// The namespace that is resolved as a form.
    pub form: ClusterForm,
    /// What the manifests say beyond that, in a few words; empty when the form says all of it.
    pub beyond: String,
}

/// Something in the manifests that could not be read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ManifestFinding {
    /// How bad.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// Where, in [`FileKey::MANIFESTS`](crate::FileKey::MANIFESTS).
    pub place: Place,
}

/// Objects of a kind that a resolution does not look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkippedView {
    /// The kind as written; empty when an object has none.
    pub kind: String,
    /// Their names.
    pub names: Vec<String>,
}

/// A CatalogSource of the manifests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoundSource {
    /// `metadata.name`
    pub name: String,
    /// `metadata.namespace`
    pub namespace: String,
    /// `spec.priority`
    pub priority: i32,
    /// The loaded catalog with its content; without one it is left out.
    pub catalog: Option<CatalogId>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_subscriptions_have_one_name() {
        let rows = [("", "cache"), ("", ""), ("mine", "cache"), ("", "cache"), ("cache", "app"), ("", "cache-2")];
        let row = |(name, package): (&str, &str)| SubscriptionForm {
            name: name.to_owned(),
            package: package.to_owned(),
            ..SubscriptionForm::default()
        };
        let form = ClusterForm { subscriptions: rows.map(row).to_vec() };
        assert_eq!(form.names(), ["cache", "", "mine", "cache-2", "cache-3", "cache-2-2"]);
    }
}
