//! `olm.template.substitutes` templates: what the edges become, and what is wrong with the substitutions.

use crate::fixtures::{bundle, channels, expanded, reported};
use source::FileId;
use std::collections::BTreeSet;
use template::{Images, TemplateKind, expand_as};

/// A template of package `op`. A channel is `name: entries`, and an entry `version field=value`; `1.0.0` as a name is
/// `op.v1.0.0`. Every entry has a bundle. A substitution is `image base`.
fn template(described: &[&str], substitutions: &[&str]) -> String {
    let mut out =
        "schema: olm.template.substitutes\nentries:\n- {schema: olm.package, name: op, defaultChannel: stable}\n"
            .to_owned();
    let mut versions = BTreeSet::new();
    for channel in described {
        let (name, entries) = channel.split_once(": ").expect("a name and entries");
        out += &format!("- schema: olm.channel\n  package: op\n  name: {name}\n  entries:\n");
        for entry in entries.split("; ") {
            let (version, fields) = entry.split_once(' ').unwrap_or((entry, ""));
            versions.insert(version);
            out += &format!("  - {{name: op.v{version}");
            for (field, value) in fields.split(", ").filter_map(|field| field.split_once('=')) {
                out += &match field {
                    "replaces" => format!(", replaces: op.v{value}"),
                    "skips" => format!(", skips: [op.v{}]", value.replace(' ', ", op.v")),
                    _ => format!(", skipRange: '{value}'"),
                };
            }
            out += "}\n";
        }
    }
    for version in versions {
        out += &format!(
            "- {{schema: olm.bundle, package: op, name: op.v{version}, image: 'op:{version}', properties: [{{type: olm.package, \
             value: {{packageName: op, version: {version}}}}}]}}\n"
        );
    }
    out += "substitutions:\n";
    for substitution in substitutions {
        let (image, base) = substitution.split_once(' ').expect("an image and a base");
        out += &format!("- name: '{image}'\n  base: '{base}'\n");
    }
    out
}

/// A bundle `op-v<version>-<release>` with the image `op:<version>-<release>`.
fn rebuilt(version: &str, release: &str) -> String {
    let name = format!("op-v{version}-{release}");
    released(&name, version, release)
}

/// The same with another name.
fn released(name: &str, version: &str, release: &str) -> String {
    format!(
        "---\nschema: olm.bundle\nname: {name}\npackage: op\nimage: op:{version}-{release}\nproperties:\n- type: olm.package\n  \
         value: {{packageName: op, version: {version}, release: '{release}'}}\n"
    )
}

/// What becomes of the channels; `opm` accepts the result, and there are no findings.
#[track_caller]
fn check(described: &[&str], substitutions: &[&str], catalog: &str, expected: &[&str]) {
    let template = template(described, substitutions);
    let expansion = expanded(&template, catalog);
    assert_eq!(reported(&template, &expansion), ["accepted"]);
    assert_eq!(channels(&expansion), expected);
}

/// The findings, and what `opm` prints behind `render: `.
#[track_caller]
fn check_findings(template: &str, catalog: &str, expected: &[&str]) {
    assert_eq!(reported(template, &expanded(template, catalog)), expected);
}

const CHAIN: &str = "stable: 1.0.0; 1.1.0 replaces=1.0.0; 1.2.0 replaces=1.1.0";
/// The line on which the only substitution of a template with the channel [`CHAIN`] begins.
const AT: &str = "15:3";

#[test]
fn the_base_is_the_head() {
    check(
        &["stable: 1.0.0; 1.1.0 replaces=1.0.0"],
        &["op:1.1.0-1 op.v1.1.0"],
        &rebuilt("1.1.0", "1"),
        &["stable: 1.0.0, 1.1.0, op-v1.1.0-1 replaces 1.0.0 skips 1.1.0", "default stable"],
    );
}

#[test]
fn the_base_is_replaced() {
    check(
        &[CHAIN],
        &["op:1.1.0-1 op.v1.1.0"],
        &rebuilt("1.1.0", "1"),
        &[
            "stable: 1.0.0, 1.1.0, 1.2.0 replaces op-v1.1.0-1 skips 1.1.0, op-v1.1.0-1 replaces 1.0.0 skips 1.1.0",
            "default stable",
        ],
    );
}

