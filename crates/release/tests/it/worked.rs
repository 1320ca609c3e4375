//! Releases and deprecations that were worked out by hand.

use catalog::{BundleName, Channel, ChannelName, DeprecationTarget, Package, ParsedFile, lower};
use go_semver::blang::Version;
use release::{Authored, Policy, Release, release, release_config, removal};
use source::{FileId, Rule, TextEdit};
use std::sync::Arc;
use template::TemplateKind;

pub(crate) const BASIC: Option<TemplateKind> = Some(TemplateKind::Basic);

pub(crate) fn edited(text: &str, edits: &[TextEdit]) -> String {
    TextEdit::applied(edits, text).expect("the edits fit the text")
}

fn package(text: &str) -> Arc<Package> {
    let parse = fbc::parse(FileId(0), text);
    lower(&[ParsedFile { text, parse: &parse }]).0.packages.remove(0)
}

fn package_of_template(text: &str) -> Arc<Package> {
    let (_, entries) = text.split_once("entries:\n").expect("a template has entries");
    let documents: Vec<String> = entries
        .split("  - schema: ")
        .filter(|item| item.starts_with("olm.channel"))
        .map(|item| format!("schema: {}", item.replace("\n    ", "\n")))
        .collect();
    package(&documents.join("---\n"))
}

fn new(name: &str) -> Release {
    let version = Version::parse(name.split_once(".v").expect("a version").1).expect("a version");
    Release { name: BundleName::from(name), version, from: None }
}

pub(crate) fn version(name: &str) -> Option<Version> {
    update_graph::version_in(name)
}

/// The text after a release in a channel.
fn released(
    text: &str,
    kind: Option<TemplateKind>,
    policy: Policy,
    channel: &str,
    name: &str,
) -> Result<String, String> {
    let package = if kind.is_some() { package_of_template(text) } else { package(text) };
    let edit =
        release(policy, &package, &ChannelName::from(channel), &new(name)).map_err(|refusal| refusal.sentence)?;
    let parse = fbc::parse(FileId(0), text);
    let (edits, blob) = Authored::of(FileId(0), text, &parse.docs, kind)
        .channel("p", &edit, &version)
        .map_err(|refusal| refusal.sentence)?;
    let after = edited(text, &edits);
    let after = match blob {
        Some(blob) => format!("{after}---\n{}", blob.yaml),
        None => after,
    };
    // The text says exactly what was meant.
    if kind.is_none() {
        let found = self::package(&after);
        let channel = found.channel(channel).expect("the channel");
        if let Some(before) = package.channel(channel.name.value.as_str()) {
            assert_eq!(shown(channel), shown(&edit.applied(before)), "{after}");
        }
        let (catalog, diagnostics) = {
            let parse = fbc::parse(FileId(0), &after);
            lower(&[ParsedFile { text: &after, parse: &parse }])
        };
        assert!(
            diagnostics.iter().all(|found| found.opm.is_none() || found.rule == Rule::UnknownPackage),
            "{diagnostics:?}"
        );
        assert_eq!(catalog::heads(catalog.packages[0].channel(channel.name.value.as_str()).expect("it")).len(), 1);
    }
    Ok(after)
}

/// The entries of a channel by name, with their edges.
fn shown(channel: &Channel) -> Vec<String> {
    let mut entries: Vec<String> = (channel.entries.iter())
        .map(|entry| {
            let replaces = entry.replaces.as_ref().map(|name| name.value.as_str()).unwrap_or_default();
            let skips: Vec<&str> = entry.skips.iter().map(|name| name.value.as_str()).collect();
            let range = entry.skip_range.as_ref().map(|range| &*range.value.text).unwrap_or_default();
            format!("{} {replaces} {skips:?} {range}", entry.name.value)
        })
        .collect();
    entries.sort();
    entries
}

fn channel(name: &str, entries: &str) -> String {
    format!("schema: olm.channel\npackage: p\nname: {name}\nentries:\n{entries}")
}

