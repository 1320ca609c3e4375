//! The search for timelines, piece by piece.

use catalog::{ParsedFile, lower};
use simulate::{Timeline, TimelineSearch, timelines};
use source::FileId;

/// Two packages whose second versions provide the same API: only one of them is updated, by chance.
const CATALOG: &str = "
{schema: olm.package, name: a, defaultChannel: ch}
---
{schema: olm.channel, package: a, name: ch, entries: [{name: a.v1}, {name: a.v2, replaces: a.v1}]}
---
{schema: olm.bundle, package: a, name: a.v1, image: i, properties: [{type: olm.package, value: {packageName: a, version: 1.0.0}}]}
---
{schema: olm.bundle, package: a, name: a.v2, image: i, properties: [{type: olm.package, value: {packageName: a, version: 2.0.0}},
  {type: olm.gvk, value: {group: g, version: v1, kind: K}}]}
---
{schema: olm.package, name: b, defaultChannel: ch}
---
{schema: olm.channel, package: b, name: ch, entries: [{name: b.v1}, {name: b.v2, replaces: b.v1}]}
---
{schema: olm.bundle, package: b, name: b.v1, image: i, properties: [{type: olm.package, value: {packageName: b, version: 1.0.0}}]}
---
{schema: olm.bundle, package: b, name: b.v2, image: i, properties: [{type: olm.package, value: {packageName: b, version: 2.0.0}},
  {type: olm.gvk, value: {group: g, version: v1, kind: K}}]}
";

const CLUSTER: &str = "
kind: CatalogSource
metadata: {name: c, namespace: olm}
---
kind: Subscription
metadata: {name: a, namespace: ns}
spec: {name: a, source: c, sourceNamespace: olm}
---
kind: Subscription
metadata: {name: b, namespace: ns}
spec: {name: b, source: c, sourceNamespace: olm}
";

/// What each step of a timeline selects.
fn selected(timeline: &Timeline) -> String {
    let steps = timeline.steps.iter().map(|step| {
        let names: Vec<&str> = step.selected.iter().map(|bundle| bundle.name.as_str()).collect();
        names.join("+")
    });
    steps.collect::<Vec<_>>().join(" ")
}

#[test]
fn timelines_are_found_one_by_one() {
    let parse = fbc::parse(FileId(1), CATALOG);
    let (catalog, findings) = lower(&[ParsedFile { text: CATALOG, parse: &parse }]);
    assert!(findings.is_empty(), "{findings:?}");
    let cluster = simulate::read(FileId(0), CLUSTER).cluster;
    let snapshots = cluster.snapshots(|_| Some(&catalog));
    let expected = ["a.v2+b.v1", "a.v1+b.v2"];

    let mut search = TimelineSearch::new(&cluster, "ns", &snapshots, 9, 9);
    let mut growth: Vec<Vec<String>> = Vec::new();
    while search.advance() {
        growth.push(search.found().timelines.iter().map(selected).collect());
    }
    assert!(!search.advance(), "the end stays the end");
    assert_eq!(growth[1], [""; 0], "one resolution is not a timeline yet");
    growth.dedup();
    let both: Vec<String> = expected.map(String::from).to_vec();
    assert_eq!(growth, [vec![], both[..1].to_vec(), both.clone()]);

    let mut search = TimelineSearch::new(&cluster, "ns", &snapshots, 9, 9);
    while search.found().timelines.is_empty() {
        search.advance();
    }
    search.stop();
    assert!(!search.advance());
    let found = search.into_found();
    assert_eq!((found.timelines.len(), found.bounded), (1, true));

    let mut search = TimelineSearch::of_default_order(&cluster, "ns", &snapshots, 9);
    while search.advance() {}
    assert_eq!(search.found().timelines.iter().map(selected).collect::<Vec<_>>(), both[..1]);
    search.search_all(&cluster, 9);
    while search.advance() {}
    assert_eq!(search.found().timelines.iter().map(selected).collect::<Vec<_>>(), both);
    assert!(!search.found().bounded);

    let all = |limit| {
        let found = timelines(&cluster, "ns", &snapshots, 9, limit);
        (found.timelines.iter().map(selected).collect::<Vec<_>>(), found.bounded)
    };
    assert_eq!(all(9), (both.clone(), false));
    assert_eq!(all(1), (both[..1].to_vec(), true));
}