#[test]
fn the_base_is_skipped_and_gets_no_update_any_more() {
    let template = template(
        &["stable: 1.0.0; 1.1.0 replaces=1.0.0; 1.2.0 replaces=1.0.0, skips=1.1.0"],
        &["op:1.1.0-1 op.v1.1.0"],
    );
    let warning = "15:3 stranding-substitution: OLM v0 does not update `op.v1.1.0` any more in channel `stable`: `op.v1.2.0`, which \
                   skips it, then skips its substitute, and OLM does not follow the edges of a skipped entry";
    let expansion = expanded(&template, &rebuilt("1.1.0", "1"));
    assert_eq!(reported(&template, &expansion), [warning, "accepted"]);
    let expected =
        "stable: 1.0.0, 1.1.0, 1.2.0 replaces 1.0.0 skips op-v1.1.0-1, op-v1.1.0-1 replaces 1.0.0 skips 1.1.0";
    assert_eq!(channels(&expansion), [expected, "default stable"]);
    let help = "give `op.v1.2.0` the skipRange `>=1.1.0 <1.2.0`, or write the entries without a substitution, and keep `op.v1.1.0` \
                in the `skips` of `op.v1.2.0`";
    assert_eq!(expansion.diagnostics[0].help.as_deref(), Some(help));
    // It is known before the bundle is.
    let before = expanded(&template, "");
    assert!(reported(&template, &before).contains(&warning.to_owned()));
}

#[test]
fn a_chain_of_skips() {
    let template = template(&["stable: 1.0.0; 1.1.0 skips=1.0.0; 1.2.0 skips=1.1.0"], &["op:1.1.0-1 op.v1.1.0"]);
    let expansion = expanded(&template, &rebuilt("1.1.0", "1"));
    let rules: Vec<_> = expansion.diagnostics.iter().map(|finding| finding.rule.id()).collect();
    assert_eq!(rules, ["stranding-substitution"]);
    let expected = "stable: 1.0.0, 1.1.0, 1.2.0 skips op-v1.1.0-1, op-v1.1.0-1 skips 1.0.0 1.1.0";
    assert_eq!(channels(&expansion), [expected, "default stable"]);
}

#[test]
fn a_skip_range_still_updates_the_skipped_base() {
    let entries = "stable: 1.0.0; 1.1.0 replaces=1.0.0; 1.2.0 replaces=1.0.0, skips=1.1.0, skipRange=>=1.1.0 <1.2.0";
    check(
        &[entries],
        &["op:1.1.0-1 op.v1.1.0"],
        &rebuilt("1.1.0", "1"),
        &[
            "stable: 1.0.0, 1.1.0, 1.2.0 replaces 1.0.0 skips op-v1.1.0-1 range >=1.1.0 <1.2.0, op-v1.1.0-1 replaces 1.0.0 skips \
             1.1.0",
            "default stable",
        ],
    );
}

#[test]
fn the_base_is_a_head_with_a_range_only() {
    check(
        &["stable: 1.1.0 skipRange=>=1.0.0 <1.1.0"],
        &["op:1.1.0-1 op.v1.1.0"],
        &rebuilt("1.1.0", "1"),
        &["stable: 1.1.0, op-v1.1.0-1 skips 1.1.0 range >=1.0.0 <1.1.0", "default stable"],
    );
}

#[test]
fn a_substitute_is_substituted_by_its_name() {
    check(
        &["stable: 1.0.0; 1.1.0 replaces=1.0.0"],
        &["op:1.1.0-1 op.v1.1.0", "op:1.1.0-2 op-v1.1.0-1"],
        &(rebuilt("1.1.0", "1") + &rebuilt("1.1.0", "2")),
        &["stable: 1.0.0, 1.1.0, op-v1.1.0-1, op-v1.1.0-2 replaces 1.0.0 skips 1.1.0 op-v1.1.0-1", "default stable"],
    );
}

