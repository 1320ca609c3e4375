//! What real changes did to the installed base (community-operators-prod, `catalogs/v4.18`), reduced to the entries that matter, and one change for each
//! rule.

use crate::catalog;
use catalog::Catalog;
use compare::{Level, State, compare, groups};

/// Lines `channel version: rule, old end -> new end` of the rows with a rule, group by group.
fn rows(old: &str, new: &str) -> Vec<String> {
    let (old, new) = (catalog(old), catalog(new));
    let state = |catalog| State { catalog, rejected: None };
    let found = compare(state(&old), state(&new));
    let short = |name: &catalog::BundleName| name.as_str().trim_start_matches("p.v").to_owned();
    let end = |row: &compare::Row, path: &compare::Path| match &path.error {
        Some(_) => "error".to_owned(),
        None => short(path.end(&row.installed)),
    };
    let mut lines = Vec::new();
    for group in found.iter().flat_map(|package| groups(&package.rows)) {
        lines.extend(group.rows.iter().map(|row| {
            let (old, new) = (end(row, &row.old), end(row, &row.new));
            format!("{} {}: {}, {old} -> {new}", row.channel, short(&row.installed), group.rule.id())
        }));
    }
    lines
}

#[test]
fn a_plain_addition_strands_who_was_named_by_the_old_head_alone() {
    // clusterpulse: the new head replaces and skips the old one, whose skips no longer count.
    let old = "stable: 0.2.3 (replaces 0.1.1; skips 0.1.1, 0.2.0, 0.2.1), 0.2.1, 0.2.0, 0.1.1";
    let new = "stable: 0.3.0 (replaces 0.2.3; skips 0.2.3), 0.2.3 (replaces 0.1.1; skips 0.1.1, 0.2.0, 0.2.1), 0.2.1, 0.2.0, 0.1.1";
    let expected = [
        "stable 0.1.1: v0-stranded, 0.2.3 -> 0.1.1",
        "stable 0.2.0: v0-stranded, 0.2.3 -> 0.2.0",
        "stable 0.2.1: v0-stranded, 0.2.3 -> 0.2.1",
        "stable 0.2.3: v0-end-higher, 0.2.3 -> 0.3.0",
    ];
    assert_eq!(rows(old, new), expected);
    let back = [
        "stable 0.3.0: v0-stranded, 0.3.0 -> 0.3.0",
        "stable 0.2.3: v0-end-lower, 0.3.0 -> 0.2.3",
        "stable 0.1.1: v0-unstranded, 0.1.1 -> 0.2.3",
        "stable 0.2.0: v0-unstranded, 0.2.0 -> 0.2.3",
        "stable 0.2.1: v0-unstranded, 0.2.1 -> 0.2.3",
    ];
    assert_eq!(rows(new, old), back, "the other way round");
}

#[test]
fn a_normal_release_is_neutral() {
    let old = "stable: 1.1.0 (replaces 1.0.0; skipRange >=0.9.0 <1.1.0), 1.0.0";
    let new = "stable: 1.2.0 (replaces 1.1.0; skipRange >=0.9.0 <1.2.0), 1.1.0 (replaces 1.0.0; skipRange >=0.9.0 <1.1.0), 1.0.0";
    let expected = ["stable 1.0.0: v0-end-higher, 1.1.0 -> 1.2.0", "stable 1.1.0: v0-end-higher, 1.1.0 -> 1.2.0"];
    assert_eq!(rows(old, new), expected);
    assert_eq!(rows(old, old), [""; 0]);
}

#[test]
fn an_entry_that_is_exchanged_strands_who_has_it() {
    // multi-nic-cni-operator: the head is exchanged instead of added.
    let expected = ["stable 1.2.6: v0-stranded, 1.2.6 -> 1.2.6", "stable 1.2.3: v0-manual-pending, 1.2.6 -> 1.2.7"];
    assert_eq!(rows("stable: 1.2.6 (replaces 1.2.3), 1.2.3", "stable: 1.2.7 (replaces 1.2.3), 1.2.3"), expected);
}

#[test]
fn a_head_that_is_withdrawn_strands_those_above_it() {
    // trident-operator
    let old = "stable: 24.10.1 (replaces 24.10.0), 24.10.0 (replaces 24.6.0), 24.6.0";
    let expected = [
        "stable 24.10.0: v0-stranded, 24.10.1 -> 24.10.0",
        "stable 24.10.1: v0-stranded, 24.10.1 -> 24.10.1",
        "stable 24.6.0: v0-end-lower, 24.10.1 -> 24.6.0",
    ];
    assert_eq!(rows(old, "stable: 24.6.0 (replaces 24.2.0), 24.2.0"), expected);
}

