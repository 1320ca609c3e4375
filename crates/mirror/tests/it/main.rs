//! ImageSetConfigurations applied to small catalogs.

mod configuration;
mod packages;
mod releases;
mod suggestions;
mod texts;

use catalog::{Catalog, ParsedFile, lower};
use fixture::yaml;
use mirror::{Filtering, ImageSetConfiguration, MirroredCatalog, OcMirror, filter, read};
use source::FileId;

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
        read(FileId(1), &configuration(&format!("- catalog: quay.io/c:v1\n{more}")), OcMirror::default());
    assert_eq!(diagnostics, [], "{more}");
    catalogs.into_iter().next().expect("one item")
}

fn filtered(catalog: &str, more: &str) -> Filtering {
    filtered_by(OcMirror::default(), catalog, more)
}

fn filtered_by(release: OcMirror, catalog: &str, more: &str) -> Filtering {
    filter(&lowered(&yaml(catalog)), &wanted(more), release)
}

/// What remains: a line `package channel: versions` for each channel.
#[track_caller]
fn check(catalog: &str, more: &str, expected: &[&str]) {
    assert_eq!(remaining(&filtered(catalog, more)), expected, "{more}");
}

/// The lines of [`check`].
#[track_caller]
fn remaining(filtering: &Filtering) -> Vec<String> {
    let kept = filtering.kept.as_ref().unwrap_or_else(|| panic!("{:?}", filtering.diagnostics));
    let mut lines = Vec::new();
    for (package, kept) in &kept.packages {
        let prefix = format!("{package}.v");
        for (channel, names) in &kept.channels {
            let versions: Vec<&str> = names.iter().map(|name| name.as_str().trim_start_matches(&prefix)).collect();
            lines.push(format!("{package} {channel}: {}", versions.join(" ")));
        }
    }
    lines
}

/// The findings, as rules and messages.
fn messages(filtering: &Filtering) -> Vec<String> {
    filtering.diagnostics.iter().map(|finding| format!("{}: {}", finding.rule, finding.message)).collect()
}

/// The errors with which oc-mirror stops.
#[track_caller]
fn check_error(catalog: &str, more: &str, expected: &[&str]) {
    assert_eq!(errors(&filtered(catalog, more)), expected, "{more}");
}

#[track_caller]
fn errors(filtering: &Filtering) -> Vec<&str> {
    assert_eq!(filtering.kept, None);
    filtering.diagnostics.iter().filter_map(|finding| finding.message.strip_prefix("oc-mirror stops: ")).collect()
}