#[test]
fn the_base_is_both_replaced_and_skipped() {
    check(
        &["stable: 1.1.0; 1.2.0 replaces=1.1.0, skips=1.1.0"],
        &["op:1.1.0-1 op.v1.1.0"],
        &rebuilt("1.1.0", "1"),
        &["stable: 1.1.0, 1.2.0 replaces op-v1.1.0-1 skips 1.1.0 1.1.0, op-v1.1.0-1 skips 1.1.0", "default stable"],
    );
    check_findings(
        &template(
            &["stable: 1.0.0; 1.1.0 replaces=1.0.0; 1.2.0 replaces=1.1.0, skips=1.1.0"],
            &["op:1.1.0-1 op.v1.1.0"],
        ),
        &rebuilt("1.1.0", "1"),
        &[
            "8:12 invalid-template: the entries are no valid catalog, so that opm substitutes nothing: `op.v1.0.0` is stranded in channel \
             `stable`: the `replaces` chain from `op.v1.2.0` does not reach it",
            "opm: render: entries are not valid FBC: invalid index:\n└── invalid package \"op\":\n    └── invalid channel \"stable\":\n        \
             └── channel contains one or more stranded bundles: op.v1.0.0",
        ],
    );
}

#[test]
fn each_channel_has_its_own_edges() {
    check(
        &["stable: 1.0.0; 1.1.0 replaces=1.0.0", "fast: 1.1.0; 1.2.0 replaces=1.1.0"],
        &["op:1.1.0-1 op.v1.1.0"],
        &rebuilt("1.1.0", "1"),
        &[
            "stable: 1.0.0, 1.1.0, op-v1.1.0-1 replaces 1.0.0 skips 1.1.0",
            "fast: 1.1.0, 1.2.0 replaces op-v1.1.0-1 skips 1.1.0, op-v1.1.0-1 skips 1.1.0",
            "default stable",
        ],
    );
}

#[test]
fn a_channel_may_only_name_the_base() {
    check(
        &["stable: 1.0.0; 1.1.0 replaces=1.0.0", "fast: 1.2.0 replaces=1.1.0"],
        &["op:1.1.0-1 op.v1.1.0"],
        &rebuilt("1.1.0", "1"),
        &[
            "stable: 1.0.0, 1.1.0, op-v1.1.0-1 replaces 1.0.0 skips 1.1.0",
            "fast: 1.2.0 replaces op-v1.1.0-1 skips 1.1.0",
            "default stable",
        ],
    );
    // A Subscription to this channel with the base is updated by its `skips` alone.
    let template =
        template(&["stable: 1.0.0; 1.1.0 replaces=1.0.0", "fast: 1.2.0 skips=1.1.0"], &["op:1.1.0-1 op.v1.1.0"]);
    let findings = reported(&template, &expanded(&template, &rebuilt("1.1.0", "1")));
    assert!(findings[0].contains("does not update `op.v1.1.0` any more in channel `fast`"), "{findings:?}");
}

/// The finding of one substitution in [`CHAIN`], and what `opm` prints about it.
#[track_caller]
fn check_error(substitution: &str, catalog: &str, message: &str, error: &str) {
    let (image, base) = substitution.split_once(' ').expect("an image and a base");
    let template = template(&[CHAIN], &[substitution]);
    let found = reported(&template, &expanded(&template, catalog));
    let opm = format!("opm: render: error processing substitution {base:?} -> {image:?}: {error}");
    assert_eq!(found, [format!("{AT} {message}"), opm]);
}

