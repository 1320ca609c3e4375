//! Which entry an installed operator moves to, and where a fresh one starts.

use super::check;

#[test]
fn s04_an_upgrade_in_flight_freezes_the_namespace() {
    let [rest, by] = [
        "clusterserviceversion a.v1 exists and is not referenced by a subscription, subscription a exists, subscription a \
         requires at least one of c/ns/ch/a.v3 or @existing/ns//a.v2",
        "constraints not satisfiable: @existing/ns//a.v1, @existing/ns//a.v2 and c/ns/ch/a.v3",
    ];
    check(
        "c/ns a.v1 gvk=K
         c/ns a.v2 replaces=a.v1 gvk=K
         c/ns a.v3 replaces=a.v2 gvk=K
         csv a.v1 gvk=K
         csv a.v2 gvk=K
         sub a has=a.v2",
        &[&format!("{by} originate from package a, {rest}"), &format!("{by} provide K (g/v1), {rest}")],
    );
    check(
        "c/ns a.v1 gvk=K
         c/ns a.v2 replaces=a.v1 gvk=K
         c/ns a.v3 replaces=a.v2 gvk=K
         csv a.v1 gvk=K pkg=-
         csv a.v2 gvk=K pkg=-
         sub a has=a.v2",
        &[&format!("{by} provide K (g/v1), {rest}")],
    );
}

#[test]
fn s07_a_wide_skip_range_below_downgrades() {
    check(
        "c/ns a.v2 range=<9.0.0
         c/ns a.v3 replaces=a.v2
         csv a.v3
         sub a has=a.v3",
        &["c/ns/ch/a.v2 replaces=a.v3"],
    );
}

#[test]
fn s08_a_skip_range_may_cover_its_own_version() {
    check("c/ns a.v3 range=<=3.0.0\n csv a.v3\n sub a has=a.v3", &["c/ns/ch/a.v3 replaces=a.v3"]);
}

const PRUNED: &str = "c/ns a.v1 replaces=a.v0
                      c/ns a.v2 replaces=a.v1
                      c/ns a.v3 replaces=a.v2
                      c/ns a.v4 replaces=a.v1 skips=a.v2 skips=a.v3 range=<4.0.0\n";

#[test]
fn s09_starting_csv_reaches_what_is_skipped() {
    check(&format!("{PRUNED} sub a start=a.v1"), &["c/ns/ch/a.v1 replaces=a.v0"]);
    check(&format!("{PRUNED} sub a start=a.v2"), &["c/ns/ch/a.v2 replaces=a.v1"]);
    check(&format!("{PRUNED} sub a start=a.v3"), &["c/ns/ch/a.v3 replaces=a.v2"]);
    check(&format!("{PRUNED} sub a start=a.v4"), &["c/ns/ch/a.v4 replaces=a.v1"]);
    check(
        &format!("{PRUNED} sub a start=a.v0"),
        &["constraints not satisfiable: no operators found with name a.v0 in channel ch of package a in the catalog \
           referenced by subscription a, subscription a exists"],
    );
}

const STRANDED: &str = "c/ns a.v1\n c/ns a.v2 replaces=a.v1\n c/ns a.v3 skips=a.v2\n";

#[test]
fn s09b_starting_csv_reaches_a_stranded_entry() {
    check(&format!("{STRANDED} sub a start=a.v1"), &["c/ns/ch/a.v1"]);
    check(&format!("{STRANDED} sub a"), &["c/ns/ch/a.v3"]);
}

#[test]
fn s09d_starting_csv_reaches_into_a_broken_channel() {
    let channel = "c/ns a.v1\n c/ns a.v2 replaces=a.v1\n c/ns a.v3\n";
    check(&format!("{channel} sub a start=a.v1"), &["c/ns/ch/a.v1"]);
    check(
        &format!("{channel} sub a"),
        &["a unique replacement chain within a channel is required to determine the relative order between channel \
           entries, but 2 replacement chains were found in channel \"ch\" of package \"a\": a.v2...a.v1, a.v3"],
    );
}

#[test]
fn s09f_an_entry_that_supersedes_itself_cannot_start() {
    let text = "no channel heads (entries not replaced by another entry) found in channel \"ch\" of package \"a\"";
    check("c/ns a.v1 replaces=a.v1\n sub a start=a.v1", &[text]);
    check("c/ns a.v1 skips=a.v1\n sub a start=a.v1", &[text]);
}

#[test]
fn s10_stuck_where_the_only_successor_is_skipped() {
    check(&format!("{STRANDED} csv a.v1\n sub a has=a.v1"), &[""]);
}

#[test]
fn s10b_starting_csv_counts_only_while_nothing_is_installed() {
    let channel = "c/ns a.v1\n c/ns a.v2 replaces=a.v1\n";
    check(&format!("{channel} csv a.v1\n sub a has=a.v1 start=a.v9"), &["c/ns/ch/a.v2 replaces=a.v1"]);
    check(&format!("{channel} sub a has=a.v1 start=a.v1"), &["c/ns/ch/a.v1"]);
}