#[test]
fn a_channel_or_package_that_is_gone_is_an_error() {
    let old = "stable: 1.0.0\nfast: 1.0.0";
    assert_eq!(rows(old, "stable: 1.0.0"), ["fast 1.0.0: v0-channel-gone, 1.0.0 -> error"]);
    let (one, none) = (catalog(old), Catalog::default());
    let found = compare(State { catalog: &one, rejected: None }, State { catalog: &none, rejected: None });
    assert!(found[0].rows.iter().all(|row| row.rule.is_some_and(|rule| rule.id() == "v0-package-gone")));
    let error = found[0].rows[0].new.error_text().expect("nothing can be chosen");
    assert!(error.contains("referenced by subscription sub, subscription sub exists"), "{error}");
}

#[test]
fn what_a_rejected_catalog_lacks_is_not_gone() {
    let (one, none) = (catalog("stable: 1.0.0"), Catalog::default());
    let found =
        compare(State { catalog: &one, rejected: None }, State { catalog: &none, rejected: Some("line 4: no YAML") });
    let row = &found[0].rows[0];
    assert_eq!(row.rule.map(compare::Rule::id), Some("v0-graph-broken"));
    assert_eq!(row.new.error_text(), Some("error using catalogsource olm/catalog: line 4: no YAML"));
}

#[test]
fn a_respin_with_a_lower_version_is_risky() {
    // slurm-operator: `-1` makes it a prerelease.
    let expected = ["stable 1.0.1: v0-lower-by-name, 1.0.1 -> 1.0.1-1"];
    assert_eq!(rows("stable: 1.0.1", "stable: 1.0.1-1 (replaces 1.0.1), 1.0.1"), expected);
}

#[test]
fn ranges_can_lead_down_and_round() {
    let old = "stable: 1.2.0 (replaces 1.1.0), 1.1.0";
    let down = rows(old, "stable: 1.1.0 (skipRange >=1.1.1 <2.0.0)");
    let expected = ["stable 1.2.0: v0-downgrade, 1.2.0 -> 1.1.0", "stable 1.1.0: v0-end-lower, 1.2.0 -> 1.1.0"];
    assert_eq!(down, expected);
    let round = rows(old, "stable: 1.2.0 (replaces 1.1.0), 1.1.0 (skipRange >=1.1.1 <2.0.0)");
    let expected = ["stable 1.1.0: v0-downgrade, 1.2.0 -> 1.1.0", "stable 1.2.0: v0-downgrade, 1.2.0 -> 1.2.0"];
    assert_eq!(round, expected);
}

#[test]
fn a_channel_that_cannot_be_ordered_is_broken_for_all() {
    let expected = ["stable 1.0.0: v0-graph-broken, 1.1.0 -> error", "stable 1.1.0: v0-graph-broken, 1.1.0 -> error"];
    assert_eq!(rows("stable: 1.1.0 (replaces 1.0.0), 1.0.0", "stable: 1.1.0, 1.0.0"), expected);
}

#[test]
fn a_way_that_changes_among_old_entries_is_risky() {
    let old = "stable: 1.0.3 (replaces 1.0.2), 1.0.2 (replaces 1.0.1), 1.0.1 (replaces 1.0.0), 1.0.0";
    let new = "stable: 1.0.3 (replaces 1.0.2), 1.0.2 (replaces 1.0.1; skipRange <1.0.1), 1.0.1 (replaces 1.0.0), 1.0.0";
    assert_eq!(rows(old, new), ["stable 1.0.0: v0-next-changed, 1.0.3 -> 1.0.3"]);
}

