//! The ClusterExtensions and ClusterCatalogs of the form.

use super::form_row::{Row, add, changed, edit, leave_package, remove, rows, use_entry};
use super::{Effect, FormRow, NoticeKind, Simulation, State};
use views::{
    CatalogAvailability, CatalogField, ClusterCatalogForm, ClusterForm, ExtensionField, ExtensionForm, Overview,
    PackageKey, UpgradePolicy,
};

/// The label that every ClusterCatalog has, with its name as value.
pub const NAME_LABEL: &str = "olm.operatorframework.io/metadata.name";

/// Actions about the ClusterExtensions, named by their indices, and ClusterCatalogs of the form.
#[derive(Clone, Debug, PartialEq)]
pub enum ExtensionFormAction {
    /// A ClusterExtension was added.
    Added,
    /// A field of a ClusterExtension was edited.
    Edited { index: usize, field: ExtensionField, text: String },
    /// The user left the package field of a ClusterExtension.
    PackageEntered(usize),
    /// The `upgradeConstraintPolicy` of a ClusterExtension was chosen.
    PolicyChosen { index: usize, policy: UpgradePolicy },
    /// A ClusterExtension was removed.
    Removed(usize),
    /// A field of a ClusterCatalog was edited.
    CatalogEdited { name: String, field: CatalogField, text: String },
    /// The `availabilityMode` of a ClusterCatalog was chosen.
    AvailabilityChosen { name: String, availability: CatalogAvailability },
}

pub(super) fn handle(state: &mut State, effects: &mut Vec<Effect>, action: ExtensionFormAction) {
    let form = &mut state.simulation.cluster;
    match action {
        ExtensionFormAction::Added => add::<ExtensionForm>(state, effects),
        ExtensionFormAction::Edited { index, field, text } => {
            edit(state, effects, index, |row: &mut ExtensionForm| *row.field_mut(field) = text);
        }
        ExtensionFormAction::PackageEntered(index) => leave_package::<ExtensionForm>(state, effects, index),
        ExtensionFormAction::PolicyChosen { index, policy } => {
            edit(state, effects, index, |row: &mut ExtensionForm| row.policy = policy);
        }
        ExtensionFormAction::Removed(index) => remove::<ExtensionForm>(state, effects, index),
        ExtensionFormAction::CatalogEdited { name, field, text } => {
            let row = catalog(form, &name);
            match field {
                CatalogField::Priority => row.priority = text,
                CatalogField::Labels => row.labels = text,
            }
            changed(state, effects);
        }
        ExtensionFormAction::AvailabilityChosen { name, availability } => {
            catalog(form, &name).availability = availability;
            changed(state, effects);
        }
    }
}

impl Row for ExtensionForm {
    fn all(form: &mut ClusterForm) -> &mut Vec<Self> {
        &mut form.extensions
    }

    fn edited(simulation: &mut Simulation) -> &mut Option<(Self, Self)> {
        &mut simulation.extension_package_edit
    }

    fn at(index: usize) -> FormRow {
        FormRow::Extension(index)
    }

    fn package(&self) -> &str {
        &self.package
    }

    fn of_package(state: &State, key: &PackageKey) -> Self {
        let others = rows(&state.overview, &key.package).count() > 1;
        let catalog = state.catalog(key.catalog).filter(|_| others);
        let selector = catalog.map(|catalog| format!("{NAME_LABEL}={}", catalog.name)).unwrap_or_default();
        Self { package: key.package.clone(), selector, ..Self::default() }
    }

    /// The ClusterExtension without the channels that its package lacks, and without the installed bundle.
    fn settled(&self, overview: &Overview) -> Self {
        let is_own =
            |channel: &&str| rows(overview, &self.package).any(|row| row.channels.iter().any(|own| own == channel));
        let listed: Vec<&str> = self.channels.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
        let own: Vec<&str> = listed.iter().copied().filter(is_own).collect();
        let channels = if own.len() == listed.len() { self.channels.clone() } else { own.join(", ") };
        Self { channels, installed: String::new(), ..self.clone() }
    }

    fn removed(form: &ClusterForm, index: usize) -> NoticeKind {
        NoticeKind::ExtensionRemoved { name: form.extension_names().swap_remove(index) }
    }
}

/// The row of a ClusterCatalog, which is added if there is none.
fn catalog<'f>(form: &'f mut ClusterForm, name: &str) -> &'f mut ClusterCatalogForm {
    let rows = &mut form.cluster_catalogs;
    let index = rows.iter().position(|row| row.name == name).unwrap_or_else(|| {
        rows.push(ClusterCatalogForm::new(name));
        rows.len() - 1
    });
    &mut rows[index]
}

/// Changes the ClusterExtension of the package of the selected entry.
pub(super) fn extend(state: &mut State, effects: &mut Vec<Effect>, set: impl FnOnce(&mut ExtensionForm, String)) {
    use_entry(state, effects, |row: &mut ExtensionForm, _, entry| {
        row.channels = entry.channel.unwrap_or_default();
        set(row, entry.name);
    });
}
