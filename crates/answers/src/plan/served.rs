//! The members of sets as the planner reads them, and plans with them.

use super::extensions::SeenByV1;
use super::head_clusters;
use crate::simulation::requirement;
use catalog::predicate::PackageName;
use catalog::{Bundle, BundleName, Catalog, InstallModes, bundle_details};
use cluster::{Budget, CatalogKey, Cluster, Kind};
use compare::State;
use openshift::plans::{Allowed, Plans, Question, Reason, Served, Stuck, plans, source_for, way};
use openshift::sets::{CatalogSet, Member};
use resolver::{Listing, Snapshot};
use session::without_catalog;
use simulate::{CsvFailure, Snapshots, TakenProviders};
use source::{Approval, Span, name_list};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use views::{NamespaceNow, NamespaceState, OpenShift, PlanObstacle, PlanQuery, PlansView, StateId, Verdict};

/// A member of a set.
struct ServedMember<'s> {
    set: &'s CatalogSet,
    member: &'s Member,
    listing: OnceCell<Arc<Listing>>,
    /// The install modes that were asked for, by the place of the bundle.
    modes: RefCell<BTreeMap<Span, Option<InstallModes>>>,
}

impl Served for ServedMember<'_> {
    fn state(&self) -> State<'_> {
        self.member.state()
    }

    fn min_kube(&self, package: &PackageName, bundle: &Bundle) -> Option<Box<str>> {
        self.member.min_kube_version(package, &bundle.name.value).map(Into::into)
    }

    fn install_modes(&self, bundle: &Bundle) -> Option<InstallModes> {
        let read = || {
            let file = self.set.files.get(bundle.span.file.0 as usize)?;
            Some(bundle_details(bundle, &file.text)?.csv?.install_modes)
        };
        self.modes.borrow_mut().entry(bundle.span).or_insert_with(read).clone()
    }

    fn listing(&self) -> Arc<Listing> {
        Arc::clone(self.listing.get_or_init(|| Arc::new(Listing::of(&self.member.catalog))))
    }
}

impl ServedMember<'_> {
    /// What a CatalogSource with this catalog serves.
    fn snapshot(&self, key: &CatalogKey) -> Arc<Snapshot> {
        Arc::new(Snapshot { key: key.clone(), priority: 0, listing: self.listing() })
    }
}

/// The catalogs of CatalogSources on a way through versions of OpenShift.
pub(crate) struct PlanSources<'s> {
    way: Vec<OpenShift>,
    /// The work that the solver may do for all plans.
    budget: Budget,
    members: BTreeMap<CatalogKey, Vec<Option<ServedMember<'s>>>>,
}

