//! The summary of a migration.

use crate::crds::CrdCheck;
use crate::next::NextV1;
use crate::obstacle::MigrationObstacle;
use crate::readiness::BundleReadiness;
use extension::{ReadinessVerdict, ResolveError};
use views::MigrationVerdict;

/// What becomes of a Subscription as a ClusterExtension. Only what catalogs and manifests show counts: a bundle whose CRDs they
/// do not have may still be refused.
pub(crate) fn verdict(
    v1: &NextV1,
    chosen: Option<&BundleReadiness>,
    crds: Option<&CrdCheck>,
    obstacles: &[MigrationObstacle],
) -> MigrationVerdict {
    let is_rejected = obstacles.iter().any(MigrationObstacle::is_rejection);
    let readiness = chosen.map(|chosen| chosen.readiness.verdict());
    let forbids_crds = crds.is_some_and(|crds| crds.refused().next().is_some());
    match (v1, readiness) {
        _ if is_rejected || forbids_crds => MigrationVerdict::Refused,
        (NextV1::Fails(ResolveError::Dependency { .. }), _) | (_, Some(ReadinessVerdict::Refused)) => {
            MigrationVerdict::Refused
        }
        (NextV1::Fails(_), _) => MigrationVerdict::Fails,
        (NextV1::Unknown | NextV1::UnknownVersion(_), _) | (_, None | Some(ReadinessVerdict::CannotBeKnown)) => {
            MigrationVerdict::CannotBeKnown
        }
        (NextV1::Installs(_) | NextV1::Moves(_), _) => MigrationVerdict::Moves,
        (NextV1::Stays(_), _) => MigrationVerdict::Stays,
    }
}
