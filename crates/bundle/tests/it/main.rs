//! Recorded bundles and documents, what is rendered of them, and properties of any bundle.

mod recorded;
mod render;
