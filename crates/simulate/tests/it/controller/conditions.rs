//! Conditions of Subscriptions.

use super::world::{World, installed, lines, subscription};
use cluster::ConditionType;
use simulate::{Action, Blocker, End};

const DEPRECATIONS: &str = "---
schema: olm.deprecations
package: a
entries:
- {reference: {schema: olm.package}, message: use z}
- {reference: {schema: olm.channel, name: ch}, message: use other}
- {reference: {schema: olm.bundle, name: a.v1}, message: has a hole}
";

/// The deprecation conditions of the Subscription `a` after the run has settled.
fn deprecations(spec: &str) -> Vec<String> {
    let text = format!("package a\nch: a.v1\n{DEPRECATIONS}");
    let manifests = installed("a", "", "a.v1").replace(", channel: ch", spec);
    let mut controller = World::new(&text, &manifests).controller();
    controller.settle(200);
    let conditions = controller.cluster().subscriptions[0].status.conditions.iter();
    let about = conditions.filter(|(kind, _)| kind.as_str().ends_with("Deprecated"));
    about
        .map(|(kind, condition)| format!("{kind} {} '{}' {}", condition.status, condition.reason, condition.message))
        .collect()
}

#[test]
fn deprecations_of_the_installed_bundle_are_conditions_without_a_reason() {
    let expected = [
        "Deprecated True '' olm.package/a: use z; olm.channel/ch: use other; olm.bundle/a.v1: has a hole",
        "PackageDeprecated True '' olm.package/a: use z",
        "ChannelDeprecated True '' olm.channel/ch: use other",
        "BundleDeprecated True '' olm.bundle/a.v1: has a hole",
    ];
    assert_eq!(deprecations(", channel: ch"), expected);
}

#[test]
fn a_subscription_without_channel_has_no_channel_condition() {
    let expected = [
        "Deprecated True '' olm.package/a: use z; olm.bundle/a.v1: has a hole",
        "PackageDeprecated True '' olm.package/a: use z",
        "BundleDeprecated True '' olm.bundle/a.v1: has a hole",
    ];
    assert_eq!(deprecations(""), expected);
}

#[test]
fn a_deprecation_is_removed_with_the_bundle() {
    let bundle = DEPRECATIONS.lines().filter(|line| !line.contains("olm.package") && !line.contains("olm.channel"));
    let bundle: String = bundle.map(|line| format!("{line}\n")).collect();
    let text = |entries: &str| format!("package a\nch: {entries}\n{bundle}");
    let manifests = installed("a", "", "a.v1");
    let mut controller = World::new(&text("a.v1"), &manifests).controller();
    controller.settle(200);
    controller.act(World::new(&text("a.v1 <- a.v2"), &manifests).update());
    let lines = lines(&controller.settle(200).events);
    assert!(lines.contains(&"sub a: BundleDeprecated removed".to_owned()), "{lines:?}");
    assert!(lines.contains(&"sub a: Deprecated removed".to_owned()), "{lines:?}");
}

#[test]
fn two_operator_groups_stop_everything_and_no_condition_says_so() {
    let group = "---\nkind: OperatorGroup\nmetadata: {name: another, namespace: ns}\n";
    let world = World::new("package a\nch: a.v1", &format!("{}{group}", subscription("a", "")));
    let mut controller = world.controller();
    let run = controller.settle(200);
    assert_eq!(lines(&run.events), ["ns: OperatorGroups(2)"]);
    assert_eq!(run.end, End::Blocked(vec![Blocker::OperatorGroups(2)]));
    let conditions = &controller.cluster().subscriptions[0].status.conditions;
    assert!(!conditions.contains_key(&ConditionType::ResolutionFailed));
}

#[test]
fn a_failure_is_a_condition_of_every_subscription_of_the_namespace() {
    let manifests = installed("a", "", "a.v1") + &subscription("missing", "");
    let world = World::new("package a\nch: a.v1 <- a.v2", &manifests);
    let run = world.controller().settle(200);
    let expected = [
        "ns: failed ConstraintsNotSatisfiable",
        "sub a: ResolutionFailed=True ConstraintsNotSatisfiable",
        "sub missing: ResolutionFailed=True ConstraintsNotSatisfiable",
    ];
    assert_eq!(lines(&run.events), expected);
    assert!(matches!(run.end, End::Blocked(_)));
}

#[test]
fn the_health_of_catalogs_is_informative_only() {
    let manifests = installed("a", "", "a.v1").replace("source: c", "source: gone");
    let mut controller = World::new("package a\nch: a.v1", &manifests).controller();
    controller.settle(200);
    let unhealthy = |controller: &simulate::Controller| {
        let condition =
            &controller.cluster().subscriptions[0].status.conditions[&ConditionType::CatalogSourcesUnhealthy];
        format!("{} {} {}", condition.status, condition.reason, condition.message)
    };
    assert_eq!(unhealthy(&controller), "True UnhealthyCatalogSourceFound targeted catalogsource olm/gone missing");
    let mut healthy = World::new("package a\nch: a.v1", &installed("a", "", "a.v1")).controller();
    healthy.settle(200);
    assert_eq!(unhealthy(&healthy), "False AllCatalogSourcesHealthy all available catalogsources are healthy");
    healthy.act(Action::ServeCatalog { catalog: cluster::CatalogKey::new("c", "olm"), served: false });
    healthy.settle(200);
    // Pod and service exist, even if nothing answers.
    assert_eq!(unhealthy(&healthy), "False AllCatalogSourcesHealthy all available catalogsources are healthy");
}

#[test]
fn deprecations_do_not_wait_for_a_resolution() {
    let text = format!("package a\nch: a.v1\n{DEPRECATIONS}");
    let manifests = installed("a", "", "a.v1") + &subscription("missing", "");
    let run = World::new(&text, &manifests).controller().settle(200);
    let lines = lines(&run.events);
    let at = |wanted: &str| lines.iter().position(|line| line == wanted);
    assert!(at("sub a: Deprecated=True").is_some(), "{lines:?}");
    assert!(at("sub a: Deprecated=True") < at("ns: failed ConstraintsNotSatisfiable"), "{lines:?}");
}

#[test]
fn deprecations_stay_while_the_installed_bundle_is_not_in_the_catalog() {
    let manifests = installed("a", "", "a.v1");
    let mut controller = World::new(&format!("package a\nch: a.v1\n{DEPRECATIONS}"), &manifests).controller();
    controller.settle(200);
    controller.act(World::new("package a\nch: a.v2 (replaces a.v1)", "").update());
    controller.act(Action::CsvFails("a.v2".into()));
    let still = |controller: &simulate::Controller| {
        controller.cluster().subscriptions[0].status.conditions.contains_key(&ConditionType::BundleDeprecated)
    };
    while controller.cluster().subscriptions[0].spec.installed_csv == Some("a.v1".into()) {
        assert!(still(&controller));
        assert!(!controller.advance().is_empty());
    }
    controller.settle(200);
    assert!(!still(&controller));
}
