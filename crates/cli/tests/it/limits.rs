//! What `docs/src/limits.md` says of sizes, and the solver's budget of a command: hard questions end at the same point each time, and
//! leave something for the others.

use crate::command::{Ended, folder, opscope, write};
use archive::Limits;
use std::fs::{self, File};
use std::path::Path;

const PAGE: &str = include_str!("../../../../docs/src/limits.md");

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
    let Ended { out, code, .. } = opscope(["validate", "catalog.yaml"]).within(&folder).ended();
    fs::remove_file(&large).expect("it is there");
    assert!(code == 2 && out.contains("it has more than 1 GiB"), "{out}");
    let Ended { out, .. } = opscope(["help", "resolve"]).ended();
    assert!(
        out.split_whitespace().collect::<Vec<_>>().join(" ").contains("[default: 50]")
            && PAGE.contains("| 50; on the command line `--steps` |"),
        "{out}"
    );
}

/// Thirteen packages whose versions provide one of twelve APIs each, so that no set of bundles has all packages; and a package that
/// needs nothing.
fn pigeons() -> String {
    let versions: Vec<String> = (1..=12).map(|api| format!("{api}.0.0 (provides g/v1/H{api})")).collect();
    let packages: Vec<String> = (0..13).map(|at| format!("package p{at}\ns: {}", versions.join(" <- "))).collect();
    fixture::yaml(&format!("package easy\ns: 1.0.0\n{}", packages.join("\n")))
}

/// A cluster with a Subscription to each of the thirteen packages in `count` namespaces, and one to the other package in a last one.
fn cluster(count: usize) -> String {
    let mut objects = vec!["kind: CatalogSource\nmetadata: {name: c, namespace: olm}\n".to_owned()];
    let mut add = |namespace: &str, package: &str| {
        objects.push(format!(
            "kind: Subscription\nmetadata: {{name: {package}, namespace: {namespace}}}\n\
             spec: {{name: {package}, source: c, sourceNamespace: olm}}\n"
        ));
    };
    for namespace in 0..count {
        (0..13).for_each(|package| add(&format!("n{namespace:02}"), &format!("p{package}")));
    }
    add("z", "easy");
    objects.join("---\n")
}

/// The same twice.
#[track_caller]
fn ended(folder: &Path, arguments: &str) -> Ended {
    let run = || opscope(arguments.split(' ')).within(folder).ended();
    let ended = run();
    assert_eq!(ended, run());
    ended
}

#[test]
fn namespaces_share_the_budget() {
    let folder = folder("budget-resolve");
    write(&folder, &[("c.yaml", &pigeons()), ("cluster.yaml", &cluster(12))]);
    let ended = ended(&folder, "resolve --cluster cluster.yaml --catalog c=c.yaml");
    assert_eq!(ended.code, 2, "{ended:?}");
    assert_eq!(ended.errors, "opscope: Opscope cannot tell what OLM does, so the answer is not complete\n");
    assert_eq!(ended.out.matches("  - the solver's budget does not suffice").count(), 12, "{}", ended.out);
    assert!(ended.out.contains("✓ easy → 1.0.0: installs easy.v1.0.0"), "{}", ended.out);
}

/// A channel for whose repair the solver searches long.
const HARD: &str =
    "1.0.0 (skipRange >=1.8.0 <1.21.0), 1.1.0 (replaces 1.0.0), 1.2.0 (replaces 1.1.0), 1.3.0 (replaces 1.2.0),
  1.4.0 (skips 1.0.0, 1.3.0, 1.3.0), 1.5.0 (replaces 1.1.0), 1.6.0 (replaces 1.2.0; skipRange >=1.8.0 <1.4.0),
  1.7.0 (replaces 1.4.0), 1.8.0 (replaces 1.4.0), 1.9.0 (skips 1.6.0, 1.1.0, 1.6.0), 1.10.0,
  1.11.0 (replaces 1.9.0; skipRange >=1.17.0 <1.11.0), 1.12.0 (skips 1.2.0),
  1.13.0 (replaces 1.10.0; skipRange >=1.9.0 <1.12.0), 1.14.0, 1.15.0 (replaces 1.14.0; skipRange >=1.10.0 <1.14.0),
  1.16.0 (replaces 1.8.0), 1.17.0 (skipRange >=1.19.0 <1.14.0), 1.18.0 (replaces 1.13.0),
  1.19.0 (replaces 1.4.0; skips 1.15.0, 1.17.0, 1.13.0), 1.20.0 (replaces 1.11.0), 1.21.0 (skipRange >=1.14.0 <1.0.0),
  1.22.0 (replaces 1.18.0), 1.23.0 (replaces 1.7.0)";

#[test]
fn channels_share_the_budget() {
    let folder = folder("budget-repair");
    let hard: Vec<String> = (10..26).map(|channel| format!("s{channel}: {HARD}")).collect();
    let easy = "package q\nt: 1.2.0 (replaces 1.1.0; skips 1.1.0), 1.1.0 (skips 1.0.0), 1.0.0";
    write(&folder, &[("c.yaml", &fixture::yaml(&format!("{}\n{easy}", hard.join("\n"))))]);
    let ended = ended(&folder, "repair c.yaml");
    let gave_up = "✕ the search gave up: the solver's budget does not suffice (gave-up)\n";
    assert_eq!(ended.out.matches(gave_up).count(), 16, "{}", ended.out);
    assert!(ended.out.contains("\nq, channel `t`"), "{}", ended.out);
    assert_eq!(ended.out.matches("set `skipRange` of `q.v1.2.0` to `>=1.0.0 <1.2.0`").count(), 1, "{}", ended.out);
}
