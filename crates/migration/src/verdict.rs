//! The summary of a migration.

use crate::crds::CrdCheck;
use crate::next::NextV1;
use crate::obstacle::MigrationObstacle;
use crate::readiness::BundleReadiness;
use extension::{ReadinessVerdict, ResolveError};

/// What becomes of a Subscription as a ClusterExtension. Only what catalogs and manifests show counts: a bundle whose CRDs they
/// do not have may still be refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MigrationVerdict {
    /// OLM v1 installs another bundle than the installed one, or the first one.
    Moves,
    /// It keeps the installed version.
    Stays,
    /// It finds no bundle.
    Fails,
    /// The catalog or the installed version is not known, or the catalog does not show the ClusterServiceVersion of the bundle.
    CannotBeKnown,
    /// It refuses the bundle that it finds, or the API server rejects the ClusterExtension.
    Refused,
}

impl MigrationVerdict {
    pub(crate) fn of(
        v1: &NextV1,
        chosen: Option<&BundleReadiness>,
        crds: Option<&CrdCheck>,
        obstacles: &[MigrationObstacle],
    ) -> Self {
        let is_rejected = obstacles.iter().any(MigrationObstacle::is_rejection);
        let readiness = chosen.map(|chosen| chosen.readiness.verdict());
        let forbids_crds = crds.is_some_and(|crds| crds.refused().next().is_some());
        match (v1, readiness) {
            _ if is_rejected || forbids_crds => Self::Refused,
            (NextV1::Fails(ResolveError::Dependency { .. }), _) | (_, Some(ReadinessVerdict::Refused)) => Self::Refused,
            (NextV1::Fails(_), _) => Self::Fails,
            (NextV1::Unknown | NextV1::UnknownVersion(_), _) | (_, None | Some(ReadinessVerdict::CannotBeKnown)) => {
                Self::CannotBeKnown
            }
            (NextV1::Installs(_) | NextV1::Moves(_), _) => Self::Moves,
            (NextV1::Stays(_), _) => Self::Stays,
        }
    }
}
