//! Tests of the event simulation: how OLM's two operators work together.

mod approval;
mod catalogs;
mod conditions;
mod crds;
mod dependencies;
mod fail_forward;
mod generated;
mod lost;
mod operator_groups;
mod properties;
mod remedies;
mod rows;
mod upgrades;
mod world;
