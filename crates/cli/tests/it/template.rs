//! `opscope template`: what it prints and how it ends.

use crate::command::{Ended, file, opscope};
use serde_json::{Value, json};

const CATALOG: &str = "schema: olm.bundle
package: etcd
name: etcd.v1.0.0
image: quay.io/etcd:v1.0.0
properties: [{type: olm.package, value: {packageName: etcd, version: 1.0.0}}]
---
schema: olm.bundle
package: etcd
name: etcd.v1.1.0
image: quay.io/etcd:v1.1.0
properties: [{type: olm.package, value: {packageName: etcd, version: 1.1.0}}]
";

const TEMPLATE: &str = "schema: olm.semver
generateMajorChannels: true
stable:
  bundles:
  - image: quay.io/etcd:v1.1.0
  - image: quay.io/etcd:v1.0.0
";

/// Standard output, standard error and exit code.
fn told(template: &str, catalog: &str, more: &[&str]) -> (String, String, i32) {
    // Tests run side by side, each with files of its own.
    let unique = std::thread::current().name().unwrap_or_default().replace(':', "-");
    let template = file(&format!("{unique}-template.yaml"), template);
    let catalog = file(&format!("{unique}-catalog.yaml"), catalog);
    let (path, named) = (template.to_str().expect("a path that is text"), format!("etcd={}", catalog.display()));
    let Ended { out, errors, code } = opscope([&["template", path, "--catalog", &named], more].concat()).ended();
    (out, errors.replace(path, "template.yaml"), code)
}

fn summary(template: &str, catalog: &str) -> (Value, i32) {
    let (out, _, code) = told(template, catalog, &["--format", "summary"]);
    assert_eq!(told(template, catalog, &["--format", "json"]).0, out, "it has two names");
    (serde_json::from_str(&out).expect("the answer is JSON"), code)
}

