//! Keeps the form and the manifests in sync: the worker reads the form in the manifests, and edits these where the form
//! says something else. Calls `cluster` and `run`.

use super::request::Arrival;
use super::run::run;
use super::{ClusterAction, Effect, FormStatus, cluster};
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
        if let Some(used) = simulation.deferred.take() {
            cluster::handle(state, effects, ClusterAction::EntryUsed(used));
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
