//! `check(rule, text)` compares the findings of one rule with the marks of a text, as [`fixture::check`] says.

use crate::{Input, ParsedFiles};
use catalog::{Catalog, ParsedFile, lower};
use fbc::Parse;
use source::{Diagnostic, Executor, FileId, Findings, Rule};

/// Checks a rule on catalogs; the files of a case are those of one catalog.
#[track_caller]
pub(crate) fn check(rule: Rule, text: &str) {
    fixture::check(text, |texts| of_files(rule, texts));
}

/// The findings of a rule in a catalog of one file.
pub(crate) fn found(rule: Rule, text: &str) -> Vec<Diagnostic> {
    of_files(rule, &[text])
}

fn of_files(rule: Rule, texts: &[&str]) -> Vec<Diagnostic> {
    let parses = parses(texts);
    let files = files(texts, &parses);
    let (catalog, _) = lower(&files);
    let input = Input { catalog: &catalog, files: &files };
    let mut findings = Findings::default();
    catalog.packages.iter().for_each(|package| crate::check_package(input, package, &mut findings));
    findings.extend(crate::check_together(input, Executor::default()));
    of_rule(rule, findings.into_diagnostics())
}

/// Checks a rule on catalogs that are loaded together; each file of a case is one of them.
#[track_caller]
pub(crate) fn check_across_catalogs(rule: Rule, text: &str) {
    fixture::check(text, |texts| {
        let parses = parses(texts);
        let files = files(texts, &parses);
        let catalogs: Vec<Catalog> = files.iter().map(|file| lower(std::slice::from_ref(file)).0).collect();
        let files: Vec<ParsedFiles<'_>> = files.iter().map(|file| vec![*file].into()).collect();
        let inputs = catalogs.iter().zip(&files);
        let inputs: Vec<Input<'_>> = inputs.map(|(catalog, file)| Input { catalog, files: file }).collect();
        of_rule(rule, crate::check_across_catalogs(&inputs, Executor::default()).into_iter().flatten().collect())
    });
}

fn parses(texts: &[&str]) -> Vec<Parse> {
    texts.iter().zip(0..).map(|(text, file)| fbc::parse(FileId(file), text)).collect()
}

fn files<'a>(texts: &[&'a str], parses: &'a [Parse]) -> ParsedFiles<'a> {
    texts.iter().zip(parses).map(|(text, parse)| ParsedFile { text, parse }).collect::<Vec<_>>().into()
}

fn of_rule(rule: Rule, mut findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    findings.retain(|finding| finding.rule == rule);
    assert!(findings.iter().all(|finding| finding.help.is_some() && finding.opm.is_none()), "{findings:?}");
    findings
}
