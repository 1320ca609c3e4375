//! Journeys through the page without a browser: actions of the user go through the reducer, the workbench answers, and
//! what the page shows is rendered to markup. What only a browser has is tested in `tests/e2e`: layout, focus, keys, files.

mod html;
mod page;
mod worker;

mod bad_input;
mod catalogs;
mod compare;
mod examples;
mod findings;
mod overview;
mod pruning;
mod rules;
mod simulation;
