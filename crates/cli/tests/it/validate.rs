//! `opscope validate`: formats, filters, inputs and exit codes.

use crate::command::{self, Ended, opscope, write};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::PathBuf;

const HEADS: &str = "schema: olm.package
name: étcd
---
schema: olm.package
name: etcd
defaultChannel: stable
---
schema: olm.channel
package: etcd
name: stable
entries:
- {name: a}
- {name: b}
";

/// The bundles of the channel above.
const BUNDLES: &str = "---
schema: olm.bundle
package: etcd
name: a
image: example.com/etcd:1
properties:
- {type: olm.package, value: {packageName: etcd, version: 1.0.0}}
---
schema: olm.bundle
package: etcd
name: b
image: example.com/etcd:2
properties:
- {type: olm.package, value: {packageName: etcd, version: 2.0.0}}
";

/// Accepted by `opm`, but not free of warnings.
const WARNED: &str = "schema: custom\nname: a\nname: b\n";

fn file(name: &str, content: &str) -> String {
    command::file(name, content).to_str().expect("a path that is text").to_owned()
}

/// Standard output and exit code.
fn told(arguments: &[&str], input: &str) -> (String, i32) {
    let Ended { out, code, .. } = opscope([&["validate"], arguments].concat()).input(input).ended();
    (out, code)
}

#[test]
fn places_that_belong_together_are_shown_together() {
    let expected = "error[multiple-channel-heads]: channel `stable` has 2 heads: `a`, `b`
  --> <stdin>:10:7
   |
10 | name: stable
   |       ^^^^^^
11 | entries:
12 | - {name: a}
   |          - nothing replaces or skips `a`
13 | - {name: b}
   |          - nothing replaces or skips `b`
   |
   = help: let one of them replace or skip the others; a skipRange does not count
   = note: opm validate would say next: multiple channel heads found in graph: a, b

invalid: 2 packages, 1 error, 0 warnings, 0 hints
";
    assert_eq!(told(&["-", "--rule", "multiple-channel-heads"], HEADS), (expected.to_owned(), 1));
}

#[test]
fn since_when_opm_says_it() {
    let (text, _) = told(&["-", "--rule", "invalid-name"], HEADS);
    assert!(text.contains("= note: opm validate says (since v1.41.0): invalid package name \"étcd\": ["), "{text}");
    let (text, _) = told(&["-", "--rule", "invalid-name", "--format", "json"], HEADS);
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["findings"][0]["opm_since"], "v1.41.0");
}

#[test]
fn the_output_of_opm_validate_itself() {
    assert_eq!(told(&["-", "--format", "opm-yaml"], WARNED), ("passed: true\n\n".to_owned(), 0));
    assert_eq!(told(&["-", "--format", "opm-json"], WARNED), ("{\n  \"passed\": true\n}\n".to_owned(), 0));
    // Of several errors, the one at which opm stops.
    let text =
        "error:\n  message: |-\n    object '{\"name\":\"a\"}\n    ' is missing root schema field\npassed: false\n\n";
    let broken = format!("{HEADS}---\nname: a\n");
    assert_eq!(told(&["-", "--format", "opm-yaml"], &broken), (text.to_owned(), 1));
    // The tree of all errors.
    let heads = HEADS.replace("name: étcd\n---\nschema: olm.package\n", "");
    let tree = "error:\n  message: |-\n    invalid index:\n    └── invalid package \"etcd\":\n        └── invalid channel \"stable\":\n            └── multiple channel heads found in graph: a, b\npassed: false\n\n";
    assert_eq!(told(&["-", "--format", "opm-yaml"], &format!("{heads}{BUNDLES}")), (tree.to_owned(), 1));
}

#[test]
fn opm_validates_one_catalog_at_a_time() {
    let one = file("one.yaml", WARNED);
    let (out, errors, code) = opscope(["validate", &one, &one, "--format", "opm-json"]).ended().parts();
    assert_eq!((out.as_str(), code), ("", 2));
    assert!(errors.contains("opm validates one catalog at a time: give the path of one"), "{errors}");
}

