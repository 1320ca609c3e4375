//! Names of others on the screen: no command lets them move the cursor, turn the direction of writing, begin a line, be markup
//! or command the runner of GitHub Actions.

use crate::command::{Ended, folder, opscope, write};
use std::path::Path;

/// What follows a harmless letter in all names: a line break with a workflow command, escape sequences in one byte and in two,
/// a bell, a carriage return, an override of the direction, and markup.
const HOSTILE: &str = "x\n::stop-commands::y\x1b[2J\u{9b}1m\x07\r\u{202e}<img src=x> `<b>` https://a.example @b";

const CATALOG: &str = "schema: olm.package
name: NAME
defaultChannel: NAME
---
schema: olm.channel
package: NAME
name: NAME
entries:
- {name: v2NAME, replaces: v1NAME, skips: [noneNAME]}
- {name: v1NAME}
---
schema: olm.bundle
package: NAME
name: v1NAME
image: NAME
properties: [{type: olm.package, value: {packageName: NAME, version: 1.0.0}}, {type: olm.constraint, value: {failureMessage: NAME, package: {packageName: goneNAME, versionRange: '>=1.0.0'}}}]
---
schema: olm.bundle
package: NAME
name: v2NAME
image: NAME
properties: [{type: olm.package, value: {packageName: NAME, version: 2.0.0}}, {type: NAME, value: {x: NAME}}, {type: olm.package.required, value: {packageName: goneNAME, versionRange: '>=1.0.0'}}]
---
schema: olm.deprecations
package: NAME
entries: [{reference: {schema: olm.package}, message: NAME}, {reference: {schema: olm.bundle, name: v1NAME}, message: NAME}]
";

const CLUSTER: &str = "kind: CatalogSource
metadata: {name: NAME, namespace: NAME}
---
apiVersion: operators.coreos.com/v1
kind: OperatorGroup
metadata: {name: NAME, namespace: NAME}
---
kind: Subscription
metadata: {name: NAME, namespace: NAME}
spec: {name: NAME, channel: NAME, source: NAME, sourceNamespace: NAME, startingCSV: v1NAME}
---
apiVersion: olm.operatorframework.io/v1
kind: ClusterExtension
metadata: {name: NAME}
spec: {source: {sourceType: Catalog, catalog: {packageName: NAME, channels: [NAME]}}}
";

const PACKAGES: &str = r#"{"apiVersion": "v1", "kind": "List", "items": [
{"apiVersion": "packages.operators.coreos.com/v1", "kind": "PackageManifest", "metadata": {"name": NAME},
 "status": {"catalogSource": NAME, "catalogSourceNamespace": NAME, "catalogSourceDisplayName": NAME,
 "packageName": NAME, "defaultChannel": NAME, "channels": [{"name": NAME, "currentCSV": NAME,
 "entries": [{"name": NAME, "version": NAME, "deprecation": {"message": NAME}}]}]}}, {"kind": "PackageManifest", "metadata": {"name": NAME}, "status": 5}]}"#;

const CRD: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: NAME}
spec:
  group: NAME
  names: {kind: NAME, plural: NAME}
  scope: Namespaced
  versions: [{name: VERSION, served: true, storage: true, schema: {openAPIV3Schema: {properties: {a: {type: TYPE, enum: [NAME]}}}}}]
";

/// Checks what a command printed: nothing moves the cursor, no line was begun by a name.
#[track_caller]
fn check_text(command: &str, text: &str) {
    let harmful = |c: char| c != '\n' && (c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c));
    assert!(!text.contains(harmful), "{command}: {text:?}");
    let is_begun = |line: &str| line.trim_start().starts_with("::stop-commands");
    assert!(!text.lines().any(is_begun), "{command}: {text}");
}

fn run(folder: &Path, arguments: &[&str]) -> Ended {
    let arguments: Vec<String> = arguments.iter().map(|text| text.replace("NAME", HOSTILE)).collect();
    opscope(arguments).within(folder).ended()
}

