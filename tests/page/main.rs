//! Journeys through the page without a browser: actions of the user go through the reducer, the workbench answers, and
//! what the page shows is rendered to markup. What only a browser has is tested in `tests/e2e`: layout, focus, keys, files.

mod catalogs;
mod compare;
mod drawing;
mod examples;
mod findings;
mod html;
mod page;
mod rules;
mod simulation;
mod worker;
