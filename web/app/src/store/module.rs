//! The modules with the panels that a first visit does not show: whether each is loaded.

use super::{Effect, State};

/// A module with the code of panels, beside the first one, which draws the rest of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Module {
    /// Comparisons of catalogs, and what changes them.
    Comparison,
    Tables,
    Dialogs,
}

impl Module {
    /// All of them, in the order in which they are loaded.
    pub const ALL: [Self; 3] = [Self::Tables, Self::Comparison, Self::Dialogs];
}

/// Whether a module is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleStatus {
    Loading,
    /// Its panels can be drawn.
    Loaded,
    /// It could not be loaded.
    Failed,
}

/// Actions about modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleAction {
    /// The page is drawn and has nothing else to do.
    PageIdle,
    /// A panel of the module is to be drawn.
    Needed(Module),
    Ended {
        module: Module,
        /// [`ModuleStatus::Loaded`] or [`ModuleStatus::Failed`].
        status: ModuleStatus,
    },
}

pub(super) fn handle(state: &mut State, effects: &mut Vec<Effect>, action: ModuleAction) {
    match action {
        ModuleAction::PageIdle => Module::ALL.into_iter().for_each(|module| load(state, effects, module)),
        ModuleAction::Needed(module) => load(state, effects, module),
        ModuleAction::Ended { module, status } => {
            state.modules.insert(module, status);
        }
    }
}

/// Loads a module, also if that failed before.
fn load(state: &mut State, effects: &mut Vec<Effect>, module: Module) {
    if !matches!(state.modules.get(&module), Some(ModuleStatus::Loading | ModuleStatus::Loaded)) {
        state.modules.insert(module, ModuleStatus::Loading);
        effects.push(Effect::LoadModule(module));
    }
}
