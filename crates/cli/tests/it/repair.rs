//! `opscope repair`: what it finds, how it writes it, and when there is nothing to find.

use crate::command::{Ended, folder, opscope, write};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// The head replaces and skips 1.1.0, whose own `skips` no longer count.
const SILENCED: &str = "c: 1.2.0 (replaces 1.1.0; skips 1.1.0), 1.1.0 (skips 1.0.0), 1.0.0";

/// Versions above the head.
const ROLLED_BACK: &str = "c: 1.2.0 (replaces 1.0.0), 1.0.0";

fn catalogs(name: &str) -> PathBuf {
    let folder = folder(name);
    let silenced = fixture::yaml(SILENCED);
    let files = [
        ("after/catalog.yaml", silenced.as_str()),
        ("before/catalog.yaml", &fixture::yaml("c: 1.1.0 (skips 1.0.0), 1.0.0")),
        ("windows/catalog.yaml", &silenced.replace('\n', "\r\n")),
        ("withdrawn.yaml", &fixture::yaml("c: 1.0.0")),
        ("head.yaml", &fixture::yaml(ROLLED_BACK)),
        ("other.yaml", &silenced.replace("defaultChannel: c", "defaultChannel: d")),
    ];
    write(&folder, &files);
    folder
}

fn run(folder: &Path, arguments: &str) -> Ended {
    opscope(arguments.split(' ')).within(folder).ended()
}

fn report(folder: &Path, arguments: &str) -> (Value, i32) {
    let ended = run(folder, &format!("repair {arguments} --format json"));
    let report: Value = serde_json::from_str(&ended.out).unwrap_or_else(|_| panic!("{ended:?}"));
    (report["packages"].clone(), ended.code)
}

#[test]
fn repairs_have_weights_edits_and_a_difference() {
    let folder = catalogs("repair-json");
    let (packages, code) = report(&folder, "after --since before");
    let [channel] = &packages.as_array().unwrap()[..] else { panic!("{packages}") };
    assert_eq!((&channel["stranded"], &channel["reason"], code), (&json!(["p.v1.0.0"]), &Value::Null, 0));
    let repair = |at: usize| &channel["fixes"][at]["repair"];
    let shown = |at: usize| {
        let edit = &repair(at)["edits"][0];
        let facts = ["edit", "entry", "value"].map(|field| edit[field].as_str().unwrap());
        (facts, edit["place"]["line"].as_u64().unwrap(), &repair(at)["weight"], &repair(at)["widening"])
    };
    assert_eq!(shown(0), (["range", "p.v1.2.0", ">=1.0.0 <1.2.0"], 10, &json!(1), &json!(1)));
    assert_eq!(shown(1), (["unskip", "p.v1.2.0", "p.v1.1.0"], 10, &json!(2), &json!(0)));
    let diff = repair(1)["diff"].as_str().unwrap();
    assert!(diff.starts_with("--- after/catalog.yaml\n+++ after/catalog.yaml\n@@ -"), "{diff}");
    assert!(
        diff.contains(
            "\n-- {name: p.v1.2.0, replaces: p.v1.1.0, skips: [p.v1.1.0]}\n+- {name: p.v1.2.0, replaces: p.v1.1.0}\n"
        ),
        "{diff}"
    );
}

#[test]
fn writing_changes_the_lines_concerned_and_nothing_is_left_to_repair() {
    let folder = catalogs("repair-write");
    for catalog in ["after", "windows"] {
        let path = folder.join(catalog).join("catalog.yaml");
        let before = fs::read_to_string(&path).unwrap();
        let Ended { errors, code, .. } = run(&folder, &format!("repair {catalog} --write"));
        assert_eq!((errors.as_str(), code), (&*format!("opscope: wrote `{catalog}/catalog.yaml`\n"), 0));
        let after = fs::read_to_string(&path).unwrap();
        let range = "skips: [p.v1.1.0], skipRange: '>=1.0.0 <1.2.0'}";
        assert_eq!(after, before.replacen("skips: [p.v1.1.0]}", range, 1));
        assert_eq!(run(&folder, &format!("validate {catalog}")).code, 0);
        let again = run(&folder, &format!("repair {catalog} --write"));
        assert_eq!(again.out, "Nothing to repair: every version reaches the head of its channel.\n");
        assert_eq!(fs::read_to_string(&path).unwrap(), after);
    }
}

