//! What `docs/src/limits.md` says, tried with the program.

use crate::command::{Ended, folder, opscope, write};
use archive::Limits;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

const PAGE: &str = include_str!("../../../../docs/src/limits.md");

fn run(folder: &Path, arguments: &str) -> Ended {
    opscope(arguments.split(' ')).within(folder).ended()
}

/// A catalog of which a range covers versions that it does not list, and the manifests of a cluster with one of them.
fn cluster(name: &str, source: &str) -> PathBuf {
    let folder = folder(name);
    let modes =
        "properties:\n- type: olm.csv.metadata\n  value: {installModes: [{type: OwnNamespace, supported: true}]}\n";
    let catalog = fixture::yaml("c: 1.1.0 (skipRange >=0.5.0 <1.1.0)").replace("properties:\n", modes);
    assert!(catalog.contains("installModes"), "{catalog}");
    let manifests = format!(
        "kind: Subscription
metadata: {{name: p, namespace: apps}}
spec: {{name: p, channel: c, source: {source}, sourceNamespace: olm}}
status: {{installedCSV: p.v0.7.0}}
---
kind: OperatorGroup
metadata: {{name: g, namespace: apps}}
spec: {{selector: {{matchLabels: {{a: b}}}}}}
---
kind: CatalogSource
metadata: {{name: community, namespace: olm}}
spec: {{sourceType: grpc, image: q/community:1}}
---
kind: CatalogSource
metadata: {{name: gone, namespace: olm}}
spec: {{sourceType: grpc, image: q/gone:1}}
"
    );
    let narrower = catalog.replace(">=0.5.0", ">=0.8.0");
    write(&folder, &[("catalog.yaml", &catalog), ("narrower.yaml", &narrower), ("cluster.yaml", &manifests)]);
    folder
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn namespaces_that_a_selector_chooses_are_not_known() {
    let folder = cluster("limits-selector", "community");
    let Ended { out, code, .. } = run(&folder, "resolve --cluster cluster.yaml --catalog community=catalog.yaml");
    let note =
        "OperatorGroup `g` selects by labels, so install modes are not checked; its `status.namespaces` would tell";
    assert!(code == 0 && words(&out).contains(note), "{out}");
}

#[test]
fn a_subscription_needs_its_catalog() {
    let folder = cluster("limits-catalog", "gone");
    let Ended { out, errors, code } = run(&folder, "resolve --cluster cluster.yaml --catalog community=catalog.yaml");
    assert!(out.starts_with("unknown: ") && code == 2, "{out}");
    assert!(errors.contains("Subscription `p` in `apps` needs the catalog `gone`"), "{errors}");
}

#[test]
fn a_comparison_tells_of_a_version_that_only_a_range_covers_where_it_is_installed() {
    let folder = cluster("limits-range", "community");
    let Ended { out, .. } = run(&folder, "compare catalog.yaml narrower.yaml");
    assert!(!out.contains("0.7.0") && out.contains("nothing changes for what is installed"), "{out}");
    let Ended { out, .. } = run(&folder, "compare catalog.yaml narrower.yaml --cluster cluster.yaml");
    assert!(words(&out).contains("apps/p (p.v0.7.0): The operator is stuck"), "{out}");
}

#[test]
fn releases_of_oc_mirror_that_are_not_known_are_refused() {
    let folder = cluster("limits-mirror", "community");
    for version in ["4.17", "4.23"] {
        let arguments = format!("compare catalog.yaml --image-set cluster.yaml --oc-mirror {version}");
        let Ended { errors, code, .. } = run(&folder, &arguments);
        assert!(code == 2 && errors.contains(version), "{errors}");
    }
}

#[test]
fn sizes_are_those_of_the_program() {
    let Limits { kept, ratio, free, entries, names, .. } = Limits::default();
    let mib = |bytes: u64| bytes >> 20;
    for row in [
        format!("| files kept of an archive | {} MiB |", mib(kept)),
        format!("with 4 KiB for each name | {} MiB |", mib(kept)),
        format!("| names of the files of a revision | {} MiB |", mib(names)),
        format!("| bytes unpacked for each byte read, beyond the first {} MiB | {ratio} |", mib(free)),
        "| a file or standard input on the command line | 1 GiB |".to_owned(),
    ] {
        assert!(PAGE.contains(&row), "{row}");
    }
    assert!(entries == 1_000_000 && PAGE.contains("| one million |"));
    let folder = folder("limits-sizes");
    let large = folder.join("catalog.yaml");
    File::create(&large).and_then(|file| file.set_len((1 << 30) + 1)).expect("a file without contents");
    let Ended { out, code, .. } = run(&folder, "validate catalog.yaml");
    fs::remove_file(&large).expect("it is there");
    assert!(code == 2 && out.contains("it has more than 1 GiB"), "{out}");
    let Ended { out, .. } = run(&folder, "help resolve");
    assert!(words(&out).contains("[default: 50]") && PAGE.contains("| 50; on the command line `--steps` |"), "{out}");
}