#[test]
fn errors_of_a_substitution() {
    check_error(
        " op.v1.1.0",
        "",
        "invalid-template: the substitution has no `name`",
        "substitution name cannot be empty",
    );
    check_error(
        "op:1.1.0-1 ",
        "",
        "invalid-template: the substitution has no `base`",
        "substitution base cannot be empty",
    );
    check_error(
        "op:1 op:1",
        "",
        "invalid-template: `name` and `base` are the same",
        "substitution name and base cannot be the same",
    );
    check_error(
        "op:1.1.0-1 op.v1.1.1",
        &rebuilt("1.1.0", "1"),
        "invalid-template: the entries have no bundle `op.v1.1.1`",
        "base bundle \"op.v1.1.1\" does not exist in catalog",
    );
    check_error(
        "op:1.1.0-1 op.v1.2.0",
        &rebuilt("1.1.0", "1"),
        "invalid-template: the substitute `op-v1.1.0-1` (`1.1.0`, release `1`) is not higher than `op.v1.2.0` (`1.2.0`)",
        "base bundle \"op.v1.2.0\" is not less than substitute bundle \"op:1.1.0-1\"",
    );
    check_error(
        "op:x op.v1.1.0",
        "schema: olm.bundle\nname: op.x\npackage: op\nimage: op:x\n",
        "invalid-template: the substitute `op.x` has no version: no \"olm.package\" property found for bundle \"op.x\"",
        "failed to get VersionRelease for substitute bundle \"op:x\": no \"olm.package\" property found for bundle \"op.x\"",
    );
    check_error(
        "op:1.1.0-1 op.v1.1.0",
        &released("op.v1.1.0-1", "1.1.0", "1"),
        "invalid-template: opm rejects the catalog with this substitution: a bundle with release `1` must be named `op-v1.1.0-1`",
        "resulting config is not valid FBC: invalid index:\n└── invalid package \"op\":\n    └── invalid channel \"stable\":\n        └── \
         invalid bundle \"op.v1.1.0-1\":\n            └── name \"op.v1.1.0-1\" does not match normalized name \"op-v1.1.0-1\"",
    );
    check_error(
        "op:1.1.0-1 op.v1.1.0",
        &rebuilt("1.1.0", "1").replace("package: op\n", "package: other\n"),
        "invalid-template: opm rejects the catalog with this substitution: package `other` is not declared, but named by 0 channels and 1 bundle",
        "resulting config is not valid FBC: unknown package \"other\" for bundle \"op-v1.1.0-1\"",
    );
}

#[test]
fn a_base_whose_build_metadata_is_no_release() {
    let csv = "{type: olm.csv.metadata, value: {annotations: {olm.substitutesFor: x}}}";
    let template = template(&["stable: 1.1.0+01"], &["op:1.1.0-1 op.v1.1.0+01"])
        .replace("op:1.1.0+01", "op:old")
        .replace("version: 1.1.0+01}}]", &format!("version: 1.1.0+01}}}}, {csv}]"));
    let error = "unable to convert build metadata to release for bundle \"op.v1.1.0+01\": invalid release \"01\": segment 0: Numeric \
                 PreRelease version must not contain leading zeroes \"01\"";
    check_findings(
        &template,
        &rebuilt("1.1.0", "1"),
        &[
            &format!("11:3 invalid-template: bundle `op.v1.1.0+01` has no version: {error}"),
            &format!(
                "opm: render: error processing substitution \"op.v1.1.0+01\" -> \"op:1.1.0-1\": failed to get VersionRelease for base \
                 bundle \"op.v1.1.0+01\": {error}"
            ),
        ],
    );
}

/// Whether a bundle of one version takes the place of another.
#[track_caller]
fn check_order(base: &str, substitute: &str, annotation: &str, is_higher: bool) {
    let csv = format!("- {{type: olm.csv.metadata, value: {{annotations: {{{annotation}}}}}}}\n");
    let template = template(&["stable: 1.0.0"], &["op:new op.v1.0.0"])
        .replace("version: 1.0.0}}]", &format!("version: {base}}}}}, {}]", csv.trim().trim_start_matches("- ")));
    let catalog = bundle("op", substitute, substitute)
        .replace(&format!("image: op:{}", substitute.replace('+', "_")), "image: op:new");
    let expansion = expanded(&template, &(catalog + &csv));
    let found = reported(&template, &expansion).pop().expect("the verdict is last");
    assert_eq!(found == "accepted", is_higher, "{base} {substitute}: {found}");
}

