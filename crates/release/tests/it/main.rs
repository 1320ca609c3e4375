//! Releases of new bundles.

mod worked;
