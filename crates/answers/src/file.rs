//! Whole files and excerpts for the editor, which counts lines and UTF-16 units while the workbench counts bytes; the
//! symbol at a position, and where it is defined.

use super::entry::holds;
use super::findings::QuickFixes;
use catalog::predicate::Requirement;
use catalog::{Bundle, Package};
use fbc::raw::{RawBundle, RawChannel, RawDeprecations, RawDoc, Text};
use session::{CatalogInput, DocumentIndex, FileInput, Finding, Workbench};
use source::{FileId, Span};
use std::ops::Range;
use views::{
    DefinitionKind, DefinitionView, EntryKey, FileKey, FileMark, FileTarget, FileView, PackageKey, SourceMark,
    SourceView, SymbolView, TextPlace,
};

/// The most findings that are marked in a file.
const MARKS: usize = 1000;

/// A file with its findings and the range that `target` is in it. `opens` says whether the editor is going to open it,
/// and needs to know what was edited.
#[must_use]
pub fn file_view(workbench: &Workbench, key: FileKey, target: FileTarget, opens: bool) -> Option<FileView> {
    let (catalog, file) = workbench.file(key)?;
    let (marks, unmarked) = marks(workbench, catalog, file);
    Some(FileView {
        catalog: catalog.id,
        path: file.path.clone(),
        units: units(&file.text),
        lines: file.lines.line_count(),
        read_only: match file.expanded_from.and_then(|template| catalog.file(template)) {
            Some(_) if catalog.bundle_tree.is_some() => {
                Some("made from the bundles of the folder; edit these instead".to_owned())
            }
            Some(template) => Some(format!("expanded from the template {}; edit the template instead", template.path)),
            None => file.not_editable().map(str::to_owned),
        },
        opened: file.difference.as_ref().filter(|_| opens).map(|difference| file.way_back(difference)),
        marks,
        unmarked,
        target: match target {
            FileTarget::Anywhere => None,
            FileTarget::Line(line) => {
                let start = file.lines.line_start(&file.text, line);
                Some(file.range(start, start))
            }
            FileTarget::Bytes { start, end } => Some(file.range(start, end)),
        },
    })
}

/// UTF-16 units, with each line end as one.
fn units(text: &str) -> u32 {
    // A character is a leading byte; those of four bytes are two units.
    let units: u32 = text.bytes().map(|byte| u32::from(byte & 0xc0 != 0x80) + u32::from(byte >= 0xf0)).sum();
    units - text.matches("\r\n").count() as u32
}

/// The worst findings of a file in the order of its text, and how many others there are.
fn marks(workbench: &Workbench, catalog: &CatalogInput, file: &FileInput) -> (Vec<FileMark>, u32) {
    let here = || catalog.analysis.findings.iter().filter(|found| found.diagnostic.span.file.0 == file.key.0);
    let mut worst: Vec<&Finding> = here().take(MARKS).collect();
    let unmarked = here().count() - worst.len();
    worst.sort_by_key(|found| found.diagnostic.span);
    let mut fixes = QuickFixes::new(workbench);
    let marks = worst.into_iter().map(|Finding { diagnostic, .. }| FileMark {
        range: file.mark_range(diagnostic.span),
        severity: diagnostic.severity,
        rule: diagnostic.rule.id().to_owned(),
        message: diagnostic.message.clone(),
        help: diagnostic.help.clone(),
        fixes: fixes.of_mark(diagnostic),
    });
    (marks.collect(), unmarked as u32)
}

// Excerpts of files: small enough to show and edit at once, whatever the size of the file.

/// The most bytes of an excerpt before, and after, the place of interest. The excerpt ends at line breaks unless a line is
/// longer than this.
const REACH: usize = 32 * 1024;
/// The most bytes that one line counts for. An icon can be one line of a hundred thousand bytes, and users want to see
/// the lines after it.
const LINE: usize = 1024;
/// The most bytes of an excerpt on each side, however its lines are counted.
const MOST: usize = 4 * REACH;

/// The excerpt of a file around a place.
#[must_use]
pub fn source(workbench: &Workbench, file: FileKey, target: FileTarget) -> Option<SourceView> {
    let (catalog, file) = workbench.file(file)?;
    let at = match target {
        FileTarget::Anywhere => 0,
        FileTarget::Line(line) => file.lines.line_start(&file.text, line),
        FileTarget::Bytes { start, .. } => start,
    };
    Some(excerpt(catalog, file, at as usize))
}