#[test]
fn a_substitute_must_be_higher() {
    check_order("1.0.0", "1.0.1", "", true);
    check_order("1.0.0", "1.0.0-1", "", false);
    check_order("1.0.0+1", "1.0.0+2", "", false);
    check_order("1.0.0+1", "1.0.0+2", "olm.substitutesFor: x", true);
    check_order("1.0.0+10", "1.0.0+9", "olm.substitutesFor: x", false);
    check_order("1.0.0+1", "1.0.0+2", "olm.substitutesFor: ''", false);
}

#[test]
fn a_base_and_a_substitute_are_used_once() {
    let catalog = rebuilt("1.1.0", "1") + &rebuilt("1.1.0", "2");
    check_findings(
        &template(&[CHAIN], &["op:1.1.0-1 op.v1.1.0", "op:1.1.0-2 op.v1.1.0"]),
        &catalog,
        &[
            "17:3 invalid-template: `op.v1.1.0` has a substitute already",
            "opm: render: cannot reuse the same substitution base \"op.v1.1.0\"",
        ],
    );
    check_findings(
        &template(&[CHAIN], &["op:1.1.0-1 op.v1.1.0", "op:1.1.0-1 op.v1.0.0"]),
        &catalog,
        &[
            "17:3 invalid-template: the bundle of `op:1.1.0-1` takes the place of `op.v1.1.0` already",
            "opm: render: cannot reuse the same substitution \"op:1.1.0-1\" for different bases (\"op.v1.1.0\" and \"op.v1.0.0\")",
        ],
    );
}

#[test]
fn what_follows_a_failed_substitution_is_done_all_the_same() {
    let template = template(&[CHAIN], &["op:1.1.0-1 op.v7.0.0", "op:1.2.0-1 op.v1.2.0"]);
    let expansion = expanded(&template, &(rebuilt("1.1.0", "1") + &rebuilt("1.2.0", "1")));
    assert_eq!(reported(&template, &expansion).len(), 2);
    assert_eq!(
        channels(&expansion),
        ["stable: 1.0.0, 1.1.0 replaces 1.0.0, 1.2.0, op-v1.2.0-1 replaces 1.1.0 skips 1.2.0", "default stable"]
    );
}

#[test]
fn an_unknown_image_needs_a_registry() {
    let template = template(&[CHAIN], &["op:1.1.0-1 op.v1.1.0", "op:1.1.0-2 op-v1.1.0-1"]);
    let expansion = expanded(&template, &rebuilt("1.1.0", "2"));
    let expected = [
        "15:9 needs-registry: no loaded catalog has a bundle with the image `op:1.1.0-1`, and opm would ask its registry",
        "needs a registry",
    ];
    assert_eq!(reported(&template, &expansion), expected);
    assert_eq!(channels(&expansion), ["stable: 1.0.0, 1.1.0 replaces 1.0.0, 1.2.0 replaces 1.1.0", "default stable"]);
}

#[test]
fn what_is_not_changed_stays_as_it_is_written() {
    let template = template(&["stable: 1.0.0", "fast: 1.1.0"], &["op:1.1.0-1 op.v1.1.0"])
        .replace("name: stable\n", "name: stable # ours\n")
        .replace("name: fast\n", "name: fast # lost\n  properties: [{type: t, value: 1}]\n");
    let yaml = expanded(&template, &rebuilt("1.1.0", "1")).catalog.unwrap().to_yaml();
    let (channels, bundles) = yaml.split_once("---\nschema: olm.bundle").unwrap_or_else(|| panic!("{yaml}"));
    let expected = "---\n{schema: olm.package, name: op, defaultChannel: stable}\n---\nentries:\n- name: op.v1.1.0\n- name: op-v1.1.0-1\n  \
                    skips:\n  - op.v1.1.0\nname: fast\npackage: op\nproperties:\n- type: t\n  value: 1\nschema: olm.channel\n---\nschema: \
                    olm.channel\npackage: op\nname: stable # ours\nentries:\n- {name: op.v1.0.0}\n";
    assert_eq!(channels, expected);
    assert!(bundles.starts_with("\nname: op-v1.1.0-1\n"), "{bundles}");
}