#[test]
fn a_reason_says_why_there_is_no_repair() {
    let folder = catalogs("repair-reasons");
    let reason = |arguments: &str| {
        let (packages, code) = report(&folder, arguments);
        (packages[0]["reason"]["id"].as_str().map(str::to_owned), code)
    };
    assert_eq!(reason("withdrawn.yaml --since head.yaml"), (Some("head-withdrawn".to_owned()), 1));
    assert_eq!(reason("after --avoid 1.2.0"), (Some("head-avoided".to_owned()), 1));
    assert_eq!(reason("other.yaml"), (Some("rejected-otherwise".to_owned()), 1));
    let text = run(&folder, "repair withdrawn.yaml --since head.yaml").out;
    let expected = "p, channel `c`: 1 version does not reach the head: `p.v1.2.0`\n\
        ✕ `p.v1.2.0` is above `p.v1.0.0`, the head of the channel, and OLM must not go down (head-withdrawn)\n";
    assert!(text.starts_with(expected), "{text}");
}

/// Names of one version that differ in their case alone.
#[test]
fn a_version_that_is_that_of_the_head_is_not_above_it() {
    let folder = folder("repair-same-version");
    let before =
        fixture::yaml("c: p.v1.0.0, P.v1.0.0 (version 1.0.0)").replace("- name: P.v1.0.0", "- name: P.v1.0.0\n");
    let head = fixture::yaml("c: P.v1.0.0 (version 1.0.0)");
    write(&folder, &[("before.yaml", &fixture::yaml("c: p.v1.0.0")), ("both.yaml", &before), ("head.yaml", &head)]);
    let text = run(&folder, "repair head.yaml --since before.yaml").out;
    let expected = "p, channel `c`: 1 version does not reach the head: `p.v1.0.0`\n\
        ✕ `p.v1.0.0` has the same version as `P.v1.0.0`, the head of the channel, so an update would lead\n  nowhere (head-withdrawn)\n";
    assert!(text.starts_with(expected), "{text}");
}

#[test]
fn markdown_has_the_difference_in_a_fence() {
    let folder = catalogs("repair-markdown");
    let text = run(&folder, "repair after --since before --format markdown").out;
    assert!(text.starts_with("## Repairs\n\n### p, channel `c`: 1 version does not reach the head"), "{text}");
    assert!(text.contains("\n   ```diff\n   --- after/catalog.yaml\n"), "{text}");
    let nothing = run(&folder, "repair head.yaml --format markdown").out;
    assert_eq!(nothing, "## Repairs\n\nNothing to repair: every version reaches the head of its channel.\n");
}

#[test]
fn names_that_no_channel_has_are_no_answer() {
    let folder = catalogs("repair-names");
    for (arguments, expected) in [
        ("repair after --avoid 9.9.9", "opscope: no channel lists a version or CSV `9.9.9`\n"),
        ("repair after --package q", "opscope: no catalog has a package `q`\n"),
        ("repair - --since -", "opscope: standard input holds one of the states only\n"),
    ] {
        assert_eq!(run(&folder, arguments).parts(), (String::new(), expected.to_owned(), 2));
    }
    let Ended { errors, code, .. } = run(&folder, "repair after --package p --channel d");
    assert!(errors.starts_with("opscope: package `p` has no channel `d`") && code == 2, "{errors}");
}

#[test]
fn installed_versions_of_a_cluster_are_brought_to_the_head() {
    let folder = catalogs("repair-cluster");
    let cluster = "apiVersion: operators.coreos.com/v1alpha1\nkind: Subscription\nmetadata: {name: p, namespace: operators}\n\
        spec: {name: p, channel: c, source: community, sourceNamespace: olm}\nstatus: {installedCSV: p.v1.1.5}\n";
    write(&folder, &[("cluster.yaml", cluster)]);
    assert_eq!(report(&folder, "head.yaml"), (json!([]), 0));
    let (packages, code) = report(&folder, "head.yaml --cluster cluster.yaml");
    let first = &packages[0]["fixes"][0]["repair"]["edits"][0];
    assert_eq!((&packages[0]["stranded"], &first["value"], code), (&json!(["p.v1.1.5"]), &json!(">=1.1.5 <1.2.0"), 0));
}

