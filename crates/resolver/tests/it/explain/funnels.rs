//! Where candidates are lost.

use cluster::CatalogKey;
use resolver::{Fact, Filter, Funnel, Hint, requirement_funnel, subscription_funnel};

use super::problem;
use crate::world;

/// The funnel of the first Subscription.
#[track_caller]
fn check(namespace: &str, expected: &str) {
    let subscription = world::namespace(namespace).subscriptions.remove(0);
    assert_eq!(shown(&subscription_funnel(&problem(namespace), &subscription)), expected);
}

/// The funnel of the first requirement.
#[track_caller]
fn check_requirement(namespace: &str, expected: &str) {
    let problem = problem(namespace);
    let (rule, _) = problem.facts().find(|(_, fact)| matches!(fact, Fact::Requires { .. })).unwrap();
    assert_eq!(shown(&requirement_funnel(&problem, rule).unwrap()), expected);
}

/// `filter count, … | hints`
fn shown(funnel: &Funnel) -> String {
    let stages: Vec<String> =
        funnel.stages.iter().map(|stage| format!("{} {}", filter(&stage.filter), stage.left)).collect();
    let hints: Vec<String> = funnel.hints.iter().map(hint).collect();
    let separator = if hints.is_empty() { "" } else { " | " };
    format!("{}{separator}{}", stages.join(", "), hints.join(", "))
}

fn filter(filter: &Filter) -> String {
    match filter {
        Filter::Catalog(key) => key.as_ref().map_or("all".to_owned(), catalog),
        Filter::Package(name) => format!("package {name}"),
        Filter::Channel(name) => format!("channel {name}"),
        Filter::StartingCsv(name) => format!("start {name}"),
        Filter::Chain { broken: None } => "chain".to_owned(),
        Filter::Chain { broken: Some(_) } => "broken chain".to_owned(),
        Filter::Follows(name) => format!("after {name}"),
        Filter::Provides(gvk) => format!("api {gvk}"),
        Filter::InRange { range, versions } => {
            let versions: Vec<String> = versions.iter().map(ToString::to_string).collect();
            format!("range {range} of [{}]", versions.join(" "))
        }
        Filter::Meets(requirement) => format!("meets [{requirement}]"),
        Filter::Allowed => "allowed".to_owned(),
    }
}

fn catalog(key: &CatalogKey) -> String {
    format!("{}/{}", key.name, key.namespace)
}

fn hint(hint: &Hint) -> String {
    match hint {
        Hint::Catalog(key) => format!("catalog {}?", catalog(key)),
        Hint::Package(name) => format!("package {name}?"),
        Hint::Channel(name) => format!("channel {name}?"),
        Hint::DefaultChannel(name) => format!("default channel {name}"),
        Hint::Bundle(name) => format!("bundle {name}?"),
        Hint::InCatalog(key) => format!("in catalog {}", catalog(key)),
        Hint::InChannel(name) => format!("in channel {name}"),
        Hint::Swapped => "swapped".to_owned(),
        Hint::Api(gvk) => format!("api {gvk}?"),
        Hint::Apart(names) => format!("apart: {}", names.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")),
    }
}

#[test]
fn a_funnel_counts_what_each_filter_leaves() {
    let catalog = "c/ns a.v1\n c/ns a.v2 replaces=a.v1\n c/ns a.v3 replaces=a.v2 needs=X\n c/ns b.v1\n d/ns a.v1";
    check(&format!("{catalog}\n sub a"), "c/ns 4, package a 3, channel ch 3, chain 3, allowed 2");
    check(
        &format!("{catalog}\n csv a.v1\n sub a has=a.v1"),
        "c/ns 4, package a 3, channel ch 3, chain 3, after a.v1 1, allowed 1",
    );
}

#[test]
fn s18_a_missing_catalog_package_or_channel_is_proposed() {
    let catalog = "c/ns etcd.v1\n d/ns quay.v1 in=stable*";
    check(&format!("{catalog}\n sub etcd from=cc/ns"), "cc/ns 0 | in catalog c/ns");
    check(&format!("{catalog}\n sub etdc"), "c/ns 1, package etdc 0 | package etcd?");
    check(&format!("{catalog}\n sub quay"), "c/ns 1, package quay 0 | in catalog d/ns");
    check(
        &format!("{catalog}\n sub quay from=d/ns in=stabel"),
        "d/ns 1, package quay 1, channel stabel 0 | channel stable?",
    );
    check(
        &format!("{catalog}\n sub quay from=d/ns in=x"),
        "d/ns 1, package quay 1, channel x 0 | default channel stable",
    );
}

#[test]
fn package_and_channel_the_wrong_way_round_are_noticed() {
    check("c/ns acs.v1 in=stable*\n sub stable in=acs", "c/ns 1, package stable 0 | swapped");
}

#[test]
fn a_starting_csv_of_another_channel_is_found_there() {
    let catalog = "c/ns a.v1 in=alpha*\n c/ns a.v2 in=beta";
    check(
        &format!("{catalog}\n sub a in=alpha start=a.v2"),
        "c/ns 2, package a 2, channel alpha 1, start a.v2 0 | in channel beta, bundle a.v1?",
    );
}

#[test]
fn an_installed_csv_without_an_edge_leaves_nothing() {
    check(
        "c/ns a.v9 in=new*\n csv a.v1\n sub a in=new has=a.v1",
        "c/ns 1, package a 1, channel new 1, chain 1, after a.v1 0",
    );
}

#[test]
fn a_channel_without_order_is_said_so() {
    check("c/ns a.v1\n c/ns a.v2\n sub a", "c/ns 2, package a 2, channel ch 2, broken chain 0");
}

#[test]
fn s11h_an_api_that_nobody_provides_has_neighbours() {
    check_requirement(
        "c/ns a.v1 needs=Kind\n c/ns b.v1 gvk=Kindd\n sub a",
        "all 2, api Kind (g/v1) 0 | api Kindd (g/v1)?",
    );
}

#[test]
fn s61_the_versions_of_a_package_are_listed_beside_the_range() {
    check_requirement(
        "c/ns a.v1 wants=d:>=3.0.0\n c/ns d.v1\n c/ns d.v2 replaces=d.v1\n sub a",
        "all 3, package d 2, range >=3.0.0 of [1.0.0 2.0.0] 0",
    );
    check_requirement("c/ns a.v1 wants=dep:>=3.0.0\n c/ns dpe.v1\n sub a", "all 2, package dep 0 | package dpe?");
}

#[test]
fn a_skipped_provider_is_none() {
    check_requirement(
        "c/ns a.v1 needs=K\n c/ns d.v1 gvk=K\n c/ns d.v2 skips=d.v1\n sub a",
        "all 3, api K (g/v1) 1, chain 0",
    );
}

#[test]
fn s57_a_deprecated_provider_is_not_allowed() {
    check_requirement(
        "c/ns a.v1 needs=K\n c/ns d.v1 gvk=K deprecated\n sub a",
        "all 2, api K (g/v1) 1, chain 1, allowed 0",
    );
}

#[test]
fn each_part_of_a_constraint_is_a_filter() {
    check_requirement(
        r#"c/ns a.v1 constraint={"all":{"constraints":[{"package":{"packageName":"d","versionRange":">=1.0.0"}},{"gvk":{"group":"g","version":"v1","kind":"K"}}]}}
        c/ns d.v1
        c/ns d.v2 replaces=d.v1 gvk=K
        sub a"#,
        "all 3, package d 2, range >=1.0.0 of [1.0.0 2.0.0] 2, api K (g/v1) 1, chain 1, allowed 1",
    );
}
