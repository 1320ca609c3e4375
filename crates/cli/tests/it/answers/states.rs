//! Namespaces in the middle of something: what decides comes first, and what follows after it.

use super::{answer, put, report};

const CATALOG: &str = "package p\nc: 1.0.0 <- 2.0.0 <- 3.0.0";

const BASE: &str = "kind: CatalogSource
metadata: {name: community, namespace: olm}
---
kind: OperatorGroup
metadata: {name: all, namespace: operators}
---
kind: Subscription
metadata: {name: s, namespace: operators}
spec: {name: p, channel: c, source: community, sourceNamespace: olm}
status: {STATUS}
---
kind: ClusterServiceVersion
metadata: {name: p.v1.0.0, namespace: operators, annotations: {operatorframework.io/properties: '{PROPERTIES 1.0.0}'}}
spec: {version: 1.0.0}
status: {OLD}
---
";

const NEW: &str = "kind: ClusterServiceVersion
metadata: {name: p.v2.0.0, namespace: operators, annotations: {operatorframework.io/properties: '{PROPERTIES 2.0.0}'}}
spec: {version: 2.0.0, replaces: p.v1.0.0}
status: {NEW}
";

const PLAN: &str = "kind: InstallPlan
metadata: {name: install-1, namespace: operators}
spec: {approval: Manual, approved: false, clusterServiceVersionNames: [p.v2.0.0], generation: 1}
status: {PLAN}
";