#[test]
fn standard_input_is_repaired_and_not_written() {
    let folder = catalogs("repair-stdin");
    let run = |more: &[&str]| {
        let arguments = ["repair", "-"].iter().chain(more);
        opscope(arguments).within(&folder).input(fixture::yaml(SILENCED)).ended()
    };
    assert!(run(&[]).out.contains("--- <stdin>\n"), "{:?}", run(&[]));
    let Ended { errors, code, .. } = run(&["--write"]);
    assert!(errors.starts_with("opscope: cannot write `<stdin>`: it is standard input; ") && code == 2, "{errors}");
}

#[test]
fn the_entries_of_a_basic_template_are_edited_in_the_template() {
    let folder = catalogs("repair-template");
    let template = "schema: olm.template.basic\nentries:\n- schema: olm.package\n  name: p\n  defaultChannel: c\n- schema: olm.channel\n  \
                    package: p\n  name: c\n  entries:\n  - name: p.v1.2.0 # the head\n    replaces: p.v1.0.0\n  - name: p.v1.1.0\n    \
                    replaces: p.v1.0.0\n  - name: p.v1.0.0\n- schema: olm.bundle\n  image: quay.io/p:1.2.0\n";
    write(&folder, &[("template.yaml", template)]);
    let (packages, code) = report(&folder, "template.yaml");
    let repair = &packages[0]["fixes"][0]["repair"];
    let edit = &repair["edits"][0];
    let shown = (&repair["path"], &edit["text"], &edit["place"]["line"]);
    let expected = (&json!("template.yaml"), &json!("add `p.v1.1.0` to `skips` of `p.v1.2.0`"), &json!(10));
    assert_eq!((shown, code), (expected, 0), "{packages}");
    assert_eq!(run(&folder, "repair template.yaml --write").code, 0);
    let expected = template.replacen("    replaces: p.v1.0.0\n", "    replaces: p.v1.0.0\n    skips: [p.v1.1.0]\n", 1);
    assert_eq!(fs::read_to_string(folder.join("template.yaml")).unwrap(), expected);
    assert_eq!(report(&folder, "template.yaml"), (json!([]), 0));
}

/// Every command and format has the same edits for the stuck versions of the example, in the same order.
#[test]
fn all_commands_and_formats_have_the_same_repairs() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples");
    let catalog = "--catalog community=catalog";
    let commands = [
        "repair catalog".to_owned(),
        "repair catalog --since before".to_owned(),
        "repair catalog --format markdown".to_owned(),
        "compare before catalog".to_owned(),
        "compare before catalog --format markdown".to_owned(),
        "compare before catalog --format json".to_owned(),
        "compare before catalog --format sarif".to_owned(),
        "compare before catalog --format github".to_owned(),
        format!("reach clusterpulse --stuck {catalog}"),
        format!("reach clusterpulse --stuck {catalog} --format markdown"),
        format!("reach clusterpulse --stuck {catalog} --format json"),
        format!("path clusterpulse 0.2.1 0.3.0 {catalog}"),
        format!("resolve --cluster cluster.yaml {catalog}"),
    ];
    for command in commands {
        let ended = run(&examples, &command);
        // Lines are wrapped, and Markdown sets names in other marks.
        let text: String = ended
            .out
            .replace("\\", "")
            .replace("&gt;", ">")
            .replace("&lt;", "<")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        let place = |words: &str| text.find(words).unwrap_or_else(|| panic!("{command}: no {words} in {text}"));
        let range = place(">=0.1.1 <0.3.0");
        let unskip = place("out of `skips` of `clusterpulse.v0.3.0`");
        assert!(range < unskip && !text.contains(">=0.2.1 <0.3.0"), "{command}: {text}");
    }
}

/// A template with a channel in which 1.0.0 does not reach the head, and the catalog that it gives.
fn rendered(folder: &Path, version: &str) {
    let template = "schema: olm.template.basic\nentries:\n- {schema: olm.package, name: p, defaultChannel: c}\n- schema: olm.channel\n  package: p\n  \
                    name: c\n  entries:\n  # reviewed\n  - name: p.v1.2.0\n    skips: [p.v1.1.0]\n  - name: p.v1.1.0\n    replaces: p.v1.0.0\n  - name: p.v1.0.0\n";
    let images = ["1.2.0", "1.1.0", "1.0.0"].map(|tag| format!("- schema: olm.bundle\n  image: example.com/p:{tag}\n"));
    write(
        folder,
        &[
            (&*format!("{version}/catalog-template.yaml"), &*format!("{template}{}", images.concat())),
            (&*format!("{version}/Containerfile"), "FROM x\nCOPY catalog /configs\n"),
            (
                &*format!("{version}/catalog/p/catalog.yaml"),
                &fixture::yaml("c: 1.2.0 (skips 1.1.0), 1.1.0 (replaces 1.0.0), 1.0.0"),
            ),
        ],
    );
}

