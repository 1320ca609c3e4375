//! Shared parts of panels, one function for each kind of thing, so that it looks the same everywhere.

mod bundle;
mod fact;
mod finding;
mod icon;
mod place;
mod rule;
mod severity;
mod why;

pub(crate) use bundle::{bundle_link, reasons};
pub(crate) use fact::{excerpt, fact_line, facts, few};
pub(crate) use finding::finding;
pub(crate) use icon::icon;
pub(crate) use place::place_link;
pub(crate) use rule::rule_link;
pub(crate) use severity::{counts, dot, severity};
pub(crate) use why::{funnel, refusals, ways_out};
