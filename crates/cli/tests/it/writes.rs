//! What `--write` does to files: it makes the requested change and no other, only in the named folder, in all files or none.

use crate::command::{Ended, folder, opscope, write};
use serde::Deserialize;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const CSV: &str = "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata:\n  name: p.v1.3.0\nspec:\n  version: \
                   1.3.0\n";
const ANNOTATIONS: &str = "annotations:\n  operators.operatorframework.io.bundle.package.v1: p\n  \
                           operators.operatorframework.io.bundle.channels.v1: c\n";
const CRD: &str = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: as.b.c}\nspec:\n  group: b.c\n  \
                   names: {kind: A, plural: as}\n  scope: Namespaced\n  versions: [{name: v1, served: true, storage: true}]\n";
const TEMPLATE: &str = "schema: olm.template.basic\nentries:\n- {schema: olm.package, name: p, defaultChannel: c}\n- schema: olm.channel\n  \
                        package: p\n  name: c\n  entries:\n  - name: p.v1.2.0\n- schema: olm.bundle\n  image: quay.io/p:1.2.0\n";

fn chain() -> String {
    fixture::yaml("c: 1.2.0 (replaces 1.1.0), 1.1.0 (replaces 1.0.0), 1.0.0")
}

/// A channel in which 1.0.0 and 1.1.0 do not reach the head.
fn stranded() -> String {
    fixture::yaml("c: 1.2.0 (skips 1.1.0), 1.1.0 (replaces 1.0.0), 1.0.0")
}

fn run(folder: &Path, arguments: &str) -> Ended {
    opscope(arguments.split(' ')).within(folder).ended()
}

fn text(folder: &Path, path: &str) -> String {
    fs::read_to_string(folder.join(path)).expect("the file is there")
}

/// The names in a folder, with those of temporary files that were left.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder is there").flatten();
    let entries = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = entries.collect();
    names.sort();
    names
}

fn bundle(folder: &Path) {
    write(folder, &[("bundle/manifests/csv.yaml", CSV), ("bundle/metadata/annotations.yaml", ANNOTATIONS)]);
}

#[cfg(unix)]
#[test]
fn a_new_file_is_made_through_no_link() {
    use std::os::unix::fs::symlink;
    let ci = "fbc:\n  enabled: true\n  catalog_mapping:\n  - {template_name: t.yaml, catalog_names: [v4.19], type: olm.template.basic}\n";
    let release = "release bundle --into operator --policy replace-head --write";
    let folder = folder("writes-new");
    bundle(&folder);
    write(&folder, &[("operator/ci.yaml", ci), ("operator/catalog-templates/t.yaml", TEMPLATE)]);
    for (link, target) in [("operator/1.3.0", "../away"), ("operator/1.3.0", "inside"), ("operator/1.3.0", "nowhere")] {
        fs::create_dir_all(folder.join("away")).unwrap();
        fs::create_dir_all(folder.join("operator/inside")).unwrap();
        symlink(target, folder.join(link)).unwrap();
        let ended = run(&folder, release);
        assert!(ended.code == 2 && ended.errors.contains("is no folder, or a symbolic link"), "{target}: {ended:?}");
        fs::remove_file(folder.join(link)).unwrap();
    }
    fs::create_dir(folder.join("operator/1.3.0")).unwrap();
    symlink("../../away/.profile", folder.join("operator/1.3.0/release-config.yaml")).unwrap();
    let ended = run(&folder, release);
    assert!(ended.code == 2 && ended.errors.contains("it exists already"), "{ended:?}");
    assert_eq!((names(&folder.join("away")).len(), names(&folder.join("operator/inside")).len()), (0, 0));
    fs::remove_dir_all(folder.join("operator/1.3.0")).unwrap();
    let ended = run(&folder, release);
    assert_eq!(
        (ended.code, names(&folder.join("operator/1.3.0"))),
        (0, vec!["release-config.yaml".to_owned()]),
        "{ended:?}"
    );
}

#[cfg(unix)]
#[test]
fn a_linked_file_is_written_inside_of_the_folder_only() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder("writes-links");
    write(&folder, &[("in/real/catalog.txt", &chain()), ("outside.yaml", &chain())]);
    fs::set_permissions(folder.join("in/real/catalog.txt"), fs::Permissions::from_mode(0o640)).unwrap();
    fs::create_dir_all(folder.join("catalog")).unwrap();
    fs::rename(folder.join("in/real"), folder.join("catalog/.real")).unwrap();
    symlink(".real/catalog.txt", folder.join("catalog/c.yaml")).unwrap();
    write(&folder, &[("catalog/.indexignore", ".real\n")]);
    let ended = run(&folder, "deprecate catalog 1.0.0 --message old --write");
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(
        folder.join("catalog/c.yaml").is_symlink()
            && text(&folder, "catalog/.real/catalog.txt").contains("message: old")
    );
    let mode = fs::metadata(folder.join("catalog/.real/catalog.txt")).unwrap().permissions().mode();
    assert_eq!((mode & 0o777, names(&folder.join("catalog/.real"))), (0o640, vec!["catalog.txt".to_owned()]));
    // A link that is named is followed.
    symlink("outside.yaml", folder.join("named.yaml")).unwrap();
    assert_eq!(run(&folder, "deprecate named.yaml 1.0.0 --message old --write").code, 0);
    assert!(folder.join("named.yaml").is_symlink() && text(&folder, "outside.yaml").contains("message: old"));
}

