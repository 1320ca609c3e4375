//! Compares timelines with those that operator-lifecycle-manager `992bb097` gave in at least 60 runs of each scenario.
//!
//! These are all scenarios without CEL, and the shorter ones with CEL. A row of `resolve.jsonl.gz` holds manifests, catalogs
//! by CatalogSource name, and every distinct timeline of the runs. Which contradiction an unsatisfiable resolution names
//! differs from run to run, so those texts are not compared.

use std::collections::{BTreeMap, BTreeSet};

use catalog::Catalog;
use cluster::Cluster;
use resolver::Tally;
use serde::Deserialize;
use serde_json::{Value, json};
use simulate::{Step, timelines};
use source::{FileId, Rule};

#[derive(Deserialize)]
struct Row {
    name: String,
    cluster: String,
    /// By CatalogSource name.
    catalogs: BTreeMap<String, String>,
    /// Distinct timelines, each a list of steps.
    outcomes: Vec<Vec<Value>>,
}

#[test]
fn rows_agree_in_all_outcomes() {
    let rows: Vec<Row> = super::rows(include_bytes!("../../resolve.jsonl.gz"));
    assert_eq!(rows.len(), 249);
    let mut differing: BTreeMap<&str, String> = BTreeMap::new();
    let tally = Tally::default();
    for row in &rows {
        let (found, of_row) = answer(row);
        tally.add(&of_row);
        differing.extend(difference(row, &found).map(|difference| (row.name.as_str(), difference)));
    }
    assert!(differing.is_empty(), "{differing:#?}");
    // splr decides every formula that unit propagation leaves open: most of these scenarios have one.
    assert!(tally.splr.get() >= 200, "{tally}");
}

/// The unexpected and the missing timelines.
fn difference(row: &Row, found: &BTreeSet<String>) -> Option<String> {
    let expected: BTreeSet<String> = row.outcomes.iter().map(|steps| expected_timeline(steps)).collect();
    let (extra, missing): (Vec<&String>, Vec<&String>) =
        (found.difference(&expected).collect(), expected.difference(found).collect());
    if extra.is_empty() && missing.is_empty() {
        return None;
    }
    Some(format!("{}\n  extra {extra:#?}\n  missing {missing:#?}", row.name))
}

fn expected_timeline(steps: &[Value]) -> String {
    let steps = steps.iter().map(|step| {
        let list = |key: &str| step.get(key).cloned().unwrap_or_else(|| json!([]));
        match step.get("error") {
            Some(error) => json!({"error": error}),
            None => json!({
                "selected": list("selected"),
                "generated": list("generatedSubscriptions"),
                "updated": list("updatedSubscriptions"),
                "plan": step["installPlanCreated"],
            }),
        }
    });
    Value::from_iter(steps).to_string()
}

/// The timelines, and which method answered how many questions.
fn answer(row: &Row) -> (BTreeSet<String>, Tally) {
    let manifests = cluster::read(FileId(0), &row.cluster);
    // Some rows exclude their catalogs on purpose, which gives a warning.
    assert!(
        manifests.diagnostics.iter().all(|found| found.rule == Rule::UnknownCatalog),
        "{:?}",
        manifests.diagnostics
    );
    let catalogs = row.catalogs.iter().map(|(name, text)| (name.as_str(), super::catalog(text))).collect();
    all_timelines(&manifests.cluster, &catalogs)
}

fn all_timelines(cluster: &Cluster, catalogs: &BTreeMap<&str, Catalog>) -> (BTreeSet<String>, Tally) {
    let snapshots = simulate::snapshots(cluster, |key| catalogs.get(&*key.name));
    let namespaces = cluster.namespaces();
    let [namespace] = &namespaces.iter().collect::<Vec<_>>()[..] else { panic!("one namespace a row") };
    let found = timelines(cluster, namespace, &snapshots, &simulate::no_modes, 12, 200);
    assert!(!found.bounded);
    let lines = found.timelines.iter().map(|line| Value::from_iter(line.unrolled(12).map(step_value)).to_string());
    (lines.collect(), found.tally)
}

fn step_value(step: &Step) -> Value {
    if let Some(error) = &step.error {
        let unsatisfiable = error.starts_with("constraints not satisfiable");
        return json!({"error": if unsatisfiable { "constraints not satisfiable" } else { error }});
    }
    let lines = |list: Vec<String>| Value::from_iter(list);
    let selected = step.selected.iter().map(|bundle| {
        let mut row = json!({
            "name": bundle.name.as_str(),
            "package": bundle.package.as_str(),
            "channel": bundle.channel.as_str(),
            "catalog": &*bundle.catalog.name,
            "catalogNamespace": &*bundle.catalog.namespace,
        });
        if let Some(name) = &bundle.replaces {
            row["replaces"] = json!(name.as_str());
        }
        if let Some(version) = &bundle.version {
            row["version"] = json!(version.to_string());
        }
        row
    });
    json!({
        "selected": Value::from_iter(selected),
        "generated": lines(step.generated_subscriptions.iter().map(ToString::to_string).collect()),
        "updated": lines(step.updated_subscriptions.iter().map(ToString::to_string).collect()),
        "plan": step.install_plan_created,
    })
}