#[test]
fn s39_a_second_subscription_to_an_installed_package_needs_an_upgrade() {
    check(
        "c/ns a.v1\n csv a.v1\n sub a1 pkg=a has=a.v1\n sub a2 pkg=a",
        &[
            "constraints not satisfiable: @existing/ns//a.v1 and c/ns/ch/a.v1 originate from package a, subscription a1 \
           exists, subscription a1 requires @existing/ns//a.v1, subscription a2 exists, subscription a2 requires \
           c/ns/ch/a.v1",
        ],
    );
    check(
        "c/ns a.v1\n c/ns a.v2 replaces=a.v1\n csv a.v1\n sub a1 pkg=a has=a.v1\n sub a2 pkg=a",
        &["c/ns/ch/a.v2 replaces=a.v1"],
    );
}

#[test]
fn s40_switches_follow_edges_wherever_they_are() {
    check("c/ns a.v1\n c/ns a.v9 in=new\n csv a.v1\n sub a in=new has=a.v1", &[""]);
    check(
        "c/ns a.v1\n c/ns a.v9 in=new range=<9.0.0\n csv a.v1\n sub a in=new has=a.v1",
        &["c/ns/new/a.v9 replaces=a.v1"],
    );
    check("d/ns a.v1\n d/ns a.v2 replaces=a.v1\n csv a.v1\n sub a from=d/ns has=a.v1", &["d/ns/ch/a.v2 replaces=a.v1"]);
    check("c/ns b.v2 replaces=a.v1\n csv a.v1\n sub b has=a.v1", &["c/ns/ch/b.v2 replaces=a.v1"]);
    check(
        "c/ns a.v1\n c/ns a.v2 in=alpha replaces=a.v1\n csv a.v1\n sub a in=any has=a.v1",
        &["c/ns/alpha/a.v2 replaces=a.v1"],
    );
}

#[test]
fn s44_the_entry_closest_to_the_head_that_can_jump() {
    check(
        "c/ns a.v1\n c/ns a.v2 replaces=a.v1\n c/ns a.v3 replaces=a.v2 range=<3.0.0\n csv a.v1\n sub a has=a.v1",
        &["c/ns/ch/a.v3 replaces=a.v1"],
    );
    check(
        "c/ns a.v1\n c/ns a.v2 replaces=a.v1\n c/ns a.v3 replaces=a.v2 range=<3.0.0 needs=X\n csv a.v1\n sub a has=a.v1",
        &["c/ns/ch/a.v2 replaces=a.v1"],
    );
}

#[test]
fn s63_a_self_replacing_entry_below_the_head_is_a_cycle() {
    check(
        "c/ns a.v1 replaces=a.v1\n c/ns a.v2 replaces=a.v1\n csv a.v1\n sub a has=a.v1",
        &["a cycle exists in the chain of replacement beginning with \"a.v2\" in channel \"ch\" of package \"a\""],
    );
}

#[test]
fn s90_uncovered_siblings_are_heads_whatever_the_skip_range() {
    let channel = "c/ns a.v1\n c/ns a.v2 range=<2.0.0\n c/ns a.v3 range=<3.0.0\n";
    check(&format!("{channel} sub a start=a.v2"), &["c/ns/ch/a.v2"]);
    check(
        &format!("{channel} csv a.v2\n sub a has=a.v2"),
        &["a unique replacement chain within a channel is required to determine the relative order between channel \
           entries, but 3 replacement chains were found in channel \"ch\" of package \"a\": a.v1, a.v2, a.v3"],
    );
}

#[test]
fn s91_an_upgrade_conflicts_with_what_it_replaces_even_if_they_share_nothing() {
    check(
        "c/ns a.v1\n c/ns a.v2 replaces=a.v1\n c/ns b.v1 needs=OLD wants=a:>=2.0.0
         csv a.v1 pkg=- gvk=OLD\n sub a has=a.v1\n sub b",
        &[
            "constraints not satisfiable: bundle b.v1 requires an operator providing an API with group: g, version: v1, \
           kind: OLD, bundle b.v1 requires an operator with package: a and with version in range: >=2.0.0, c/ns/ch/a.v2 \
           conflicts with @existing/ns//a.v1, subscription b exists, subscription b requires c/ns/ch/b.v1",
        ],
    );
}

#[test]
fn s92_no_edge_no_upgrade() {
    check("c/ns a.v3 replaces=a.v2\n csv a.v1\n sub a has=a.v1", &[""]);
}

#[test]
fn s93_a_skipped_entry_is_no_stepping_stone() {
    check("c/ns a.v2 range=>=1.0.0_<2.0.0\n c/ns a.v3 skips=a.v2\n csv a.v1\n sub a has=a.v1", &[""]);
}
