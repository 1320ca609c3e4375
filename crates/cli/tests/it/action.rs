//! The GitHub Action of this repository: its script, run as the runner does, on a pull request in a real repository.

use crate::command::catalog;
use serde_yaml::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The script of the last step, and the default of each input.
fn action() -> (String, impl Fn(&str) -> String) {
    let action: Value = serde_yaml::from_str(include_str!("../../../../action.yml")).expect("action.yml is YAML");
    let steps = action["runs"]["steps"].as_sequence().expect("the action has steps");
    let script = steps.last().and_then(|step| step["run"].as_str()).expect("the last step has a script").to_owned();
    let default =
        move |input: &str| action["inputs"][input]["default"].as_str().expect("inputs have defaults").to_owned();
    (script, default)
}

fn git(folder: &Path, arguments: &[&str]) {
    let status = Command::new("git").args(arguments).current_dir(folder).status().expect("git is installed");
    assert!(status.success(), "{arguments:?}");
}

/// A clone whose branch `main` of the remote has a catalog in `catalog`.
fn repository(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("action").join(name);
    drop(fs::remove_dir_all(&folder));
    let origin = folder.join("origin");
    fs::create_dir_all(origin.join("catalog")).expect("the folder for tests can be written to");
    fs::write(origin.join("catalog/catalog.yaml"), catalog("p")).expect("a file can be written");
    git(&origin, &["init", "-q", "-b", "main"]);
    git(&origin, &["add", "."]);
    git(&origin, &["-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "-q", "-m", "first"]);
    git(&folder, &["clone", "-q", "origin", "clone"]);
    folder.join("clone")
}

/// Exit code, annotations and summary of a run of the script.
fn run(repository: &Path, inputs: &[(&str, &str)]) -> (Option<i32>, String, String) {
    let (script, default) = action();
    let summary = repository.join("../summary.md");
    drop(fs::remove_file(&summary));
    let program = Path::new(env!("CARGO_BIN_EXE_opscope"));
    let folder = program.parent().expect("a program is in a folder").display();
    let mut bash = Command::new("bash");
    bash.args(["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", &script]).current_dir(repository);
    bash.env("PATH", format!("{folder}:{}", std::env::var("PATH").unwrap_or_default()));
    bash.env("GITHUB_STEP_SUMMARY", &summary).env("CATALOG", "catalog").env("BASE", "main");
    bash.env("DENY", default("deny")).env("LEVELS", default("levels")).envs(inputs.iter().copied());
    let output = bash.output().expect("bash is installed");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code(), text, fs::read_to_string(summary).unwrap_or_default())
}

#[test]
fn a_pull_request_that_strands_a_version_fails() {
    let repository = repository("strands");
    fs::write(
        repository.join("catalog/catalog.yaml"),
        catalog("p").replace(", replaces: p.v1.0.0", ", skips: [p.v1.0.0]"),
    )
    .unwrap();
    assert_eq!(run(&repository, &[]).0, Some(0), "who has 1.0.0 is updated all the same");
    let stranding = fixture::yaml("stable: 1.1.0 (skipRange >=1.0.1 <1.1.0)");
    fs::write(repository.join("catalog/catalog.yaml"), stranding).unwrap();
    let (code, text, summary) = run(&repository, &[]);
    assert!(
        text.contains("::error file=catalog/catalog.yaml,line=10,endLine=10,col=10,endColumn=18,title=v0-stranded::"),
        "{text}"
    );
    assert!(summary.contains("- breaking: 1.0.0 in stable: stuck"), "{summary}");
    assert_eq!(code, Some(1));
    fs::write(repository.join("levels.yaml"), "v0-stranded: neutral\nentry-removed: off\n").unwrap();
    assert_eq!(run(&repository, &[("LEVELS", "levels.yaml")]).0, Some(0), "the levels are the user's");
}

#[test]
fn catalogs_for_several_versions_of_openshift_are_judged_together() {
    let repository = repository("set");
    let write = |version: &str, notation: &str| {
        let folder = repository.join("catalogs").join(version);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("catalog.yaml"), fixture::yaml(notation)).unwrap();
    };
    let commit = |folder: &Path| {
        git(folder, &["add", "."]);
        git(folder, &["-c", "user.name=t", "-c", "user.email=t@localhost", "commit", "-q", "-m", "set"]);
    };
    ["v4.18", "v4.19"].iter().for_each(|version| write(version, "stable: 1.0.0"));
    commit(&repository);
    git(&repository, &["push", "-q", "origin", "HEAD:base"]);
    let inputs = [("CATALOG", "catalogs"), ("BASE", "base")];
    let (code, text, summary) = run(&repository, &inputs);
    assert!(code == Some(0) && summary.starts_with("### The package leaves nobody behind"), "{text}{summary}");
    write("v4.19", "stable: 1.1.0");
    let (code, text, summary) = run(&repository, &inputs);
    let command =
        "::error file=catalogs/v4.18/catalog.yaml,line=10,endLine=10,col=3,endColumn=19,title=set-installed-lost::";
    assert!(code == Some(1) && text.contains(command), "{text}");
    assert!(text.contains("::error title=catalog-change::`p` in 4.19: "), "{text}");
    assert!(summary.starts_with("### The package leaves somebody behind"), "{summary}");
}

#[test]
fn a_new_catalog_and_a_push_are_validated_alone() {
    let repository = repository("new");
    fs::create_dir_all(repository.join("other")).unwrap();
    fs::write(repository.join("other/catalog.yaml"), catalog("p")).unwrap();
    let (code, text, summary) = run(&repository, &[("CATALOG", "other")]);
    assert!(code == Some(0) && text.contains("does not have other") && summary.is_empty(), "{text}");
    let (code, text, _) = run(&repository, &[("BASE", "")]);
    assert!(code == Some(0) && text.contains("no base branch"), "{text}");
    fs::write(
        repository.join("other/catalog.yaml"),
        catalog("p").replace("defaultChannel: stable", "defaultChannel: no"),
    )
    .unwrap();
    assert_eq!(run(&repository, &[("CATALOG", "other")]).0, Some(1), "opm rejects it");
}
