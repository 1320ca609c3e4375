//! Properties of reading manifests: any text is accepted, no object is lost, and a broken object hides no other.

use cluster::{Manifests, read};
use proptest::prelude::*;
use simulate::{Controller, Deprecations};
use source::FileId;

const PARTS: [&str; 9] = [
    "apiVersion: operators.coreos.com/v1alpha1\nkind: CatalogSource\nmetadata: {name: c, namespace: olm}\n",
    "kind: Subscription\nmetadata: {name: s, namespace: ns}\nspec: {name: p, source: c, sourceNamespace: olm}\n",
    "kind: List\nitems:\n- kind: ClusterServiceVersion\n  metadata: {name: x, namespace: ns}\n- kind: OperatorGroup\n  metadata: {name: g}\n",
    "kind: InstallPlan\nmetadata: {name: i, namespace: ns}\nspec: {approved: 5}\n",
    "kind: Subscription\nmetadata: {name: [t]}\n",
    "kind: ConfigMap\nmetadata: {name: m}\n",
    "kind: [\n",
    "\tkind: CatalogSource\n",
    "é: {\"a\": *nope}\n",
];

/// Two CSVs replace one, and one of them fails: with fail-forward their order matters.
const CLUSTER: [&str; 7] = [
    "kind: OperatorGroup\nmetadata: {name: g, namespace: ns}\nspec: {upgradeStrategy: TechPreviewUnsafeFailForward}\n",
    "kind: Subscription\nmetadata: {name: s, namespace: ns}\nspec: {name: a}\nstatus: {currentCSV: a.v2, installedCSV: a.v2}\n",
    "kind: Subscription\nmetadata: {name: t, namespace: ns}\nspec: {name: b}\nstatus: {currentCSV: b.v1}\n",
    "kind: ClusterServiceVersion\nmetadata: {name: a.v1, namespace: ns}\nstatus: {phase: Succeeded}\n",
    "kind: ClusterServiceVersion\nmetadata: {name: a.v2, namespace: ns}\nspec: {replaces: a.v1}\nstatus: {phase: Failed}\n",
    "kind: ClusterServiceVersion\nmetadata: {name: a.v3, namespace: ns}\nspec: {replaces: a.v1}\nstatus: {phase: Pending}\n",
    "kind: ClusterServiceVersion\nmetadata: {name: b.v1, namespace: ns, deletionTimestamp: '2026-01-01T00:00:00Z'}\n",
];

fn counted(manifests: &Manifests) -> usize {
    manifests.places.len() + manifests.skipped.len()
}

/// The events in namespace `ns`, without catalogs.
fn events(text: &str) -> String {
    let cluster = read(FileId(0), text).cluster;
    let snapshots = simulate::snapshots(&cluster, |_| None);
    let run = Controller::new(cluster, "ns", snapshots, Deprecations::new()).settle(500);
    format!("{run:#?}")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn findings_lie_in_the_text(
        parts in proptest::collection::vec(proptest::sample::select(PARTS.to_vec()), 0..5),
        cut in 0usize..400,
        json: bool,
    ) {
        let text = parts.join("---\n");
        let text = if json { format!("{{\"kind\": \"List\", \"items\": [{text}") } else { text };
        let text = &text[..text.floor_char_boundary(cut)];
        for finding in read(FileId(7), text).diagnostics {
            prop_assert_eq!(finding.span.file, FileId(7));
            prop_assert!(finding.span.start <= finding.span.end && finding.span.end as usize <= text.len(), "{:?}", finding);
            prop_assert!(finding.opm.is_none(), "{:?}", finding);
        }
    }

    #[test]
    fn a_broken_part_hides_no_other(order in Just(PARTS.to_vec()).prop_shuffle()) {
        let text = order.join("---\n");
        let manifests = read(FileId(0), &text);
        // Of five valid objects one is of another kind; each of the five broken parts is reported once.
        prop_assert_eq!((counted(&manifests), manifests.diagnostics.len()), (5, 5), "{:#?}", manifests.diagnostics);
    }

    #[test]
    fn the_order_of_objects_changes_nothing(order in Just(CLUSTER.to_vec()).prop_shuffle()) {
        prop_assert_eq!(events(&order.join("---\n")), events(&CLUSTER.join("---\n")));
    }
}
