//! The list of examples, theme by theme.

use crate::page::example;
use crate::{Example, Theme};

/// A line for each file: theme, folder, package to look at.
macro_rules! examples {
    ($($theme:ident $folder:literal { $($slug:literal $package:literal)* })*) => {
        vec![$($(example(
            $slug,
            Theme::$theme,
            $package,
            include_str!(concat!("../gallery/", $folder, "/", $slug, ".md")),
        ),)*)*]
    };
}

/// All examples, in the order in which a list shows them.
#[must_use]
pub fn gallery() -> Vec<Example> {
    examples! {
        Documentation "documentation" {
            "same-catalog" "bar"
            "higher-priority" "bar"
            "default-channel-first" "foo"
            "new-operator" "foo"
            "operator-update" "foo"
            "deprecating-dependent-apis" "b-operator"
            "version-deadlock" "a-operator"
            "and-caveat" "app"
            "compound-constraint" "app"
            "cel-constraint" "app"
        }
        Updates "updates" {
            "downgrade" "store"
            "held-back" "store"
            "two-hops-deadlock" "cache"
            "one-hop" "cache"
            "older-entry" "app"
            "channel-without-an-edge" "app"
            "csv-without-subscription" "app"
            "unknown-package" "cache"
            "fail-forward" "app"
            "manual-approval" "cache"
        }
        Start "start" {
            "at-a-skipped-entry" "store"
            "at-a-skiprange-entry" "store"
            "at-a-missing-entry" "store"
            "at-a-stranded-entry" "store"
            "stuck-at-a-stranded-entry" "store"
            "in-a-channel-with-two-heads" "store"
            "two-heads" "store"
            "at-an-entry-that-replaces-itself" "store"
            "at-an-entry-that-skips-itself" "store"
            "ignored-once-installed" "store"
            "after-the-csv-was-deleted" "store"
            "deleted-without-starting-csv" "store"
            "deprecations" "store"
        }
        Chance "chance" {
            "exclusive-updates" "mesh"
            "exclusive-heads" "mesh"
            "three-exclusive-heads" "mesh"
            "update-against-a-bound" "app"
            "unowned-dependant" "store"
            "owned-dependant" "store"
            "channel-by-chance" "store"
            "update-without-an-edge" "store"
            "skipped-in-its-channel" "store"
            "mid-update" "store"
            "two-subscriptions-one-package" "store"
            "two-conflicts" "app"
            "two-unknown-packages" "store"
            "two-broken-channels" "store"
        }
    }
}