impl<'s> PlanSources<'s> {
    /// Of the sets that the CatalogSources follow.
    ///
    /// # Errors
    /// When no updates of OpenShift lead from one version to the other.
    pub(crate) fn of(
        sets: &BTreeMap<CatalogKey, &'s CatalogSet>,
        from: OpenShift,
        to: OpenShift,
    ) -> Result<Self, String> {
        let way = way(from, to)?;
        let member = |set: &'s CatalogSet, version: OpenShift| {
            let member = set.member(version)?;
            Some(ServedMember { set, member, listing: OnceCell::new(), modes: RefCell::default() })
        };
        let members =
            sets.iter().map(|(key, set)| (key.clone(), way.iter().map(|version| member(set, *version)).collect()));
        Ok(Self { members: members.collect(), way, budget: Budget::default() })
    }

    /// The catalogs of each CatalogSource, from the first version of the way on, as far as they are loaded.
    pub(crate) fn catalogs(&self) -> BTreeMap<CatalogKey, Vec<&'s Catalog>> {
        let catalogs = |members: &Vec<Option<ServedMember<'s>>>| {
            members.iter().flatten().map(|member| &member.member.catalog).collect()
        };
        self.members.iter().map(|(key, members)| (key.clone(), catalogs(members))).collect()
    }

    /// What the CatalogSources serve on the first version of the way, as far as it is loaded.
    pub(crate) fn first_snapshots(&self) -> Snapshots {
        let snapshot = |(key, members): (&CatalogKey, &Vec<Option<ServedMember<'s>>>)| {
            let first = members.first()?.as_ref().filter(|served| served.state().rejected.is_none())?;
            Some((key.clone(), first.snapshot(key)))
        };
        self.members.iter().filter_map(snapshot).collect()
    }

    /// The plans of a cluster whose namespaces stand so. CatalogSources without catalogs are left out.
    pub(crate) fn plan(
        &self,
        cluster: &Cluster,
        states: &[NamespaceState],
        of_v1: Option<&SeenByV1<'_, '_>>,
        query: &PlanQuery,
    ) -> PlansView {
        let mut cluster = cluster.clone();
        cluster.assume_sources();
        let (served, unknown): (Vec<_>, Vec<_>) =
            (cluster.catalog_sources.drain(..)).partition(|source| self.members.contains_key(&source.key));
        cluster.catalog_sources = served;
        // Without catalogs nothing is simulated.
        let left_out = unknown.iter().filter(|_| !self.members.is_empty());
        let left_out = left_out.map(|source| without_catalog(&source.key.name, &source.key.namespace));
        let present = self.way[0];
        let (renamed, others): (BTreeSet<CatalogKey>, BTreeSet<CatalogKey>) = self
            .named_for_versions(&cluster)
            .cloned()
            .partition(|key| source_for(&key.name, present).as_deref() == Some(&key.name));
        let named = |key: &CatalogKey, consequence: &str| {
            format!(
                "CatalogSource `{}` is named for one version of OpenShift, as oc-mirror names them, and no update exchanges \
                 its catalog. {consequence}",
                key.name
            )
        };
        let renaming = "So the plans change `spec.source` of its Subscriptions after each update; compare the new names \
                        with those on the cluster.";
        let other =
            format!("It is not the one for {present}. The plans assume that it serves the catalog of each version.");
        let stuck = states.iter().filter_map(stuck).collect();
        let taken = self.take_providers(&mut cluster);
        let notices = (states.iter().filter_map(begins))
            .chain((self.way.len() == 1).then(|| PATCH.to_owned()))
            .chain(self.member_notices())
            .chain(waiting(&cluster))
            .chain(cluster.installed_notices())
            .chain(cluster.managed_notices().into_iter().map(|text| text + "."))
            .chain(taken)
            .chain(left_out)
            .chain(self.failing(&cluster))
            .chain(renamed.iter().map(|key| named(key, renaming)))
            .chain(others.iter().map(|key| named(key, &other)))
            .collect();
        let mut plans = self.plans(&cluster, renamed, &stuck, query);
        of_v1.into_iter().for_each(|of_v1| of_v1.add_to(&mut plans, &self.way));
        let mut catalogs = self.notes();
        let more = of_v1.into_iter().flat_map(|of_v1| of_v1.notes(&self.way));
        let more: Vec<String> = more.filter(|note| !catalogs.contains(note)).collect();
        catalogs.extend(more);
        let view = plans.view(&self.way);
        PlansView { notices: [view.notices, notices].concat(), catalogs, ..view }
    }

    /// The operators that do not fit their OperatorGroup: no update of OpenShift changes that.
    fn failing(&self, cluster: &Cluster) -> Vec<String> {
        let snapshot = |key: &CatalogKey| Some((key.clone(), self.first(key)?.snapshot(key)));
        let modes = |key: &CatalogKey, package: &PackageName, bundle: &BundleName| {
            let served = self.first(key)?;
            served.install_modes(served.member.catalog.package(package.as_str())?.bundle(bundle.as_str())?)
        };
        let mut cluster = cluster.clone();
        simulate::complete(&mut cluster, &self.members.keys().filter_map(snapshot).collect(), &modes);
        let failures = cluster.by_namespace().into_iter().flat_map(|(namespace, mut part)| {
            simulate::sync_with_group(&mut part, &namespace);
            simulate::csv_failures(&part, &namespace)
        });
        let sentence = |CsvFailure { csv, namespace, reason, message, .. }: CsvFailure| {
            format!(
                "`{csv}` in namespace `{namespace}` fails (`{}`: {message}), and no update of OpenShift changes that. The \
                 plans say only which version it has.",
                reason.as_str()
            )
        };
        failures.map(sentence).collect()
    }

    /// Adds what running operators require and no catalog has, and says so.
    fn take_providers(&self, cluster: &mut Cluster) -> Vec<String> {
        let taken = simulate::take_providers(cluster, &self.first_snapshots());
        let sentence = |TakenProviders { csv, namespace, requirements }: TakenProviders| {
            format!(
                "`{csv}` in namespace `{namespace}` runs, so what it requires and no given catalog has is taken to be there: {}.",
                source::joined(requirements.iter().map(requirement), usize::MAX, "and")
            )
        };
        taken.into_iter().map(sentence).collect()
    }

    /// The first loaded catalog of a CatalogSource on the way.
    fn first(&self, key: &CatalogKey) -> Option<&ServedMember<'s>> {
        self.members.get(key)?.iter().flatten().next()
    }

    /// The CatalogSources of Subscriptions that are named for one version of OpenShift: an update of OpenShift exchanges no
    /// catalog of theirs, unless their image follows Kubernetes.
    fn named_for_versions<'k>(&'k self, cluster: &'k Cluster) -> impl Iterator<Item = &'k CatalogKey> {
        let is_used = |key: &CatalogKey| cluster.subscriptions.iter().any(|one| one.spec.catalog.as_ref() == Some(key));
        let follows = |key: &CatalogKey| {
            cluster.catalog_sources.iter().any(|source| source.key == *key && source.has_image_template)
        };
        // A single catalog for all versions has no place of its own.
        let differs = |members: &[Option<ServedMember<'_>>]| {
            members.iter().flatten().any(|served| served.member.places.iter().any(|place| !place.path.is_empty()))
        };
        let is_named = |key: &CatalogKey| source_for(&key.name, self.way[0]).is_some();
        let named = self
            .members
            .iter()
            .filter(move |(key, members)| is_named(key) && is_used(key) && !follows(key) && differs(members));
        named.map(|(key, _)| key)
    }

    /// The plans of clusters that each have the head of one channel of the first catalogs.
    pub(crate) fn plan_heads(&self, query: &PlanQuery) -> PlansView {
        let mut all = Plans { is_planned: true, ..Plans::default() };
        let mut notices = self.member_notices();
        for (key, members) in &self.members {
            let Some(first) = members.first().and_then(Option::as_ref) else { continue };
            for mut cluster in head_clusters(key, &first.member.catalog) {
                notices.extend(self.take_providers(&mut cluster));
                let Plans { plans, blocked, .. } = self.plans(&cluster, BTreeSet::new(), &BTreeMap::new(), query);
                all.plans.extend(plans);
                all.blocked.extend(blocked);
            }
        }
        PlansView { notices, catalogs: self.notes(), ..all.view(&self.way) }
    }

    /// What is wrong with the catalogs on the way.
    fn member_notices(&self) -> Vec<String> {
        openshift::sets::member_notices(self.members.values().flatten().flatten().map(|served| served.member))
    }

    /// What the plans hold for: the catalogs on the way, and those that are not loaded.
    fn notes(&self) -> Vec<String> {
        let note = |(key, members): (&CatalogKey, &Vec<Option<ServedMember<'s>>>)| {
            note(&key.name, self.way.iter().zip(members.iter().map(|served| Some(served.as_ref()?.member))))
        };
        self.members.iter().map(note).collect()
    }

    fn plans(
        &self,
        cluster: &Cluster,
        renamed: BTreeSet<CatalogKey>,
        stuck: &BTreeMap<Arc<str>, Stuck>,
        query: &PlanQuery,
    ) -> Plans {
        let allowed = Allowed { remove: query.may_remove, reinstall: query.may_reinstall };
        let mut sources = BTreeMap::new();
        for (key, members) in &self.members {
            let served = members.iter().map(|member| member.as_ref().map(|member| member as &dyn Served));
            sources.insert(key.clone(), served.collect());
        }
        let cluster = &Cluster { budget: self.budget.clone(), ..cluster.clone() };
        let (way, renamed, sources) = (&self.way, &renamed, &sources);
        plans(&Question { way, cluster, sources, renamed, stuck, goal: query.goal, allowed })
    }
}

