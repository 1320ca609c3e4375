//! Situations of whole namespaces, as people reported them.

use super::{
    BEING_REPLACED, GROUP, LATEST, PENDING, REF, check, condition, csv, lacking, p, plan, source, subscription, with,
    workbench,
};
use views::Verdict;

/// The property of a CSV that supports OpenShift 4.15 at most, before its others.
const LIMIT: &str = "\"properties\":[{\"type\":\"olm.maxOpenShiftVersion\",\"value\":\"4.15\"},";

const CLUSTER_VERSION: &str = "apiVersion: config.openshift.io/v1\nkind: ClusterVersion\nmetadata: {name: version}\nstatus: {desired: {version: 4.15.3}}\n";

const CATALOG_OPERATOR: &str = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: catalog-operator, namespace: olm}\n\
    spec: {template: {spec: {containers: [{args: [--namespace, market, --writeStatusName, olm]}]}}}\n";

/// What a Subscription says of the CatalogSources that it sees.
const SEEN: &str = ", catalogHealth: [{catalogSourceRef: {name: c, namespace: market}, healthy: true}]";

/// The same object with catalogs in the global namespace of OpenShift.
fn openshift(object: &str) -> String {
    object.replace("amespace: olm", "amespace: openshift-marketplace")
}

/// The same with catalogs in a namespace that only this cluster knows.
fn elsewhere(object: &str) -> String {
    object.replace("amespace: olm", "amespace: market")
}

