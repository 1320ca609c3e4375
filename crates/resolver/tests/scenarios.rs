//! What operator-lifecycle-manager `992bb097` answered when its resolver was run on these namespaces, 300 times each.
//!
//! More than one answer is listed where its runs differ; of several texts for one contradiction ours must be one.

#[cfg(test)]
mod world;

use std::collections::BTreeSet;

use resolver::{Outcome, Problem, conflict_text, outcomes};

/// All outcomes: the new bundles as `<identifier> replaces=<name>` joined by blanks, or the error.
#[track_caller]
fn check(namespace: &str, expected: &[&str]) {
    let problem = Problem::new(world::namespace(namespace));
    let found = outcomes(&problem, 100);
    assert!(!found.bounded);
    let texts: BTreeSet<String> = found.outcomes.iter().map(|outcome| shown(&problem, outcome)).collect();
    let expected: BTreeSet<String> = expected.iter().map(|text| (*text).to_owned()).collect();
    if found.outcomes.iter().all(|outcome| matches!(outcome, Outcome::Resolved(_))) {
        assert_eq!(texts, expected);
    } else {
        assert!(texts.len() == 1 && texts.is_subset(&expected), "found {texts:#?}, expected one of {expected:#?}");
    }
}

fn shown(problem: &Problem, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Resolved(resolution) => {
            let bundles = resolution.selected.iter().map(|selected| {
                let replaces = selected.replaces.as_ref().map(|name| format!(" replaces={name}")).unwrap_or_default();
                format!("{}{replaces}", problem.name(selected.id))
            });
            bundles.collect::<Vec<_>>().join(" ")
        }
        Outcome::Unsolvable(conflict) => conflict_text(problem, conflict),
        Outcome::Prevented(prevented) => prevented.to_string(),
        Outcome::GaveUp(gave_up) => gave_up.to_string(),
    }
}

#[test]
fn s01_exclusive_upgrades_go_to_whichever_subscription_comes_first() {
    check(
        "c/ns a.v1
         c/ns a.v2 replaces=a.v1 gvk=K
         c/ns b.v1
         c/ns b.v2 replaces=b.v1 gvk=K
         csv a.v1
         csv b.v1
         sub a has=a.v1
         sub b has=b.v1",
        &["c/ns/ch/a.v2 replaces=a.v1", "c/ns/ch/b.v2 replaces=b.v1"],
    );
}

#[test]
fn s01b_exclusive_heads_of_new_subscriptions() {
    check(
        "c/ns a.v1
         c/ns a.v2 replaces=a.v1 gvk=K
         c/ns b.v1
         c/ns b.v2 replaces=b.v1 gvk=K
         sub a
         sub b",
        &["c/ns/ch/a.v1 c/ns/ch/b.v2 replaces=b.v1", "c/ns/ch/a.v2 replaces=a.v1 c/ns/ch/b.v1"],
    );
}

#[test]
fn s02_a_freestanding_dependant_may_hold_an_upgrade_back() {
    check(
        "c/ns b.v1 gvk=K
         c/ns b.v2 replaces=b.v1 gvk=K
         csv b.v1 gvk=K
         csv x.v1 needs=K
         sub b has=b.v1",
        &["", "c/ns/ch/b.v2 replaces=b.v1"],
    );
}

#[test]
fn s02b_a_subscribed_dependant_does_not() {
    check(
        "c/ns b.v1 gvk=K
         c/ns b.v2 replaces=b.v1 gvk=K
         c/ns x.v1 needs=K
         csv b.v1 gvk=K
         csv x.v1 needs=K
         sub b has=b.v1
         sub x has=x.v1",
        &["c/ns/ch/b.v2 replaces=b.v1"],
    );
}

#[test]
fn s03_without_a_channel_the_copy_is_left_to_chance() {
    check(
        "c/ns a.v2 in=stable* replaces=a.v0
         c/ns a.v2 in=alpha replaces=a.v1
         sub a in=any",
        &["c/ns/alpha/a.v2 replaces=a.v1", "c/ns/stable/a.v2 replaces=a.v0"],
    );
}

