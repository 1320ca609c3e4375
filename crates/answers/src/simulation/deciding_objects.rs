//! The objects that decide about a namespace.

use catalog::BundleName;
use cluster::Kind;
use simulate::StateReason;
use std::sync::Arc;
use views::DecidingObject;

/// The objects that decide.
pub(super) fn objects(reason: &StateReason) -> Vec<DecidingObject> {
    let of = |kind: Kind, names: Vec<String>| {
        let kind = kind.as_str();
        names.into_iter().map(|name| DecidingObject { kind: kind.to_owned(), name }).collect::<Vec<_>>()
    };
    let csvs = |csvs: &[BundleName]| of(Kind::ClusterServiceVersion, csvs.iter().map(ToString::to_string).collect());
    let csv = |csv: &BundleName| csvs(std::slice::from_ref(csv));
    let one = |kind, name: &Arc<str>| of(kind, vec![name.to_string()]);
    match reason {
        StateReason::NoSubscription { csvs: all } | StateReason::Chain { csvs: all } => csvs(all),
        StateReason::GroupCount { groups } => {
            of(Kind::OperatorGroup, groups.iter().map(|group| group.name.to_string()).collect())
        }
        StateReason::GroupAnnotation { group, .. } | StateReason::GroupAccount { group, .. } => {
            one(Kind::OperatorGroup, group)
        }
        StateReason::GeneratingPlanGone { subscription, .. }
        | StateReason::GeneratedWithoutCsv { subscription }
        | StateReason::PlanGone { subscription, .. }
        | StateReason::CsvGone { subscription, .. } => one(Kind::Subscription, subscription),
        StateReason::PlanExecutes { plan, .. }
        | StateReason::PlanRetries { plan, .. }
        | StateReason::PlanWaits { plan, .. }
        | StateReason::PlanFailed { plan, .. }
        | StateReason::PlanEmpty { plan } => one(Kind::InstallPlan, plan),
        StateReason::Installs { csv: new, replaces } => {
            csv(new).into_iter().chain(replaces.iter().flat_map(csv)).collect()
        }
        StateReason::NotUpgradeable { csv: new, replaces, .. } => {
            csv(new).into_iter().chain(of(Kind::OperatorCondition, vec![replaces.to_string()])).collect()
        }
        StateReason::Requirements { csv: one, .. }
        | StateReason::CsvFailed { csv: one, .. }
        | StateReason::ReplacementGone { csv: one }
        | StateReason::Orphan { csv: one, .. } => csv(one),
        StateReason::Catalog { source, .. } => of(Kind::CatalogSource, vec![source.to_string()]),
        StateReason::Unpacking { .. }
        | StateReason::UnpackFailed { .. }
        | StateReason::NoCatalog
        | StateReason::Reported { .. }
        | StateReason::Unresolvable { .. }
        | StateReason::NewPlan { .. }
        | StateReason::UpToDate => Vec::new(),
    }
}
