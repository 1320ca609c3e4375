//! Namespaces, and events as lines.

use catalog::{Catalog, ParsedFile, lower};
use cluster::Cluster;
use simulate::{
    Action, Blocker, BundleCrds, BundleModes, Controller, Deprecations, End, Event, EventKind, Object, Snapshots,
};
use source::{FileId, Rule};

/// A CatalogSource `c` in `olm` and an OperatorGroup in `ns`.
pub(crate) const BASE: &str = "
kind: CatalogSource
metadata: {name: c, namespace: olm}
---
kind: OperatorGroup
metadata: {name: og, namespace: ns}
";

pub(crate) fn catalog(text: &str) -> Catalog {
    let parse = fbc::parse(FileId(1), text);
    lower(&[ParsedFile { text, parse: &parse }]).0
}

pub(crate) fn subscription(package: &str, spec: &str) -> String {
    format!(
        "---\nkind: Subscription\nmetadata: {{name: {package}, namespace: ns}}\n\
         spec: {{name: {package}, channel: ch, source: c, sourceNamespace: olm{spec}}}\n"
    )
}

/// A Subscription with `csv` installed, and the CSV.
pub(crate) fn installed(package: &str, spec: &str, csv: &str) -> String {
    let status = format!("status: {{currentCSV: {csv}, installedCSV: {csv}, state: AtLatestKnown}}\n");
    subscription(package, spec) + &status + &self::csv(csv, "Succeeded", "")
}

/// A CSV with an `olm.package` property.
pub(crate) fn csv(name: &str, phase: &str, replaces: &str) -> String {
    let (package, version) = name.split_once(".v").expect("names end in .vN");
    format!(
        "---\nkind: ClusterServiceVersion\nmetadata:\n  name: {name}\n  namespace: ns\n  annotations:\n    \
         operatorframework.io/properties: '{{\"properties\":[{{\"type\":\"olm.package\",\"value\":{{\"packageName\":\"{package}\",\
         \"version\":\"{version}.0.0\"}}}}]}}'\nspec: {{version: {version}.0.0, replaces: '{replaces}'}}\n\
         status: {{phase: {phase}}}\n"
    )
}

pub(crate) struct World {
    pub(crate) cluster: Cluster,
    pub(crate) snapshots: Snapshots,
    pub(crate) deprecations: Deprecations,
    pub(crate) bundle_crds: BundleCrds,
    pub(crate) install_modes: BundleModes,
}

impl World {
    /// A catalog in the notation of [`fixture`], and the manifests of a cluster.
    pub(crate) fn new(catalog: &str, manifests: &str) -> Self {
        let catalog = self::catalog(&fixture::yaml(catalog));
        let manifests = cluster::read(FileId(0), &format!("{BASE}{manifests}"));
        assert!(
            manifests.diagnostics.iter().all(|found| found.rule == Rule::UnknownCatalog),
            "{:?}",
            manifests.diagnostics
        );
        let cluster = manifests.cluster;
        let snapshots = simulate::snapshots(&cluster, |_| Some(&catalog));
        let deprecations = simulate::deprecations(&cluster, |_| Some(&catalog));
        let (bundle_crds, install_modes) = (BundleCrds::new(), BundleModes::new());
        Self { cluster, snapshots, deprecations, bundle_crds, install_modes }
    }

    pub(crate) fn controller(&self) -> Controller {
        self.controller_of("ns")
    }

    fn controller_of(&self, namespace: &str) -> Controller {
        let controller =
            Controller::new(self.cluster.clone(), namespace, self.snapshots.clone(), self.deprecations.clone());
        controller.with_bundle_crds(self.bundle_crds.clone()).with_install_modes(self.install_modes.clone())
    }

    /// Replaces the catalogs.
    pub(crate) fn update(&self) -> Action {
        let (snapshots, deprecations) = (self.snapshots.clone(), self.deprecations.clone());
        Action::UpdateCatalogs { snapshots, deprecations, bundle_crds: self.bundle_crds.clone() }
    }

    /// The CSVs of each plan if everything succeeds and is approved.
    pub(crate) fn plans(&self) -> Vec<String> {
        self.plans_of("ns")
    }

