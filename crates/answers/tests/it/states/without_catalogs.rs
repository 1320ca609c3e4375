//! What is known without a catalog, and what sentences name.

use super::{GROUP, LATEST, check, condition, csv, lacking, p, plan, source, state_of, subscription, with};
use source::StateId;
use views::Verdict;

#[test]
fn what_is_known_without_a_catalog() {
    let failed = |reason: &str, message: &str| condition("ResolutionFailed", reason, message);
    let unsolvable =
        |message: &str| failed("ConstraintsNotSatisfiable", &format!("constraints not satisfiable: {message}"));
    let second = unsolvable(
        "subscription p requires c/olm/c/p.v1.0.0, subscription p exists, clusterserviceversion p.v1.0.0 exists and is not \
         referenced by a subscription, @existing/ns//p.v1.0.0 and c/olm/c/p.v1.0.0 originate from package p",
    );
    let package = unsolvable(
        "no operators found in package p in the catalog referenced by subscription p, subscription p exists",
    );
    let unreached = failed(
        "ErrorPreventedResolution",
        "failed to populate resolver cache from source c/olm: failed to list bundles: no",
    );
    let latest = |more: &str| p(["1.0.0", "1.0.0", LATEST], more);
    let old = || csv("1.0.0", "", "Succeeded");
    let fails = |status: &str, more: &str| vec![source(status), GROUP.to_owned(), latest(more), old()];
    let rows = [
        ("nothing is reported", with(&[latest(""), old()]), (Verdict::Unknown, "catalog-not-loaded", "", "")),
        (
            "23: a second copy would be installed",
            with(&[p(["", "", ""], &second), old()]),
            (Verdict::Stuck, "csv-without-subscription", "ClusterServiceVersion/p.v1.0.0", "--subresource=status"),
        ),
        (
            "23: the CSVs are not in the input",
            with(&[p(["", "", ""], &second)]),
            (Verdict::Stuck, "resolution-reported-as-failed", "", "status.installedCSV"),
        ),
        (
            "a CSV that the message names is gone",
            with(&[latest(&second.replace("p.v1.0.0", "p.v0.9.0")), old()]),
            (Verdict::Unknown, "catalog-not-loaded", "", ""),
        ),
        (
            "a field of the Subscription is wrong",
            with(&[p(["", "", ""], &package)]),
            (Verdict::Stuck, "resolution-reported-as-failed", "", "spec.name"),
        ),
        (
            "a CatalogSource does not answer, and the Subscription says so",
            fails("TRANSIENT_FAILURE", &unreached),
            (
                Verdict::Stuck,
                "catalog-not-reached",
                "CatalogSource/olm/c",
                "kubectl get pods -n olm -l 'olm.catalogSource=c'",
            ),
        ),
        (
            "a CatalogSource does not answer, and nobody says so yet",
            fails("TRANSIENT_FAILURE", ""),
            (
                Verdict::Stuck,
                "catalog-not-reached",
                "CatalogSource/olm/c",
                "kubectl get pods -n olm -l 'olm.catalogSource=c'",
            ),
        ),
        (
            "a CatalogSource connects",
            fails("CONNECTING", ""),
            (Verdict::Passes, "catalog-connects", "CatalogSource/olm/c", ""),
        ),
        (
            "a bundle has a constraint that OLM cannot read",
            with(&[
                latest(&failed(
                    "ErrorPreventedResolution",
                    "convert olm.constraint to resolver predicate: ERROR: <input>:1:1: no",
                )),
                old(),
            ]),
            (Verdict::Stuck, "resolution-reported-as-failed", "", "semver_compare(a, b)"),
        ),
    ];
    check(&rows, false);
}

#[test]
fn sentences_name_what_a_person_has_to_know() {
    let sentence = |objects: &[String], has_catalog| state_of(objects, has_catalog).now.sentence;
    let named = GROUP.to_owned() + "spec: {targetNamespaces: [a, b]}\n";
    let groups = [source("READY"), GROUP.replace("og", "all"), named, p(["", "", ""], "")];
    assert_eq!(
        sentence(&groups, true),
        "the namespace has the OperatorGroups `all` (all namespaces) and `og` (`a` and `b`) instead of one: OLM resolves and installs nothing, and no \
                    Subscription says so"
    );
    let down = [source("TRANSIENT_FAILURE"), GROUP.to_owned(), p(["", "", ""], "")];
    let later = "the CatalogSource `olm/c` does not answer (its connection is `TRANSIENT_FAILURE`), so OLM resolves nothing in any \
                 namespace that sees it, from the next time that OLM reads the catalogs";
    assert_eq!(sentence(&down, false), later);
    let lacks =
        lacking(&csv("3.0.0", "", "Pending/RequirementsNotMet"), "ServiceAccount", "Service account does not exist");
    assert_eq!(
        sentence(&with(&[p(["3.0.0", "3.0.0", LATEST], ""), lacks]), true),
        "`p.v3.0.0` stays in phase `Pending`: ServiceAccount `of-p`: Service account does not exist"
    );
    let t = subscription(
        "t",
        "",
        "installedCSV: t.v1.0.0, currentCSV: t.v2.0.0, state: UpgradePending, installPlanRef: {name: plan}",
    );
    let installed = csv("1.0.0", "", "Succeeded").replace("p.v", "t.v").replace("\"p\"", "\"t\"");
    assert_eq!(
        sentence(&with(&[t, installed, plan("t.v2.0.0", "phase: RequiresApproval")]), true),
        "the InstallPlan `plan` waits for approval; it installs `t.v2.0.0`, not `t.v3.0.0`"
    );
}

/// What only the catalogs can tell: it may be another thing with more of them.
const OF_THE_RESOLVER: [StateId; 6] = [
    StateId::CatalogNotLoaded,
    StateId::ReportedFailure,
    StateId::ResolutionFails,
    StateId::NewPlan,
    StateId::NewPlanWaits,
    StateId::UpToDate,
];

#[test]
fn what_the_objects_show_decides_with_the_catalog_too() {
    let of = |manifests: &str, has_catalog: bool| state_of(&[manifests.to_owned()], has_catalog).now;
    let mut count = 0;
    for manifests in fixture::in_between::in_between().into_iter().step_by(3) {
        let without = of(&manifests, false);
        if !OF_THE_RESOLVER.contains(&without.reason) {
            let with = of(&manifests, true);
            assert_eq!((without.reason, without.objects), (with.reason, with.objects), "{manifests}");
            count += 1;
        }
    }
    assert!(count > 150, "only {count} states");
}
