//! Which edits a row is due to, and what is offered for rows that came out worse.

use crate::{catalog, explained, state};
use compare::{compare, groups};

/// Lines `channel version: edits` of the rows with a cause, the edits in words.
fn causes(old: &str, new: &str) -> Vec<String> {
    let (old, new) = (catalog(old), catalog(new));
    let found = compare(state(&old), state(&new));
    let (before, after) = (&old.packages[0], &new.packages[0]);
    let rows = found[0].rows.iter();
    let lines = rows.filter_map(|row| {
        let found = explained((&old, &new), &found[0], &groups([row]), usize::MAX);
        let cause: Vec<String> =
            found.first()?.cause.iter().map(|edit| edit.describe(before, after, row.updated_by)).collect();
        let version = row.installed.as_str().trim_start_matches("p.v");
        (!cause.is_empty()).then(|| format!("{} {version}: {}", row.channel, cause.join("; ")))
    });
    lines.collect()
}

#[test]
fn a_new_head_that_skips_the_old_one_is_the_cause() {
    let old = "stable: 0.2.3 (replaces 0.1.1; skips 0.1.1, 0.2.0), 0.2.0, 0.1.1";
    let new = "stable: 0.3.0 (replaces 0.2.3; skips 0.2.3), 0.2.3 (replaces 0.1.1; skips 0.1.1, 0.2.0), 0.2.0, 0.1.1";
    let cause = "channel `stable` lists `p.v0.3.0`, which replaces `p.v0.2.3`, skips `p.v0.2.3`; `p.v0.2.3` is skipped now, so \
                 that its own `skips` and `skipRange` no longer count";
    assert_eq!(causes(old, new), [format!("stable 0.2.0: {cause}"), format!("stable 0.1.1: {cause}")]);
}

#[test]
fn a_renamed_channel_is_named() {
    let found = causes("old: 1.1.0 (replaces 1.0.0), 1.0.0", "new: 1.2.0 (replaces 1.1.0), 1.1.0\nother: 1.2.0");
    assert_eq!(found[0], "old 1.1.0: channel `old` is gone; it looks renamed to `new`");
    let found = causes("old: 1.0.0", "other: 1.2.0");
    assert_eq!(found, ["old 1.0.0: channel `old` is gone"]);
}

#[test]
fn an_exchange_has_two_edits() {
    let found = causes("stable: 1.2.6 (replaces 1.2.3), 1.2.3", "stable: 1.2.7 (replaces 1.2.3), 1.2.3");
    let cause =
        "channel `stable` no longer lists `p.v1.2.6`; channel `stable` lists `p.v1.2.7`, which replaces `p.v1.2.3`";
    assert_eq!(found, [format!("stable 1.2.6: {cause}"), format!("stable 1.2.3: {cause}")]);
}

#[test]
fn a_changed_field_is_the_cause_whatever_else_changed() {
    let old = "stable: 1.2.0 (replaces 1.1.0; skipRange >=1.0.0 <1.2.0), 1.1.0, 1.0.0\nfast: 1.0.0";
    let new = "stable: 1.2.0 (replaces 1.1.0; skipRange >=1.1.0 <1.2.0), 1.1.0\nother: 1.0.0\nfast: 1.0.0";
    let range = "`p.v1.2.0` has skipRange `>=1.1.0 <1.2.0` instead of `>=1.0.0 <1.2.0`";
    assert_eq!(causes(old, new), [format!("stable 1.0.0: {range}")]);
}

#[test]
fn a_channel_that_is_gone_is_the_cause() {
    assert_eq!(causes("stable: 1.0.0\nfast: 1.0.0", "stable: 1.0.0"), ["fast 1.0.0: channel `fast` is gone"]);
}

#[test]
fn a_forbidden_bundle_is_the_cause() {
    let found = causes(
        "stable: 1.1.0 (replaces 1.0.0), 1.0.0",
        "stable: 1.1.0 (replaces 1.0.0; property olm.deprecated {}), 1.0.0",
    );
    assert_eq!(found, ["stable 1.0.0: bundle `p.v1.1.0` gains `olm.deprecated`"]);
}

#[test]
fn of_several_skippers_the_target_of_the_next_update_is_the_cause() {
    let [old, new] =
        ["", " (skips 1.0.0)"].map(|skips| format!("c: 1.0.0 <- 1.1.0 <- 1.2.0{skips} <- 1.3.0{skips} <- 1.4.0"));
    assert_eq!(causes(&old, &new), ["c 1.0.0: `p.v1.3.0` skips `p.v1.0.0` now"]);
}

#[test]
fn the_edges_of_a_version_that_is_newly_skipped_no_longer_count() {
    let chain = |skips: &str| format!("c: 1.0.0 <- 1.1.0 <- 1.2.0{skips}");
    let found = causes(&chain(""), &chain(" (skips 1.1.0)"));
    assert_eq!(found, ["c 1.0.0: `p.v1.2.0` skips `p.v1.1.0` now, whose own edges no longer count"]);
}

#[test]
fn who_is_not_harmed_has_no_cause() {
    assert_eq!(causes("stable: 1.0.0", "stable: 1.1.0 (replaces 1.0.0), 1.0.0"), [""; 0]);
}

// What is offered for rows that came out worse.

/// Lines `rule first version: fixes` of the groups with fixes.
fn offered(old: &str, new: &str) -> Vec<String> {
    let (old, new) = (catalog(old), catalog(new));
    let comparison = &compare(state(&old), state(&new))[0];
    let groups = groups(&comparison.rows);
    let found = explained((&old, &new), comparison, &groups, usize::MAX);
    let lines = groups.iter().zip(found).filter_map(|(group, found)| {
        let texts: Vec<String> = found.fixes.iter().map(|found| found.fix.describe()).collect();
        let first = group.rows[0].installed.as_str().trim_start_matches("p.v").to_owned();
        (!texts.is_empty()).then(|| format!("{} {first}: {}", group.rule.id(), texts.join("; ")))
    });
    lines.collect()
}

/// Edges that help are repairs of the channel, which are not searched here.
#[test]
fn a_channel_whose_edges_broke_is_kept_as_it_was() {
    let old = "stable: 1.2.6 (replaces 1.2.3), 1.2.3";
    let found = offered(old, "stable: 1.2.7 (replaces 1.2.3), 1.2.3");
    // Listed again, 1.2.6 would be a second head.
    assert_eq!(found, ["v0-stranded 1.2.6: keep channel `stable` as it was"]);
}

#[test]
fn a_withdrawn_head_comes_back() {
    let old = "stable: 1.1.0 (replaces 1.0.0), 1.0.0";
    let back = "list `p.v1.1.0` in channel `stable` again";
    // Not that the head skips it: this would downgrade.
    let expected = [format!("v0-stranded 1.1.0: {back}"), format!("v0-end-lower 1.0.0: {back}")];
    assert_eq!(offered(old, "stable: 1.0.0"), expected);
}

#[test]
fn a_channel_that_is_gone_is_kept() {
    let found = offered("stable: 1.0.0\nfast: 1.0.0", "stable: 1.0.0");
    assert_eq!(found, ["v0-channel-gone 1.0.0: keep channel `fast` as it was"]);
}

#[test]
fn what_was_so_before_is_not_kept() {
    let stuck = "stable: 1.2.0 (replaces 1.1.0; skips 1.1.0), 1.1.0 (replaces 1.0.0), 1.0.0";
    assert_eq!(offered(stuck, stuck), [""; 0]);
}
