//! `olm.template.basic` templates.

use crate::fixtures::{catalog, channels, expanded, reported};

const HEAD: &str = "schema: olm.template.basic\nentries:\n";

#[track_caller]
fn check_findings(template: &str, expected: &[&str]) {
    assert_eq!(reported(template, &expanded(template, &catalog("1.0.0 1.1.0"))), expected);
}

#[test]
fn images_become_bundles_and_the_rest_stays() {
    let template = format!(
        "{HEAD}  - schema: olm.bundle\n    image: op:1.1.0\n    name: not looked at\n  - schema: olm.package # ours\n    name: op\n    \
         defaultChannel: stable\n  - schema: olm.channel\n    package: op\n    name: stable\n    entries:\n    - {{name: op.v1.1.0, \
         skipRange: <1.1.0}}\n  - {{schema: custom, x: 1}}\n"
    );
    let expansion = expanded(&template, &catalog("1.0.0 1.1.0"));
    assert_eq!(reported(&template, &expansion), ["accepted"]);
    assert_eq!(channels(&expansion), ["stable: 1.1.0 range <1.1.0", "default stable"]);
    let yaml = expansion.catalog.unwrap().to_yaml();
    let expected = "---\nschema: olm.package # ours\nname: op\ndefaultChannel: stable\n---\nschema: olm.channel\npackage: op\nname: \
                    stable\nentries:\n- {name: op.v1.1.0, skipRange: <1.1.0}\n---\nschema: olm.bundle\nname: op.v1.1.0\npackage: \
                    op\nimage: op:1.1.0\nproperties:\n- type: olm.package\n  value:\n    packageName: op\n    version: \
                    \"1.1.0\"\n---\n{schema: custom, x: 1}\n";
    assert_eq!(yaml, expected);
}

#[test]
fn blanks_at_the_end_of_a_catalog_do_not_indent_what_follows() {
    let template = format!("{HEAD}- schema: olm.bundle\n  image: op:1.0.0\n- schema: custom\n");
    let bundle = "schema: olm.bundle\npackage: op\nname: op.v1.0.0\nimage: op:1.0.0\nproperties:\n ";
    let expanded = expanded(&template, bundle).catalog.unwrap();
    let yaml = expanded.to_yaml();
    let parse = fbc::parse(source::FileId(0), &yaml);
    assert_eq!((parse.docs.len(), parse.diagnostics.len()), (expanded.documents.len(), 0), "{yaml}");
}

#[test]
fn inlined_bundles_are_kept_though_opm_refuses_them() {
    let template = format!(
        "{HEAD}- schema: olm.bundle\n  name: op.v1.0.0\n  package: op\n  image: op:1.0.0\n- schema: olm.bundle\n  image: op:1.1.0\n"
    );
    let expansion = expanded(&template, &catalog("1.1.0"));
    let expected = [
        "5:12 invalid-template: a bundle in a template must have an `image` and nothing else: opm does not expand this one",
        "opm: unexpected fields present in basic template bundle",
    ];
    assert_eq!(reported(&template, &expansion), expected);
    let names: Vec<_> = expansion.catalog.unwrap().documents.into_iter().map(|document| document.name).collect();
    assert_eq!(names, ["op.v1.0.0".into(), Box::<str>::from("op.v1.1.0")]);
}

#[test]
fn unknown_images_are_reported_once() {
    let template =
        format!("{HEAD}- schema: olm.bundle\n  image: a\n- schema: olm.bundle\n  image: a\n- schema: olm.bundle\n");
    check_findings(
        &template,
        &[
            "4:10 needs-registry: no loaded catalog has a bundle with the image `a`, and opm would ask its registry",
            "7:3 invalid-template: the bundle has no `image`",
            "needs a registry",
        ],
    );
}

#[test]
fn what_opm_says_first_is_reported_first() {
    // How the entries are written goes before the schema, and that before what they say.
    let entries = "- schema: olm.channel\n  entries: x\n- null\n- name: a\n- schema: a\n  name: 5\n- x\n";
    let template = format!("schema: olm.basic\nentries:\n{entries}");
    let expected = [
        "8:9 wrong-type: `name` must be a text, found a number",
        "9:3 wrong-type: a document must be a mapping with a `schema`, found a text",
        "1:9 invalid-template: `olm.basic` is not the schema of templates with `entries`",
        "4:12 wrong-type: `entries` must be a list, found a text",
        "5:3 empty-document: an empty entry, on which opm crashes",
        "6:3 missing-field: the document has no `schema`",
        "opm: unmarshalling template: expected value for key \"name\" to be a string, got %!t(float64=5): 5",
    ];
    check_findings(&template, &expected);
    let opm = |template: &str| reported(template, &expanded(template, "")).pop().unwrap();
    let channel = "opm: parse channel: json: cannot unmarshal string into Go struct field Channel.entries of type []declcfg.ChannelEntry";
    assert_eq!(opm(&format!("{HEAD}- schema: olm.channel\n  entries: x\n- null\n")), channel);
    let object = "opm: object '{\"name\":\"a\"}\n' is missing root schema field";
    assert_eq!(opm(&format!("{HEAD}- name: a\n")), object);
}

#[test]
fn the_text_around_the_entries() {
    let wrong = "opm: template has unknown schema (\"\"), should be \"olm.template.basic\"";
    check_findings(
        "# ours\n---\nschema: olm.template.basic\nentries: []\n",
        &["1:1 empty-document: a document without content, which opm rejects", wrong],
    );
    check_findings("entries: []\n", &["1:1 invalid-template: the template has no `schema`", wrong]);
    check_findings(
        "schema: olm.template.basic\nentries: {}\nx: 1\n",
        &[
            "2:10 wrong-type: `entries` must be a list of documents",
            "3:1 unknown-field: an `olm.template.basic` template has no field `x`",
            "opm: unmarshalling template: json: cannot unmarshal object into Go struct field BasicTemplateData.entries of type \
         []*declcfg.Meta",
        ],
    );
    check_findings(
        "schema: olm.template.basic\nentries: [\n",
        &[
            "3:1 broken-document: not valid YAML: did not find expected node content",
            "opm: decoding template schema: error converting YAML to JSON: yaml: line 2: did not find expected node content",
        ],
    );
    check_findings(
        "schema: olm.template.basic\nx: [\n---\nschema: olm.template.basic\nentries: []\n",
        &[
            "3:1 broken-document: not valid YAML: did not find expected node content",
            "opm: decoding template schema: error converting YAML to JSON: yaml: line 2: did not find expected node content",
        ],
    );
    check_findings(
        "{\"schema\": \"olm.template.basic\", \"x\": \"\\ud83d\\ude00\"}",
        &["1:34 unknown-field: an `olm.template.basic` template has no field `x`", "accepted"],
    );
    check_findings("schema: olm.template.basic\nEntries:\n", &["accepted"]);
}

#[test]
fn of_two_spellings_of_a_key_one_is_read() {
    check_findings(
        "schema: olm.template.basic\nEntries: [x]\nentries:\n- {schema: olm.package, name: p}\n",
        &["2:1 duplicate-key: `Entries` and `entries` are one field, and `entries` is read", "accepted"],
    );
}
