//! Updates of OpenShift: what stops them, sets of catalogs, and plans.

mod gate;
mod plans;
mod sets;
