//! How time and memory of `opscope` grow with its inputs: each command on inputs of several sizes, which are made here.

use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::ops::Range;
use std::path::Path;

use anyhow::Result;
use xshell::cmd;

use super::{Run, measure};
use crate::workspace;
use crate::workspace::say;

const TABLE: [&str; 2] = [
    "One run of each command on inputs of growing size: time of all processors together and the peak of memory. The last \
     column is the time for each unit, beside that of the smallest input: 1 is linear growth.",
    "input and command                                              size   cpu ms  peak MB  growth",
];

/// The catalogs of a set.
const MEMBERS: Range<usize> = 10..21;

/// A command on inputs of one kind.
struct Case {
    /// What the input has, by its size.
    name: &'static str,
    sizes: [usize; 3],
    /// Writes the input of a size, by the paths of its files.
    input: fn(usize) -> Vec<(String, String)>,
    /// The arguments, in the folder of the input.
    arguments: &'static [&'static str],
}

const NAMESPACES: [usize; 3] = [1000, 2000, 5000];
const PACKAGES: [usize; 3] = [1000, 2000, 4000];
const CHANNELS: [usize; 3] = [100, 200, 400];
const ENTRIES: [usize; 3] = [500, 1000, 2000];
const CHAIN: [usize; 3] = [5000, 10_000, 20_000];
const CLUSTER: &str = "cluster.json";

const CASES: [Case; 19] = [
    of_cluster("namespaces", &["resolve", "--cluster", CLUSTER, "--catalog", "c=v4.20"]),
    of_cluster("namespaces", &["compare", "v4.20", "v4.21", "--cluster", CLUSTER]),
    of_cluster("namespaces", &["migrate", "--cluster", CLUSTER, "--catalog", "c=v4.20"]),
    of_cluster("namespaces", &["plan", "--cluster", CLUSTER, "--from", "4.20", "--to", "4.21", "--catalogs", "."]),
    of_packages(&["plan", "--from", "4.20", "--to", "4.21", "--catalogs", "."]),
    of_packages(&["set", "."]),
    of_packages(&["compare", "v4.20", "v4.21"]),
    of_packages(&["validate", "v4.20"]),
    of_packages(&["migrate", "--cluster", CLUSTER, "--catalog", "c=v4.20"]),
    of_channels(&["remove", "catalog.json", "1.10.0"]),
    of_channels(&["deprecate", "catalog.json", "1.10.0", "--message", "old"]),
    of_channels(&["release", "bundle", "--into", "catalog.json", "--policy", "replace-head", "--image", "x/a:2"]),
    Case { name: "entries of a channel that ends", sizes: ENTRIES, input: ending, arguments: &["set", "."] },
    Case { name: "entries of a channel that slides", sizes: ENTRIES, input: sliding, arguments: &["set", "."] },
    of_chain(&["resolve", "--subscribe", "a", "--catalog", "c=catalog.json"]),
    of_chain(&["repair", "catalog.json"]),
    of_chain(&["reach", "a", "--catalog", "c=catalog.json"]),
    of_chain(&["compare", "catalog.json", "catalog.json"]),
    of_chain(&["validate", "catalog.json"]),
];

const fn of_cluster(name: &'static str, arguments: &'static [&'static str]) -> Case {
    Case { name, sizes: NAMESPACES, input: namespaces, arguments }
}

const fn of_packages(arguments: &'static [&'static str]) -> Case {
    Case { name: "packages", sizes: PACKAGES, input: packages, arguments }
}

const fn of_channels(arguments: &'static [&'static str]) -> Case {
    Case { name: "channels of 100 entries", sizes: CHANNELS, input: channels, arguments }
}

const fn of_chain(arguments: &'static [&'static str]) -> Case {
    Case { name: "entries of a channel", sizes: CHAIN, input: chain, arguments }
}

