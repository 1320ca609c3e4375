//! Recorded bundles and documents, what is rendered of them, and properties of any bundle.

mod printed;
mod properties;
mod recorded;
mod render;
