//! The ClusterExtensions and ClusterCatalogs of the form.

use super::cluster::{changed, unfold};
use super::request::notify;
use super::{Effect, Mode, NoticeKind, Selection, Simulation, State, form_sync};
use views::{
    CatalogAvailability, CatalogField, ClusterCatalogForm, ClusterForm, EntryKey, ExtensionField, ExtensionForm,
    PackageKey, UpgradePolicy,
};

/// The label that every ClusterCatalog has, with its name as value.
pub const NAME_LABEL: &str = "olm.operatorframework.io/metadata.name";

/// Actions about the ClusterExtensions and ClusterCatalogs of the form.
#[derive(Clone, Debug, PartialEq)]
pub enum ExtensionFormAction {
    /// A ClusterExtension was added.
    Added,
    /// A field of a ClusterExtension was edited.
    Edited {
        /// Index of the ClusterExtension.
        index: usize,
        /// The field.
        field: ExtensionField,
        /// Its new text.
        text: String,
    },
    /// The `upgradeConstraintPolicy` of a ClusterExtension was chosen.
    PolicyChosen {
        /// Index of the ClusterExtension.
        index: usize,
        /// The policy.
        policy: UpgradePolicy,
    },
    /// The ClusterExtension at an index was removed.
    Removed(usize),
    /// The selected entry was set as the version that a ClusterExtension wants.
    InstallAsked,
    /// The selected entry was set as the installed bundle of a ClusterExtension.
    InstalledAsked,
    /// A field of a ClusterCatalog was edited.
    CatalogEdited {
        /// Its name.
        name: String,
        /// The field.
        field: CatalogField,
        /// Its new text.
        text: String,
    },
    /// The `availabilityMode` of a ClusterCatalog was chosen.
    AvailabilityChosen {
        /// Its name.
        name: String,
        /// The mode.
        availability: CatalogAvailability,
    },
}

pub(super) fn handle(state: &mut State, effects: &mut Vec<Effect>, action: ExtensionFormAction) {
    let form = &mut state.simulation.cluster;
    match action {
        ExtensionFormAction::Added => {
            unfold(state);
            let form = new_extension(state);
            state.simulation.cluster.extensions.push(form);
            changed(state, effects);
        }
        ExtensionFormAction::Edited { index, field, text } => {
            if let Some(row) = form.extensions.get_mut(index) {
                *row.field_mut(field) = text;
            }
            changed(state, effects);
        }
        ExtensionFormAction::PolicyChosen { index, policy } => {
            if let Some(row) = form.extensions.get_mut(index) {
                row.policy = policy;
            }
            changed(state, effects);
        }
        ExtensionFormAction::Removed(index) => remove(state, effects, index),
        ExtensionFormAction::InstallAsked => {
            let version = state.entry.as_ref().and_then(|entry| entry.version.clone());
            extend(state, effects, |row, name| row.version = version.unwrap_or(name));
        }
        ExtensionFormAction::InstalledAsked => extend(state, effects, |row, name| row.installed = name),
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

fn remove(state: &mut State, effects: &mut Vec<Effect>, index: usize) {
    let mut form: ClusterForm = state.simulation.cluster.clone();
    if index >= form.extensions.len() {
        return;
    }
    let name = form.extension_names().swap_remove(index);
    form.extensions.remove(index);
    state.simulation.replace_form(form);
    changed(state, effects);
    notify(state, NoticeKind::ExtensionRemoved { name });
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

/// A ClusterExtension of the selected package. Its package is empty if there is one of that package already.
fn new_extension(state: &State) -> ExtensionForm {
    let rows = &state.simulation.cluster.extensions;
    let selected = state.selection.package.as_ref();
    match selected.filter(|key| rows.iter().all(|row| row.package != key.package)) {
        Some(key) => of_package(state, key),
        None => ExtensionForm::default(),
    }
}

/// A ClusterExtension that takes a package from the catalog that it was selected in.
fn of_package(state: &State, key: &PackageKey) -> ExtensionForm {
    let others = state.overview.packages.iter().filter(|row| row.key.package == key.package).count() > 1;
    let catalog = state.catalog(key.catalog).filter(|_| others);
    let selector = catalog.map(|catalog| format!("{NAME_LABEL}={}", catalog.name)).unwrap_or_default();
    ExtensionForm { package: key.package.clone(), selector, ..ExtensionForm::default() }
}

/// Changes the ClusterExtension of the package of the selected entry, which is added if there is none.
fn extend(state: &mut State, effects: &mut Vec<Effect>, set: impl FnOnce(&mut ExtensionForm, String)) {
    if let Selection { package: Some(key), entry: Some(EntryKey { channel, name }) } = state.selection.clone() {
        unfold(state);
        if state.simulation.mode == Mode::Manifests {
            form_sync::to_form(state);
        }
        let new = of_package(state, &key);
        let row = extension_of(&mut state.simulation, new);
        row.channels = channel.unwrap_or_default();
        set(row, name);
    }
    changed(state, effects);
}

/// The row with the package of another one, which is added if there is none.
fn extension_of(simulation: &mut Simulation, new: ExtensionForm) -> &mut ExtensionForm {
    let rows = &mut simulation.cluster.extensions;
    let index = rows.iter().position(|row| row.package == new.package).unwrap_or_else(|| {
        rows.push(new);
        rows.len() - 1
    });
    &mut rows[index]
}
