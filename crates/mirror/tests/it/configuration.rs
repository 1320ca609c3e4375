//! What oc-mirror rejects in a configuration, and which item is about a catalog.

use crate::configuration;
use mirror::{Choice, ImageSetConfiguration, OcMirror, is_image_set_configuration};
use source::FileId;

fn read(file: FileId, text: &str) -> ImageSetConfiguration {
    mirror::read(file, text, OcMirror::default())
}

/// The findings as `line: rule: message`.
#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let found = read(FileId(0), text).diagnostics;
    let line = |at: u32| text[..at as usize].matches('\n').count() + 1;
    let found: Vec<String> = found
        .iter()
        .map(|finding| format!("{}: {}: {}", line(finding.span.start), finding.rule, finding.message))
        .collect();
    assert_eq!(found, expected, "{text}");
}

/// The same of an item of `operators`, whose first line is line 5. The words before the error are left out.
#[track_caller]
fn check_item(item: &str, expected: &[&str]) {
    let prefix = "invalid-image-set: oc-mirror rejects the configuration: ";
    let expected: Vec<String> = expected.iter().map(|line| line.replacen(": ", &format!(": {prefix}"), 1)).collect();
    check(&configuration(item), &expected.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn bounds_must_be_versions() {
    check_item(
        "- catalog: c:v1\n  packages:\n  - name: p\n    minVersion: -+?\n    maxVersion: abc\n",
        &[
            r#"8: catalog "c:v1": operator "p": minVersion "-+?" must respect semantic versioning notation"#,
            r#"9: catalog "c:v1": operator "p": maxVersion "abc" must respect semantic versioning notation"#,
        ],
    );
    check_item(
        "- catalog: c:v1\n  packages:\n  - name: p\n    channels:\n    - name: fast\n      minVersion: x\n      maxVersion: v1\n",
        &[
            r#"10: catalog "c:v1": operator "p": channel "fast": minVersion "x" must respect semantic versioning notation"#,
        ],
    );
}

#[test]
fn bounds_are_at_the_package_or_at_its_channels() {
    check_item(
        "- catalog: c:v1\n  packages:\n  - name: p\n    minVersion: 1.0.0\n    channels:\n    - name: fast\n      maxVersion: 2.0.0\n    - name: slow\n",
        &[
            r#"11: catalog "c:v1": operator "p": mixing both filtering by minVersion/maxVersion and filtering by channel minVersion/maxVersion is not allowed"#,
        ],
    );
}

#[test]
fn nothing_occurs_twice() {
    let duplicate = |name: &str| format!(r#"6: catalog "{name}": duplicate found in configuration"#);
    check_item("- catalog: quay.io/c:v1\n- catalog: docker://quay.io/c:v1\n", &[&duplicate("quay.io/c:v1")]);
    check_item("- catalog: quay.io/c:v1\n- {catalog: quay.io/c:v1, targetTag: v2}\n", &[]);
    check_item(
        "- catalog: quay.io/a/c:v2\n- {catalog: quay.io/a/c:v1, targetTag: v2}\n",
        &[&duplicate("quay.io/a/c:v2")],
    );
    check_item(
        "- catalog: quay.io/b/c:v1\n- {catalog: quay.io/a/d:v1, targetCatalog: b/c}\n",
        &[&duplicate("quay.io/b/c:v1")],
    );
    check_item(
        "- catalog: c\n  packages: [{name: p}, {name: q, channels: [{name: a}, {name: a}]}, {name: p}]\n",
        &[
            r#"6: catalog "c": operator "q": duplicate channel entry "a""#,
            r#"6: catalog "c": duplicate package entry "p""#,
        ],
    );
}

#[test]
fn values_have_their_types_and_names_are_needed() {
    check(
        &configuration("- full: yes please\n  packages:\n  - minVersion: 1.20\n    channel: a\n  - name: ''\n  - x\n"),
        &[
            "5: missing-field: `catalog` is missing",
            "5: wrong-type: `full` must be a boolean",
            "7: missing-field: `name` is missing",
            "7: wrong-type: `minVersion` must be a text",
            "8: unknown-field: a package has no field `channel`",
            "9: missing-field: `name` is missing",
            "10: wrong-type: every item of `packages` must be a mapping",
        ],
    );
}

#[test]
fn other_texts_are_no_configurations() {
    check("kind: ConfigMap\n", &["1: invalid-image-set: this is no ImageSetConfiguration of oc-mirror"]);
    let broken = read(FileId(0), "kind: [\n").diagnostics;
    assert_eq!(broken.iter().map(|finding| finding.rule.id()).collect::<Vec<_>>(), ["broken-document"]);
    check(&"#".repeat((1 << 20) + 1), &["1: unreadable-file: the configuration is larger than the limit of 1024 KiB"]);
    assert!(is_image_set_configuration(&configuration("- catalog: c\n")));
    assert!(is_image_set_configuration(
        "{\"kind\": \"ImageSetConfiguration\", \"apiVersion\": \"mirror.openshift.io/v1alpha2\"}"
    ));
    assert!(!is_image_set_configuration("schema: olm.package\nname: ImageSetConfiguration\nx: mirror.openshift.io/\n"));
}

#[test]
fn the_version_of_the_configuration_is_that_of_oc_mirror_v2() {
    let of = |version: &str| configuration("- catalog: c\n").replace("v2alpha1", version);
    let old = "1: old-image-set: `v1alpha2` is for oc-mirror v1, which filters by other rules: it follows `replaces` alone, always keeps the head, and adds dependencies";
    check(&of("v1alpha2"), &[old]);
    check(&of("v9"), &["1: invalid-image-set: oc-mirror knows no version `v9`"]);
    assert!(read(FileId(0), &of("v1alpha2")).is_accepted() && !read(FileId(0), &of("v9")).is_accepted());
}

#[test]
fn documents_of_a_text_belong_together() {
    let text = configuration("- catalog: quay.io/x/a:v1\n")
        + "---\nkind: ConfigMap\n---\n"
        + &configuration("- catalog: quay.io/x/b@sha256:12\n");
    let config = read(FileId(0), &text);
    assert_eq!((config.catalogs.len(), &config.diagnostics[..]), (2, &[][..]));
    let chosen = |name: &str| match config.choose(name) {
        Choice::One(found) => found.catalog.value.to_string(),
        Choice::Several => "several".to_owned(),
        Choice::None => "none".to_owned(),
    };
    assert_eq!(
        ["a", "b", "quay.io/x/a:v1", "c"].map(chosen),
        ["quay.io/x/a:v1", "quay.io/x/b@sha256:12", "quay.io/x/a:v1", "several"]
    );
    assert_eq!(read(FileId(0), &configuration("[]")).choose("a"), Choice::None);
}

#[test]
fn findings_are_limited() {
    let items: String = (0..300).map(|_| "- x\n").collect();
    let found = read(FileId(0), &configuration(&items)).diagnostics;
    assert_eq!((found.len(), found[200].message.as_str()), (201, "100 more findings are not shown"));
}
