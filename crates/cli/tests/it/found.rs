//! `opscope cluster` finds the catalogs of the cluster: in a registry of this computer, and through a program that answers like
//! kubectl.

use crate::cluster::{EXTENSION, NAMESPACED, SOURCE, V0, V1, answering, asked, asking, folder, list, with_kubectl};
use crate::command::catalog;
use crate::images::Registry;
use crate::open::{Opened, listed};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::time::Duration;

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