#[test]
fn the_template_of_a_rendered_catalog_is_repaired() {
    let folder = folder("repair-rendered-template");
    rendered(&folder, "v4.19");
    let read = |path: &str| fs::read_to_string(folder.join(path)).unwrap();
    let catalog = read("v4.19/catalog/p/catalog.yaml");
    let Ended { out, errors, code } = run(&folder, "repair v4.19 --write");
    assert_eq!((&*errors, code), ("opscope: wrote `v4.19/catalog-template.yaml`\n", 0), "{out}");
    let template = read("v4.19/catalog-template.yaml");
    assert!(template.contains("  # reviewed\n  - name: p.v1.2.0\n    skips: [p.v1.1.0, p.v1.0.0]\n"), "{template}");
    assert_eq!(read("v4.19/catalog/p/catalog.yaml"), catalog, "the next rendering writes it");
    assert!(run(&folder, "repair v4.19").out.starts_with("Nothing to repair"));
    // For a rendered catalog a notice names the template.
    let Ended { errors, .. } = run(&folder, "repair v4.19/catalog");
    assert!(errors.contains("is probably rendered from `v4.19/catalog-template.yaml`"), "{errors}");
}

#[test]
fn each_catalog_of_a_set_is_repaired_in_its_template() {
    let folder = folder("repair-set");
    rendered(&folder, "set/v4.19");
    rendered(&folder, "set/v4.20");
    write(&folder, &[("set/v4.21/catalog/p.yaml", &fixture::yaml("c: 1.2.0 (replaces 1.0.0), 1.0.0"))]);
    let Ended { out, code, .. } = run(&folder, "repair set");
    let heads = ["OpenShift 4.19 to 4.20\n", "OpenShift 4.21\n"].map(|title| out.find(title).expect(title));
    assert!(heads.is_sorted() && code == 0, "{out}");
    assert!(out.contains("set/v4.19/catalog-template.yaml:9") && !out.contains("v4.20/"), "{out}");
    assert_eq!(out.matches("Nothing to repair").count(), 1, "{out}");
    let ended = run(&folder, "repair set --format json");
    let found: Value = serde_json::from_str(&ended.out).unwrap_or_else(|_| panic!("{ended:?}"));
    let counts: Vec<_> = found["members"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["openshift"].clone(), one["packages"].as_array().unwrap().len()))
        .collect();
    assert_eq!(counts, [(json!(["4.19", "4.20"]), 1), (json!(["4.21"]), 0)]);
    // A version that only some of them have is avoided there.
    assert_eq!(run(&folder, "repair set --avoid 1.1.0").code, 0);
    assert!(run(&folder, "repair set --avoid 9.9.9").errors.contains("no channel lists a version or CSV `9.9.9`"));
    let Ended { errors, code, .. } = run(&folder, "repair set --write");
    let expected = ["4.19", "4.20"].map(|version| format!("opscope: wrote `set/v{version}/catalog-template.yaml`\n"));
    assert_eq!((errors, code), (expected.concat(), 0));
}

#[test]
fn a_set_is_compared_with_its_state_before_by_versions() {
    let folder = folder("repair-set-since");
    for (tree, text) in [
        ("new", "c: 1.2.0 (replaces 1.1.0; skips 1.1.0), 1.1.0 (skips 1.0.0), 1.0.0"),
        ("old", "c: 1.1.0 (skips 1.0.0), 1.0.0"),
    ] {
        write(
            &folder,
            &[
                (&*format!("{tree}/v4.19/p.yaml"), &fixture::yaml(text)),
                (&*format!("{tree}/v4.20/p.yaml"), &fixture::yaml("c: 1.1.0 (skips 1.0.0), 1.0.0")),
            ],
        );
    }
    let ended = run(&folder, "repair new --since old --format json");
    let found: Value = serde_json::from_str(&ended.out).unwrap_or_else(|_| panic!("{ended:?}"));
    let weights: Vec<_> = (found["members"][0]["packages"][0]["fixes"].as_array().unwrap().iter())
        .map(|fix| fix["repair"]["widening"].as_u64().unwrap())
        .collect();
    assert!(weights.contains(&0) && weights.contains(&1), "the updates before are known: {weights:?}");
    assert_eq!(found["members"][1]["packages"], json!([]));
}