#[test]
fn case_1_the_head_is_replaced_and_a_comment_stays_with_its_entry() {
    let rest =
        "# 1.1.4 is the last release with the old API\n- name: p.v1.1.4\n  replaces: p.v1.1.3\n- name: p.v1.1.3\n";
    let after = released(&channel("stable", rest), None, Policy::ReplaceHead, "stable", "p.v1.2.0");
    assert_eq!(after, Ok(channel("stable", &format!("- name: p.v1.2.0\n  replaces: p.v1.1.4\n{rest}"))));
}

#[test]
fn case_2_the_head_is_withdrawn() {
    let rest = "- {name: p.v1.1.4, replaces: p.v1.1.3, skips: [p.v1.1.0, p.v1.1.1]}\n- {name: p.v1.1.3}\n";
    let after = released(&channel("stable", rest), None, Policy::WithdrawHead, "stable", "p.v1.2.0");
    let head = "- {name: p.v1.2.0, replaces: p.v1.1.3, skips: [p.v1.1.4, p.v1.1.0, p.v1.1.1]}\n";
    assert_eq!(after, Ok(channel("stable", &format!("{head}{rest}"))));
}

#[test]
fn case_3_a_patch_of_a_minor() {
    let rest = "- {name: p.v1.1.4, replaces: p.v1.1.3}\n- {name: p.v1.1.3}\n";
    let after = released(&channel("stable-1.1", rest), None, Policy::ZStream, "stable-1.1", "p.v1.1.5");
    let head = "- {name: p.v1.1.5, replaces: p.v1.1.4, skipRange: '>=1.1.0 <1.1.5'}\n";
    assert_eq!(after, Ok(channel("stable-1.1", &format!("{head}{rest}"))));
}

#[test]
fn case_4_a_new_minor_in_a_basic_template() {
    let before = "schema: olm.template.basic\nentries:\n  - schema: olm.channel\n    package: p\n    name: stable            # rolling\n    \
                  entries:\n      - name: p.v1.1.4\n  - schema: olm.bundle\n    image: quay.io/example/p:1.1.4\n";
    let text = released(before, BASIC, Policy::NewMinor, "stable", "p.v1.2.0").expect("an edit");
    let text = released(&text, BASIC, Policy::NewMinor, "stable-1.2", "p.v1.2.0").expect("an edit");
    let parse = fbc::parse(FileId(0), &text);
    let image = Authored::of(FileId(0), &text, &parse.docs, BASIC).image("quay.io/example/p:1.2.0").expect("an edit");
    let expected = "schema: olm.template.basic\nentries:\n  - schema: olm.channel\n    package: p\n    name: stable            # rolling\n    \
                    entries:\n      - name: p.v1.2.0\n        replaces: p.v1.1.4\n      - name: p.v1.1.4\n  - schema: olm.channel\n    \
                    package: p\n    name: stable-1.2\n    entries:\n    - name: p.v1.2.0\n      replaces: p.v1.1.4\n  - schema: olm.bundle\n    \
                    image: quay.io/example/p:1.1.4\n  - schema: olm.bundle\n    image: quay.io/example/p:1.2.0\n";
    assert_eq!(edited(&text, &[image]), expected);
}

#[test]
fn case_5_a_hotfix_below_the_head() {
    let before = channel("stable", "- {name: p.v1.2.0, replaces: p.v1.1.1}\n- {name: p.v1.1.1}\n");
    let inserted =
        "- {name: p.v1.2.0, replaces: p.v1.1.2}\n- {name: p.v1.1.2, replaces: p.v1.1.1}\n- {name: p.v1.1.1}\n";
    assert_eq!(released(&before, None, Policy::Hotfix, "stable", "p.v1.1.2"), Ok(channel("stable", inserted)));
    let skipped = "- {name: p.v1.2.0, replaces: p.v1.1.1, skips: [p.v1.1.2]}\n- {name: p.v1.1.2, replaces: p.v1.1.1}\n\
                   - {name: p.v1.1.1}\n";
    assert_eq!(released(&before, None, Policy::SkippedHotfix, "stable", "p.v1.1.2"), Ok(channel("stable", skipped)));
    let refused = released(&before, None, Policy::ReplaceHead, "stable", "p.v1.1.2");
    assert_eq!(refused, Err("1.1.2 is below the head `p.v1.2.0` of channel `stable`".to_owned()));
}

