//! The ClusterExtensions and ClusterCatalogs of the form.

use super::cluster::changed;
use super::extension_action::ExtensionFormAction;
use super::field::rows;
use super::request::notify;
use super::{Effect, EntryUse, FormRow, FormStatus, Mode, NoticeKind, Selection, Simulation, State};
use views::{
    CatalogField, ClusterCatalogForm, ClusterForm, EntryKey, ExtensionField, ExtensionForm, Overview, PackageKey,
};

/// The label that every ClusterCatalog has, with its name as value.
pub const NAME_LABEL: &str = "olm.operatorframework.io/metadata.name";

pub(super) fn handle(state: &mut State, effects: &mut Vec<Effect>, action: ExtensionFormAction) {
    let form = &mut state.simulation.cluster;
    match action {
        ExtensionFormAction::Added => {
            state.show_simulation();
            let form = new_extension(state);
            state.simulation.added = Some(FormRow::Extension(state.simulation.cluster.extensions.len()));
            state.simulation.cluster.extensions.push(form);
            changed(state, effects);
        }
        ExtensionFormAction::Edited { index, field, text } => {
            state.simulation.set_extension(index, field, text);
            changed(state, effects);
        }
        ExtensionFormAction::PackageEntered(index) => {
            if let Some(package) = state.simulation.leave_extension_package(index, &state.overview) {
                changed(state, effects);
                notify(state, NoticeKind::FieldsEmptied { package });
            }
        }
        ExtensionFormAction::PolicyChosen { index, policy } => {
            if let Some(row) = form.extensions.get_mut(index) {
                row.policy = policy;
            }
            changed(state, effects);
        }
        ExtensionFormAction::Removed(index) => remove(state, effects, index),
        ExtensionFormAction::InstallAsked if state.simulation.form_status == FormStatus::Behind => {
            state.simulation.deferred = Some(EntryUse::WantedVersion);
        }
        ExtensionFormAction::InstalledAsked if state.simulation.form_status == FormStatus::Behind => {
            state.simulation.deferred = Some(EntryUse::InstalledBundle);
        }
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

impl Simulation {
    /// Changes a field. While a package is typed, the other fields stay as they are; see
    /// [`Simulation::leave_extension_package`].
    fn set_extension(&mut self, index: usize, field: ExtensionField, text: String) {
        let before = self.extension_before(index).cloned();
        let Some(row) = self.cluster.extensions.get_mut(index) else { return };
        let before = before.unwrap_or_else(|| row.clone());
        *row.field_mut(field) = text;
        if field == ExtensionField::Package {
            self.extension_package_edit = Some((row.clone(), before));
        }
    }

    /// The ClusterExtension before its package was edited, if nothing else of it was changed since.
    fn extension_before(&self, index: usize) -> Option<&ExtensionForm> {
        let now = self.cluster.extensions.get(index)?;
        self.extension_package_edit.as_ref().filter(|(typed, _)| typed == now).map(|(_, before)| before)
    }

    /// Handles that the user left the package field, as [`Simulation::leave_package_field`] does for a Subscription:
    /// clears the channels that the new package lacks, and the installed bundle.
    fn leave_extension_package(&mut self, index: usize, overview: &Overview) -> Option<String> {
        let before = self.extension_before(index)?.clone();
        let typed = self.cluster.extensions[index].clone();
        if [&typed.package, &before.package].into_iter().any(|name| rows(overview, name).next().is_none()) {
            return None;
        }
        self.extension_package_edit = None;
        let is_own =
            |channel: &&str| rows(overview, &typed.package).any(|row| row.channels.iter().any(|own| own == channel));
        let listed: Vec<&str> = typed.channels.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
        let own: Vec<&str> = listed.iter().copied().filter(is_own).collect();
        let channels = if own.len() == listed.len() { typed.channels.clone() } else { own.join(", ") };
        let settled = ExtensionForm { channels, installed: String::new(), ..typed.clone() };
        if settled == typed || before.package == typed.package {
            return None;
        }
        let mut cluster = self.cluster.clone();
        cluster.extensions[index] = settled;
        let package = before.package.clone();
        self.cluster.extensions[index] = before;
        self.form_status = FormStatus::Ahead;
        self.replace_form(cluster);
        Some(package)
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
    if let Selection { package: Some(key), entry: Some(EntryKey { channel, name }), .. } = state.selection.clone() {
        state.show_simulation();
        state.simulation.mode = Mode::Form;
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
