//! The focus of a control that leaves the page.

use super::page::{document, find, give_focus};
use crate::store::Landing;
use web_sys::Element;

/// A control that may leave the page, and what takes its place then.
#[derive(Debug)]
pub(crate) struct Held {
    control: Element,
    to: Landing,
}

/// The control that has the focus, if one has it.
pub(crate) fn hold(to: Landing) -> Option<Held> {
    focused().map(|control| Held { control, to })
}

/// Gives the focus to what takes the place of a control that is gone. As long as that may still happen it is held, or the
/// one that has the focus in its stead.
pub(crate) fn land(held: Held) -> Option<Held> {
    let Held { control, to } = held;
    match focused() {
        Some(control) => Some(Held { control, to }),
        // The user clicked beside it.
        None if control.is_connected() => None,
        None => match places(to).iter().find_map(|place| find(place)) {
            Some(place) => {
                give_focus(place);
                None
            }
            None => Some(Held { control, to }),
        },
    }
}

fn focused() -> Option<Element> {
    document()?.active_element().filter(|element| element.tag_name() != "BODY")
}

/// The first of these that is there. A heading is read out, and the next stop is what it is about.
const fn places(to: Landing) -> &'static [&'static str] {
    match to {
        Landing::Result => &["#result"],
        Landing::Step => &["[data-testid='step'][aria-current] h4", "#result"],
        Landing::Cluster => &["[data-testid='cluster']", "#package"],
        Landing::Add => &["[data-testid='subscription-add']", "#package"],
        Landing::WhyNot => &["[data-testid='why-not-answer']"],
        Landing::Opener => &["#package :is(.entry, th button, td)[tabindex='0']", "#package"],
        Landing::Package => &["#package"],
    }
}
