//! `opscope plan`: what to do with operators for an update of OpenShift.

use crate::command::{Ended, folder, opscope, write};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::LazyLock;

/// Two catalogs: the channel `old` of `p` and the package `q` end with the first.
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let before = fixture::yaml(
        "package p, default new\nold: 1.0.0\nnew: 2.0.0 (replaces 1.0.0)\npackage q, default c\nc: 1.0.0 (property \
         olm.maxOpenShiftVersion '4.18')",
    );
    let after = fixture::yaml("package p, default new\nnew: 2.0.0\npackage r, default c\nc: 1.0.0");
    let folder = folder("plans");
    let cluster = "
apiVersion: config.openshift.io/v1
kind: ClusterVersion
metadata: {name: version}
status: {desired: {version: 4.18.9}, history: [{state: Completed, version: 4.18.9}]}
---
apiVersion: operators.coreos.com/v1alpha1
kind: Subscription
metadata: {name: my-p, namespace: team}
spec: {name: p, channel: old, source: community, sourceNamespace: openshift-marketplace}
status: {installedCSV: p.v1.0.0}
---
apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata:
  name: x.v1.0.0
  namespace: other
  annotations: {operatorframework.io/properties: '{\"properties\":[{\"type\":\"olm.maxOpenShiftVersion\",\"value\":\"4.18\"}]}'}
spec: {version: 1.0.0}
---
apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata: {name: p.v1.0.0, namespace: team}
spec: {version: 1.0.0}
";
    write(
        &folder,
        &[
            ("catalogs/v4.18/catalog.yaml", before.as_str()),
            ("catalogs/v4.19/catalog.yaml", after.as_str()),
            ("fixed/catalog.yaml", before.as_str()),
            ("cluster.yaml", cluster),
        ],
    );
    folder
});

fn run(arguments: &str) -> Ended {
    opscope(arguments.split(' ')).within(&FOLDER).ended()
}

