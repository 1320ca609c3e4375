//! Examples, edits, what is written, and what answers agree about.

mod advice;
mod agreement;
mod edits;
mod gallery;
mod states;
mod writes;
