//! Git repositories: catalogs at revisions, `git:REV:PATH`, and the settings at the root.

use crate::command::{catalog, folder, opscope, write};
use std::fs;
use std::path::{Path, PathBuf};
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
    let same = "1 package: no effect on clusters\n";
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

/// The output of git in a repository of its own.
fn git(repository: &Path, arguments: &str, input: &str) -> String {
    use std::io::Write;
    use std::process::Stdio;
    let mut git = Command::new("git");
    git.args(arguments.split(' ')).current_dir(repository).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut git = git.spawn().expect("git is installed");
    git.stdin.take().expect("it is piped").write_all(input.as_bytes()).expect("git reads its input");
    let ended = git.wait_with_output().expect("git ends");
    assert!(ended.status.success(), "{arguments}");
    String::from_utf8(ended.stdout).expect("it prints text").trim().to_owned()
}

#[test]
fn a_small_repository_does_not_become_large() {
    let folder = folder("repository-of-repetition");
    git(&folder, "init -q", "");
    fs::write(folder.join("large"), vec![b'\n'; 20 << 20]).expect("a file can be written");
    let blob = git(&folder, "hash-object -w large", "");
    let files: String = (10..40).map(|at| format!("100644 blob {blob}\tf{at}.yaml\n")).collect();
    let tree = git(&folder, "mktree", &files);
    let said = opscope(["validate", &format!("git:{tree}:")]).within(&folder).ended().errors;
    let reason = "it has more than 512 MiB of its files again under other names, such as `f36.yaml`; remove these names, or name \
                  a folder without them";
    assert_eq!(said, format!("opscope: cannot read `git:{tree}:` from git: {reason}\n"));
    // A folder of ten times the same folder, and so on: more files than anybody can list.
    let mut tree = git(&folder, "mktree", &format!("100644 blob {}\tf\n", git(&folder, "hash-object -w --stdin", "")));
    for _ in 0..30 {
        let same: String = (0..10).map(|at| format!("040000 tree {tree}\td{at}\n")).collect();
        tree = git(&folder, "mktree", &same);
    }
    let ended = opscope(["validate", &format!("git:{tree}:")]).within(&folder).ended();
    let reason = "lists more than 128 MiB of names; name the folder in it that has the catalog";
    assert_eq!((ended.errors, ended.code), (format!("opscope: `git:{tree}:` {reason}\n"), 2));
}

/// A repository whose `after.yaml` strands version 1.0.0, with these settings at its root; a folder in it.
fn with_settings(name: &str, settings: &str) -> PathBuf {
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

#[test]
fn settings_are_found_up_to_the_root_of_the_repository() {
    let within = with_settings("settings", "levels: {v0-stranded: neutral}\n");
    let compare = || opscope(["compare", "before.yaml", "after.yaml", "--deny", "breaking"]).within(&within).ended();
    let ended = compare();
    let said = "opscope: uses the settings in `../../.opscope.yaml`\n";
    assert_eq!((ended.code, ended.errors.as_str()), (0, said), "{}", ended.out);
    write(&within, &[(".git/HEAD", "")]);
    assert_eq!(compare().code, 1);
    let device = ["compare", "before.yaml", "after.yaml", "--deny", "risky", "--levels", "/dev/null"];
    assert_eq!(opscope(device).within(&within).ended().code, 2, "a device has no levels");
}
