//! The cluster that a simulation begins with: the manifests, and the Subscriptions of the form. Calls `run`.

use super::action::ClusterAction;
use super::request::notify;
use super::run::{choose_namespace, forget_undo, reset_progress, run};
use super::{Effect, EntryUse, FormRow, FormStatus, Mode, NoticeKind, Selection, State};
use views::SubscriptionForm;

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
        ClusterAction::SubscriptionAdded => {
            state.show_simulation();
            let form = new_subscription(state);
            state.simulation.added = Some(FormRow::Subscription(state.simulation.cluster.subscriptions.len()));
            state.simulation.cluster.subscriptions.push(form);
            changed(state, effects);
        }
        ClusterAction::SubscriptionEdited { index, field, text } => {
            simulation.set(index, field, text);
            changed(state, effects);
        }
        ClusterAction::PackageEntered(index) => {
            if let Some(package) = simulation.leave_package_field(index, &state.overview) {
                changed(state, effects);
                notify(state, NoticeKind::FieldsEmptied { package });
            }
        }
        ClusterAction::ApprovalChosen { index, approval } => {
            if let Some(form) = simulation.cluster.subscriptions.get_mut(index) {
                form.approval = approval;
            }
            changed(state, effects);
        }
        ClusterAction::SubscriptionRemoved(index) => {
            let mut form = simulation.cluster.clone();
            if index < form.subscriptions.len() {
                let package = form.subscriptions.remove(index).package;
                simulation.replace_form(form);
                changed(state, effects);
                notify(state, NoticeKind::SubscriptionRemoved { package });
            }
        }
        ClusterAction::TargetNamespacesEdited(text) => {
            simulation.cluster.target_namespaces = Some(text);
            changed(state, effects);
        }
        ClusterAction::InstallAsked if simulation.form_status == FormStatus::Behind => {
            simulation.deferred = Some(EntryUse::StartingCsv);
        }
        ClusterAction::InstalledAsked if simulation.form_status == FormStatus::Behind => {
            simulation.deferred = Some(EntryUse::InstalledCsv);
        }
        ClusterAction::InstallAsked => subscribe(state, effects, |form, name| form.starting_csv = name),
        ClusterAction::InstalledAsked => subscribe(state, effects, |form, name| form.installed = name),
    }
}

/// A Subscription to the channel of the selected entry, else to the default channel of the selected package. Its
/// package is empty if there is a Subscription to that package already.
fn new_subscription(state: &State) -> SubscriptionForm {
    let row = state.overview.packages.iter().find(|row| Some(&row.key) == state.selection.package.as_ref());
    let subscriptions = &state.simulation.cluster.subscriptions;
    let Some(row) = row.filter(|row| subscriptions.iter().all(|form| form.package != row.key.package)) else {
        return SubscriptionForm::default();
    };
    let channel = state.selection.entry.as_ref().and_then(|entry| entry.channel.clone());
    SubscriptionForm {
        package: row.key.package.clone(),
        channel: channel.or(row.default_channel.clone()).unwrap_or_default(),
        catalog: state.catalog(row.key.catalog).map(|row| row.name.clone()).unwrap_or_default(),
        ..SubscriptionForm::default()
    }
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

/// Changes the Subscription to the package of the selected entry, which is added if there is none.
fn subscribe(state: &mut State, effects: &mut Vec<Effect>, set: impl FnOnce(&mut SubscriptionForm, String)) {
    if let Selection { package: Some(key), entry: Some(entry), .. } = state.selection.clone() {
        state.show_simulation();
        state.simulation.mode = Mode::Form;
        let catalog = state.catalog(key.catalog).map(|row| row.name.clone()).unwrap_or_default();
        let form = state.simulation.subscription_to(&key.package);
        form.catalog = catalog;
        form.channel = entry.channel.unwrap_or_default();
        set(form, entry.name);
    }
    changed(state, effects);
}
