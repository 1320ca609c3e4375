//! The sign of a mark, the same as in the drawing: in tables it stands before its word.

use crate::graph::sign;
use views::Mark;
use yew::prelude::*;

/// The sign of a mark that says what is wrong; nothing for other marks.
pub(crate) fn mark_sign(mark: Mark) -> Html {
    let is_loud = matches!(mark, Mark::Stranded | Mark::Pruned | Mark::Deprecated | Mark::NoBundle | Mark::BadRange);
    html! { if is_loud { <svg class="mark-sign drawing" viewBox="0 0 20 20" aria-hidden="true">{ sign(mark) }</svg> } }
}
