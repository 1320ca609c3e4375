//! What Subscriptions, their InstallPlans and their CSVs may be in together.

use super::{BEING_REPLACED, GROUP, LATEST, PENDING, REF, check, condition, csv, p, plan, source, subscription, with};
use views::Verdict;

/// An InstallPlan of the namespace, so that the kind is in the input.
fn older() -> String {
    plan("p.v1.0.0", "phase: Complete").replace("name: plan,", "name: older,")
}

#[test]
fn what_is_installed_and_what_the_subscription_says() {
    let pending = |more: &str| p(["1.0.0", "2.0.0", PENDING], &format!("{REF}{more}"));
    let waiting = condition("InstallPlanPending", "RequiresApproval", "");
    let without_package = csv("1.0.0", "", "Succeeded").replace("olm.package", "other").replace("olm.gvk", "none");
    let head = csv("3.0.0", "", "Succeeded").replace("olm.package", "other").replace("olm.gvk", "none");
    let copied = csv("1.0.0", "", "Succeeded").replace("namespace: ns,", "namespace: ns, labels: {olm.copiedFrom: x},");
    let generated = |plan: &str| {
        subscription("p", "", "")
            .replace("namespace: ns}", &format!("namespace: ns, annotations: {{olm.generated-by: {plan}}}}}"))
    };
    let new_plan = (Verdict::Acts, "new-install-plan", "", "");
    let set_status = "kubectl patch subscription p -n ns --subresource=status --type merge -p \
                      '{\"status\":{\"currentCSV\":\"p.v1.0.0\",";
    let rows = [
        ("1: nothing at all", with(&[p(["", "", ""], "")]), new_plan),
        (
            "2: a CSV of the package that no Subscription names",
            with(&[p(["", "", ""], ""), csv("1.0.0", "", "Succeeded")]),
            (Verdict::Stuck, "csv-without-subscription", "ClusterServiceVersion/p.v1.0.0", set_status),
        ),
        ("3: a CSV that nobody knows to be of the package", with(&[p(["", "", ""], ""), without_package]), new_plan),
        ("3: the head is such a CSV", with(&[p(["", "", ""], ""), head]), new_plan),
        (
            "4: installed, with an update",
            with(&[p(["1.0.0", "1.0.0", LATEST], ""), csv("1.0.0", "", "Succeeded")]),
            new_plan,
        ),
        (
            "4: installed, at the head",
            with(&[p(["3.0.0", "3.0.0", LATEST], ""), csv("3.0.0", "", "Succeeded")]),
            (Verdict::Acts, "up-to-date", "", ""),
        ),
        (
            "5: an update is pending",
            with(&[pending(&waiting), csv("1.0.0", "", "Succeeded"), plan("p.v2.0.0", "phase: RequiresApproval")]),
            (
                Verdict::Waits,
                "install-plan-waits",
                "InstallPlan/plan",
                "approve it: `kubectl patch installplan plan -n ns --type merge -p '{\"spec\":{\"approved\":true}}'",
            ),
        ),
        (
            "6a: the plan is gone, and a condition is about it",
            with(&[pending(&waiting), csv("1.0.0", "", "Succeeded"), older()]),
            new_plan,
        ),
        (
            "6b: the plan is gone, and no condition is about it",
            with(&[pending(""), csv("1.0.0", "", "Succeeded"), older()]),
            (Verdict::Stuck, "install-plan-gone", "Subscription/p", set_status),
        ),
        (
            "7: the installed CSV was deleted",
            with(&[
                p(["1.0.0", "1.0.0", LATEST], REF),
                csv("9.0.0", "", "Succeeded").replace("\"p\"", "\"z\"").replace("P\"", "Z\""),
                plan("p.v1.0.0", "phase: Complete"),
            ]),
            (Verdict::Stuck, "csv-gone", "Subscription/p", "--subresource=status"),
        ),
        (
            "8: the new CSV was deleted during the update",
            with(&[pending(""), csv("1.0.0", "", BEING_REPLACED), plan("p.v2.0.0", "phase: Complete")]),
            (Verdict::Stuck, "csv-gone", "Subscription/p", set_status),
        ),
        (
            "9: the update goes on",
            with(&[
                p(["2.0.0", "2.0.0", LATEST], ""),
                csv("1.0.0", "", BEING_REPLACED),
                csv("2.0.0", "1.0.0", "Installing"),
            ]),
            (Verdict::Passes, "csv-installs", "ClusterServiceVersion/p.v2.0.0", ""),
        ),
        (
            "10: two CSVs of the package, none of which replaces the other",
            with(&[p(["2.0.0", "2.0.0", LATEST], ""), csv("1.0.0", "", "Succeeded"), csv("2.0.0", "", "Succeeded")]),
            (
                Verdict::Stuck,
                "csv-without-subscription",
                "ClusterServiceVersion/p.v1.0.0",
                "decide which CSV is to stay",
            ),
        ),
        (
            "10: one of the two is a copy",
            with(&[p(["3.0.0", "3.0.0", LATEST], ""), copied, csv("3.0.0", "", "Succeeded")]),
            (Verdict::Acts, "up-to-date", "", ""),
        ),
        (
            "11: the old CSV was restored by hand",
            with(&[p(["2.0.0", "2.0.0", PENDING], ""), csv("1.0.0", "", "Succeeded")]),
            (Verdict::Stuck, "csv-without-subscription", "ClusterServiceVersion/p.v1.0.0", set_status),
        ),
        (
            "12: no Subscription",
            with(&[csv("1.0.0", "", "Succeeded")]),
            (
                Verdict::Waits,
                "no-subscription",
                "ClusterServiceVersion/p.v1.0.0",
                "set its `status.installedCSV` to `p.v1.0.0`",
            ),
        ),
        (
            "13: the Subscription was deleted, and its plan is still there",
            with(&[csv("1.0.0", "", "Succeeded"), plan("p.v1.0.0", "phase: Complete")]),
            (
                Verdict::Waits,
                "no-subscription",
                "ClusterServiceVersion/p.v1.0.0",
                "set its `status.installedCSV` to `p.v1.0.0`",
            ),
        ),
        (
            "14: two Subscriptions of the package",
            with(&[
                p(["3.0.0", "3.0.0", LATEST], ""),
                p(["3.0.0", "3.0.0", LATEST], "").replace("name: p, namespace", "name: p2, namespace"),
                csv("3.0.0", "", "Succeeded"),
            ]),
            (Verdict::Acts, "up-to-date", "", ""),
        ),
        (
            "15: made by a plan that is gone",
            with(&[generated("plan")]),
            (
                Verdict::Stuck,
                "generating-plan-gone",
                "Subscription/p",
                "kubectl annotate subscription p -n ns olm.generated-by-",
            ),
        ),
        (
            "15: made by a plan that is being executed",
            with(&[
                generated("plan").replace("olm}", "olm, startingCSV: p.v1.0.0}"),
                plan("p.v1.0.0", "phase: Installing, plan: [{}]"),
            ]),
            (Verdict::Passes, "install-plan-executes", "InstallPlan/plan", ""),
        ),
    ];
    check(&rows, true);
}

