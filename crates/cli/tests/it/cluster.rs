//! `opscope cluster` with a program that answers like kubectl, and with the catalogs of the cluster: from a registry of this
//! computer, and through the same program.

use crate::command::{Run, catalog, opscope};
use crate::images::Registry;
use crate::open::{Opened, listed};
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// As `kubectl api-resources --verbs=list --output=name` prints them.
const V0: &str = "pods
catalogsources.operators.coreos.com
clusterserviceversions.operators.coreos.com
installplans.operators.coreos.com
operatorgroups.operators.coreos.com
subscriptions.operators.coreos.com
subscriptions.messaging.knative.dev
";

const V1: &str = "clustercatalogs.olm.operatorframework.io\nclusterextensions.olm.operatorframework.io\n";

const SOURCE: &str = r#"{"apiVersion": "operators.coreos.com/v1alpha1", "kind": "CatalogSource",
  "metadata": {"name": "community", "namespace": "olm"}, "spec": {"sourceType": "grpc", "image": "example.com/index:v1"}}"#;

const NAMESPACED: &str = r#"{"apiVersion": "operators.coreos.com/v1", "kind": "OperatorGroup",
  "metadata": {"name": "all", "namespace": "operators"}},
{"apiVersion": "operators.coreos.com/v1alpha1", "kind": "ClusterServiceVersion",
  "metadata": {"name": "etcd.v1.0.0", "namespace": "operators"}, "spec": {"version": "1.0.0"}},
{"apiVersion": "operators.coreos.com/v1alpha1", "kind": "Subscription",
  "metadata": {"name": "my-etcd", "namespace": "operators"},
  "spec": {"name": "etcd", "channel": "stable", "source": "community", "sourceNamespace": "olm"},
  "status": {"installedCSV": "etcd.v1.0.0", "currentCSV": "etcd.v1.0.0"}}"#;

const EXTENSION: &str = r#"{"apiVersion": "olm.operatorframework.io/v1", "kind": "ClusterCatalog",
  "metadata": {"name": "community"}},
{"apiVersion": "olm.operatorframework.io/v1", "kind": "ClusterExtension", "metadata": {"name": "etcd"},
  "spec": {"namespace": "etcd", "source": {"sourceType": "Catalog", "catalog": {"packageName": "etcd"}}}}"#;

fn list(items: &[&str]) -> String {
    format!("{{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [{}]}}\n", items.join(","))
}