/// Writes the manifests under a name, with the catalog: tests that run at the same time share no file.
fn cluster(name: &str, text: &str) -> String {
    let catalog = format!("catalog-{name}");
    put(&catalog, fixture::yaml(CATALOG));
    let of = |version: &str| {
        format!(r#"{{"properties":[{{"type":"olm.package","value":{{"packageName":"p","version":"{version}"}}}}]}}"#)
    };
    let versions = ["1.0.0", "2.0.0"].into_iter();
    put(name, versions.fold(text.to_owned(), |text, one| text.replace(&format!("{{PROPERTIES {one}}}"), &of(one))));
    format!("--cluster {name} --catalog community={catalog}")
}

fn updating(name: &str, old: &str, new: &str) -> String {
    let status = "installedCSV: p.v2.0.0, currentCSV: p.v2.0.0, state: AtLatestKnown";
    let text = format!("{BASE}{NEW}").replace("STATUS", status).replace("{OLD}", &format!("{{{old}}}"));
    cluster(name, &text.replace("{NEW}", &format!("{{{new}}}")))
}

fn pending(name: &str, plan: &str) -> String {
    let status =
        "installedCSV: p.v1.0.0, currentCSV: p.v2.0.0, state: UpgradePending, installPlanRef: {name: install-1}";
    let text = format!("{BASE}{PLAN}").replace("STATUS", status).replace("{OLD}", "{phase: Succeeded}");
    cluster(name, &text.replace("{PLAN}", &format!("{{{plan}}}")))
}

#[test]
fn an_update_in_progress_passes_and_the_next_one_follows() {
    let arguments = updating("installing.yaml", "phase: Replacing, reason: BeingReplaced", "phase: Installing");
    let (text, code) = answer(&format!("resolve {arguments}"));
    let first = "passes by itself: `p.v2.0.0` is taking the place of `p.v1.0.0`; then `p.v1.0.0` is removed, and OLM\n";
    assert!(code == 0 && text.starts_with(first), "{text}");
    let then = text.split_once("\nThen\n").expect("what follows").1;
    assert!(then.contains("p.v3.0.0") && !text.contains("Fixes"), "{text}");
    let (why, _) = answer(&format!("why s {arguments}"));
    assert!(why.starts_with(first) && why.contains("\nThen\n"), "{why}");
    let (json, _) = report(&format!("resolve --format json {arguments}"));
    assert_eq!(json["namespaces"][0]["now"]["verdict"], "passes");
    assert_eq!(json["then"][0]["outcomes"][0]["steps"][0]["selected"][0]["name"], "p.v3.0.0");
}

#[test]
fn a_csv_that_is_deleted_after_its_update_needs_nobody() {
    let (text, code) = answer(&format!("resolve {}", updating("deleting.yaml", "phase: Deleting", "phase: Succeeded")));
    assert!(code == 0 && text.starts_with("passes by itself: ") && !text.contains("first: "), "{text}");
}

#[test]
fn an_operator_that_must_not_be_updated_is_told_with_its_cause() {
    let new = "phase: Pending, reason: OperatorConditionNotUpgradeable, message: 'operator is not upgradeable: the operator is \
               not upgradeable: busy'";
    let (text, _) = answer(&format!("resolve {}", updating("condition.yaml", "phase: Replacing", new)));
    assert!(text.starts_with("waits for a person: ") && text.contains("do not delete either CSV"), "{text}");
    assert!(
        text.contains("      → the update waits, because the installed operator says that it must not be"),
        "{text}"
    );
}

#[test]
fn a_plan_that_waits_is_to_be_approved_and_updates_follow() {
    let arguments = pending("waits.yaml", "phase: RequiresApproval");
    let (text, code) = answer(&format!("resolve {arguments}"));
    let first = "waits for a person: the InstallPlan `install-1` waits for approval; it installs `p.v2.0.0`\n    first: approve it:";
    assert!(code == 0 && text.starts_with(first) && text.contains("\nThen\n"), "{text}");
}

#[test]
fn compare_repair_and_migrate_begin_with_the_namespaces_as_they_stand() {
    let lead = "passes by itself: namespace `operators`: `p.v2.0.0` is taking the place of `p.v1.0.0`; then";
    let arguments = updating("standing.yaml", "phase: Replacing, reason: BeingReplaced", "phase: Installing");
    let cluster = arguments.split(" --catalog").next().unwrap_or_default();
    let catalog = "catalog-standing.yaml";
    let (text, _) = answer(&format!("compare {catalog} {catalog} {cluster}"));
    assert!(text.starts_with(&format!("In the cluster\n{lead}")), "{text}");
    // What is compared begins after it.
    assert!(text.contains("operators/s (p.v2.0.0): updated to 3.0.0, as before"), "{text}");
    let (json, _) = report(&format!("compare {catalog} {catalog} {cluster} --format json"));
    assert_eq!(json["cluster"]["namespaces"][0]["now"]["verdict"], "passes");
    let (text, _) = answer(&format!("repair {catalog} {cluster}"));
    assert!(text.starts_with(lead) && text.contains("\nThen\n"), "{text}");
    let (text, _) = answer(&format!("migrate {arguments}"));
    assert!(text.starts_with(lead) && text.contains("\nThen\n") && text.contains("p.v2.0.0"), "{text}");
}

#[test]
fn what_needs_nobody_or_is_no_state_is_not_said_first() {
    let text = BASE.replace("STATUS", "installedCSV: p.v1.0.0, currentCSV: p.v1.0.0, state: AtLatestKnown");
    let arguments = cluster("steady.yaml", &text.replace("{OLD}", "{phase: Succeeded}"));
    let (text, _) = answer(&format!("migrate {arguments}"));
    assert!(!text.contains("\nThen\n") && !text.contains("by itself: "), "{text}");
}

#[test]
fn a_failed_plan_is_the_whole_answer() {
    let arguments = pending("failed.yaml", "phase: Failed, plan: [{}]");
    for command in ["resolve", "why s"] {
        let (text, _) = answer(&format!("{command} {arguments}"));
        assert!(text.starts_with("stuck: the InstallPlan `install-1` for `p.v2.0.0` failed"), "{text}");
        assert!(!text.contains("no update") && !text.contains("step "), "{text}");
    }
}

#[test]
fn messages_of_the_cluster_have_their_age_and_need_no_catalog() {
    let condition = "conditions: [{type: ResolutionFailed, status: 'True', reason: ConstraintsNotSatisfiable, message: 'constraints \
                     not satisfiable: no operators found in package p in the catalog referenced by subscription s, subscription s \
                     exists'}], lastUpdated: '2024-01-01T10:00:00Z'";
    let text = BASE
        .replace("STATUS", condition)
        .replace("{OLD}", "{phase: Succeeded, lastTransitionTime: '2024-01-01T12:00:00Z'}");
    cluster("reported.yaml", &text);
    let (text, code) = answer("resolve --cluster reported.yaml");
    let age = "\nWhat the cluster reports\n  - Subscription s ResolutionFailed=True/ConstraintsNotSatisfiable, 2 hours older than the newest\n";
    // That OLM resolves nothing is known.
    assert!(code == 1 && text.contains(age), "{text}");
    let (why, code) = answer("why s --cluster reported.yaml");
    assert!(code == 0 && why.contains(age), "{why}");
    assert!(text.contains("      → OLM resolves nothing in the namespace"), "{text}");
}

const EXTENSION: &str = "kind: ClusterCatalog
metadata: {name: community}
---
kind: ClusterExtension
metadata: {name: e}
spec: {namespace: e, source: {sourceType: Catalog, catalog: {packageName: p, version: 2.x}}}
status:
  install: {bundle: {name: p.v1.0.0, version: 1.0.0}}
  conditions: [{type: Progressing, status: 'True', reason: Retrying, message: 'error for resolved bundle \"p.vVERSION\" with version
      \"VERSION\": validating upgrade for CRD \"ps.g.io\": v1: ^.spec.a: enum: added'}]
";

#[test]
fn an_extension_that_reports_a_refusal_gets_no_tick() {
    let arguments = cluster("refused.yaml", &EXTENSION.replace("VERSION", "2.0.0"));
    let (text, code) = answer(&format!("resolve {arguments}"));
    assert!(
        code == 1 && text.contains("chooses `p.v2.0.0`") && text.contains("the extension itself reports"),
        "{text}"
    );
    assert!(!text.contains('✓'), "{text}");
    // What it reports is about another bundle.
    let arguments = cluster("refused-before.yaml", &EXTENSION.replace("VERSION", "1.5.0"));
    let (text, code) = answer(&format!("resolve {arguments}"));
    assert!(code == 0 && text.contains("✓ goes from `p.v1.0.0` to `p.v2.0.0`"), "{text}");
}

#[test]
fn why_answers_for_extensions() {
    let arguments = cluster("why-extension.yaml", &EXTENSION.replace("VERSION", "1.5.0"));
    let why = |more: &str| answer(&format!("why e {more} {arguments}"));
    let (text, code) = answer(&format!("why e {arguments}"));
    let first = "ClusterExtension e\n✓ goes from `p.v1.0.0` to `p.v2.0.0` from catalog `community`\n";
    assert!(code == 0 && text.starts_with(first) && text.contains("outside the version range: p.v3.0.0"), "{text}");
    for named in ["3.0.0", "p.v3.0.0"] {
        let (text, _) = why(named);
        let expected = "\nWhy (not) p.v3.0.0?\n✕ not from catalog `community`: outside the version range\n";
        assert!(text.contains(expected) && !text.contains("p.v1.0.0\n"), "{text}");
    }
    assert!(why("2.0.0").0.contains("\nWhy (not) p.v2.0.0?\n✓ OLM v1 chooses it from catalog `community`\n"));
    let ended = super::ended(&format!("why e 3.0.1 {arguments}"));
    let unknown =
        "no catalog of the ClusterExtension has a version or CSV `3.0.1` of its package; did you mean `3.0.0`?";
    assert!(ended.code == 2 && ended.errors.contains(unknown), "{}", ended.errors);
    let ended = super::ended(&format!("why f {arguments}"));
    assert!(ended.code == 2 && ended.errors.contains("there is no Subscription `f`"), "{}", ended.errors);
}

#[test]
fn a_catalog_that_is_served_and_not_loaded_leaves_the_answer_open() {
    let served = EXTENSION.replace(
        "metadata: {name: community}\n",
        "metadata: {name: community}\nstatus: {conditions: [{type: Serving, status: 'True'}]}\n",
    );
    let quiet = served.split("\n  conditions: [{type: Progressing").next().unwrap_or_default().to_owned() + "\n";
    for (name, text, code) in [("served.yaml", &quiet, 2), ("served-reported.yaml", &served, 1)] {
        let arguments = cluster(name, &text.replace("VERSION", "2.0.0"));
        let ended = super::ended(&format!("resolve {}", arguments.split(" --catalog").next().unwrap_or_default()));
        assert_eq!(ended.code, code, "{}", ended.out);
        assert!(ended.out.contains("! cannot be known: the ClusterCatalog `community` is served"), "{}", ended.out);
        assert!(
            !ended.out.contains("not being served") && ended.errors.contains("--catalog community=PATH"),
            "{}",
            ended.errors
        );
    }
    // Another name does not matter where only one can be meant.
    let arguments = cluster("served-mapped.yaml", &quiet).replace("community=", "other=");
    let (text, code) = answer(&format!("resolve {arguments}"));
    assert!(
        code == 0 && text.contains("catalog `other` is used as ClusterCatalog `community`, because there is no"),
        "{text}"
    );
    let second = "---\nkind: ClusterCatalog\nmetadata: {name: second, labels: {tier: gold}}\n";
    let selecting = quiet.replace("packageName: p,", "packageName: p, selector: {matchLabels: {tier: gold}},") + second;
    let arguments = cluster("served-two.yaml", &selecting).replace("community=", "other=");
    let (text, code) = answer(&format!("resolve {arguments}"));
    assert!(code == 0 && text.contains("catalog `other` is used as ClusterCatalog `second`, because the"), "{text}");
}

/// A text in one line.
fn unwrapped(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A Subscription alone, with this status.
fn pasted(name: &str, status: &str) -> String {
    put(
        name,
        format!(
            "kind: Subscription\nmetadata: {{name: s, namespace: operators}}\n\
             spec: {{name: p, channel: c, source: community, sourceNamespace: olm}}\nstatus: {{{status}}}\n"
        ),
    );
    unwrapped(&answer(&format!("resolve --cluster {name}")).0)
}

#[test]
fn the_plan_that_a_subscription_waits_for_is_told_by_its_conditions() {
    let status =
        "installedCSV: p.v1.0.0, currentCSV: p.v2.0.0, state: UpgradePending, installPlanRef: {name: install-1}";
    let conditions =
        |kind: &str, more: &str| format!("{status}, conditions: [{{type: {kind}, status: 'True', {more}}}]");
    let waits = pasted("pasted-waits.yaml", &conditions("InstallPlanPending", "reason: RequiresApproval"));
    assert!(waits.contains("the InstallPlan `install-1` waits for approval; it installs `p.v2.0.0`"), "{waits}");
    assert!(waits.contains("kubectl patch installplan install-1"), "{waits}");
    let failed =
        pasted("pasted-failed.yaml", &conditions("InstallPlanFailed", "reason: InstallComponentFailed, message: boom"));
    assert!(failed.contains("`install-1` for `p.v2.0.0` failed, and OLM does not try it again: boom"), "{failed}");
    // One that is gone is not assumed.
    let gone = pasted("pasted-gone.yaml", &conditions("InstallPlanMissing", "reason: ReferencedInstallPlanNotFound"));
    assert!(gone.contains("`install-1`, which does not exist"), "{gone}");
}

/// A bundle with two requirements that nothing meets, and manifests with a CustomResourceDefinition of one of them.
const UNMET: &str = "package p\nc: 1.0.0 (requires a.example.com/v1/Ant; requires b.example.com/v1/Bee)\n";

#[test]
fn all_requirements_that_nothing_meets_are_told() {
    let cluster = BASE.split("---\nkind: ClusterServiceVersion").next().unwrap_or_default().replace("{STATUS}", "{}");
    let crd = "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: bees.b.example.com}\n";
    put("unmet.yaml", fixture::yaml(UNMET));
    put("unmet-cluster.yaml", cluster.clone() + crd);
    let told = |catalog: &str, cluster: &str| {
        unwrapped(&answer(&format!("resolve --cluster {cluster} --catalog community={catalog}")).0)
    };
    let text = told("unmet.yaml", "unmet-cluster.yaml");
    let [one, other] = ["`Ant` (a.example.com/v1)", "`Bee` (b.example.com/v1)"];
    assert!(text.contains(one) && text.contains(other), "{text}");
    assert!(text.contains(" also requires the API ") && text.contains("no bundle meets this either"), "{text}");
    assert!(text.contains("OLM's message names only the last of these requirements"), "{text}");
    assert!(text.contains("the CustomResourceDefinitions on the cluster do not count"), "{text}");
    // Another group, and one requirement alone.
    put("unmet-other.yaml", cluster + &crd.replace("b.example.com", "c.example.com"));
    put("unmet-one.yaml", fixture::yaml(&UNMET.replace("; requires b.example.com/v1/Bee", "")));
    let text = told("unmet-one.yaml", "unmet-other.yaml");
    assert!(!text.contains("also requires") && !text.contains("do not count"), "{text}");
}

#[test]
fn a_message_that_the_cluster_reports_is_not_printed_again() {
    let of = |name: &str, message: &str| {
        let condition = format!(
            "conditions: [{{type: ResolutionFailed, status: 'True', reason: ConstraintsNotSatisfiable, message: '{message}'}}]"
        );
        let text = BASE.split("---\nkind: ClusterServiceVersion").next().unwrap_or_default();
        let text = text.replace("channel: c,", "channel: x,").replace("STATUS", &condition);
        answer(&format!("resolve {}", cluster(name, &text))).0
    };
    let [first, second] = [
        "no operators found in channel x of package p in the catalog referenced by subscription s",
        "subscription s exists",
    ];
    for (name, [first, second]) in [("same.yaml", [first, second]), ("turned.yaml", [second, first])] {
        let text = of(name, &format!("constraints not satisfiable: {first}, {second}"));
        assert!(text.contains("\nThe cluster reports what follows from this\n"), "{text}");
        assert_eq!(text.matches("constraints not satisfiable").count(), 1, "{text}");
    }
    let check = |name: &str, message: &str, because: &str| {
        let text = of(name, &format!("constraints not satisfiable: {message}"));
        let expected = format!("The cluster reports another one: {because}.");
        let told = unwrapped(&text);
        assert!(told.contains(&expected) && told.contains("The message of OLM that follows from this"), "{text}");
    };
    let gone = "clusterserviceversion p.v0.9.0 exists and is not referenced by a subscription, @existing/operators//p.v0.9.0 and \
                community/olm/c/p.v1.0.0 originate from package p";
    let because =
        "it was true when it was written: `p.v0.9.0` is gone, and with the next resolution the message is, too";
    check("reported-gone.yaml", gone, because);
    let other = "subscription s exists, subscription s requires community/olm/c/p.v9.0.0";
    check("reported-other.yaml", other, "it is about another content of the catalog, which has `p.v9.0.0`");
    let because = "the objects have changed since, or another version of OLM words it";
    check(
        "reported-words.yaml",
        "no operators found in package q in the catalog referenced by subscription s",
        because,
    );
}

#[test]
fn a_subscription_that_may_see_its_catalog_is_not_to_be_deleted() {
    let text =
        BASE.replace("namespace: olm", "namespace: market").replace("sourceNamespace: olm", "sourceNamespace: market");
    let text = text.split("---\nkind: ClusterServiceVersion").next().unwrap_or_default().replace("{STATUS}", "{}");
    let arguments = cluster("market.yaml", &text);
    let (text, _) = answer(&format!("resolve {arguments}"));
    let told = unwrapped(&text);
    assert!(
        !text.contains("delete Subscription") && told.contains("say so with `--global-namespace market`"),
        "{text}"
    );
    let (text, code) = answer(&format!("resolve {arguments} --global-namespace market"));
    assert!(code == 0 && text.contains("installs p.v3.0.0"), "{text}");
    // What has a CSV from there sees it.
    let text =
        BASE.replace("namespace: olm", "namespace: market").replace("sourceNamespace: olm", "sourceNamespace: market");
    let text = text.replace("STATUS", "installedCSV: p.v1.0.0, currentCSV: p.v1.0.0, state: AtLatestKnown");
    let arguments = cluster("market-used.yaml", &text.replace("{OLD}", "{phase: Succeeded}"));
    let (text, code) = answer(&format!("resolve {arguments}"));
    assert!(code == 0 && text.contains("ends at p.v3.0.0"), "{text}");
}

#[test]
fn a_catalog_source_that_fails_decides_without_catalogs() {
    let of = |name: &str, state: &str| {
        let text = BASE.split("---\nkind: ClusterServiceVersion").next().unwrap_or_default().replace("{STATUS}", "{}");
        let other = format!(
            "---\nkind: CatalogSource\nmetadata: {{name: other, namespace: olm}}\nstatus: {{connectionState: {{lastObservedState: {state}}}}}\n"
        );
        put(name, text + &other);
        answer(&format!("resolve --cluster {name}"))
    };
    let (text, code) = of("other-fails.yaml", "TRANSIENT_FAILURE");
    assert!(code == 1 && text.starts_with("stuck: ") && text.contains("`olm/other`"), "{text}");
    let (text, _) = of("other-connects.yaml", "CONNECTING");
    assert!(text.starts_with("passes by itself: "), "{text}");
    let (text, code) = of("other-ready.yaml", "READY");
    assert!(code == 2 && text.starts_with("unknown: "), "{text}");
}

#[test]
fn a_list_of_several_namespaces_has_all_operator_groups() {
    let list = |group: &str| {
        format!(
            "kind: List\nitems:\n- kind: CatalogSource\n  metadata: {{name: community, namespace: olm}}\n\
             - kind: {group}\n  metadata: {{name: g, namespace: elsewhere}}\n\
             - kind: Subscription\n  metadata: {{name: s, namespace: operators}}\n  \
             spec: {{name: p, channel: c, source: community, sourceNamespace: olm}}\n"
        )
    };
    let (text, code) = answer(&format!("resolve {}", cluster("list.yaml", &list("OperatorGroup"))));
    assert!(code == 1 && text.starts_with("stuck: the namespace has no OperatorGroup"), "{text}");
    // Without any, the kind was not asked for.
    let (text, code) = answer(&format!("resolve {}", cluster("list-without.yaml", &list("ConfigMap"))));
    let first = "unknown: the input has no OperatorGroup; if there is one as usual, OLM installs `p.v3.0.0`\n";
    assert!(text.starts_with(first), "{text}");
    assert!(code == 0 && unwrapped(&text).contains("one for all namespaces is assumed"), "{text}");
    let (why, _) = answer(&format!("why s {}", cluster("list-why.yaml", &list("ConfigMap"))));
    assert!(unwrapped(&why).contains("one for all namespaces is assumed"), "{why}");
}

#[test]
fn a_starting_csv_given_as_a_version_is_told_its_name() {
    let text = BASE.split("---\nkind: ClusterServiceVersion").next().unwrap_or_default();
    let of = |name: &str, starting: &str| {
        let text =
            text.replace("channel: c,", &format!("channel: c, startingCSV: {starting},")).replace("{STATUS}", "{}");
        answer(&format!("resolve {}", cluster(name, &text))).0
    };
    for (name, starting) in [("starting.yaml", "2.0.0"), ("starting-v.yaml", "v2.0.0")] {
        let text = of(name, starting);
        assert!(text.contains("Did you mean `p.v2.0.0`?"), "{text}");
        assert!(text.contains("  - set startingCSV of Subscription `s` to `p.v2.0.0`\n"), "{text}");
    }
    let text = of("starting-nowhere.yaml", "7.0.0");
    assert!(!text.contains("Did you mean") && text.contains("remove startingCSV"), "{text}");
}

/// What `why` says of an Automatic Subscription in the namespace of one that waits, with this approval.
fn of_the_other(name: &str, approval: &str) -> (String, String) {
    let other = "---\nkind: Subscription\nmetadata: {name: other, namespace: operators}\n\
                 spec: {name: p, channel: d, source: community, sourceNamespace: olm}\n";
    let other = other.replace("name: p,", "name: q,");
    let status =
        "installedCSV: p.v1.0.0, currentCSV: p.v2.0.0, state: UpgradePending, installPlanRef: {name: install-1}";
    let text = format!("{BASE}{PLAN}").replace("STATUS", status).replace("{OLD}", "{phase: Succeeded}");
    let text = text.replace("olm}\nstatus", &format!("olm, installPlanApproval: {approval}}}\nstatus"));
    let text = text.replace("{PLAN}", "{phase: RequiresApproval}");
    let arguments = cluster(name, &(text + &other));
    put(&format!("catalog-{name}"), fixture::yaml(&format!("{CATALOG}\npackage q\nd: 1.0.0")));
    (answer(&format!("why other {arguments}")).0, answer(&format!("why s {arguments}")).0)
}

#[test]
fn why_says_which_subscription_makes_an_automatic_one_wait() {
    let (other, own) = of_the_other("manual.yaml", "Manual");
    let other: Vec<&str> = other.split_whitespace().collect();
    let other = other.join(" ");
    let says = |text: &str| assert!(other.contains(text), "{other}");
    says("OLM makes an InstallPlan for `p.v2.0.0` and `q.v1.0.0`, which then waits for approval");
    says(
        "waits because of approval `Manual` of `s`; an operator that is to be updated alone needs a namespace of its own",
    );
    says("do not approve the older InstallPlan `install-1` after it");
    // The same of the other Subscription, because there is one plan for both.
    assert!(own.starts_with("waits for a person: OLM makes an InstallPlan for `p.v2.0.0` and `q.v1.0.0`"), "{own}");
    let (other, _) = of_the_other("automatic.yaml", "Automatic");
    assert!(!other.contains("Manual") && !other.contains("approve"), "{other}");
}

#[test]
fn an_error_of_cel_has_its_lines_where_it_is_shown() {
    let mark = " | f(a)\n | .^\n";
    let (text, code) = answer("cel f(a)");
    assert!(code == 1 && text.contains(mark), "{text}");
    let (one_line, _) = answer("cel true");
    assert_eq!(one_line, "true\n");
    let constraint = "property olm.constraint {failureMessage: m, cel: {rule: 'f(a)'}}";
    put("catalog-cel", fixture::yaml(&format!("package p\nc: 1.0.0 ({constraint})")));
    let (text, _) = answer("resolve --subscribe p/c --catalog catalog-cel");
    assert!(text.contains("     | f(a)\n     | .^\n") && !text.contains(r"\n"), "{text}");
    let error = r"convert olm.constraint to resolver predicate: ERROR: <input>:1:2: undeclared reference to 'f' (in container '')\n | f(a)\n | .^";
    let status = format!(
        "conditions: [{{type: ResolutionFailed, status: 'True', reason: ErrorPreventedResolution, message: \"{error}\"}}]"
    );
    let text = BASE.replace("STATUS", &status).replace("{OLD}", "{phase: Succeeded}");
    cluster("reported-cel.yaml", &text);
    let (text, _) = answer("resolve --cluster reported-cel.yaml");
    assert!(text.contains("     | f(a)\n     | .^\n") && !text.contains(r"\n"), "{text}");
}

#[test]
fn nothing_is_advised_before_an_update_that_has_happened() {
    let all = "installModes: [{type: AllNamespaces, supported: true}], ";
    let own = "metadata: {name: all, namespace: operators}\nspec: {targetNamespaces: [operators]}";
    let failed = "phase: Failed, reason: UnsupportedOperatorGroup, message: 'OwnNamespace InstallModeType not supported, cannot \
                  configure to watch own namespace'";
    let status = "installedCSV: p.v2.0.0, currentCSV: p.v2.0.0, state: AtLatestKnown";
    let text = |old: &str, new: &str| {
        let text = format!("{BASE}{NEW}")
            .replace("STATUS", status)
            .replace("metadata: {name: all, namespace: operators}", own);
        let text = text.replace("{OLD}", &format!("{{{old}}}")).replace("{NEW}", &format!("{{{new}}}"));
        text.replace("spec: {version: 2.0.0, ", &format!("spec: {{version: 2.0.0, {all}"))
    };
    let check = |name: &str, old: &str, new: &str, is_there: bool| {
        let (text, _) = answer(&format!("resolve {}", cluster(name, &text(old, new))));
        assert!(!text.contains("before the update"), "{text}");
        assert_eq!(text.contains("first: change the target namespaces of the OperatorGroup"), is_there, "{text}");
    };
    check("late.yaml", "phase: Replacing", failed, true);
    check("late-alone.yaml", "phase: Succeeded", failed, true);
    check("late-before-it-is-seen.yaml", "phase: Replacing", "phase: Installing", false);
}
