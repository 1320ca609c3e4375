//! Versions and ranges with the semantics of the two Go libraries that OLM reads them with.
//!
//! [`blang`] is what `opm` and OLM v0 use, and what the versions of all bundles are. [`masterminds`] is what OLM v1 reads the
//! field `version` of a ClusterExtension with.

pub mod blang;
pub mod masterminds;
