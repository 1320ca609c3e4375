//! Finds which findings follow from others: a document that cannot be read, or a misspelt name, makes `opm` report much
//! else besides.

use crate::file::FileInput;
use catalog::{ParsedFile, text_around};
use fbc::Doc;
use fbc::raw::{RawDoc, Text};
use source::{Diagnostic, Rule, Span};
use std::collections::{BTreeMap, BTreeSet};

/// For each finding the one that it follows from, which itself follows from none.
pub(crate) fn causes(files: &[FileInput], findings: &[Diagnostic]) -> Vec<Option<usize>> {
    let lost = lost_names(files, findings);
    let mut entailed: BTreeMap<(Rule, Span), usize> = BTreeMap::new();
    let mut without_bundle: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, finding) in findings.iter().enumerate() {
        for &of in &finding.entails {
            entailed.entry(of).or_insert(at);
        }
        if finding.rule == Rule::MissingBundle {
            for name in &finding.missing {
                without_bundle.entry(name).or_insert(at);
            }
        }
    }
    let cause = |(at, finding): (usize, &Diagnostic)| {
        let of_text = lost_by(findings, &lost, at);
        let of_bundle = || match finding.rule {
            Rule::DuplicateVersion => finding.missing.first().and_then(|name| without_bundle.get(&**name).copied()),
            _ => None,
        };
        of_text.or_else(|| entailed.get(&(finding.rule, finding.span)).copied()).or_else(of_bundle)
    };
    let direct: Vec<Option<usize>> = findings.iter().enumerate().map(cause).collect();
    let root = |at: usize| std::iter::successors(direct[at], |&cause| direct[cause]).last();
    (0..findings.len()).map(root).collect()
}

/// A name in a text that makes up no document of the model.
struct Lost {
    /// The finding about that text.
    by: usize,
    text: Span,
}

/// The finding about a text that has all names which this finding misses.
fn lost_by(findings: &[Diagnostic], lost: &BTreeMap<&str, Lost>, at: usize) -> Option<usize> {
    let finding = &findings[at];
    let mut by = None;
    for name in &finding.missing {
        let lost = lost.get(&**name)?;
        let is_unknown = findings[lost.by].rule == Rule::UnknownPackage;
        // What an undeclared package explains are entries of other packages that have no bundle.
        if is_unknown && (finding.rule != Rule::MissingBundle || lost.text.contains(finding.span)) {
            return None;
        }
        by = by.or(Some(lost.by));
    }
    by
}

/// The names that findings miss, and that stand in a text which could not be read or belongs to no package.
fn lost_names<'f>(files: &[FileInput], findings: &'f [Diagnostic]) -> BTreeMap<&'f str, Lost> {
    let missing: BTreeSet<&str> = findings.iter().flat_map(|finding| &finding.missing).map(|name| &**name).collect();
    let mut lost = BTreeMap::new();
    if missing.is_empty() {
        return lost;
    }
    let files: BTreeMap<u32, &FileInput> = files.iter().map(|file| (file.key.0, file)).collect();
    let mut seen: BTreeSet<Span> = BTreeSet::new();
    for (by, finding) in findings.iter().enumerate().filter(|(_, finding)| is_cause(finding.rule)) {
        let Some(file) = files.get(&finding.span.file.0) else { continue };
        let Some(text) = lost_text(file, finding).filter(|text| seen.insert(*text)) else { continue };
        let words = text.slice(&file.text).split(|c: char| !(c.is_ascii_alphanumeric() || "-._".contains(c)));
        for name in words.filter_map(|word| missing.get(word.trim_end_matches('.'))) {
            lost.entry(*name).or_insert(Lost { by, text });
        }
    }
    lost
}

const fn is_cause(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::BrokenDocument
            | Rule::UnreadableFile
            | Rule::WrongType
            | Rule::MissingField
            | Rule::UnknownSchema
            | Rule::UnknownPackage
            | Rule::InvalidTemplate
    )
}

/// The text that a finding keeps out of the model: the document, or what stands between the documents that could be read.
fn lost_text(file: &FileInput, finding: &Diagnostic) -> Option<Span> {
    let (doc, text) = text_around(ParsedFile { text: &file.text, parse: file.parse() }, finding.span);
    doc.is_none_or(|doc| finding.rule == Rule::UnknownPackage || is_lost(doc)).then_some(text)
}

