//! `olm.semver` templates: channels, edges, the default channel, and what is wrong with them.

use crate::fixtures::{bundle, catalog, channels, expanded, reported};

/// `<archetype> <versions>` lines as a template; other lines stand as they are.
fn template(lines: &str) -> String {
    let mut out = "schema: olm.semver\n".to_owned();
    for line in lines.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match line.split_once(' ') {
            Some((archetype @ ("candidate" | "fast" | "stable"), versions)) => {
                out += &format!("{archetype}:\n  bundles:\n");
                versions.split(' ').for_each(|tag| out += &format!("  - image: op:{}\n", tag.replace('+', "_")));
            }
            _ => out += &format!("{line}\n"),
        }
    }
    out
}

const VERSIONS: &str = "0.0.0-alpha 0.0.0 1.0.0-rc.2 1.0.0-rc.10 1.0.0 1.0.1 1.0.1+b 1.1.0 1.1.1 1.10.0 1.3.0 \
                        2.0.0 3.0.0 bad";

#[track_caller]
fn check(lines: &str, expected: &[&str]) {
    let template = template(lines);
    let expansion = expanded(&template, &catalog(VERSIONS));
    assert_eq!(reported(&template, &expansion), ["accepted"]);
    assert_eq!(channels(&expansion), expected);
}

#[test]
fn minor_channels_link_into_each_other() {
    check(
        "stable 1.0.1 1.1.0 2.0.0 1.0.0 1.1.1",
        &[
            "stable-v1.0: 1.0.0, 1.0.1 skips 1.0.0",
            "stable-v1.1: 1.1.0, 1.1.1 replaces 1.0.1 skips 1.0.0 1.1.0",
            "stable-v2.0: 2.0.0",
            "default stable-v2.0",
        ],
    );
}

#[test]
fn major_channels_have_the_same_edges_in_one_channel() {
    check(
        "generateMajorChannels: true\nstable 1.0.0 1.0.1 1.1.0 1.1.1 2.0.0",
        &[
            "stable-v1: 1.0.0, 1.0.1 skips 1.0.0, 1.1.0, 1.1.1 replaces 1.0.1 skips 1.0.0 1.1.0",
            "stable-v2: 2.0.0",
            "default stable-v2",
        ],
    );
}

#[test]
fn a_missing_minor_version_is_stepped_over_and_numbers_are_numbers() {
    check(
        "generateMajorChannels: true\nfast 1.10.0 1.3.0 1.0.0",
        &["fast-v1: 1.0.0, 1.3.0 replaces 1.0.0, 1.10.0 replaces 1.3.0 skips 1.0.0", "default fast-v1"],
    );
}

#[test]
fn prereleases_come_before_their_release() {
    check(
        "stable 1.0.0 1.0.0-rc.10 1.0.0-rc.2",
        &["stable-v1.0: 1.0.0-rc.2, 1.0.0-rc.10, 1.0.0 skips 1.0.0-rc.10 1.0.0-rc.2", "default stable-v1.0"],
    );
}

#[test]
fn archetypes_share_bundles_and_nothing_else() {
    check(
        "candidate 1.0.0 1.1.0\nstable 1.1.0",
        &["candidate-v1.0: 1.0.0", "candidate-v1.1: 1.1.0 replaces 1.0.0", "stable-v1.1: 1.1.0", "default stable-v1.1"],
    );
}

#[test]
fn the_default_channel() {
    let default = |lines: &str| {
        let expansion = expanded(&template(lines), &catalog(VERSIONS));
        channels(&expansion).pop().unwrap().replace("default ", "")
    };
    let both = "generateMajorChannels: true\ngenerateMinorChannels: true\n";
    let major = "defaultChannelTypePreference: major\n";
    // Trust goes before version.
    assert_eq!(default("candidate 3.0.0\nstable 1.0.0"), "stable-v1.0");
    // A channel is judged by its lowest bundle, so the preference decides only where both begin with one version.
    assert_eq!(default(&format!("{both}{major}stable 1.0.0 1.1.0")), "stable-v1.1");
    assert_eq!(default(&format!("{both}{major}stable 1.0.0")), "stable-v1");
    assert_eq!(default(&format!("{both}stable 1.0.0")), "stable-v1.0");
    // The mark to rise above is candidate 0.0.0.
    assert_eq!(default("candidate 0.0.0-alpha"), "");
    assert_eq!(default("candidate 0.0.0"), "candidate-v0.0");
    assert_eq!(default("fast 0.0.0-alpha"), "fast-v0.0");
}

