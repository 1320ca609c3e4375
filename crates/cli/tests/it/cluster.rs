//! `opscope cluster` with a program that answers like kubectl.

use crate::command::{Run, catalog, opscope};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// As `kubectl api-resources --verbs=list --output=name` prints them.
pub(crate) const V0: &str = "pods
catalogsources.operators.coreos.com
clusterserviceversions.operators.coreos.com
installplans.operators.coreos.com
operatorgroups.operators.coreos.com
subscriptions.operators.coreos.com
subscriptions.messaging.knative.dev
";

pub(crate) const V1: &str = "clustercatalogs.olm.operatorframework.io\nclusterextensions.olm.operatorframework.io\n";

pub(crate) const SOURCE: &str = r#"{"apiVersion": "operators.coreos.com/v1alpha1", "kind": "CatalogSource",
  "metadata": {"name": "community", "namespace": "olm"}, "spec": {"sourceType": "grpc", "image": "example.com/index:v1"}}"#;

pub(crate) const NAMESPACED: &str = r#"{"apiVersion": "operators.coreos.com/v1", "kind": "OperatorGroup",
  "metadata": {"name": "all", "namespace": "operators"}},
{"apiVersion": "operators.coreos.com/v1alpha1", "kind": "ClusterServiceVersion",
  "metadata": {"name": "etcd.v1.0.0", "namespace": "operators"}, "spec": {"version": "1.0.0"}},
{"apiVersion": "operators.coreos.com/v1alpha1", "kind": "Subscription",
  "metadata": {"name": "my-etcd", "namespace": "operators"},
  "spec": {"name": "etcd", "channel": "stable", "source": "community", "sourceNamespace": "olm"},
  "status": {"installedCSV": "etcd.v1.0.0", "currentCSV": "etcd.v1.0.0"}}"#;

pub(crate) const EXTENSION: &str = r#"{"apiVersion": "olm.operatorframework.io/v1", "kind": "ClusterCatalog",
  "metadata": {"name": "community"}},
{"apiVersion": "olm.operatorframework.io/v1", "kind": "ClusterExtension", "metadata": {"name": "etcd"},
  "spec": {"namespace": "etcd", "source": {"sourceType": "Catalog", "catalog": {"packageName": "etcd"}}}}"#;

pub(crate) fn list(items: &[&str]) -> String {
    format!("{{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [{}]}}\n", items.join(","))
}

/// A folder with a catalog, and with a `kubectl` that runs this script.
pub(crate) fn folder(name: &str, script: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cluster").join(name);
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(folder.join("bin")).expect("the folder for tests can be written to");
    fs::write(folder.join("catalog.yaml"), catalog("etcd")).expect("a file can be written");
    if !script.is_empty() {
        let program = folder.join("bin/kubectl");
        fs::write(&program, format!("#!/bin/sh\n{script}")).expect("a file can be written");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("it can be made executable");
    }
    folder
}

/// A script that writes down its arguments, and answers with these kinds and objects.
pub(crate) fn answering(kinds: &str, objects: &str) -> String {
    format!(
        "printf '%s\\n' \"$*\" >> asked\ncase $1 in\napi-resources) printf '%s' '{kinds}' ;;\n\
         get) printf '%s' '{objects}' ;;\nesac\n"
    )
}

fn told(folder: &Path, arguments: &[&str]) -> (String, String, i32) {
    asking(folder, &[&["--offline"], arguments].concat()).ended().parts()
}

/// The command, which finds only this `kubectl`, and has a cache of its own.
pub(crate) fn asking(folder: &Path, arguments: &[&str]) -> Run {
    with_kubectl(folder, &[&["cluster"], arguments].concat())
}

/// Any command, which finds only the same.
pub(crate) fn with_kubectl(folder: &Path, arguments: &[&str]) -> Run {
    let path = format!("{}:/usr/bin:/bin", folder.join("bin").display());
    // The shell of the script comes from `/bin/sh`; a kubectl of this machine must not be found.
    let path = if folder.join("bin/kubectl").exists() { path } else { folder.join("bin").display().to_string() };
    let run = opscope(arguments).within(folder).env("PATH", path);
    run.env("XDG_CACHE_HOME", folder.join("cache"))
}

pub(crate) fn asked(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(folder.join("asked")).expect("kubectl was asked");
    text.lines().map(str::to_owned).collect()
}

const GIVEN: [&str; 2] = ["--catalog", "community=catalog.yaml"];

