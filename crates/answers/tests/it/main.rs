//! Examples, edits, what is written, and what answers agree about.

mod advice;
mod agreement;
mod bundle_trees;
mod cluster_catalogs;
mod edits;
mod examples;
mod gallery;
mod image_set;
mod pairing;
mod states;
mod templates;
mod writes;
