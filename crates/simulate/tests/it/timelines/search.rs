//! The search for timelines, piece by piece.

use catalog::{ParsedFile, lower};
use simulate::{Timeline, TimelineSearch, timelines};
use source::FileId;

/// Two packages whose second versions provide the same API: only one of them is updated, by chance.
const CATALOG: &str = "
package a
ch: a.v1 <- a.v2 (provides g/v1/K)
package b
ch: b.v1 <- b.v2 (provides g/v1/K)
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
    let text = fixture::yaml(CATALOG);
    let parse = fbc::parse(FileId(1), &text);
    let (catalog, findings) = lower(&[ParsedFile { text: &text, parse: &parse }]);
    assert!(findings.is_empty(), "{findings:?}");
    let cluster = cluster::read(FileId(0), CLUSTER).cluster;
    let snapshots = simulate::snapshots(&cluster, |_| Some(&catalog));
    let expected = ["a.v2+b.v1", "a.v1+b.v2"];

    let mut search = TimelineSearch::new(&cluster, "ns", &snapshots, 9, 9);
    let mut growth: Vec<Vec<String>> = Vec::new();
    while search.advance(&simulate::no_modes) {
        growth.push(search.found().timelines.iter().map(selected).collect());
    }
    assert!(!search.advance(&simulate::no_modes), "the end stays the end");
    assert_eq!(growth[1], [""; 0], "one resolution is not a timeline yet");
    growth.dedup();
    let both: Vec<String> = expected.map(String::from).to_vec();
    assert_eq!(growth, [vec![], both[..1].to_vec(), both.clone()]);

    let all = |limit| {
        let found = timelines(&cluster, "ns", &snapshots, &simulate::no_modes, 9, limit);
        (found.timelines.iter().map(selected).collect::<Vec<_>>(), found.bounded)
    };
    assert_eq!(all(9), (both.clone(), false));
    assert_eq!(all(1), (both[..1].to_vec(), true));
}
