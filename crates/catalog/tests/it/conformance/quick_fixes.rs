//! Applies every quick fix of an error of `opm` in the 700 catalogs of the conformance tests.

use super::{Row, findings, rows};
use fbc::Rewriter;
use source::{Diagnostic, FileId, TextEdit};
use std::collections::BTreeMap;

fn errors(text: &str) -> Vec<Diagnostic> {
    findings(text).into_iter().filter(|finding| finding.opm.is_some()).collect()
}

/// The text after the quick fixes of an error, each by itself.
fn fixed<'f>(text: &str, error: &'f Diagnostic) -> Vec<(&'f str, String)> {
    let parse = fbc::parse(FileId(0), text);
    let mut rewriter = Rewriter::new(text, &parse.docs);
    let apply = |fix: &'f source::QuickFix| {
        Some((fix.title.as_str(), TextEdit::applied(&rewriter.edits(&fix.changes)?, text)?))
    };
    error.fixes.iter().filter_map(apply).collect()
}

#[test]
fn a_quick_fix_removes_its_error_and_adds_none() {
    let mut wrong = Vec::new();
    let mut tried: BTreeMap<&str, usize> = BTreeMap::new();
    for Row { name, catalog, .. } in &rows() {
        let before = errors(catalog);
        for error in &before {
            for (title, text) in fixed(catalog, error) {
                *tried.entry(error.rule.id()).or_default() += 1;
                let after = errors(&text);
                // Another place may have the same error.
                let count = |errors: &[Diagnostic]| {
                    errors.iter().filter(|other| other.rule == error.rule && other.message == error.message).count()
                };
                if count(&after) >= count(&before) || after.len() > before.len() {
                    let after: Vec<&str> = after.iter().map(|error| error.message.as_str()).collect();
                    wrong.push(format!("{name}: {title}: {}: {after:#?}\n{text}", error.message));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {tried:?}\n{}", wrong.len(), wrong.join("\n"));
    assert!(tried.len() > 10 && tried.values().sum::<usize>() > 100, "{tried:?}");
}
