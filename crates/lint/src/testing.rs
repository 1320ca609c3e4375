//! `check(rule, yaml, expected)` compares the findings of one rule, a line for each.

use crate::Input;
use catalog::{Catalog, ParsedFile, lower};
use fbc::Parse;
use source::{Diagnostic, Executor, FileId, LineIndex, Rule};

/// Asserts that `rule` finds `expected` in a catalog of one file, each written `line:column message`.
#[track_caller]
pub(crate) fn check(rule: Rule, text: &str, expected: &[&str]) {
    check_files(rule, &[text], expected);
}

/// The same for a catalog of several files.
#[track_caller]
pub(crate) fn check_files(rule: Rule, texts: &[&str], expected: &[&str]) {
    let parses = parses(texts);
    let files = files(texts, &parses);
    let (catalog, _) = lower(&files);
    let findings = crate::check(Input { catalog: &catalog, files: &files }, &pruned(&catalog));
    assert_eq!(lines_of(rule, texts, &findings), expected);
}

/// Asserts what `rule` finds in several catalogs of one file each that are loaded together.
#[track_caller]
pub(crate) fn check_across_catalogs(rule: Rule, texts: &[&str], expected: &[&str]) {
    let parses = parses(texts);
    let files = files(texts, &parses);
    let catalogs: Vec<Catalog> = files.iter().map(|file| lower(std::slice::from_ref(file)).0).collect();
    let inputs = catalogs.iter().zip(&files);
    let inputs: Vec<Input<'_>> =
        inputs.map(|(catalog, file)| Input { catalog, files: std::slice::from_ref(file) }).collect();
    let findings: Vec<Diagnostic> =
        crate::check_across_catalogs(&inputs, Executor::default()).into_iter().flatten().collect();
    assert_eq!(lines_of(rule, texts, &findings), expected);
}

/// All findings in a catalog of one file.
pub(crate) fn findings(text: &str) -> Vec<Diagnostic> {
    let parses = parses(&[text]);
    let files = files(&[text], &parses);
    let (catalog, _) = lower(&files);
    crate::check(Input { catalog: &catalog, files: &files }, &pruned(&catalog))
}

fn pruned(catalog: &Catalog) -> std::collections::BTreeSet<source::Span> {
    update_graph::check(catalog).into_iter().map(|finding| finding.span).collect()
}

fn parses(texts: &[&str]) -> Vec<Parse> {
    texts.iter().zip(0..).map(|(text, file)| fbc::parse(FileId(file), text)).collect()
}

fn files<'a>(texts: &[&'a str], parses: &'a [Parse]) -> Vec<ParsedFile<'a>> {
    texts.iter().zip(parses).map(|(text, parse)| ParsedFile { text, parse }).collect()
}

fn lines_of(rule: Rule, texts: &[&str], findings: &[Diagnostic]) -> Vec<String> {
    let of_rule = findings.iter().filter(|finding| finding.rule == rule);
    let line = |finding: &Diagnostic| {
        let text = texts[finding.span.file.0 as usize];
        let at = LineIndex::new(text).position(text, finding.span.start);
        assert!(finding.help.is_some() && finding.opm.is_none(), "{finding:?}");
        format!("{}:{} {}", at.line, at.column, finding.message)
    };
    of_rule.map(line).collect()
}

/// A package `p` with default channel `c`, the given entries in channel `c` and a bundle for each version.
pub(crate) fn package(entries: &str, versions: &[&str]) -> String {
    let mut text = format!(
        "schema: olm.package\nname: p\ndefaultChannel: c\n---\nschema: olm.channel\npackage: p\nname: c\nentries:\n{entries}"
    );
    for version in versions {
        text.push_str(&format!(
            "---\nschema: olm.bundle\npackage: p\nname: p.v{version}\nimage: quay.io/p/p:v{version}\nproperties:\n- type: olm.package\n  value: {{packageName: p, version: {version}}}\n"
        ));
    }
    text
}

/// A package with one bundle `<name>.v<version>` in channel `c`, the default, and the given properties on line 8.
pub(crate) fn operator(name: &str, version: &str, properties: &str) -> String {
    format!(
        "schema: olm.package\nname: {name}\ndefaultChannel: c\n---\n{{schema: olm.channel, package: {name}, name: c, entries: [{{name: {name}.v{version}}}]}}\n---\n{{schema: olm.bundle, package: {name}, name: {name}.v{version}, image: 'quay.io/{name}', properties: [{{type: olm.package, value: {{packageName: {name}, version: {version}}}}},\n   {properties}]}}\n"
    )
}
