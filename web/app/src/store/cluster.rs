//! The cluster that a simulation begins with: the manifests, and the form of Subscriptions, ClusterExtensions and
//! ClusterCatalogs. Calls `run`.

use super::action::ClusterAction;
use super::request::{Arrival, notify};
use super::run::{choose_namespace, forget_undo, reset_progress, run};
use super::{Effect, EntryUse, FormRow, FormStatus, Mode, NoticeKind, Selection, Simulation, State};
use views::{
    CatalogAvailability, CatalogField, ClusterCatalogForm, ClusterForm, EntryKey, ExtensionField, ExtensionForm,
    Overview, PackageKey, PackageRow, SubscriptionField, SubscriptionForm, Take, TextEdit, UpgradePolicy, query,
};

pub(super) fn handle(state: &mut State, effects: &mut Vec<Effect>, action: ClusterAction) {
    let simulation = &mut state.simulation;
    match action {
        ClusterAction::ModeChosen(mode) => {
            simulation.mode = mode;
            state.show_simulation();
            if state.simulation.form_status != FormStatus::InSync {
                run(state, effects);
            }
        }
        ClusterAction::ManifestsTyped(text) => {
            simulation.set_manifests(text);
            simulation.typed = true;
            simulation.reset_progress();
            effects.push(Effect::AwaitTypingPause);
        }
        ClusterAction::ManifestsCleared => {
            simulation.replace_manifests("");
            simulation.view = None;
            forget_undo(state);
            effects.push(Effect::SaveManifests("".into()));
            notify(state, NoticeKind::ManifestsCleared);
        }
        ClusterAction::NamespaceChosen(namespace) => choose_namespace(state, effects, namespace),
        ClusterAction::InputRestored => {
            simulation.restore_input();
            forget_undo(state);
            effects.push(Effect::SaveManifests(state.simulation.manifests.clone()));
            run(state, effects);
        }
        ClusterAction::SubscriptionAdded => add_row::<SubscriptionForm>(state, effects),
        ClusterAction::SubscriptionEdited { index, field, text } => {
            edit_row(state, effects, index, |form| *field_mut(form, field) = text);
        }
        ClusterAction::PackageEntered(index) => leave_package::<SubscriptionForm>(state, effects, index),
        ClusterAction::ApprovalChosen { index, approval } => {
            edit_row(state, effects, index, |form: &mut SubscriptionForm| form.approval = approval);
        }
        ClusterAction::SubscriptionRemoved(index) => remove::<SubscriptionForm>(state, effects, index),
        ClusterAction::TargetNamespacesEdited(text) => {
            simulation.cluster.target_namespaces = Some(text);
            changed(state, effects);
        }
        ClusterAction::EntryUsed(used) if simulation.form_status == FormStatus::Behind => {
            simulation.deferred = Some(used);
        }
        ClusterAction::EntryUsed(EntryUse::StartingCsv) => {
            subscribe(state, effects, |form, name| form.starting_csv = name);
        }
        ClusterAction::EntryUsed(EntryUse::InstalledCsv) => {
            subscribe(state, effects, |form, name| form.installed = name);
        }
        ClusterAction::EntryUsed(EntryUse::WantedVersion) => {
            let version = state.entry.as_ref().and_then(|entry| entry.version.clone());
            extend(state, effects, |row, name| row.version = version.unwrap_or(name));
        }
        ClusterAction::EntryUsed(EntryUse::InstalledBundle) => {
            extend(state, effects, |row, name| row.installed = name);
        }
    }
}

impl Row for SubscriptionForm {
    fn all(form: &mut ClusterForm) -> &mut Vec<Self> {
        &mut form.subscriptions
    }

    fn edited(simulation: &mut Simulation) -> &mut Option<(Self, Self)> {
        &mut simulation.package_edit
    }

    fn at(index: usize) -> FormRow {
        FormRow::Subscription(index)
    }

    fn package(&self) -> &str {
        &self.package
    }

    /// A Subscription to the channel of the selected entry, else to the default channel.
    fn of_package(state: &State, key: &PackageKey) -> Self {
        let row = state.overview.packages.iter().find(|row| row.key == *key);
        let channel = state.selection.entry.as_ref().and_then(|entry| entry.channel.clone());
        Self {
            package: key.package.clone(),
            channel: channel.or(row.and_then(|row| row.default_channel.clone())).unwrap_or_default(),
            catalog: state.catalog(key.catalog).map(|row| row.name.clone()).unwrap_or_default(),
            ..Self::default()
        }
    }

