//! Shared parts of panels, one function for each kind of thing, so that it looks the same everywhere.

mod answer;
mod explanation;
mod fact;
mod finding;
mod fold;
mod icon;
mod links;
mod mark;
mod repair;
mod severity;
mod table;
mod tally;

pub(crate) use answer::{answer, sign_of};
pub(crate) use explanation::{diff, fixes, funnel, refusals, strips};
pub(crate) use fact::{fact_line, facts, folded_list, lines};
pub(crate) use finding::{finding, finding_group};
pub(crate) use fold::{fact_row, fold};
pub(crate) use icon::Icon;
pub(crate) use links::{bundle_link, place_after, place_link, reason, reasons, rule_link};
pub(crate) use mark::mark_sign;
pub(crate) use repair::{repair_all, repair_card, repairs};
pub(crate) use severity::{counts, severity, words};
pub(crate) use table::TableParts;
pub(crate) use tally::tally;
