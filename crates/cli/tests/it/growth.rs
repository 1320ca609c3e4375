//! Inputs so large that a command whose time grew with the square of their size would not end.

use crate::command::{Ended, file, folder, opscope, write};
use std::fmt::Write;
use std::ops::Range;

/// A package with channels of the same entries, from 1.`first`.0 on, each of which replaces the one before.
fn package(name: &str, channels: &[String], numbers: Range<usize>) -> String {
    let mut text =
        format!("{{\"schema\":\"olm.package\",\"name\":\"{name}\",\"defaultChannel\":\"{}\"}}\n", channels[0]);
    let first = numbers.start;
    let entry = |number: usize| {
        let replaces = format!(",\"replaces\":\"{name}.v1.{}.0\"", number.saturating_sub(1));
        format!("{{\"name\":\"{name}.v1.{number}.0\"{}}}", if number > first { &replaces } else { "" })
    };
    let entries = numbers.clone().map(entry).collect::<Vec<_>>().join(",");
    for channel in channels {
        let fields = format!("\"schema\":\"olm.channel\",\"package\":\"{name}\",\"name\":\"{channel}\"");
        writeln!(text, "{{{fields},\"entries\":[{entries}]}}").expect("a text can be written to");
    }
    for number in numbers {
        let fields = format!(
            "\"schema\":\"olm.bundle\",\"package\":\"{name}\",\"name\":\"{name}.v1.{number}.0\",\"image\":\"i\""
        );
        let property = format!("{{\"packageName\":\"{name}\",\"version\":\"1.{number}.0\"}}");
        writeln!(text, "{{{fields},\"properties\":[{{\"type\":\"olm.package\",\"value\":{property}}}]}}")
            .expect("a text can be written to");
    }
    text
}

fn names(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("s{number}")).collect()
}

/// A cluster with an OperatorGroup and a Subscription to one package in each namespace.
fn cluster(namespaces: usize, package: impl Fn(usize) -> String) -> String {
    let mut text = "kind: CatalogSource\nmetadata: {name: c, namespace: olm}\n".to_owned();
    for number in 0..namespaces {
        let (package, metadata) = (package(number), format!("namespace: n{number}"));
        let csv = format!("{package}.v1.0.0");
        let subscription = format!("spec: {{name: {package}, channel: s0, source: c, sourceNamespace: olm}}");
        write!(
            text,
            "---\nkind: OperatorGroup\nmetadata: {{name: g, {metadata}}}\nspec: {{}}\n---\n\
             kind: ClusterServiceVersion\nmetadata: {{name: {csv}, {metadata}}}\nspec: {{version: 1.0.0}}\n---\n\
             kind: Subscription\nmetadata: {{name: s, {metadata}}}\n{subscription}\n\
             status: {{installedCSV: {csv}, currentCSV: {csv}}}\n"
        )
        .expect("a text can be written to");
    }
    text
}

#[test]
fn each_namespace_is_looked_at_by_itself() {
    let folder = folder("many-namespaces");
    let count = 1000;
    let catalog = |last| package("a", &names(1), 0..last);
    let files = [
        ("cluster.yaml", cluster(count, |_| "a".to_owned())),
        ("v4.20/catalog.json", catalog(2)),
        ("v4.21/catalog.json", catalog(3)),
    ];
    write(&folder, &files.each_ref().map(|(path, text)| (*path, text.as_str())));
    let run = |arguments: &str| opscope(arguments.split(' ')).within(&folder).ended();
    let compared = run("compare v4.20 v4.21 --cluster cluster.yaml");
    assert_eq!((compared.code, compared.errors.as_str()), (0, ""));
    assert_eq!(compared.out.matches("After: updated to 1.1.0 → 1.2.0 (goes-further)").count(), count);
    let planned = run("plan --cluster cluster.yaml --from 4.20 --to 4.21 --catalogs .");
    assert!(planned.out.contains("\n4.20 → 4.21: 1000 operators are updated by OLM\n"), "{}", planned.errors);
    let migrated = run("migrate --cluster cluster.yaml --catalog c=v4.20");
    assert_eq!(migrated.code, 1, "all have the same package: {}", migrated.errors);
}

