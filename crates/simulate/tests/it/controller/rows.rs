//! Runs the event simulation on the recorded scenarios.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};

use super::world::{World, catalog};
use flate2::read::GzDecoder;
use serde::Deserialize;
use simulate::timeline;
use source::FileId;

#[derive(Deserialize)]
struct Row {
    name: String,
    cluster: String,
    catalogs: BTreeMap<String, String>,
}

/// The CSVs of each plan, from the controller and from the timeline.
fn both(row: &Row) -> (Vec<String>, Vec<String>) {
    let catalogs: BTreeMap<&str, catalog::Catalog> =
        row.catalogs.iter().map(|(name, text)| (name.as_str(), catalog(text))).collect();
    let mut cluster = cluster::read(FileId(0), &row.cluster).cluster;
    for csv in &mut cluster.csvs {
        csv.phase = Some("Succeeded".into());
    }
    let snapshots = simulate::snapshots(&cluster, |key| catalogs.get(&*key.name));
    let world = World {
        cluster,
        snapshots,
        deprecations: BTreeMap::new(),
        bundle_crds: BTreeMap::new(),
        install_modes: BTreeMap::new(),
    };
    let namespace = world.cluster.namespaces().into_iter().next().expect("each row has a Subscription");
    let steps = timeline(&world.cluster, &namespace, &world.snapshots, &simulate::no_modes, 12).steps;
    let plans = steps.iter().filter(|step| step.install_plan_created).map(|step| {
        let names: Vec<&str> = step.selected.iter().map(|bundle| bundle.name.as_str()).collect();
        names.join(" ")
    });
    (world.plans_of(&namespace), plans.collect())
}

/// The old CSV of an update has no annotation here. After its Subscription has left it, OLM no longer knows its package, so
/// it does not block the next update, which is resolved too early.
const EARLY: &str = "case-00346";

#[test]
fn the_controller_makes_the_plans_of_the_timeline() {
    let lines = BufReader::new(GzDecoder::new(&include_bytes!("../../resolve.jsonl.gz")[..])).lines();
    let rows = lines.map(|line| serde_json::from_str::<Row>(&line.expect("a line")).expect("a row is JSON"));
    let differing = rows.filter(|row| row.name != EARLY).filter_map(|row| {
        let (operators, timeline) = both(&row);
        (operators != timeline).then(|| format!("{}: {operators:?} {timeline:?}", row.name))
    });
    assert_eq!(differing.collect::<Vec<_>>(), [""; 0]);
}