#[test]
fn a_long_line_is_cut() {
    let text = format!("{{\"schema\":\"custom\",\"x\":\"{}\",\"name\":5}}", "é".repeat(5000));
    let (shown, code) = told(&["-"], &text);
    assert!(shown.lines().all(|line| line.chars().count() < 140), "{shown}");
    assert!(shown.contains(" --> <stdin>:1:5034\n") && shown.contains("ééé\",\"name\":5}\n"), "{shown}");
    assert_eq!(code, 1);
}

#[test]
fn what_moves_the_cursor_is_escaped() {
    let (shown, _) = told(&["-"], r#"{"schema":"olm.package","name":"a\u001b[2J"}"#);
    assert!(!shown.contains('\u{1b}') && shown.contains("\\u001b[2J"), "{shown}");
}

#[test]
fn what_follows_from_a_finding_is_a_note_of_it() {
    let text = "schema: olm.package\nname: p\ndefaultChannel: c\n---\nschema: olm.channel\npackage: p\nname: c\nentries:\n- {name: p.v2, replaces: p.v1}\n- {name: p.v1}\n";
    let (shown, _) = told(&["-"], text);
    assert!(shown.contains("note: 1 more finding follows from it"), "{shown}");
    assert!(!shown.contains("error[duplicate-version]"), "{shown}");
    let (json, _) = told(&["-", "--format", "json"], text);
    assert!(json.contains("duplicate-version"), "{json}");
}

#[test]
fn what_opm_prints_first_is_shown_once_and_what_it_would_print_next_is_marked() {
    let notes = |notation: &str| -> Vec<String> {
        let (shown, _) = told(&["-"], &fixture::yaml(notation));
        let notes = shown.lines().filter_map(|line| line.trim_start().strip_prefix("= note: opm validate "));
        notes.map(str::to_owned).collect()
    };
    // The text that opm prints is that of a finding which follows from the misspelt entry.
    let misspelt = notes("s1: sedge.v.1.3.0 (no bundle)\nbundle sedge.v1.3.0");
    let expected = [
        "says: package \"p\", bundle \"sedge.v1.3.0\" not found in any channel entries",
        "would say next: no olm.bundle blobs found in package \"p\" for olm.channel entries [sedge.v.1.3.0]",
    ];
    assert_eq!(misspelt, expected);
    let tree = notes("c: 1.0.0, 2.0.0\nd: 3.0.0, 4.0.0");
    assert_eq!(
        tree,
        [
            "says: multiple channel heads found in graph: p.v1.0.0, p.v2.0.0",
            "also says: multiple channel heads found in graph: p.v3.0.0, p.v4.0.0"
        ]
    );
    let text = fixture::yaml("c: 1.0.0, 2.0.0\nbundle 3.0.0");
    let (json, _) = told(&["-", "--format", "json"], &text);
    let report: Value = serde_json::from_str(&json).unwrap();
    let next = |rule: &str| {
        let found = report["findings"].as_array().unwrap().iter().find(|found| found["rule"] == rule).unwrap();
        found["opm_next"].as_bool()
    };
    assert_eq!((next("multiple-channel-heads"), next("bundle-in-no-channel")), (Some(true), None));
}

#[test]
fn warnings_can_be_denied() {
    let path = file("warned.yaml", WARNED);
    let (text, code) = told(&[&path], "");
    assert!(text.starts_with("warning[duplicate-key]: "), "{text}");
    assert!(text.ends_with("valid: 0 packages, 0 errors, 1 warning, 0 hints\n"), "{text}");
    assert_eq!(code, 0);
    assert_eq!(told(&[&path, "--deny", "warnings"], "").1, 1);
    assert_eq!(told(&[&path, "--deny", "warnings", "--rule", "invalid-name"], "").1, 0);
}

#[test]
fn several_paths_are_judged_together() {
    let (heads, warned) = (file("several-heads.yaml", HEADS), file("several-warned.yaml", WARNED));
    let (text, code) = told(&[&warned, &heads, "--format", "json"], "");
    let report: Value = serde_json::from_str(&text).unwrap();
    let files: std::collections::BTreeSet<&str> =
        report["findings"].as_array().unwrap().iter().filter_map(|finding| finding["file"].as_str()).collect();
    assert_eq!((files.into_iter().collect::<Vec<_>>(), code), (vec![heads.as_str(), warned.as_str()], 1));
}

/// Three kinds: an error that another one hides, several errors in one tree, and what only newer releases reject.
#[test]
fn what_opm_prints_is_in_all_formats() {
    let renamed = fixture::yaml("c: 1.0.0 <- 1.1.0 (no bundle)\nbundle 1.2.0");
    let tree = fixture::yaml("c: 1.0.0, 2.0.0\nd: 1.0.0, 2.0.0");
    let ranged = fixture::yaml("c: 2.0.0 (skipRange wrong)");
    for (text, opm, notes) in [
        (
            renamed,
            "1.73",
            &[
                "note: opm validate says: package \"p\", bundle \"p.v1.2.0\" not found in any channel entries",
                "note: opm validate would say next: no olm.bundle blobs found in package \"p\" for olm.channel entries [p.v1.1.0]",
            ][..],
        ),
        (
            tree,
            "1.73",
            &["note: opm validate says: multiple channel heads found", "note: opm validate also says: multiple"],
        ),
        (ranged, "1.60", &["note: opm validate rejects it since v1.69.0"]),
    ] {
        let (github, _) = told(&["-", "--format", "github", "--opm", opm], &text);
        let (sarif, _) = told(&["-", "--format", "sarif", "--opm", opm], &text);
        let (plain, _) = told(&["-", "--opm", opm], &text);
        let sarif: Value = serde_json::from_str(&sarif).unwrap();
        let results = sarif["runs"][0]["results"].as_array().unwrap();
        let sarif: String = results.iter().filter_map(|result| result["message"]["text"].as_str()).collect();
        for note in notes {
            let times =
                [&plain, &github, &sarif.replace(". Note: ", "\nnote: ")].map(|said| said.matches(note).count());
            assert_eq!(times, [1, 1, 1], "{note}: {plain}{github}{sarif}");
        }
    }
}

#[test]
fn workflow_commands() {
    let expected = "::warning file=<stdin>,line=3,endLine=3,col=1,endColumn=5,title=duplicate-key::the key `name` occurs twice; the last one wins%0Ahelp: remove one of them\n";
    assert_eq!(told(&["-", "--format", "github"], WARNED), (expected.to_owned(), 0));
}

#[test]
fn sarif() {
    let path = file("sarif 1.yaml", WARNED);
    let (text, code) = told(&[&path, "--format", "sarif"], "");
    let log: Value = serde_json::from_str(&text).unwrap();
    let run = &log["runs"][0];
    assert_eq!((&log["version"], &run["columnKind"], code), (&json!("2.1.0"), &json!("utf16CodeUnits"), 0));
    let uri = format!("file://{}", path.replace(' ', "%20"));
    let location = |line: u32| json!({"artifactLocation": {"uri": uri}, "region": {"startLine": line, "startColumn": 1, "endLine": line, "endColumn": 5}});
    let expected = json!([{
        "ruleId": "duplicate-key", "ruleIndex": 0, "level": "warning",
        "message": {"text": "the key `name` occurs twice; the last one wins. Help: remove one of them"},
        "locations": [{"physicalLocation": location(3)}],
        "relatedLocations": [{"physicalLocation": location(2), "message": {"text": "this one is ignored"}}],
    }]);
    assert_eq!(run["results"], expected);
    let rule = &run["tool"]["driver"]["rules"][0];
    assert_eq!(rule["id"], "duplicate-key");
    assert!(rule["help"]["markdown"].as_str().unwrap().contains("## Fails\n\n```yaml\n"), "{rule}");
}

#[test]
fn an_unknown_rule_is_no_answer() {
    let Ended { errors, code, .. } = opscope(["validate", "-", "--rule", "nope"]).ended();
    assert_eq!(code, 2);
    assert!(errors.contains("invalid value 'nope' for '--rule <RULE>'"), "{errors}");
}

/// What the schema of SARIF 2.1.0 asks of the parts that we write.
#[test]
fn sarif_keeps_to_its_schema() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("sarif-schema");
    std::fs::create_dir_all(folder.join("é #1")).unwrap();
    let broken =
        "schema: olm.channel\npackage: p\nname: c\nentries: [{name: p.v1, skips: [p.v1]}, {name: p.v1}]\n---\nx: [\n";
    for (name, text) in [("é #1/a b.yaml", WARNED), ("broken.yaml", broken), ("empty.yaml", "")] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let run = opscope(["validate", "sarif-schema", "--format", "sarif"]).within(env!("CARGO_TARGET_TMPDIR").as_ref());
    let log: Value = serde_json::from_str(&run.ended().out).unwrap();
    let levels = [json!("error"), json!("warning"), json!("note")];
    let is_text = |text: &Value| text.as_str().is_some_and(|text| !text.is_empty());
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    for rule in rules {
        assert!(
            ["shortDescription", "fullDescription", "help"].iter().all(|text| is_text(&rule[text]["text"])),
            "{rule}"
        );
        assert!(levels.contains(&rule["defaultConfiguration"]["level"]), "{rule}");
    }
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert!(results.len() > 4, "{results:?}");
    let mut uris = BTreeSet::new();
    for result in results {
        assert_eq!(rules[result["ruleIndex"].as_u64().unwrap() as usize]["id"], result["ruleId"]);
        assert!(levels.contains(&result["level"]) && is_text(&result["message"]["text"]), "{result}");
        let related = result["relatedLocations"].as_array().cloned().unwrap_or_default();
        let distinct: BTreeSet<String> = related.iter().map(Value::to_string).collect();
        assert_eq!(distinct.len(), related.len(), "each of them once");
        for location in result["locations"].as_array().unwrap().iter().chain(&related) {
            let place = &location["physicalLocation"];
            let number = |name: &str| place["region"][name].as_u64().unwrap();
            let start = (number("startLine"), number("startColumn"));
            let end = (number("endLine"), number("endColumn"));
            assert!(start >= (1, 1) && start.1 >= 1 && end.1 >= 1 && start <= end, "{place}");
            uris.insert(place["artifactLocation"]["uri"].as_str().unwrap().to_owned());
        }
    }
    let expected = ["broken.yaml", "empty.yaml", "%C3%A9%20%231/a%20b.yaml"].map(|path| format!("sarif-schema/{path}"));
    assert_eq!(uris, BTreeSet::from(expected));
}

