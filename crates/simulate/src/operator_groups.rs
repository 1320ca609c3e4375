//! Whether the CSVs of a namespace fit its OperatorGroup. OLM checks that at every synchronisation of every CSV, before it looks
//! at the phase; a resolution reads neither groups nor install modes.
//!
//! Follows operator-lifecycle-manager `pkg/controller/operators/olm/operator.go` (`syncClusterServiceVersion`), `operatorgroup.go`
//! and `groups.go`, and operator-framework/api `pkg/operators/v1alpha1/clusterserviceversion.go` (`InstallModeSet.Supports`).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use catalog::predicate::{PackageName, Property};
use catalog::{BundleName, InstallModes};
use cluster::{
    CatalogKey, Cluster, Csv, CsvProperties, EVERY_NAMESPACE, GroupMismatch, OperatorGroup, TargetNamespaces,
};

use crate::namespace::{Snapshots, describe_assumed_csvs};

/// The reason that makes OLM leave a failed CSV alone.
const NO_RETRY: &str = "ComponentFailedNoRetry";

/// Looks up the install modes of a bundle in a catalog; `None` if it does not tell them.
pub type ReadModes<'a> = dyn Fn(&CatalogKey, &PackageName, &BundleName) -> Option<InstallModes> + 'a;

/// The install modes of bundles, by catalog, package and bundle. Nothing is claimed about a bundle that is absent.
pub type BundleModes = BTreeMap<(CatalogKey, PackageName, BundleName), InstallModes>;

/// For callers that know no install modes: nothing is then said about OperatorGroups.
#[must_use]
pub const fn no_modes(_: &CatalogKey, _: &PackageName, _: &BundleName) -> Option<InstallModes> {
    None
}

/// A CSV that OLM keeps in phase `Failed`, because it does not fit the OperatorGroup of its namespace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CsvFailure {
    pub csv: BundleName,
    pub namespace: Arc<str>,
    /// `status.reason`
    pub reason: GroupMismatch,
    /// `status.message`
    pub message: Box<str>,
    /// The CSV in phase `Replacing` that this one should replace. Its operator still runs.
    pub still_runs: Option<BundleName>,
    /// The OperatorGroups of other namespaces whose operators provide the same APIs, as `namespace/name`, with these APIs.
    pub rivals: Vec<(String, BTreeSet<Box<str>>)>,
}

/// Whether a CSV fits the OperatorGroup of its namespace.
pub(crate) enum Fit {
    Fits,
    /// The manifests or the catalog do not tell.
    NotKnown,
    Fails(GroupMismatch, Box<str>),
}

/// The namespaces in which its operators provide their APIs.
fn surface(group: &OperatorGroup) -> Option<BTreeSet<Box<str>>> {
    let mut surface = group.watched()?;
    if !surface.contains(EVERY_NAMESPACE) {
        surface.insert((&*group.namespace).into());
    }
    Some(surface)
}

/// The APIs that it provides, as the annotation of an OperatorGroup lists them.
fn provided_apis(csv: &Csv) -> BTreeSet<Box<str>> {
    let text = |api: &catalog::predicate::Gvk| format!("{}.{}.{}", api.kind, api.version, api.group).into();
    match &csv.installed.properties {
        CsvProperties::Inferred { provided, .. } => provided.iter().map(text).collect(),
        CsvProperties::Known(properties) => {
            let apis = properties.iter().filter_map(|placed| match &placed.property {
                Property::Gvk(api, _) => Some(text(api)),
                _ => None,
            });
            apis.collect()
        }
        CsvProperties::Broken(_) => BTreeSet::new(),
    }
}

pub(crate) fn fail(csv: &mut Csv, reason: GroupMismatch, message: Box<str>) {
    csv.phase = Some("Failed".into());
    (csv.reason, csv.message) = (Some(reason.as_str().into()), Some(message));
}

