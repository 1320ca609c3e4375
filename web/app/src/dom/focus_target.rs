//! Moving the focus when the control that has it is removed from the page.

use super::page::{document, find, give_focus};
use crate::store::FocusTarget;
use web_sys::Element;

/// A control that may be removed from the page, and the target that gets the focus then.
#[derive(Debug)]
pub(crate) struct WatchedControl {
    control: Element,
    to: FocusTarget,
}

pub(crate) fn watch_focus(to: FocusTarget) -> Option<WatchedControl> {
    focused().map(|control| WatchedControl { control, to })
}

/// Moves the focus if the control was removed or hidden. Returns what to watch until the next rendering: the control
/// that has the focus now, or the removed one if its target is not on the page yet.
pub(crate) fn move_focus(watched: WatchedControl) -> Option<WatchedControl> {
    let WatchedControl { control, to } = watched;
    match focused() {
        // A new row is to be filled in, even if the button that added it stays.
        Some(control) if !to.is_new_row() => Some(WatchedControl { control, to }),
        // The control can still be seen: the user clicked an element that cannot have the focus.
        None if !to.is_new_row() && is_visible(&control) => None,
        _ => match places(to).iter().find_map(|place| find(place).filter(is_visible)) {
            Some(place) => {
                give_focus(place);
                None
            }
            None => Some(WatchedControl { control, to }),
        },
    }
}

fn is_visible(element: &Element) -> bool {
    element.get_bounding_client_rect().width() > 0.0
}

fn focused() -> Option<Element> {
    document()?.active_element().filter(|element| element.tag_name() != "BODY")
}

/// The selectors of a target; the first that matches counts. Some are headings, which screen readers read out.
const fn places(to: FocusTarget) -> &'static [&'static str] {
    match to {
        FocusTarget::Result => &["#result", "#package"],
        FocusTarget::Step => &["[data-testid='step'][aria-current] h4", "#result"],
        FocusTarget::Cluster => &["[data-testid='cluster']", "#package"],
        FocusTarget::NewSubscription => {
            &["[data-testid='subscriptions'] .form-card:last-of-type [data-testid='subscription-package']"]
        }
        FocusTarget::Add => &["[data-testid='subscription-add']", "#package"],
        FocusTarget::NewExtension => {
            &["[data-testid='extension-forms'] .form-card:last-of-type [data-testid='extension-package']"]
        }
        FocusTarget::AddExtension => &["[data-testid='extension-add']", "#package"],
        FocusTarget::WhyNot => &["[data-testid='why-not-answer']"],
        FocusTarget::Crds => &["[data-testid='crd-changes'] > p"],
        FocusTarget::Repairs => &["[data-testid='repairs'] > p"],
        FocusTarget::Opener => &["#package :is(.entry, th button, td)[tabindex='0']", "#package"],
        FocusTarget::Package => &["#package", "#simulation"],
    }
}