/// Which catalog stands for a catalog of the cluster on each version.
pub(super) fn note<'m>(name: &str, members: impl Iterator<Item = (&'m OpenShift, Option<&'m Member>)>) -> String {
    let versions = members.map(|(version, member)| match member {
        Some(member) => {
            let what = match member.places.first().map(|place| &*place.path) {
                None => "made of bundle directories",
                Some("") => "the same catalog",
                Some(path) => path,
            };
            format!("{version} ({what})")
        }
        None => format!("{version} (not loaded)"),
    });
    format!("`{name}`: {}", versions.collect::<Vec<_>>().join(", "))
}

/// What is so within a minor version (operator-lifecycle-manager `pkg/controller/operators/openshift/helpers.go`,
/// `incompatibleOperators`).
const PATCH: &str = "No installed operator stops an update within a minor version of OpenShift: `olm.maxOpenShiftVersion` and \
                     a condition `Upgradeable=False` because of it are about the next minor version.";

/// Why OLM resolves nothing in a namespace as it stands, if that does not pass and no other catalog helps.
fn stuck(state: &NamespaceState) -> Option<(Arc<str>, Stuck)> {
    let decides = state.now.reason;
    let NamespaceNow { resolved, resolution_fails, sentence, advice, objects, .. } = &state.now;
    let is_before = state.is_before_resolution() || decides == StateId::CsvWithoutSubscription;
    let is_stuck = decides.verdict() == Verdict::Stuck && is_before && (!resolved || resolution_fails.is_some());
    is_stuck.then(|| {
        let sentence = format!("The namespace is stuck before any update: {sentence}.");
        let lifts = advice.iter().cloned().collect();
        let csvs = objects.iter().filter(|object| object.kind == Kind::ClusterServiceVersion.as_str());
        let csvs = csvs.map(|object| object.name.as_str().into()).collect();
        let reason = Reason { obstacle: PlanObstacle::Stuck, sentence, lifts, stop: None };
        (state.namespace.as_str().into(), Stuck { reason, csvs })
    })
}

