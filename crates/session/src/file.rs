//! A file of a catalog: its text, its parse, and how edits update both. Also which files `.indexignore` leaves out.

use crate::analysis::FindingSubject;
use catalog::{IndexIgnore, is_about_unread};
use fbc::{Decoded, Legacy, Parse, Part, Reading};
use lint::IgnoreComment;
use source::{Diagnostic, FileId, LineIndex, Rule, Span};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Deref, Range};
use template::Origins;
use views::{FileKey, TextChange, TextEdit, TextPlace, TextRange};

/// An edit that needs a larger buffer also reserves this fraction of the text, so that the next edits need not move all of
/// it again. Moving a hundred megabytes takes long, and a worker never gives memory back.
const SLACK: usize = 64;

/// How the path of a file begins that is attached to a bundle. Inside the catalog's folder `opm` would reject it.
pub(crate) const OUTSIDE_ROOT: &str = "../";

/// The parse of a file that is left out.
static NOTHING: Parse = Parse { docs: Vec::new(), diagnostics: Vec::new() };

/// A file to be added.
#[derive(Clone)]
pub struct NewText {
    /// The path below the catalog's root, with `/`.
    pub path: String,
    /// The bytes of the file, or why they could not be read.
    pub content: Result<Vec<u8>, String>,
}

/// A file of a catalog.
pub struct FileInput {
    /// The key; spans in the file have the same number as their [`FileId`].
    pub key: FileKey,
    /// The path below the catalog's root, with `/`.
    pub path: String,
    /// The text; empty when the file is not text. Bytes that are not UTF-8 are U+FFFD in it.
    pub text: String,
    pub lines: LineIndex,
    /// Whether `.indexignore` leaves it out, or it is an `.indexignore` file itself.
    pub ignored: bool,
    /// The template that it is the expansion of.
    pub expanded_from: Option<FileKey>,
    /// Where in the template it comes from, if it is an expansion.
    pub(crate) origins: Origins,
    /// The parse so far; nothing of an ignored file is parsed.
    reading: Reading,
    /// Why there is no text, or why `opm` does not read it as the text here.
    unreadable: Option<Diagnostic>,
    /// How the text differs from what was opened.
    pub difference: Option<Difference>,
    /// Whether its text may be another one than that of the last analysis.
    pub(crate) is_changed: bool,
    /// The findings that comments in it switch off.
    pub(crate) ignore_comments: Vec<IgnoreComment>,
    /// What it lists, if it is a `dependencies.yaml` or `properties.yaml` that is attached to a bundle.
    pub(crate) attached: Option<Legacy>,
    /// The findings of its expansion, if it is a template that is expanded.
    pub(crate) expansion_findings: Option<Vec<Diagnostic>>,
    /// Whether it is a template that lists channels and has images that no loaded catalog has.
    pub(crate) has_unknown_images: bool,
    /// The images of which nothing else is known, if it is the expansion of a template.
    pub(crate) only_images: BTreeSet<Box<str>>,
    /// Whether it is of a folder of bundle directories, or the catalog that is made of one.
    pub(crate) in_tree: bool,
    /// The bundle that it belongs to, in such a folder.
    pub(crate) of_bundle: Option<FindingSubject>,
}

impl FileInput {
    /// Decodes the bytes of a file; nothing is parsed yet.
    #[must_use]
    pub fn new(key: FileKey, NewText { path, content }: NewText) -> Self {
        let file = FileId(key.0);
        let start = Span::new(file, 0, 0);
        let unreadable =
            |reason| Diagnostic::new(Rule::UnreadableFile, start, format!("the file cannot be read: {reason}"));
        let Decoded { text, fault } = match content {
            // Whatever its bytes are, `opm` takes lines from it.
            Ok(bytes) if is_ignore_file(&path) => Decoded { fault: None, ..fbc::decode_bytes(file, bytes) },
            Ok(bytes) => fbc::decode_bytes(file, bytes),
            Err(reason) => Decoded { text: String::new(), fault: Some(unreadable(reason)) },
        };
        Self {
            key,
            attached: listed(file, &path, &text),
            path,
            lines: LineIndex::new(&text),
            text,
            ignored: false,
            expanded_from: None,
            origins: Origins::default(),
            reading: Reading::new(file),
            unreadable: fault,
            difference: None,
            is_changed: true,
            ignore_comments: Vec::new(),
            expansion_findings: None,
            has_unknown_images: false,
            only_images: BTreeSet::new(),
            in_tree: false,
            of_bundle: None,
        }
    }