    pub(crate) fn plans_of(&self, namespace: &str) -> Vec<String> {
        let mut controller = self.controller_of(namespace);
        let mut plans = Vec::new();
        loop {
            let run = controller.settle(3000);
            plans.extend(run.events.iter().filter_map(|event| match &event.kind {
                EventKind::PlanCreated { csvs, .. } => {
                    let names: Vec<&str> = csvs.iter().map(catalog::BundleName::as_str).collect();
                    Some(names.join(" "))
                }
                _ => None,
            }));
            let End::WaitsForApproval(waiting) = run.end else { return plans };
            for plan in waiting {
                controller.act(Action::Approve(plan));
            }
        }
    }
}

/// The CSVs that block the namespace, each with its phase.
pub(crate) fn blocking_csvs(blockers: &[Blocker]) -> Vec<String> {
    let csvs = blockers.iter().map(|blockers| match blockers {
        Blocker::Csv { name, phase } => format!("{name} {phase}"),
        other => format!("{other:?}"),
    });
    csvs.collect()
}

/// The events of a run as lines, without the health of catalogs.
pub(crate) fn lines(events: &[Event]) -> Vec<String> {
    events.iter().map(line).filter(|line| !line.contains("CatalogSourcesUnhealthy")).collect()
}

fn line(event: &Event) -> String {
    let about = match &event.object {
        Object::Namespace => "ns".to_owned(),
        Object::CatalogSource(key) => format!("catalog {key}"),
        Object::Subscription(name) => format!("sub {name}"),
        Object::InstallPlan(name) => format!("plan {name}"),
        Object::Csv(name) => format!("csv {name}"),
    };
    let name = |name: &Option<catalog::BundleName>| name.as_ref().map_or("-".to_owned(), ToString::to_string);
    let what = match &event.kind {
        EventKind::Synced(synced) => format!("{synced:?}"),
        EventKind::ResolutionSucceeded { selected, plan } => {
            let names: Vec<&str> = selected.iter().map(|bundle| bundle.name.as_str()).collect();
            format!("resolved [{}]{}", names.join(" "), if *plan { "" } else { " no plan" })
        }
        EventKind::ResolutionFailed { reason, transient, .. } => {
            format!("failed {}{}", reason.as_str(), if *transient { ", passes" } else { "" })
        }
        EventKind::CannotTell(gave_up) => gave_up.to_string(),
        EventKind::PlanCreated { generation, approval, csvs, generated } => {
            let csvs: Vec<&str> = csvs.iter().map(catalog::BundleName::as_str).collect();
            let generated: Vec<&str> = generated.iter().map(|generated| &*generated.name).collect();
            format!("created {generation} {approval:?} [{}] [{}]", csvs.join(" "), generated.join(" "))
        }
        EventKind::PlanWaits => "waits".to_owned(),
        EventKind::PlanApproved => "approved".to_owned(),
        EventKind::PlanPhase { from, to } => format!("{from}->{to}"),
        EventKind::PlanRetried { message } => message.to_string(),
        EventKind::PlanFailed { message } => format!("failed: {message}"),
        EventKind::PlanDeleted => "deleted".to_owned(),
        EventKind::CsvCreated { replaces } => format!("created replaces {}", name(replaces)),
        EventKind::CsvPresent => "present".to_owned(),
        EventKind::CsvPhase { from, to } => format!("{from}->{to}"),
        EventKind::CsvFailed { reason, .. } => format!("fails {reason}"),
        EventKind::CsvDeleted { replaced_by } => format!("deleted for {}", name(replaced_by)),
        EventKind::SubscriptionGenerated { by } => format!("generated by {by}"),
        EventKind::SubscriptionEdited(edit) => format!("{edit:?}"),
        EventKind::SubscriptionState { state, current_csv, installed_csv, install_plan } => {
            let plan = install_plan.as_deref().unwrap_or("-");
            format!("state '{state}' current {} installed {} plan {plan}", name(current_csv), name(installed_csv))
        }
        EventKind::ConditionSet(kind, condition) => {
            format!("{kind}={} {}", condition.status, condition.reason).trim_end().to_owned()
        }
        EventKind::ConditionRemoved(kind) => format!("{kind} removed"),
        EventKind::CatalogUpdated => "updated".to_owned(),
    };
    format!("{about}: {what}")
}
