//! The list of examples, theme by theme, and the reader of their files: Markdown with fenced blocks.

use super::{Example, ExampleCatalog, ExampleChange, Theme};

// Theme and folder, then for each file the slug and the package to show.
macro_rules! examples {
    ($($theme:ident $folder:literal { $($slug:literal $package:literal)* })*) => {
        vec![$($(example(
            $slug,
            Theme::$theme,
            $package,
            include_str!(concat!("../../gallery/", $folder, "/", $slug, ".md")),
        ),)*)*]
    };
}

/// All examples, in the order in which the page lists them.
#[must_use]
pub fn gallery() -> Vec<Example> {
    examples! {
        Changes "changes" {
            "addition-strands-four" "clusterpulse"
            "each-release-strands-one-more" "kubernaut-operator"
            "entry-exchanged" "visionone-operator"
            "skips-instead-of-replaces" "dell-csm-operator"
            "head-withdrawn" "hive-operator"
            "channel-gone" "clusterpulse"
            "images-exchanged" "project-quay"
            "lower-by-name" "slurm-operator"
            "substitution-strands-the-base" "store"
            "support-ends-earlier" "kettle"
            "normal-release" "kettle"
        }
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
            "install-mode-dropped" "store"
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
        Extensions "v1" {
            "highest-version-not-head" "store"
            "every-channel-counts" "store"
            "hop-over-a-skipped-entry" "store"
            "no-route-to-a-version" "store"
            "channel-without-the-installed-version" "store"
            "prerelease-without-a-range" "store"
            "pinned-version-moves" "store"
            "same-priority" "store"
            "priority-over-version" "store"
            "deprecation-over-priority" "store"
            "deprecated-update-not-taken" "store"
            "down-from-a-deprecated-version" "store"
            "self-certified-downgrade" "store"
            "dependency-refused" "store"
            "install-mode-refused" "store"
            "unserved-catalog" "store"
            "graph-that-opm-rejects" "store"
            "renamed-bundles" "store"
            "migration-blocked" "store"
        }
    }
}

/// Reads a file of the gallery.
///
/// # Panics
/// If the file does not have the expected form. The files are part of the binary, and `tests/it/gallery.rs` reads them all.
fn example(slug: &'static str, theme: Theme, package: &'static str, text: &'static str) -> Example {
    let (head, blocks, origin) = split(text);
    let (title, rest) = head.split_once('\n').expect("a title, then a description");
    let (description, look_at) = rest.split_once("\n\n> ").expect("a description, then a quotation: what to look at");
    let find = |label: &str| blocks.iter().find(|(info, _)| *info == label).map(|(_, text)| *text);
    let named = |label: &'static str| {
        blocks.iter().filter_map(move |(info, text)| Some(ExampleCatalog { name: info.strip_prefix(label)?, text }))
    };
    let before = named("yaml before=").next();
    Example {
        slug,
        theme,
        title: title.trim_start_matches("# "),
        description: description.trim(),
        look_at: look_at.trim(),
        package,
        catalogs: named("yaml catalog=").collect(),
        change: before
            .zip(find("comparison"))
            .map(|(before, sentence)| ExampleChange { before, sentence: sentence.trim() }),
        cluster: find("yaml cluster").expect("a block for the cluster"),
        outcomes: find("outcomes").unwrap_or_default(),
        extensions: find("extensions").unwrap_or_default(),
        origin,
    }
}

/// The text before the first block, the blocks with their labels, and the text after the last block.
fn split(text: &'static str) -> (&'static str, Vec<(&'static str, &'static str)>, &'static str) {
    let (head, mut rest) = text.split_once("```").expect("a block");
    let mut blocks = Vec::new();
    loop {
        let (label, after) = rest.split_once('\n').expect("a block has lines");
        let (body, after) = after.split_once("```\n").expect("a block ends");
        blocks.push((label, body));
        match after.split_once("```") {
            Some((_, next)) => rest = next,
            None => return (head, blocks, after.trim()),
        }
    }
}
