//! The update graph of a package: which entry of a channel follows which.

mod sort;

pub use sort::{Link, SortError, SortErrorKind, sort_channel};
