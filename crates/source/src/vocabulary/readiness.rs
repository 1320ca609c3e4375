//! What a catalog shows of a bundle for OLM v1, in one word.

use serde::{Deserialize, Serialize};

/// What a catalog shows of a bundle for OLM v1. It is never called ready: the catalog does not show the objects on the cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ReadinessVerdict {
    /// OLM v1 refuses the bundle, with its default feature gates.
    Refused,
    /// Nothing is refused in what the catalog shows, but it does not show the ClusterServiceVersion.
    CannotBeKnown,
    /// The catalog shows nothing that OLM v1 refuses.
    NothingFound,
}
