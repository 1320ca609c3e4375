//! `opscope review` in a repository: what decides about a change, and what a change cannot decide about itself.

use crate::command::{Ended, commit, git, opscope};
use std::fs;
use std::path::{Path, PathBuf};

const BEFORE: &str = "stable: 1.1.0 (replaces 1.0.0), 1.0.0";
/// Who has 1.0.0 is not updated any more.
const STRANDING: &str = "stable: 1.1.0 (skipRange >=1.0.1 <1.1.0)";
const STUCK: &str = "Fails: `p`: 1 of 2 installed versions gets stuck";

fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().expect("it is below the folder")).expect("a folder can be made");
    fs::write(path, text).expect("a file can be written");
}

/// A repository with these files in its only commit.
fn repository(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("reviews").join(name);
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).expect("the folder for tests can be written to");
    git(&folder, &["init", "-q", "-b", "main"]);
    files.iter().for_each(|(path, text)| write(&folder, path, text));
    commit(&folder);
    folder
}

/// The review of a path against the last commit.
fn review(folder: &Path, path: &str, arguments: &[&str]) -> Ended {
    let before = format!("git:HEAD:{path}");
    opscope(["review", path, "--before", &before].into_iter().chain(arguments.iter().copied())).within(folder).ended()
}

fn first_line(ended: &Ended) -> &str {
    ended.out.lines().next().unwrap_or_default()
}

#[test]
fn a_change_cannot_switch_off_what_it_breaks() {
    let levels = "head-changed: off\n";
    let folder = repository("settings", &[("catalog/catalog.yaml", &fixture::yaml(BEFORE)), ("levels.yaml", levels)]);
    let stranding = fixture::yaml(STRANDING);
    write(&folder, "catalog/catalog.yaml", &stranding);
    let of = |arguments: &[&str]| review(&folder, "catalog", arguments);
    let plain = of(&[]);
    assert_eq!((first_line(&plain), plain.code), (STUCK, 1));
    let off = "v0-stranded: off\nentry-removed: off\n";
    write(&folder, ".opscope.yaml", &format!("levels:\n  {}", off.replace('\n', "\n  ")));
    write(&folder, "levels.yaml", off);
    let told = "The change adds to the settings: `entry-removed: off`; `v0-stranded: off`. They count once";
    for (arguments, expected) in
        [(&[][..], told), (&["--levels", "levels.yaml"], "`v0-stranded: off`; other levels in")]
    {
        let ended = of(arguments);
        assert_eq!((first_line(&ended), ended.code), (STUCK, 1));
        assert!(ended.out.replace("\n  ", " ").contains(expected), "{}", ended.out);
        let trusted = of(&[arguments, &["--trust-settings"]].concat());
        assert_eq!(trusted.code, 0, "{}", trusted.out);
    }
    // Nothing says that the settings of the change are used.
    assert!(plain.errors.is_empty() && !of(&[]).errors.contains("uses the settings"), "{}", of(&[]).errors);
    // Merged settings count.
    git(&folder, &["stash", "-q", "--", "catalog"]);
    commit(&folder);
    git(&folder, &["stash", "pop", "-q"]);
    let merged = of(&[]);
    assert!(merged.code == 0 && first_line(&merged).starts_with("Passes: "), "{}", merged.out);
}

#[test]
fn a_change_cannot_ignore_what_it_breaks() {
    let folder = repository("comments", &[("catalog/catalog.yaml", &fixture::yaml(BEFORE))]);
    let ignoring =
        |notation: &str| fixture::yaml(notation).replace("schema: ", "# opscope-ignore: v0-stranded\nschema: ");
    write(&folder, "catalog/catalog.yaml", &ignoring(STRANDING));
    let of = |arguments: &[&str]| review(&folder, "catalog", arguments);
    let ended = of(&[]);
    assert_eq!((first_line(&ended), ended.code), (STUCK, 1));
    assert!(ended.out.contains("The change has comments that ignore `v0-stranded` here"), "{}", ended.out);
    assert_eq!(of(&["--trust-settings"]).code, 0);
    write(&folder, "catalog/catalog.yaml", &ignoring(BEFORE));
    commit(&folder);
    write(&folder, "catalog/catalog.yaml", &ignoring(STRANDING));
    let known = of(&[]);
    assert!(known.code == 0 && !known.out.contains("The change has comments"), "{}", known.out);
}

#[test]
fn a_renamed_folder_is_compared_with_what_it_was() {
    let folder =
        repository("renamed", &[("catalog/p/catalog.yaml", &fixture::yaml(BEFORE)), ("other/p.yaml", "p: 1\n")]);
    fs::remove_dir_all(folder.join("catalog")).expect("it is there");
    // What is no catalog may name the package and go, too.
    fs::remove_dir_all(folder.join("other")).expect("it is there");
    write(&folder, "fbc/p/operator.yaml", &fixture::yaml(STRANDING));
    let ended = review(&folder, "fbc", &[]);
    assert_eq!((first_line(&ended), ended.code), (STUCK, 1));
    assert!(ended.out.contains("`git:HEAD:catalog/p` has its packages, and is gone now"), "{}", ended.out);
    // A catalog beside one that stays is new.
    git(&folder, &["checkout", "-q", "--", "catalog"]);
    let ended = review(&folder, "fbc", &[]);
    let new = "Passes: opm accepts the catalog, which is new: there is nothing to compare with";
    assert_eq!((first_line(&ended), ended.code), (new, 0));
}