/// A folder of its own for a test.
#[cfg(unix)]
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    drop(std::fs::remove_dir_all(&folder));
    std::fs::create_dir_all(folder.join("catalog").join("inside")).expect("the folder for tests can be written to");
    folder
}

#[cfg(unix)]
#[test]
fn links_out_of_a_folder_are_not_followed() {
    use std::os::unix::fs::symlink;
    let folder = folder("links");
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
        let (text, code) = told(&[given.to_str().expect("a path that is text"), "--format", "json"], "");
        let report: Value = serde_json::from_str(&text).expect("JSON");
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
        assert_eq!(
            (&report["valid"], report["unread"].as_array().map(Vec::len), code),
            (&Value::from(false), Some(3), 2)
        );
    }
}

#[cfg(unix)]
#[test]
fn what_was_not_read_is_not_called_valid() {
    let folder = folder("unread").join("catalog");
    let path = folder.to_str().expect("a path that is text");
    std::fs::write(folder.join("inside").join("a.yaml"), "schema: custom\n").expect("a file can be written");
    std::os::unix::fs::symlink("gone.yaml", folder.join("b.yaml")).expect("a link can be made");
    let Ended { out: text, errors: said, code } = opscope(["validate", path]).ended();
    assert_eq!((code, told(&[path, "--rule", "invalid-name"], "").1), (2, 2));
    assert!(text.ends_with("\nunknown: 0 packages, 1 error, 0 warnings, 0 hints\n"), "{text}");
    let unread = format!(
        "opscope: nobody knows whether opm accepts the catalog, because these files were not read completely: `{path}/b.yaml`\n"
    );
    assert_eq!(said, unread);
    // What was read is enough to know that opm rejects the catalog.
    std::fs::write(folder.join("c.yaml"), HEADS).expect("a file can be written");
    let (text, code) = told(&[path], "");
    assert!(text.contains("\ninvalid: 2 packages, ") && code == 1, "{text}");
}

