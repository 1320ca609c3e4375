//! Whole catalogs as `opm validate` judges them, and requirements of bundles.

mod conformance;
mod requirement;
