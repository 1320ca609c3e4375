//! Opening and closing `<dialog>` elements.

use web_sys::{HtmlDialogElement, MouseEvent};
use yew::NodeRef;

/// Opens a modal dialog. The browser keeps the focus inside, and restores it afterwards.
pub(crate) fn show(node: &NodeRef) {
    if let Some(dialog) = node.cast::<HtmlDialogElement>().filter(|dialog| !dialog.open()) {
        // It fails only for an element outside the document, which has nothing to show.
        drop(dialog.show_modal());
    }
}

/// Closes a dialog. This has to happen before its element is removed: otherwise the browser does not restore the focus.
pub(crate) fn close(node: &NodeRef) {
    node.cast::<HtmlDialogElement>().into_iter().for_each(|dialog| dialog.close());
}

/// Closes a dialog if the click was outside of its box. Clicks on the backdrop have the dialog as their target.
pub(crate) fn close_on_backdrop(event: &MouseEvent) {
    let Some(dialog) = super::page::target::<HtmlDialogElement>(event) else { return };
    let rect = dialog.get_bounding_client_rect();
    let (x, y) = (f64::from(event.client_x()), f64::from(event.client_y()));
    if x < rect.left() || x > rect.right() || y < rect.top() || y > rect.bottom() {
        dialog.close();
    }
}
