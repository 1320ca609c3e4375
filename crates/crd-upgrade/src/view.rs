//! What OLM finds when it upgrades a CRD, as views.

use crate::crd::Crd;
use crate::finding::Finding;
use crate::hop::{Comparison, compare};
use views::{ApiLoss, CrdRemarkKind, CrdUpgradeView, InstallPlanCheckView, LostApi, Runtime};

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

impl Comparison {
    /// What the versions of OLM that make the update find, each with its kind. `required_by` says who requires an API, as the end of a
    /// sentence.
    pub fn remarks(&self, runtime: Runtime, required_by: impl Fn(&LostApi) -> String) -> Vec<(CrdRemarkKind, String)> {
        let mut found: Vec<(CrdRemarkKind, String)> = Vec::new();
        if runtime.has_v1() {
            found.extend(self.v1.iter().map(|finding| (CrdRemarkKind::Refused, finding.to_string())));
            let by_chance = self.v1_by_chance.iter();
            found.extend(by_chance.map(|finding| (CrdRemarkKind::RefusedByChance, finding.to_string())));
        }
        if runtime.has_v0() {
            let v0 = &self.v0;
            found.extend(v0.stored_versions.iter().map(|error| (CrdRemarkKind::PlanFails, error.clone())));
            let kind = if v0.has_waiver { CrdRemarkKind::PlanWarns } else { CrdRemarkKind::PlanMayFail };
            found.extend(v0.restrictions.iter().map(|finding| (kind, finding.to_string())));
            // The properties of the bundles tell those that are gone.
            for lost in self.lost.iter().filter(|lost| lost.loss == ApiLoss::NotServed) {
                let LostApi { group, version, kind, .. } = lost;
                let required = required_by(lost);
                let text = format!(
                    "`{kind}` of `{group}/{version}` is not served any more, so that CSVs which need it fail{required}"
                );
                found.push((CrdRemarkKind::LostApi, text));
            }
        }
        found
    }
}
