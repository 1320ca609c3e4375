//! What differs between OLM v0 and OLM v1: each test resolves the same catalogs with both, for a Subscription and for a
//! ClusterExtension on the same package.

mod choice;
mod environment;
mod updates;
mod world;
