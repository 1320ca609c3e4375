//! Catalogs of which a part was not read: what they seem to miss may be in that part.
//!
//! Nobody knows which packages, channels and bundles files have that were not opened. Then anything may be missing. A text that is
//! there, but is no document, often names its package.

use crate::{Catalog, Package, ParsedFile};
use fbc::Doc;
use source::{Diagnostic, Rule, Span};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

impl Catalog {
    /// Says that a part of the files was not read. Then any package may have further bundles.
    pub fn set_partial(&mut self) {
        self.is_partial = true;
        self.packages.iter_mut().for_each(|package| Arc::make_mut(package).has_unknown_bundles = true);
    }
}

/// Whether a finding is about what was not read although `opm` may read it: a file that cannot be opened, a symbolic link out
/// of the folder, or a document that would take too much memory.
#[must_use]
pub fn is_about_unread(found: &Diagnostic) -> bool {
    found.rule == Rule::UnreadableFile && found.opm.is_none()
}

/// Takes out the findings that may have their cause in what was not read. If a part of the files was not read, these are all that
/// miss something, and those about the channels that are made of all bundle directories of a package. If a document cannot be
/// read, they are those about edges of its package, or of any package if nobody knows of which it is.
pub fn retain_certain(catalog: &Catalog, files: &[ParsedFile<'_>], findings: &mut Vec<Diagnostic>) {
    if catalog.is_partial {
        findings.retain(|found| {
            found.missing.is_empty()
                && !depends_on_edges(found.rule)
                && !matches!(found.rule, Rule::UnbuiltPackage | Rule::PrunedBundle)
        });
        return;
    }
    let unread: Vec<&Package> = unread_packages(catalog, files);
    if !unread.is_empty() {
        let is_of = |package: &&Package, span: Span| {
            let channels = package.channels.iter().map(|channel| channel.span);
            let lifecycles = package.lifecycles.iter().filter_map(|data| Some(data.package.as_ref()?.span));
            let bundles = package.bundles.iter().map(|bundle| bundle.span);
            channels.chain(lifecycles).chain(bundles).any(|document| document.contains(span))
        };
        findings
            .retain(|found| !depends_on_edges(found.rule) || !unread.iter().any(|package| is_of(package, found.span)));
    }
}

/// Whether a further channel, entry, edge or bundle of the package may remove the findings of a rule, which `opm` does not report.
const fn depends_on_edges(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::DeadEndChannel
            | Rule::StuckEntry
            | Rule::IgnoredEdge
            | Rule::HeadBelowEntry
            | Rule::HeadWithoutCsv
            | Rule::MisspeltName
            | Rule::IdleSkipRange
            | Rule::SkipRangePruning
            | Rule::UnmatchedLifecycle
    )
}

/// The packages that may have more than the model says, because a document cannot be read.
fn unread_packages<'c>(catalog: &'c Catalog, files: &[ParsedFile<'_>]) -> Vec<&'c Package> {
    let mut names = BTreeSet::new();
    for file in files {
        let hides = |found: &&Diagnostic| {
            matches!(found.rule, Rule::BrokenDocument | Rule::WrongType | Rule::MissingField) && found.opm.is_some()
        };
        for found in file.parse.diagnostics.iter().filter(hides) {
            let (_, text) = text_around(*file, found.span);
            let mut named =
                packages_in(text.slice(file.text)).filter(|name| catalog.package(name).is_some()).peekable();
            if named.peek().is_none() {
                return catalog.packages.iter().map(Arc::as_ref).collect();
            }
            names.extend(named);
        }
    }
    names.into_iter().filter_map(|name| catalog.package(name)).collect()
}

/// What stands behind a key `package` in a text that may be no document.
fn packages_in(text: &str) -> impl Iterator<Item = &str> {
    let is_mark = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '-');
    text.split(['\n', ',', '{', '}']).filter_map(move |field| {
        let (key, value) = field.split_once(':')?;
        let value = value.split(" #").next()?;
        (key.trim_matches(is_mark) == "package").then(|| value.trim_matches(is_mark))
    })
}

/// The document around a place, with its text; of a place in none, the text between the documents that could be read.
#[must_use]
pub fn text_around<'f>(file: ParsedFile<'f>, place: Span) -> (Option<&'f Doc>, Span) {
    let docs = &file.parse.docs;
    let next = docs.partition_point(|doc| doc.span.start <= place.start);
    if let Some(doc) = docs[..next].last().filter(|doc| doc.span.contains(place)) {
        return (Some(doc), doc.span);
    }
    let from = docs[..next].last().map_or(0, |doc| doc.span.end as usize);
    let to = docs.get(next).map_or(file.text.len(), |doc| doc.span.start as usize);
    let Range { start, end } = between_separators(file.text, from..to, place.start as usize);
    (None, Span::new(place.file, start as u32, end as u32))
}

/// The part of a range of the text around a byte, up to the next lines that separate documents.
fn between_separators(text: &str, range: Range<usize>, at: usize) -> Range<usize> {
    let at = text.floor_char_boundary(at.clamp(range.start, range.end));
    let start = text[range.start..at].rfind("\n---").map_or(range.start, |before| range.start + before);
    let end = text[at..range.end].find("\n---").map_or(range.end, |after| at + after);
    start..end
}
