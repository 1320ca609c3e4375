//! Which bundle meets a requirement.

use super::check;

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
fn s16_a_broken_channel_of_a_provider_fails_the_namespace() {
    let text = "a unique replacement chain within a channel is required to determine the relative order between channel \
                entries, but 2 replacement chains were found in channel \"ch\" of package \"bad\": bad.v1, bad.v2";
    check("c/ns a.v1 needs=K\n c/ns bad.v1 gvk=K\n c/ns bad.v2\n c/ns good.v1 gvk=K\n sub a", &[text]);
    check("c/ns a.v1 wants=bad:>=2.0.0\n c/ns bad.v1\n c/ns bad.v2\n sub a", &[text]);
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
        &[&format!("{text} \"\": p.v1, q.v1"), &format!("{text} \"\": q.v1, p.v1")],
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
fn s57_a_deprecated_provider_is_refused() {
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
fn s76_all_versions_of_the_own_catalog_come_first() {
    check("c/ns a.v1 wants=d:>=1.0.0\n c/ns d.v1\n z/ns d.v9\n sub a", &["c/ns/ch/a.v1 c/ns/ch/d.v1"]);
    check("c/ns a.v1 wants=d:>=9.0.0\n c/ns d.v1\n z/ns d.v9\n sub a", &["c/ns/ch/a.v1 z/ns/ch/d.v9"]);
}
