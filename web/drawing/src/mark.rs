//! The words for marks of entries.

use views::Mark;

/// The word for a mark.
#[must_use]
pub const fn mark_word(mark: Mark) -> &'static str {
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