/// The files are large enough to be read by several threads, and to be cut into parts.
#[test]
fn threads_do_not_change_the_answer() {
    let comment = "x".repeat(2000);
    let bundle = |at: usize| format!("---\n# {comment}\nschema: olm.bundle\nname: a.v{at}\npackage: a\nunknown: x\n");
    let text =
        |package: &str| format!("schema: olm.package\nname: {package}\n") + &(0..800).map(bundle).collect::<String>();
    let paths = [file("threads-a.yaml", &text("a")), file("threads-b.yaml", &(text("b") + "--- x\nbroken: [\n"))];
    let with =
        |threads: &str| opscope(["validate", &paths[0], &paths[1]]).env("RAYON_NUM_THREADS", threads).ended().out;
    let alone = with("1");
    assert!(alone.len() > 100_000 && alone == with("3"));
}

/// What came and what went: a chain that ends at skipped entries, versions that are unique, a cycle through skipped entries.
#[test]
fn a_release_of_opm_can_be_chosen() {
    let folder = command::folder("opm-version");
    let stranded = fixture::yaml("c: 1.0.0 <- 2.0.0 <- 3.0.0 (skips 2.0.0)");
    let cycle = fixture::yaml("c: 1.0.0 (replaces 2.0.0) <- 2.0.0 <- 3.0.0 (skips 1.0.0, 2.0.0)");
    let deprecated = fixture::yaml("c: 1.0.0") + "---\nschema: olm.deprecations\npackage: p\nentries:\n- {message: m, reference: {schema: olm.bundle, name: gone}}
";
    write(&folder, &[("stranded.yaml", &stranded), ("cycle.yaml", &cycle), ("deprecated.yaml", &deprecated)]);
    let run = |file: &str, opm: &str| opscope(["validate", file, "--opm", opm]).within(&folder).ended();
    for (file, older, since) in [("stranded.yaml", "1.57", "v1.58.0"), ("deprecated.yaml", "v1.31.0", "v1.32.0")] {
        let (old, new) = (run(file, older), run(file, since));
        assert!(old.code == 0 && old.out.contains(&format!("opm validate rejects it since {since}\n")), "{old:?}");
        assert!(new.code == 1 && new.out.contains(&format!("opm validate says (since {since}): ")), "{new:?}");
    }
    let json = |opm: &str| {
        let ended = opscope(["validate", "cycle.yaml", "--format", "opm-json", "--opm", opm]).within(&folder).ended();
        (ended.code, ended.out.contains("detected cycle in replaces chain of upgrade graph"))
    };
    assert_eq!((json("1.57"), json("1.58")), ((1, true), (0, false)));
    assert_eq!(run("cycle.yaml", "1.25").code, 2);
}