fn report(arguments: &str) -> (Value, i32) {
    let Ended { out, errors, code } = run(&format!("{arguments} --format json"));
    (serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{errors}")), code)
}

#[test]
fn what_cannot_be_left_says_why() {
    let (found, code) = report("plan --subscribe q/c@1.0.0 --from 4.18 --to 4.19 --catalogs catalogs");
    let plan = &found["plans"][0];
    assert_eq!((&plan["cost"], &plan["steps"], &plan["reason"]["id"]), (&Value::Null, &json!([]), &json!("blocked")));
    assert_eq!(found["blocked"][0]["csv"], "q.v1.0.0");
    let message = found["gates"][0]["message"].as_str().unwrap();
    assert!(message.ends_with("- maximum supported OCP version for operators/q.v1.0.0 is 4.18"), "{message}");
    assert_eq!(code, 1);
}

#[test]
fn the_cluster_tells_its_version_and_what_has_no_subscription() {
    let (found, code) = report("plan --cluster cluster.yaml --to 4.19 --catalogs catalogs");
    assert_eq!(found["way"], json!(["4.18", "4.19"]));
    assert_eq!((&found["plans"][0]["subscription"], &found["plans"][0]["namespace"]), (&json!("my-p"), &json!("team")));
    // The manifests have no CatalogSource, and the simulation takes the one that the Subscription names.
    assert_eq!((&found["plans"][0]["differs"], &found["plans"][0]["cost"]["manual"]), (&Value::Null, &json!(1)));
    assert_eq!((&found["blocked"][0]["csv"], &found["blocked"][0]["id"]), (&json!("x.v1.0.0"), &json!("freestanding")));
    assert_eq!(code, 1);
    let Ended { out, .. } = run("plan --cluster cluster.yaml --to 4.19 --catalogs catalogs --format markdown");
    let command =
        "oc -n team patch subscription.operators.coreos.com my-p --type merge -p '{\"spec\":{\"channel\":\"new\"}}'";
    assert!(
        out.contains(
            "- [ ] `p` (old) in `team`: change the channel from `old` to `new`, because the catalog of 4.19 has no"
        ),
        "{out}"
    );
    assert!(out.contains(command) && !out.contains("oc adm upgrade channel"), "4.18 cannot be left: {out}");
}

#[test]
fn an_install_plan_that_waits_is_named() {
    let manual = "
apiVersion: operators.coreos.com/v1alpha1
kind: Subscription
metadata: {name: p, namespace: team}
spec: {name: p, channel: new, source: community, sourceNamespace: openshift-marketplace, installPlanApproval: Manual}
status: {installedCSV: p.v1.0.0, currentCSV: p.v2.0.0, state: UpgradePending, installPlanRef: {name: install-x}}
---
apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata: {name: p.v1.0.0, namespace: team}
spec: {version: 1.0.0}
---
apiVersion: operators.coreos.com/v1alpha1
kind: InstallPlan
metadata: {name: install-x, namespace: team}
spec: {approval: Manual, approved: false, clusterServiceVersionNames: [p.v2.0.0], generation: 1}
status: {phase: RequiresApproval}
";
    write(&FOLDER, &[("manual.yaml", manual)]);
    let (found, code) = report("plan --cluster manual.yaml --from 4.18 --to 4.19 --catalogs catalogs");
    let (plan, step) = (&found["plans"][0], &found["plans"][0]["steps"][0]);
    assert_eq!((&step["do"], &step["install_plan"], code), (&json!("approve"), &json!("install-x"), 0));
    assert_eq!((&plan["waiting"], &plan["differs"]), (&Value::Null, &Value::Null));
    // Without a step that approves it.
    let (found, _) = report("plan --cluster manual.yaml --from 4.18 --to 4.18 --catalogs catalogs");
    let text = found["plans"][0]["waiting"].as_str().unwrap();
    assert!(text.starts_with("approve or delete InstallPlan `install-x` first: "), "{text}");
}

#[test]
fn a_single_catalog_stays_the_same() {
    let (found, code) = report("plan --subscribe p/old@1.0.0 --from 4.18 --to 4.20 --source community=fixed");
    assert_eq!(found["plans"][0]["cost"]["manual"], 0);
    assert_eq!(code, 0);
}

#[test]
fn a_version_without_a_catalog_is_no_answer() {
    let Ended { errors, code, .. } = run("plan --subscribe p/new@2.0.0 --from 4.18 --to 4.20 --catalogs catalogs");
    assert_eq!(errors, "opscope: no answer: no catalog for OpenShift 4.20; `catalogs` has 4.18 to 4.19\n");
    assert_eq!(code, 2);
    for (arguments, expected) in [
        ("plan --subscribe pp --from 4.18 --to 4.19 --catalogs catalogs", "no catalog has a package `pp`"),
        (
            "plan --subscribe p@3.0.0 --from 4.18 --to 4.19 --catalogs catalogs",
            "package `p` has no version or CSV `3.0.0`",
        ),
        ("plan --from 4.19 --to 4.18 --catalogs catalogs", "never taken back to an earlier minor version"),
    ] {
        let Ended { errors, code, .. } = run(arguments);
        assert!(errors.contains(expected) && code == 2, "{errors}");
    }
}

#[test]
fn a_source_that_is_named_for_a_version_is_told() {
    let cluster = "
apiVersion: operators.coreos.com/v1alpha1
kind: Subscription
metadata: {name: p, namespace: team}
spec: {name: p, channel: new, source: cs-index-v4-18, sourceNamespace: openshift-marketplace}
status: {installedCSV: p.v2.0.0}
---
apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata: {name: p.v2.0.0, namespace: team}
spec: {version: 2.0.0}
";
    write(&FOLDER, &[("mirrored.yaml", cluster)]);
    let (found, code) = report("plan --cluster mirrored.yaml --from 4.18 --to 4.19 --catalogs catalogs");
    let text = found["notices"][0].as_str().unwrap();
    assert!(text.starts_with("CatalogSource `cs-index-v4-18` is named for one version"), "{text}");
    let [.., openshift, switch] = &found["plans"][0]["steps"].as_array().unwrap()[..] else { panic!("{found}") };
    assert_eq!((&openshift["do"], &switch["do"], code), (&json!("openshift"), &json!("switch-source"), 0));
    let source = [&switch["openshift"], &switch["from"], &switch["to"]];
    assert_eq!(source, [&json!("4.19"), &json!("cs-index-v4-18"), &json!("cs-index-v4-19")]);
    let command = switch["commands"][0].as_str().unwrap();
    assert!(command.ends_with(r#"--type merge -p '{"spec":{"source":"cs-index-v4-19"}}'"#), "{command}");
    assert_eq!(found["plans"][0]["cost"]["manual"], json!(1));
    // Its image follows Kubernetes, or it is for another version.
    let source = |name: &str, more: &str| {
        format!(
            "kind: CatalogSource
metadata: {{name: {name}, namespace: openshift-marketplace{more}}}
spec: {{sourceType: grpc, image: i}}
---
{}",
            cluster.replace("cs-index-v4-18", name)
        )
    };
    let template = source("cs-index-v4-18", ", annotations: {olm.catalogImageTemplate: 'i:v{kube_minor_version}'}");
    let other = source("cs-index-v4-16", "");
    write(&FOLDER, &[("template.yaml", template.as_str()), ("other.yaml", other.as_str())]);
    let (found, _) = report("plan --cluster template.yaml --from 4.18 --to 4.19 --catalogs catalogs");
    assert_eq!((&found["notices"], &found["plans"][0]["cost"]["manual"]), (&json!([]), &json!(0)), "{found}");
    let (found, _) = report("plan --cluster other.yaml --from 4.18 --to 4.19 --catalogs catalogs");
    let text = found["notices"][0].as_str().unwrap();
    assert!(
        text.ends_with("It is not the one for 4.18. The plans assume that it serves the catalog of each version."),
        "{text}"
    );
    // With a single catalog nothing is to be exchanged.
    let (found, _) = report("plan --cluster mirrored.yaml --from 4.18 --to 4.19 --source cs-index-v4-18=fixed");
    assert_eq!(found["notices"], json!([]));
    let (found, _) = report("plan --cluster cluster.yaml --to 4.19 --catalogs catalogs");
    assert_eq!(found["notices"], json!([]));
}

#[test]
fn a_checklist_waits_for_updates_and_names_what_is_stuck() {
    let p = fixture::yaml("s: 1.0.0, 1.2.0 (skips 1.0.0) <- 1.3.0 (skips 1.2.0) <- 1.4.0 <- 1.5.0");
    let folder = folder("plans-stuck");
    write(&folder, &[("v4.18/catalog.yaml", p.as_str()), ("v4.19/catalog.yaml", p.as_str())]);
    let subscribe = |version: &str, format: &str| {
        let arguments = format!("plan --subscribe p@{version} --from 4.18 --to 4.19 --catalogs . --format {format}");
        opscope(arguments.split(' ')).within(&folder).ended().out
    };
    let stuck = subscribe("1.0.0", "markdown");
    let line = "- `p` (s) in `operators`: It is stuck at `p.v1.0.0`: no update leads on to `p.v1.5.0`.\n";
    assert!(stuck.contains(line) && !stuck.contains("[ ] `p`"), "{stuck}");
    let moving = subscribe("1.2.0", "markdown");
    let steps: Vec<&str> = moving.lines().filter(|line| line.contains("`p`")).collect();
    assert_eq!(steps, ["- [ ] `p` (s) in `operators`: wait until OLM has installed `p.v1.5.0`, after 3 updates"]);
    assert!(subscribe("1.0.0", "text").contains("! `p` (s) in `operators`: It is stuck at `p.v1.0.0`"));
}

#[test]
fn a_version_on_which_nothing_is_resolved_says_why() {
    let p = fixture::yaml("package p\ns: 1.0.0");
    let (old, new) = (fixture::yaml("package q\ns: 1.0.0"), fixture::yaml("package q\ns: 1.0.0 <- 1.1.0"));
    let folder = folder("plans-frozen");
    let files = [
        ("v4.15/p/c.yaml", &*p),
        ("v4.15/q/c.yaml", &*old),
        ("v4.16/q/c.yaml", &*new),
        ("v4.17/p/c.yaml", &*p),
        ("v4.17/q/c.yaml", &*new),
    ];
    write(&folder, &files);
    let run = |format: &str| {
        let arguments = "plan --subscribe p/s@1.0.0 --subscribe q/s@1.0.0 --from 4.15 --to 4.17 --catalogs . --format";
        opscope(arguments.split(' ').chain([format])).within(&folder).ended().out
    };
    let because = "is not resolved on 4.16, because the catalog of 4.16 has no package `p`; `q` waits\n";
    let text = run("text").replace("\n  ", " ");
    assert!(text.contains(because) && !text.contains("nothing happens"), "{text}");
    assert!(run("markdown").contains(&format!("- namespace `operators` {because}")), "{}", run("markdown"));
}

/// Objects of a namespace whose Subscriptions follow these packages, each with the installed version and the approval.
fn installed(rows: &[(&str, &str, &str)]) -> String {
    let mut text = "kind: CatalogSource\nmetadata: {name: c, namespace: openshift-marketplace}\n---\n\
                    kind: OperatorGroup\nmetadata: {name: g, namespace: ns}\n---\n\
                    kind: ClusterVersion\nmetadata: {name: version}\nstatus: {desired: {version: 4.15.3}}\n"
        .to_owned();
    for (package, version, approval) in rows {
        text += &format!(
            "---\nkind: Subscription\nmetadata: {{name: {package}, namespace: ns}}\n\
             spec: {{name: {package}, channel: s, source: c, sourceNamespace: openshift-marketplace, \
             installPlanApproval: {approval}}}\n\
             status: {{installedCSV: {package}.v{version}, currentCSV: {package}.v{version}, state: AtLatestKnown}}\n---\n\
             kind: ClusterServiceVersion\nmetadata: {{name: {package}.v{version}, namespace: ns, annotations: \
             {{operatorframework.io/properties: '{{\"properties\":[{{\"type\":\"olm.package\",\"value\":{{\"packageName\":\"{package}\",\
             \"version\":\"{version}\"}}}},{{\"type\":\"olm.maxOpenShiftVersion\",\"value\":\"4.15\"}}]}}'}}}}\n\
             spec: {{version: {version}}}\nstatus: {{phase: Succeeded}}\n"
        );
    }
    text
}

/// What `plan` prints for this cluster, and its exit code.
fn planned(name: &str, cluster: &str, arguments: &str) -> (String, i32) {
    let folder = folder(name);
    let both = fixture::yaml("package p\ns: 1.0.0 <- 1.1.0 <- 1.2.0")
        + "---\n"
        + &fixture::yaml("package q\ns: 1.0.0 <- 1.1.0");
    write(&folder, &[("cluster.yaml", cluster), ("set/v4.15/c.yaml", &both), ("set/v4.16/c.yaml", &both)]);
    let arguments = format!("plan --cluster cluster.yaml {arguments}");
    let ended = opscope(arguments.split(' ')).within(&folder).ended();
    (ended.out.replace("\n  ", " "), ended.code)
}

#[test]
fn one_install_plan_is_one_approval() {
    let cluster = installed(&[("p", "1.0.0", "Manual"), ("q", "1.0.0", "Automatic")]);
    let (text, _) = planned("plan-one-approval", &cluster, "--to 4.16 --catalogs set --goal head");
    let first = "[ ] namespace `ns`: approve the InstallPlan that updates to `p.v1.1.0`, `q.v1.1.0`";
    assert!(text.contains(first), "{text}");
    assert_eq!(text.matches("approve the update to `p.v1.2.0`").count(), 1, "{text}");
    assert_eq!(text.matches("approve the").count(), 2, "{text}");
    let because = "Namespace `ns`: `q` waits for approval, too, because one InstallPlan updates the whole namespace, and `p` has \
                   `installPlanApproval: Manual`.";
    assert!(text.split_whitespace().collect::<Vec<_>>().join(" ").contains(because), "{text}");
}

#[test]
fn a_plan_begins_once_an_update_has_ended() {
    let cluster = installed(&[("p", "1.1.0", "Automatic")])
        + "---\nkind: ClusterServiceVersion\nmetadata: {name: p.v1.0.0, namespace: ns, annotations: \
            {operatorframework.io/properties: '{\"properties\":[{\"type\":\"olm.package\",\"value\":{\"packageName\":\"p\",\"version\":\"1.0.0\"}},\
            {\"type\":\"olm.maxOpenShiftVersion\",\"value\":\"4.14\"}]}'}}\n\
            spec: {version: 1.0.0}\nstatus: {phase: Replacing}\n";
    let cluster = cluster.replacen(
        "spec: {version: 1.1.0}\nstatus: {phase: Succeeded}",
        "spec: {version: 1.1.0, replaces: p.v1.0.0}\nstatus: {phase: Installing}",
        1,
    );
    let (text, code) = planned("plan-mid-update", &cluster, "--to 4.16 --catalogs set");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("`p.v1.1.0` is taking the place of `p.v1.0.0`"), "{text}");
    // The limit of the old CSV is 4.14.
    assert!(!text.contains("no Subscription") && !text.contains("cannot be left") && code == 0, "{code} {text}");
}

#[test]
fn a_stuck_namespace_is_said_and_not_planned() {
    let cluster = installed(&[("p", "1.0.0", "Automatic")]).replace(
        "currentCSV: p.v1.0.0, state: AtLatestKnown",
        "currentCSV: p.v1.1.0, state: UpgradePending, installPlanRef: {name: plan}",
    ) + "---\nkind: InstallPlan\nmetadata: {name: plan, namespace: ns}\nspec: {approval: Automatic, approved: true, \
         clusterServiceVersionNames: [p.v1.1.0], generation: 1}\nstatus: {phase: Failed}\n";
    let (text, code) = planned("plan-stuck", &cluster, "--to 4.16 --catalogs set");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains("The namespace is stuck before any update: the InstallPlan `plan` for `p.v1.1.0` failed"),
        "{text}"
    );
    assert!(text.contains("kubectl delete installplan plan -n ns") && code == 1, "{code} {text}");
}

#[test]
fn without_catalogs_a_plan_says_who_blocks() {
    let cluster = installed(&[("p", "1.0.0", "Automatic")]);
    let of = |name: &str, cluster: &str, to: &str| {
        let (text, code) = planned(name, cluster, &format!("--to {to}"));
        // Nothing is planned, so nothing is said about it.
        assert!(!text.contains("Without a good end") && !text.contains("On 4."), "{text}");
        (text, code)
    };
    let (text, code) = of("plan-no-catalogs", &cluster, "4.16");
    assert!(text.starts_with("✕ `ns/p.v1.0.0` supports OpenShift up to 4.15. It has to be updated"), "{text}");
    assert!(text.contains("ns/p.v1.0.0 is incompatible with OpenShift minor versions greater than 4.15"), "{text}");
    assert!(text.contains("4.15 → 4.16: 1 operator blocks") && code == 1, "{code} {text}");
    let (text, code) = of("plan-patch", &cluster, "4.15.9");
    assert!(text.contains("No installed operator stops an update within a minor version"), "{text}");
    assert!(text.contains("within 4.15: no installed operator stops the update") && code == 0, "{code} {text}");
    let (text, code) = of("plan-no-limit", &cluster.replace("\"4.15\"", "\"4.16\""), "4.16");
    assert!(text.contains("4.15 → 4.16: no installed operator stops the update") && code == 0, "{code} {text}");
}

/// The only Subscription of [`installed`] does not name its CSV.
fn without_status(cluster: &str) -> String {
    let (before, rest) = cluster.split_once("status: {installedCSV").expect("a status");
    format!("{before}{}", rest.split_once("}\n").expect("its end").1)
}

#[test]
fn a_plan_has_the_advice_of_a_namespace_that_is_stuck() {
    let cluster = installed(&[("p", "1.0.0", "Automatic")]);
    let of = |name: &str, cluster: &str| {
        let (text, _) = planned(name, cluster, "--to 4.16 --catalogs set");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(!text.contains("has no Subscription") && !text.contains("differ"), "{text}");
        text
    };
    let own = "stuck before any update: no Subscription names `p.v1.0.0`, so OLM resolves nothing in the namespace. \
               possible: if the Subscription `p` is to update it, let it own the CSV: `kubectl patch subscription p -n ns \
               --subresource=status";
    let text = of("plan-second-copy", &without_status(&cluster));
    assert!(text.contains(own) && text.contains("4.15 → 4.16: 1 operator is stuck"), "{text}");
    let starting = without_status(&cluster).replace("channel: s", "channel: s, startingCSV: p.v1.0.0");
    assert!(of("plan-starting-csv", &starting).contains(own));
    // What another CSV replaces has no Subscription until it is gone.
    let replacing =
        cluster.replace("p.v1.0.0", "p.v1.1.0").replace("version: 1.0.0", "version: 1.1.0, replaces: p.v1.0.0");
    let pending = "phase: Pending, reason: OperatorConditionNotUpgradeable, message: busy";
    let old = "kind: ClusterServiceVersion\nmetadata: {name: p.v1.0.0, namespace: ns, annotations: \
               {operatorframework.io/properties: '{\"properties\":[{\"type\":\"olm.package\",\"value\":{\"packageName\":\"p\",\"version\":\"1.0.0\"}},\
            {\"type\":\"olm.maxOpenShiftVersion\",\"value\":\"4.14\"}]}'}}\n\
               spec: {version: 1.0.0}\nstatus: {phase: Replacing}\n---\n\
               kind: OperatorCondition\nmetadata: {name: p.v1.0.0, namespace: ns, generation: 2}\n\
               status: {conditions: [{type: Upgradeable, status: 'False', observedGeneration: 2, message: busy}]}\n";
    let waits =
        of("plan-not-upgradeable", &format!("{}---\n{old}", replacing.replacen("phase: Succeeded", pending, 1)));
    let begins = "`p.v1.1.0` waits, because `p.v1.0.0` says that it must not be updated: busy. First remove the cause";
    assert!(waits.contains(begins) && waits.contains("The plans begin once that has ended"), "{waits}");
}

#[test]
fn no_subscription_is_advised_that_would_freeze_the_namespace() {
    let csv = installed(&[("p", "1.0.0", "Automatic")]);
    let alone: Vec<&str> = csv.split("---\n").filter(|object| !object.contains("kind: Subscription")).collect();
    let of = |cluster: &str| planned("plan-freestanding", cluster, "--to 4.16 --catalogs set").0;
    let text = of(&alone.join("---\n"));
    assert!(text.contains("without `startingCSV`") && text.contains("OpenShift 4.15 cannot be left"), "{text}");
    assert!(!text.contains("On 4.16") && !text.contains("update OpenShift to"), "{text}");
    let text = of(&alone.join("---\n").replace("\"4.15\"", "\"4.9.*\""));
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("it has an invalid `olm.maxOpenShiftVersion`") && !text.contains("up to failed"), "{text}");
}
