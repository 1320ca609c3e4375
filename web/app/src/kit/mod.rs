//! Widgets that know nothing of catalogs.

mod choice;
mod modal;
mod prose;

pub(crate) use choice::choice;
pub(crate) use modal::Modal;
pub(crate) use prose::prose;
