//! `git:REV:PATH`: catalogs at revisions of a git repository.

use crate::command::{catalog, opscope};
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::LazyLock;

/// A repository whose first commit, with the tag `before`, has a catalog that the present files change.
static REPOSITORY: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("revisions");
    drop(fs::remove_dir_all(&folder));
    let below = folder.join("catalogs").join("p");
    fs::create_dir_all(&below).expect("the folder for tests can be written to");
    fs::write(below.join("catalog.yaml"), catalog("p")).expect("a file can be written");
    fs::write(folder.join("broken.yaml"), "schema: [").expect("a file can be written");
    #[cfg(unix)]
    std::os::unix::fs::symlink("catalogs", folder.join("linked")).expect("a link can be made");
    for arguments in ["init -q", "add .", "-c user.name=t -c user.email=t@localhost commit -q -m first", "tag before"] {
        let git = Command::new("git").args(arguments.split(' ')).current_dir(&folder).status();
        assert!(git.expect("git is installed").success(), "{arguments}");
    }
    fs::write(below.join("catalog.yaml"), fixture::yaml("stable: 1.1.0")).expect("a file can be written");
    folder
});

/// Standard output, standard error and exit code of a command in a folder of the repository.
fn run(below: &str, arguments: &str) -> (String, String, i32) {
    opscope(arguments.split(' ')).within(&REPOSITORY.join(below)).ended().parts()
}

#[test]
fn a_change_is_compared_with_a_revision() {
    let (text, _, code) = run("", "compare git:before:catalogs catalogs --deny breaking");
    assert!(text.contains("✕ 1.0.0 in stable: stuck") && code == 1, "{text}");
    assert!(text.contains("cause: `p.v1.1.0` no longer replaces `p.v1.0.0` (catalogs/p/catalog.yaml:10)"), "{text}");
    let same = "1 package: nothing changes for what is installed\n";
    for (below, before, after) in [
        ("", "git:before:catalogs", "git:HEAD:catalogs/"),
        ("catalogs", "git:before:", "git:HEAD:p"),
        ("catalogs/p", "git:before:.", "git:HEAD:"),
        ("catalogs/p", "git:before:catalog.yaml", "git:HEAD:./catalog.yaml"),
    ] {
        let (text, _, code) = run(below, &format!("compare {before} {after} --deny risky"));
        assert_eq!((text.as_str(), code), (same, 0), "{before}");
    }
}

#[test]
fn what_git_does_not_know_is_an_error() {
    let (_, said, code) = run("", "compare git:gone:catalogs catalogs");
    assert!(code == 2 && said.starts_with("opscope: cannot read `git:gone:catalogs`: git says: "), "{said}");
    let (_, said, _) = run("", "compare git:before catalogs");
    assert_eq!(said, "opscope: `git:before` names no path at a revision; expected git:REV:PATH\n");
    let (_, said, code) = run("", "compare git:before:other catalogs");
    assert_eq!(
        (said.as_str(), code),
        (
            "opscope: `git:before:other` names no file at revision `before`; the path is relative to the current folder; if it is new, there is nothing to compare with\n",
            2
        )
    );
}

#[cfg(unix)]
#[test]
fn a_link_is_not_taken_for_no_change() {
    let (text, _, code) = run("", "compare git:before:linked catalogs --deny breaking");
    assert!(code == 2 && text.contains("it is a symbolic link in git"), "{text}");
}

#[test]
fn other_commands_read_revisions_too() {
    for path in ["git:before:broken.yaml", "git:before:", "git:before:."] {
        let (text, _, code) = run("", &format!("validate {path}"));
        assert!(code == 1 && text.contains("git:before:broken.yaml:1"), "{text}");
    }
}
