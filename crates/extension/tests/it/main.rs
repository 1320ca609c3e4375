//! Resolutions of ClusterExtensions: the rules of operator-controller by name, its error texts, and properties over generated
//! catalogs.

mod between_catalogs;
mod errors;
mod fixes;
mod over_time;
mod properties;
mod readiness;
mod rules;
mod world;
