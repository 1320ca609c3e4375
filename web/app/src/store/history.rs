//! Undo and redo of the cluster that is simulated, change by change.

use super::{Mode, Simulation, State};
use std::rc::Rc;
use views::{ClusterForm, FormPlace};

/// The most changes that can be undone.
const MOST: usize = 200;

/// The inputs before each change of the cluster, and those that were undone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    past: Vec<Input>,
    future: Vec<Input>,
    /// The field that was changed last: what is typed into one field is one change.
    field: Option<FormPlace>,
}

/// The inputs of a simulation.
#[derive(Clone, Debug, PartialEq)]
struct Input {
    mode: Mode,
    manifests: Rc<str>,
    cluster: ClusterForm,
    /// Whether the form was read in the manifests.
    is_form_read: bool,
    namespace: String,
    /// `outcome`, `approved` and `plan` of the simulation.
    at: (usize, usize, usize),
    /// The last notice when it was left. A change that a later notice reports came after it.
    notice: u32,
}

impl History {
    /// Whether a change can be undone.
    #[must_use]
    pub const fn has_past(&self) -> bool {
        !self.past.is_empty()
    }

    /// Whether a change can be made again.
    #[must_use]
    pub const fn has_future(&self) -> bool {
        !self.future.is_empty()
    }

    /// Makes what is typed next a change of its own.
    pub(super) fn end_field(&mut self) {
        self.field = None;
    }

    /// Whether the last change came after the notice with this number.
    pub(super) fn is_after(&self, notice: u32, is_redo: bool) -> bool {
        let entries = if is_redo { &self.future } else { &self.past };
        entries.last().is_some_and(|input| input.notice >= notice)
    }
}

impl Input {
    fn of(simulation: &Simulation, notice: u32) -> Self {
        Self {
            mode: simulation.mode,
            manifests: simulation.manifests.clone(),
            cluster: simulation.cluster.clone(),
            is_form_read: simulation.is_form_read,
            namespace: simulation.namespace.clone(),
            at: (simulation.outcome, simulation.approved, simulation.plan),
            notice,
        }
    }

    fn restore(self, simulation: &mut Simulation) {
        let Self { mode, manifests, cluster, is_form_read, namespace, at, .. } = self;
        (simulation.mode, simulation.manifests, simulation.namespace) = (mode, manifests, namespace);
        (simulation.cluster, simulation.is_form_read) = (cluster, is_form_read);
        (simulation.changes, simulation.typed) = (Vec::new(), false);
        (simulation.outcome, simulation.approved, simulation.plan) = at;
        simulation.playing = false;
    }
}

/// Remembers the cluster as it is before a change. What is typed into one `field`, change after change, is one change.
pub(super) fn save(state: &mut State, field: Option<&FormPlace>) {
    let input = Input::of(&state.simulation, state.last_notice);
    let history = &mut state.simulation.history;
    if field.is_some() && history.field.as_ref() == field && history.future.is_empty() {
        return;
    }
    history.field = field.cloned();
    history.future.clear();
    history.past.push(input);
    if history.past.len() > MOST {
        history.past.remove(0);
    }
}

/// Restores the cluster before the last change, or, with `is_redo`, the cluster after the change that was undone last.
/// Returns whether there is such a change.
pub(super) fn step(state: &mut State, is_redo: bool) -> bool {
    let now = Input::of(&state.simulation, state.last_notice);
    let history = &mut state.simulation.history;
    let (from, to) = match is_redo {
        true => (&mut history.future, &mut history.past),
        false => (&mut history.past, &mut history.future),
    };
    let Some(input) = from.pop() else { return false };
    to.push(now);
    history.field = None;
    input.restore(&mut state.simulation);
    true
}