    /// The Subscription without the catalog and channel that its package does not have, and without CSVs.
    fn settled(&self, overview: &Overview) -> Self {
        let is_named = |row: &&PackageRow| {
            overview.catalogs.iter().any(|catalog| catalog.id == row.key.catalog && catalog.name == self.catalog)
        };
        let mut own: Vec<&PackageRow> = form_rows(overview, &self.package).filter(is_named).collect();
        let catalog = if own.is_empty() { String::new() } else { self.catalog.clone() };
        if own.is_empty() {
            own = form_rows(overview, &self.package).collect();
        }
        let channel = if own.iter().any(|row| row.channels.contains(&self.channel)) { &*self.channel } else { "" };
        Self {
            catalog,
            channel: channel.to_owned(),
            starting_csv: String::new(),
            installed: String::new(),
            ..self.clone()
        }
    }

    fn removed(form: &ClusterForm, index: usize) -> NoticeKind {
        NoticeKind::SubscriptionRemoved { package: form.subscriptions[index].package.clone() }
    }
}

const fn field_mut(form: &mut SubscriptionForm, field: SubscriptionField) -> &mut String {
    match field {
        SubscriptionField::Name => &mut form.name,
        SubscriptionField::Package => &mut form.package,
        SubscriptionField::Channel => &mut form.channel,
        SubscriptionField::Catalog => &mut form.catalog,
        SubscriptionField::StartingCsv => &mut form.starting_csv,
        SubscriptionField::Installed => &mut form.installed,
    }
}

/// Changes the Subscription to the package of the selected entry.
fn subscribe(state: &mut State, effects: &mut Vec<Effect>, set: impl FnOnce(&mut SubscriptionForm, String)) {
    use_entry(state, effects, |form: &mut SubscriptionForm, new, entry| {
        form.catalog = new.catalog;
        form.channel = entry.channel.unwrap_or_default();
        set(form, entry.name);
    });
}

// The rows of the form, Subscriptions and ClusterExtensions, and what they have in common.

pub(super) trait Row: Clone + Default + PartialEq {
    /// All rows of its kind.
    fn all(form: &mut ClusterForm) -> &mut Vec<Self>;
    /// The row whose package is being edited: its present state, and its state before the edit.
    fn edited(simulation: &mut Simulation) -> &mut Option<(Self, Self)>;
    fn at(index: usize) -> FormRow;
    fn package(&self) -> &str;
    /// A row of a package of the catalog that it was selected in.
    fn of_package(state: &State, key: &PackageKey) -> Self;
    /// The row without what its package does not have, and without what belongs to the package before.
    fn settled(&self, overview: &Overview) -> Self;
    /// What is said of the row at an index when it is removed.
    fn removed(form: &ClusterForm, index: usize) -> NoticeKind;
}

/// Adds a row of the selected package, or an empty one if there is one of that package already.
fn add_row<R: Row>(state: &mut State, effects: &mut Vec<Effect>) {
    state.show_simulation();
    let rows = R::all(&mut state.simulation.cluster);
    let index = rows.len();
    let key = state.selection.package.as_ref().filter(|key| rows.iter().all(|row| row.package() != key.package));
    let new = key.cloned().map(|key| R::of_package(state, &key)).unwrap_or_default();
    R::all(&mut state.simulation.cluster).push(new);
    state.simulation.added = Some(R::at(index));
    changed(state, effects);
}

/// Changes a row. While a package is typed, the other fields stay as they are; see [`leave_package`].
fn edit_row<R: Row>(state: &mut State, effects: &mut Vec<Effect>, index: usize, change: impl FnOnce(&mut R)) {
    if let Some(row) = R::all(&mut state.simulation.cluster).get_mut(index) {
        let former = row.clone();
        change(row);
        let now = row.clone();
        if now.package() != former.package() {
            let edited = R::edited(&mut state.simulation);
            let before = edited.take().filter(|(typed, _)| *typed == former).map_or(former, |(_, before)| before);
            *edited = Some((now, before));
        }
    }
    changed(state, effects);
}

/// Handles that the user left the package field. If it names another loaded package now, this clears the fields that
/// belong to the package before. A name that no loaded package has may be a typing error and clears nothing.
fn leave_package<R: Row>(state: &mut State, effects: &mut Vec<Effect>, index: usize) {
    let State { simulation, overview, .. } = state;
    let Some(typed) = R::all(&mut simulation.cluster).get(index).cloned() else { return };
    let edited = R::edited(simulation);
    let Some((_, before)) = edited.clone().filter(|(now, _)| *now == typed) else { return };
    if [typed.package(), before.package()].into_iter().any(|name| form_rows(overview, name).next().is_none()) {
        return;
    }
    *edited = None;
    let (settled, package) = (typed.settled(overview), before.package().to_owned());
    if settled == typed || package == typed.package() {
        return;
    }
    let mut form = simulation.cluster.clone();
    R::all(&mut form)[index] = settled;
    R::all(&mut simulation.cluster)[index] = before;
    simulation.form_status = FormStatus::Ahead;
    simulation.replace_form(form);
    changed(state, effects);
    notify(state, NoticeKind::FieldsEmptied { package });
}

