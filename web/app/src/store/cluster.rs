//! The cluster that a simulation begins with: the manifests, and the rows of the form. Calls `run`.

use super::action::ClusterAction;
use super::request::{Arrival, notify};
use super::run::{choose_namespace, forget_undo, reset_progress, run};
use super::{BoardOf, BoardPart, Effect, EntryUse, Mode, NoticeKind, Selection, State, history};
use views::{
    ClusterForm, EntryKey, ExtensionField, ExtensionForm, FormChange, FormPlace, PackageKey, SubscriptionField,
    SubscriptionForm, Take, TextEdit, query,
};

/// The label that every ClusterCatalog has, with its name as value.
pub const NAME_LABEL: &str = "olm.operatorframework.io/metadata.name";

pub(super) fn handle(state: &mut State, effects: &mut Vec<Effect>, action: ClusterAction) {
    let simulation = &mut state.simulation;
    match action {
        ClusterAction::TextShown(on) => {
            simulation.is_text_shown = on;
            state.show_simulation();
        }
        ClusterAction::ManifestsTyped(text) => {
            if !simulation.typed {
                history::save(state, None);
            }
            let simulation = &mut state.simulation;
            simulation.set_manifests(text);
            simulation.mode = Mode::Manifests;
            simulation.typed = true;
            simulation.reset_progress();
            effects.push(Effect::AwaitTypingPause);
        }
        ClusterAction::ManifestsCleared => {
            history::save(state, None);
            let simulation = &mut state.simulation;
            simulation.replace_manifests("");
            simulation.view = None;
            forget_undo(state);
            effects.push(Effect::SaveManifests("".into()));
            notify(state, NoticeKind::ManifestsCleared);
        }
        ClusterAction::NamespaceChosen(namespace) => choose_namespace(state, effects, namespace),
        ClusterAction::InputRestored => step(state, effects, false),
        ClusterAction::InputRedone => step(state, effects, true),
        ClusterAction::SubscriptionAdded(package) => {
            let unknown = SubscriptionForm { package: package.clone(), ..SubscriptionForm::default() };
            let taken = simulation.cluster.subscriptions.iter().map(|row| row.package.clone()).collect();
            let row = to_add(state, &package, taken).map_or(unknown, |key| subscription(state, &key));
            add(state, effects, BoardOf::Namespace, row.title().to_owned(), FormChange::AddSubscription(Box::new(row)));
        }
        ClusterAction::ExtensionAdded(package) => {
            let unknown = ExtensionForm { package: package.clone(), ..ExtensionForm::default() };
            let taken = simulation.cluster.extensions.iter().map(|row| row.package.clone()).collect();
            let row = to_add(state, &package, taken).map_or(unknown, |key| extension(state, &key));
            add(state, effects, BoardOf::Extension, row.title().to_owned(), FormChange::AddExtension(Box::new(row)));
        }
        ClusterAction::FormChanged(made) => change(state, effects, vec![made]),
        ClusterAction::EntryUsed(used) if !simulation.is_form_read => simulation.deferred = Some(used),
        ClusterAction::EntryUsed(used) => {
            if let Selection { package: Some(key), entry: Some(entry), .. } = state.selection.clone() {
                state.show_simulation();
                use_entry(state, effects, used, &key, entry);
            }
        }
    }
}

/// Undoes the last change of the cluster, or makes the one again that was undone last.
fn step(state: &mut State, effects: &mut Vec<Effect>, is_redo: bool) {
    if history::step(state, is_redo) {
        forget_undo(state);
        effects.push(Effect::SaveManifests(state.simulation.manifests.clone()));
        run(state, effects);
    }
}

/// The package with a name, the selected one first; without a name the selected one, unless a row has it.
fn to_add(state: &State, package: &str, taken: Vec<String>) -> Option<PackageKey> {
    let selected = state.selection.package.as_ref();
    if package.is_empty() {
        return selected.filter(|key| !taken.contains(&key.package)).cloned();
    }
    let mut keys = selected.into_iter().chain(state.overview.packages.iter().map(|row| &row.key));
    keys.find(|key| key.package == package).cloned()
}

/// Adds a row, and shows its fields.
fn add(state: &mut State, effects: &mut Vec<Effect>, of: BoardOf, lane: String, added: FormChange) {
    state.show_simulation();
    state.simulation.pressed = Some(BoardPart { of, lane, csv: None });
    change(state, effects, vec![added]);
}

/// A Subscription to a package of the catalog that it was selected in: to the channel of the selected entry, else to
/// the default channel.
fn subscription(state: &State, key: &PackageKey) -> SubscriptionForm {
    let row = state.overview.packages.iter().find(|row| row.key == *key);
    let channel = state.selection.entry.as_ref().and_then(|entry| entry.channel.clone());
    SubscriptionForm {
        package: key.package.clone(),
        channel: channel.or(row.and_then(|row| row.default_channel.clone())).unwrap_or_default(),
        catalog: state.catalog(key.catalog).map(|row| row.name.clone()).unwrap_or_default(),
        ..SubscriptionForm::default()
    }
}

