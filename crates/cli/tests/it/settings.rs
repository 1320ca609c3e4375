//! `.opscope.yaml`: found in the folder or above it, and what it changes.

use crate::command::{Ended, folder, opscope, write};
use std::path::{Path, PathBuf};

/// A repository whose `after.yaml` strands version 1.0.0, with these settings at its root.
fn repository(name: &str, settings: &str) -> PathBuf {
    let root = folder(name);
    let before = fixture::yaml("package p\nstable: 1.1.0 (replaces 1.0.0), 1.0.0");
    let after = fixture::yaml("package p\nstable: 1.1.0 (skipRange >=1.0.1 <1.1.0)");
    let files = [
        (".git/HEAD", ""),
        (".opscope.yaml", settings),
        ("deep/in/before.yaml", &before),
        ("deep/in/after.yaml", &after),
    ];
    write(&root, &files);
    root.join("deep/in")
}

fn compare(folder: &Path) -> Ended {
    opscope(["compare", "before.yaml", "after.yaml", "--deny", "breaking"]).within(folder).ended()
}

const STRANDED: &str = "accept:\n- rule: v0-stranded\n  package: p\n  channel: stable\n  versions: ['<2.0.0']\n  reason: the old line ends\n";

#[test]
fn an_accepted_difference_is_shown_and_not_denied() {
    let denied = compare(&repository("settings-none", ""));
    assert_eq!(denied.code, 1, "{}", denied.out);
    let accepted = compare(&repository("settings-accepted", &format!("{STRANDED}  until: 2999-12-31\n")));
    assert_eq!(
        (accepted.code, &*accepted.errors),
        (0, "opscope: uses the settings in `../../.opscope.yaml`\n"),
        "{}",
        accepted.out
    );
    let shown = accepted.out.replace('\n', " ");
    assert!(shown.contains("Accepted until 2999-12-31: v0-stranded in package `p`, channel `stable`"), "{shown}");
    assert!(shown.contains("the old line ends"), "{shown}");
    let ended = compare(&repository("settings-ended", &format!("{STRANDED}  until: 2020-01-31\n")));
    assert!(
        ended.code == 1 && ended.out.replace('\n', " ").contains("Accepted until 2020-01-31, and no longer"),
        "{}",
        ended.out
    );
}

#[test]
fn levels_and_findings_are_those_of_the_settings() {
    let within = repository("settings-levels", "levels: {v0-stranded: neutral}\nignore: [head-without-csv]\n");
    assert_eq!(compare(&within).code, 0);
    let of = |arguments: &[&str]| opscope(arguments).within(&within).ended();
    let ignoring = of(&["validate", "before.yaml", "--deny", "warnings"]);
    assert_eq!(ignoring.code, 0, "{}{}", ignoring.out, ignoring.errors);
    let given = of(&["compare", "before.yaml", "after.yaml", "--deny", "risky", "--levels", "/dev/null"]);
    assert_eq!(given.code, 2, "a device has no levels: {}", given.errors);
}

#[test]
fn the_search_ends_at_the_repository() {
    let within = repository("settings-outside", STRANDED);
    write(&within, &[(".git/HEAD", "")]);
    assert_eq!(compare(&within).code, 1);
    let alone = folder("settings-alone");
    write(&alone, &[(".opscope.yaml", "x"), ("in/before.yaml", &fixture::yaml("stable: 1.0.0"))]);
    // The folder for tests is in the repository of Opscope, which has no settings.
    write(&alone, &[(".git/HEAD", "")]);
    let wrong = opscope(["validate", "before.yaml"]).within(&alone.join("in")).ended();
    assert_eq!(wrong.code, 2);
    assert!(wrong.errors.starts_with("opscope: ../.opscope.yaml:1:1: expected lines such as"), "{}", wrong.errors);
    assert_eq!(opscope(["explain"]).within(&alone.join("in")).ended().code, 0, "it judges no catalog");
}
