//! Small clusters with catalogs for versions of OpenShift.

use catalog::predicate::PackageName;
use catalog::{Bundle, BundleName, Catalog, InstallModes, ParsedFile, bundle_details, lower};
use cluster::{
    CatalogKey, CatalogSource, Cluster, Csv, InstallPlan, InstalledCsv, PlanPhase, Subscription, SubscriptionStatus,
};
use compare::State;
use openshift::plans::{Allowed, Plan, Plans, Question, Served, Step, plans, way};
use resolver::{Entry, Listing};
use source::{Approval, FileId, OpenShift};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use views::{PlanAction, PlanGoal};

/// A catalog with its text.
pub(crate) struct Member {
    text: String,
    catalog: Catalog,
    listing: Arc<Listing>,
}

impl Member {
    /// Of the notation of `fixture`.
    pub(crate) fn of(notation: &str) -> Self {
        let text = fixture::yaml(notation);
        let parse = fbc::parse(FileId(1), &text);
        let (catalog, _) = lower(&[ParsedFile { text: &text, parse: &parse }]);
        let listing = Arc::new(Listing::of(&catalog));
        Self { text, catalog, listing }
    }
}

impl Served for Member {
    fn state(&self) -> State<'_> {
        State { catalog: &self.catalog, rejected: None }
    }

    fn min_kube(&self, _: &PackageName, bundle: &Bundle) -> Option<Box<str>> {
        bundle_details(bundle, &self.text)?.csv?.min_kube_version
    }

    fn install_modes(&self, bundle: &Bundle) -> Option<InstallModes> {
        Some(bundle_details(bundle, &self.text)?.csv?.install_modes)
    }

    fn listing(&self) -> Arc<Listing> {
        Arc::clone(&self.listing)
    }
}

/// A question in the making.
pub(crate) struct Scene {
    pub(crate) cluster: Cluster,
    pub(crate) members: BTreeMap<OpenShift, Member>,
    pub(crate) goal: PlanGoal,
    pub(crate) allowed: Allowed,
}

pub(crate) fn key() -> CatalogKey {
    CatalogKey::new("catalog", "olm")
}

pub(crate) fn version(text: &str) -> OpenShift {
    text.parse().expect("a version of OpenShift")
}

impl Scene {
    /// Catalogs, each for one version of OpenShift.
    pub(crate) fn new(members: &[(&str, &str)]) -> Self {
        let members = members.iter().map(|(name, notation)| (version(name), Member::of(notation)));
        let cluster = Cluster { catalog_sources: vec![CatalogSource::new(key(), 0)], ..Cluster::default() };
        Self { cluster, members: members.collect(), goal: PlanGoal::Listed, allowed: Allowed::default() }
    }

    /// A Subscription `PACKAGE/CHANNEL@CSV`; short for `p/CHANNEL@p.vVERSION` without a package.
    pub(crate) fn subscribe(self, text: &str) -> Self {
        self.subscribe_as(text, Approval::Automatic)
    }

    pub(crate) fn subscribe_as(mut self, text: &str, approval: Approval) -> Self {
        let (target, installed) = text.split_once('@').expect("an installed version");
        let (package, channel) = target.split_once('/').unwrap_or(("p", target));
        let name: BundleName = format!("{package}.v{installed}").as_str().into();
        self.cluster.subscriptions.push(Subscription {
            namespace: "operators".into(),
            spec: cluster::SubscriptionSpec {
                name: package.into(),
                package: package.into(),
                channel: Some(channel.into()),
                catalog: Some(key()),
                starting_csv: None,
                installed_csv: Some(name.clone()),
            },
            approval,
            current_csv: Some(name.clone()),
            config: BTreeSet::new(),
            status: SubscriptionStatus::default(),
        });
        let first = self.members.values().next().expect("a catalog");
        let entry = first.listing.entries().iter().find(|entry| entry.name == name);
        let csv = Csv::running("operators", entry.map_or_else(|| InstalledCsv::of_name(&name), Entry::installed));
        self.cluster.csvs.push(csv);
        self
    }

