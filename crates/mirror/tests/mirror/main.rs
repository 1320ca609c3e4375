//! ImageSetConfigurations applied to small catalogs.

mod channels;
mod configuration;
mod packages;
mod suggestions;
mod texts;

use catalog::{Catalog, ParsedFile, lower};
use mirror::{Filtering, ImageSetConfiguration, MirroredCatalog, filter, read};
use source::FileId;
use std::collections::BTreeSet;

/// The text of a catalog. A line is `package NAME DEFAULT`, `channel NAME` or an entry of the channel before it: `1.1.0
/// replaces=1.0.0 skips=0.9.0,0.9.1 range=>=0.8.0_<1.1.0`. Every entry has a bundle.
fn text(lines: &str) -> String {
    let (mut text, mut package) = (String::new(), "");
    let mut bundles = BTreeSet::new();
    for line in lines.lines() {
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["package", name, default] => {
                package = name;
                text += &format!("---\nschema: olm.package\nname: {name}\ndefaultChannel: {default}\n");
            }
            ["channel", name] => {
                text += &format!("---\nschema: olm.channel\npackage: {package}\nname: {name}\nentries:\n");
            }
            [version, ref fields @ ..] => {
                bundles.insert((package, version));
                text += &format!("- name: {package}.v{version}\n");
                text.extend(fields.iter().map(|written| field(package, written)));
            }
            [] => {}
        }
    }
    for (package, version) in bundles {
        text += &format!(
            "---\nschema: olm.bundle\npackage: {package}\nname: {package}.v{version}\nimage: i\nproperties:\n- {{type: olm.package, value: {{packageName: {package}, version: {version}}}}}\n"
        );
    }
    text
}

fn field(package: &str, field: &str) -> String {
    match field.split_once('=').unwrap_or_default() {
        ("replaces", version) => format!("  replaces: {package}.v{version}\n"),
        ("skips", versions) => {
            let names: Vec<String> = versions.split(',').map(|version| format!("{package}.v{version}")).collect();
            format!("  skips: [{}]\n", names.join(", "))
        }
        (_, range) => format!("  skipRange: '{}'\n", range.replace('_', " ")),
    }
}

fn lowered(text: &str) -> Catalog {
    let parse = fbc::parse(FileId(0), text);
    lower(&[ParsedFile { text, parse: &parse }]).0
}

/// A configuration with these lines below `operators:`.
fn configuration(operators: &str) -> String {
    let operators: String = operators.lines().map(|line| format!("  {line}\n")).collect();
    format!("apiVersion: mirror.openshift.io/v2alpha1\nkind: ImageSetConfiguration\nmirror:\n  operators:\n{operators}")
}

/// The only item of a configuration that oc-mirror accepts, with these lines behind its catalog.
fn wanted(more: &str) -> MirroredCatalog {
    let ImageSetConfiguration { catalogs, diagnostics } =
        read(FileId(1), &configuration(&format!("- catalog: quay.io/c:v1\n{more}")));
    assert_eq!(diagnostics, [], "{more}");
    catalogs.into_iter().next().expect("one item")
}

fn filtered(catalog: &str, more: &str) -> Filtering {
    filter(&lowered(&text(catalog)), &wanted(more))
}

/// What remains: a line `package channel: versions` for each channel.
#[track_caller]
fn check(catalog: &str, more: &str, expected: &[&str]) {
    let filtering = filtered(catalog, more);
    let kept = filtering.kept.unwrap_or_else(|| panic!("{:?}", filtering.diagnostics));
    let mut lines = Vec::new();
    for (package, kept) in &kept.packages {
        let prefix = format!("{package}.v");
        for (channel, names) in &kept.channels {
            let versions: Vec<&str> = names.iter().map(|name| name.as_str().trim_start_matches(&prefix)).collect();
            lines.push(format!("{package} {channel}: {}", versions.join(" ")));
        }
    }
    assert_eq!(lines, expected, "{more}");
}

/// The findings, as rules and messages.
fn messages(filtering: &Filtering) -> Vec<String> {
    filtering.diagnostics.iter().map(|finding| format!("{}: {}", finding.rule, finding.message)).collect()
}

/// The errors with which oc-mirror stops.
#[track_caller]
fn check_error(catalog: &str, more: &str, expected: &[&str]) {
    let filtering = filtered(catalog, more);
    assert_eq!(filtering.kept, None, "{more}");
    let errors = filtering.diagnostics.iter().filter_map(|finding| finding.message.strip_prefix("oc-mirror stops: "));
    assert_eq!(errors.collect::<Vec<_>>(), expected, "{more}");
}