fn excerpt(catalog: &CatalogInput, file: &FileInput, at: usize) -> SourceView {
    let text = &*file.text;
    let at = text.floor_char_boundary(at.min(text.len()));
    let bytes = reach(text, at);
    let line = |offset: usize| file.lines.position(text, offset as u32).line;
    SourceView {
        catalog: catalog.id,
        path: file.path.clone(),
        lines: file.lines.line_count(),
        first_line: line(bytes.start),
        text: text[bytes.clone()].to_owned(),
        marks: marks_source(catalog, file, &bytes),
        target_line: line(at),
    }
}

/// The bytes around `at`: whole lines if that is possible.
fn reach(text: &str, at: usize) -> Range<usize> {
    let first = text.floor_char_boundary(at.saturating_sub(REACH));
    let start = match first {
        0 => 0,
        _ => text[first..at].find('\n').map_or(first, |newline| first + newline + 1),
    };
    start..at + lines_from(&text[at..])
}

/// How many bytes of `rest` an excerpt takes.
fn lines_from(rest: &str) -> usize {
    let (mut counted, mut end) = (0, 0);
    for line in rest.split_inclusive('\n') {
        counted += line.len().min(LINE);
        if counted > REACH || end + line.len() > MOST {
            break;
        }
        end += line.len();
    }
    if end == 0 { rest.ceil_char_boundary(REACH.min(rest.len())) } else { end }
}

fn marks_source(catalog: &CatalogInput, file: &FileInput, bytes: &Range<usize>) -> Vec<SourceMark> {
    let here =
        catalog.analysis.shown().map(|found| &found.diagnostic).filter(|diagnostic| {
            diagnostic.span.file.0 == file.key.0 && bytes.contains(&(diagnostic.span.start as usize))
        });
    let mut marks: Vec<SourceMark> = here
        .map(|diagnostic| SourceMark {
            line: file.lines.position(&file.text, diagnostic.span.start).line,
            severity: diagnostic.severity,
            message: diagnostic.message.clone(),
        })
        .collect();
    marks.sort_by(|a, b| (a.line, a.severity, &a.message).cmp(&(b.line, b.severity, &b.message)));
    marks
}

// The symbol at a position of a file, and where it is defined.

/// The number of bundles that are listed as meeting a requirement.
const MET_BY: usize = 12;

