//! Examples, edits, and what answers agree about.

mod agreement;
mod edits;
mod gallery;