#[test]
fn the_catalog_is_written_with_the_bundles_own_text() {
    let bundles = "# ours\nschema: olm.bundle # a bundle\nname: op.v1.0.0\npackage: op\nimage: op:1.0.0\nproperties:\n\
                   - type: olm.package\n  value: {packageName: op, version: 1.0.0}\n- type: olm.csv.metadata\n  value: \
                   {description: \"An operator.\\nIt works.\"}\n---\nschema: olm.package\nname: op\n";
    let yaml = expanded(&template("stable 1.0.0"), bundles).catalog.unwrap().to_yaml();
    let expected = "---\ndefaultChannel: stable-v1.0\ndescription: |-\n  An operator.\n  It works.\nname: op\nschema: \
                    olm.package\n---\nentries:\n- name: op.v1.0.0\nname: stable-v1.0\npackage: op\nschema: olm.channel\n\
                    ---\nschema: olm.bundle # a bundle\nname: op.v1.0.0\npackage: op\nimage: op:1.0.0\nproperties:\n\
                    - type: olm.package\n  value: {packageName: op, version: 1.0.0}\n- type: olm.csv.metadata\n  value: \
                    {description: \"An operator.\\nIt works.\"}\n";
    assert_eq!(yaml, expected);
}

#[test]
fn keys_match_in_any_case_and_json_is_yaml() {
    let template = "{\"Schema\": \"olm.semver\", \"GENERATEMAJORCHANNELS\": yes, \"Stable\": {\"Bundles\": [{\"Image\": op:1.0.0}]}}";
    let expansion = expanded(template, &catalog("1.0.0"));
    assert_eq!(reported(template, &expansion), ["accepted"]);
    assert_eq!(channels(&expansion), ["stable-v1: 1.0.0", "default stable-v1"]);
}

/// Findings and verdict; `opm` errors of a template that cannot be read have a common start.
#[track_caller]
fn check_findings(template: &str, expected: &[&str]) {
    let expansion = expanded(template, &catalog(VERSIONS));
    let reported: Vec<_> = reported(template, &expansion)
        .into_iter()
        .map(|line| {
            let line = line
                .replace("render: unable to read file: ", "R ")
                .replace("render: unable to post-process bundle info: ", "P ");
            line.replace("error unmarshaling JSON: while decoding JSON: json: ", "J ")
        })
        .collect();
    assert_eq!(reported, expected);
}

#[test]
fn reading_is_strict() {
    check_findings(
        "schema: olm.semver\npackage: op\nstable:\n  bundle: []\nfast: [x]\ncandidate: {bundles: [x, {images: y}, null]}\n",
        &[
            "6:23 wrong-type: `bundles` must be a mapping with `image`",
            "6:27 unknown-field: a bundle has no field `images`",
            "5:7 wrong-type: `fast` must be a mapping with `bundles`",
            "2:1 unknown-field: an `olm.semver` template has no field `package`",
            "4:3 unknown-field: `stable` has no field `bundle`",
            "6:23 missing-field: the bundle has no `image`",
            "opm: R J cannot unmarshal string into Go struct field channelBundles.candidate.bundles of type semver.bundleEntry",
        ],
    );
    check_findings(
        "schema: {}\ngenerateMajorChannels: 1\nstable: {bundles: {}}\n",
        &[
            "2:24 wrong-type: `generateMajorChannels` must be `true` or `false`",
            "1:9 wrong-type: `schema` must be a text",
            "3:19 wrong-type: `bundles` must be a list of images",
            "1:1 invalid-template: the template has no `schema`",
            "1:1 invalid-template: the template lists no bundles",
            "opm: R J cannot unmarshal number into Go struct field SemverTemplateData.generateMajorChannels of type bool",
        ],
    );
    check_findings(
        "- a\n",
        &[
            "1:1 wrong-type: a template must be a mapping",
            "1:1 invalid-template: the template has no `schema`",
            "1:1 invalid-template: the template lists no bundles",
            "opm: R J cannot unmarshal array into Go value of type semver.SemverTemplateData",
        ],
    );
}

#[test]
fn duplicate_keys_are_one_error() {
    check_findings(
        "schema: a\nschema: olm.semver\nstable:\n  bundles:\n  - image: op:1.0.0\n    image:\n      op:1.1.0\n",
        &[
            "6:5 duplicate-key: the key `image` occurs twice; the last one wins",
            "2:1 duplicate-key: the key `schema` occurs twice; the last one wins",
            "opm: R error converting YAML to JSON: yaml: unmarshal errors:\n  line 7: key \"image\" already set in map\n  \
             line 2: key \"schema\" already set in map",
        ],
    );
}

