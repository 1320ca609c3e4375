//! What is found in packages by themselves, and which findings follow from others.

use crate::file::FileInput;
use catalog::{Catalog, Package, ParsedFile, text_around};
use fbc::Doc;
use fbc::raw::{RawDoc, Text};
use lint::{Input, ParsedFiles};
use source::{Diagnostic, Executor, FileId, Findings, Rule, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

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

// What is found in packages by themselves, which is most of what is checked: an edit changes it for few of them.

/// Packages, sorted by name, and the findings that depend on each of them and on the text of its documents alone.
#[derive(Default)]
pub struct CheckedPackages(Vec<(Arc<Package>, Vec<Diagnostic>)>);

impl CheckedPackages {
    /// Checks the packages of a catalog, perhaps several at once. A package that is the same as before, and has no document in a
    /// file that `changed`, keeps its findings, and the catalog shares it.
    pub(crate) fn check(
        &mut self,
        catalog: &mut Catalog,
        files: &ParsedFiles<'_>,
        changed: &BTreeSet<FileId>,
        executor: Executor,
    ) -> Vec<Diagnostic> {
        for package in &mut catalog.packages {
            let is_same = |known: &Package| !package.files().any(|file| changed.contains(&file)) && *known == **package;
            if let Some((known, _)) = self.named(package).filter(|(known, _)| is_same(known)) {
                *package = Arc::clone(known);
            }
        }
        let input = Input { catalog, files };
        let check = |package: &Arc<Package>, findings: &mut Findings| match self.named(package) {
            Some((known, found)) if Arc::ptr_eq(known, package) => findings.extend(found.iter().cloned()),
            _ => check_package(input, package, findings),
        };
        let (found, hints) = executor.findings(&catalog.packages, check);
        let all = found.iter().flatten().chain(&hints).cloned().collect();
        // Where some are not kept, a package does not have all of its findings.
        let found = found.into_iter().take_while(|_| hints.is_empty());
        self.0 = catalog.packages.iter().cloned().zip(found).collect();
        all
    }

    /// The package of this name.
    fn named(&self, package: &Package) -> Option<&(Arc<Package>, Vec<Diagnostic>)> {
        let at = self.0.binary_search_by(|(known, _)| known.name.cmp(&package.name)).ok()?;
        self.0.get(at)
    }
}

fn check_package(input: Input<'_>, package: &Package, findings: &mut Findings) {
    catalog::check_package(package, findings);
    findings.extend(update_graph::check_package(package));
    lint::check_package(input, package, findings);
}

#[cfg(test)]
mod tests {
    use crate::testing::yaml;
    use crate::{NewText, Workbench};
    use std::sync::Arc;
    use views::{CatalogId, FileKey};

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

    const P: &str = "package p c\nchannel p c p.v1.0.0\nbundle p 1.0.0 requires q >=1.2.0_<1.3.0";
    const Q: &str = "package q c\nchannel q c q.v1.2.0\nbundle q 1.2.0";

    /// A catalog of two files.
    fn workbench() -> (Workbench, [String; 2]) {
        let texts = [P, Q].map(|sketch| yaml(sketch).replace('_', " "));
        let file = |(path, text): (&str, &String)| NewText { path: path.to_owned(), content: Ok(text.clone().into()) };
        let mut workbench = Workbench::new();
        let files = ["p.yaml", "q.yaml"].into_iter().zip(&texts).map(file).collect();
        workbench.add_catalog("c", files, &mut |_| {});
        (workbench, texts)
    }

    /// Replaces the first occurrence of a text in a file by one that is as long.
    fn replace(workbench: &mut Workbench, texts: &[String; 2], file: usize, from: &str, to: &str) {
        assert_eq!(from.len(), to.len());
        let start = texts[file].find(from).expect("the text has it") as u32;
        workbench.edit(FileKey(file as u32), start..start + from.len() as u32, to);
    }

    fn messages(workbench: &Workbench) -> Vec<&str> {
        let findings = &workbench.catalog(CatalogId(0)).unwrap().analysis.findings;
        findings.iter().map(|found| &*found.diagnostic.message).collect()
    }

    #[test]
    fn an_edit_of_what_the_model_leaves_out_is_checked() {
        let (mut workbench, texts) = workbench();
        let before = messages(&workbench).len();
        replace(&mut workbench, &texts, 1, "displayName: P,", "displayName: ~,");
        assert_eq!(messages(&workbench).len(), before + 1);
        assert!(messages(&workbench).iter().any(|message| message.contains("no `displayName`")));
        replace(&mut workbench, &texts, 1, "displayName: P,", "displayName: Q,");
        assert_eq!(messages(&workbench).len(), before);
    }

    #[test]
    fn a_finding_about_a_requirement_follows_the_required_package() {
        let (mut workbench, texts) = workbench();
        assert!(messages(&workbench).iter().any(|message| message.ends_with("it matches 1.2.0 of 1 version")));
        replace(&mut workbench, &texts, 1, "version: 1.2.0", "version: 1.4.0");
        assert!(messages(&workbench).iter().any(|message| message.ends_with("it matches none of 1 version")));
    }

    #[test]
    fn a_package_of_another_file_is_shared_with_what_was_opened() {
        let (mut workbench, texts) = workbench();
        replace(&mut workbench, &texts, 0, "image: i", "image: j");
        let catalog = workbench.catalog(CatalogId(0)).unwrap();
        let opened = &catalog.opened.as_ref().expect("an edit").analysis.catalog.packages;
        let present = &catalog.analysis.catalog.packages;
        let is_shared: Vec<bool> = opened.iter().zip(present).map(|(one, other)| Arc::ptr_eq(one, other)).collect();
        assert_eq!(is_shared, [false, true]);
    }
}
