//! `opscope --version`, and the commit that the build script finds for it.

#[path = "../../build/commit.rs"]
mod commit;
#[path = "../../build/head.rs"]
mod head;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn git(folder: &Path, arguments: &[&str]) -> String {
    let identity = ["-c", "user.name=t", "-c", "user.email=t@localhost"];
    let output = Command::new("git").args(identity).args(arguments).current_dir(folder).output();
    let output = output.expect("git is installed");
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).expect("git prints UTF-8")
}

/// An empty folder with a manifest in `inner`.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("version").join(name);
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(folder.join("inner")).expect("the folder for tests can be written to");
    fs::write(folder.join("inner/Cargo.toml"), "").expect("a file can be written");
    folder
}

#[test]
fn the_version_is_that_of_the_manifest() {
    let output = Command::new(env!("CARGO_BIN_EXE_opscope")).arg("--version").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let rest = text.strip_prefix(concat!("opscope ", env!("CARGO_PKG_VERSION"))).unwrap();
    let commit = rest.trim_end().strip_prefix(" (").and_then(|rest| rest.strip_suffix(')'));
    let is_commit = |text: &str| text.len() == 12 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    // Only an optimised build has a commit, and only in a repository.
    assert!(rest == "\n" || (!cfg!(debug_assertions) && commit.is_some_and(is_commit)), "{text}");
}

#[test]
fn a_repository_has_a_commit() {
    let folder = folder("repository");
    git(&folder, &["init", "-q"]);
    git(&folder, &["add", "."]);
    assert_eq!(commit::of(&folder.join("inner")), None, "there is no commit yet");
    git(&folder, &["commit", "-q", "-m", "first"]);
    let first = commit::of(&folder.join("inner")).unwrap();
    assert_eq!(git(&folder, &["rev-parse", "HEAD"]).get(..12), Some(first.as_str()));
    assert!(!head::files_of_head(&folder.join("inner")).is_empty());
    git(&folder, &["commit", "-q", "--allow-empty", "-m", "second"]);
    assert_ne!(commit::of(&folder.join("inner")), Some(first));
}

#[test]
fn sources_outside_a_repository_have_no_commit() {
    let folder = folder("archive");
    git(&folder, &["init", "-q"]);
    git(&folder, &["commit", "-q", "--allow-empty", "-m", "of the repository around the sources"]);
    assert_eq!(commit::of(&folder.join("inner")), None);
    assert_eq!(commit::of(&folder.join("missing")), None);
}
