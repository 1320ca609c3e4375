//! Checks of the bundles of a package, with the documentation of all rules in Markdown beside them.

pub(crate) mod bundle_range;