#[test]
fn all_subscriptions_and_extensions_are_answered() {
    let objects = list(&[SOURCE, NAMESPACED, EXTENSION]);
    let folder = folder("all", &answering(&[V0, V1].concat(), &objects));
    let (out, errors, code) = told(&folder, &GIVEN);
    assert!(out.contains("✓ my-etcd") && out.contains("etcd.v1.1.0") && out.contains("ClusterExtension"), "{out}");
    assert_eq!((errors.as_str(), code), ("", 0));
    let expected = [
        "api-resources --verbs=list --output=name",
        "get clusterserviceversions.operators.coreos.com,installplans.operators.coreos.com,operatorgroups.operators.coreos.com,\
         subscriptions.operators.coreos.com,catalogsources.operators.coreos.com,clustercatalogs.olm.operatorframework.io,\
         clusterextensions.olm.operatorframework.io --all-namespaces --selector=!olm.copiedFrom --output=json",
    ];
    assert_eq!(asked(&folder), expected);
}

#[test]
fn a_subscription_is_explained_without_places_that_nobody_can_open() {
    let folder = folder("one", &answering(V0, &list(&[SOURCE, NAMESPACED])));
    let (out, errors, code) = told(&folder, &[&["my-etcd"], &GIVEN[..]].concat());
    assert!(out.contains("Why etcd.v1.1.0?") && out.contains("catalog.yaml:10"), "{out}");
    assert!(!out.contains("<cluster>"), "{out}");
    assert_eq!((errors.as_str(), code), ("", 0));
    let (out, _, code) = told(&folder, &[&["operators/my-etcd", "1.0.0"], &GIVEN[..]].concat());
    assert!(out.contains("Why (not) etcd.v1.0.0"), "{out}");
    assert_eq!(code, 0);
}

#[test]
fn a_namespace_is_read_alone_and_options_are_passed_on() {
    // The objects of the namespace first, then the CatalogSources of the cluster: two lists in one text.
    let script = format!(
        "printf '%s\\n' \"$*\" >> asked\ncase $* in\napi-resources*) printf '%s' '{V0}{V1}' ;;\n\
         *catalogsources*) printf '%s' '{}' ;;\nget*) printf '%s' '{}' ;;\nesac\n",
        list(&[SOURCE]),
        list(&[NAMESPACED])
    );
    let folder = folder("namespace", &script);
    let options = ["--namespace", "operators", "--context", "prod", "--kubeconfig", "config", "--format", "json"];
    let (out, errors, code) = told(&folder, &[&options, &GIVEN[..]].concat());
    let answer: serde_json::Value = serde_json::from_str(&out).expect("the answer is JSON");
    assert_eq!((&answer["namespace"], errors.as_str(), code), (&"operators".into(), "", 0), "{out}");
    let asked = asked(&folder);
    assert_eq!(asked.len(), 3, "{asked:?}");
    assert!(asked.iter().all(|line| line.ends_with(" --context=prod --kubeconfig=config")), "{asked:?}");
    assert!(
        asked[1].contains(" --namespace=operators ") && !asked[1].contains("olm.operatorframework.io"),
        "{asked:?}"
    );
    assert!(asked[2].starts_with("get catalogsources.operators.coreos.com --all-namespaces "), "{asked:?}");
}

#[test]
fn missing_catalogs_are_named_with_the_commands_that_get_them() {
    let folder = folder("missing", &answering(V0, &list(&[SOURCE, NAMESPACED])));
    let (out, errors, code) = told(&folder, &["my-etcd"]);
    let cache = folder.join("cache/opscope");
    let errors = errors.replace(&cache.display().to_string(), "CACHE");
    let expected = "opscope: `example.com/index:v1` is not in the cache `CACHE`; pull it once without `--offline`\n\
                    opscope: no catalog is loaded for CatalogSource `community` in namespace `olm`; the answer leaves it out\n\
                    opscope: Subscription `my-etcd` in `operators` needs the catalog `community`; get it, then add \
                    `--catalog community=PATH`:\n  oc image extract example.com/index:v1 --path /configs/:FOLDER\n  \
                    skopeo copy docker://example.com/index:v1 oci-archive:catalog.tar\n";
    let known = "unknown: OLM resolves the namespace; what it finds depends on catalogs that are not loaded\n";
    assert_eq!((out.as_str(), errors.as_str(), code), (known, expected, 2));
}

#[test]
fn catalogs_that_no_subscription_names_are_left_out_with_a_message() {
    let other = SOURCE.replace("community", "other");
    let folder = folder("other", &answering(V0, &list(&[SOURCE, &other, NAMESPACED])));
    let (out, errors, code) = told(&folder, &[&["my-etcd"], &GIVEN[..]].concat());
    assert!(out.contains("Why etcd.v1.1.0?"), "{out}");
    let expected =
        "opscope: no catalog is loaded for CatalogSource `other` in namespace `olm`; the answer leaves it out\n";
    assert_eq!((errors.as_str(), code), (expected, 0));
}