    /// An InstallPlan that waits for an approval of what the last Subscription is to get.
    pub(crate) fn with_install_plan(mut self, name: &str, csv: &str) -> Self {
        let subscription = self.cluster.subscriptions.last_mut().expect("a Subscription");
        subscription.current_csv = Some(csv.into());
        subscription.status.install_plan = Some(name.into());
        self.cluster.install_plans.push(InstallPlan {
            namespace: subscription.namespace.clone(),
            name: name.into(),
            generation: 1,
            approval: Approval::Manual,
            approved: false,
            phase: PlanPhase::RequiresApproval,
            csvs: vec![csv.into()],
            steps: Vec::new(),
            done: 0,
            error: None,
            retries: None,
            is_assumed: false,
            is_empty: false,
        });
        self
    }

    pub(crate) fn goal(mut self, goal: PlanGoal) -> Self {
        self.goal = goal;
        self
    }

    pub(crate) fn allow(mut self, remove: bool, reinstall: bool) -> Self {
        self.allowed = Allowed { remove, reinstall };
        self
    }

    pub(crate) fn plans(&self) -> Plans {
        let from = *self.members.keys().next().expect("a catalog");
        let to = *self.members.keys().last().expect("a catalog");
        self.plans_on(&way(from, to).expect("a way"))
    }

    /// The same on a given way; without catalogs if there are none.
    pub(crate) fn plans_on(&self, way: &[OpenShift]) -> Plans {
        let served = way.iter().map(|version| self.members.get(version).map(|member| member as &dyn Served));
        let has_catalogs = !self.members.is_empty();
        let question = Question {
            renamed: &BTreeSet::new(),
            stuck: &BTreeMap::new(),
            sources: &BTreeMap::from([(key(), served.collect())]).into_iter().filter(|_| has_catalogs).collect(),
            way,
            cluster: &self.cluster,
            goal: self.goal,
            allowed: self.allowed,
        };
        plans(&question)
    }

    /// The only plan in short.
    pub(crate) fn plan(&self) -> String {
        let found = self.plans();
        assert_eq!(found.plans.len(), 1);
        shown(&found.plans[0])
    }

    /// All plans in short.
    pub(crate) fn all(&self) -> String {
        self.plans().plans.iter().map(shown).collect::<Vec<_>>().join("\n")
    }
}

/// A plan in short: `missed/frozen/reinstalls/manual`, the steps on each version, and the reason. Names are versions.
pub(crate) fn shown(plan: &Plan) -> String {
    let cost = plan.cost.map_or_else(
        || "none".to_owned(),
        |cost| format!("{}/{}/{}/{}", cost.missed, cost.frozen, cost.reinstalls, cost.manual),
    );
    let waiting = plan.waiting.iter().map(|waiting| format!("waiting {} |", waiting.name));
    let steps = plan.steps.iter().map(step);
    let reason = plan.reason.iter().map(|reason| format!("({})", word(reason.obstacle)));
    std::iter::once(cost).chain(waiting).chain(steps).chain(reason).collect::<Vec<_>>().join(" ")
}

fn step(step: &Step) -> String {
    let to = step.to.rsplit_once(".v").map_or(step.to.as_str(), |(_, version)| version);
    let hangs = if step.hangs { " pending" } else { "" };
    match step.what {
        PlanAction::Update => format!("→{to}{hangs}"),
        PlanAction::OpenShift => format!("| {to}:"),
        what => {
            let plan = step.install_plan.iter().map(|plan| format!(" by {plan}")).collect::<String>();
            format!("{} {to}{hangs}{plan}", word(what))
        }
    }
}

fn word(value: impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|word| word.as_str().map(ToOwned::to_owned)).expect("a word")
}
