//! Releases of new bundles.

mod spelling;
mod worked;