/// Builds `opscope`, and prints a line for each case and size. The inputs are written below `folder`.
pub(super) fn run(folder: &Path) -> Result<()> {
    let shell = workspace::shell()?;
    cmd!(shell, "cargo build --release -p opscope").run()?;
    let opscope = workspace::target().join("release").join("opscope");
    TABLE.iter().for_each(say);
    for case in &CASES {
        let mut first = None;
        for size in case.sizes {
            if folder.exists() {
                fs::remove_dir_all(folder)?;
            }
            for (path, text) in (case.input)(size) {
                let path = folder.join(path);
                fs::create_dir_all(path.parent().unwrap_or(folder))?;
                fs::write(path, text)?;
            }
            let arguments = case.arguments.iter().map(OsString::from);
            let command: Vec<OsString> = std::iter::once(opscope.clone().into()).chain(arguments).collect();
            let run = measure(&command, folder, None)?;
            let base = *first.get_or_insert((size, run));
            say(row(case, size, &run, base));
        }
    }
    Ok(())
}

fn row(case: &Case, size: usize, run: &Run, (first, base): (usize, Run)) -> String {
    let of_unit = |size: usize, run: &Run| run.cpu.as_secs_f64() / size as f64;
    let growth = of_unit(size, run) / of_unit(first, &base);
    let name = format!("{}: {}", case.name, case.arguments[..2].join(" "));
    format!("{name:<60} {size:>6} {:>8} {:>8} {growth:>7.2}", run.cpu.as_millis(), run.peak / 1_000_000)
}