pub(super) fn remove<R: Row>(state: &mut State, effects: &mut Vec<Effect>, index: usize) {
    let mut form = state.simulation.cluster.clone();
    if index < R::all(&mut form).len() {
        let notice = R::removed(&form, index);
        R::all(&mut form).remove(index);
        state.simulation.replace_form(form);
        changed(state, effects);
        notify(state, notice);
    }
}

/// Changes the row of the package of the selected entry, which is added if there is none.
fn use_entry<R: Row>(state: &mut State, effects: &mut Vec<Effect>, change: impl FnOnce(&mut R, R, EntryKey)) {
    if let Selection { package: Some(key), entry: Some(entry), .. } = state.selection.clone() {
        state.show_simulation();
        state.simulation.mode = Mode::Form;
        let new = R::of_package(state, &key);
        let rows = R::all(&mut state.simulation.cluster);
        let index = rows.iter().position(|row| row.package() == key.package).unwrap_or_else(|| {
            rows.push(new.clone());
            rows.len() - 1
        });
        change(&mut rows[index], new, entry);
    }
    changed(state, effects);
}

/// Handles a change of the form: drops older offers to undo, and runs the simulation once the manifests say the same.
pub(super) fn changed(state: &mut State, effects: &mut Vec<Effect>) {
    forget_undo(state);
    state.simulation.form_status = FormStatus::Ahead;
    let form = &mut state.simulation.cluster;
    if state.simulation.manifests.is_empty() && !form.subscriptions.is_empty() {
        // OLM resolves nothing in a namespace without an OperatorGroup.
        form.target_namespaces.get_or_insert_default();
    }
    reset_progress(state);
    run(state, effects);
}

/// The rows of the packages with a name, one of each catalog that has it.
fn form_rows<'a>(overview: &'a Overview, package: &'a str) -> impl Iterator<Item = &'a PackageRow> {
    overview.packages.iter().filter(move |row| row.key.package == package)
}

// The ClusterExtensions and ClusterCatalogs of the form.

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

pub(super) fn handle_extensions(state: &mut State, effects: &mut Vec<Effect>, action: ExtensionFormAction) {
    let form = &mut state.simulation.cluster;
    match action {
        ExtensionFormAction::Added => add_row::<ExtensionForm>(state, effects),
        ExtensionFormAction::Edited { index, field, text } => {
            edit_row(state, effects, index, |row: &mut ExtensionForm| *row.field_mut(field) = text);
        }
        ExtensionFormAction::PackageEntered(index) => leave_package::<ExtensionForm>(state, effects, index),
        ExtensionFormAction::PolicyChosen { index, policy } => {
            edit_row(state, effects, index, |row: &mut ExtensionForm| row.policy = policy);
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
        let others = form_rows(&state.overview, &key.package).count() > 1;
        let catalog = state.catalog(key.catalog).filter(|_| others);
        let selector = catalog.map(|catalog| format!("{NAME_LABEL}={}", catalog.name)).unwrap_or_default();
        Self { package: key.package.clone(), selector, ..Self::default() }
    }

    /// The ClusterExtension without the channels that its package lacks, and without the installed bundle.
    fn settled(&self, overview: &Overview) -> Self {
        let is_own = |channel: &&str| {
            form_rows(overview, &self.package).any(|row| row.channels.iter().any(|own| own == channel))
        };
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

// Keeps the form and the manifests in sync: the worker reads the form in the manifests, and edits these where the form
// says something else.

impl Take<query::Form> for Arrival<'_> {
    /// Takes the form, unless newer manifests are being typed.
    fn take(&mut self, _: query::Form, form: ClusterForm) {
        let Self { state, effects, .. } = self;
        let simulation = &mut state.simulation;
        if simulation.form_status != FormStatus::Behind || simulation.typed {
            return;
        }
        simulation.cluster = form;
        simulation.form_status = FormStatus::InSync;
        if let Some(used) = simulation.deferred.take() {
            handle(state, effects, ClusterAction::EntryUsed(used));
        }
    }
}

impl Take<query::FormEdits> for Arrival<'_> {
    /// Edits the manifests, unless the form was changed since.
    fn take(&mut self, edited: query::FormEdits, splices: Vec<TextEdit>) {
        let Self { state, effects, .. } = self;
        let simulation = &mut state.simulation;
        if simulation.form_status != FormStatus::Ahead || edited.form != simulation.cluster {
            return;
        }
        simulation.manifests = simulation.with_edits(&splices).into();
        simulation.form_status = FormStatus::InSync;
        effects.push(Effect::SaveManifests(simulation.manifests.clone()));
        run(state, effects);
    }
}