/// A ClusterExtension of a package. Of several catalogs that have it, it names the one that it was selected in.
pub(super) fn extension(state: &State, key: &PackageKey) -> ExtensionForm {
    let others = state.overview.packages.iter().filter(|row| row.key.package == key.package).count() > 1;
    let catalog = state.catalog(key.catalog).filter(|_| others);
    let selector = catalog.map(|catalog| format!("{NAME_LABEL}={}", catalog.name)).unwrap_or_default();
    ExtensionForm { package: key.package.clone(), selector, ..ExtensionForm::default() }
}

/// Changes the row of the package of the selected entry, which is added if there is none.
fn use_entry(state: &mut State, effects: &mut Vec<Effect>, used: EntryUse, key: &PackageKey, entry: EntryKey) {
    let EntryKey { channel, name } = entry;
    let channel = channel.unwrap_or_default();
    let form = &state.simulation.cluster;
    if matches!(used, EntryUse::StartingCsv | EntryUse::InstalledCsv) {
        let new = SubscriptionForm { channel: channel.clone(), ..subscription(state, key) };
        let Some(index) = form.subscriptions.iter().position(|row| row.package == key.package) else {
            let row = match used {
                EntryUse::StartingCsv => SubscriptionForm { starting_csv: name, ..new },
                _ => SubscriptionForm { installed: name, ..new },
            };
            return change(state, effects, vec![FormChange::AddSubscription(Box::new(row))]);
        };
        let field = match used {
            EntryUse::StartingCsv => SubscriptionField::StartingCsv,
            _ => SubscriptionField::Installed,
        };
        let fields = [(SubscriptionField::Catalog, new.catalog), (SubscriptionField::Channel, channel), (field, name)];
        let set = |(field, text)| FormChange::Set { at: FormPlace::Subscription(index as u32, field), text };
        return change(state, effects, fields.into_iter().map(set).collect());
    }
    let version = state.entry.as_ref().and_then(|entry| entry.version.clone());
    let (field, text) = match used {
        EntryUse::WantedVersion => (ExtensionField::Version, version.unwrap_or(name)),
        _ => (ExtensionField::Installed, name),
    };
    let Some(index) = form.extensions.iter().position(|row| row.package == key.package) else {
        let new = ExtensionForm { channels: channel, ..extension(state, key) };
        let row = match used {
            EntryUse::WantedVersion => ExtensionForm { version: text, ..new },
            _ => ExtensionForm { installed: text, ..new },
        };
        return change(state, effects, vec![FormChange::AddExtension(Box::new(row))]);
    };
    let set = |(field, text)| FormChange::Set { at: FormPlace::Extension(index as u32, field), text };
    change(state, effects, [(ExtensionField::Channels, channel), (field, text)].map(set).to_vec());
}

// The form as a view of the manifests: the worker reads it in them, and makes a change of the form by edits of their
// text.

/// Changes the form. The manifests follow, one change after the other. All together are undone at once.
pub(super) fn change(state: &mut State, effects: &mut Vec<Effect>, changes: Vec<FormChange>) {
    let field = match &changes[..] {
        [FormChange::Set { at, .. }] => Some(at),
        _ => None,
    };
    history::save(state, field);
    forget_undo(state);
    let pressed = state.pressed_row();
    changes.into_iter().for_each(|change| make(state, effects, change));
    // The fields that are shown stay, whatever their row is called now.
    let title = pressed.and_then(|row| state.simulation.cluster_title(row)).map(str::to_owned);
    if let Some((part, title)) = state.simulation.pressed.as_mut().zip(title) {
        part.lane = title;
    }
}

fn make(state: &mut State, effects: &mut Vec<Effect>, change: FormChange) {
    state.simulation.cluster.apply(&change);
    let changes = &mut state.simulation.changes;
    let place = |change: &FormChange| if let FormChange::Set { at, .. } = change { Some(at.clone()) } else { None };
    // The first one is being made; of others only the last text of a field counts.
    if changes.len() > 1 && place(&change).is_some() && changes.last().and_then(place) == place(&change) {
        changes.pop();
    }
    changes.push(change);
    let is_first = changes.len() == 1;
    reset_progress(state);
    if is_first {
        run(state, effects);
    }
}

impl Take<query::Form> for Arrival<'_> {
    /// Takes the form, unless newer manifests are being typed or made.
    fn take(&mut self, _: query::Form, form: ClusterForm) {
        let Self { state, effects, .. } = self;
        let simulation = &mut state.simulation;
        if simulation.is_form_read || simulation.typed || !simulation.changes.is_empty() {
            return;
        }
        simulation.cluster = form;
        simulation.is_form_read = true;
        if let Some(used) = simulation.deferred.take() {
            handle(state, effects, ClusterAction::EntryUsed(used));
        }
    }
}

impl Take<query::FormEdits> for Arrival<'_> {
    /// Edits the manifests, unless they were replaced since.
    fn take(&mut self, edited: query::FormEdits, splices: Vec<TextEdit>) {
        let Self { state, effects, .. } = self;
        let simulation = &mut state.simulation;
        if simulation.changes.first() != Some(&edited.change) {
            return;
        }
        simulation.changes.remove(0);
        simulation.manifests = simulation.with_edits(&splices).into();
        effects.push(Effect::SaveManifests(simulation.manifests.clone()));
        run(state, effects);
    }
}
