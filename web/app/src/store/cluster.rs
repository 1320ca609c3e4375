//! The cluster that a simulation begins with: the manifests, and the Subscriptions of the form. Calls `run`.

use super::action::ClusterAction;
use super::extension_form::extend;
use super::form_row::{Row, add, changed, edit, leave_package, remove, rows, use_entry};
use super::request::notify;
use super::run::{choose_namespace, forget_undo, run};
use super::{Effect, EntryUse, FormRow, FormStatus, NoticeKind, Simulation, State};
use views::{ClusterForm, Overview, PackageKey, PackageRow, SubscriptionField, SubscriptionForm};

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
        ClusterAction::SubscriptionAdded => add::<SubscriptionForm>(state, effects),
        ClusterAction::SubscriptionEdited { index, field, text } => {
            edit(state, effects, index, |form| *field_mut(form, field) = text);
        }
        ClusterAction::PackageEntered(index) => leave_package::<SubscriptionForm>(state, effects, index),
        ClusterAction::ApprovalChosen { index, approval } => {
            edit(state, effects, index, |form: &mut SubscriptionForm| form.approval = approval);
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
        let mut own: Vec<&PackageRow> = rows(overview, &self.package).filter(is_named).collect();
        let catalog = if own.is_empty() { String::new() } else { self.catalog.clone() };
        if own.is_empty() {
            own = rows(overview, &self.package).collect();
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
