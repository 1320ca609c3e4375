//! The words for marks of entries, the same in the table and in its filter.

use views::Mark;

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
        Mark::BadRange => "invalid skipRange",
    }
}
