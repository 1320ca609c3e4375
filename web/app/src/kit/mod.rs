//! Widgets that know nothing about catalogs.

mod choice;
mod modal;
mod text;
mod window;

pub(crate) use choice::choice;
pub(crate) use modal::Modal;
pub(crate) use text::{plural, prose, size};
pub(crate) use window::use_window;
