//! What the page says of a Subscription in different places agrees, over random clusters: headline, hops, steps and events.

use proptest::prelude::*;
use session::{NewText, Workbench};
use std::collections::BTreeSet;
use views::{ObjectKind, OutcomeView, SubscriptionStatus, SubscriptionView, TimelineView};

/// What a cluster has of a package: whether there is a Subscription, whether its status names the CSV of a version, and
/// whether that CSV exists.
type Presence = (bool, Option<usize>, bool);

/// A chain of versions; whether each of them has a skipRange over all lower ones, and whether it requires the API of the next
/// package.
type Versions = Vec<(bool, bool)>;

const PACKAGES: [&str; 3] = ["a", "b", "c"];

fn packages() -> impl Strategy<Value = Vec<(Versions, Presence)>> {
    let versions = proptest::collection::vec((any::<bool>(), any::<bool>()), 1..4);
    let presence = (any::<bool>(), proptest::option::of(0usize..3), proptest::bool::weighted(0.7));
    proptest::collection::vec((versions, presence), PACKAGES.len())
}

fn catalog(packages: &[(Versions, Presence)]) -> String {
    let of_package = |(name, at, versions): (&str, usize, &Versions)| {
        let entry = |(number, (ranged, requires)): (usize, &(bool, bool))| {
            let mut clauses = vec![format!("provides g/v1/{name}")];
            clauses.extend(number.checked_sub(1).map(|before| format!("replaces {before}.0.0")));
            clauses.extend(ranged.then(|| format!("skipRange <{number}.0.0")));
            let next = PACKAGES.get(at + 1).filter(|_| *requires);
            clauses.extend(next.map(|next| format!("requires g/v1/{next}")));
            format!("{number}.0.0 ({})", clauses.join("; "))
        };
        let entries: Vec<String> = versions.iter().enumerate().map(entry).collect();
        fixture::yaml(&format!("package {name}\nc: {}", entries.join(", ")))
    };
    let named = packages.iter().zip(PACKAGES).enumerate();
    named.map(|(at, ((versions, _), name))| of_package((name, at, versions))).collect()
}

fn manifests(packages: &[(Versions, Presence)]) -> String {
    let mut text = "kind: CatalogSource\nmetadata: {name: c, namespace: olm}\n".to_owned();
    for ((versions, (subscribed, version, exists)), name) in packages.iter().zip(PACKAGES) {
        let csv = version.map(|version| version % versions.len());
        if *subscribed {
            text += &format!(
                "---\nkind: Subscription\nmetadata: {{name: {name}, namespace: ns}}\n\
                 spec: {{name: {name}, source: c, sourceNamespace: olm}}\n"
            );
            if let Some(version) = csv {
                let csv = format!("{name}.v{version}.0.0");
                text += &format!("status: {{currentCSV: {csv}, installedCSV: {csv}, state: AtLatestKnown}}\n");
            }
        }
        if let Some(version) = csv.filter(|_| *exists) {
            text += &format!(
                "---\nkind: ClusterServiceVersion\nmetadata:\n  name: {name}.v{version}.0.0\n  namespace: ns\n  annotations:\n    \
                 operatorframework.io/properties: '{{\"properties\":[{{\"type\":\"olm.package\",\"value\":{{\"packageName\":\"{name}\",\
                 \"version\":\"{version}.0.0\"}}}},{{\"type\":\"olm.gvk\",\"value\":{{\"group\":\"g\",\"version\":\"v1\",\"kind\":\"{name}\"}}}}]}}'\n\
                 spec: {{version: {version}.0.0}}\nstatus: {{phase: Succeeded}}\n"
            );
        }
    }
    text
}

/// The CSV that the headline says the Subscription ends with.
fn end_of_headline(view: &SubscriptionView) -> Option<&str> {
    let is_without = ["is not installed", "has nothing installed", "installs nothing"];
    let says_nothing = is_without.iter().any(|start| view.verdict.starts_with(start));
    let last = view.hops.last().map(|hop| hop.csv.as_str());
    last.filter(|csv| !says_nothing && view.verdict.contains(csv))
}

/// The CSV of a Subscription's package that exists after all events.
fn end_of_events(view: &SubscriptionView, events: &TimelineView) -> Option<String> {
    let mut csvs: BTreeSet<&str> = view.installed.as_deref().into_iter().collect();
    for event in events.groups.iter().flat_map(|group| &group.events).filter(|event| event.object == ObjectKind::Csv) {
        if event.text.starts_with("is created") {
            csvs.insert(&event.name);
        } else if event.text.starts_with("is deleted") {
            csvs.remove(event.name.as_str());
        }
    }
    csvs.into_iter().find(|csv| csv.split('.').next() == Some(&view.package)).map(str::to_owned)
}

/// Every hop is a bundle that the step selects, and the headline and the status say the same as the last hop.
fn check(outcome: &OutcomeView, view: &SubscriptionView) -> Result<(), TestCaseError> {
    let hops: Vec<&str> = view.hops.iter().map(|hop| hop.csv.as_str()).collect();
    for hop in view.hops.iter().filter(|hop| hop.since > 0) {
        let step = &outcome.steps[hop.since as usize - 1];
        prop_assert!(step.plan_created, "{} without an InstallPlan", hop.csv);
        prop_assert!(step.selected.iter().any(|selected| selected.csv.name == hop.csv), "{} is not selected", hop.csv);
    }
    prop_assert_eq!(end_of_headline(view), hops.last().copied(), "{}", &view.verdict);
    prop_assert_eq!(view.end.as_ref().map(|end| end.name.as_str()), hops.last().copied());
    let has_failed = outcome.steps.iter().any(|step| step.failure.is_some());
    // A CSV that OLM would choose again is never installed, without a failure.
    let is_blocked = has_failed || view.short.ends_with("is stuck");
    prop_assert_eq!(view.status == SubscriptionStatus::Blocked, is_blocked, "{}", &view.verdict);
    prop_assert_eq!(view.status == SubscriptionStatus::NotInstalled, !has_failed && hops.is_empty());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(150) })]

    #[test]
    fn headline_hops_steps_and_events_agree(packages in packages()) {
        let mut workbench = Workbench::new();
        let file = NewText { path: "c.yaml".to_owned(), content: Ok(catalog(&packages).into_bytes()) };
        workbench.add_catalog("c", vec![file], &mut |_| {});
        workbench.set_cluster(&manifests(&packages));
        for (outcome, number) in answers::simulate(&workbench, "").outcomes.iter().zip(0..) {
            let events = answers::timeline(&workbench, "", number, 0);
            for view in &outcome.subscriptions {
                check(outcome, view)?;
                let last = view.hops.last().map(|hop| hop.csv.clone());
                prop_assert_eq!(end_of_events(view, &events), last, "{}", &view.verdict);
            }
        }
    }
}
