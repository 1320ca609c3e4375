//! The form, and the result of reading manifests.

use crate::{
    CatalogField, CatalogId, ClusterCatalogForm, ExtensionField, ExtensionForm, FormPlace, MessagesView, Place,
    Severity,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The form, a view of manifests: Subscriptions and ClusterExtensions, each with what is installed for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClusterForm {
    /// In the order of the form.
    pub subscriptions: Vec<SubscriptionForm>,
    /// `spec.targetNamespaces` of the OperatorGroup, separated by commas; empty for all namespaces. `None` if the manifests have
    /// no OperatorGroup in the namespace, or several.
    pub target_namespaces: Option<String>,
    /// The ClusterExtensions, in the order of the form.
    pub extensions: Vec<ExtensionForm>,
    /// The ClusterCatalogs of the manifests.
    pub cluster_catalogs: Vec<ClusterCatalogForm>,
}

impl ClusterForm {
    /// Whether it has neither Subscriptions nor ClusterExtensions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.subscriptions.is_empty() && self.extensions.is_empty()
    }

    /// The text of a field, to change it.
    fn field_mut(&mut self, at: &FormPlace) -> Option<&mut String> {
        Some(match at {
            FormPlace::Subscription(index, field) => {
                let row = self.subscriptions.get_mut(*index as usize)?;
                match field {
                    SubscriptionField::Package => &mut row.package,
                    SubscriptionField::Channel => &mut row.channel,
                    SubscriptionField::Catalog => &mut row.catalog,
                    SubscriptionField::StartingCsv => &mut row.starting_csv,
                    SubscriptionField::Approval => &mut row.approval,
                    SubscriptionField::Installed => &mut row.installed,
                }
            }
            FormPlace::Extension(index, field) => self.extensions.get_mut(*index as usize)?.field_mut(*field),
            FormPlace::Catalog(name, field) => {
                let row = self.cluster_catalogs.iter_mut().find(|row| row.name == *name)?;
                match field {
                    CatalogField::Priority => &mut row.priority,
                    CatalogField::Labels => &mut row.labels,
                    CatalogField::Availability => &mut row.availability,
                }
            }
        })
    }

    /// Makes a change, as the manifests say it once they are edited.
    pub fn apply(&mut self, change: &FormChange) {
        match change {
            FormChange::Set { at, text } => {
                // What is named after its package gets another name with that.
                match *at {
                    FormPlace::Subscription(index, SubscriptionField::Package) => {
                        let row = self.subscriptions.get_mut(index as usize);
                        row.filter(|row| row.package.is_empty() || row.name == row.package)
                            .into_iter()
                            .for_each(|row| row.name.clear());
                    }
                    FormPlace::Extension(index, ExtensionField::Package) => {
                        let row = self.extensions.get_mut(index as usize);
                        row.filter(|row| row.package.is_empty() || row.name == row.package)
                            .into_iter()
                            .for_each(|row| row.name.clear());
                    }
                    _ => {}
                }
                if let Some(field) = self.field_mut(at) {
                    field.clone_from(text);
                }
            }
            FormChange::Targets(names) => self.target_namespaces = Some(names.clone()),
            FormChange::AddSubscription(row) => self.subscriptions.push(SubscriptionForm::clone(row)),
            FormChange::AddExtension(row) => self.extensions.push(ExtensionForm::clone(row)),
            FormChange::RemoveSubscription(index) => drop(self.subscriptions.remove(*index as usize)),
            FormChange::RemoveExtension(index) => drop(self.extensions.remove(*index as usize)),
        }
    }
}

/// A change of the form: it edits one value of the manifests, or adds or removes one document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FormChange {
    /// A field; an empty text takes it out.
    Set {
        at: FormPlace,
        text: String,
    },
    /// The OperatorGroup selects these namespaces, separated by commas; it is added if there is none.
    Targets(String),
    AddSubscription(Box<SubscriptionForm>),
    AddExtension(Box<ExtensionForm>),
    /// The row at an index, with what is installed for it.
    RemoveSubscription(u32),
    /// The row at an index.
    RemoveExtension(u32),
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
    /// `metadata.name`; of a row that is added the package's name if empty, with a number if that is taken.
    pub name: String,
    /// `spec.name`
    pub package: String,
    /// `spec.channel`
    pub channel: String,
    /// The name of the CatalogSource; empty for the first loaded catalog that has the package.
    pub catalog: String,
    /// `spec.startingCSV`, or a version of the package, which is written as the name of its CSV.
    pub starting_csv: String,
    /// `spec.installPlanApproval`: `Manual`, or empty for `Automatic`.
    pub approval: String,
    /// The CSV that is installed for it, or its version, which is written as its name; empty for a new Subscription.
    pub installed: String,
}

impl SubscriptionForm {
    /// What the row is called: its name, or that of its package.
    #[must_use]
    pub fn title(&self) -> &str {
        if self.name.is_empty() { &self.package } else { &self.name }
    }
}

/// A field of a Subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SubscriptionField {
    /// `spec.name`
    Package,
    /// `spec.channel`
    Channel,
    /// `spec.source`
    Catalog,
    /// `spec.startingCSV`
    StartingCsv,
    /// `spec.installPlanApproval`
    Approval,
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
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct ManifestFinding {
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    pub help: Option<String>,
    /// Its place in the manifests.
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