/// What a namespace is in the middle of, after which the plans begin.
fn begins(state: &NamespaceState) -> Option<String> {
    let NamespaceState { namespace, now, .. } = state;
    let advice = now.advice.as_ref().map(|advice| format!(" First {advice}.")).unwrap_or_default();
    let begins = || format!("Namespace `{namespace}`: {}.{advice} The plans begin once that has ended.", now.sentence);
    state.is_in_hand_over().then(begins)
}

/// Which Subscriptions wait for approvals that only others ask for.
fn waiting(cluster: &Cluster) -> impl Iterator<Item = String> {
    let of = |(namespace, part): (Arc<str>, Cluster)| {
        let (manual, others): (Vec<_>, Vec<_>) =
            part.subscriptions.iter().partition(|one| one.approval == Approval::Manual);
        let names = |all: &[&cluster::Subscription]| name_list(all.iter().map(|one| &*one.spec.name));
        (!manual.is_empty() && !others.is_empty()).then(|| {
            format!(
                "Namespace `{namespace}`: {} {} for approval, too, because one InstallPlan updates the whole namespace, and {} {} \
                 `installPlanApproval: Manual`.",
                names(&others),
                if others.len() == 1 { "waits" } else { "wait" },
                names(&manual),
                if manual.len() == 1 { "has" } else { "have" },
            )
        })
    };
    cluster.by_namespace().into_iter().filter_map(of).collect::<Vec<_>>().into_iter()
}