/// Whether a document that could be read is not in the model.
fn is_lost(doc: &Doc) -> bool {
    let is_named = |texts: [&Option<Text>; 2]| texts.iter().all(|text| text.is_some());
    !match &doc.raw {
        RawDoc::Package(raw) => raw.name.is_some(),
        RawDoc::Channel(raw) => is_named([&raw.package, &raw.name]),
        RawDoc::Bundle(raw) => is_named([&raw.package, &raw.name]),
        RawDoc::Deprecations(raw) => raw.package.is_some(),
        RawDoc::Other(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::Workbench;

    /// The rules of the findings, each with that of its cause.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let workbench = Workbench::new().with_text("c", "c.yaml", text);
        let findings = &workbench.catalogs()[0].analysis.findings;
        let line = |found: &crate::analysis::Finding| match found.cause {
            Some(cause) => format!("{} < {}", found.diagnostic.rule, findings[cause].diagnostic.rule),
            None => found.diagnostic.rule.to_string(),
        };
        assert_eq!(findings.iter().map(line).collect::<Vec<_>>(), expected);
    }

    /// What a broken document may hold is not missing. The document of a channel with an edge to it, and what names no package.
    #[test]
    fn hints_about_edges_need_all_documents_of_the_package() {
        let catalog = |more: &str| {
            let csv = "property olm.csv.metadata {displayName: P}";
            fixture::yaml(&format!("package p, default c\na: 1.0.0 ({csv})\nc: 1.1.0 ({csv})\nb: 1.2.0 ({csv}{more})"))
        };
        check(&catalog("; replaces 1.0.0; skips 1.1.0"), &[]);
        check(&catalog(""), &["dead-end-channel"]);
        let broken = catalog("; replaces 1.0.0; skips 1.1.0").replace("replaces: p.v1.0.0", "replaces: \"p.v1.0.0");
        check(&broken, &["broken-document", "bundle-in-no-channel < broken-document"]);
        // The head of the broken channel may have CSV metadata.
        let bare = fixture::yaml("package p, default a\na: 1.0.0\nb: 1.1.0 (replaces 1.0.0)");
        check(&bare, &["head-without-csv"]);
        let bare = bare.replace("replaces: p.v1.0.0", "replaces: \"p.v1.0.0");
        check(&bare, &["broken-document", "bundle-in-no-channel < broken-document"]);
        let with = |text: &str| catalog("") + "---\n" + text;
        let hints = |text: &str| {
            let workbench = Workbench::new().with_text("c", "c.yaml", with(text));
            let findings = &workbench.catalogs()[0].analysis.findings;
            findings.iter().filter(|found| found.diagnostic.rule.id() == "dead-end-channel").count()
        };
        let other = "schema: olm.package\nname: q\ndefaultChannel: c\n---\nschema: olm.channel\n";
        assert_eq!(hints("schema: olm.channel\nname: [\n"), 0, "nobody knows of which package");
        assert_eq!(hints("{\"schema\": \"olm.channel\", \"package\": \"p\", name"), 0, "JSON");
        assert_eq!(hints("schema: olm.channel\npackage: p\nname: d\nentries: none\n"), 0, "no list of entries");
        assert_eq!(hints(&format!("{other}package: q\nname: [\n")), 1, "a document of another package");
    }

    fn catalog() -> String {
        fixture::yaml("c: 1.1.0 (replaces 1.0.0; property olm.csv.metadata {displayName: P}), 1.0.0")
    }

    #[test]
    fn a_channel_that_cannot_be_read_explains_its_bundles() {
        check(&catalog(), &[]);
        let expected = [
            "unknown-default-channel < broken-document",
            "broken-document",
            "bundle-in-no-channel < broken-document",
            "bundle-in-no-channel < broken-document",
        ];
        check(&catalog().replace("package: p\nname: c\nentries", "package: p\n name: c\nentries"), &expected);
    }

    #[test]
    fn a_bundle_that_cannot_be_read_explains_its_entry() {
        let broken = catalog().replace("image: example.com/p:1.0.0", "image: [");
        check(&broken, &["missing-bundle < broken-document", "broken-document"]);
        // The text has nothing of the other bundle.
        let other =
            fixture::yaml("c: 1.1.0 (replaces 1.0.0; property olm.csv.metadata {displayName: P}), 1.0.0\nbundle 3.0.0");
        let other = other.replace("image: example.com/p:1.0.0", "image: [");
        check(&other, &["missing-bundle < broken-document", "broken-document", "bundle-in-no-channel"]);
    }

    #[test]
    fn entries_without_bundles_are_one_cause() {
        check(
            &fixture::yaml("c: 1.1.0 (replaces 1.0.0; no bundle), 1.0.0 (no bundle)"),
            &["missing-bundle", "duplicate-version < missing-bundle"],
        );
    }

    #[test]
    fn a_misspelt_package_explains_what_it_leaves_out() {
        let text = catalog().replace(
            "schema: olm.bundle\npackage: p\nname: p.v1.0.0",
            "schema: olm.bundle\npackage: pp\nname: p.v1.0.0",
        );
        let expected = [
            "missing-bundle < unknown-package",
            "unknown-package",
            "bundle-in-no-channel < unknown-package",
            "invalid-property",
        ];
        check(&text, &expected);
    }

    #[test]
    fn a_misspelt_entry_explains_the_bundle_that_it_misses() {
        let text =
            catalog().replace("replaces: p.v1.0.0}\n- {name: p.v1.0.0}", "replaces: p.v1.0.O}\n- {name: p.v1.0.O}");
        check(&text, &["missing-bundle", "bundle-in-no-channel < missing-bundle"]);
    }
}
