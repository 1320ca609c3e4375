//! An upgrade of one CRD for the command line.

use crate::crd::Crd;
use crate::finding::Finding;
use crate::hop::{Comparison, compare};
use views::{CrdUpgradeView, InstallPlanCheckView};

/// What OLM finds when it upgrades a CRD, in its own lines.
#[must_use]
pub fn upgrade_view(old: &Crd, new: &Crd) -> CrdUpgradeView {
    let Comparison { v1, v1_by_chance, v0, lost, assumes_stored_versions } = compare(old, new);
    CrdUpgradeView {
        name: new.name.to_string(),
        findings: lines(&v1),
        by_chance: lines(&v1_by_chance),
        v0: InstallPlanCheckView {
            error: v0.stored_versions,
            restrictions: lines(&v0.restrictions),
            only_warns: v0.has_waiver,
        },
        lost_apis: lost,
        assumptions: assumes_stored_versions.then(|| assumption(old)).into_iter().collect(),
    }
}

fn assumption(old: &Crd) -> String {
    let stored = old.stored();
    let names = if stored.is_empty() { "no version".to_owned() } else { format!("`{}`", stored.join("`, `")) };
    format!(
        "the old CustomResourceDefinition has no `status.storedVersions`, so objects are taken to be stored in {names}; a \
         cluster that had older versions of the operator may have others"
    )
}

fn lines(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(ToString::to_string).collect()
}
