//! The channels that are made of small folders of bundles, and what is told of them.

use bundle::File;
use bundle_tree::{Tree, build};
use source::{BundleMode, BundleRules};
use source::{FileId, Rule};
use template::Images;

/// A bundle: its version, further fields of its `spec`, its channels and its default channel.
type Given<'t> = (&'t str, &'t str, &'t str, &'t str);

/// The catalog of bundles of package `p`, in folders that are numbered in their order.
fn tree(bundles: &[Given<'_>], ci: Option<&str>, mode: Option<BundleMode>) -> Tree {
    let mut texts: Vec<(String, String)> = Vec::new();
    for (at, (version, spec, channels, default)) in bundles.iter().enumerate() {
        let (spec, annotations) = match spec.split_once('|') {
            Some((spec, range)) => (spec, format!("{{olm.skipRange: '{range}'}}")),
            None => (*spec, "{}".to_owned()),
        };
        let csv = format!(
            "kind: ClusterServiceVersion\nmetadata: {{name: p.v{version}, annotations: {annotations}}}\n\
             spec: {{version: '{version}', {spec}}}\n"
        );
        texts.push((format!("p/{at}/manifests/csv.yaml"), csv));
        let prefix = "operators.operatorframework.io.bundle";
        let annotations = format!(
            "annotations:\n  {prefix}.package.v1: p\n  {prefix}.channels.v1: '{channels}'\n  \
             {prefix}.channel.default.v1: '{default}'\n"
        );
        texts.push((format!("p/{at}/metadata/annotations.yaml"), annotations));
    }
    texts.extend(ci.map(|ci| ("p/ci.yaml".to_owned(), ci.to_owned())));
    let file = |(at, (path, text)): (u32, &'static (String, String))| File { id: FileId(at), path, text, fault: None };
    let texts: &'static [(String, String)] = texts.leak();
    build(&(0..).zip(texts).map(file).collect::<Vec<_>>(), mode.map(BundleRules::Mode).as_ref(), &Images::default())
}

/// The default channel, then the channels with their entries, as a short text.
fn told(tree: &Tree) -> Vec<String> {
    let is = |schema: &'static str| move |document: &&bundle::Document| document.schema == schema;
    let default = |document: &bundle::Document| {
        let rest = document.json.split("\"defaultChannel\":\"").nth(1).expect("it has the field");
        rest.split('"').next().expect("it has the field").to_owned()
    };
    let mut told: Vec<String> = tree.documents.iter().filter(is("olm.package")).map(default).collect();
    for channel in tree.documents.iter().filter(is("olm.channel")) {
        let entries = channel.json.split("\"entries\":").nth(1).expect("it has the field");
        let entries = entries.trim_end_matches('}').replace("\"name\":", "").replace(['"', '[', ']'], "");
        told.push(format!(
            "{}: {}",
            channel.name,
            entries.replace("},{", "; ").replace(['{', '}'], "").replace("p.v", "")
        ));
    }
    told
}

#[track_caller]
fn check(bundles: &[Given<'_>], mode: BundleMode, expected: &[&str]) {
    let tree = tree(bundles, None, Some(mode));
    let messages: Vec<_> = tree.findings.iter().map(|finding| &finding.message).collect();
    assert_eq!(told(&tree), expected, "{messages:?}");
}

fn messages(tree: &Tree, rule: Rule) -> Vec<&str> {
    tree.findings.iter().filter(|finding| finding.rule == rule).map(|finding| &*finding.message).collect()
}

#[track_caller]
fn check_error(bundles: &[Given<'_>], mode: BundleMode, expected: &str) {
    let tree = tree(bundles, None, Some(mode));
    assert_eq!(told(&tree), [""; 0]);
    let errors: Vec<_> = tree.findings.iter().filter_map(|finding| finding.opm.as_deref()).collect();
    assert_eq!(errors, [expected]);
}

#[track_caller]
fn check_pruned(bundles: &[Given<'_>], expected: &[&str]) {
    let tree = tree(bundles, None, Some(BundleMode::Replaces));
    assert_eq!(messages(&tree, Rule::PrunedBundle), expected);
}

const A: Given<'_> = ("1.0.0", "", "x", "");

#[test]
fn a_skipped_bundle_is_listed_without_edges() {
    let b = ("2.0.0", "replaces: p.v1.0.0", "x", "");
    let c = ("3.0.0", "replaces: p.v1.0.0, skips: [p.v2.0.0]", "x", "");
    check(&[c, A, b], BundleMode::Replaces, &["x", "x: 1.0.0; 2.0.0; 3.0.0,replaces:1.0.0,skips:2.0.0"]);
}

#[test]
fn what_only_a_skipped_bundle_leads_to_is_pruned() {
    let bundles = [
        A,
        ("1.5.0", "", "x", ""),
        ("2.0.0", "replaces: p.v1.5.0", "x", ""),
        ("3.0.0", "replaces: p.v1.0.0, skips: [p.v2.0.0]", "x", ""),
    ];
    check(&bundles, BundleMode::Replaces, &["x", "x: 1.0.0; 2.0.0; 3.0.0,replaces:1.0.0,skips:2.0.0"]);
    check_pruned(
        &bundles,
        &[
            "bundle `p.v1.5.0` is pruned from channel `x`: it is on the way from `p.v2.0.0` alone, which the chain of the head \
         `p.v3.0.0` only skips; it is in no other channel either, so the catalog does not have it",
        ],
    );
    assert!(!tree(&bundles, None, None).documents.iter().any(|document| document.name == "p.v1.5.0"));
}

#[test]
fn a_skip_range_brings_nothing_in() {
    let bundles = [A, ("2.0.0", "|<2.0.0", "x", "")];
    check(&bundles, BundleMode::Replaces, &["x", "x: 2.0.0,skipRange:<2.0.0"]);
    check_pruned(
        &bundles,
        &[
            "bundle `p.v1.0.0` is pruned from channel `x`: the head `p.v2.0.0` has neither `replaces` nor `skips`, and a \
         skipRange adds no entries; it is in no other channel either, so the catalog does not have it",
        ],
    );
}

#[test]
fn substitutions_are_told_and_not_followed() {
    // The annotation beside that of the skipRange.
    let for_a = "replaces: p.v1.0.0|', olm.substitutesFor: 'p.v1.0.0";
    let found = tree(&[A, ("1.0.1", for_a, "x", "")], None, Some(BundleMode::Replaces));
    let ignored = "`p.v1.0.1` substitutes for `p.v1.0.0`, which replaces mode here ignores: opm follows \
                   `olm.substitutesFor` only with `--enable-alpha`";
    assert_eq!(messages(&found, Rule::IgnoredSubstitution), [ignored]);
    assert_eq!(told(&found)[1..], ["x: name:1.0.0; name:1.0.1,replaces:1.0.0".replace("name:", "")]);
    assert_eq!(
        messages(&tree(&[A, ("1.0.1", for_a, "x", "")], None, Some(BundleMode::Semver)), Rule::IgnoredSubstitution),
        [""; 0]
    );
    assert_eq!(messages(&tree(&[A], None, Some(BundleMode::Replaces)), Rule::IgnoredSubstitution), [""; 0]);
}

#[test]
fn a_circle_of_substitutions_is_named() {
    let of = |version: &'static str, base: &'static str| {
        (version, &*format!("|', olm.substitutesFor: 'p.v{base}").leak(), "x", "")
    };
    let circle = |bundles: &[Given<'_>]| {
        let found = tree(bundles, None, Some(BundleMode::Replaces));
        let told = messages(&found, Rule::IgnoredSubstitution);
        told.iter().map(|message| message.split("; ").nth(1).unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let fails =
        |name: &str| format!("with it, opm v1.73.0 fails: cyclic substitutesFor chain detected involving \"{name}\"");
    assert_eq!(circle(&[of("1.0.0", "1.0.0")]), [fails("p.v1.0.0")]);
    let two = [of("1.0.0", "1.0.1"), of("1.0.1", "1.0.0"), of("1.0.2", "1.0.1")];
    assert_eq!(circle(&two), [fails("p.v1.0.0"), fails("p.v1.0.1"), String::new()]);
    let found = tree(&[of("1.0.0", "1.0.0")], None, Some(BundleMode::Replaces));
    let helps: Vec<_> = found.findings.iter().filter_map(|finding| finding.help.as_deref()).collect();
    assert_eq!(helps, ["remove the annotation"]);
}

#[test]
fn skips_stay_as_they_are() {
    let bundles = [A, ("2.0.0", "skips: [p.v1.0.0, gone]", "x", "")];
    check(&bundles, BundleMode::Replaces, &["x", "x: 1.0.0; 2.0.0,skips:1.0.0,gone"]);
    let bundles = [A, ("2.0.0", "replaces: p.v1.0.0, skips: [p.v1.0.0]", "x", "")];
    check(&bundles, BundleMode::Replaces, &["x", "x: 1.0.0; 2.0.0,replaces:1.0.0,skips:1.0.0"]);
}

#[test]
fn channels_are_cut_at_their_own_heads() {
    let bundles = [A, ("2.0.0", "replaces: p.v1.0.0", "x,y", "x"), ("3.0.0", "replaces: p.v2.0.0", "x", "")];
    check(
        &bundles,
        BundleMode::Replaces,
        &["x", "x: 1.0.0; 2.0.0,replaces:1.0.0; 3.0.0,replaces:2.0.0", "y: 1.0.0; 2.0.0,replaces:1.0.0"],
    );
}

#[test]
fn a_bundle_that_nothing_names_is_pruned() {
    let bundles = [A, ("1.1.0", "", "x", ""), ("2.0.0", "replaces: p.v1.0.0", "x", ""), ("0.1.0", "", "", "")];
    check_pruned(
        &bundles,
        &[
            "bundle `p.v1.1.0` is pruned from channel `x`: no bundle replaces or skips it, so it is not on the chain of the head \
         `p.v2.0.0`; it is in no other channel either, so the catalog does not have it",
            "bundle `p.v0.1.0` is in no channel: its annotations name no channel, so the catalog does not have it",
        ],
    );
}

#[test]
fn the_highest_version_decides_the_default_channel() {
    let bundles = [("1.0.0", "", "x,y", "x"), ("2.0.0", "replaces: p.v1.0.0", "x,y", "y")];
    assert_eq!(told(&tree(&bundles, None, None))[0], "y");
    let bundles = [("1.0.0", "", "x,y", "x"), ("2.0.0", "replaces: p.v1.0.0", "x,y", "")];
    assert_eq!(told(&tree(&bundles, None, None))[0], "x");
}

#[test]
fn replaces_mode_fails_as_opm_does() {
    let r = BundleMode::Replaces;
    check_error(
        &[A, ("2.0.0", "replaces: p.v9", "x", ""), ("3.0.0", "replaces: p.v2.0.0", "x", "")],
        r,
        "Invalid bundle p.v3.0.0, replaces nonexistent bundle p.v9",
    );
    let cycle = [("1.0.0", "replaces: p.v2.0.0", "x", ""), ("2.0.0", "replaces: p.v1.0.0", "x", "")];
    check_error(&cycle, r, "Cycle detected, p.v1.0.0 replaces p.v2.0.0");
    let two = [("1.0.0", "replaces: b", "x", ""), ("2.0.0", "replaces: a", "y", "y")];
    check_error(
        &two,
        r,
        "[Invalid bundle p.v1.0.0, replaces nonexistent bundle b, Invalid bundle p.v2.0.0, replaces nonexistent bundle a]",
    );
    check_error(
        &[("1.0", "", "x", "")],
        r,
        "error parsing bundle p.v1.0 version 1.0: No Major.Minor.Patch elements found",
    );
    check_error(&[A, A], r, "Bundle already added that provides package and csv");
    check_error(&[("1.0.0", "", "x,x", ""), ("2.0.0", "", "y", "y")], r, "more than one potential channel head for x");
    check_error(
        &[("0.9.0", "", "x,y", ""), ("1.0.0", "replaces: p.v0.9.0", "x,y", "")],
        r,
        "unable to determine default channel among channel heads: \
         map[x:{name:p.v1.0.0 version:{Major:1 Minor:0 Patch:0 Pre:[] Build:[]} count:1} \
         y:{name:p.v1.0.0 version:{Major:1 Minor:0 Patch:0 Pre:[] Build:[]} count:1}]",
    );
    check_error(&[("1.0.0", "replaces: 1", "x", "")], r, "json: cannot unmarshal number into Go value of type string");
    check_error(
        &[("1.0.0+01", "", "x", ""), ("1.0.0", "", "x", "")],
        r,
        "failed to convert build-id of 1.0.0+01 to prerelease version for comparison: Numeric PreRelease version must not \
         contain leading zeroes \"01\"",
    );
}

#[test]
fn two_bundles_of_the_highest_version_are_refused() {
    let texts = ["a", "b"]
        .map(|name| format!("kind: ClusterServiceVersion\nmetadata: {{name: {name}}}\nspec: {{version: 1.0.0}}\n"));
    let annotations = "annotations:\n  operators.operatorframework.io.bundle.package.v1: p\n  \
                       operators.operatorframework.io.bundle.channels.v1: x\n";
    let file = |id, path, text| File { id: FileId(id), path, text, fault: None };
    let files = [
        file(0, "1/manifests/a.yaml", &*texts[0]),
        file(1, "1/metadata/a.yaml", annotations),
        file(2, "2/manifests/a.yaml", &*texts[1]),
        file(3, "2/metadata/a.yaml", annotations),
    ];
    let error = |mode| {
        let rules = BundleRules::Mode(mode);
        build(&files, Some(&rules), &Images::default()).findings.pop().and_then(|finding| finding.opm).unwrap()
    };
    assert_eq!(error(BundleMode::Replaces), "more than one bundle with maximum version 1.0.0");
    assert_eq!(error(BundleMode::Semver), "Bundle version 1.0.0 already added to index");
}

#[test]
fn semver_mode_orders_by_version() {
    let bundles = [("1.1.0", "replaces: gone", "x", ""), A, ("1.0.1", "|<1.0.1", "x,y", "y")];
    check(
        &bundles,
        BundleMode::Semver,
        &["y", "x: 1.0.0; 1.0.1,replaces:1.0.0,skipRange:<1.0.1; 1.1.0,replaces:1.0.1", "y: 1.0.1,skipRange:<1.0.1"],
    );
}

#[test]
fn skippatch_mode_skips_lower_patch_versions() {
    let versions = ["1.0.0", "1.0.1", "1.1.0", "1.1.1", "1.1.2"];
    let bundles = versions.map(|version| (version, "", "x", ""));
    check(
        &bundles,
        BundleMode::SemverSkippatch,
        &["x", "x: 1.0.0; 1.0.1,skips:1.0.0; 1.1.0; 1.1.1; 1.1.2,replaces:1.0.1,skips:1.1.0,1.1.1"],
    );
}

#[test]
fn semver_mode_fails_as_opm_does() {
    check_error(&[("1.0", "", "x", "")], BundleMode::Semver, "Bundle version 1.0 is not valid");
    check_error(&[("1.0.0", "", "", "")], BundleMode::Semver, "Default channel is missing and can't be inferred");
    check_error(&[("1.0.0", "", "x", "y")], BundleMode::Semver, "the default channel (y) does not exist");
    let build = [("1.0.0+1", "", "x", ""), ("1.0.0+2", "", "x", "")];
    check_error(&build, BundleMode::SemverSkippatch, "Bundle version 1.0.0+2 already added to index");
}

#[test]
fn ci_yaml_names_the_mode() {
    let mode = |ci: Option<&str>, chosen| tree(&[A], ci, chosen).rules["p"].clone();
    assert_eq!(mode(None, None), BundleRules::Mode(BundleMode::Replaces));
    assert_eq!(mode(Some("updateGraph: semver-mode\n"), None), BundleRules::Mode(BundleMode::Semver));
    assert_eq!(mode(Some("updateGraph: replaces-mode\n"), None), BundleRules::Mode(BundleMode::Replaces));
    assert_eq!(
        mode(Some("updateGraph: semver-mode\n"), Some(BundleMode::SemverSkippatch)),
        BundleRules::Mode(BundleMode::SemverSkippatch)
    );
    assert_eq!(mode(Some("reviewers: [a]\n"), None), BundleRules::Mode(BundleMode::Replaces));
}

#[test]
fn what_is_not_followed_of_ci_yaml_is_told() {
    let told = |ci: &str| {
        let tree = tree(&[A], Some(ci), None);
        messages(&tree, Rule::UnfollowedCi).join("; ")
    };
    assert_eq!(told("updateGraph: semver-mode\n"), "");
    assert_eq!(told("updateGraph: 5\n"), "`updateGraph` names no mode, so the rules of replaces mode are used");
    assert_eq!(
        told("fbc: {enabled: true}\n"),
        "the channels of package `p` come from catalog templates, but `catalog-templates/` has none that `ci.yaml` names, and \
         no bundle is released to one: they are made by the rules of replaces mode"
    );
    assert!(told("updateGraph: semver-mode\nfbc: {enabled: true}\n").starts_with("FBC is enabled, updateGraph cannot"));
    assert!(told("[").starts_with("`ci.yaml` cannot be read: "));
}

#[test]
fn a_broken_bundle_stops_no_other() {
    let file = |id, path, text| File { id: FileId(id), path, text, fault: None };
    let csv = "kind: ClusterServiceVersion\nmetadata: {name: a}\nspec: {version: 1.0.0, icon: [{base64data: Zg==}]}\n";
    let annotations = "annotations:\n  operators.operatorframework.io.bundle.package.v1: p\n  \
                       operators.operatorframework.io.bundle.channels.v1: x\n";
    let tree = build(
        &[
            file(0, "1/manifests/a.yaml", csv),
            file(1, "1/metadata/a.yaml", annotations),
            file(2, "2/manifests/a.yaml", "kind: A\n"),
            file(3, "2/metadata/a.yaml", annotations),
        ],
        None,
        &Images::default(),
    );
    assert_eq!(messages(&tree, Rule::UnrenderedBundle), ["opm cannot render this bundle: no csv in bundle"]);
    let yaml = tree.to_yaml().unwrap();
    assert!(yaml.contains("base64data: Zg==") && yaml.contains("name: a\n"), "{yaml}");
}