/// A folder with a catalog, and with a `kubectl` that runs this script.
fn folder(name: &str, script: &str) -> PathBuf {
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
fn answering(kinds: &str, objects: &str) -> String {
    format!(
        "printf '%s\\n' \"$*\" >> asked\ncase $1 in\napi-resources) printf '%s' '{kinds}' ;;\n\
         get) printf '%s' '{objects}' ;;\nesac\n"
    )
}

fn told(folder: &Path, arguments: &[&str]) -> (String, String, i32) {
    asking(folder, &[&["--offline"], arguments].concat()).ended().parts()
}

/// The command, which finds only this `kubectl`, and has a cache of its own.
fn asking(folder: &Path, arguments: &[&str]) -> Run {
    with_kubectl(folder, &[&["cluster"], arguments].concat())
}

/// Any command, which finds only the same.
fn with_kubectl(folder: &Path, arguments: &[&str]) -> Run {
    let path = format!("{}:/usr/bin:/bin", folder.join("bin").display());
    // The shell of the script comes from `/bin/sh`; a kubectl of this machine must not be found.
    let path = if folder.join("bin/kubectl").exists() { path } else { folder.join("bin").display().to_string() };
    let run = opscope(arguments).within(folder).env("PATH", path);
    run.env("XDG_CACHE_HOME", folder.join("cache"))
}

fn asked(folder: &Path) -> Vec<String> {
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
                    `--catalog community=PATH`\n  oc image extract example.com/index:v1 --path /configs/:FOLDER\n  \
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
    let expected = "stuck: the namespace has no OperatorGroup: OLM resolves and installs nothing, and no Subscription\n       says so\n    first: create one OperatorGroup whose target namespaces fit the install modes of the operators\n";
    assert_eq!((&*out, errors.as_str(), code), (expected, "", 1));
}

const ALL: &str =
    "get --raw /api/v1/namespaces/olmv1-system/services/https:catalogd-service:443/proxy/catalogs/community/api/v1/all";

/// The CatalogSource, with an image of this registry.
fn source(registry: &Registry) -> String {
    SOURCE.replace("example.com/index:v1", &registry.image("index:v1"))
}

/// A ClusterCatalog with this image, which catalogd serves, and an extension of it.
fn extension(image: &str) -> String {
    let status = r#"{"conditions": [{"type": "Serving", "status": "True"}],
        "urls": {"base": "https://catalogd-service.olmv1-system.svc/catalogs/community"}}"#;
    let spec = format!(r#""spec": {{"source": {{"type": "Image", "image": {{"ref": "{image}"}}}}}}"#);
    EXTENSION.replacen(
        r#""metadata": {"name": "community"}}"#,
        &format!(r#""metadata": {{"name": "community"}}, {spec}, "status": {status}}}"#),
        1,
    )
}

/// A script that answers as [`answering`], and at the address of catalogd with a file, or fails without one.
fn with_catalogd(kinds: &str, objects: &str) -> String {
    answering(kinds, objects).replacen(
        "case $1 in",
        "case \"$1 $2\" in 'get --raw') cat served.yaml || exit 1; exit ;; esac\ncase $1 in",
        1,
    )
}

fn parts(folder: &Path, arguments: &[&str]) -> (String, String, i32) {
    asking(folder, arguments).ended().parts()
}

#[test]
fn the_catalog_of_a_source_comes_from_its_registry() {
    let registry = Registry::new("registry-found");
    registry.push_catalog("index:v1");
    let folder = folder("found", &answering(V0, &list(&[&source(&registry), NAMESPACED])));
    let (out, errors, code) = parts(&folder, &["--plain-http"]);
    // `opm` rejects it for its other package.
    let place = format!("(image:{}!/configs/other/catalog.json:1)", registry.image("index:v1"));
    assert!(out.starts_with("✕ my-etcd blocked") && out.contains(&place), "{out}");
    assert_eq!(code, 1);
    assert!(errors.contains(&format!("pulls `{}`", registry.image("index:v1"))), "{errors}");
}

#[test]
fn what_no_registry_gives_comes_from_catalogd() {
    let folder = folder("catalogd", &with_catalogd(V1, &list(&[&extension("127.0.0.1:1/index:v1")])));
    fs::write(folder.join("served.yaml"), catalog("etcd")).expect("a file can be written");
    let (out, errors, code) = parts(&folder, &[]);
    assert!(out.contains("etcd.v1.1.0"), "{out}{errors}");
    assert!(errors.contains("cannot reach `127.0.0.1:1`") && errors.contains("; asks catalogd\n"), "{errors}");
    assert_eq!((code, asked(&folder).pop().as_deref()), (0, Some(ALL)));

    fs::remove_file(folder.join("served.yaml")).expect("the file is there");
    let (_, errors, code) = parts(&folder, &[]);
    let right = "`community` cannot be had from catalogd; you need the right to get `services/proxy` in `olmv1-system`";
    assert!(code == 2 && errors.contains(right), "{errors}");
}

#[test]
fn a_source_has_the_catalog_of_the_cluster_catalog_with_its_image() {
    let source = SOURCE.replace("example.com/index:v1", "127.0.0.1:1/index:v1");
    let objects = list(&[&source, NAMESPACED, &extension("127.0.0.1:1/index:v1")]);
    let folder = folder("catalogd-v0", &with_catalogd(&[V0, V1].concat(), &objects));
    fs::write(folder.join("served.yaml"), catalog("etcd")).expect("a file can be written");
    let (out, errors, code) = parts(&folder, &["my-etcd"]);
    assert!(out.contains("Why etcd.v1.1.0?"), "{out}{errors}");
    assert_eq!(code, 0);
}

#[test]
fn a_watch_prints_what_changes() {
    // The second call for objects fails; from the third one on, the Subscription has version 1.1.0.
    let updated = NAMESPACED.replace("etcd.v1.0.0", "etcd.v1.1.0").replace("1.0.0", "1.1.0");
    let script = format!(
        "case $1 in\napi-resources) printf '%s' '{V0}' ;;\nget) echo x >> count\n\
         case $(wc -l < count | tr -d ' ') in 1) printf '%s' '{}' ;; 2) exit 1 ;; *) printf '%s' '{}' ;; esac ;;\nesac\n",
        list(&[SOURCE, NAMESPACED]),
        list(&[SOURCE, &updated]),
    );
    let folder = folder("watch", &script);
    let mut child = asking(&folder, &["--catalog", "community=catalog.yaml", "--watch", "1"]).started();
    let mut lines = BufReader::new(child.stdout.take().expect("it is a pipe")).lines();
    let mut next = || lines.next().expect("it goes on").expect("it prints text");
    let first = next();
    assert!(first.contains("my-etcd") && !first.starts_with('-'), "{first}");
    let head = std::iter::repeat_with(&mut next).find(|line| line.contains(" UTC  ")).expect("it goes on");
    assert!(head.contains("my-etcd is up to date"), "{head}");
    let gone = std::iter::repeat_with(&mut next).find(|line| line.starts_with("- ")).expect("it goes on");
    assert!(gone.contains("my-etcd → 1.1.0"), "{gone}");
    let new = std::iter::repeat_with(&mut next).find(|line| line.starts_with("+ ")).expect("it goes on");
    assert!(new.contains("my-etcd is up to date"), "{new}");
    child.kill().expect("it runs");
    child.wait().expect("it ends");
}

#[test]
fn the_page_has_the_running_cluster_with_its_catalogs() {
    let registry = Registry::new("registry-live");
    registry.push_catalog("index:v1");
    let first = list(&[&source(&registry), NAMESPACED]);
    let folder = folder("live", &answering(V0, "").replacen("printf '%s' ''", "cat objects.json", 1));
    fs::write(folder.join("objects.json"), &first).expect("a file can be written");
    let opened = Opened::started(&folder, |options| {
        with_kubectl(&folder, &[options, &["--plain-http", "--cluster", "live"]].concat()).started()
    });
    let (files, texts) = opened.since(0);
    let expected = [
        "community configs/.indexignore",
        "community configs/README.md",
        "community configs/etcd/catalog.yaml",
        "community configs/other/catalog.json",
        "cluster cluster.yaml",
    ];
    assert_eq!(listed(&files), expected);
    assert!(texts.iter().any(|text| text.contains("my-etcd")));
    fs::write(folder.join("objects.json"), first.replace("my-etcd", "other-etcd")).expect("a file can be written");
    let changed = (0..300).find_map(|_| {
        std::thread::sleep(Duration::from_millis(100));
        let (files, texts) = opened.since(files.version);
        (!files.files.is_empty()).then_some((listed(&files), texts))
    });
    let (files, texts) = changed.expect("the change is told");
    assert_eq!(files, ["cluster cluster.yaml"]);
    assert!(texts[0].contains("other-etcd"));
}