#[cfg(unix)]
#[test]
fn what_catalogs_of_a_set_share_by_a_link_is_not_written_for_one_of_them() {
    let folder = folder("writes-shared");
    let own =
        "schema: olm.deprecations\npackage: p\nentries:\n- reference: {schema: olm.channel, name: c}\n  message: old\n";
    write(&folder, &[("set/v4.20/p/catalog.yaml", &chain()), ("set/v4.21/p/own.yaml", own)]);
    std::os::unix::fs::symlink("../../v4.20/p/catalog.yaml", folder.join("set/v4.21/p/catalog.yaml")).unwrap();
    let ended = run(&folder, "deprecate set 1.0.0 --message x --write");
    assert!(ended.code == 2 && ended.errors.contains("is the same file by a link"), "{ended:?}");
    assert_eq!(
        (text(&folder, "set/v4.20/p/catalog.yaml"), text(&folder, "set/v4.21/p/own.yaml")),
        (chain(), own.to_owned())
    );
    // The same edit of both is one edit.
    fs::remove_file(folder.join("set/v4.21/p/own.yaml")).unwrap();
    let ended = run(&folder, "deprecate set 1.0.0 --message x --write");
    assert_eq!(
        (ended.code, text(&folder, "set/v4.20/p/catalog.yaml").matches("message: x").count()),
        (0, 1),
        "{ended:?}"
    );
}

#[cfg(unix)]
#[test]
fn if_one_file_cannot_be_written_none_is() {
    let folder = folder("writes-all");
    let large = chain() + &format!("# {}\n", "x".repeat(30_000));
    let files = [("set/v4.20/p/catalog.yaml", chain()), ("set/v4.21/p/catalog.yaml", large)];
    write(&folder, &files.each_ref().map(|(path, text)| (*path, &**text)));
    // The shell counts in blocks of 512 bytes; whoever writes more is ended by a signal.
    let limited =
        format!("ulimit -f 40; exec {} deprecate set 1.0.0 --message x --write", env!("CARGO_BIN_EXE_opscope"));
    let mut shell = Command::new("sh");
    let status = shell.args(["-c", &limited]).current_dir(&folder).stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(!status.unwrap().success());
    for (path, before) in &files {
        assert_eq!(text(&folder, path), *before);
    }
    // What was staged is no part of the catalog, and is removed once nobody can write it any more.
    let left: Vec<String> =
        names(&folder.join("set/v4.21/p")).into_iter().filter(|name| name.starts_with(".opscope-")).collect();
    let [left] = &left[..] else { panic!("{left:?}") };
    let path = folder.join("set/v4.21/p").join(left);
    assert_eq!(run(&folder, "validate set").code, 0);
    assert!(path.exists(), "somebody may still write it");
    let touched = Command::new("touch").args(["-d", "2 minutes ago"]).arg(&path).status();
    assert!(touched.unwrap().success());
    let ended = run(&folder, "validate set");
    assert!(ended.code == 0 && ended.errors.contains("which a write that was ended had left"), "{}", ended.errors);
    assert!(!path.exists());
}

#[cfg(unix)]
#[test]
fn nothing_is_written_from_what_was_read_in_part() {
    use std::os::unix::fs::symlink;
    let folder = folder("writes-unread");
    bundle(&folder);
    write(
        &folder,
        &[("c/catalog.yaml", &stranded()), ("t/catalog.yaml", &chain()), ("crd.yaml", CRD), ("outside", "a: b\n")],
    );
    symlink("../outside", folder.join("c/more.yaml")).unwrap();
    for command in [
        "remove c 1.1.0 --write",
        "deprecate c 9.9.9 --message x --write",
        "deprecate c 1.0.0 --message x --write",
        "release bundle --into c --policy replace-head --image quay.io/p:1.3.0 --write",
        "repair c --write",
    ] {
        let ended = run(&folder, command);
        assert!(ended.code == 2 && ended.errors.contains("`c/more.yaml`"), "{command}: {ended:?}");
        assert_eq!(text(&folder, "c/catalog.yaml"), stranded(), "{command}");
    }
    symlink("../../crd.yaml", folder.join("bundle/manifests/crd.yaml")).unwrap();
    let release = "release bundle --into t --policy replace-head --image quay.io/p:1.3.0 --write";
    let ended = run(&folder, release);
    assert!(ended.code == 2 && ended.errors.contains("`manifests/crd.yaml`"), "{ended:?}");
    assert_eq!(text(&folder, "t/catalog.yaml"), chain());
    fs::remove_file(folder.join("bundle/manifests/crd.yaml")).unwrap();
    write(&folder, &[("bundle/manifests/crd.yaml", CRD)]);
    assert_eq!(run(&folder, release).code, 0);
    assert!(text(&folder, "t/catalog.yaml").contains("olm.gvk"));
}

