//! Text areas.

use wasm_bindgen::JsCast;
use web_sys::HtmlTextAreaElement;

/// Selects a range of UTF-16 units in a text area, scrolls its line to the upper third and gives the text area the
/// focus. Browsers do not scroll to a selection that a script sets.
pub(crate) fn reveal_in_field(area: &str, start: u32, end: u32) {
    let area = super::page::by_id(area).and_then(|area| area.dyn_into::<HtmlTextAreaElement>().ok());
    let Some(area) = area else { return };
    super::focus_id(area.id().as_str());
    // It fails only for input types without a selection.
    drop(area.set_selection_range(start, end));
    let text = area.value();
    let line_end = |unit: &u16| *unit == u16::from(b'\n');
    let line = text.encode_utf16().take(start as usize).filter(line_end).count();
    let lines = text.encode_utf16().filter(line_end).count() + 1;
    let above = f64::from(area.scroll_height()) * line as f64 / lines as f64;
    area.set_scroll_top((above - f64::from(area.client_height()) / 3.0).max(0.0) as i32);
}
