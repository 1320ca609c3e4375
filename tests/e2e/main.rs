//! Journeys through the built app in a real browser; `cargo xtask test --only build --only e2e` runs them.

mod accessible;
mod bad_input;
mod canvas;
mod catalogs;
mod cluster;
mod editing;
mod examples;
mod folder;
mod keyboard;
mod large;
mod markup;
mod offline;
mod paths;
mod printing;
mod pruning;
mod real;
mod regions;
mod room;
mod rules;
mod share;
mod simulation;
mod smoke;
mod source;
mod steps;
mod templates;
mod worker_death;