const BASIC: &str = "schema: olm.template.basic
entries:
  - schema: olm.package # ours
    name: etcd
    defaultChannel: stable
  - schema: olm.channel
    package: etcd
    name: stable
    entries:
      - {name: etcd.v1.1.0, skipRange: '<1.1.0'}
  - schema: olm.bundle
    image: quay.io/etcd:v1.1.0
  - {schema: notes, package: etcd, text: \"a boat \\U0001F6A4\"}
";

/// What `opm` prints of `BASIC`.
const OF_BASIC: &str = r#"---
defaultChannel: stable
name: etcd
schema: olm.package
---
entries:
- name: etcd.v1.1.0
  skipRange: <1.1.0
name: stable
package: etcd
schema: olm.channel
---
image: quay.io/etcd:v1.1.0
name: etcd.v1.1.0
package: etcd
properties:
- type: olm.package
  value:
    packageName: etcd
    version: 1.1.0
schema: olm.bundle
---
package: etcd
schema: notes
text: "a boat \U0001F6A4"
"#;

#[test]
fn the_catalog_is_printed_as_opm_prints_it() {
    assert_eq!(told(BASIC, CATALOG, &[]), (OF_BASIC.to_owned(), String::new(), 0));
    // A catalog in JSON makes the same.
    let rows =
        CATALOG.split("---\n").map(|document| serde_yaml::from_str::<Value>(document).expect("YAML").to_string());
    assert_eq!(told(BASIC, &rows.collect::<String>(), &[]).0, OF_BASIC);
    let (yaml, ..) = told(TEMPLATE, CATALOG, &[]);
    let entries = "entries:\n- name: etcd.v1.0.0\n- name: etcd.v1.1.0\n  replaces: etcd.v1.0.0\nname: stable-v1\n";
    assert!(yaml.contains(entries) && yaml.ends_with("    version: 1.1.0\nschema: olm.bundle\n"), "{yaml}");
}

#[test]
fn the_catalog_is_printed_as_opms_json() {
    let (out, errors, code) = told(BASIC, CATALOG, &["--format", "opm-json"]);
    let package =
        "{\n    \"schema\": \"olm.package\",\n    \"name\": \"etcd\",\n    \"defaultChannel\": \"stable\"\n}\n{\n";
    let notes = "}\n{\n    \"package\": \"etcd\",\n    \"schema\": \"notes\",\n    \"text\": \"a boat \u{1f6a4}\"\n}\n";
    assert!(out.starts_with(package) && out.ends_with(notes), "{out}");
    assert_eq!((&*errors, code), ("", 0));
    // Both formats print the same documents as `render` does.
    let printed = file("template-printed.yaml", OF_BASIC);
    let rendered = opscope(["render", printed.to_str().expect("a path that is text")]).ended();
    assert_eq!(rendered.out, out);
}

/// The message for a text that is no template.
#[track_caller]
fn check_refused(arguments: &[&str], text: &str, place: &str, finding: &str, opm: &str) {
    let ended = opscope([&["template"], arguments].concat()).input(text).ended();
    let expected = format!("error[invalid-template]: {finding}\nnot expanded: {opm}\n");
    let errors = ended.errors.replace(&format!("  --> {place}\n"), "");
    assert_eq!((&*ended.out, &*errors, ended.code), ("", &*expected, 1), "{}", ended.errors);
}

#[test]
fn a_piece_of_a_catalog_is_no_template() {
    let graph = "---\nschema: olm.channel\nname: stable\npackage: etcd\nentries:\n  - name: etcd.v1.0.0\n---\nschema: olm.channel\n\
                 name: fast\npackage: etcd\nentries:\n  - name: etcd.v1.0.0\n";
    let help = "  help: put its documents into `entries:` of a basic template (`opm alpha convert-template basic`)";
    let piece = |schema: &str| {
        format!("the file is no template but a piece of a catalog: it begins with an `{schema}` document\n{help}")
    };
    let unknown = "auto-detecting template type: unknown template schema: ";
    check_refused(&[], graph, "<stdin>:2:9", &piece("olm.channel"), &format!("{unknown}olm.channel"));
    let bundle = CATALOG.lines().next().expect("a line");
    check_refused(&[], bundle, "<stdin>:1:9", &piece("olm.bundle"), &format!("{unknown}olm.bundle"));
    // Who names the type gets what opm says of it.
    let named = "template has unknown schema (\"olm.channel\"), should be \"olm.template.basic\"";
    check_refused(&["basic"], graph, "<stdin>:2:9", &piece("olm.channel"), named);
}

#[test]
fn a_text_without_a_field_of_a_template_is_none() {
    let help =
        "  help: write the schema of a template: `olm.template.basic`, `olm.semver` or `olm.template.substitutes`";
    let missing = "auto-detecting template type: template input missing required 'schema' field";
    let no_schema = format!("the document has no `schema`, and no field of a template\n{help}");
    check_refused(&[], "name: etcd\nversions: [1.0.0]\n", "<stdin>:1:1", &no_schema, missing);
    let composite = format!("`olm.composite` is not the schema of a template\n{help}");
    let unknown = "auto-detecting template type: unknown template schema: olm.composite";
    check_refused(&[], "schema: olm.composite\ncomponents: []\n", "<stdin>:1:9", &composite, unknown);
}

#[test]
fn the_summary_says_what_opm_would_make_of_it() {
    let expected = json!({
        "schema": "olm.semver",
        "package": "etcd",
        "defaultChannel": "stable-v1",
        "channels": [{"name": "stable-v1", "entries": [
            {"name": "etcd.v1.0.0"},
            {"name": "etcd.v1.1.0", "replaces": "etcd.v1.0.0"},
        ]}],
        "findings": [],
    });
    assert_eq!(summary(TEMPLATE, CATALOG), (expected, 0));
}

#[test]
fn a_missing_image_leaves_the_rest() {
    let first = CATALOG.split("---").next().expect("a text has a first part");
    let (answer, code) = summary(TEMPLATE, first);
    assert_eq!((&answer["needsRegistry"], code), (&json!(["quay.io/etcd:v1.1.0"]), 1));
    assert_eq!(answer["error"], "bundle image \"quay.io/etcd:v1.1.0\" not found");
    assert_eq!(answer["partial"][0]["channels"][0]["entries"], json!([{"name": "etcd.v1.0.0"}]));
    let (out, errors, code) = told(TEMPLATE, first, &[]);
    assert_eq!((out.matches("- name: etcd.v1").count(), code), (1, 1));
    let expected = "warning[needs-registry]: no loaded catalog has a bundle with the image `quay.io/etcd:v1.1.0`, and opm would \
                    ask its registry\n  --> template.yaml:5:12\n  help: load a catalog that has the bundles, or run `opm \
                    alpha render-template semver -o yaml FILE > catalog.yaml` and open the output\nincomplete: images that no catalog has: 1; `--pull` pulls them\n";
    assert_eq!(errors, expected);
}

#[test]
fn a_template_that_opm_rejects_prints_nothing() {
    let template = TEMPLATE.replace("generateMajorChannels", "generateMayorChannels");
    let (answer, code) = summary(&template, CATALOG);
    let opm = "render: unable to read file: error unmarshaling JSON: while decoding JSON: json: unknown field \
               \"generateMayorChannels\"";
    assert_eq!((&answer["error"], answer.get("channels"), code), (&json!(opm), None, 1));
    assert_eq!(answer["findings"][0]["line"], 2);
    let (out, errors, code) = told(&template, CATALOG, &[]);
    assert_eq!((&*out, errors.lines().last(), code), ("", Some(&*format!("not expanded: {opm}")), 1));
}

#[test]
fn a_basic_template_lists_its_packages() {
    let template = "schema: olm.template.basic\nentries:\n- {schema: olm.package, name: b}\n- {schema: olm.package, name: a, \
                    defaultChannel: x}\n- {schema: olm.channel, package: a, name: x, entries: [{name: z, skips: [q, p]}]}\n";
    let (answer, code) = summary(template, CATALOG);
    let expected = json!([
        {"package": "b", "defaultChannel": "", "channels": []},
        {"package": "a", "defaultChannel": "x", "channels": [{"name": "x", "entries": [{"name": "z", "skips": ["p", "q"]}]}]},
    ]);
    assert_eq!((&answer["packages"], code), (&expected, 0));
}

const REBUILT: &str = "schema: olm.bundle
package: etcd
name: etcd-v1.1.0-1
image: quay.io/etcd:v1.1.0-1
properties: [{type: olm.package, value: {packageName: etcd, version: 1.1.0, release: '1'}}]
";

/// A template in which the rebuilt bundle takes the place of the head.
fn substitutes() -> String {
    let mut template = "schema: olm.template.substitutes\nentries:\n- {schema: olm.package, name: etcd, defaultChannel: stable}\n- \
                        {schema: olm.channel, package: etcd, name: stable, entries: [{name: etcd.v1.1.0, replaces: etcd.v1.0.0}, \
                        {name: etcd.v1.0.0}]}\n"
        .to_owned();
    for document in CATALOG.split("---\n") {
        let lines =
            document.lines().enumerate().map(|(at, line)| format!("{}{line}\n", if at == 0 { "- " } else { "  " }));
        template.extend(lines);
    }
    template + "substitutions:\n- name: quay.io/etcd:v1.1.0-1\n  base: etcd.v1.1.0\n"
}

#[test]
fn a_substitutes_template_lists_channels_and_bundles() {
    let expected = json!({
        "schema": "olm.template.substitutes",
        "package": "etcd",
        "defaultChannel": "stable",
        "channels": [{"name": "stable", "entries": [
            {"name": "etcd-v1.1.0-1", "replaces": "etcd.v1.0.0", "skips": ["etcd.v1.1.0"]},
            {"name": "etcd.v1.0.0"},
            {"name": "etcd.v1.1.0"},
        ]}],
        "bundles": ["etcd-v1.1.0-1", "etcd.v1.0.0", "etcd.v1.1.0"],
        "findings": [],
    });
    assert_eq!(summary(&substitutes(), REBUILT), (expected, 0));
    let (answer, code) = summary(&substitutes(), CATALOG);
    let error = "render: error processing substitution \"etcd.v1.1.0\" -> \"quay.io/etcd:v1.1.0-1\": failed to render bundle image \
                 reference \"quay.io/etcd:v1.1.0-1\": no bundle with image \"quay.io/etcd:v1.1.0-1\"";
    assert_eq!((&answer["error"], code), (&json!(error), 1));
    assert_eq!(answer["needsRegistry"], json!(["quay.io/etcd:v1.1.0-1"]));
    let empty = json!({"schema": "olm.template.substitutes", "package": "", "defaultChannel": "", "channels": [], "bundles": [], "findings": []});
    assert_eq!(summary("schema: olm.template.substitutes\n", REBUILT), (empty, 0));
}

#[test]
fn a_type_is_named_as_in_opm() {
    let template = file("typed-template.yaml", substitutes().replace("substitutes\n", "substitute\n"));
    let path = template.to_str().expect("a path that is text");
    let answer = |arguments: &[&str], input: &str| -> Value {
        let arguments = [&["template"], arguments, &["--format", "summary"]].concat();
        let ended = opscope(&arguments).input(input).ended();
        serde_json::from_str(&ended.out).unwrap_or_else(|_| panic!("{arguments:?}: {}", ended.errors))
    };
    let unknown = "template has unknown schema (\"olm.template.substitute\"), should be";
    let told = answer(&[path], "");
    assert_eq!(told["error"], format!("{unknown} \"olm.template.basic\""));
    assert_eq!(
        told["detectionError"],
        "auto-detecting template type: unknown template schema: olm.template.substitute"
    );
    assert_eq!(told["findings"][0]["help"], "write `schema: olm.template.substitutes`");
    let named = format!("render: unable to parse template: {unknown} \"olm.template.substitutes\"");
    assert_eq!(answer(&["substitutes", path], "")["error"], named);
    // A single argument that is a type is no file.
    let told = answer(&["semver"], TEMPLATE);
    assert_eq!((&told["schema"], &told["needsRegistry"][0]), (&json!("olm.semver"), &json!("quay.io/etcd:v1.1.0")));
    assert_eq!(answer(&[], TEMPLATE)["schema"], "olm.semver");
    let wrong = opscope(["template", "substitute", path]).ended();
    let error = "opscope: invalid template type \"substitute\", must be one of: [basic semver substitutes]\n";
    assert_eq!((wrong.errors.as_str(), wrong.code), (error, 2));
}

#[test]
fn a_template_is_validated_as_the_catalog_that_it_expands_to() {
    let template = file("validated-template.yaml", substitutes());
    let rebuilt = REBUILT.to_owned()
        + "---\nschema: olm.package\nname: etcd\ndefaultChannel: nightly\n---\nschema: olm.channel\npackage: etcd\nname: nightly\nentries: \
           [{name: etcd-v1.1.0-1}]\n";
    let rebuilt = file("validated-rebuilt.yaml", rebuilt);
    let paths = [&template, &rebuilt].map(|path| path.to_str().expect("a path that is text"));
    let both = opscope(["validate", paths[0], paths[1]]).ended();
    assert_eq!((both.out.lines().last(), both.code), (Some("valid: 2 packages, 0 errors, 2 warnings, 0 hints"), 0));
    let alone = opscope(["validate", paths[0]]).ended();
    let why = "opscope: nobody knows whether opm accepts the catalog, because no given catalog has all images of its template\n";
    assert_eq!((alone.errors.as_str(), alone.code), (why, 2));
    let invalid = file("invalid-template.yaml", substitutes().replace("replaces: etcd.v1.0.0", "skipRange: x"));
    let invalid = opscope(["validate", invalid.to_str().expect("a path that is text"), "--format", "json"]).ended();
    assert!(invalid.out.contains("invalid-template.yaml\"") && !invalid.out.contains("(expanded)"), "{}", invalid.out);
    assert_eq!((invalid.out.contains("render: entries are not valid FBC: invalid index:"), invalid.code), (true, 1));
}

#[test]
fn a_file_that_is_not_there_is_no_answer() {
    assert_eq!(opscope(["template", "no-such-file"]).ended().code, 2);
}