/// The CSVs of a namespace that OLM keeps in phase `Failed`, because they do not fit its OperatorGroup; by name.
#[must_use]
pub fn csv_failures(cluster: &Cluster, namespace: &str) -> Vec<CsvFailure> {
    let here = cluster.csvs.iter().filter(|csv| &*csv.namespace == namespace);
    let mut failures: Vec<CsvFailure> = here
        .filter_map(|csv| {
            let replaced = predecessor(cluster, csv).filter(|old| old.phase.as_deref() == Some("Replacing"));
            Some(CsvFailure {
                csv: csv.installed.name.clone(),
                namespace: Arc::clone(&csv.namespace),
                reason: csv.group_mismatch()?,
                message: csv.message.clone().unwrap_or_default(),
                still_runs: replaced.map(|old| old.installed.name.clone()),
                rivals: rivals(cluster, csv),
            })
        })
        .collect();
    failures.sort_by(|a, b| a.csv.cmp(&b.csv));
    failures
}

/// What the OperatorGroup of a namespace could select so that every CSV fits that is not being replaced: all namespaces, or
/// its own.
pub(crate) fn fitting_targets(cluster: &Cluster, namespace: &str) -> Vec<TargetNamespaces> {
    let own = TargetNamespaces::Named(BTreeSet::from([namespace.into()]));
    let mut fitting = vec![TargetNamespaces::All, own];
    fitting.retain(|targets| {
        let mut groups = cluster.groups_of(namespace).to_vec();
        if groups.is_empty() {
            groups.push(group(&namespace.into(), targets.clone()));
        }
        groups.iter_mut().for_each(|group| group.targets = targets.clone());
        let here = cluster.csvs.iter().filter(|csv| &*csv.namespace == namespace);
        let mut counting = here.filter(|csv| csv.phase.as_deref() != Some("Replacing"));
        counting.all(|csv| matches!(fit_of_groups(cluster, csv, &groups), Fit::Fits))
    });
    fitting
}

/// The OperatorGroups of other namespaces that provide APIs of a CSV, and these APIs.
fn rivals(cluster: &Cluster, csv: &Csv) -> Vec<(String, BTreeSet<Box<str>>)> {
    let apis = provided_apis(csv);
    let others = cluster.operator_groups.values().flatten().filter(|other| other.namespace != csv.namespace);
    let shared = others.map(|other| {
        let both = other.provided_apis.intersection(&apis).cloned().collect();
        (format!("{}/{}", other.namespace, other.name), both)
    });
    shared.filter(|(_, both): &(_, BTreeSet<_>)| !both.is_empty()).collect()
}

/// The CSV that another one replaces, if it still exists.
pub(crate) fn predecessor<'c>(cluster: &'c Cluster, csv: &Csv) -> Option<&'c Csv> {
    let replaced = csv.replaces.as_ref().filter(|replaced| **replaced != csv.installed.name)?;
    cluster.csvs.iter().find(|old| old.namespace == csv.namespace && old.installed.name == *replaced)
}

/// Synchronises the CSVs of a namespace with its OperatorGroup: those that do not fit fail; those that failed and fit now
/// run, and what they replace goes.
pub fn sync_with_group(cluster: &mut Cluster, namespace: &str) {
    let here = cluster.csvs.iter().enumerate().filter(|(_, csv)| &*csv.namespace == namespace);
    let fits: Vec<(usize, Fit)> = here.map(|(at, csv)| (at, fit(cluster, csv))).collect();
    let mut recovered = Vec::new();
    for (at, fit) in fits {
        let csv = &mut cluster.csvs[at];
        match fit {
            Fit::Fails(reason, message) => fail(csv, reason, message),
            Fit::Fits if csv.group_mismatch().is_some() => recovered.push(csv.installed.name.clone()),
            Fit::Fits | Fit::NotKnown => {}
        }
    }
    for name in recovered {
        run_operator(cluster, namespace, &name);
        let waits = |csv: &&Csv| {
            &*csv.namespace == namespace
                && csv.replaces.as_ref() == Some(&name)
                && csv.phase.as_deref() == Some("Pending")
        };
        // The CSV that replaces it was waiting for it.
        if let Some(next) = cluster.csvs.iter().find(waits).map(|csv| csv.installed.name.clone()) {
            run_operator(cluster, namespace, &next);
        }
    }
}