#[test]
fn a_bundle_that_no_channel_lists_is_listed() {
    let folder = folder("repair-listed");
    let catalog = |channel: &str, bundles: &str| fixture::yaml(&format!("c: {channel}\n{bundles}"));
    for (name, text, edits) in [
        ("above", catalog("1.0.0", "bundle 1.1.0"), vec!["list `p.v1.1.0`, which replaces `p.v1.0.0`"]),
        (
            "below",
            catalog("1.2.0 (replaces 1.0.0), 1.0.0", "bundle 1.1.0"),
            vec![
                "list `p.v1.1.0`, which replaces `p.v1.0.0`; add `p.v1.1.0` to `skips` of `p.v1.2.0`",
                "list `p.v1.1.0`, which replaces `p.v1.0.0`; let `p.v1.2.0` replace `p.v1.1.0`",
            ],
        ),
        (
            "two",
            catalog("1.0.0", "bundle 1.1.0\nbundle 1.2.0"),
            vec!["list `p.v1.1.0`, which replaces `p.v1.0.0`; list `p.v1.2.0`, which replaces `p.v1.1.0`"],
        ),
    ] {
        let path = format!("{name}.yaml");
        write(&folder, &[(&*path, &text)]);
        let ended = run(&folder, &format!("repair {path} --format json"));
        let found: Value = serde_json::from_str(&ended.out).unwrap_or_else(|_| panic!("{ended:?}"));
        let [channel] = &found["packages"].as_array().unwrap()[..] else { panic!("{found}") };
        let texts: Vec<_> =
            channel["fixes"].as_array().unwrap().iter().map(|fix| fix["text"].as_str().unwrap()).collect();
        assert_eq!((texts, ended.code), (edits, 1), "{name}: opm rejects the catalog until it is written");
        assert_eq!(found["reason"]["id"], "rejected-otherwise");
        let Ended { errors, code, .. } = run(&folder, &format!("repair {path} --write"));
        assert_eq!((&*errors, code), (&*format!("opscope: wrote `{path}`\n"), 0));
        assert_eq!(run(&folder, &format!("validate {path}")).code, 0);
    }
    // What is wrong besides is not mended by that.
    let other = catalog("1.0.0", "bundle 1.1.0").replace("image: example.com/p:1.1.0", "image: ' '");
    write(&folder, &[("other.yaml", &other)]);
    let Ended { out, errors, code } = run(&folder, "repair other.yaml --write");
    assert!(errors.contains("nothing is written: opm rejects the catalog") && code == 2, "{out}{errors}");
}

#[test]
fn what_opm_alone_finds_stranded_is_updated() {
    let folder = folder("repair-opm-alone");
    let covered = "c: 1.1.1 (replaces 1.1.0; skips 1.1.0; skipRange >=1.0.0 <1.1.1), 1.1.0 (replaces 1.0.0), 1.0.0";
    let problem = |text: &str| {
        write(&folder, &[("c.yaml", &fixture::yaml(text))]);
        report(&folder, "c.yaml").0[0]["problem"].as_str().unwrap().to_owned()
    };
    assert_eq!(problem(covered), "`opm` finds `p.v1.0.0` stranded, though OLM v0 updates it to the head");
    assert_eq!(problem(&covered.replace(">=1.0.0", ">=1.0.1")), "1 version does not reach the head: `p.v1.0.0`");
    let both = covered.replace(">=1.0.0", ">=1.0.1").replace("1.1.0 (replaces 1.0.0)", "1.1.0 (replaces 1.0.1), 1.0.1");
    let both = both.replace("1.1.0 (replaces 1.0.1)", "1.1.0 (replaces 1.0.1; skips 1.0.0)");
    assert_eq!(
        problem(&both),
        "1 version does not reach the head: `p.v1.0.0`; `opm` finds `p.v1.0.1` stranded, though OLM v0 updates it to the head"
    );
}
