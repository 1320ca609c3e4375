//! A cluster's manifests, and a timeline without any catalogs.

use source::FileId;

use super::stream::LOOKED_THROUGH;
use super::text::text;
use crate::memory::bounded;
use crate::spans;

/// Checks one input; panics when a property does not hold.
pub fn check(input: &[u8]) {
    let text = text(input);
    let manifests = bounded(text.len(), 100, 8 << 20, || cluster::read(FileId(0), &text));
    if text.len() > LOOKED_THROUGH {
        return;
    }
    let printed = format!("{manifests:?}");
    assert_eq!(printed, format!("{:?}", cluster::read(FileId(0), &text)), "read twice");
    spans::check(&manifests, |_| Some(text.clone()));
    let empty = manifests.without_content(|_| false);
    spans::check(&empty, |_| Some(text.clone()));
    spans::check(&manifests.cluster_catalogs_without_content(|_| false), |_| Some(text.clone()));
    for namespace in manifests.cluster.namespaces().iter().take(3) {
        let timeline =
            simulate::timeline(&manifests.cluster, namespace, &simulate::Snapshots::default(), &simulate::no_modes, 3);
        assert!(!timeline.steps.is_empty(), "no step at all");
    }
}