/// The files of this test. Each name in them is hostile, and so are the names of files.
fn files(name: &str) -> std::path::PathBuf {
    let folder = folder(name);
    // YAML takes no control characters as they are.
    let quoted = serde_json::to_string(HOSTILE).expect("a text is JSON");
    let quoted = quoted.replace('\u{9b}', "\\u009b").replace('\u{202e}', "\\u202e");
    let inner = quoted.trim_matches('"');
    let filled = |text: &str| {
        let text = text.replace("v1NAME", &format!("\"v1{inner}\"")).replace("v2NAME", &format!("\"v2{inner}\""));
        let text =
            text.replace("noneNAME", &format!("\"none{inner}\"")).replace("goneNAME", &format!("\"gone{inner}\""));
        text.replace("NAME", &quoted)
    };
    let (catalog, cluster) = (filled(CATALOG), filled(CLUSTER));
    let file = |end: &str| format!("{}{end}", HOSTILE.replace('/', "_"));
    let changed = catalog.replacen("replaces:", "skipRange: '<0.1.0', x:", 1);
    write(
        &folder,
        &[
            ("catalog.yaml", &catalog),
            ("changed.yaml", &changed),
            (&format!("folder/{}", file(".yaml")), &catalog),
            (&format!("folder/{}", file("-2.yaml")), "schema: [\n"),
            ("cluster.yaml", &cluster),
            ("broken.yaml", &cluster.replacen("metadata: {", "metadata: [{", 1)),
            ("packages.json", &PACKAGES.replace("NAME", &quoted)),
            ("old.yaml", &filled(CRD).replace("VERSION", "v1").replace("TYPE", "integer")),
            ("new.yaml", &filled(CRD).replace("VERSION", "v2").replace("TYPE", "string")),
            ("semver.yaml", &format!("schema: olm.semver\nstable: {{bundles: [{{image: {quoted}}}]}}\n")),
            (
                "mirror.yaml",
                &format!(
                    "apiVersion: mirror.openshift.io/v2alpha1\nkind: ImageSetConfiguration\nmirror:\n  operators:\n  - \
                     {{catalog: {quoted}, packages: [{{name: {quoted}}}, {{name: \"gone{inner}\"}}]}}\n"
                ),
            ),
            ("levels.yaml", &format!("{quoted}: off\n")),
        ],
    );
    folder
}

#[test]
fn no_command_prints_what_a_name_commands() {
    let folder = files("names");
    let cluster = ["--cluster", "cluster.yaml", "--catalog", "NAME=catalog.yaml"];
    let mut commands: Vec<Vec<&str>> = vec![
        vec!["validate", "catalog.yaml"],
        vec!["validate", "folder", "--format", "json"],
        vec!["validate", "folder", "--format", "sarif"],
        vec!["validate", "folder"],
        vec!["validate", "NAME"],
        vec!["render", "catalog.yaml"],
        vec!["render", "folder"],
        vec!["render", "catalog.yaml", "--image-set", "mirror.yaml"],
        vec!["graph", "catalog.yaml"],
        vec!["graph", "folder"],
        vec!["graph", "catalog.yaml", "--package", "NAMENAME"],
        vec!["graph", "catalog.yaml", "--format", "dot"],
        vec!["graph", "catalog.yaml", "--format", "json"],
        vec!["path", "NAME", "1.0.0", "2.0.0", "--catalog", "c=catalog.yaml"],
        vec!["path", "NAME", "NAME", "2.0.0", "--catalog", "c=catalog.yaml"],
        vec!["range", "NAME"],
        vec!["range", ">=1.0.0", "NAME"],
        vec!["cel", "NAME"],
        vec!["cel", "true", "--properties", "broken.yaml"],
        vec!["crd", "old.yaml", "new.yaml"],
        vec!["crd", "old.yaml", "new.yaml", "--format", "json"],
        vec!["crd", "old.yaml", "cluster.yaml"],
        vec!["explain-message", "no operators found in package NAME in the catalog referenced by subscription NAME"],
        vec!["explain-message", "--file", "cluster.yaml"],
        vec!["list", "packages.json"],
        vec!["list", "packages.json", "--format", "json"],
        vec!["template", "semver.yaml", "--catalog", "NAME=catalog.yaml"],
        vec!["template", "semver.yaml", "--catalog", "NAME=catalog.yaml", "--format", "json"],
        vec!["why", "NAME", "--cluster", "cluster.yaml"],
        vec!["resolve", "--cluster", "broken.yaml", "--catalog", "NAME=catalog.yaml"],
        vec!["resolve", "--cluster", "cluster.yaml", "--catalog", "otherNAME=catalog.yaml", "--catalog", "b=folder"],
        vec!["resolve", "--subscribe", "NAME/NAME", "--catalog", "catalog.yaml"],
        vec!["compare", "catalog.yaml", "changed.yaml", "--levels", "levels.yaml"],
        vec!["compare", "catalog.yaml", "changed.yaml", "--package", "NAMENAME"],
        vec!["man", "NAME"],
    ];
    for format in ["text", "json"] {
        commands.push([&["reach", "NAME", "--catalog", "c=catalog.yaml", "--format"], &[format][..]].concat());
        commands.push([&["resolve", "--format", format], &cluster[..]].concat());
        commands.push([&["migrate", "--format", format], &cluster[..]].concat());
    }
    commands.push([&["reach", "NAME", "--format", "markdown", "--catalog", "c=catalog.yaml"][..]].concat());
    commands.push([&["why", "NAME"], &cluster[..]].concat());
    commands.push([&["why", "NAME", "2.0.0"], &cluster[..]].concat());
    commands.push([&["why", "NAMENAME"], &cluster[..]].concat());
    for format in ["text", "json", "markdown", "sarif"] {
        for more in [&["changed.yaml"][..], &["folder"], &["--image-set", "mirror.yaml"]] {
            commands.push([&["compare", "catalog.yaml", "--runtime", "both", "--format", format], more].concat());
        }
    }
    let mut answers = 0;
    for command in &commands {
        let ended = run(&folder, command);
        let shown = command.join(" ");
        // A program reads what `render` prints: the bytes of `opm`.
        if command[0] != "render" {
            check_text(&shown, &ended.out);
        }
        check_text(&shown, &ended.errors);
        answers += usize::from(!ended.out.is_empty());
    }
    assert!(answers > commands.len() / 2, "{answers} of {}", commands.len());
}