#[test]
fn each_package_is_looked_at_by_itself() {
    let folder = folder("many-packages");
    let count = 1000;
    let catalog =
        |last| (0..count).map(|number| package(&format!("p{number}"), &names(1), 0..last)).collect::<String>();
    let files = [
        ("cluster.yaml", cluster(count, |number| format!("p{number}"))),
        ("v4.20/catalog.json", catalog(1)),
        ("v4.21/catalog.json", catalog(2)),
    ];
    write(&folder, &files.each_ref().map(|(path, text)| (*path, text.as_str())));
    let run = |arguments: &str| opscope(arguments.split(' ')).within(&folder).ended();
    let planned = run("plan --from 4.20 --to 4.21 --catalogs .");
    assert!(planned.out.contains("\n4.20 → 4.21: 1000 operators are updated by OLM\n"), "{}", planned.errors);
    let migrated = run("migrate --cluster cluster.yaml --catalog c=v4.20");
    assert!(migrated.out.contains("p999"), "{}", migrated.errors);
}

#[test]
fn a_catalog_is_read_again_once_for_the_edits_of_all_channels() {
    let catalog = file("many-channels.json", package("a", &names(400), 0..20));
    let removed = opscope(["remove".as_ref(), catalog.as_os_str(), "1.10.0".as_ref()]).ended();
    assert_eq!((removed.code, removed.errors.as_str()), (0, ""));
    assert_eq!(removed.out.matches(": let `a.v1.11.0` replace `a.v1.9.0`\n").count(), 400);
    assert_eq!(removed.out.matches("\n− channel `s").count(), 400);
}

#[test]
fn versions_of_a_set_are_looked_up_together() {
    let folder = folder("long-channels");
    let count = 4000;
    let ending = |at: usize| package("a", &[format!("s{at}")], 0..count);
    let sliding = |at: usize| package("a", &names(1), at * count / 2..at * count / 2 + count);
    let files = [
        ("ends/v4.20/catalog.json", ending(0)),
        ("ends/v4.21/catalog.json", ending(1)),
        ("slides/v4.20/catalog.json", sliding(0)),
        ("slides/v4.21/catalog.json", sliding(1)),
    ];
    write(&folder, &files.each_ref().map(|(path, text)| (*path, text.as_str())));
    let Ended { out, code, .. } = opscope(["set", "ends"]).within(&folder).ended();
    assert!(out.contains("way out: change the channel to `s1` after the update of OpenShift;"), "{out}");
    assert_eq!(code, 1);
    let Ended { out, code, .. } = opscope(["set", "slides"]).within(&folder).ended();
    assert!(out.contains("`a.v1.1000.0`\n    and 1995 more\n"), "{out}");
    assert_eq!(code, 0);
}

#[test]
fn a_long_channel_that_is_right_needs_no_repair() {
    let catalog = file("long-channel.json", package("a", &names(1), 0..10_000));
    let Ended { out, errors, code } = opscope(["repair".as_ref(), catalog.as_os_str()]).ended();
    let expected = "Nothing to repair: every version reaches the head of its channel.\n";
    assert_eq!((out.as_str(), errors.as_str(), code), (expected, "", 0));
}

#[test]
fn a_long_channel_in_which_a_version_is_stuck_is_not_searched() {
    // The head replaces nothing that leads to the first entry.
    let text = package("a", &names(1), 0..4000)
        .replace("{\"name\":\"a.v1.1.0\",\"replaces\":\"a.v1.0.0\"}", "{\"name\":\"a.v1.1.0\"}");
    let catalog = file("long-stuck-channel.json", text);
    let Ended { out, code, .. } = opscope(["repair".as_ref(), catalog.as_os_str()]).ended();
    assert!(out.contains("the channel has 4000 entries; repairs are searched in up to 3000"), "{out}");
    assert_eq!(code, 1);
}

#[test]
fn a_long_channel_is_resolved_before_anything_is_installed() {
    let catalog = file("long-fresh-channel.json", package("a", &names(1), 0..5000));
    let named = format!("c={}", catalog.display());
    let Ended { out, code, .. } = opscope(["resolve", "--subscribe", "a", "--catalog", &named]).ended();
    assert!(out.contains("installs a.v1.4999.0"), "{out}");
    assert_eq!(code, 0);
}
