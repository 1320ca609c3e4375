//! Widgets that know nothing about catalogs.

mod choice;
mod modal;
mod prose;
mod size;
mod window;

pub(crate) use choice::choice;
pub(crate) use modal::Modal;
pub(crate) use prose::{plural, prose};
pub(crate) use size::size;
pub(crate) use window::use_window;
