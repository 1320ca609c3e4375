//! Shared parts of panels, one function for each kind of thing, so that it looks the same everywhere.

mod explanation;
mod fact;
mod finding;
mod table;

pub(crate) use explanation::{
    TryFix, answer, diff, fixes, funnel, refusals, repair_all, repair_card, repairs, sign_of, strips,
};
pub(crate) use fact::{
    Icon, bundle_link, fact_line, fact_row, facts, fold, folded_list, lines, place_after, place_link, reason, reasons,
    rule_link,
};
pub(crate) use finding::{counts, finding, finding_group, severity, words};
pub(crate) use table::{TableParts, mark_sign, tally};
