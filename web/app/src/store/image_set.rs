//! An ImageSetConfiguration, and the actions about it.

use super::Shared;
use views::{CatalogId, MirrorView, OcMirror};

/// A configuration and the last answer about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImageSet {
    pub config: String,
    /// The catalog that it filters, if the user chose one.
    pub(super) catalog: Option<CatalogId>,
    /// The index of the configuration's catalog, if the user chose one.
    pub(super) chosen: Option<u32>,
    pub release: OcMirror,
    /// The last answer.
    pub view: Option<Shared<MirrorView>>,
    /// Whether the text was typed since.
    pub is_changed: bool,
    /// Whether an answer has come whose mirror is to be compared as soon as the page knows it.
    pub(super) is_new: bool,
}

/// Actions about an ImageSetConfiguration.
#[derive(Clone, Debug, PartialEq)]
pub enum MirrorAction {
    Typed(String),
    /// The typed text is to be used.
    Applied,
    /// The catalog was chosen that it filters.
    CatalogChosen(CatalogId),
    /// One of its catalogs was chosen, by its index.
    ItemChosen(u32),
    ReleaseChosen(OcMirror),
    /// It is not needed any more.
    Removed,
}