/// Lets the operator of a CSV run, so that those that it replaces go.
fn run_operator(cluster: &mut Cluster, namespace: &str, name: &BundleName) {
    let is_it = |csv: &Csv| &*csv.namespace == namespace && csv.installed.name == *name;
    let Some(at) = cluster.csvs.iter().position(is_it) else { return };
    let csv = &mut cluster.csvs[at];
    csv.phase = Some("Succeeded".into());
    (csv.reason, csv.message) = (None, None);
    let replaced = csv.replaces.clone().filter(|older| older != name);
    remove_replaced(cluster, namespace, replaced);
}

/// Removes a replaced CSV and then each older CSV in the chain of `replaces`, as long as its phase is `Replacing`.
pub(crate) fn remove_replaced(cluster: &mut Cluster, namespace: &str, mut replaced: Option<BundleName>) {
    let is_named = |csv: &Csv, other: &BundleName| &*csv.namespace == namespace && csv.installed.name == *other;
    while let Some(at) = replaced.take().and_then(|older| cluster.csvs.iter().position(|csv| is_named(csv, &older))) {
        let older = cluster.csvs.remove(at).replaces;
        let is_replacing = |csv: &&Csv| csv.phase.as_deref() == Some("Replacing");
        replaced = older.filter(|older| cluster.csvs.iter().filter(is_replacing).any(|csv| is_named(csv, older)));
    }
}

/// Whether a CSV fits the OperatorGroup of its namespace, in the order of OLM's checks.
pub(crate) fn fit(cluster: &Cluster, csv: &Csv) -> Fit {
    fit_of_groups(cluster, csv, cluster.groups_of(&csv.namespace))
}

/// The same if its namespace had these OperatorGroups.
fn fit_of_groups(cluster: &Cluster, csv: &Csv, groups: &[OperatorGroup]) -> Fit {
    if csv.phase.as_deref() == Some("Failed") && csv.reason.as_deref() == Some(NO_RETRY) {
        return Fit::NotKnown;
    }
    let group = match groups {
        [] if cluster.has_all_groups => {
            return fails(GroupMismatch::NoOperatorGroup, "csv in namespace with no operatorgroups");
        }
        [] => return Fit::NotKnown,
        [group] => group,
        [_, _, ..] => {
            let message = "csv created in namespace with multiple operatorgroups, can't pick one automatically";
            return fails(GroupMismatch::TooManyOperatorGroups, message);
        }
    };
    let watched = group.watched();
    if watched.as_ref().is_some_and(BTreeSet::is_empty) {
        let message = "no targetNamespaces are matched operatorgroups namespace selection";
        return fails(GroupMismatch::NoTargetNamespaces, message);
    }
    if let Some(modes) = csv.install_modes.as_ref().filter(|modes| modes.has_duplicates()) {
        let message = format!("InstallMode list contains duplicates, cannot make set: {modes}");
        return fails(GroupMismatch::InvalidInstallModes, &message);
    }
    if watched.is_none() && matches!(group.targets, TargetNamespaces::Named(_)) {
        // `TargetNamespaces cannot contain NamespaceAll`: OLM never writes what the group selects.
        return fails(GroupMismatch::NoTargetNamespaces, "csv missing olm.targetNamespaces annotation");
    }
    let both = watched.zip(csv.install_modes.as_ref());
    let is_known = both.is_some();
    if let Some((watched, modes)) = both
        && let Err(message) = supports(modes, &csv.namespace, &watched)
        && !(group.is_assumed() && *csv.namespace != *OPENSHIFT_OPERATORS && common_targets(cluster, csv).is_some())
    {
        return fails(GroupMismatch::UnsupportedOperatorGroup, &message);
    }
    match fit_of_apis(cluster, csv, group) {
        Fit::Fits if !is_known => Fit::NotKnown,
        fit => fit,
    }
}

