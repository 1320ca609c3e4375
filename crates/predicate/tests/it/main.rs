//! Requirements of bundles.

mod requirement;
