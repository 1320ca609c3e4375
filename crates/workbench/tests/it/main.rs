//! Examples, edits, what is written, and what answers agree about.

mod agreement;
mod edits;
mod gallery;
mod writes;
