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
