//! Widgets that know nothing about catalogs.

mod press;
mod text;
mod window;

pub(crate) use opscope_drawing::shortened;
pub(crate) use press::{
    Glyph, Menu, Modal, button, choice, command, command_if_any, on, on_activation, on_input, on_select, on_submit,
    press, press_once, select,
};
pub(crate) use text::{
    NearNames, folded, grouped, in_two_parts, option, plural, prose, prose_items, prose_marking, size, suggestions,
};
pub(crate) use window::{Splitter, table_body, use_window};
