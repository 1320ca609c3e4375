//! What is offered for rows that came out worse.

use crate::{catalog, explained, state};
use compare::{compare, groups};

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

#[test]
fn a_head_that_skips_the_old_one_need_not_skip_it() {
    let old = "stable: 0.2.3 (replaces 0.1.1; skips 0.1.1, 0.2.0), 0.2.0, 0.1.1";
    let new = "stable: 0.3.0 (replaces 0.2.3; skips 0.2.3), 0.2.3 (replaces 0.1.1; skips 0.1.1, 0.2.0), 0.2.0, 0.1.1";
    let expected = [
        "take `p.v0.2.3` out of `skips` of `p.v0.3.0` in channel `stable`, so that its own edges count",
        "add `p.v0.1.1`, `p.v0.2.0` to `skips` of `p.v0.3.0` in channel `stable`",
        "set `skipRange` of `p.v0.3.0` in channel `stable` to `>=0.1.1 <0.3.0`",
    ];
    assert_eq!(offered(old, new), [format!("v0-stranded 0.1.1: {}", expected.join("; "))]);
}

#[test]
fn an_exchanged_entry_is_skipped_or_listed_again() {
    let old = "stable: 1.2.6 (replaces 1.2.3), 1.2.3";
    let expected = [
        "add `p.v1.2.6` to `skips` of `p.v1.2.7` in channel `stable`",
        "set `skipRange` of `p.v1.2.7` in channel `stable` to `>=1.2.6 <1.2.7`",
    ];
    let found = offered(old, "stable: 1.2.7 (replaces 1.2.3), 1.2.3");
    assert_eq!(
        found,
        [format!("v0-stranded 1.2.6: {}", expected.join("; "))],
        "listed again, it would be a second head"
    );
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
fn who_was_stuck_before_gets_fixes_too() {
    let channel = "stable: 1.1.0 (replaces 1.0.0), 1.0.0, 0.9.0";
    let new = "stable: 1.2.0 (replaces 1.1.0), 1.1.0 (replaces 1.0.0; skips 0.9.0), 1.0.0, 0.9.0";
    assert_eq!(offered(channel, channel).len(), 0, "opm rejects two heads");
    assert_eq!(offered(new, new).len(), 0);
    let stuck = "stable: 1.2.0 (replaces 1.1.0; skips 1.1.0), 1.1.0 (replaces 1.0.0), 1.0.0";
    let found = offered(stuck, stuck);
    assert!(found[0].starts_with("v0-still-stranded 1.0.0: take `p.v1.1.0` out of `skips`"), "{found:?}");
}