#[test]
fn case_6_a_hotfix_in_a_semver_template() {
    let before = "schema: olm.semver\nstable:\n  bundles:\n  - image: quay.io/example/p:1.1.4\n  - image: quay.io/example/p:1.2.0   # keep \
                  ascending\n";
    let template = |text| Authored::of(FileId(0), text, &[], Some(TemplateKind::Semver));
    let add = |list: &str| template(before).semver_image(list, "quay.io/example/p:1.1.5", &new("p.v1.1.5").version);
    let expected = before.replace(
        "  - image: quay.io/example/p:1.2.0",
        "  - image: quay.io/example/p:1.1.5\n  - image: quay.io/example/p:1.2.0",
    );
    assert_eq!(edited(before, &[add("stable").expect("an edit")]), expected);
    assert!(add("fast").expect_err("no list").sentence.starts_with("the template has no list `fast`"));
    assert!(add("stable-v1").is_err() && template(before).deprecate("p", &DeprecationTarget::Package, "gone").is_err());
}

#[test]
fn case_7_the_version_after_its_pre_releases() {
    let before = channel("candidate", "- {name: p.v1.3.0-rc.1, replaces: p.v1.2.0}\n- {name: p.v1.2.0}\n")
        + "---\n"
        + &channel("stable", "- {name: p.v1.2.0}\n");
    let text = released(&before, None, Policy::Final, "candidate", "p.v1.3.0").expect("an edit");
    let text = released(&text, None, Policy::Final, "stable", "p.v1.3.0").expect("an edit");
    assert!(text.contains("- {name: p.v1.3.0, replaces: p.v1.3.0-rc.1}\n- {name: p.v1.3.0-rc.1"), "{text}");
    assert!(
        text.contains("- {name: p.v1.3.0, replaces: p.v1.2.0, skips: [p.v1.3.0-rc.1]}\n- {name: p.v1.2.0}"),
        "{text}"
    );
    assert!(released(&before, None, Policy::PreRelease, "stable", "p.v1.3.0").is_err(), "it is no pre-release");
}

#[test]
fn case_8_a_version_of_candidate_becomes_stable() {
    let candidate = channel(
        "candidate",
        "- {name: p.v1.3.0, replaces: p.v1.3.0-rc.1}\n- {name: p.v1.3.0-rc.1, replaces: p.v1.2.0}\n- {name: p.v1.2.0}\n",
    );
    let rest = "- {name: p.v1.2.0, replaces: p.v1.1.4}\n- {name: p.v1.1.4}\n";
    let before = format!("{candidate}---\n{}", channel("stable", rest));
    let head = "- {name: p.v1.3.0, replaces: p.v1.2.0, skipRange: '>=1.2.0 <1.3.0'}\n";
    let expected = format!("{candidate}---\n{}", channel("stable", &format!("{head}{rest}")));
    assert_eq!(released(&before, None, Policy::Promote, "stable", "p.v1.3.0"), Ok(expected));
}

#[test]
fn case_9_a_new_build_in_a_substitutes_template() {
    let before = "schema: olm.template.substitutes\nentries:\n- schema: olm.channel\n  package: p\n  name: stable\n  entries:\n  - name: p.v1.2.0\n\
                  substitutions:\n- name: quay.io/example/p@sha256:1\n  base: p.v1.1.0\n";
    let template = Authored::of(FileId(0), before, &[], Some(TemplateKind::Substitutes));
    let edit = template.substitution("quay.io/example/p@sha256:2", "p.v1.2.0").expect("an edit");
    assert_eq!(edited(before, &[edit]), format!("{before}- name: quay.io/example/p@sha256:2\n  base: p.v1.2.0\n"));
    assert!(Authored::of(FileId(0), "schema: olm.channel\n", &[], None).substitution("i", "p.v1.2.0").is_err());
}

