//! Keeps the form and the manifests in sync: the worker reads the form in the manifests, and edits these where the form
//! says something else. Calls `cluster`, `extension_form` and `run`.

use super::request::Arrival;
use super::run::run;
use super::{ClusterAction, Effect, EntryUse, ExtensionFormAction, FormStatus, cluster, extension_form};
use views::{ClusterForm, Take, TextEdit, query};

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
        match simulation.deferred.take() {
            Some(EntryUse::StartingCsv) => cluster::handle(state, effects, ClusterAction::InstallAsked),
            Some(EntryUse::InstalledCsv) => cluster::handle(state, effects, ClusterAction::InstalledAsked),
            Some(EntryUse::WantedVersion) => {
                extension_form::handle(state, effects, ExtensionFormAction::InstallAsked);
            }
            Some(EntryUse::InstalledBundle) => {
                extension_form::handle(state, effects, ExtensionFormAction::InstalledAsked);
            }
            None => {}
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