    /// The documents and findings parsed so far; none when the file is ignored.
    #[must_use]
    pub fn parse(&self) -> &Parse {
        if self.is_left_out() { &NOTHING } else { self.reading.parse() }
    }

    /// What the catalog serves of the file: nothing of a template, whose expansion is served instead.
    pub fn served(&self) -> &Parse {
        if self.expansion_findings.is_some() { &NOTHING } else { self.parse() }
    }

    /// All findings about reading the file.
    pub fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        let found = self.expansion_findings.as_ref().unwrap_or(&self.parse().diagnostics);
        let is_reported = |fault: &&Diagnostic| match self.in_tree {
            // Which files of a folder of bundles are of use, the bundles decide. What could not be opened may be a bundle.
            true => is_about_unread(fault),
            // `opm` does not open what is ignored, but the lists of what is.
            false => !self.ignored || is_ignore_file(&self.path),
        };
        let is_meant_empty = self.is_meant_empty();
        let found = found.iter().filter(move |finding| finding.rule != Rule::EmptyFile || !is_meant_empty);
        self.unreadable.iter().filter(is_reported).chain(found)
    }

    /// Whether nothing is missing if the file is empty: its name, such as `.gitkeep`, ends as that of neither YAML nor JSON.
    fn is_meant_empty(&self) -> bool {
        let name = self.path.rsplit('/').next().unwrap_or(&self.path);
        let extension = name.rsplit_once('.').map(|(_, extension)| extension);
        extension.is_some_and(|extension| !["yaml", "yml", "json"].contains(&extension))
    }

    /// Whether nothing or only a part of it was read, although `opm` may read it.
    pub(crate) fn is_unread(&self) -> bool {
        self.diagnostics().any(is_about_unread)
    }

    /// Parses the whole text again.
    pub fn read(&mut self) {
        let file = FileId(self.key.0);
        self.reading = Reading::new(file);
        self.ignore_comments.clear();
        self.attached = listed(file, &self.path, &self.text);
        while !self.step(u32::MAX) {}
    }

    /// Parses about `bytes` more bytes. Returns whether the file is parsed to its end.
    pub(crate) fn step(&mut self, bytes: u32) -> bool {
        if self.is_left_out() || self.reading.is_finished() {
            return true;
        }
        let is_read = self.reading.step(&self.text, bytes);
        if is_read {
            self.finish_reading();
        }
        is_read
    }

    fn finish_reading(&mut self) {
        // The list of changed documents is only of use to somebody who keeps something for each of them.
        drop(self.reading.take_changes());
        self.ignore_comments = lint::ignore_comments(FileId(self.key.0), &self.text);
    }

    /// Parts of about `bytes` bytes that [`FileInput::parse_part`] can parse independently of each other; none if nothing of
    /// the file is parsed.
    #[must_use]
    pub fn parts(&self, bytes: usize) -> Vec<Range<usize>> {
        if self.is_left_out() { Vec::new() } else { fbc::parts(&self.text, bytes) }
    }

    /// Parses one of the [`FileInput::parts`].
    #[must_use]
    pub fn parse_part(&self, part: Range<usize>) -> Part {
        fbc::read_part(FileId(self.key.0), &self.text, part)
    }

    /// Parses the file, of which these parts were parsed before.
    pub fn parse_with(&mut self, parts: Vec<Part>) {
        if !self.is_left_out() {
            self.reading.read_with(&self.text, parts);
            self.finish_reading();
        }
    }

    /// The number of bytes parsed so far.
    pub(crate) fn position(&self) -> u32 {
        if self.is_left_out() { self.text.len() as u32 } else { self.reading.position() }
    }

    /// Replaces bytes of the text and parses the documents that this changes. Offsets that do not fit the text are moved to
    /// the nearest that do.
    pub(crate) fn splice(&mut self, bytes: Range<u32>, replacement: &str) {
        let start = self.text.floor_char_boundary(bytes.start as usize);
        let end = self.text.ceil_char_boundary((bytes.end as usize).max(start));
        // An edit of nothing must not turn a file that cannot be read into an empty one.
        if start == end && replacement.is_empty() {
            return;
        }
        // A file with NUL in it could not be read when it is loaded again.
        let replacement = replacement.replace('\0', "\u{fffd}");
        if self.text.capacity() < self.text.len() + replacement.len() {
            self.text.reserve_exact(replacement.len() + self.text.len() / SLACK);
        }
        self.is_changed = true;
        let earlier = self.difference.take();
        let difference = Difference::before_edit(earlier, &self.text, &(start..end), replacement.len());
        self.text.replace_range(start..end, &replacement);
        self.difference = difference.trimmed(&self.text);
        let edit = TextEdit { start: start as u32, end: end as u32, text: replacement };
        self.lines.edit(&self.text, &edit);
        if self.unreadable.take().is_some() || is_outside_root(&self.path) {
            return self.read();
        }
        self.reading.edit(&self.text, &edit);
        while !self.step(u32::MAX) {}
    }

    /// Makes edits that are in the order of the text and apart from each other: the documents from the first to the last one
    /// are parsed once for all of them.
    pub(crate) fn splice_all(&mut self, splices: &[TextEdit]) {
        let ([first, .., last], true) = (splices, TextEdit::are_apart(splices)) else {
            return splices.iter().rev().for_each(|splice| self.splice(splice.start..splice.end, &splice.text));
        };
        let start = self.text.floor_char_boundary(first.start as usize);
        let end = self.text.ceil_char_boundary(last.end as usize);
        let mut joined = String::new();
        let mut rest = start;
        for TextEdit { start, end, text } in splices {
            let from = self.text.floor_char_boundary(*start as usize).max(rest);
            joined.push_str(&self.text[rest..from]);
            joined.push_str(text);
            rest = self.text.ceil_char_boundary(*end as usize).max(from);
        }
        self.splice(start as u32..end as u32, &joined);
    }

    fn is_left_out(&self) -> bool {
        self.ignored || self.attached.is_some() || (self.unreadable.is_some() && self.text.is_empty())
    }

    /// Whether the text may be edited.
    pub fn is_editable(&self) -> bool {
        self.expanded_from.is_none() && self.not_editable().is_none()
    }

    /// Why `opm` does not read the file as its text.
    pub(crate) fn fault(&self) -> Option<&Diagnostic> {
        self.unreadable.as_ref()
    }

    /// Why the text must not be edited: it is not what the file holds.
    pub fn not_editable(&self) -> Option<&'static str> {
        let empty = self.text.is_empty();
        self.unreadable.as_ref().map(|_| if empty { "it is not text" } else { "it is not UTF-8" })
    }
}