/// A chain that ends at a skipped entry: opm rejects it since v1.58.0, and the skipRange of the head leads on.
#[test]
fn all_commands_that_judge_do_so_as_the_release_of_opm_that_is_named() {
    let text = fixture::yaml(
        "c: 1.1.1 (replaces 1.1.0; skips 1.1.0; skipRange >=1.0.0 <1.1.1), 1.1.0 (replaces 1.0.0), 1.0.0",
    );
    let folder = crate::command::folder("validate-opm");
    crate::command::write(
        &folder,
        &[
            ("old.yaml", &fixture::yaml("c: 1.1.0 (replaces 1.0.0), 1.0.0")),
            ("new.yaml", &text),
            ("set/v4.19/p.yaml", &text),
            ("set/v4.20/p.yaml", &text),
        ],
    );
    for command in [
        "validate new.yaml",
        "compare old.yaml new.yaml --deny breaking",
        "set set",
        "resolve --subscribe p/c@1.0.0 --catalog c=new.yaml",
        "deprecate new.yaml 1.0.0 --message old",
        "plan --from 4.19 --to 4.20 --catalogs set",
    ] {
        let code = |opm: &str| opscope(format!("{command}{opm}").split(' ')).within(&folder).ended().code;
        assert_eq!([code(""), code(" --opm 1.58"), code(" --opm 1.57")], [1, 1, 0], "{command}");
    }
    let repair = |opm: &str| opscope(format!("repair new.yaml{opm}").split(' ')).within(&folder).ended().out;
    assert!(repair("").contains("`opm` finds `p.v1.0.0` stranded"));
    assert!(repair(" --opm 1.57").starts_with("Nothing to repair"));
    let graph =
        |opm: &str| opscope(format!("graph new.yaml --format json{opm}").split(' ')).within(&folder).ended().out;
    assert!(graph("").contains("opm: 1 stranded") && !graph(" --opm 1.57").contains("opm: 1 stranded"));
}