#[test]
fn situations_that_people_reported() {
    let old = || csv("1.0.0", "", "Succeeded");
    let latest = |more: &str| p(["2.0.0", "2.0.0", LATEST], more);
    let updating =
        |status: String, old: &str, new: &str| with(&[status, csv("1.0.0", "", old), csv("2.0.0", "1.0.0", new)]);
    let approve = "approve it: `kubectl patch installplan plan -n ns --type merge -p";
    let delete = "kubectl delete installplan plan -n ns";
    let waiting = || plan("p.v2.0.0", "phase: RequiresApproval");
    let pending = |more: &str| p(["1.0.0", "2.0.0", PENDING], &format!("{REF}{more}"));
    let data_loss = "risk of data loss updating \"ps.g.io\": new CRD removes version v1alpha1 that is listed as a stored version on the existing CRD";
    let not_met = "Pending/RequirementsNotMet: one or more requirements could not be found";
    let allowed = "kind: OperatorCondition\nmetadata: {name: p.v1.0.0, namespace: ns, generation: 2}\n\
                   status: {conditions: [{type: Upgradeable, status: 'False', observedGeneration: 2, message: busy}]}\n";
    let busy =
        "Pending/OperatorConditionNotUpgradeable: 'operator is not upgradeable: the operator is not upgradeable: busy'";
    let t = subscription(
        "t",
        "",
        "installedCSV: t.v1.0.0, currentCSV: t.v2.0.0, state: UpgradePending, installPlanRef: {name: plan}",
    );
    let unpack =
        "bundle unpacking failed. Reason: DeadlineExceeded, and Message: Job was active longer than specified deadline";
    let of = |objects: &[String], group: &str| -> Vec<String> {
        [source("READY"), group.to_owned()].into_iter().chain(objects.iter().cloned()).collect()
    };
    let account = "kind: OperatorGroup\nmetadata: {name: og, namespace: ns}\nspec: {serviceAccountName: few}\nstatus: {conditions: [{type: \
                   OperatorGroupServiceAccount, status: 'True', reason: ServiceAccountNotFound, message: ServiceAccount few not found}]}\n";
    let rows = [
        (
            "1: a first installation waits",
            with(&[p(["", "2.0.0", PENDING], REF), waiting()]),
            (Verdict::Waits, "install-plan-waits", "InstallPlan/plan", approve),
        ),
        (
            "2: an update waits",
            with(&[pending(""), old(), waiting()]),
            (Verdict::Waits, "install-plan-waits", "InstallPlan/plan", approve),
        ),
        (
            "3: an update waits, and the head came later",
            with(&[
                t,
                plan("t.v2.0.0", "phase: RequiresApproval"),
                csv("1.0.0", "", "Succeeded").replace("p.v", "t.v").replace("\"p\"", "\"t\""),
            ]),
            (Verdict::Waits, "install-plan-waits", "InstallPlan/plan", "for `t.v3.0.0` delete it"),
        ),
        (
            "4: the plan failed, and its CSV does not exist",
            with(&[
                pending(&condition("InstallPlanFailed", "InstallComponentFailed", data_loss)),
                old(),
                plan("p.v2.0.0", "phase: Failed, plan: [{}]"),
            ]),
            (Verdict::Stuck, "install-plan-failed", "InstallPlan/plan", delete),
        ),
        (
            "5: the plan failed after its CSV",
            with(&[
                latest(&format!("{REF}{}", condition("InstallPlanFailed", "InstallComponentFailed", data_loss))),
                csv("1.0.0", "", BEING_REPLACED),
                csv("2.0.0", "1.0.0", not_met),
                plan("p.v2.0.0", "phase: Failed, plan: [{}]"),
            ]),
            (
                Verdict::Stuck,
                "install-plan-failed",
                "InstallPlan/plan",
                "kubectl patch installplan plan -n ns --subresource=status",
            ),
        ),
        (
            "6: the new CSV is being installed",
            updating(
                latest(""),
                BEING_REPLACED,
                "Installing/InstallWaiting: 'installing: waiting for deployment d to become ready'",
            ),
            (Verdict::Passes, "csv-installs", "ClusterServiceVersion/p.v2.0.0", ""),
        ),
        (
            "7: the operator forbids its update",
            [updating(latest(""), BEING_REPLACED, busy), vec![allowed.to_owned()]].concat(),
            (
                Verdict::Waits,
                "operator-not-upgradeable",
                "ClusterServiceVersion/p.v2.0.0",
                "remove the cause that the operator names",
            ),
        ),
        (
            "8: the old CSV is being deleted",
            updating(latest(""), "Deleting/Replaced", "Succeeded"),
            (Verdict::Passes, "csv-installs", "ClusterServiceVersion/p.v2.0.0", ""),
        ),
        (
            "9: the old CSV has a limit for OpenShift",
            updating(
                latest(""),
                BEING_REPLACED,
                "Installing/InstallWaiting: 'installing: waiting for deployment d to become ready'",
            )
            .into_iter()
            .map(|text| text.replace("\"properties\":[", LIMIT))
            .collect(),
            (Verdict::Passes, "csv-installs", "ClusterServiceVersion/p.v2.0.0", ""),
        ),
        (
            "10: the old operator is broken",
            updating(
                latest(""),
                "Failed/ComponentUnhealthy: 'installing: waiting for deployment d to become ready'",
                "Pending/RequirementsUnknown: requirements not yet checked",
            ),
            (Verdict::Stuck, "csv-failed", "ClusterServiceVersion/p.v1.0.0", "kubectl describe csv p.v1.0.0 -n ns"),
        ),
        (
            "11: the new CSV was deleted",
            with(&[pending(""), csv("1.0.0", "", BEING_REPLACED), plan("p.v2.0.0", "phase: Complete")]),
            (Verdict::Stuck, "csv-gone", "Subscription/p", "--subresource=status"),
        ),
        (
            "12: a CSV runs without a Subscription",
            with(&[old()]),
            (Verdict::Waits, "no-subscription", "ClusterServiceVersion/p.v1.0.0", "set its `status.installedCSV`"),
        ),
        (
            "12: only OLM's own package server runs",
            with(&[old().replace("p.v1.0.0", "packageserver")]),
            (Verdict::Acts, "up-to-date", "", ""),
        ),
        (
            "12: what runs without a Subscription has failed",
            with(&[csv("1.0.0", "", "Failed/ComponentUnhealthy: no pods")]),
            (Verdict::Stuck, "csv-failed", "ClusterServiceVersion/p.v1.0.0", "kubectl describe csv p.v1.0.0 -n ns"),
        ),
        (
            "13: a Subscription was made for it",
            with(&[subscription("p", ", startingCSV: p.v1.0.0", ""), old()]),
            (Verdict::Stuck, "csv-without-subscription", "ClusterServiceVersion/p.v1.0.0", "--subresource=status"),
        ),
        (
            "16: no OperatorGroup of any namespace is in the input, and one is taken to be there",
            vec![source("READY"), p(["", "", ""], "")],
            (Verdict::Acts, "new-install-plan", "", ""),
        ),
        (
            "17: two OperatorGroups",
            of(&[p(["", "", ""], ""), GROUP.replace("og", "b")], GROUP),
            (Verdict::Stuck, "several-operator-groups", "OperatorGroup/og", "keep the OperatorGroup"),
        ),
        (
            "18: a CatalogSource in `olm` on OpenShift",
            with(&[openshift(&source("READY")), openshift(&p(["", "", ""], "")), CLUSTER_VERSION.to_owned()])
                .into_iter()
                .map(|text| text.replace("name: c, namespace: olm", "name: stray, namespace: olm"))
                .collect(),
            (Verdict::Acts, "new-install-plan", "", ""),
        ),
        (
            "18: without a ClusterVersion the Subscription does not see its source",
            with(&[openshift(&source("READY")), openshift(&p(["", "", ""], ""))]),
            (Verdict::Stuck, "resolution-fails", "", "correct `spec.source`"),
        ),
        (
            "19: the catalog operator has another global namespace",
            vec![
                GROUP.to_owned(),
                elsewhere(&source("READY")),
                elsewhere(&p(["", "", ""], "")),
                CATALOG_OPERATOR.to_owned(),
            ],
            (Verdict::Acts, "new-install-plan", "", ""),
        ),
        (
            "19: a Subscription names the source that it sees there, and a CSV is in the way",
            vec![GROUP.to_owned(), elsewhere(&source("READY")), elsewhere(&p(["", "", ""], SEEN)), old()],
            (Verdict::Stuck, "csv-without-subscription", "ClusterServiceVersion/p.v1.0.0", "--subresource=status"),
        ),
        (
            "20: an operator of another namespace has the same API",
            with(&[
                p(["3.0.0", "3.0.0", LATEST], ""),
                csv(
                    "3.0.0",
                    "",
                    "Failed/InterOperatorGroupOwnerConflict: intersecting operatorgroups provide the same apis",
                ),
            ]),
            (Verdict::Stuck, "csv-failed", "ClusterServiceVersion/p.v3.0.0", "remove one of the two installations"),
        ),
        (
            "21: the new version does not support the group",
            updating(
                latest(""),
                BEING_REPLACED,
                "Failed/UnsupportedOperatorGroup: 'OwnNamespace InstallModeType not supported, cannot configure to watch own namespace'",
            ),
            (
                Verdict::Stuck,
                "csv-failed",
                "ClusterServiceVersion/p.v2.0.0",
                "change the target namespaces of the OperatorGroup",
            ),
        ),
        (
            "22: a requirement is met by nothing",
            with(&[subscription("r", "", "")]),
            (Verdict::Stuck, "resolution-fails", "", "make the catalog of a provider visible"),
        ),
        (
            "24: a CatalogSource does not answer",
            vec![source("TRANSIENT_FAILURE"), GROUP.to_owned(), p(["", "", ""], "")],
            (
                Verdict::Stuck,
                "catalog-not-reached",
                "CatalogSource/olm/c",
                "kubectl get pods -n olm -l 'olm.catalogSource=c'",
            ),
        ),
        (
            "28: a new plan for all, because one is Manual",
            with(&[
                pending("").replace("olm}", "olm, installPlanApproval: Manual}"),
                old(),
                waiting(),
                subscription("q", "", ""),
            ]),
            (
                Verdict::Waits,
                "new-install-plan-waits",
                "",
                "an operator that is to be updated alone needs a namespace of its own",
            ),
        ),
        (
            "29: startingCSV is a version",
            with(&[subscription("p", ", startingCSV: 2.0.0", "")]),
            (Verdict::Stuck, "resolution-fails", "", "a name, not a version"),
        ),
        (
            "30: OLM cannot read a constraint of a candidate",
            with(&[subscription("u", "", "")]),
            (Verdict::Stuck, "resolution-fails", "", "semver_compare(a, b)"),
        ),
        (
            "34: a bundle cannot be unpacked",
            with(&[p(["", "", ""], &condition("BundleUnpackFailed", "BundleUnpackFailed", unpack))]),
            (Verdict::Stuck, "bundle-unpack-failed", "", "image"),
        ),
        (
            "35: the plan was collected",
            with(&[
                p(
                    ["3.0.0", "3.0.0", LATEST],
                    &format!("{REF}{}", condition("InstallPlanMissing", "ReferencedInstallPlanNotFound", "")),
                ),
                csv("3.0.0", "", "Succeeded"),
            ]),
            (Verdict::Acts, "up-to-date", "", ""),
        ),
        (
            "36: the CSV was deleted",
            with(&[
                p(["2.0.0", "2.0.0", PENDING], REF),
                plan("p.v2.0.0", "phase: Complete"),
                csv("9.0.0", "", "Succeeded").replace("\"p\"", "\"z\"").replace("\"P\"", "\"Z\""),
            ]),
            (Verdict::Stuck, "csv-gone", "Subscription/p", "--subresource=status"),
        ),
        (
            "37: the plan has no status",
            with(&[
                pending(&condition("InstallPlanPending", "InstallPlanNotYetReconciled", "")),
                old(),
                plan("p.v2.0.0", "").replace("name: plan", "uid: 1f, name: plan"),
            ]),
            (Verdict::Stuck, "install-plan-empty", "InstallPlan/plan", delete),
        ),
        (
            "38: the ServiceAccount of the group does not exist",
            of(&[p(["", "", ""], "")], account),
            (Verdict::Stuck, "operator-group-account", "OperatorGroup/og", "create the ServiceAccount"),
        ),
        (
            "39: the cluster is too old for the new version",
            with(&[
                latest(""),
                csv("1.0.0", "", BEING_REPLACED),
                lacking(
                    &csv("2.0.0", "1.0.0", not_met),
                    "ClusterServiceVersion",
                    "CSV version requirement not met: minKubeVersion (1.30.0) > server version (1.27.0)",
                ),
            ]),
            (Verdict::Stuck, "csv-requirements", "ClusterServiceVersion/p.v2.0.0", "update the cluster"),
        ),
        (
            "40: the CatalogSource of a plan that waits is another one",
            vec![source("READY").replace("name: c", "name: other"), GROUP.to_owned(), pending(""), old(), waiting()],
            (Verdict::Waits, "install-plan-waits", "InstallPlan/plan", "do not approve it"),
        ),
    ];
    check(&rows, true);
}

#[test]
fn what_a_plan_that_waits_installs_is_not_installed_yet() {
    let installed = |status: String, csvs: &[String]| {
        let objects = [&[status, plan("p.v2.0.0", "phase: RequiresApproval")], csvs].concat();
        answers::simulate(&workbench(&with(&objects), true), "").outcomes[0].subscriptions[0].installed.clone()
    };
    let update = installed(p(["1.0.0", "2.0.0", PENDING], REF), &[csv("1.0.0", "", "Succeeded")]);
    assert_eq!(update.as_deref(), Some("p.v1.0.0"));
    assert_eq!(installed(p(["", "2.0.0", PENDING], REF), &[]), None);
}