/// The namespace in which OpenShift has an OperatorGroup for all namespaces, `global-operators`.
pub const OPENSHIFT_OPERATORS: &str = "openshift-operators";

/// What the operators of a namespace can all watch, with a further one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommonTargets {
    AllNamespaces,
    /// The namespace itself.
    OwnNamespace,
    /// One other namespace.
    SingleNamespace,
    /// Several other namespaces.
    MultiNamespace,
}

impl CommonTargets {
    const ALL: [Self; 4] = [Self::AllNamespaces, Self::OwnNamespace, Self::SingleNamespace, Self::MultiNamespace];

    /// The first that operators with these modes can watch. One without known modes is in nobody's way.
    #[must_use]
    pub fn of(modes: &[&InstallModes]) -> Option<Self> {
        Self::ALL.into_iter().find(|targets| modes.iter().all(|modes| modes.supports(targets.mode())))
    }

    /// The install mode that they need.
    #[must_use]
    pub const fn mode(self) -> &'static str {
        match self {
            Self::AllNamespaces => ALL_NAMESPACES,
            Self::OwnNamespace => OWN_NAMESPACE,
            Self::SingleNamespace => SINGLE_NAMESPACE,
            Self::MultiNamespace => MULTI_NAMESPACE,
        }
    }
}

/// What the operators of the namespace of a CSV can all watch, those aside that are being replaced.
fn common_targets(cluster: &Cluster, csv: &Csv) -> Option<CommonTargets> {
    let others = cluster.csvs.iter().filter(|other| {
        other.namespace == csv.namespace
            && other.installed.name != csv.installed.name
            && other.phase.as_deref() != Some("Replacing")
    });
    let modes: Vec<&InstallModes> = others.chain([csv]).filter_map(|csv| csv.install_modes.as_ref()).collect();
    CommonTargets::of(&modes)
}

/// Whether the APIs of a CSV can be added to those of its group.
fn fit_of_apis(cluster: &Cluster, csv: &Csv, group: &OperatorGroup) -> Fit {
    let apis = provided_apis(csv);
    if apis.is_empty() {
        return Fit::Fits;
    }
    let Some(own) = surface(group) else { return Fit::NotKnown };
    let others = cluster.operator_groups.values().flatten().filter(|other| other.namespace != group.namespace);
    let mut rivals = others.filter(|other| !other.provided_apis.is_disjoint(&apis)).peekable();
    let is_known = rivals.peek().is_none() || rivals.clone().all(|other| surface(other).is_some());
    let intersects = rivals.any(|other| surface(other).is_some_and(|other| meet(&own, &other)));
    if !intersects && !is_known {
        return Fit::NotKnown;
    }
    let has_all = apis.is_subset(&group.provided_apis);
    // A conflict takes the APIs from the annotation of a group that lists them, which a static one does not allow; in others
    // its CSVs fail with the conflict at the next synchronisation.
    match (has_all, intersects, group.has_static_apis) {
        (true, true, true) | (false, false, true) => fails(
            GroupMismatch::StaticProvidedApis,
            "static provided api operatorgroup cannot be modified by these apis",
        ),
        (_, true, _) => fails(GroupMismatch::IntersectingGroups, "intersecting operatorgroups provide the same apis"),
        (_, false, _) => Fit::Fits,
    }
}

fn fails(reason: GroupMismatch, message: &str) -> Fit {
    Fit::Fails(reason, message.into())
}

/// Whether two sets of namespaces have one in common. All namespaces meet every set that is not empty.
fn meet(one: &BTreeSet<Box<str>>, other: &BTreeSet<Box<str>>) -> bool {
    let all = one.contains(EVERY_NAMESPACE) || other.contains(EVERY_NAMESPACE);
    !one.is_disjoint(other) || all && !one.is_empty() && !other.is_empty()
}