#[test]
fn only_kinds_of_the_cluster_are_asked_for() {
    let folder = folder("kinds", &answering(V1, &list(&[EXTENSION])));
    let (out, errors, code) = told(&folder, &GIVEN);
    assert!(out.contains("etcd.v1.1.0"), "{out}");
    assert_eq!((errors.as_str(), code), ("", 0));
    let expected = "get clustercatalogs.olm.operatorframework.io,clusterextensions.olm.operatorframework.io --all-namespaces \
                    --selector=!olm.copiedFrom --output=json";
    assert_eq!(asked(&folder)[1], expected);
}

#[test]
fn a_cluster_without_olm_has_no_answer() {
    let (out, errors, code) = told(&folder("no-olm", &answering("pods\n", "")), &[]);
    assert!(errors.contains("the cluster has no OLM"), "{errors}");
    assert_eq!((out.as_str(), code), ("", 2));
}

#[test]
fn the_errors_of_kubectl_are_shown() {
    let refused = "echo 'The connection to the server was refused' >&2\nexit 1\n";
    let (_, errors, code) = told(&folder("refused", refused), &[]);
    let expected = "The connection to the server was refused\nopscope: `kubectl api-resources` failed";
    assert!(errors.starts_with(expected), "{errors}");
    assert_eq!(code, 2);
    // An aggregated API that does not answer makes only the list of kinds incomplete.
    let partial = format!(
        "case $1 in\napi-resources) printf '%s' '{V0}'; exit 1 ;;\nget) echo 'forbidden' >&2; exit 1 ;;\nesac\n"
    );
    let (_, errors, code) = told(&folder("forbidden", &partial), &[]);
    assert!(
        errors.starts_with("forbidden\nopscope: `kubectl get ") && errors.contains("you need the right"),
        "{errors}"
    );
    assert_eq!(code, 2);
}

#[test]
fn kubectl_that_prints_without_end_is_stopped() {
    let (out, errors, code) = told(&folder("endless", "exec yes 'a line without end'\n"), &[]);
    let expected = "opscope: `kubectl` prints more than 256 MB; read one namespace with `--namespace`\n";
    assert_eq!((out.as_str(), errors.as_str(), code), ("", expected, 2));
}

#[test]
fn kubectl_that_hangs_is_spoken_of_and_ended() {
    let (out, errors, code) = told(&folder("hangs", "exec sleep 60\n"), &["--timeout", "6"]);
    let expected = "opscope: kubectl is still working\n\
                    opscope: `kubectl` did not answer within 6 seconds; `--timeout` sets another limit\n";
    assert_eq!((out.as_str(), errors.as_str(), code), ("", expected, 2));
}

#[test]
fn without_kubectl_there_is_another_way() {
    let (_, errors, code) = told(&folder("no-kubectl", ""), &[]);
    assert!(errors.starts_with("opscope: cannot run `kubectl`: ") && errors.contains("--cluster FILE"), "{errors}");
    assert_eq!(code, 2);
}

#[test]
fn a_namespace_without_an_operator_group_is_not_resolved() {
    let (_, without) = NAMESPACED.split_once("}},\n").expect("the group is the first object");
    let folder = folder("no-group", &answering(V0, &list(&[SOURCE, without])));
    let (out, errors, code) = told(&folder, &GIVEN);
    let expected = "stuck: the namespace has no OperatorGroup: OLM resolves nothing, without a message\n    first: create one OperatorGroup whose target namespaces fit the install modes of the operators\n";
    assert_eq!((&*out, errors.as_str(), code), (expected, "", 1));
}

/// As `kubectl get -A -o yaml` prints it: two namespaces, of which the second waits for an approval.
const DUMP: &str = "apiVersion: v1
items:
- apiVersion: operators.coreos.com/v1alpha1
  kind: CatalogSource
  metadata: {name: community, namespace: olm}
  spec: {sourceType: grpc, image: 'example.com/index:v1'}
- apiVersion: operators.coreos.com/v1alpha1
  kind: Subscription
  metadata: {name: etcd, namespace: idle}
  spec: {name: etcd, channel: stable, source: community, sourceNamespace: olm}
  status: {installedCSV: etcd.v1.1.0, currentCSV: etcd.v1.1.0, state: AtLatestKnown}
- apiVersion: operators.coreos.com/v1alpha1
  kind: Subscription
  metadata: {name: etcd, namespace: team}
  spec: {name: etcd, channel: stable, source: community, sourceNamespace: olm, installPlanApproval: Manual}
  status: {currentCSV: etcd.v1.1.0, state: UpgradePending, installPlanRef: {name: install-1}}
