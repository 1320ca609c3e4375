//! The sizes of the page's regions.

use super::page::{by_id, document, target};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, PointerEvent};

/// The width of the region with an id in CSS pixels; of its frame if the region itself is hidden.
pub(crate) fn region_width(id: &str) -> i32 {
    let region = by_id(id);
    let frame = region.as_ref().and_then(|region| region.parent_element());
    let widths = [region, frame].into_iter().flatten().map(|element| element.get_bounding_client_rect().width() as i32);
    widths.into_iter().find(|width| *width > 0).unwrap_or_default()
}

/// Sets the variable of the style sheet for a region's width, or removes it.
pub(crate) fn set_region_width(id: &str, width: Option<u32>) {
    let root = document().and_then(|document| document.document_element()?.dyn_into::<HtmlElement>().ok());
    let Some(style) = root.map(|root| root.style()) else { return };
    let name = format!("--{id}-chosen");
    let set = match width {
        Some(width) => style.set_property(&name, &format!("{width}px")),
        None => style.remove_property(&name).map(drop),
    };
    // It fails only for a read-only style.
    drop(set);
}

/// Sends the pointer's events to the target of an event until the pointer is released.
pub(crate) fn capture_pointer(event: &PointerEvent) {
    // It fails only for a pointer that is released already.
    target::<Element>(event).into_iter().for_each(|target| drop(target.set_pointer_capture(event.pointer_id())));
}