#[test]
fn case_10_the_pipelines_add_a_release_to_two_templates() {
    let entry = |replaces: &str, range: Option<&str>| update_graph::NewEntry {
        name: BundleName::from("p.v1.2.0"),
        replaces: Some(BundleName::from(replaces)),
        skips: Vec::new(),
        skip_range: range.map(Into::into),
    };
    let (newer, older) = (entry("p.v1.1.4", None), entry("p.v1.1.2", Some(">=1.1.0 <1.2.0")));
    let file = release_config(&[
        ("v4.18-and-later.yaml", vec![("stable", Some(&newer)), ("stable-1.2", Some(&newer))]),
        ("v4.17-and-older.yaml", vec![("stable", Some(&older))]),
    ]);
    let expected = "---\ncatalog_templates:\n  - template_name: v4.18-and-later.yaml\n    channels: [stable, stable-1.2]\n    replaces: p.v1.1.4\n  \
                    - template_name: v4.17-and-older.yaml\n    channels: [stable]\n    replaces: p.v1.1.2\n    skipRange: '>=1.1.0 <1.2.0'\n";
    assert_eq!(file, expected);
}

#[test]
fn case_11_a_version_is_removed() {
    let bundle = |version: &str| format!("---\nschema: olm.bundle\npackage: p\nname: p.v{version}\nimage: i\n");
    let before = channel(
        "stable",
        "- {name: p.v1.2.0, replaces: p.v1.1.1}\n- {name: p.v1.1.1, replaces: p.v1.1.0}   # broken on arm64\n- {name: p.v1.1.0}\n",
    ) + &["1.2.0", "1.1.1", "1.1.0"].map(bundle).concat();
    let name = BundleName::from("p.v1.1.1");
    let found = package(&before);
    let edit = removal(&found, found.channel("stable").expect("it"), &name, false).expect("no head").expect("an edit");
    let parse = fbc::parse(FileId(0), &before);
    let text = Authored::of(FileId(0), &before, &parse.docs, None);
    let (mut edits, _) = text.channel("p", &edit, &version).expect("edits");
    edits.extend(text.without_bundle("p", &name, None).expect("edits"));
    let expected = channel("stable", "- {name: p.v1.2.0, replaces: p.v1.1.0, skips: [p.v1.1.1]}\n- {name: p.v1.1.0}\n")
        + &["1.2.0", "1.1.0"].map(bundle).concat();
    assert_eq!(edited(&before, &edits), expected);
    let head = removal(&found, found.channel("stable").expect("it"), &BundleName::from("p.v1.2.0"), false);
    assert_eq!(head.expect_err("the head").reason, release::Reason::HeadWithdrawn);
}

#[test]
fn case_12_a_channel_and_a_version_are_deprecated() {
    let before = "schema: olm.deprecations\npackage: p\nentries:\n# agreed with support\n- reference: {schema: olm.channel, name: stable-1.0}\n  \
                  message: 'Channel stable-1.0 gets no more fixes. Switch to stable-1.2.'\n";
    let add = |text: &str, what: DeprecationTarget, message: &str| {
        let parse = fbc::parse(FileId(0), text);
        let (edits, _) =
            Authored::of(FileId(0), text, &parse.docs, None).deprecate("p", &what, message).expect("edits");
        edited(text, &edits)
    };
    let channel = DeprecationTarget::Channel(ChannelName::from("stable-1.1"));
    let text = add(before, channel, "Channel stable-1.1 gets no more fixes. Switch to stable-1.2.");
    let text = add(&text, DeprecationTarget::Bundle(BundleName::from("p.v1.1.0")), "yes");
    let expected = format!(
        "{before}- reference: {{schema: olm.channel, name: stable-1.1}}\n  message: 'Channel stable-1.1 gets no more fixes. Switch to \
         stable-1.2.'\n- reference: {{schema: olm.bundle, name: p.v1.1.0}}\n  message: 'yes'\n"
    );
    assert_eq!(text, expected);
    let parse = fbc::parse(FileId(0), &text);
    let again = Authored::of(FileId(0), &text, &parse.docs, None).deprecate(
        "p",
        &DeprecationTarget::Bundle(BundleName::from("p.v1.1.0")),
        "gone",
    );
    assert_eq!(again.expect_err("it is").reason, release::Reason::AlreadyListed);
}
