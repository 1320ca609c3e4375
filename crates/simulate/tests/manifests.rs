//! Any text is taken, nothing of it is lost, and one broken part hides no other.

use proptest::prelude::*;
use simulate::{Manifests, read};
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

fn counted(manifests: &Manifests) -> usize {
    manifests.places.len() + manifests.skipped.len()
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
        // Of five healthy objects one is of another kind, and each of the five broken parts is told once.
        prop_assert_eq!((counted(&manifests), manifests.diagnostics.len()), (5, 5), "{:#?}", manifests.diagnostics);
    }
}
