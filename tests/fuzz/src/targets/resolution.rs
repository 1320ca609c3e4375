//! A cluster's manifests; after `=== catalog NAME` the content of its CatalogSources.

use super::text::text;
use std::collections::BTreeMap;

use catalog::{Catalog, ParsedFile, lower};
use cluster::Cluster;
use resolver::{Outcome, Problem, outcomes, resolve};
use simulate::{Snapshots, Step, Timeline, timeline, timelines};
use source::FileId;

use crate::seeds::parts;

const STEPS: usize = 12;
const OUTCOMES: usize = 16;

/// Checks one input; panics when a property does not hold.
pub fn check(input: &[u8]) {
    let text = text(input);
    let (cluster, others) = parts(&text);
    let mut cluster = cluster::read(FileId(0), cluster).cluster;
    cluster.catalog_sources.truncate(4);
    let catalogs: BTreeMap<&str, Catalog> =
        others.iter().take(4).map(|(head, text)| (head.rsplit(' ').next().unwrap_or(""), read(text))).collect();
    let snapshots = simulate::snapshots(&cluster, |key| catalogs.get(&*key.name));
    for namespace in cluster.namespaces().iter().take(2) {
        one(&cluster, namespace, &snapshots);
        all(&cluster, namespace, &snapshots);
    }
}

fn read(text: &str) -> Catalog {
    let parse = fbc::parse(FileId(1), text);
    lower(&[ParsedFile { text, parse: &parse }]).0
}

/// The outcome of the default order is the first of all outcomes.
fn one(cluster: &Cluster, namespace: &str, snapshots: &Snapshots) {
    let problem = Problem::new(simulate::namespace_of(cluster, namespace, snapshots));
    let default = resolve(&problem, problem.anchors());
    let all = outcomes(&problem, OUTCOMES);
    assert!(all.outcomes.len() <= OUTCOMES, "{} outcomes", all.outcomes.len());
    let first = all.outcomes.first().map(shown);
    assert_eq!(first, Some(shown(&default)), "the first outcome is not the default one");
    let distinct: std::collections::BTreeSet<String> = all.outcomes.iter().map(shown).collect();
    assert_eq!(distinct.len(), all.outcomes.len(), "an outcome occurs twice");
}

fn shown(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Resolved(resolution) => {
            let names = resolution.selected.iter().map(|selected| format!("{:?} {}", selected.id, selected.entry.name));
            format!("{:?}", names.collect::<Vec<_>>())
        }
        other => format!("{other:?}"),
    }
}

fn all(cluster: &Cluster, namespace: &str, snapshots: &Snapshots) {
    let default = timeline(cluster, namespace, snapshots, &simulate::no_modes, STEPS);
    let found = timelines(cluster, namespace, snapshots, &simulate::no_modes, STEPS, OUTCOMES);
    assert!(found.timelines.len() <= OUTCOMES && !found.timelines.is_empty(), "{} timelines", found.timelines.len());
    for Timeline { steps, cycle_start, idle } in &found.timelines {
        assert!(cycle_start.is_none_or(|from| from < steps.len()), "goes round from nowhere");
        assert!(steps.len() <= STEPS && !steps.is_empty(), "{} steps", steps.len());
        assert!(
            idle.as_ref().is_none_or(|step| !step.install_plan_created && step.error.is_none()),
            "an idle step does something"
        );
        let (_, before) = steps.split_last().unwrap_or_else(|| unreachable!("there is a step"));
        assert!(before.iter().all(|step| step.install_plan_created && step.error.is_none()), "goes on behind its end");
    }
    let first = &found.timelines[0];
    assert_eq!(
        (lines(&first.steps), first.cycle_start),
        (lines(&default.steps), default.cycle_start),
        "the first timeline is not the default one"
    );
}

fn lines(steps: &[Step]) -> Vec<String> {
    let line = |step: &Step| format!("{:?} {:?} {:?}", step.selected, step.updated_subscriptions, step.error);
    steps.iter().map(line).collect()
}
