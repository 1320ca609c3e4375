//! What a person is told to do helps, and nothing that runs is lost by it.

use super::world::catalog;
use ::catalog::BundleName;
use cluster::Cluster;
use fixture::in_between::{CATALOG, in_between};
use simulate::{Controller, Deprecations, Remedy};
use source::{FileId, Verdict};
use std::collections::BTreeMap;

fn controller(manifests: &str) -> Controller {
    let catalog = catalog(&fixture::yaml(CATALOG));
    let cluster = Cluster { has_all_groups: true, ..cluster::read(FileId(0), manifests).cluster };
    let snapshots = simulate::snapshots(&cluster, |_| Some(&catalog));
    Controller::new(cluster, "ns", snapshots, Deprecations::default())
}

/// The CSVs whose operator runs, as far as the phase tells.
fn running(controller: &Controller) -> Vec<BundleName> {
    let runs = |phase: &str| matches!(phase, "Succeeded" | "Replacing");
    let csvs = controller.cluster().csvs.iter();
    csvs.filter(|csv| csv.phase.as_deref().is_some_and(runs)).map(|csv| csv.installed.name.clone()).collect()
}

#[test]
fn each_remedy_helps_and_keeps_what_runs() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for manifests in in_between() {
        let before = controller(&manifests);
        for has_catalogs in [true, false] {
            let (_, reason) = before.clone().now(has_catalogs);
            let Some(remedy) = before.remedy(has_catalogs, &reason) else { continue };
            let words = format!("{remedy:?} for {reason:?}\n{manifests}");
            assert!(matches!(reason.verdict(), Verdict::Waits | Verdict::Stuck), "{words}");
            let mut after = before.clone().with_remedy(&remedy);
            after.settle(1000);
            let runs = running(&after);
            let newest = |csv: &BundleName| runs.iter().any(|running| running >= csv);
            assert!(running(&before).iter().all(newest), "{words}{:?}", after.cluster().csvs);
            let (_, why) = after.now(true);
            let then = why.verdict();
            // Two problems may be there, of which the first is solved.
            let is_first = matches!(remedy, Remedy::OneGroup | Remedy::CorrectAnnotation | Remedy::Ungenerate(_));
            assert!(why != reason && (is_first || !has_catalogs || then != Verdict::Stuck), "{words}{then:?} {why:?}");
            let kind = format!("{remedy:?}");
            *counts.entry(kind.split(['(', ' ']).next().unwrap_or_default().to_owned()).or_default() += 1;
        }
    }
    let kinds: Vec<&str> = counts.keys().map(String::as_str).collect();
    let expected = [
        "Adopt",
        "AllowUpdate",
        "Approve",
        "CorrectAnnotation",
        "DeletePlan",
        "FailForward",
        "OneGroup",
        "Reset",
        "RunAgain",
    ];
    assert_eq!(kinds, expected, "{counts:?}");
}