/// Kubernetes, the highest OpenShift and the form of bundles, each for a version that minds and one that does not.
#[test]
fn a_version_of_openshift_has_checks_of_its_own() {
    let csv = "property olm.csv.metadata {displayName: P";
    for (bundle, rule, versions) in [
        (format!("{csv}, minKubeVersion: 1.31.0}}"), "member-min-kube", ["4.17", "4.18"]),
        (format!("{csv}}}; property olm.maxOpenShiftVersion '4.17'"), "member-max-ocp-below", ["4.18", "4.16"]),
        (format!("{csv}}}; property olm.bundle.object {{data: e30=}}"), "member-bundle-object", ["4.17", "4.16"]),
    ] {
        let text = fixture::yaml(&format!("c: 1.0.0 ({bundle})"));
        let found = |more: &[&str]| told(&[&["-", "--format", "json"], more].concat(), &text).0.contains(rule);
        assert!(!found(&[]), "{rule}");
        assert_eq!(versions.map(|version| found(&["--openshift", version])), [true, false], "{rule}");
    }
    let folder = command::folder("validate-openshift");
    let needs = fixture::yaml(&format!("c: 1.0.0 ({csv}, minKubeVersion: 1.31.0}})"));
    write(&folder, &[("v4.17/p.yaml", &needs), ("v4.18/p.yaml", &needs)]);
    let run = |version: &str| opscope(["validate", ".", "--openshift", version]).within(&folder).ended();
    assert!(run("4.17").out.contains("--> ./v4.17/p.yaml:14") && !run("4.18").out.contains("member-min-kube"));
    let none = run("4.19");
    assert_eq!((none.code, &*none.errors), (2, "opscope: `.` has no catalog for OpenShift 4.19\n"));
}

#[test]
fn checks_came_and_went_with_releases_of_opm() {
    let bundle =
        |more: &str| fixture::yaml("c: 1.0.0").replace("version: 1.0.0}}", &format!("version: 1.0.0}}}}\n{more}"));
    let deprecations =
        "---\nschema: olm.deprecations\npackage: p\nentries: [{reference: {schema: olm.package}, message: 1}]\n";
    let released = |release: &str| {
        fixture::yaml("c: 1.0.0").replace("version: 1.0.0}", &format!("version: 1.0.0, release: '{release}'}}"))
    };
    for (name, text, releases) in [
        ("metadata", bundle("- {type: olm.csv.metadata, value: {keywords: a}}"), ["1.27", "1.28"]),
        ("deprecations", fixture::yaml("c: 1.0.0") + deprecations, ["1.31", "1.32"]),
        ("release", released("1"), ["1.61", "1.62"]),
        ("a name that is no text", fixture::yaml("c: 1.0.0") + "---\nschema: custom\nname: 1\n", ["1.26", "1.27"]),
        ("spellings", fixture::yaml("c: 1.0.0") + "---\nschema: custom\nx: 1\nX: 2\n", ["1.27", "1.28"]),
        ("priority", bundle("- {type: olm.channel, value: {channelName: c, priority: high}}"), ["1.74", "1.73"]),
    ] {
        let code = |opm: &str| {
            let command = ["validate", "-", "--opm", opm];
            opscope(command).input(&*text).ended().code
        };
        assert_eq!(releases.map(code), [0, 1], "{name}");
    }
}