/// Whether a path leads out of the catalog's root, where only files attached to a bundle are.
fn is_outside_root(path: &str) -> bool {
    path.starts_with(OUTSIDE_ROOT)
}

/// What a `dependencies.yaml` or `properties.yaml` outside the catalog's root lists.
fn listed(file: FileId, path: &str, text: &str) -> Option<Legacy> {
    is_outside_root(path).then(|| fbc::legacy(file, text)).flatten()
}

/// Marks the files that `.indexignore` files leave out, and parses those again for which that changed.
pub(crate) fn update_ignored(files: &mut [FileInput]) {
    let before: Vec<bool> = files.iter().map(|file| file.ignored).collect();
    mark_ignored(files);
    for (file, before) in files.iter_mut().zip(before) {
        if file.ignored != before {
            file.read();
        }
    }
}

/// Marks the files that `.indexignore` files leave out.
pub(crate) fn mark_ignored(files: &mut [FileInput]) {
    let ignore = IndexIgnore::new(
        files.iter().filter(|file| is_ignore_file(&file.path)).map(|file| (file.path.as_str(), &*file.text)),
    );
    let ignored: Vec<bool> = files.iter().map(|file| ignore.ignores(&file.path)).collect();
    for (file, ignored) in files.iter_mut().zip(ignored) {
        file.ignored = ignored;
    }
}