// What manifests leave out about OperatorGroups and install modes, completed where that is possible.

/// The OperatorGroup that a namespace needs and the manifests do not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssumedGroup {
    pub namespace: Arc<str>,
    /// The namespaces that it is assumed to watch; `None` if nothing installed there allows all namespaces or its own, so that
    /// nothing is assumed.
    pub targets: Option<TargetNamespaces>,
}

/// Looks up what the bundles of CSVs tell that the manifests do not have: install modes, and everything of CSVs that only
/// Subscriptions name. Adds an OperatorGroup to each namespace with Subscriptions
/// that has none, unless the manifests are complete. Such a group watches all namespaces, or its own if the operators that are
/// installed there do not support all. Returns the groups that it adds, by namespace.
pub fn complete(cluster: &mut Cluster, snapshots: &Snapshots, modes: &ReadModes<'_>) -> Vec<AssumedGroup> {
    describe_assumed_csvs(cluster, snapshots);
    for at in 0..cluster.csvs.len() {
        if cluster.csvs[at].install_modes.is_none() {
            cluster.csvs[at].install_modes = modes_of(cluster, &cluster.csvs[at], snapshots, modes);
        }
    }
    if cluster.has_all_groups {
        return Vec::new();
    }
    let mut modes: BTreeMap<Arc<str>, Vec<&InstallModes>> = BTreeMap::new();
    for namespace in cluster.namespaces().into_iter().filter(|one| !cluster.operator_groups.contains_key(one)) {
        modes.insert(namespace, Vec::new());
    }
    for csv in &cluster.csvs {
        if let Some(modes) = modes.get_mut(&csv.namespace) {
            modes.extend(&csv.install_modes);
        }
    }
    let assumed: Vec<AssumedGroup> =
        modes.into_iter().map(|(namespace, modes)| AssumedGroup::of(namespace, &modes)).collect();
    let new = assumed.iter().filter_map(|assumed| Some((&assumed.namespace, assumed.targets.clone()?)));
    for (namespace, targets) in new {
        let group = group(namespace, targets);
        // Many namespaces share the groups; they are copied only if one is added.
        Arc::make_mut(&mut cluster.operator_groups).insert(Arc::clone(namespace), vec![group]);
    }
    assumed
}

/// The install modes of the bundle of a CSV, in the first catalog that has it and tells them.
fn modes_of(cluster: &Cluster, csv: &Csv, snapshots: &Snapshots, modes: &ReadModes<'_>) -> Option<InstallModes> {
    let name = &csv.installed.name;
    let visible: BTreeSet<_> = cluster.visible_to(&csv.namespace).collect();
    let catalogs = visible.into_iter().filter_map(|key| snapshots.get(key));
    catalogs.into_iter().find_map(|snapshot| {
        let entry = snapshot.listing.named(name).next()?;
        modes(&snapshot.key, &entry.package, name)
    })
}

impl AssumedGroup {
    /// The group of a namespace whose CSVs have these install modes.
    fn of(namespace: Arc<str>, modes: &[&InstallModes]) -> Self {
        let all_support = |mode: &str| modes.iter().all(|modes| modes.supports(mode));
        let targets = if all_support(ALL_NAMESPACES) {
            Some(TargetNamespaces::All)
        } else if all_support(OWN_NAMESPACE) {
            Some(TargetNamespaces::Named(BTreeSet::from([(&*namespace).into()])))
        } else {
            None
        };
        Self { namespace, targets }
    }
}

/// The OperatorGroup of a namespace whose operators watch all namespaces.
pub(crate) fn group_for_all(namespace: &Arc<str>) -> OperatorGroup {
    group(namespace, TargetNamespaces::All)
}