#[test]
fn two_spellings_of_a_key_are_one_field() {
    // sigs.k8s.io/yaml is strict about equal keys; `encoding/json` decodes both into one field, sorted by their bytes.
    let template = "Schema: olm.semver\nStable:\n  Bundles:\n  - Image: op:1.0.0\n  bundles:\n  - Image: op:1.1.0\n    image: op:2.0.0\n";
    check_findings(
        template,
        &[
            "3:3 duplicate-key: `Bundles` and `bundles` are one field, and `bundles` is read",
            "6:5 duplicate-key: `Image` and `image` are one field, and `image` is read",
            "accepted",
        ],
    );
    assert_eq!(channels(&expanded(template, &catalog(VERSIONS))), ["stable-v2.0: 2.0.0", "default stable-v2.0"]);
    check_findings(
        "schema: olm.semver\nstable: {bundles: [{image: op:1.0.0}]}\nSTABLE: {}\n",
        &["3:1 duplicate-key: `STABLE` and `stable` are one field, and `stable` is read", "accepted"],
    );
}

#[test]
fn numbers_and_booleans_are_texts_where_texts_are_wanted() {
    check_findings(
        "schema: 1.10\ndefaultChannelTypePreference: on\nstable: {bundles: [{image: 5}]}\n",
        &[
            "1:9 invalid-template: `1.1` is not the schema of templates with these fields",
            "2:31 invalid-template: `true` is not a type of channel",
            "3:28 needs-registry: no loaded catalog has a bundle with the image `5`, and opm would ask its registry",
            "opm: R readFile: input file has unknown schema, should be \"olm.semver\"",
        ],
    );
}

#[test]
fn a_preference_needs_its_channels() {
    check_findings(
        "schema: olm.semver\ndefaultChannelTypePreference: major\nstable: {bundles: [{image: 'op:1.0.0'}]}\n",
        &[
            "2:31 invalid-template: the default channel cannot be a major channel: the template makes none",
            "opm: R schema attribute mismatch: DefaultChannelTypePreference set to 'major' doesn't make sense if not \
             generating major-version channels",
        ],
    );
}

#[test]
fn a_broken_text_is_reported_at_its_place() {
    check_findings(
        "schema: olm.semver\nstable: a: b\n",
        &[
            "2:10 broken-document: not valid YAML: mapping values are not allowed in this context",
            "opm: R error converting YAML to JSON: yaml: line 2: mapping values are not allowed in this context",
        ],
    );
}

#[test]
fn only_the_first_document_is_a_template() {
    check_findings(
        "# ours\n---\nschema: olm.semver\nstable: {bundles: [{image: 'op:1.0.0'}]}\n---\n# theirs\nschema: olm.package\n",
        &["7:1 lost-text: opm reads one document of a template: it ignores everything from here on", "accepted"],
    );
}

#[test]
fn nothing_to_expand() {
    let no_bundles = "opm: render: no bundles specified or no bundles could be rendered";
    check_findings("schema: olm.semver\n", &["1:1 invalid-template: the template lists no bundles", no_bundles]);
    check_findings(
        "",
        &[
            "1:1 invalid-template: the template has no `schema`",
            "1:1 invalid-template: the template lists no bundles",
            "opm: R readFile: input file has unknown schema, should be \"olm.semver\"",
        ],
    );
}

#[test]
fn unknown_images_are_reported_once_and_the_rest_is_expanded() {
    let template = template("candidate 9.0.0\nstable 1.0.0 9.0.0 1.0.1");
    let expansion = expanded(&template, &catalog(VERSIONS));
    let expected = [
        "4:12 needs-registry: no loaded catalog has a bundle with the image `op:9.0.0`, and opm would ask its registry",
        "needs a registry",
    ];
    assert_eq!(reported(&template, &expansion), expected);
    assert_eq!(channels(&expansion), ["stable-v1.0: 1.0.0, 1.0.1 skips 1.0.0", "default stable-v1.0"]);
    assert_eq!(expansion.missing.iter().map(|image| &*image.value).collect::<Vec<_>>(), ["op:9.0.0"]);
}

