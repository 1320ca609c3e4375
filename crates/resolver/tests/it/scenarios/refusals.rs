//! What can never be selected, and what stops a whole namespace.

use super::check;

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
fn s12_only_the_last_unmet_requirement_is_named() {
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
fn s50_errors_of_several_subscriptions_are_listed_in_brackets() {
    let text = "a unique replacement chain within a channel is required to determine the relative order between channel \
                entries, but 2 replacement chains were found in channel \"ch\" of package";
    check(
        "c/ns a.v1\n c/ns a.v2\n c/ns b.v1\n c/ns b.v2\n sub a\n sub b",
        &[&format!("[{text} \"a\": a.v1, a.v2, {text} \"b\": b.v1, b.v2]")],
    );
}

#[test]
fn s64_one_conflict_of_several_is_reported() {
    let text = |name: &str, api: &str| {
        format!(
            "constraints not satisfiable: bundle {name}.v1 requires an operator providing an API with group: g, version: \
             v1, kind: {api}, subscription {name} exists, subscription {name} requires c/ns/ch/{name}.v1"
        )
    };
    check("c/ns a.v1 needs=X\n c/ns b.v1 needs=Y\n sub a\n sub b", &[&text("a", "X"), &text("b", "Y")]);
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