#[test]
fn a_byte_order_mark_stays() {
    let folder = folder("writes-mark");
    bundle(&folder);
    for command in [
        "repair c.yaml --write",
        "deprecate c.yaml 1.1.0 --message x --write",
        "remove c.yaml 1.1.0 --write",
        "release bundle --into c.yaml --policy replace-head --image quay.io/p:1.3.0 --write",
    ] {
        let before = format!("\u{feff}{}", if command.starts_with("repair") { stranded() } else { chain() });
        write(&folder, &[("c.yaml", &before)]);
        let ended = run(&folder, command);
        let after = text(&folder, "c.yaml");
        assert_eq!(ended.code, 0, "{command}: {ended:?}");
        assert!(
            after.starts_with('\u{feff}') && after.matches('\u{feff}').count() == 1 && after != before,
            "{command}: {after}"
        );
        assert_eq!(run(&folder, "validate c.yaml").code, 0, "{command}");
    }
}

/// The differences in the JSON of a command, as one patch.
fn patch(folder: &Path, command: &str) -> String {
    let ended = run(folder, &format!("{command} --format json"));
    let found: Value = serde_json::from_str(&ended.out).unwrap_or_else(|_| panic!("{ended:?}"));
    let repairs =
        found["packages"].as_array().into_iter().flatten().filter_map(|row| row["fixes"][0]["repair"]["diff"].as_str());
    let catalogs = found["catalogs"]
        .as_array()
        .into_iter()
        .flatten()
        .flat_map(|row| row["files"].as_array().expect("a catalog has files"));
    let edits = catalogs.filter_map(|file| file["diff"].as_str());
    repairs.chain(edits).collect()
}

#[test]
fn a_shown_difference_is_a_patch() {
    let folder = folder("writes-patches");
    let json = |text: &str, between: &str| {
        let documents = fixture::yaml(text);
        let values =
            serde_yaml::Deserializer::from_str(&documents).map(|document| Value::deserialize(document).unwrap());
        values.map(|value| value.to_string()).collect::<Vec<_>>().join(between)
    };
    let broken = "c: 1.2.0 (skips 1.1.0), 1.1.0 (replaces 1.0.0), 1.0.0";
    let commented = "schema: olm.package\nname: p\ndefaultChannel: c\n---\nschema: olm.channel\npackage: p\nname: c\nentries:\n- name: p.v1.1.0\n  \
                     skips: []\n- name: p.v1.0.0\n  # the last one\n---\n";
    let bundles = fixture::yaml("c: 1.1.0, 1.0.0");
    let commented = format!("{commented}{}", &bundles[bundles.find("schema: olm.bundle").unwrap()..]);
    let texts = [
        ("plain", stranded()),
        ("without a last line break", stranded().trim_end().to_owned()),
        ("CRLF", stranded().replace('\n', "\r\n")),
        ("with a comment behind the last entry", commented),
        ("JSON in lines", json(broken, "\n")),
        ("JSON in one line", json(broken, "")),
        ("JSON in one line with a break", json(broken, " ") + "\n"),
        ("with letters of several bytes", stranded().replace("schema: olm.channel", "# é\u{fc}ß\nschema: olm.channel")),
    ];
    for (name, before) in texts {
        for command in ["repair w", "deprecate w 1.0.0 --message x"] {
            write(&folder, &[("w/c.yaml", &before)]);
            let patch = patch(&folder, command);
            if patch.is_empty() {
                assert!(command.starts_with("deprecate"), "{name}: {command}");
                continue;
            }
            write(&folder, &[("p.diff", &patch)]);
            // Without a repository around it, git applies a patch to the files below the folder.
            let git = |arguments: &[&str]| {
                let mut git = Command::new("git");
                git.env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap())
                    .args(arguments)
                    .current_dir(&folder)
                    .output()
                    .unwrap()
            };
            let output = git(&["apply", "-p0", "p.diff"]);
            assert!(output.status.success(), "{name}: {command}: {output:?}\n{patch}");
            let patched = text(&folder, "w/c.yaml");
            write(&folder, &[("w/c.yaml", &before)]);
            run(&folder, &format!("{command} --write"));
            assert_eq!(text(&folder, "w/c.yaml"), patched, "{name}: {command}");
        }
    }
}

#[test]
fn line_ends_stay() {
    let folder = folder("writes-line-ends");
    let before =
        fixture::yaml("c: 1.2.0 (replaces 1.1.0; skips 1.1.0), 1.1.0 (skips 1.0.0), 1.0.0").replace('\n', "\r\n");
    write(&folder, &[("c.yaml", &before)]);
    let ended = run(&folder, "repair c.yaml --write");
    assert_eq!((ended.errors.as_str(), ended.code), ("opscope: wrote `c.yaml`\n", 0));
    let range = "skips: [p.v1.1.0], skipRange: '>=1.0.0 <1.2.0'}";
    assert_eq!(text(&folder, "c.yaml"), before.replacen("skips: [p.v1.1.0]}", range, 1));
}
