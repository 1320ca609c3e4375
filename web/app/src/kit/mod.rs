//! Widgets that know nothing about catalogs.

mod choice;
mod command;
mod glyph;
mod items;
mod menu;
mod modal;
mod press;
mod splitter;
mod text;
mod window;

pub(crate) use choice::{choice, select};
pub(crate) use command::{command, command_if_any};
pub(crate) use glyph::Glyph;
pub(crate) use items::{folded, grouped, option, prose_items, suggestions};
pub(crate) use menu::Menu;
pub(crate) use modal::Modal;
pub(crate) use opscope_drawing::shortened;
pub(crate) use press::{button, on, on_input, on_select, on_submit, press, press_once};
pub(crate) use splitter::Splitter;
pub(crate) use text::{NearNames, in_two_parts, plural, prose, prose_marking, size};
pub(crate) use window::{table_body, use_window};