- apiVersion: operators.coreos.com/v1alpha1
  kind: ClusterServiceVersion
  metadata: {name: etcd.v1.1.0, namespace: idle}
  spec: {version: 1.1.0}
  status: {phase: Succeeded}
- apiVersion: operators.coreos.com/v1
  kind: OperatorGroup
  metadata: {name: all, namespace: idle}
- apiVersion: operators.coreos.com/v1
  kind: OperatorGroup
  metadata: {name: all, namespace: team}
- apiVersion: operators.coreos.com/v1alpha1
  kind: InstallPlan
  metadata: {name: install-1, namespace: team}
  spec: {approval: Manual, approved: false, clusterServiceVersionNames: [etcd.v1.1.0], generation: 1}
  status: {phase: RequiresApproval}
kind: List
metadata: {resourceVersion: ''}
";

#[test]
fn a_dump_is_read_from_standard_input_or_a_file() {
    let folder = folder("dump", "");
    fs::write(folder.join("dump.yaml"), DUMP).expect("a file can be written");
    let begins = "Of 2 namespaces `team` waits for a person.\n\nNamespace team\n\
                  waits for a person: the InstallPlan `install-1` waits for approval; it installs `etcd.v1.1.0`\n    \
                  first: approve it: `kubectl patch installplan install-1 -n team";
    for arguments in [&["-"][..], &["--cluster", "-"]] {
        let (text, errors, code) =
            opscope([&["cluster"], arguments, &GIVEN].concat()).within(&folder).input(DUMP).ended().parts();
        assert!(text.starts_with(begins) && code == 0, "{code} {text} {errors}");
    }
    let (text, errors, _) = told(&folder, &[&["--cluster", "dump.yaml"], &GIVEN[..]].concat());
    assert!(text.starts_with(begins), "{text} {errors}");
    let redirected = || fs::File::open(folder.join("dump.yaml")).expect("the file is there");
    let run = |arguments: &[&str]| {
        let run = opscope([&["cluster"], arguments, &GIVEN].concat()).within(&folder).env("PATH", folder.join("bin"));
        run.ended_with(redirected()).parts()
    };
    let (text, errors, _) = run(&[]);
    assert!(text.starts_with(begins), "{text} {errors}");
    // Who names a context asks a cluster.
    let (_, errors, code) = run(&["--context", "prod"]);
    assert!(errors.contains("cannot run `kubectl`") && code == 2, "{code} {errors}");
    // A Subscription behind `-`.
    let (text, errors, _) =
        opscope([&["cluster", "-", "team/etcd"], &GIVEN[..]].concat()).within(&folder).input(DUMP).ended().parts();
    assert!(text.starts_with("waits for a person: the InstallPlan `install-1`"), "{text} {errors}");
}

#[test]
fn a_dump_that_is_cut_off_is_answered_as_far_as_it_goes() {
    let folder = folder("cut", "");
    let answered = |word: &str| {
        let end = DUMP.rfind(word).expect("the word") + word.len();
        let run = opscope([&["cluster", "-"], &GIVEN[..]].concat()).within(&folder).input(&DUMP.as_bytes()[..end]);
        let (text, errors, _) = run.ended().parts();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(text.matches("the input ends in the middle of an object of kind").count(), 1, "{text} {errors}");
        text
    };
    // Within the InstallPlan, the group of its namespace, and the CSV of the other one: what is missing is not said to be gone.
    let plan = answered("{approval: Manual");
    assert!(
        plan.contains("the input has no InstallPlan; if there is one as usual, the InstallPlan `install-1` is"),
        "{plan}"
    );
    let group = answered("namespace: team}");
    assert!(group.contains("the input has no InstallPlan"), "{group}");
    let csv = answered("{version: 1.1");
    assert!(csv.contains("the manifests have no ClusterServiceVersion") && !csv.contains("is gone"), "{csv}");
    assert!(csv.contains("✓ etcd is up to date"), "{csv}");
}

#[test]
fn a_message_instead_of_a_dump_is_explained() {
    let message = "constraints not satisfiable: no operators found in package p in the catalog referenced by subscription s, \
                   subscription s exists";
    let log = format!("time=1 level=debug error=\"{message}\" id=a");
    for text in [message, &log] {
        let (out, errors, code) = opscope(["cluster", "-"]).input(text).ended().parts();
        assert!(out.starts_with("stuck: OLM resolves nothing in the namespace") && code == 1, "{code} {out} {errors}");
    }
    let (_, errors, code) = opscope(["cluster", "-"]).input("nothing: [").ended().parts();
    assert!(errors.contains("not valid YAML") && code == 2, "{code} {errors}");
}