#[test]
fn all_that_is_wrong_with_bundles_is_reported() {
    let other = bundle("other", "1.0.0", "1.0.0");
    let double = bundle("op", "double", "1.0.0") + "- type: olm.package\n  value: {packageName: op, version: 1.0.0}\n";
    let misfit = bundle("op", "misfit", "1.0.0") + "- type: olm.gvk\n  value: {kind: 5}\n- type: olm.gvk\n";
    let catalog = [catalog(VERSIONS), other, double, misfit].concat();
    let text = template("candidate 1.0.0 bad 1.0.0 double misfit\nstable 1.0.1+b 1.0.1 1.1.0")
        + "fast: {bundles: [image: 'other:1.0.0']}\n";
    let expansion = expanded(&text, &catalog);
    let expected = [
        "5:12 invalid-version: bundle `op.vbad` has an invalid version: `bad`",
        "6:12 duplicate-name: bundle `op.v1.0.0` is listed twice",
        "7:12 invalid-property: bundle `op.vdouble` must have one `olm.package` property, not 2",
        "8:12 invalid-property: a property of bundle `op.vmisfit` cannot be read: json: cannot unmarshal number into Go struct \
         field GVK.kind of type string",
        "14:25 invalid-template: bundle `other.v1.0.0` is of package `other`, and those before it of `op`",
        "12:12 duplicate-version: versions 1.0.1+b and 1.0.1 differ only by build metadata, which does not count in their order",
        "opm: render: unable to post-process bundle info: bundle \"op.vbad\" has invalid version \"bad\": No Major.Minor.Patch \
         elements found",
    ];
    assert_eq!(reported(&text, &expansion), expected);
    let opm: Vec<_> = expansion.diagnostics.iter().filter_map(|finding| finding.opm.as_deref()).collect();
    let expected = [
        "bundle \"op.vbad\" has invalid version \"bad\": No Major.Minor.Patch elements found",
        "duplicate bundle name \"op.v1.0.0\"",
        "bundle \"op.vdouble\" has multiple \"olm.package\" properties, expected exactly 1",
        "parse properties for bundle \"op.vmisfit\": parse property[1] of type \"olm.gvk\": json: cannot unmarshal number into \
         Go struct field GVK.kind of type string",
        "bundle \"other\" does not belong to this package: \"op\"",
        "encountered bundle versions which differ only by build metadata, which cannot be ordered: bundle version \"1.0.1\" \
         cannot be compared to \"1.0.1\"",
    ];
    assert_eq!(opm, expected.map(|line| format!("render: unable to post-process bundle info: {line}")));
    let expected =
        ["candidate-v1.0: 1.0.0", "stable-v1.0: 1.0.1+b", "stable-v1.1: 1.1.0 replaces 1.0.1+b", "default stable-v1.1"];
    assert_eq!(channels(&expansion), expected);
}

#[test]
fn a_catalog_that_would_be_huge_is_not_made() {
    let versions: Vec<String> = (0..4000).map(|minor| format!("1.{minor}.0")).collect();
    let versions = versions.join(" ");
    let text = template(&format!("stable {versions}"));
    let expansion = expanded(&text, &catalog(&versions));
    let expected =
        ["1:1 invalid-template: the expanded catalog would exceed 65 MiB, so no catalog is built", "too large"];
    assert_eq!(reported(&text, &expansion), expected);
    assert_eq!(expansion.catalog, None);
}

#[test]
fn a_template_that_is_huge_is_not_read() {
    let text = template("stable 1.0.0") + &"# \n".repeat(3 << 20);
    let expected = ["1:1 invalid-template: the template exceeds 8 MiB and is not expanded", "too large"];
    assert_eq!(reported(&text, &expanded(&text, &catalog(VERSIONS))), expected);
}

#[test]
fn all_unknown_images_are_one_finding() {
    let versions: Vec<String> = (0..1500).map(|patch| format!("7.0.{patch}")).collect();
    let expansion = expanded(&template(&format!("stable {}", versions.join(" "))), "");
    let [finding] = &expansion.diagnostics[..] else { panic!("{:?}", expansion.diagnostics) };
    assert_eq!((expansion.missing.len(), finding.labels.len()), (1500, 100));
    assert!(finding.message.contains("1500 images"), "{}", finding.message);
    assert!(finding.help.as_ref().is_some_and(|help| help.contains("render-template semver")), "{:?}", finding.help);
}

#[test]
fn very_many_findings_are_not_all_listed() {
    let text = format!("schema: olm.template.basic\nentries:\n{}", "- schema: olm.bundle\n".repeat(1500));
    let expansion = expanded(&text, "");
    assert_eq!(expansion.diagnostics.len(), 1001);
    let last = reported(&text, &expansion)[1000].clone();
    assert_eq!(last, "1003:3 invalid-template: 500 more findings from here on are not listed");
}