/// A name in a document, or a requirement.
enum Named<'d> {
    Package(&'d str),
    Channel(&'d str),
    Bundle(&'d str),
    /// An entry of the channel, as `replaces` and `skips` name it.
    Entry(&'d str, &'d str),
    /// The entries of a bundle. At the definition itself, the useful answer is who refers to it.
    EntriesOf(&'d str),
    Requirement(Requirement),
}

/// The package and entry at a position of a file, and the definitions of the name there.
#[must_use]
pub fn symbol(workbench: &Workbench, key: FileKey, at: TextPlace) -> Option<SymbolView> {
    let (catalog, file) = workbench.file(key)?;
    let offset = file.offset(at);
    let span = Span::new(FileId(key.0), offset, offset);
    let subject = DocumentIndex::of(&catalog.analysis.catalog).subject(&catalog.analysis.catalog, span);
    let entry = subject.as_ref().and_then(|subject| {
        let channel = subject.channel.as_ref().map(ToString::to_string);
        Some(EntryKey { channel, name: subject.entry.as_ref()?.to_string() })
    });
    let package = subject.map(|subject| PackageKey { catalog: catalog.id, package: subject.package.to_string() });
    Some(SymbolView { package, entry, definitions: definitions(workbench, key, offset) })
}

/// The definitions of the name at a byte of a file, the best first; empty when nothing loaded has the name.
#[must_use]
pub fn definitions(workbench: &Workbench, key: FileKey, offset: u32) -> Vec<DefinitionView> {
    let Some((catalog, file)) = workbench.file(key) else { return Vec::new() };
    let before = file.parse().docs.partition_point(|doc| doc.span.start <= offset);
    let Some(doc) = file.parse().docs[..before].last() else { return Vec::new() };
    let Some((package, named)) = named(catalog, file, &doc.raw, offset) else { return Vec::new() };
    match named {
        Named::Package(name) => package_definitions(workbench, catalog, name),
        Named::Requirement(requirement) => providers(workbench, catalog, &requirement),
        named => {
            let package = package.and_then(|name| catalog.analysis.catalog.package(name));
            package.map(|package| in_package(catalog, package, &named)).unwrap_or_default()
        }
    }
}

/// The declarations of a package: the one in the same catalog, else those in the others.
fn package_definitions(workbench: &Workbench, catalog: &CatalogInput, name: &str) -> Vec<DefinitionView> {
    let own: Vec<DefinitionView> = declared(catalog, name).into_iter().collect();
    if own.is_empty() { workbench.catalogs().iter().filter_map(|other| declared(other, name)).collect() } else { own }
}

/// The newest bundles that meet a requirement; if there are none, the package that it names.
fn providers(workbench: &Workbench, catalog: &CatalogInput, requirement: &Requirement) -> Vec<DefinitionView> {
    let mut met: Vec<(&CatalogInput, &Bundle)> = Vec::new();
    for other in workbench.catalogs() {
        for package in &other.analysis.catalog.packages {
            let meeting = package.bundles.iter().filter(|bundle| holds(requirement, package, bundle));
            met.extend(meeting.map(|bundle| (other, bundle)));
        }
    }
    met.sort_by(|(_, a), (_, b)| b.version().cmp(&a.version()).then_with(|| a.name.value.cmp(&b.name.value)));
    match requirement {
        Requirement::Package { name, .. } if met.is_empty() => package_definitions(workbench, catalog, name.as_str()),
        _ => met.into_iter().take(MET_BY).map(|(catalog, bundle)| bundle_definition(catalog, bundle)).collect(),
    }
}

/// The name at a byte of a document, else the first one on its line, and the package of the document.
fn named<'d>(
    catalog: &'d CatalogInput,
    file: &FileInput,
    doc: &'d RawDoc,
    offset: u32,
) -> Option<(Option<&'d str>, Named<'d>)> {
    let (package, names) = match doc {
        RawDoc::Package(raw) => {
            let channel = raw.default_channel.iter().map(|text| (text.span, Named::Channel(&text.value)));
            (raw.name.as_ref(), channel.collect())
        }
        RawDoc::Channel(raw) => (raw.package.as_ref(), channel_names(raw)),
        RawDoc::Bundle(raw) => (raw.package.as_ref(), bundle_names(catalog, raw)),
        RawDoc::Deprecations(raw) => (raw.package.as_ref(), deprecation_names(raw)),
        RawDoc::Other(raw) => (raw.package.as_ref(), Vec::new()),
    };
    let name = package.map(|text| &*text.value);
    let mut names: Vec<(Span, Named<'d>)> = names;
    if !matches!(doc, RawDoc::Package(_)) {
        names.extend(package.map(|text| (text.span, Named::Package(&text.value))));
    }
    let line = file.lines.position(&file.text, offset).line;
    let on_line = |span: Span| file.lines.position(&file.text, span.start).line == line;
    let length = |span: Span| span.end - span.start;
    let holding = |span: Span| (span.start..=span.end).contains(&offset);
    names.sort_by_key(|(span, _)| (!holding(*span), length(*span) * u32::from(holding(*span)), span.start));
    let found = names.into_iter().find(|(span, _)| holding(*span) || on_line(*span));
    found.map(|(_, named)| (name, named))
}

fn channel_names(raw: &RawChannel) -> Vec<(Span, Named<'_>)> {
    let channel = raw.name.as_ref().map_or("", |text| &text.value);
    let mut names = Vec::new();
    for entry in &raw.entries {
        names.extend(entry.name.iter().map(|text| (text.span, Named::Bundle(&text.value))));
        let edges = entry.replaces.iter().chain(&entry.skips);
        names.extend(edges.map(|text| (text.span, Named::Entry(channel, &text.value))));
    }
    names
}

fn bundle_names<'d>(catalog: &'d CatalogInput, raw: &'d RawBundle) -> Vec<(Span, Named<'d>)> {
    let text = |text: &'d Option<Text>| text.as_ref().map_or("", |text| &*text.value);
    let mut names: Vec<_> = raw.name.iter().map(|text| (text.span, Named::EntriesOf(&text.value))).collect();
    let bundle =
        catalog.analysis.catalog.package(text(&raw.package)).and_then(|package| package.bundle(text(&raw.name)));
    for property in bundle.iter().flat_map(|bundle| &bundle.properties) {
        if let Some(Ok(requirement)) = Requirement::of(&property.value) {
            names.push((property.span, Named::Requirement(requirement)));
        }
    }
    names
}

fn deprecation_names(raw: &RawDeprecations) -> Vec<(Span, Named<'_>)> {
    let names = raw.entries.iter().filter_map(|entry| {
        let name = entry.name.as_ref()?;
        let named = match &*entry.schema.as_ref()?.value {
            "olm.channel" => Named::Channel(&name.value),
            "olm.bundle" => Named::Bundle(&name.value),
            _ => return None,
        };
        Some((name.span, named))
    });
    names.collect()
}

fn in_package(catalog: &CatalogInput, package: &Package, named: &Named<'_>) -> Vec<DefinitionView> {
    let entry_in = |channel: &catalog::Channel, name: &str| {
        let entry = channel.entry(name)?;
        Some(definition(catalog, DefinitionKind::Entry, &format!("{name} in {}", channel.name), entry.name.span))
    };
    let bundle = |name: &str| package.bundle(name).map(|bundle| bundle_definition(catalog, bundle));
    match named {
        Named::Channel(name) => {
            let channel = package.channel(name);
            channel.map(|c| definition(catalog, DefinitionKind::Channel, name, c.name.span)).into_iter().collect()
        }
        Named::Bundle(name) => bundle(name).into_iter().collect(),
        Named::Entry(channel, name) => {
            let listed = package.channel(channel).and_then(|channel| entry_in(channel, name));
            listed.or_else(|| bundle(name)).into_iter().collect()
        }
        Named::EntriesOf(name) => package.channels.iter().filter_map(|channel| entry_in(channel, name)).collect(),
        Named::Package(_) | Named::Requirement(_) => Vec::new(),
    }
}

fn bundle_definition(catalog: &CatalogInput, bundle: &Bundle) -> DefinitionView {
    definition(catalog, DefinitionKind::Bundle, bundle.name.value.as_str(), bundle.name.span)
}

/// The declaration of a package, at its name.
fn declared(catalog: &CatalogInput, name: &str) -> Option<DefinitionView> {
    let span = catalog.analysis.catalog.package(name)?.declared?;
    let file = catalog.file(FileKey(span.file.0))?;
    let doc = file.parse().docs.iter().find(|doc| doc.span == span);
    let named = doc.and_then(|doc| match &doc.raw {
        RawDoc::Package(raw) => Some(raw.name.as_ref()?.span),
        _ => None,
    });
    Some(definition(catalog, DefinitionKind::Package, name, named.unwrap_or(span)))
}

fn definition(catalog: &CatalogInput, kind: DefinitionKind, name: &str, span: Span) -> DefinitionView {
    let name = name.to_owned();
    DefinitionView { kind, name, catalog: catalog.name.clone(), path: catalog.path(span), place: catalog.place(span) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::overview;
    use session::NewText;
    use session::testing::{self, yaml};
    use views::{TextChange, TextPlace, TextRange};

    fn workbench(text: &str) -> (Workbench, FileKey) {
        let workbench = Workbench::new().with_text("c", "a.yaml", text);
        let key = workbench.catalogs()[0].files[0].key;
        (workbench, key)
    }

    fn range([line, column, to_line, to_column]: [u32; 4]) -> TextRange {
        let from = TextPlace { line, column };
        TextRange { from, to: TextPlace { line: to_line, column: to_column } }
    }

    #[track_caller]
    fn check(text: &str, changes: &[([u32; 4], &str)], expected: &str) {
        let (mut workbench, key) = workbench(text);
        let change = |&(at, text): &([u32; 4], &str)| TextChange { range: range(at), text: text.to_owned() };
        workbench.apply_changes(key, &changes.iter().map(change).collect::<Vec<_>>());
        assert_eq!(&*workbench.file(key).unwrap().1.text, expected);
    }

    #[test]
    fn columns_are_utf16_units() {
        check("é🙂z\n", &[([1, 4, 1, 5], "Z")], "é🙂Z\n");
        check("é🙂z\n", &[([1, 2, 1, 4], "")], "éz\n");
    }

    #[test]
    fn line_ends_are_those_of_the_line() {
        check("a\r\nb\nc\r\n", &[([1, 2, 1, 2], "\nx")], "a\r\nx\r\nb\nc\r\n");
        check("a\r\nb\nc\r\n", &[([2, 2, 2, 2], "\nx")], "a\r\nb\nx\nc\r\n");
        check("a\r\nb", &[([2, 2, 2, 2], "\nx")], "a\r\nb\r\nx");
        check("a\r\nb\r\n", &[([1, 2, 2, 1], "")], "ab\r\n");
        check("a\rb\n", &[([1, 3, 1, 4], "\nB")], "a\r\nB\n");
    }

    #[test]
    fn several_changes_are_of_the_text_before_all() {
        check("one\ntwo\nthree\n", &[([1, 1, 1, 4], "1"), ([2, 4, 3, 1], ""), ([3, 6, 3, 6], "!")], "1\ntwothree!\n");
    }

    #[test]
    fn places_that_are_not_there_are_the_nearest() {
        check("a\n", &[([9, 9, 9, 9], "b")], "a\nb");
        check("a\nb", &[([1, 9, 1, 9], "A")], "aA\nb");
        check("🙂", &[([1, 2, 1, 2], "x")], "x🙂");
    }

    #[test]
    fn an_edited_file_knows_the_way_back() {
        let (mut workbench, key) = workbench("a\r\nb\r\nc\r\n");
        let opened = |workbench: &Workbench| file_view(workbench, key, FileTarget::Anywhere, true).unwrap().opened;
        assert_eq!(opened(&workbench), None);
        workbench.edit(key, 1..4, "x");
        assert_eq!(&*workbench.file(key).unwrap().1.text, "ax\r\nc\r\n");
        let back = TextChange { range: range([1, 1, 2, 1]), text: "a\nb\n".to_owned() };
        assert_eq!(opened(&workbench), Some(back.clone()));
        assert_eq!(file_view(&workbench, key, FileTarget::Anywhere, false).unwrap().opened, None);
        assert!(overview(&workbench).catalogs[0].files[0].edited);
        workbench.apply_changes(key, &[back]);
        assert_eq!(&*workbench.file(key).unwrap().1.text, "a\r\nb\r\nc\r\n");
        assert_eq!(opened(&workbench), None);
        assert!(!overview(&workbench).catalogs[0].files[0].edited);
    }

    #[test]
    fn units_count_line_ends_once() {
        for (text, expected) in [("", 0), ("é🙂\r\n", 4), ("a\r\rb\n", 5)] {
            assert_eq!(units(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_mark_is_within_a_line_and_is_seen() {
        let (workbench, key) = workbench("---\nschema: olm.package\nname: p\ndefaultChannel: c\n");
        let view = file_view(&workbench, key, FileTarget::Bytes { start: 4, end: 30 }, false).unwrap();
        assert_eq!(view.target, Some(range([2, 1, 3, 7])));
        let marks: Vec<_> = view.marks.iter().map(|mark| (mark.rule.as_str(), mark.range)).collect();
        assert_eq!(marks, [("unknown-default-channel", range([4, 17, 4, 18]))]);
    }

    #[test]
    fn what_is_no_text_is_not_edited() {
        let workbench = Workbench::new().with_text("c", "a.yaml", vec![0x7f, 0x45, 0x00]);
        let key = workbench.catalogs()[0].files[0].key;
        let view = file_view(&workbench, key, FileTarget::Anywhere, false).unwrap();
        assert_eq!(view.read_only.as_deref(), Some("it is not text"));
        assert_eq!(view.marks.len(), 1);
    }

    #[test]
    fn a_byte_that_is_no_text_is_marked_and_the_rest_is_read() {
        let mut workbench = Workbench::new();
        let text =
            b"schema: olm.package\nname: p\n---\nschema: olm.package\nname: q\ndescription: \"caf\xe9\"\n".to_vec();
        workbench.add_catalog("c", vec![NewText { path: "a.yaml".to_owned(), content: Ok(text) }], &mut |_| {});
        let catalog = &workbench.catalogs()[0];
        assert_eq!(catalog.analysis.catalog.packages.len(), 2);
        assert_eq!(catalog.rejection().map(|finding| finding.rule.id()), Some("unreadable-file"));
        let view = file_view(&workbench, catalog.files[0].key, FileTarget::Anywhere, false).unwrap();
        assert_eq!(view.read_only.as_deref(), Some("it is not UTF-8"));
        let mark = view.marks.iter().find(|mark| mark.rule == "unreadable-file").unwrap();
        assert_eq!(mark.range, range([6, 18, 6, 19]));
    }

    fn view(text: &str, at: u32) -> SourceView {
        let workbench = Workbench::new().with_text("c", "", text);
        let key = workbench.catalogs()[0].files[0].key;
        source(&workbench, key, FileTarget::Bytes { start: at, end: at }).unwrap()
    }

    #[test]
    fn a_small_file_is_shown_whole() {
        let view = view("é: 1\nb: 2\n", 6);
        assert_eq!((view.text.as_str(), view.first_line, view.lines), ("é: 1\nb: 2\n", 1, 3));
        assert_eq!(view.target_line, 2);
    }

    #[test]
    fn a_large_file_is_cut_at_lines() {
        let text = "0123456789abcde\n".repeat(10_000);
        let view = view(&text, 80_000);
        assert!(view.text.starts_with("0123") && view.text.ends_with("e\n"));
        assert!((60_000..70_000).contains(&view.text.len()));
        let before = (view.target_line - view.first_line) as usize * 16;
        assert_eq!((view.target_line, before < 32 * 1024), (5_001, true));
    }

    #[test]
    fn a_long_line_is_cut_at_characters() {
        let view = view(&"é".repeat(400_000), 400_001);
        assert_eq!(view.text.chars().next(), Some('é'));
        assert_eq!((view.first_line, view.text.len()), (1, 65_536));
    }

    #[test]
    fn what_follows_an_icon_is_shown_with_it() {
        let icon = format!("icon: {}\n", "A".repeat(100_000));
        let text = format!("name: p\n{icon}{}", "0123456789abcde\n".repeat(10_000));
        let view = view(&text, 0);
        assert_eq!(view.first_line, 1);
        assert!(view.text.lines().count() > 1_000);
    }

    #[test]
    fn the_end_of_the_text_is_a_place() {
        assert_eq!(view("a\n", 99).target_line, 2);
        assert_eq!(view("", 0).text, "");
    }

    const CATALOG: &str = "package p c\nchannel p c p.v2.0.0>p.v1.0.0-p.v0.9.0 p.v1.0.0\nbundle p 1.0.0 requires q >=1.0.0\nbundle p 2.0.0\nbundle p 0.9.0";
    const OTHER: &str = "package q c\nchannel q c q.v1.1.0\nbundle q 1.1.0\nbundle q 1.0.0\nbundle q 0.1.0";

    /// The definitions at the `nth` occurrence of the text, as `kind name catalog:line:column`.
    #[track_caller]
    fn check_definition(text: &str, nth: usize, expected: &[&str]) {
        let workbench = testing::workbench(&[("a", CATALOG), ("b", OTHER)]);
        let key = workbench.catalogs()[0].files[0].key;
        let (at, _) = yaml(CATALOG).match_indices(text).nth(nth).map(|(at, text)| (at as u32, text)).unwrap();
        let line = |DefinitionView { kind, name, catalog, place, .. }: &DefinitionView| {
            format!("{kind:?} {name} {catalog}:{}:{}", place.line, place.column)
        };
        let found: Vec<String> = definitions(&workbench, key, at + 1).iter().map(line).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_default_channel_leads_to_the_channel() {
        check_definition("c\n---", 0, &["Channel c a:8:7"]);
    }

    #[test]
    fn an_entry_leads_to_the_bundle() {
        check_definition("p.v2.0.0, replaces", 0, &["Bundle p.v2.0.0 a:25:7"]);
    }

    #[test]
    fn edges_lead_to_entries_or_unlisted_bundles() {
        check_definition("p.v1.0.0', skips", 0, &["Entry p.v1.0.0 in c a:11:10"]);
        check_definition("p.v0.9.0]", 0, &["Bundle p.v0.9.0 a:33:7"]);
    }

    #[test]
    fn a_package_leads_to_its_declaration() {
        check_definition("p\nname: c", 0, &["Package p a:3:7"]);
    }

    #[test]
    fn a_requirement_leads_to_bundles_that_meet_it() {
        check_definition("packageName: q", 0, &["Bundle q.v1.1.0 b:14:7", "Bundle q.v1.0.0 b:22:7"]);
    }

    #[test]
    fn a_bundle_leads_to_its_entries() {
        check_definition("p.v1.0.0\nimage", 0, &["Entry p.v1.0.0 in c a:11:10"]);
    }

    #[test]
    fn a_name_is_found_anywhere_on_its_line() {
        check_definition("name: p.v2.0.0\n", 0, &["Entry p.v2.0.0 in c a:10:10"]);
        check_definition("schema", 1, &[]);
    }

    #[test]
    fn a_position_has_a_package_and_an_entry() {
        let workbench = testing::workbench(&[("a", CATALOG)]);
        let key = workbench.catalogs()[0].files[0].key;
        let found = symbol(&workbench, key, TextPlace { line: 11, column: 4 }).unwrap();
        assert_eq!(found.package.unwrap().package, "p");
        assert_eq!(found.entry, Some(EntryKey { channel: Some("c".to_owned()), name: "p.v1.0.0".to_owned() }));
        assert_eq!(symbol(&workbench, key, TextPlace { line: 1, column: 1 }).unwrap().package, None);
    }
}