#[test]
fn install_plans_of_a_subscription_whose_csv_does_not_exist() {
    let old = || csv("1.0.0", "", "Succeeded");
    let pending = |more: &str| p(["1.0.0", "2.0.0", PENDING], &format!("{REF}{more}"));
    let failed = |message: &str| pending(&condition("InstallPlanFailed", "InstallComponentFailed", message));
    let of = |status: &str| with(&[pending(""), old(), plan("p.v2.0.0", status)]);
    let q = subscription("q", "", "");
    let forward = GROUP.to_owned() + "spec: {upgradeStrategy: TechPreviewUnsafeFailForward}\n";
    let forward = |version: &str| {
        let name = format!("p.v{version}");
        vec![
            source("READY"),
            forward.clone(),
            p(["1.0.0", version, "UpgradeFailed"], REF),
            csv("1.0.0", "", "Succeeded"),
            plan(&name, "phase: Failed, plan: [{}]"),
        ]
    };
    let retries = |error: &str| {
        of(&format!("phase: Installing, plan: [{{}}], message: 'retrying execution due to error: {error}'"))
    };
    let rows = [
        (
            "waits, and nobody else is about to be resolved",
            of("phase: RequiresApproval"),
            (Verdict::Waits, "install-plan-waits", "InstallPlan/plan", "approve it"),
        ),
        (
            "waits, and another Subscription is resolved",
            with(&[
                pending("").replace("olm}", "olm, installPlanApproval: Manual}"),
                old(),
                plan("p.v2.0.0", "phase: RequiresApproval"),
                q,
            ]),
            (Verdict::Waits, "new-install-plan-waits", "", "waits because `p`"),
        ),
        (
            "is being executed",
            of("phase: Installing, plan: [{}]"),
            (Verdict::Passes, "install-plan-executes", "InstallPlan/plan", ""),
        ),
        (
            "is tried again",
            retries("secret x does not exist"),
            (Verdict::Passes, "install-plan-retries", "InstallPlan/plan", ""),
        ),
        (
            "lacks rights",
            retries("error creating role: roles is forbidden: User \"system:serviceaccount:ns:sa\" cannot create"),
            (Verdict::Stuck, "install-plan-retries-forever", "InstallPlan/plan", "rights"),
        ),
        (
            "cannot be checked, because the group is gone",
            vec![
                source("READY"),
                pending(""),
                old(),
                plan(
                    "p.v2.0.0",
                    "phase: Installing, plan: [{}], conditions: [{type: Installed, status: 'False', reason: InstallCheckFailed}]",
                ),
                GROUP.replace("og", "one"),
                GROUP.replace("og", "two"),
            ],
            (Verdict::Stuck, "several-operator-groups", "OperatorGroup/one", "keep the OperatorGroup"),
        ),
        (
            "failed before its CSV",
            with(&[
                failed("error creating csv p.v2.0.0: denied"),
                old(),
                plan("p.v2.0.0", "phase: Failed, plan: [{}]"),
            ]),
            (Verdict::Stuck, "install-plan-failed", "InstallPlan/plan", "kubectl delete installplan plan -n ns"),
        ),
        (
            "failed, and OLM fails forward to another bundle",
            forward("1.5.0"),
            (Verdict::Acts, "new-install-plan", "", ""),
        ),
        (
            "failed, and OLM would fail forward to the same bundle",
            forward("2.0.0"),
            (Verdict::Stuck, "install-plan-failed", "InstallPlan/plan", "--subresource=status"),
        ),
        (
            "has no status",
            of("phase: ''")
                .into_iter()
                .map(|text| text.replace("name: plan, namespace", "name: plan, uid: 1f, namespace"))
                .collect(),
            (Verdict::Stuck, "install-plan-empty", "InstallPlan/plan", "kubectl delete installplan plan -n ns"),
        ),
        (
            "is complete, and the CSV is there",
            with(&[
                p(["2.0.0", "2.0.0", LATEST], REF),
                csv("1.0.0", "", BEING_REPLACED),
                csv("2.0.0", "1.0.0", "Installing"),
                plan("p.v2.0.0", "phase: Complete"),
            ]),
            (Verdict::Passes, "csv-installs", "ClusterServiceVersion/p.v2.0.0", ""),
        ),
        (
            "is complete, and the CSV is gone",
            of("phase: Complete"),
            (Verdict::Stuck, "csv-gone", "Subscription/p", "--subresource=status"),
        ),
        (
            "was collected",
            with(&[
                p(
                    ["3.0.0", "3.0.0", LATEST],
                    &format!("{REF}{}", condition("InstallPlanMissing", "ReferencedInstallPlanNotFound", "")),
                ),
                csv("3.0.0", "", "Succeeded"),
            ]),
            (Verdict::Acts, "up-to-date", "", ""),
        ),
    ];
    check(&rows, true);
}