pub(super) fn group(namespace: &Arc<str>, targets: TargetNamespaces) -> OperatorGroup {
    OperatorGroup {
        namespace: Arc::clone(namespace),
        name: "".into(),
        excludes_global: false,
        fail_forward: false,
        targets,
        selected: None,
        provided_apis: BTreeSet::new(),
        has_static_apis: false,
        account_error: None,
        annotation_error: None,
    }
}

// Which sets of namespaces a CSV supports.

/// The four install modes of the API.
pub(super) const ALL_NAMESPACES: &str = "AllNamespaces";
pub(super) const OWN_NAMESPACE: &str = "OwnNamespace";
const SINGLE_NAMESPACE: &str = "SingleNamespace";
const MULTI_NAMESPACE: &str = "MultiNamespace";

/// Whether an operator in the namespace `own` can watch the namespaces `targets`; otherwise OLM's text why not.
fn supports(modes: &InstallModes, own: &str, targets: &BTreeSet<Box<str>>) -> Result<(), String> {
    let need = |mode: &str, what: &str| match modes.supports(mode) {
        true => Ok(()),
        false => Err(format!("{mode} InstallModeType not supported, cannot configure to watch {what}")),
    };
    let count = targets.len();
    match targets.first().map(|first| &**first) {
        None => Err("operatorgroup has invalid selected namespaces, cannot configure to watch zero namespaces".into()),
        Some(EVERY_NAMESPACE) if count == 1 => need(ALL_NAMESPACES, "all namespaces"),
        Some(one) if count == 1 && one == own => need(OWN_NAMESPACE, "own namespace"),
        Some(_) if count == 1 => need(SINGLE_NAMESPACE, "one namespace"),
        Some(_) => {
            need(MULTI_NAMESPACE, &format!("{count} namespaces"))?;
            if targets.contains(own) {
                need(OWN_NAMESPACE, "own namespace")?;
            }
            match targets.contains(EVERY_NAMESPACE) {
                true => Err(
                    "operatorgroup has invalid selected namespaces, NamespaceAll found when |selected namespaces| > 1"
                        .into(),
                ),
                false => Ok(()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text for a CSV in `ops` that supports these modes; empty if it supports the targets.
    #[track_caller]
    fn check(targets: &[&str], supported: &[&str], expected: &str) {
        let modes: InstallModes = supported.iter().map(|mode| (*mode, true)).collect();
        let targets = targets.iter().map(|target| (*target).into()).collect();
        assert_eq!(supports(&modes, "ops", &targets).err().unwrap_or_default(), expected);
    }

    const ALL_TEXT: &str = "AllNamespaces InstallModeType not supported, cannot configure to watch all namespaces";
    const OWN_TEXT: &str = "OwnNamespace InstallModeType not supported, cannot configure to watch own namespace";

    #[test]
    fn the_targets_of_a_group_need_a_mode() {
        check(&[""], &["AllNamespaces"], "");
        check(&[""], &["OwnNamespace", "SingleNamespace"], ALL_TEXT);
        check(&["ops"], &["AllNamespaces"], OWN_TEXT);
        check(&["a", "ops"], &["MultiNamespace"], OWN_TEXT);
        check(&["a", "ops"], &["MultiNamespace", "OwnNamespace"], "");
        let multi = "MultiNamespace InstallModeType not supported, cannot configure to watch 2 namespaces";
        check(&["a", "ops"], &["OwnNamespace"], multi);
        let single = "SingleNamespace InstallModeType not supported, cannot configure to watch one namespace";
        check(&["a"], &["OwnNamespace"], single);
        check(&[""], &[], ALL_TEXT);
        let none = "operatorgroup has invalid selected namespaces, cannot configure to watch zero namespaces";
        check(&[], &["AllNamespaces"], none);
        let both = "operatorgroup has invalid selected namespaces, NamespaceAll found when |selected namespaces| > 1";
        check(&["", "a"], &["MultiNamespace"], both);
    }
}