/// Whether a path is that of an `.indexignore` file.
pub(crate) fn is_ignore_file(path: &str) -> bool {
    path.rsplit('/').next() == Some(".indexignore")
}

impl FileInput {
    /// The byte of a place, or the nearest there is.
    pub fn offset(&self, place: TextPlace) -> u32 {
        if place.line > self.lines.line_count() {
            return self.text.len() as u32;
        }
        let start = self.lines.line_start(&self.text, place.line) as usize;
        let mut left = place.column.saturating_sub(1) as usize;
        let before = self.text[start..].chars().take_while(|c| {
            let fits = *c != '\n' && left >= c.len_utf16();
            left = left.saturating_sub(c.len_utf16());
            fits
        });
        (start + before.map(char::len_utf8).sum::<usize>()) as u32
    }

    /// The change that makes the text as it was opened. It replaces whole lines: between the characters of a line end there
    /// is no place.
    pub fn way_back(&self, Difference { present, opened }: &Difference) -> TextChange {
        let start = self.text[..present.start].rfind('\n').map_or(0, |at| at + 1);
        let end = self.text[present.end..].find('\n').map_or(self.text.len(), |at| present.end + at + 1);
        let lines = [&self.text[start..present.start], opened, &self.text[present.end..end]].concat();
        self.change(&TextEdit { start: start as u32, end: end as u32, text: lines })
    }

    /// An edit in lines and columns.
    pub fn change(&self, edit: &TextEdit) -> TextChange {
        TextChange { range: self.range(edit.start, edit.end), text: edit.text.replace("\r\n", "\n") }
    }

    /// A change as an edit of bytes, with the line ends of the text around it.
    pub fn typed(&self, change: &TextChange) -> TextEdit {
        let start = self.offset(change.range.from);
        let end = self.offset(change.range.to).max(start);
        TextEdit { start, end, text: fbc::with_line_ends(&self.text, start, &change.text) }
    }

    /// The place of some bytes in lines and columns.
    pub fn range(&self, start: u32, end: u32) -> TextRange {
        TextRange { from: self.text_place(start), to: self.text_place(end.max(start)) }
    }

    /// An offset in lines and columns.
    pub fn text_place(&self, offset: u32) -> TextPlace {
        let position = self.lines.position(&self.text, offset);
        TextPlace { line: position.line, column: position.column }
    }

    /// The first line of a span, without the blanks around it; at least one character where there is one.
    pub fn mark_range(&self, span: Span) -> TextRange {
        let start = self.text.floor_char_boundary(span.start as usize);
        let end = self.text.floor_char_boundary((span.end as usize).max(start));
        let whole = &self.text[start..end];
        let start = start + (whole.len() - whole.trim_start().len()) % whole.len().max(1);
        let line = self.text[start..].split('\n').next().unwrap_or_default();
        let shown = line[..line.floor_char_boundary(end - start)].trim_end().len();
        let least = line.chars().next().filter(|c| *c != '\r').map_or(0, char::len_utf8);
        self.range(start as u32, (start + shown.max(least)) as u32)
    }

    /// The edits that undo edits of the text, which are in its order and apart from each other.
    pub fn undo_of(&self, edits: &[TextEdit]) -> Vec<TextEdit> {
        // The numbers of bytes that the edits so far inserted and removed.
        let (mut gained, mut lost) = (0, 0);
        let back = |edit: &TextEdit| {
            let start = edit.start + gained - lost;
            gained += edit.text.len() as u32;
            lost += edit.end - edit.start;
            let text = edit.replaced(&self.text).to_owned();
            TextEdit { start, end: start + edit.text.len() as u32, text }
        };
        edits.iter().map(back).collect()
    }
}

// What a file had when it was opened: the one replacement that leads back from the present text.

/// The difference from the text that was opened. Edits that are near to each other keep little of it, whatever the size of
/// the file; edits at both ends keep the text once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The bytes of the present text that differ.
    pub(crate) present: Range<usize>,
    pub(crate) opened: String,
}