#[test]
fn lines_of_an_answer_begin_as_they_should() {
    let folder = files("lines");
    let ended = run(&folder, &["list", "packages.json"]);
    assert!(
        ended.out.starts_with("CatalogSource x\\n::stop-commands::y\\u001b[2J\\u009b1m\\u0007\\r\\u202e<img"),
        "{ended:?}"
    );
    let ended = run(&folder, &["graph", "catalog.yaml", "--package", "NAMENAME"]);
    assert!(ended.errors.starts_with("opscope: no catalog has a package `x\\n::stop"), "{ended:?}");
    assert_eq!(ended.errors.lines().count(), 1);
    // What a line begins with is no name in a text, but a name is in the first column of a table.
    write(&folder, &[("table.json", &PACKAGES.replace("NAME", "\"::error::z\""))]);
    let ended = run(&folder, &["list", "table.json"]);
    assert!(ended.out.contains("\n:\\u003aerror::z"), "{ended:?}");
}

#[test]
fn workflow_commands_are_those_of_the_command() {
    let folder = files("workflow");
    for command in [
        &["validate", "folder", "--format", "github"][..],
        &["compare", "catalog.yaml", "changed.yaml", "--runtime", "both", "--format", "github"],
        &["compare", "catalog.yaml", "--image-set", "mirror.yaml", "--format", "github"],
    ] {
        let ended = run(&folder, command);
        check_text(&command.join(" "), &ended.out);
        check_text(&command.join(" "), &ended.errors);
        let is_own = |line: &str| ["::error ", "::warning ", "::notice "].iter().any(|own| line.starts_with(own));
        assert!(!ended.out.is_empty() && ended.out.lines().all(is_own), "{ended:?}");
    }
}

#[test]
fn markdown_has_no_markup_of_names() {
    let folder = files("markup");
    for command in [
        &["reach", "NAME", "--catalog", "c=catalog.yaml", "--format", "markdown"][..],
        &["compare", "catalog.yaml", "changed.yaml", "--runtime", "both", "--format", "markdown"],
        &["compare", "catalog.yaml", "folder", "--format", "markdown"],
        &["compare", "catalog.yaml", "--image-set", "mirror.yaml", "--format", "markdown"],
    ] {
        let ended = run(&folder, command);
        // Code between backticks shows what it holds.
        let outside = |line: &str| line.replace("\\`", "").split('`').step_by(2).collect::<String>();
        let text: String = ended.out.lines().filter(|line| !line.starts_with("    n")).map(outside).collect();
        let is_markup = ["<img", "<b>", "https://", "@b"].iter().any(|markup| text.contains(markup));
        assert!(!ended.out.is_empty() && !is_markup, "{command:?}: {}", ended.out);
    }
}