#[test]
fn s03b_without_a_channel_the_default_one_comes_first() {
    check("c/ns a.v2 in=stable*\n c/ns a.v3 in=alpha\n sub a in=any", &["c/ns/stable/a.v2"]);
}

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
fn s05_a_bundle_that_names_an_api_or_package_twice_excludes_itself() {
    check(
        "c/ns a.v1 gvk=K gvk=K\n sub a",
        &["constraints not satisfiable: c/ns/ch/a.v1 and c/ns/ch/a.v1 provide K (g/v1), subscription a exists, \
           subscription a requires c/ns/ch/a.v1"],
    );
}

#[test]
fn s06_a_slash_in_a_channel_breaks_the_identifier() {
    check(
        "c/ns a.v1 in=stable/v1*\n sub a in=stable/v1",
        &["error determining origin of operator: unable to parse identifier c/ns/stable/v1/a.v1 for source info"],
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
fn s11_deprecated_bundles_are_forbidden_even_when_installed() {
    check(
        "c/ns a.v1 deprecated\n csv a.v1 deprecated\n sub a has=a.v1",
        &[
            "constraints not satisfiable: bundle @existing/ns//a.v1 is deprecated, subscription a exists, subscription a \
           requires @existing/ns//a.v1",
        ],
    );
    let upgrade = "c/ns a.v1\n c/ns a.v2 replaces=a.v1";
    check(&format!("{upgrade}\n csv a.v1 deprecated\n sub a has=a.v1"), &["c/ns/ch/a.v2 replaces=a.v1"]);
    check(&format!("{upgrade} deprecated\n csv a.v1\n sub a has=a.v1"), &[""]);
}

#[test]
fn s11d_an_upgrade_that_cannot_have_its_dependency_waits_silently() {
    check("c/ns a.v1\n c/ns a.v2 replaces=a.v1 needs=X\n csv a.v1\n sub a has=a.v1", &[""]);
}

#[test]
fn s11e_a_vanished_channel_or_package_fails_an_installed_subscription() {
    check(
        "c/ns a.v1\n csv a.v1\n sub a in=gone has=a.v1",
        &["constraints not satisfiable: no operators found in channel gone of package a in the catalog referenced by \
           subscription a, subscription a exists"],
    );
    check(
        "c/ns b.v1\n csv a.v1\n sub a has=a.v1",
        &["constraints not satisfiable: no operators found in package a in the catalog referenced by subscription a, \
           subscription a exists"],
    );
}

#[test]
fn s11g_requirements_of_installed_operators_are_hard() {
    check(
        "csv a.v1 needs=NOPE",
        &[
            "constraints not satisfiable: bundle a.v1 requires an operator providing an API with group: g, version: v1, \
           kind: NOPE, clusterserviceversion a.v1 exists and is not referenced by a subscription",
        ],
    );
    check(
        "c/ns a.v1\n csv a.v1 needs=NOPE\n sub a has=a.v1",
        &[
            "constraints not satisfiable: bundle a.v1 requires an operator providing an API with group: g, version: v1, \
           kind: NOPE, subscription a exists, subscription a requires @existing/ns//a.v1",
        ],
    );
}

#[test]
fn s12_only_the_last_unmet_requirement_is_told() {
    let text = "constraints not satisfiable: bundle a.v1 requires an operator providing an API with group: g, version: \
                v1, kind: Y, subscription a exists, subscription a requires c/ns/ch/a.v1";
    check("c/ns a.v1 needs=X needs=Y\n sub a", &[text]);
    check("c/ns a.v1 deprecated needs=Y\n sub a", &[text]);
}

#[test]
fn s12c_a_fresh_install_falls_back_to_an_older_bundle() {
    check("c/ns a.v1\n c/ns a.v2 replaces=a.v1 needs=X\n sub a", &["c/ns/ch/a.v1"]);
}

#[test]
fn s13_the_own_catalog_comes_before_priority() {
    let catalogs = "m/ns a.v1 needs=K\n m/ns d.v1 gvk=K\n z/ns d.v9 gvk=K\n";
    check(&format!("{catalogs} sub a from=m/ns"), &["m/ns/ch/a.v1 m/ns/ch/d.v1"]);
    check(&format!("{catalogs} priority z/ns 100\n sub a from=m/ns"), &["m/ns/ch/a.v1 m/ns/ch/d.v1"]);
}

#[test]
fn s13c_the_own_namespace_comes_after_priority() {
    let catalogs = "m/ns a.v1 needs=K\n zzz/ns d.v1 gvk=K\n aaa/global d.v2 gvk=K\n";
    check(&format!("{catalogs} sub a from=m/ns"), &["m/ns/ch/a.v1 zzz/ns/ch/d.v1"]);
    check(&format!("{catalogs} priority aaa/global 1\n sub a from=m/ns"), &["aaa/global/ch/d.v2 m/ns/ch/a.v1"]);
}

#[test]
fn s13e_default_channels_come_before_package_names() {
    check(
        "m/ns a.v1 needs=K\n m/ns b.v1 in=x gvk=K\n m/ns q.v1 in=x* gvk=K\n sub a from=m/ns",
        &["m/ns/ch/a.v1 m/ns/x/q.v1"],
    );
}

#[test]
fn s14_an_unowned_csv_conflicts_with_a_subscription_to_its_package() {
    check(
        "c/ns a.v1\n c/ns a.v2 replaces=a.v1\n csv a.v1\n sub a",
        &["constraints not satisfiable: @existing/ns//a.v1, c/ns/ch/a.v1 and c/ns/ch/a.v2 originate from package a, \
           clusterserviceversion a.v1 exists and is not referenced by a subscription, subscription a exists, \
           subscription a requires at least one of c/ns/ch/a.v2 or c/ns/ch/a.v1"],
    );
}

#[test]
fn s15_two_packages_with_one_bundle_name_collide() {
    check("c/ns a.v1\n c/ns a.v1 pkg=b\n sub a", &["expected exactly one operator, got 2"]);
}

#[test]
fn s16_a_broken_channel_of_a_provider_fails_the_namespace() {
    let text = "a unique replacement chain within a channel is required to determine the relative order between channel \
                entries, but 2 replacement chains were found in channel \"ch\" of package \"bad\": bad.v1, bad.v2";
    check("c/ns a.v1 needs=K\n c/ns bad.v1 gvk=K\n c/ns bad.v2\n c/ns good.v1 gvk=K\n sub a", &[text]);
    check("c/ns a.v1 wants=bad:>=2.0.0\n c/ns bad.v1\n c/ns bad.v2\n sub a", &[text]);
}

#[test]
fn s17_no_source_means_every_catalog() {
    check("c/ns a.v1\n sub a from=any", &["c/ns/ch/a.v1"]);
}

#[test]
fn s18_one_subscription_that_finds_nothing_fails_all() {
    check(
        "c/ns a.v1\n sub a from=nope/ns",
        &[
            "constraints not satisfiable: no operators found from catalog nope in namespace ns referenced by subscription \
           a, subscription a exists",
        ],
    );
    check(
        "c/ns a.v1\n sub bad pkg=nope\n sub good pkg=a",
        &["constraints not satisfiable: no operators found in package nope in the catalog referenced by subscription \
           bad, subscription bad exists"],
    );
}

#[test]
fn s21_a_bundle_can_meet_its_own_requirement() {
    check("c/ns a.v1 gvk=K needs=K\n sub a", &["c/ns/ch/a.v1"]);
    check("c/ns a.v1 gvk=K\n c/ns z.v1 gvk=K needs=K\n sub z", &["c/ns/ch/z.v1"]);
}

#[test]
fn s22_two_installed_csvs_of_one_package_that_meet_a_requirement_are_an_error() {
    let text = "a unique replacement chain within a channel is required to determine the relative order between channel \
                entries, but 2 replacement chains were found in channel \"\" of package";
    check(
        "c/ns p.v1\n c/ns q.v1\n csv p.v1 pkg=- gvk=K\n csv q.v1 pkg=- gvk=K\n csv x.v1 needs=K\n sub p has=p.v1
         sub q has=q.v1",
        &[&format!("{text} \"\": p.v1, q.v1")],
    );
    check(
        "c/ns p.v1\n csv p.v0 gvk=K\n csv p.v1 gvk=K\n csv x.v1 needs=K\n sub p has=p.v1",
        &[&format!("{text} \"p\": p.v1, p.v0"), &format!("{text} \"p\": p.v0, p.v1")],
    );
}

#[test]
fn s36_a_dependency_two_hops_away_is_a_deadlock() {
    let installed =
        "c/ns cc.v1\n c/ns cc.v2 replaces=cc.v1\n c/ns cc.v3 replaces=cc.v2\n csv cc.v1\n sub cc has=cc.v1\n";
    check(
        &format!("{installed} c/ns a.v1 wants=cc:>=3.0.0\n sub a"),
        &[
            "constraints not satisfiable: @existing/ns//cc.v1, c/ns/ch/cc.v2 and c/ns/ch/cc.v3 originate from package cc, \
           bundle a.v1 requires an operator with package: cc and with version in range: >=3.0.0, subscription a exists, \
           subscription a requires c/ns/ch/a.v1, subscription cc exists, subscription cc requires at least one of \
           c/ns/ch/cc.v2 or @existing/ns//cc.v1",
        ],
    );
    check(&format!("{installed} c/ns a.v1 wants=cc:>=2.0.0\n sub a"), &["c/ns/ch/a.v1 c/ns/ch/cc.v2 replaces=cc.v1"]);
}

#[test]
fn s37_a_new_subscription_can_hold_an_installed_operator_back() {
    let keeps = "c/ns a.v1 needs=K\n c/ns d.v1 gvk=K\n csv d.v1 gvk=K\n sub a\n sub d has=d.v1\n";
    check(&format!("{keeps} c/ns d.v2 replaces=d.v1 gvk=K"), &["c/ns/ch/a.v1 c/ns/ch/d.v2 replaces=d.v1"]);
    check(&format!("{keeps} c/ns d.v2 replaces=d.v1"), &["c/ns/ch/a.v1"]);
}

#[test]
fn s38_uniqueness_is_by_identifier() {
    check(
        "c/ns a.v1 in=alpha*\n c/ns a.v1 in=beta\n sub a1 pkg=a in=alpha\n sub a2 pkg=a in=beta",
        &["constraints not satisfiable: c/ns/alpha/a.v1 and c/ns/beta/a.v1 originate from package a, subscription a1 \
           exists, subscription a1 requires c/ns/alpha/a.v1, subscription a2 exists, subscription a2 requires \
           c/ns/beta/a.v1"],
    );
    check(
        "c/ns a.v1 in=alpha*\n c/ns a.v2 in=beta\n sub a1 pkg=a in=alpha\n sub a2 pkg=a in=any",
        &["c/ns/alpha/a.v1"],
    );
    check(
        "c/ns a.v1\n d/ns a.v1\n sub a1 pkg=a\n sub a2 pkg=a from=d/ns",
        &[
            "constraints not satisfiable: c/ns/ch/a.v1 and d/ns/ch/a.v1 originate from package a, subscription a1 exists, \
           subscription a1 requires c/ns/ch/a.v1, subscription a2 exists, subscription a2 requires d/ns/ch/a.v1",
        ],
    );
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
fn s50_errors_of_several_subscriptions_are_listed_in_brackets() {
    let text = "a unique replacement chain within a channel is required to determine the relative order between channel \
                entries, but 2 replacement chains were found in channel \"ch\" of package";
    check(
        "c/ns a.v1\n c/ns a.v2\n c/ns b.v1\n c/ns b.v2\n sub a\n sub b",
        &[&format!("[{text} \"a\": a.v1, a.v2, {text} \"b\": b.v1, b.v2]")],
    );
}

#[test]
fn s51_of_three_exclusive_heads_any_may_win() {
    let bundles = ["a", "b", "d"].map(|p| format!("c/ns {p}.v1\n c/ns {p}.v2 replaces={p}.v1 gvk=K\n sub {p}\n"));
    check(
        &bundles.concat(),
        &[
            "c/ns/ch/a.v1 c/ns/ch/b.v1 c/ns/ch/d.v2 replaces=d.v1",
            "c/ns/ch/a.v1 c/ns/ch/b.v2 replaces=b.v1 c/ns/ch/d.v1",
            "c/ns/ch/a.v2 replaces=a.v1 c/ns/ch/b.v1 c/ns/ch/d.v1",
        ],
    );
}

#[test]
fn s54_any_copy_of_a_reachable_name_may_be_taken() {
    check(
        "c/ns a.v1 in=alpha\n c/ns a.v2 in=alpha replaces=a.v1\n c/ns a.v2 in=stable*\n csv a.v1\n sub a in=any has=a.v1",
        &["c/ns/alpha/a.v2 replaces=a.v1", "c/ns/stable/a.v2 replaces=a.v1"],
    );
    check(
        "c/ns a.v2 in=alpha*\n c/ns a.v2 in=beta\n c/ns a.v3 in=beta skips=a.v2 needs=X\n sub a in=any",
        &["c/ns/alpha/a.v2", "c/ns/beta/a.v2"],
    );
}

#[test]
fn s56_a_csv_of_unknown_package_escapes_uniqueness() {
    let bundles = "c/ns a.v1 wants=d:>=2.0.0\n c/ns d.v1\n c/ns d.v2 replaces=d.v1\n sub a\n";
    check(
        &format!("{bundles} csv d.v1"),
        &["constraints not satisfiable: @existing/ns//d.v1 and c/ns/ch/d.v2 originate from package d, bundle a.v1 \
           requires an operator with package: d and with version in range: >=2.0.0, clusterserviceversion d.v1 exists \
           and is not referenced by a subscription, subscription a exists, subscription a requires c/ns/ch/a.v1"],
    );
    check(&format!("{bundles} csv d.v1 pkg=-"), &["c/ns/ch/a.v1 c/ns/ch/d.v2 replaces=d.v1"]);
}

#[test]
fn s57_a_deprecated_provider_is_passed_over() {
    check(
        "c/ns a.v1 wants=d:>=1.0.0\n c/ns d.v1\n c/ns d.v2 replaces=d.v1 deprecated\n sub a",
        &["c/ns/ch/a.v1 c/ns/ch/d.v1"],
    );
}

#[test]
fn s61_ranges_are_blang_ranges() {
    check(
        "c/ns a.v1 wants=d:>=1.0.0_<2.0.0\n c/ns d.v1\n c/ns d.v2 version=2.0.0-alpha skips=d.v1\n sub a",
        &["c/ns/ch/a.v1 c/ns/ch/d.v2"],
    );
    check(
        "c/ns a.v1 wants=d:>=1.0.0,\n c/ns d.v1\n sub a",
        &[
            "Could not parse Range \">=1.0.0,\": Could not parse version \"1.0.0,\" in \">=1.0.0,\": Invalid character(s) \
           found in patch number \"0,\"",
        ],
    );
    check("c/ns a.v1 wants=d:\n c/ns d.v1\n sub a", &["Last element in range is '||'"]);
}

#[test]
fn s63_a_self_replacing_entry_below_the_head_is_a_cycle() {
    check(
        "c/ns a.v1 replaces=a.v1\n c/ns a.v2 replaces=a.v1\n csv a.v1\n sub a has=a.v1",
        &["a cycle exists in the chain of replacement beginning with \"a.v2\" in channel \"ch\" of package \"a\""],
    );
}

#[test]
fn s64_one_contradiction_of_several_is_told() {
    let told = |name: &str, api: &str| {
        format!(
            "constraints not satisfiable: bundle {name}.v1 requires an operator providing an API with group: g, version: \
             v1, kind: {api}, subscription {name} exists, subscription {name} requires c/ns/ch/{name}.v1"
        )
    };
    check("c/ns a.v1 needs=X\n c/ns b.v1 needs=Y\n sub a\n sub b", &[&told("a", "X"), &told("b", "Y")]);
    check(
        "c/ns a.v1 needs=Y\n c/ns a.v2 replaces=a.v1 needs=X\n sub a",
        &[
            "constraints not satisfiable: bundle a.v1 requires an operator providing an API with group: g, version: v1, \
           kind: Y, bundle a.v2 requires an operator providing an API with group: g, version: v1, kind: X, subscription \
           a exists, subscription a requires at least one of c/ns/ch/a.v2 or c/ns/ch/a.v1",
        ],
    );
    check(
        "c/ns a.v1 needs=X\n c/ns x.v1 gvk=X needs=Y\n sub a",
        &[
            "constraints not satisfiable: bundle a.v1 requires an operator providing an API with group: g, version: v1, \
           kind: X, bundle x.v1 requires an operator providing an API with group: g, version: v1, kind: Y, subscription \
           a exists, subscription a requires c/ns/ch/a.v1",
        ],
    );
}

#[test]
fn s71_a_newer_version_in_another_channel_does_not_help() {
    let bundles = "c/ns a.v1 wants=d:>=2.0.0\n c/ns d.v1 in=beta\n csv d.v1\n sub a\n sub d in=beta has=d.v1\n";
    check(
        &format!("{bundles} c/ns d.v2 in=alpha*"),
        &["constraints not satisfiable: @existing/ns//d.v1 and c/ns/alpha/d.v2 originate from package d, bundle a.v1 \
           requires an operator with package: d and with version in range: >=2.0.0, subscription a exists, subscription \
           a requires c/ns/ch/a.v1, subscription d exists, subscription d requires @existing/ns//d.v1"],
    );
    check(
        &format!("{bundles} c/ns d.v2 in=alpha*\n c/ns d.v2 in=beta replaces=d.v1"),
        &["c/ns/beta/d.v2 replaces=d.v1 c/ns/ch/a.v1"],
    );
}

#[test]
fn s74_upgrades_that_need_each_other_move_together() {
    check(
        "c/ns a.v1 wants=b:=1.0.0\n c/ns a.v2 replaces=a.v1 wants=b:=2.0.0
         c/ns b.v1 wants=a:=1.0.0\n c/ns b.v2 replaces=b.v1 wants=a:=2.0.0
         csv a.v1 wants=b:=1.0.0\n csv b.v1 wants=a:=1.0.0\n sub a has=a.v1\n sub b has=b.v1",
        &["c/ns/ch/a.v2 replaces=a.v1 c/ns/ch/b.v2 replaces=b.v1"],
    );
}

#[test]
fn s75_an_upgrade_that_excludes_anothers() {
    check(
        "c/ns a.v1\n c/ns a.v2 replaces=a.v1 wants=b:<2.0.0\n c/ns b.v1\n c/ns b.v2 replaces=b.v1
         csv a.v1\n csv b.v1\n sub a has=a.v1\n sub b has=b.v1",
        &["c/ns/ch/a.v2 replaces=a.v1", "c/ns/ch/b.v2 replaces=b.v1"],
    );
}

#[test]
fn s76_all_versions_of_the_own_catalog_come_first() {
    check("c/ns a.v1 wants=d:>=1.0.0\n c/ns d.v1\n z/ns d.v9\n sub a", &["c/ns/ch/a.v1 c/ns/ch/d.v1"]);
    check("c/ns a.v1 wants=d:>=9.0.0\n c/ns d.v1\n z/ns d.v9\n sub a", &["c/ns/ch/a.v1 z/ns/ch/d.v9"]);
}

#[test]
fn s79_a_package_named_like_a_subscription_is_no_trouble() {
    check("c/ns x.v1 pkg=subscription:x\n sub x pkg=subscription:x", &["c/ns/ch/x.v1"]);
}

#[test]
fn s80_a_deprecated_freestanding_csv_fails_without_any_subscription() {
    check(
        "csv d.v1 deprecated",
        &[
            "constraints not satisfiable: bundle @existing/ns//d.v1 is deprecated, clusterserviceversion d.v1 exists and \
           is not referenced by a subscription",
        ],
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