impl Difference {
    /// The difference after an edit of `text`, which replaces `bytes` by as many as `inserted` says.
    fn before_edit(earlier: Option<Self>, text: &str, bytes: &Range<usize>, inserted: usize) -> Self {
        let Self { present, mut opened } =
            earlier.unwrap_or_else(|| Self { present: bytes.clone(), opened: text[bytes.clone()].to_owned() });
        let (start, end) = (present.start.min(bytes.start), present.end.max(bytes.end));
        opened.insert_str(0, &text[start..present.start]);
        opened.push_str(&text[present.end..end]);
        Self { present: start..end - bytes.len() + inserted, opened }
    }

    /// The difference without what is the same at its start and at its end; `None` if that is all of it.
    pub(crate) fn trimmed(self, text: &str) -> Option<Self> {
        let Self { present, mut opened } = self;
        let here = &text[present.clone()];
        let same = |(a, b): &(char, char)| a == b;
        let prefix: usize = here.chars().zip(opened.chars()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
        let (here, rest) = (&here[prefix..], &opened[prefix..]);
        let suffix: usize =
            here.chars().rev().zip(rest.chars().rev()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
        opened.truncate(opened.len() - suffix);
        opened.drain(..prefix);
        let present = present.start + prefix..present.end - suffix;
        (!present.is_empty() || !opened.is_empty()).then_some(Self { present, opened })
    }
}

impl FileInput {
    /// The change that makes the text as it was opened, if it was edited.
    #[must_use]
    pub fn opened(&self) -> Option<TextEdit> {
        let Difference { present, opened } = self.difference.as_ref()?;
        Some(TextEdit { start: present.start as u32, end: present.end as u32, text: opened.clone() })
    }

    /// The text as it was opened.
    #[must_use]
    pub fn opened_text(&self) -> Cow<'_, str> {
        let Some(Difference { present, opened }) = &self.difference else { return Cow::Borrowed(&self.text) };
        Cow::Owned([&self.text[..present.start], opened, &self.text[present.end..]].concat())
    }
}

// The files of a catalog, which are found by their keys in logarithmic time: a catalog may have a hundred thousand.

/// The files of a catalog, in the order that `opm` walks them.
#[derive(Default)]
pub struct Files {
    list: Vec<FileInput>,
    positions: BTreeMap<FileKey, usize>,
}

impl Files {
    /// The file with this key.
    #[must_use]
    pub fn get(&self, key: FileKey) -> Option<&FileInput> {
        self.list.get(*self.positions.get(&key)?)
    }

    pub(crate) fn get_mut(&mut self, key: FileKey) -> Option<&mut FileInput> {
        self.list.get_mut(*self.positions.get(&key)?)
    }

    /// All files, to be changed at their places.
    pub(crate) fn as_mut_slice(&mut self) -> &mut [FileInput] {
        &mut self.list
    }

    /// Adds a file behind the others.
    pub(crate) fn push(&mut self, file: FileInput) {
        self.positions.insert(file.key, self.list.len());
        self.list.push(file);
    }

    /// Changes which files there are, or their order.
    pub(crate) fn rearrange<T>(&mut self, change: impl FnOnce(&mut Vec<FileInput>) -> T) -> T {
        let result = change(&mut self.list);
        self.positions = self.list.iter().enumerate().map(|(at, file)| (file.key, at)).collect();
        result
    }
}

impl From<Vec<FileInput>> for Files {
    fn from(list: Vec<FileInput>) -> Self {
        let mut files = Self::default();
        files.rearrange(|all| *all = list);
        files
    }
}

impl Deref for Files {
    type Target = [FileInput];

    fn deref(&self) -> &[FileInput] {
        &self.list
    }
}

impl<'f> IntoIterator for &'f Files {
    type Item = &'f FileInput;
    type IntoIter = std::slice::Iter<'f, FileInput>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Workbench;
    use proptest::prelude::*;

