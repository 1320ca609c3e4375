//! Recorded bundles, what is rendered of them, and properties of any bundle.

mod properties;
mod recorded;
mod render;