#[test]
fn a_catalog_that_is_added_between_two_others_brings_no_known_finding_back() {
    let files = ["v4.22", "v5.0"].map(|version| format!("{version}/catalog.yaml"));
    let ends = "package p, default new\nold: 1.0.0\nnew: 1.1.0";
    let goes_on = "package p, default new\nnew: 1.1.0";
    let [first, last] = [ends, goes_on].map(fixture::yaml);
    let folder = repository("between", &[(&files[0], &first), (&files[1], &last)]);
    let state = opscope(["set", "."]).within(&folder).ended();
    assert!(state.code == 1 && state.out.contains("set-channel-ends"), "{}", state.out);
    write(&folder, "v4.23/catalog.yaml", &last);
    let ended = review(&folder, ".", &[]);
    assert!(ended.code == 0 && !ended.out.contains("set-channel-ends"), "{}", ended.out);
    // One that lacks a channel which both have is a loss of its own.
    write(&folder, "v4.23/catalog.yaml", &fixture::yaml("package p, default old\nold: 1.0.0"));
    let ended = review(&folder, ".", &[]);
    assert!(ended.code == 1 && first_line(&ended).contains("`new`, OpenShift 4.22 → 4.23"), "{}", ended.out);
    // Levels are for findings of sets, too.
    write(&folder, ".opscope.yaml", "levels: {set-channel-ends: neutral, set-bundle-hole: off}\n");
    let ended = review(&folder, ".", &["--trust-settings"]);
    assert!(ended.code == 0 && ended.out.contains("· `p`"), "{}", ended.out);
    // What a level makes worse is known all the same.
    write(&folder, ".opscope.yaml", "levels: {set-channel-ends: breaking}\n");
    write(&folder, "v4.23/catalog.yaml", &last);
    let ended = review(&folder, ".", &["--trust-settings"]);
    assert!(ended.code == 0 && !ended.out.contains("set-channel-ends"), "{}", ended.out);
}

#[test]
fn one_run_writes_all_formats_and_follows_no_link() {
    let folder = repository("formats", &[("catalog/catalog.yaml", &fixture::yaml(BEFORE)), ("kept", "as it is\n")]);
    write(&folder, "catalog/catalog.yaml", &fixture::yaml(STRANDING));
    #[cfg(unix)]
    std::os::unix::fs::symlink("kept", folder.join("o.md")).expect("a link can be made");
    let names = ["o.md", "o.html", "o.json", "o.sarif", "o.txt"];
    let arguments: Vec<&str> = names.iter().flat_map(|name| ["--save", name]).chain(["-o", "github"]).collect();
    let ended = review(&folder, "catalog", &arguments);
    assert!(ended.code == 1 && ended.out.starts_with("::error title=opscope::Fails: "), "{}", ended.out);
    let text = |name: &str| fs::read_to_string(folder.join(name)).expect("it was written");
    assert!(text("o.md").starts_with(&format!("## {STUCK}\n")) && text("o.txt").starts_with(STUCK));
    assert!(text("o.html").contains("<h2>Fails: ") && text("o.json").contains(&format!("\"decision\": \"{STUCK}\"")));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let rights = |name: &str| fs::metadata(folder.join(name)).expect("it is there").permissions().mode() & 0o777;
        assert_eq!(rights("o.html"), rights("kept"), "others may read a report");
    }
    assert!(text("o.sarif").contains("\"v0-stranded\"") && text("kept") == "as it is\n");
}

/// The state before has one bundle directory, which alone is no catalog.
#[test]
fn the_second_release_of_an_operator_is_compared_with_the_first() {
    let csv = |version: &str, replaces: &str| {
        format!(
            "kind: ClusterServiceVersion\nmetadata: {{name: p.v{version}}}\nspec: {{version: {version}{replaces}}}\n"
        )
    };
    let annotations = "annotations:\n  operators.operatorframework.io.bundle.package.v1: p\n  \
                       operators.operatorframework.io.bundle.channels.v1: stable\n";
    let file = |version: &str, of: &str| format!("operators/p/{version}/{of}");
    let first = [file("1.0.0", "manifests/p.yaml"), file("1.0.0", "metadata/annotations.yaml")];
    let folder = repository("operator", &[(&first[0], &csv("1.0.0", "")), (&first[1], annotations)]);
    write(&folder, &file("1.1.0", "metadata/annotations.yaml"), annotations);
    write(&folder, &file("1.1.0", "manifests/p.yaml"), &csv("1.1.0", ", replaces: p.v1.0.0"));
    let ended = review(&folder, "operators/p", &[]);
    assert!(ended.code == 0 && first_line(&ended).starts_with("Passes: nothing gets worse"), "{}", ended.out);
    write(&folder, &file("1.1.0", "manifests/p.yaml"), &csv("1.1.0", ""));
    let ended = review(&folder, "operators/p", &["-o", "github"]);
    let line = ended.out.lines().find(|line| line.contains("title=v0-stranded")).unwrap_or_default();
    assert!(ended.code == 1 && line.starts_with("::error title=v0-stranded::"), "{}", ended.out);
}
