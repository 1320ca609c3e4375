//! Shared parts of panels, one function for each kind of thing, so that it looks the same everywhere.

mod bundle;
mod explanation;
mod fact;
mod finding;
mod icon;
mod place;
mod rule;
mod severity;

pub(crate) use bundle::{bundle_link, reasons};
pub(crate) use explanation::{fixes, funnel, refusals};
pub(crate) use fact::{excerpt, fact_line, facts, few};
pub(crate) use finding::finding;
pub(crate) use icon::icon;
pub(crate) use place::place_link;
pub(crate) use rule::rule_link;
pub(crate) use severity::{counts, dot, severity};