#[test]
fn without_substitutions_the_entries_are_the_result() {
    check(&[CHAIN], &[], "", &["stable: 1.0.0, 1.1.0 replaces 1.0.0, 1.2.0 replaces 1.1.0", "default stable"]);
    check_findings("schema: olm.template.substitutes\n", "", &["accepted"]);
}

#[test]
fn the_template_is_read_tolerantly() {
    let head = "schema: olm.template.substitutes\n";
    let unfit = "opm: render: unable to parse template: unmarshalling template: json: cannot unmarshal";
    let field = "into Go struct field";
    let wrong = "wrong-type: `substitutions` must be a list of mappings with the texts `name` and `base`";
    check_findings(
        &format!("{head}substitutions: {{name: a}}\n"),
        "",
        &[
            &format!("2:16 {wrong}"),
            &format!("{unfit} object {field} SubstitutesTemplateData.substitutions of type []substitutes.Substitute"),
        ],
    );
    check_findings(
        &format!("{head}substitutions:\n- a\n"),
        "",
        &[
            &format!("3:3 {wrong}"),
            &format!("{unfit} string {field} SubstitutesTemplateData.substitutions of type substitutes.Substitute"),
        ],
    );
    check_findings(
        &format!("{head}substitutions:\n- {{name: 5, base: b}}\n"),
        "",
        &[&format!("3:10 {wrong}"), &format!("{unfit} number {field} Substitute.substitutions.name of type string")],
    );
    check_findings(
        &format!("{head}entries: {{}}\n"),
        "",
        &[
            "2:10 wrong-type: `entries` must be a list of documents",
            &format!("{unfit} object {field} SubstitutesTemplateData.entries of type []*declcfg.Meta"),
        ],
    );
    check_findings(
        &format!("{head}x: 1\nSubstitutions:\n- null\n"),
        "",
        &[
            "2:1 unknown-field: an `olm.template.substitutes` template has no field `x`",
            "4:3 invalid-template: the substitution has no `name`",
            "opm: render: error processing substitution \"\" -> \"\": substitution name cannot be empty",
        ],
    );
    check_findings(
        &format!("{head}entries:\n- schema: olm.channel\n  entries: x\n"),
        "",
        &[
            "4:12 wrong-type: `entries` must be a list, found a text",
            "opm: render: unable to create declarative config from entries: parse channel: json: cannot unmarshal string into Go struct \
             field Channel.entries of type []declcfg.ChannelEntry",
        ],
    );
    check_findings(
        &format!("{head}x: [\n"),
        "",
        &[
            "3:1 broken-document: not valid YAML: did not find expected node content",
            "opm: render: unable to parse template: decoding template schema: error converting YAML to JSON: yaml: line 2: did not find \
             expected node content",
        ],
    );
}

#[test]
fn a_wrong_schema_is_corrected_by_the_fields() {
    let template = template(&[CHAIN], &["op:1.1.0-1 op.v1.1.0"]).replace("substitutes\n", "substitute\n");
    let expansion = expanded(&template, &rebuilt("1.1.0", "1"));
    let expected = [
        "1:9 invalid-template: `olm.template.substitute` is not the schema of templates with `entries`",
        "opm: template has unknown schema (\"olm.template.substitute\"), should be \"olm.template.basic\"",
    ];
    assert_eq!(reported(&template, &expansion), expected);
    assert_eq!(expansion.diagnostics[0].help.as_deref(), Some("write `schema: olm.template.substitutes`"));
    let named = expand_as(Some(TemplateKind::Substitutes), FileId(1), &template, &Images::default());
    let expected = "opm: render: unable to parse template: template has unknown schema (\"olm.template.substitute\"), should be \
                    \"olm.template.substitutes\"";
    assert_eq!(reported(&template, &named)[1], expected);
}

#[test]
fn a_template_of_another_type_than_the_named_one() {
    let template = template(&[CHAIN], &[]);
    let expansion = expand_as(Some(TemplateKind::Basic), FileId(1), &template, &Images::default());
    assert_eq!(expansion.diagnostics[0].help.as_deref(), Some("this is a template of the type `substitutes`"));
}
