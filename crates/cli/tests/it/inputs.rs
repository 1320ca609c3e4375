//! Inputs that cannot be read, or not completely: none gives an answer without a word.

use crate::command::{Ended, catalog, described, file, folder, opscope, write};
use std::collections::BTreeSet;
use std::path::PathBuf;

const CLUSTER: &str = "kind: CatalogSource
metadata: {name: c, namespace: olm}
---
kind: Subscription
metadata: {name: s, namespace: ns}
spec: {name: p, source: c, sourceNamespace: olm}
";

/// UTF-16 with a byte order mark, as `>` of PowerShell writes it.
fn utf_16(text: &str) -> Vec<u8> {
    [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

/// A folder with a catalog, of which the link out of it is not read.
#[cfg(unix)]
fn linked(name: &str) -> PathBuf {
    let folder = folder(name);
    write(&folder, &[("c/catalog.yaml", &catalog("p")), ("cluster.yaml", CLUSTER), ("secret", "x")]);
    std::os::unix::fs::symlink("../secret", folder.join("c/link.yaml")).expect("a link can be made");
    folder
}

#[cfg(unix)]
#[test]
fn an_answer_from_a_part_of_a_catalog_is_none() {
    let folder = linked("partial");
    for command in [
        "validate c",
        "render c",
        "graph c",
        "reach p --catalog c",
        "reach p --catalog c --format json",
        "path p 1.0.0 1.1.0 --catalog c",
        "resolve --cluster cluster.yaml --catalog c=c",
        "resolve --cluster cluster.yaml --catalog c=c --format json",
        "why s --cluster cluster.yaml --catalog c=c",
        "migrate --cluster cluster.yaml --catalog c=c",
        "compare c c",
    ] {
        let ended = opscope(command.split(' ')).within(&folder).ended();
        let is_said = ended.errors.contains("c/link.yaml") || ended.out.contains("link.yaml");
        assert!(ended.code == 2 && is_said && !ended.out.is_empty(), "{command}: {ended:?}");
    }
}

/// Catalogs for two versions of OpenShift. The package `p` of the second is a link out of the folder.
#[cfg(unix)]
fn linked_set(name: &str) -> PathBuf {
    let folder = folder(name);
    let (p, q) = (catalog("p"), catalog("q"));
    for version in ["v4.20", "v4.21", "v4.22"] {
        write(&folder, &[(&format!("s/{version}/q/catalog.yaml"), &q)]);
    }
    write(&folder, &[("s/v4.20/p/catalog.yaml", &p), ("s/v4.21/p/catalog.yaml", &p), ("away.yaml", &p)]);
    std::fs::create_dir_all(folder.join("s/v4.22/p")).expect("a folder can be made");
    std::os::unix::fs::symlink("../../../away.yaml", folder.join("s/v4.22/p/catalog.yaml"))
        .expect("a link can be made");
    folder
}

#[cfg(unix)]
#[test]
fn a_package_whose_file_was_not_read_does_not_end() {
    let folder = linked_set("set-partial");
    let run = |command: &str| opscope(command.split(' ')).within(&folder).ended();
    for format in ["text", "json", "markdown", "sarif", "github"] {
        let ended = run(&format!("set s --format {format}"));
        assert!(ended.code == 2 && ended.errors.contains("`s/v4.22/p/catalog.yaml`"), "{format}: {ended:?}");
        assert!(!ended.out.contains("set-package-ends") && !ended.out.contains("does not have"), "{format}: {ended:?}");
    }
    let text = run("set s").out;
    assert!(text.contains("p        4.20–4.21 1.1.0, 4.22 not known\n"), "{text}");
    let plan = "plan --subscribe p/stable@1.0.0 --from 4.20 --to 4.22 --catalogs s";
    for format in ["text", "json", "markdown"] {
        let ended = run(&format!("{plan} --format {format}"));
        assert!(ended.code == 2 && ended.errors.contains("`s/v4.22/p/catalog.yaml`"), "{format}: {ended:?}");
        assert!(ended.out.contains("not read completely") && !ended.out.contains("no package"), "{format}: {ended:?}");
    }
    // What a change does to it is not known either.
    let ended = run("set s --before s --format json");
    assert!(ended.code == 2 && !ended.out.contains("\"isThere\": false"), "{ended:?}");
}

#[cfg(unix)]
#[test]
fn nothing_is_gone_that_may_be_in_what_was_not_read() {
    let folder = folder("not-gone");
    let whole = catalog("p");
    let (package, _) = whole.split_at(whole.find("---\nschema: olm.channel").expect("there is a channel"));
    write(&folder, &[("whole.yaml", &whole), ("c/catalog.yaml", package), ("secret", "x")]);
    std::os::unix::fs::symlink("../secret", folder.join("c/link.yaml")).expect("a link can be made");
    for command in ["compare whole.yaml c", "repair c --since whole.yaml", "compare whole.yaml c --format json"] {
        let ended = opscope(command.split(' ')).within(&folder).ended();
        let text = format!("{}{}", ended.out, ended.errors);
        assert!(ended.code == 2 && text.contains("link.yaml"), "{command}: {ended:?}");
        assert!(!text.contains("gone") && !text.contains("no operators found"), "{command}: {ended:?}");
    }
}

#[test]
fn a_file_that_holds_too_much_gives_no_verdict() {
    let folder = folder("too-much");
    write(
        &folder,
        &[("c/catalog.yaml", &catalog("p")), ("c/list.yaml", &"- x\n".repeat(520_000)), ("cluster.yaml", CLUSTER)],
    );
    for command in ["validate c", "resolve --cluster cluster.yaml --catalog c=c"] {
        let ended = opscope(command.split(' ')).within(&folder).ended();
        assert!(ended.code == 2 && ended.errors.contains("`c/list.yaml`"), "{command}: {ended:?}");
        assert!(!(ended.out + &ended.errors).contains("rejects"), "{command}");
    }
}

#[test]
fn nothing_is_missing_that_may_be_in_what_was_not_read() {
    let folder = folder("not-missing");
    let catalog = described("p");
    let (package, rest) = catalog.split_at(catalog.find("---\nschema: olm.channel").expect("there is a channel"));
    let keys: String = (0..500_000).map(|key| format!("k{key}: 1\n")).collect();
    let entries: String = (0..70_000).map(|at| format!("- {{name: p.v{at}, replaces: p.v{}}}\n", at + 1)).collect();
    let many = format!("{package}---\nschema: olm.channel\npackage: p\nname: many\nentries:\n{entries}{rest}");
    write(&folder, &[("keys.yaml", &[package, &keys, rest].concat()), ("many.yaml", &many), ("cluster.yaml", CLUSTER)]);
    for file in ["keys.yaml", "many.yaml"] {
        let ended = opscope(["validate", file]).within(&folder).ended();
        let verdict = "\nunknown for the newest opm: 1 package, 1 error, 0 warnings, 0 hints\n";
        assert!(ended.out.ends_with(verdict) && ended.code == 2, "{:.2000}", ended.out);
        let catalog = format!("c={file}");
        let ended = opscope(["resolve", "--cluster", "cluster.yaml", "--catalog", &catalog]).within(&folder).ended();
        assert!(!(ended.out + &ended.errors).contains("reject") && ended.code == 2, "{file}");
    }
}

/// A folder of two bundle directories, of which the second replaces the first.
#[cfg(unix)]
fn bundle_tree(name: &str) -> PathBuf {
    let folder = folder(name);
    let annotations = "annotations:\n  operators.operatorframework.io.bundle.package.v1: p\n  \
                       operators.operatorframework.io.bundle.channels.v1: stable\n";
    for (version, replaces) in [("1.0.0", ""), ("1.1.0", ", replaces: p.v1.0.0")] {
        let csv = format!(
            "kind: ClusterServiceVersion\nmetadata: {{name: p.v{version}}}\nspec: {{displayName: P, version: {version}{replaces}}}\n"
        );
        let [csv_path, annotations_path] =
            ["manifests/csv.yaml", "metadata/annotations.yaml"].map(|path| format!("tree/{version}/{path}"));
        write(&folder, &[(&csv_path, &csv), (&annotations_path, annotations)]);
    }
    folder
}

#[cfg(unix)]
#[test]
fn bundle_directories_that_were_read_in_part_give_no_verdict() {
    use std::os::unix::fs::symlink;
    let folder = bundle_tree("tree-in-part");
    let ended = opscope(["validate", "tree"]).within(&folder).ended();
    assert_eq!(
        (ended.out.as_str(), ended.code),
        ("valid for the newest opm: 1 package, 0 errors, 0 warnings, 0 hints\n", 0)
    );
    // The bundle, a manifest beside its CSV, a whole bundle directory, and `ci.yaml`.
    for path in ["1.0.0/manifests/csv.yaml", "1.1.0/manifests/crd.yaml", "2.0.0", "ci.yaml"] {
        let folder = bundle_tree("tree-in-part");
        let link = folder.join("tree").join(path);
        std::fs::remove_file(&link).ok();
        symlink(folder.join("elsewhere"), &link).expect("a link can be made");
        for command in ["validate tree", "graph tree", "render tree"] {
            let ended = opscope(command.split(' ')).within(&folder).ended();
            // A package that is not made without the bundle has no graph.
            let is_said = ended.errors.contains(&format!("tree/{path}")) || ended.errors.contains("has no package");
            assert!(ended.code == 2 && is_said, "{command} {path}: {ended:?}");
            assert!(
                !ended.out.contains("unbuilt-package") && !ended.out.contains("valid for "),
                "{command}: {ended:?}"
            );
        }
    }
}

#[cfg(unix)]
#[test]
fn a_manifest_that_holds_too_much_gives_no_verdict() {
    let folder = bundle_tree("tree-too-much");
    write(&folder, &[("tree/1.1.0/manifests/list.yaml", &"- x\n".repeat(520_000))]);
    let ended = opscope(["validate", "tree"]).within(&folder).ended();
    assert!(ended.out.starts_with("error[unreadable-file]: there is no answer for this bundle: "), "{ended:?}");
    assert!(ended.errors.contains("`tree/1.1.0/manifests/list.yaml`") && ended.code == 2, "{ended:?}");
}

#[cfg(unix)]
#[test]
fn standard_input_that_is_closed_is_an_error() {
    use std::process::Command;
    for redirection in ["<&-", "</dev/null", "</dev/zero"] {
        let script = format!("exec \"$0\" validate - {redirection}");
        let output = Command::new("sh").args(["-c", &script, env!("CARGO_BIN_EXE_opscope")]).output();
        let output = output.expect("there is a shell");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(said, "opscope: cannot read standard input: it is closed, or a device\n", "{redirection}");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn devices_and_the_kernel_are_no_files() {
    let folder = folder("special");
    for path in ["/dev/zero", "/dev/null", "/proc", "/proc/self/maps"] {
        for command in ["validate PATH", "cel true --properties PATH", "list PATH", "crd PATH PATH"] {
            let ended = opscope(command.replace("PATH", path).split(' ')).within(&folder).ended();
            assert!(ended.errors.contains(", not a file\n"), "{command} {path}: {ended:?}");
            assert_eq!((ended.out.as_str(), ended.code), ("", 2));
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn folders_of_the_kernel_are_refused() {
    let folder = folder("kernel");
    write(&folder, &[("catalog.yaml", &catalog("p"))]);
    for path in ["/sys", "/proc"] {
        for command in ["migrate --cluster PATH --catalog c=catalog.yaml", "validate PATH", "set PATH", "render PATH"] {
            let ended = opscope(command.replace("PATH", path).split(' ')).within(&folder).ended();
            assert!(ended.errors.contains(&format!("`{path}`: it is a part of the kernel, not a file\n")), "{ended:?}");
            assert_eq!((ended.out.as_str(), ended.code), ("", 2), "{command}");
        }
        std::os::unix::fs::symlink(path, folder.join(&path[1..])).expect("a link can be made");
    }
    let ended = opscope(["validate", "."]).within(&folder).ended();
    let said = "it is a symbolic link out of the folder, which is not followed";
    assert!(ended.out.matches(said).count() == 1 && ended.out.contains("2 places have it"), "{ended:?}");
}

/// Folders `d1` to `d40`, each with two links to the next one.
#[cfg(unix)]
#[test]
fn ways_along_links_do_not_double_with_each_folder() {
    use std::os::unix::fs::symlink;
    let folder = folder("linked-folders");
    for number in 1..=40 {
        let of = folder.join(format!("d{number}"));
        std::fs::create_dir(&of).expect("a folder can be made");
        for name in ["a", "b"].into_iter().filter(|_| number < 40) {
            symlink(format!("../d{}", number + 1), of.join(name)).expect("a link can be made");
        }
    }
    write(&folder, &[("d40/custom.yaml", "schema: custom\n")]);
    let ended = opscope(["validate", ".", "--format", "json"]).within(&folder).ended();
    let report: serde_json::Value = serde_json::from_str(&ended.out).expect("JSON");
    let refused = "it is a symbolic link to a folder, which is not followed below another such link; the folder is read in its \
                   own place";
    let findings = report["findings"].as_array().expect("a list");
    let refused: Vec<_> =
        findings.iter().filter(|found| found["message"].as_str().is_some_and(|text| text.contains(refused))).collect();
    // Two links in each folder but the last lead to a folder with two links; of d39 to one without.
    assert_eq!((refused.len(), ended.code), (38 * 4, 2), "{:.2000}", ended.errors);
    let manifests = opscope(["migrate", "--cluster", ".", "--catalog", "c=d40"]).within(&folder).ended();
    assert_eq!(
        manifests.errors,
        "opscope: no answer: `.` is a catalog, and a cluster is a file of manifests, or a must-gather; use `opscope validate .`\n"
    );
}

/// The catalogs of two versions of OpenShift that are the same folder.
#[cfg(unix)]
#[test]
fn a_linked_folder_is_read() {
    let folder = folder("linked-folder");
    write(&folder, &[("v4.20/p/catalog.yaml", &catalog("p"))]);
    for version in ["v4.21", "v4.22"] {
        std::os::unix::fs::symlink("v4.20", folder.join(version)).expect("a link can be made");
    }
    std::os::unix::fs::symlink("../v4.20", folder.join("v4.20/circle")).expect("a link can be made");
    let ended = opscope(["set", "."]).within(&folder).ended();
    assert!(ended.out.contains("p        4.20–4.22 1.1.0"), "{ended:?}");
}

/// A folder of 400 files with 400 names is 160,000 files.
#[cfg(unix)]
#[test]
fn a_folder_does_not_have_many_names() {
    let folder = folder("linked-often");
    std::fs::create_dir(folder.join("files")).expect("a folder can be made");
    for number in 0..400 {
        std::fs::write(folder.join(format!("files/{number}.yaml")), "").expect("a file can be written");
        std::os::unix::fs::symlink("files", folder.join(format!("l{number}"))).expect("a link can be made");
    }
    let ended = opscope(["validate", "."]).within(&folder).ended();
    let reason = "it has more than 512 MiB of its files again under other names, such as `";
    assert!(ended.errors.starts_with(&format!("opscope: cannot read folder `.`: {reason}")), "{:.2000}", ended.errors);
    assert_eq!((ended.out.as_str(), ended.code), ("", 2));
}

#[cfg(unix)]
#[test]
fn links_do_not_make_a_small_folder_large() {
    let folder = folder("linked-files");
    let large = std::fs::File::create(folder.join("large.yaml")).expect("a file can be made");
    large.set_len(300 << 20).expect("a file can have a hole");
    for name in ["l1.yaml", "l2.yaml"] {
        std::os::unix::fs::symlink("large.yaml", folder.join(name)).expect("a link can be made");
    }
    std::fs::hard_link(folder.join("large.yaml"), folder.join("l0.yaml")).expect("a link can be made");
    let reason = |name: &str| {
        format!(
            "it has more than 512 MiB of its files again under other names, such as `{name}`; remove these names, or name a \
             folder without them"
        )
    };
    for command in ["validate .", "render .", "set .", "compare . .", "graph .", "repair ."] {
        let ended = opscope(command.split(' ')).within(&folder).ended();
        let expected = format!("opscope: cannot read folder `.`: {}\n", reason("l2.yaml"));
        assert_eq!((ended.errors, ended.out.as_str(), ended.code), (expected, "", 2), "{command}");
    }
    // Of a must-gather only what is read counts.
    write(&folder, &[("c/catalog.yaml", &catalog("p"))]);
    let below = folder.join("gather/namespaces/ns/operators.coreos.com/subscriptions");
    std::fs::create_dir_all(&below).expect("a folder can be made");
    for name in ["a.yaml", "b.log", "c.log", "d.yaml", "e.yaml"] {
        std::fs::hard_link(folder.join("large.yaml"), below.join(name)).expect("a link can be made");
    }
    let ended = opscope(["migrate", "--cluster", "gather", "--catalog", "c=c"]).within(&folder).ended();
    let name = "namespaces/ns/operators.coreos.com/subscriptions/e.yaml";
    assert_eq!(ended.errors, format!("opscope: cannot read folder `gather`: {}\n", reason(name)));
}

#[cfg(unix)]
#[test]
fn a_pipe_is_read_where_it_is_named_and_refused_in_a_folder() {
    use std::process::Command;
    let folder = folder("pipe");
    write(&folder, &[("catalog.yaml", &described("p"))]);
    let made = Command::new("mkfifo").arg(folder.join("pipe.yaml")).status().expect("there is mkfifo");
    assert!(made.success());
    let ended = opscope(["validate", "."]).within(&folder).ended();
    assert!(ended.out.contains("it is a pipe, not a file") && ended.code == 2, "{ended:?}");
    let writing = Command::new("sh").args(["-c", "cat catalog.yaml >pipe.yaml"]).current_dir(&folder).spawn();
    let ended = opscope(["validate", "pipe.yaml"]).within(&folder).ended();
    assert_eq!(
        (ended.out.as_str(), ended.code),
        ("valid for the newest opm: 1 package, 0 errors, 0 warnings, 0 hints\n", 0),
        "{ended:?}"
    );
    assert!(writing.and_then(|mut writing| writing.wait()).is_ok_and(|status| status.success()));
}

#[test]
fn a_line_of_questions_is_bounded() {
    let endless = [b' '].repeat((16 << 20) + 1);
    for command in ["range", "cel"] {
        let ended = opscope([command, "--jsonl"]).input(endless.clone()).ended();
        assert_eq!(ended.errors, "opscope: cannot read line 1 of standard input: a line has more than 16 MiB\n");
        assert_eq!(ended.code, 2);
    }
}

#[test]
fn manifests_of_powershell_are_read() {
    let folder = folder("utf-16");
    write(&folder, &[("catalog.yaml", &catalog("p"))]);
    std::fs::write(folder.join("cluster.yaml"), utf_16(CLUSTER)).expect("a file can be written");
    let ended = opscope("resolve --cluster cluster.yaml --catalog c=catalog.yaml".split(' ')).within(&folder).ended();
    assert!(ended.out.starts_with("✓ s → 1.1.0") && ended.code == 0, "{ended:?}");
    std::fs::write(folder.join("cluster.yaml"), b"kind: \xff\xff\xff").expect("a file can be written");
    let ended = opscope("resolve --cluster cluster.yaml --catalog c=catalog.yaml".split(' ')).within(&folder).ended();
    assert!(ended.errors.starts_with("opscope: cannot read `cluster.yaml`: ") && ended.code == 2, "{ended:?}");
}

#[test]
fn every_text_may_be_what_powershell_writes() {
    let folder = folder("utf-16-texts");
    let packages = r#"{"kind": "List", "items": [{"apiVersion": "packages.operators.coreos.com/v1", "kind": "PackageManifest", "metadata": {"name": "etcd"}, "status":
        {"catalogSource": "c", "catalogSourceNamespace": "olm", "packageName": "etcd", "channels": []}}]}"#;
    let template = "schema: olm.semver\nstable:\n  bundles:\n  - image: quay.io/p:1.0.0\n";
    let crd = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: as.g}\nspec: {group: g, names: \
               {kind: A, plural: as}, scope: Namespaced, versions: [{name: v1, served: true, storage: true}]}\n";
    let image_set = "kind: ImageSetConfiguration\napiVersion: mirror.openshift.io/v2alpha1\nmirror: {operators: [{catalog: c, \
                     packages: [{name: p}]}]}\n";
    let texts = [
        ("packages", packages),
        ("template", template),
        ("crd", crd),
        ("image-set", image_set),
        ("levels", "head-changed: off\n"),
        ("properties", "- {type: t, value: 1}\n"),
        ("cluster", CLUSTER),
    ];
    write(&folder, &[("catalog.yaml", &catalog("p"))]);
    for (name, text) in texts {
        let windows = text.replace('\n', "\r\n");
        let big_endian: Vec<u8> = utf_16(&windows).chunks(2).flat_map(|unit| [unit[1], unit[0]]).collect();
        for (form, bytes) in [
            ("utf8", text.as_bytes().to_vec()),
            ("mark", format!("\u{feff}{windows}").into_bytes()),
            ("le", utf_16(&windows)),
            ("be", big_endian),
        ] {
            std::fs::write(folder.join(format!("{name}.{form}")), bytes).expect("a file can be written");
        }
    }
    for command in [
        "list packages.FORM",
        "template template.FORM --catalog c=catalog.yaml",
        "crd crd.FORM crd.FORM",
        "compare catalog.yaml --image-set image-set.FORM",
        "compare catalog.yaml catalog.yaml --levels levels.FORM",
        "cel properties.all(p,p.type=='t') --properties properties.FORM",
        "migrate --cluster cluster.FORM --catalog c=catalog.yaml",
    ] {
        let ended = |form| opscope(command.replace("FORM", form).split(' ')).within(&folder).ended();
        let plain = ended("utf8");
        assert!(!plain.errors.contains("cannot read"), "{plain:?}");
        for form in ["mark", "le", "be"] {
            let found = ended(form);
            let named = |text: &str| text.replace(&format!(".{form}"), ".utf8");
            assert_eq!(
                (named(&found.out), named(&found.errors), found.code),
                plain.clone().parts(),
                "{command} {form}"
            );
        }
    }
    let input = std::fs::read(folder.join("packages.le")).expect("it was written");
    let piped = opscope(["list", "-"]).input(input).ended();
    assert_eq!((piped.out, piped.code), (opscope(["list", "packages.utf8"]).within(&folder).ended().out, 0));
}

#[test]
fn of_a_must_gather_only_the_files_that_cannot_be_read_fail() {
    let folder = folder("half-gathered");
    let [source, subscription] = [0, 1].map(|at| CLUSTER.split("---\n").nth(at).expect("there are two objects"));
    let below = "gather/namespaces/ns/operators.coreos.com";
    let path = |name: &str| format!("{below}/{name}.yaml");
    write(
        &folder,
        &[
            ("catalog.yaml", &catalog("p")),
            ("gather/namespaces/olm/operators.coreos.com/catalogsources/c.yaml", source),
            (&path("subscriptions/s"), subscription),
            (&path("subscriptions/broken"), "kind: ["),
        ],
    );
    std::fs::write(folder.join(path("subscriptions/binary")), b"\0\xff").expect("a file can be written");
    let ended = opscope("resolve --cluster gather --catalog c=catalog.yaml".split(' ')).within(&folder).ended();
    assert!(ended.out.starts_with("✓ s → 1.1.0") && ended.code == 2, "{ended:?}");
    for name in ["subscriptions/broken", "subscriptions/binary"] {
        assert!(ended.errors.contains(&format!("cannot read `{}`: ", path(name))), "{ended:?}");
    }
    assert!(ended.errors.contains("these files were not read completely"), "{ended:?}");
}

#[cfg(unix)]
fn folder_inside(name: &str) -> PathBuf {
    let folder = folder(name);
    std::fs::create_dir_all(folder.join("catalog/inside")).expect("a folder can be made");
    folder
}

#[cfg(unix)]
#[test]
fn links_out_of_a_folder_are_not_followed() {
    use std::os::unix::fs::symlink;
    let folder = folder_inside("links");
    let catalog = folder.join("catalog");
    std::fs::create_dir_all(folder.join("secret")).expect("a folder can be made");
    std::fs::write(folder.join("secret").join("key.yaml"), "schema: [secret\n").expect("a file can be written");
    std::fs::write(catalog.join("inside").join("a.yaml"), "schema: custom\nname: a\nname: b\n")
        .expect("a file can be written");
    symlink("inside/a.yaml", catalog.join("b.yaml")).expect("a link can be made");
    symlink("../secret/key.yaml", catalog.join("file.yaml")).expect("a link can be made");
    symlink("../secret", catalog.join("folder")).expect("a link can be made");
    symlink("folder/key.yaml", catalog.join("through.yaml")).expect("a link can be made");
    symlink("catalog", folder.join("named")).expect("a link can be made");
    for given in [&catalog, &folder.join("named")] {
        let Ended { out: text, code, .. } =
            opscope(["validate".as_ref(), given.as_os_str(), "--format".as_ref(), "json".as_ref()]).ended();
        let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let refused: BTreeSet<&str> = report["findings"]
            .as_array()
            .expect("a list")
            .iter()
            .filter(|finding| {
                finding["message"].as_str().is_some_and(|message| message.contains("symbolic link out of the folder"))
            })
            .filter_map(|finding| finding["file"].as_str()?.rsplit('/').next())
            .collect();
        assert_eq!(refused, BTreeSet::from(["file.yaml", "folder", "through.yaml"]), "{text}");
        assert!(text.contains("b.yaml") && !text.contains("secret"), "{text}");
        assert_eq!((&report["valid"], report["unread"].as_array().map(Vec::len), code), (&false.into(), Some(3), 2));
    }
}

#[cfg(unix)]
#[test]
fn what_was_not_read_is_not_called_valid() {
    let folder = folder_inside("unread").join("catalog");
    let path = folder.to_str().expect("a path that is text");
    std::fs::write(folder.join("inside").join("a.yaml"), "schema: custom\n").expect("a file can be written");
    std::os::unix::fs::symlink("gone.yaml", folder.join("b.yaml")).expect("a link can be made");
    let Ended { out: text, errors: said, code } = opscope(["validate", path]).ended();
    assert_eq!((code, opscope(["validate", path, "--rule", "invalid-name"]).ended().code), (2, 2));
    assert!(text.ends_with("\nunknown for the newest opm: 0 packages, 1 error, 0 warnings, 0 hints\n"), "{text}");
    let unread = format!(
        "opscope: nobody knows whether opm accepts the catalog, because these files were not read completely: `{path}/b.yaml`\n"
    );
    assert_eq!(said, unread);
    // What was read is enough to know that opm rejects the catalog.
    write(&folder, &[("c.yaml", &fixture::yaml("c: 1.0.0, 1.1.0"))]);
    let Ended { out: text, code, .. } = opscope(["validate", path]).ended();
    assert!(text.contains("\ninvalid for the newest opm: 1 package, ") && code == 1, "{text}");
}

/// The files are large enough to be read by several threads, and to be cut into parts.
#[test]
fn threads_do_not_change_the_answer() {
    let comment = "x".repeat(2000);
    let bundle = |at: usize| format!("---\n# {comment}\nschema: olm.bundle\nname: a.v{at}\npackage: a\nunknown: x\n");
    let text =
        |package: &str| format!("schema: olm.package\nname: {package}\n") + &(0..800).map(bundle).collect::<String>();
    let files = [("a.yaml", text("a")), ("b.yaml", text("b") + "--- x\nbroken: [\n")];
    let folder = folder("threads");
    write(&folder, &files.each_ref().map(|(path, text)| (*path, text.as_str())));
    let with = |threads: &str| {
        let run = opscope(["validate", "a.yaml", "b.yaml"]).within(&folder).env("RAYON_NUM_THREADS", threads);
        run.ended().out
    };
    let alone = with("1");
    assert!(alone.len() > 100_000 && alone == with("3"));
}

#[test]
fn a_binary_file_is_a_finding() {
    let path = file("binary", [0, 159, 146, 150]);
    let Ended { out: text, code, .. } = opscope(["validate".as_ref(), path.as_os_str()]).ended();
    assert!(text.starts_with("error[unreadable-file]: "), "{text}");
    assert_eq!(code, 1);
}