/// Entries from 1.`first`.0 on, each of which replaces the one before, as JSON.
fn entries(package: &str, numbers: Range<usize>) -> String {
    let first = numbers.start;
    let entry = |number: usize| match number.checked_sub(1).filter(|before| *before >= first) {
        Some(before) => {
            format!(r#"{{"name": "{package}.v1.{number}.0", "replaces": "{package}.v1.{before}.0"}}"#)
        }
        None => format!(r#"{{"name": "{package}.v1.{number}.0"}}"#),
    };
    numbers.map(entry).collect::<Vec<_>>().join(", ")
}

/// A package with channels of the same entries.
fn package(name: &str, channels: &[String], numbers: Range<usize>) -> String {
    let mut text = format!(r#"{{"schema": "olm.package", "name": "{name}", "defaultChannel": "{}"}}"#, channels[0]);
    let entries = entries(name, numbers.clone());
    for channel in channels {
        let fields = format!(r#""schema": "olm.channel", "package": "{name}", "name": "{channel}""#);
        text += &format!("\n{{{fields}, \"entries\": [{entries}]}}");
    }
    for number in numbers {
        let properties =
            format!(r#"[{{"type": "olm.package", "value": {{"packageName": "{name}", "version": "1.{number}.0"}}}}]"#);
        let fields =
            format!(r#""package": "{name}", "name": "{name}.v1.{number}.0", "image": "x/{name}:1.{number}.0""#);
        text += &format!("\n{{\"schema\": \"olm.bundle\", {fields}, \"properties\": {properties}}}");
    }
    text + "\n"
}

/// A cluster with Subscriptions to packages, each in a namespace of its own with version 1.0.0.
fn cluster(count: usize, package: impl Fn(usize) -> String) -> String {
    let source = r#"{"apiVersion": "operators.coreos.com/v1alpha1", "kind": "CatalogSource", "metadata": {"name": "c",
        "namespace": "olm"}, "spec": {"sourceType": "grpc", "image": "x"}}"#;
    let mut text = format!(r#"{{"apiVersion": "v1", "kind": "List", "items": [{source}"#);
    for number in 0..count {
        let name = package(number);
        let object = |api: &str, kind: &str, name: &str, rest: &str| {
            format!(
                r#", {{"apiVersion": "operators.coreos.com/{api}", "kind": "{kind}",
                "metadata": {{"name": "{name}", "namespace": "n{number}"}}, {rest}}}"#
            )
        };
        let csv = format!("{name}.v1.0.0");
        text += &object("v1", "OperatorGroup", "g", r#""spec": {}"#);
        text += &object("v1alpha1", "ClusterServiceVersion", &csv, r#""spec": {"version": "1.0.0"}"#);
        let spec = format!(r#""name": "{name}", "channel": "s", "source": "c", "sourceNamespace": "olm""#);
        let status = format!(r#""installedCSV": "{csv}", "currentCSV": "{csv}""#);
        let rest = format!(r#""spec": {{{spec}}}, "status": {{{status}}}"#);
        text += &object("v1alpha1", "Subscription", &format!("s{number}"), &rest);
    }
    text + "]}\n"
}

fn namespaces(count: usize) -> Vec<(String, String)> {
    let catalog = |entries| package("a", &["s".to_owned()], 0..entries);
    vec![
        (CLUSTER.to_owned(), cluster(count, |_| "a".to_owned())),
        ("v4.20/catalog.json".to_owned(), catalog(10)),
        ("v4.21/catalog.json".to_owned(), catalog(11)),
    ]
}

fn packages(count: usize) -> Vec<(String, String)> {
    let catalog = |entries| {
        (0..count).map(|number| package(&format!("p{number}"), &["s".to_owned()], 0..entries)).collect::<String>()
    };
    vec![
        (CLUSTER.to_owned(), cluster(count, |number| format!("p{number}"))),
        ("v4.20/catalog.json".to_owned(), catalog(2)),
        ("v4.21/catalog.json".to_owned(), catalog(3)),
    ]
}

fn channels(count: usize) -> Vec<(String, String)> {
    let channels: Vec<String> = (0..count).map(|number| format!("s{number}")).collect();
    let csv = "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata: {name: a.v2.0.0}\n\
               spec: {version: 2.0.0}\n";
    let mut annotations =
        "annotations:\n  operators.operatorframework.io.bundle.mediatype.v1: registry+v1\n".to_owned();
    for (key, value) in
        [("manifests", "manifests/"), ("metadata", "metadata/"), ("package", "a"), ("channels", &channels.join(","))]
    {
        writeln!(annotations, "  operators.operatorframework.io.bundle.{key}.v1: {value}")
            .expect("a string takes all that is written");
    }
    vec![
        ("catalog.json".to_owned(), package("a", &channels, 0..100)),
        ("bundle/manifests/csv.yaml".to_owned(), csv.to_owned()),
        ("bundle/metadata/annotations.yaml".to_owned(), annotations),
    ]
}

fn ending(count: usize) -> Vec<(String, String)> {
    let member = |at: usize| package("a", &[format!("s{at}")], 0..count);
    MEMBERS.map(|at| (format!("v4.{at}/catalog.json"), member(at))).collect()
}

fn sliding(count: usize) -> Vec<(String, String)> {
    let member = |at: usize| {
        let first = (at - MEMBERS.start) * count / 2;
        package("a", &["s".to_owned()], first..first + count)
    };
    MEMBERS.map(|at| (format!("v4.{at}/catalog.json"), member(at))).collect()
}

fn chain(count: usize) -> Vec<(String, String)> {
    vec![("catalog.json".to_owned(), package("a", &["s".to_owned()], 0..count))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn growth_is_the_time_of_a_unit_beside_that_of_the_smallest_input() {
        let run = |millis| Run { wall: Duration::ZERO, cpu: Duration::from_millis(millis), peak: 4_000_000 };
        let case = &CASES[0];
        let row = row(case, 4000, &run(800), (1000, run(100)));
        let words: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(words, ["namespaces:", "resolve", "--cluster", "4000", "800", "4", "2.00"]);
    }

    #[test]
    fn the_inputs_are_json() {
        let of = [namespaces(2), packages(2), channels(2), ending(2), sliding(2), chain(2)].into_iter().flatten();
        for (path, text) in of.filter(|(path, _)| path.ends_with(".json")) {
            let values: Result<Vec<serde_json::Value>, _> =
                serde_json::Deserializer::from_str(&text).into_iter().collect();
            assert!(values.is_ok_and(|values| !values.is_empty()), "{path}: {text}");
        }
    }
}
