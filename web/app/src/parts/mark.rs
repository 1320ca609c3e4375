//! The signs of the drawing for marks that say what is wrong, in the tables.

use crate::graph::sign;
use views::Mark;
use yew::prelude::*;

/// The sign of a mark that says what is wrong; nothing for other marks.
pub(crate) fn mark_sign(mark: Mark) -> Html {
    let is_loud = matches!(
        mark,
        Mark::Stranded
            | Mark::Pruned
            | Mark::Deprecated
            | Mark::NoBundle
            | Mark::UnknownBundle
            | Mark::BadRange
            | Mark::RuntimesDiffer
    );
    html! { if is_loud { <svg class="mark-sign drawing" viewBox="0 0 20 20" aria-hidden="true">{ sign(mark) }</svg> } }
}