/// rabbitmq-messaging-topology-operator: a skipRange of the head over several minor versions.
#[test]
fn a_next_update_over_a_minor_version_is_a_jump_and_a_later_one_only_a_shorter_way() {
    let old =
        "stable: 1.4.0 (replaces 1.3.0), 1.3.0 (replaces 1.2.0), 1.2.0 (replaces 1.1.0), 1.1.0 (replaces 1.0.0), 1.0.0";
    let new = old.replace("1.4.0 (replaces 1.3.0)", "1.4.0 (replaces 1.3.0; skipRange >=1.2.0 <1.4.0)");
    let shorter = |version: &str| format!("stable {version}: v0-path-shorter, 1.4.0 -> 1.4.0");
    let expected = ["stable 1.2.0: v0-jump-widened, 1.4.0 -> 1.4.0".to_owned(), shorter("1.0.0"), shorter("1.1.0")];
    assert_eq!(rows(old, &new), expected);
    // Neighbours: the target is new, or the update leaves out patch versions alone.
    let jump = "stable: 1.5.0 (replaces 1.4.0; skipRange <1.1.0), 1.4.0 (replaces 1.3.0), 1.3.0 (replaces 1.2.0), 1.2.0 (replaces 1.1.0), 1.1.0 (replaces 1.0.0), 1.0.0";
    assert_eq!(rows(old, jump)[0], "stable 1.0.0: v0-jump-widened, 1.4.0 -> 1.5.0");
    let patches = "stable: 1.0.2 (replaces 1.0.1), 1.0.1 (replaces 1.0.0), 1.0.0";
    let direct = "stable: 1.0.2 (replaces 1.0.1; skipRange <1.0.2), 1.0.1 (replaces 1.0.0), 1.0.0";
    assert_eq!(rows(patches, direct), ["stable 1.0.0: v0-next-changed, 1.0.2 -> 1.0.2"]);
}

#[test]
fn updates_that_stop_below_the_head_are_risky() {
    // OLM never chooses the new head.
    let new = "stable: 1.2.0 (replaces 1.1.0; property olm.deprecated {}), 1.1.0 (replaces 1.0.0), 1.0.0";
    let expected = ["stable 1.1.0: v0-stranded, 1.1.0 -> 1.1.0", "stable 1.0.0: v0-end-behind, 1.1.0 -> 1.1.0"];
    assert_eq!(rows("stable: 1.1.0 (replaces 1.0.0), 1.0.0", new), expected);
}

#[test]
fn a_forbidden_version_without_update_blocks_its_namespace() {
    // The CSV on the cluster has the properties of the old state.
    let expected = ["stable 1.1.0: deprecated-property, 1.2.0 -> error", "stable 1.2.0: v0-stranded, 1.2.0 -> 1.2.0"];
    assert_eq!(
        rows(
            "stable: 1.2.0 (replaces 1.1.0), 1.1.0 (property olm.deprecated {})",
            "stable: 1.1.0 (property olm.deprecated {})"
        ),
        expected
    );
}

#[test]
fn a_rejected_catalog_breaks_every_channel() {
    let catalog = catalog("stable: 1.0.0");
    let rejected = State { catalog: &catalog, rejected: Some("no head") };
    let found = compare(State { catalog: &catalog, rejected: None }, rejected);
    let row = &found[0].rows[0];
    assert_eq!(row.new.error_text(), Some("error using catalogsource olm/catalog: no head"));
    assert_eq!(row.rule.map(compare::Rule::level), Some(Level::Breaking));
}

#[test]
fn a_package_is_one_sentence() {
    let say = |old: &str, new: &str| {
        let (old, new) = (catalog(old), catalog(new));
        let state = |catalog| State { catalog, rejected: None };
        compare::sentence(&compare(state(&old), state(&new))[0], false, |_| true).unwrap_or_default()
    };
    let old = "stable: 1.2.6 (replaces 1.2.3), 1.2.3";
    let stuck = "1 of 2 installed versions gets stuck, 1 moves on to 1.2.7 instead of to a removed version";
    assert_eq!(say(old, "stable: 1.2.7 (replaces 1.2.3), 1.2.3"), stuck);
    assert_eq!(say(old, old), "");
    assert_eq!(say("stable: 1.0.0", "fast: 1.0.0"), "the installed version loses its channel");
    let two = "stable: 1.3.0 (replaces 1.2.6), 1.2.6 (replaces 1.2.3), 1.2.3";
    assert_eq!(say(old, two), "2 of 2 installed versions move on to 1.3.0 as expected");
}

#[test]
fn an_outcome_names_the_first_update_only_if_more_follow() {
    let [old, new] =
        ["c: 3.0.0 (replaces 2.0.0), 2.0.0 (replaces 1.0.0), 1.0.0", "c: 3.0.0 (replaces 1.0.0), 1.0.0"].map(catalog);
    let state = |catalog| State { catalog, rejected: None };
    let found = compare(state(&old), state(&new));
    let row = found[0].rows.iter().find(|row| row.installed.as_str() == "p.v1.0.0").expect("it is a row");
    let outcomes = compare::words::outcomes(row, compare::words::outcome_text);
    assert_eq!(outcomes, ["updated to 3.0.0, first to 2.0.0", "updated to 3.0.0"]);
}