    /// A text after edits, each a range in thousandths of the text and what takes its place.
    fn edited(opened: &str, edits: &[(u16, u16, String)]) -> (String, Option<Difference>) {
        let (mut text, mut difference) = (opened.to_owned(), None);
        for (a, b, inserted) in edits {
            let at = |thousandth: u16| text.floor_char_boundary(text.len() * usize::from(thousandth) / 1000);
            let bytes = at(*a.min(b))..at(*a.max(b));
            let before = Difference::before_edit(difference, &text, &bytes, inserted.len());
            text.replace_range(bytes, inserted);
            difference = before.trimmed(&text);
        }
        (text, difference)
    }

    proptest! {
        #[test]
        fn it_leads_back_to_the_opened_text(
            opened in "[aé🫖\n]{0,12}",
            edits in prop::collection::vec((0u16..=1000, 0u16..=1000, "[aé🫖\n]{0,3}"), 0..5),
        ) {
            let (mut text, difference) = edited(&opened, &edits);
            prop_assert_eq!(difference.is_none(), text == opened);
            if let Some(Difference { present, opened }) = difference {
                text.replace_range(present, &opened);
            }
            prop_assert_eq!(text, opened);
        }
    }

    #[test]
    fn a_stored_file_is_edited_as_before() {
        let mut workbench = crate::testing::workbench(&[("c", "package p c")]);
        let (id, key) = (workbench.catalogs()[0].id, workbench.catalogs()[0].files[0].key);
        let path = workbench.catalogs()[0].files[0].path.clone();
        let present = workbench.catalogs()[0].files[0].text.clone();
        let opened = |workbench: &Workbench| workbench.file(key).unwrap().1.opened();
        let splice = |start, end, text: &str| TextEdit { start, end, text: text.to_owned() };
        workbench.set_opened(id, vec![(path.clone(), splice(3, 99_999, "x")), ("other".to_owned(), splice(0, 1, "x"))]);
        assert_eq!(opened(&workbench), None, "it does not fit");
        let at = present.find("name: p").unwrap() as u32 + 6;
        workbench.set_opened(id, vec![(path, splice(at, at + 1, "q"))]);
        assert_eq!(opened(&workbench), Some(splice(at, at + 1, "q")));
        let catalog = &workbench.catalogs()[0];
        assert_eq!(
            (&catalog.files[0].text, &*catalog.files[0].opened_text()),
            (&present, &*present.replace("name: p", "name: q"))
        );
        let names = |analysis: &crate::Analysis| analysis.catalog.packages[0].name.to_string();
        assert_eq!(catalog.opened.as_ref().map(|opened| names(&opened.analysis)).as_deref(), Some("q"));
        assert_eq!(names(&catalog.analysis), "p");
        workbench.edit(key, at..at + 1, "q");
        assert_eq!(opened(&workbench), None);
    }

    #[test]
    fn it_keeps_what_was_edited_alone() {
        let opened = "a".repeat(1000) + "bc" + &"d".repeat(998);
        let (_, difference) = edited(&opened, &[(500, 501, "BC".to_owned())]);
        assert_eq!(difference, Some(Difference { present: 1000..1002, opened: "bc".to_owned() }));
        let (_, difference) = edited(&opened, &[(500, 501, "BC".to_owned()), (500, 501, "bc".to_owned())]);
        assert_eq!(difference, None);
    }

    fn file(key: u32) -> FileInput {
        FileInput::new(FileKey(key), NewText { path: format!("{key}.yaml"), content: Ok(Vec::new()) })
    }

    #[test]
    fn a_file_is_found_wherever_it_was_moved() {
        let mut files = Files::from(vec![file(7), file(2)]);
        files.push(file(9));
        files.rearrange(|all| {
            all.swap(0, 2);
            all.insert(1, file(4));
        });
        let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["9.yaml", "4.yaml", "2.yaml", "7.yaml"]);
        for key in [9, 4, 2, 7] {
            assert_eq!(files.get(FileKey(key)).unwrap().key, FileKey(key));
            assert_eq!(files.get_mut(FileKey(key)).unwrap().key, FileKey(key));
        }
        files.rearrange(|all| all.truncate(1));
        assert!(files.get(FileKey(7)).is_none() && files.get(FileKey(9)).is_some());
    }
}
