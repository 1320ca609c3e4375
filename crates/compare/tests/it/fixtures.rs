//! Real changes to a published catalog (community-operators-prod, `catalogs/v4.18`), reduced to the entries that matter: rows that harm somebody, and
//! other changes.

use crate::{catalog, lowered};
use catalog::Catalog;
use compare::{Level, State, Texts, changes, compare};

/// Lines `channel version: rule` of rows above neutral, and `rule` of changes above neutral.
fn harms(old: &Catalog, new: &Catalog) -> Vec<String> {
    let state = |catalog| State { catalog, rejected: None };
    let comparison = &compare(state(old), state(new))[0];
    let rows = comparison.rows.iter().filter_map(|row| {
        let rule = row.rule.filter(|rule| rule.level() >= Level::Risky)?;
        Some(format!("{} {}: {}", row.channel, row.installed.as_str().trim_start_matches("p.v"), rule.id()))
    });
    let changes = changes(state(old), state(new), comparison, Texts { old: &|_| None, new: &|_| None });
    let changes = changes.iter().filter(|change| change.rule.level() >= Level::Risky).map(|change| change.rule.id());
    rows.chain(changes.map(str::to_owned)).collect()
}

#[track_caller]
fn check(old: &str, new: &str, expected: &[&str]) {
    assert_eq!(harms(&catalog(old), &catalog(new)), expected);
}

#[test]
fn clusterpulse_only_adds_a_head_and_strands_four_versions() {
    let rest = "0.2.3 (replaces 0.1.1; skips 0.1.1, 0.2.0, 0.2.1, 0.2.2), 0.2.2, 0.2.1, 0.2.0, 0.1.1";
    let new = format!("fast-v0: 0.3.0 (replaces 0.2.3; skips 0.2.3), {rest}");
    let expected = ["0.2.2", "0.2.1", "0.2.0", "0.1.1"].map(|version| format!("fast-v0 {version}: v0-stranded"));
    check(&format!("fast-v0: {rest}"), &new, &expected.each_ref().map(String::as_str));
}

#[test]
fn kubernaut_strands_one_version_more_with_each_release() {
    let first = "candidate-v1: 1.3.4 (replaces 1.3.3; skips 1.3.2, 1.3.3), 1.3.3, 1.3.2";
    let second = first.replace(": ", ": 1.4.1 (replaces 1.3.4; skips 1.3.4), ");
    let third = second.replace(": ", ": 1.5.0 (replaces 1.4.1; skips 1.4.1), ");
    check(first, &second, &["candidate-v1 1.3.3: v0-stranded", "candidate-v1 1.3.2: v0-stranded"]);
    check(&second, &third, &["candidate-v1 1.3.4: v0-stranded"]);
}

#[test]
fn visionone_exchanges_the_only_entry() {
    let old = "stable: 0.0.1\nalpha: 0.0.1";
    let new = "stable: 0.0.2\nalpha: 0.0.2 (replaces 0.0.1), 0.0.1";
    check(old, new, &["stable 0.0.1: v0-stranded"]);
}

#[test]
fn dell_csm_skips_what_would_have_updated_the_others() {
    let old = catalog("stable: 1.8.1 (replaces 1.8.0), 1.8.0 (replaces 1.7.0), 1.7.0 (skips 1.6.1), 1.6.1");
    let text = "stable: 1.9.0 (skips 1.8.1), 1.8.1 (skips 1.7.0), 1.7.0 (skips 1.6.1), 1.6.1";
    let stranded = ["1.8.0", "1.7.0", "1.6.1"].map(|version| format!("stable {version}: v0-stranded"));
    assert_eq!(harms(&old, &catalog(text)), stranded);
    let mut images = catalog(text);
    let package = std::sync::Arc::make_mut(&mut images.packages[0]);
    for bundle in package.bundles.iter_mut().filter(|bundle| bundle.name.value.as_str() != "p.v1.9.0") {
        bundle.image.iter_mut().for_each(|image| image.value = "other".into());
    }
    assert_eq!(harms(&old, &images), [&stranded[..], &["image-changed"; 3].map(str::to_owned)].concat());
}

#[test]
fn hive_withdraws_a_head_whose_name_sorts_below_the_others() {
    check("alpha: 0.0.5230 (replaces 1.2.5228), 1.2.5228", "alpha: 1.2.5228", &["alpha 0.0.5230: v0-stranded"]);
}

#[test]
fn clusterpulse_exchanges_all_channels() {
    let old = catalog("alpha: 0.1.0");
    let new = catalog("fast-v0: 0.2.0\nfast-v0.2: 0.2.0");
    assert_eq!(harms(&old, &new), ["alpha 0.1.0: v0-channel-gone"]);
    let lower = "fast-v0: 0.2.0 (replaces 0.1.1; skips 0.1.1), 0.1.1";
    check("fast-v0: 0.2.0\nfast-v0.2: 0.2.0", lower, &["fast-v0.2 0.2.0: v0-channel-gone"]);
}

#[test]
fn a_catalog_in_another_order_and_form_is_the_same() {
    let yaml = "schema: olm.package\nname: p\ndefaultChannel: c\n---\nschema: olm.channel\npackage: p\nname: c\nentries:\n- {name: p.v1.1.0, replaces: p.v1.0.0, skips: [p.v0.9.0, p.v0.8.0]}\n- name: p.v1.0.0\n---\nschema: olm.bundle\npackage: p\nname: p.v1.0.0\nimage: i\nproperties:\n- {type: olm.package, value: {packageName: p, version: 1.0.0}}\n- {type: olm.gvk, value: {group: g, version: v1, kind: K}}\n---\nschema: olm.bundle\npackage: p\nname: p.v1.1.0\nimage: i\nproperties:\n- {type: olm.package, value: {packageName: p, version: 1.1.0}}\n";
    let mut documents: Vec<&str> = yaml.split("---\n").collect();
    documents.reverse();
    let other = documents.join("---\n").replace("[p.v0.9.0, p.v0.8.0]", "[\"p.v0.8.0\", 'p.v0.9.0']").replace(
        "- {type: olm.package, value: {packageName: p, version: 1.0.0}}\n- {type: olm.gvk, value: {group: g, version: v1, kind: K}}\n",
        "- {value: {kind: K, version: v1, group: g}, type: olm.gvk}\n- {type: olm.package, value: {version: 1.0.0, packageName: p}}\n",
    );
    let (one, two) = (lowered(yaml), lowered(&other));
    assert_eq!(compare::edits(&one.packages[0], &two.packages[0]), []);
    assert_eq!(harms(&one, &two), [""; 0]);
}
