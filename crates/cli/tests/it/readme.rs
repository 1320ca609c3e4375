//! The commands of the README give an answer.

use crate::command::write;
use std::path::{Path, PathBuf};
use std::process::Command;

const PACKAGES: &str = "apiVersion: packages.operators.coreos.com/v1
kind: PackageManifest
status: {packageName: etcd, catalogSource: community, catalogSourceNamespace: olm}
";

const CRD: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: etcds.example.com}
spec: {versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]}
";

const CSV: &str = "kind: ClusterServiceVersion\nmetadata: {name: etcd.v1.0.0}\nspec: {version: 1.0.0}\n";

const ANNOTATIONS: &str = "annotations:
  operators.operatorframework.io.bundle.package.v1: etcd
  operators.operatorframework.io.bundle.channels.v1: stable
";

/// A copy of the examples of the documentation, with files for the names in capitals.
fn folder() -> PathBuf {
    let folder = crate::command::folder("readme");
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let examples = repository.join("docs/examples/.");
    let copied = Command::new("cp").arg("-R").arg(examples).arg(&folder).status();
    assert!(copied.expect("there is cp").success());
    let files = [
        ("OLD-CRD.yaml", CRD),
        ("NEW-CRD.yaml", CRD),
        ("PACKAGEMANIFESTS.json", PACKAGES),
        ("OPERATORS/etcd/1.0.0/manifests/etcd.yaml", CSV),
        ("OPERATORS/etcd/1.0.0/metadata/annotations.yaml", ANNOTATIONS),
        ("PROPERTIES.yaml", "- {type: certified, value: {}}\n"),
    ];
    write(&folder, &files);
    let image = repository.join("crates/archive/tests/fixtures/image.oci.tar");
    std::fs::copy(image, folder.join("IMAGE.tar")).expect("there is an image");
    for arguments in ["init -q", "add .", "-c user.name=t -c user.email=t@localhost commit -q --allow-empty -m first"] {
        let git = Command::new("git").args(arguments.split(' ')).current_dir(&folder).status();
        assert!(git.expect("git is installed").success(), "{arguments}");
    }
    folder
}

#[test]
fn every_command_of_the_readme_gives_an_answer() {
    let readme = include_str!("../../../../README.md");
    let commands = readme.lines().filter(|line| line.starts_with("opscope "));
    // It runs until it is ended, and `open.rs` starts it; `images.rs` has registries.
    let is_elsewhere = |line: &&str| line.starts_with("opscope open ") || line.contains(" image:");
    let commands: Vec<&str> = commands.filter(|line| !is_elsewhere(line)).collect();
    assert!(commands.len() >= 12, "{commands:?}");
    let folder = folder();
    let program = Path::new(env!("CARGO_BIN_EXE_opscope"));
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap_or_default());
    for command in commands {
        let output = Command::new("sh").args(["-c", command]).env("PATH", &path).current_dir(&folder).output().unwrap();
        let (out, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(matches!(output.status.code(), Some(0 | 1)) && !out.is_empty(), "{command}\n{out}\n{error}");
    }
}

/// Every file that the README links to is in the archive of a release, where the README is beside the program.
#[cfg(unix)]
#[test]
fn the_archive_has_what_its_readme_links_to() {
    let built = Path::new(env!("CARGO_BIN_EXE_opscope")).parent().expect("the program is in a folder");
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("package");
    let mut package = Command::new("bash");
    package.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.ci/package")).arg("test").args([built, &out]);
    let packed = package.output().expect("there is bash");
    assert!(packed.status.success(), "{}", String::from_utf8_lossy(&packed.stderr));
    let listed = Command::new("tar").arg("-tzf").arg(out.join("opscope-test.tar.gz")).output().expect("there is tar");
    let listed = String::from_utf8(listed.stdout).expect("names are text");
    let links =
        include_str!("../../../../README.md").split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    let missing: Vec<&str> = links
        .filter(|link| !link.contains("://"))
        .filter(|link| !listed.lines().any(|file| file == format!("opscope-test/{link}")))
        .collect();
    assert_eq!(missing, [""; 0], "{listed}");
}
