//! Journeys through the built app in a real browser; `cargo xtask test --only build --only e2e` runs them.

/// A test of this name, in a window that is wide enough for all regions.
macro_rules! journey {
    ($name:ident, $test:expr) => {
        #[tokio::test]
        async fn $name() -> suite::browser::Result {
            crate::steps::visit($test).await
        }
    };
}

mod accessible;
mod archives;
mod bad_input;
mod canvas;
mod catalogs;
mod changes;
mod cluster;
mod compare;
mod documentation;
mod downloads;
mod edges;
mod editing;
mod element;
mod examples;
mod extensions;
mod folder;
mod grid;
mod hostile_browser;
mod keyboard;
mod large;
mod layout_stands_still;
mod lifecycle;
mod lists;
mod markup;
mod mirrors;
mod new_bundle;
mod offline;
mod one_selection;
mod open;
mod operator_groups;
mod outcomes;
mod overview;
mod paths;
mod picture;
mod printing;
mod quick_fixes;
mod real;
mod regions;
mod repairs;
mod room;
mod rules;
mod runtimes;
mod sets;
mod share;
mod simulation;
mod smoke;
mod source;
mod states;
mod steps;
mod templates;
mod version;
mod worker_death;
