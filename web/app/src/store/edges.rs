//! Editing in the drawing: the edges of entries. Imports no functions.

use super::Shared;
use views::{EdgeEffectView, EdgeGesture, PackageKey};

/// The editing mode of the drawing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Edges {
    /// Whether entries can be dragged to each other.
    pub editing: bool,
    /// A change that is not made yet, with its package.
    pub(super) held: Option<(PackageKey, EdgeGesture)>,
    /// What it does, once that is known.
    pub effect: Option<Shared<EdgeEffectView>>,
}

/// Actions about the editing mode.
#[derive(Clone, Debug, PartialEq)]
pub enum EdgeAction {
    Switched,
    /// A change is held, or none any more.
    Held(Option<EdgeGesture>),
    /// The change that is held is to be made.
    Made,
}
