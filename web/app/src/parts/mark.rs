//! The words for marks of entries, and the signs of the drawing for those that say what is wrong; the same in the tables
//! and in their filters.

use crate::graph::sign;
use views::Mark;
use yew::prelude::*;

/// The word for a mark.
pub(crate) const fn mark_word(mark: Mark) -> &'static str {
    match mark {
        Mark::Head => "head",
        Mark::Skipped => "skipped",
        Mark::Pruned => "pruned",
        Mark::Ghost => "not in channel",
        Mark::NotStartable => "can’t be startingCSV",
        Mark::Stranded => "stranded",
        Mark::Deprecated => "deprecated",
        Mark::NoBundle => "no bundle",
        Mark::UnknownBundle => "bundle unknown",
        Mark::BadRange => "invalid skipRange",
        Mark::Added => "added",
        Mark::Removed => "removed",
        Mark::Harmed => "harmed",
        Mark::RuntimesDiffer => "OLM v1 differs",
    }
}

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
