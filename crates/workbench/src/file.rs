//! A file of a catalog: its text, what was read of it, and how both follow edits.

use crate::attached_files;
use fbc::{Decoded, Legacy, Parse, Reading};
use lint::Ignored;
use source::{Diagnostic, Edit, FileId, LineIndex, Rule, Span};
use std::ops::Range;
use views::FileKey;

/// When an edit needs room, room is made for this part of the text, so that the next ones need not move all of it again.
const SLACK: usize = 64;

static NOTHING: Parse = Parse { docs: Vec::new(), diagnostics: Vec::new() };

/// A file to be added.
pub struct NewText {
    /// The path below the catalog's root, with `/`.
    pub path: String,
    /// The bytes of the file, or why they could not be read.
    pub content: Result<Vec<u8>, String>,
}

/// A file of a catalog.
pub struct FileInput {
    /// Which; spans into it have the same number as [`FileId`].
    pub key: FileKey,
    /// The path below the catalog's root, with `/`.
    pub path: String,
    /// The text; empty when the file is not text. What is not UTF-8 is U+FFFD in it.
    pub text: String,
    /// Where lines begin.
    pub lines: LineIndex,
    /// Whether `.indexignore` leaves it out, or it is an `.indexignore` itself.
    pub ignored: bool,
    /// The template that it was expanded from, if it was.
    pub expanded_from: Option<FileKey>,
    /// What was read so far; nothing is when it is ignored.
    reading: Reading,
    /// Why there is no text, or `opm` does not read it as this one.
    unreadable: Option<Diagnostic>,
    /// What comments in it switch off.
    pub(crate) ignore_comments: Vec<Ignored>,
    /// What it lists, if it is a `dependencies.yaml` or `properties.yaml` that stands beside the catalog.
    pub(crate) attached: Option<Legacy>,
    /// What expansion_findings it found, if it is a template that is expanded.
    pub(crate) expansion_findings: Option<Vec<Diagnostic>>,
}

impl FileInput {
    pub(crate) fn new(key: FileKey, NewText { path, content }: NewText) -> Self {
        let file = FileId(key.0);
        let start = Span::new(file, 0, 0);
        let unreadable =
            |reason| Diagnostic::new(Rule::UnreadableFile, start, format!("the file cannot be read: {reason}"));
        let Decoded { text, fault } = match content {
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
            reading: Reading::new(file),
            unreadable: fault,
            ignore_comments: Vec::new(),
            expansion_findings: None,
        }
    }

    /// What the text says, as far as it was read; nothing when the file is ignored.
    #[must_use]
    pub fn parse(&self) -> &Parse {
        if self.is_left_out() { &NOTHING } else { self.reading.parse() }
    }

    /// What the file gives the catalog: nothing if it is a template that is expanded.
    pub(crate) fn served(&self) -> &Parse {
        if self.expansion_findings.is_some() { &NOTHING } else { self.parse() }
    }

    /// Everything that reading the file found.
    pub(crate) fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        let found = self.expansion_findings.as_ref().unwrap_or(&self.parse().diagnostics);
        self.unreadable.iter().chain(found)
    }

    /// Reads the whole text anew.
    pub(crate) fn read(&mut self) {
        let file = FileId(self.key.0);
        self.reading = Reading::new(file);
        self.ignore_comments.clear();
        self.attached = listed(file, &self.path, &self.text);
        while !self.step(u32::MAX) {}
    }

    /// Reads on for about so many bytes. Whether that was all.
    pub(crate) fn step(&mut self, bytes: u32) -> bool {
        if self.is_left_out() {
            return true;
        }
        let is_read = self.reading.step(&self.text, bytes);
        if is_read {
            // What is kept of former documents is of no use to anyone.
            drop(self.reading.take_changes());
            self.ignore_comments = lint::ignored(FileId(self.key.0), &self.text);
        }
        is_read
    }

    /// How many bytes were read so far.
    pub(crate) fn position(&self) -> u32 {
        if self.is_left_out() { self.text.len() as u32 } else { self.reading.position() }
    }

    /// Replaces bytes of the text and reads again what that changes. Offsets that do not fit the text are moved to the
    /// nearest that do. Nothing for nothing leaves a file that cannot be read as it is, and NUL, with which it could not be
    /// read when it is loaded again, becomes a replacement character.
    pub(crate) fn splice(&mut self, bytes: Range<u32>, replacement: &str) {
        let start = self.text.floor_char_boundary(bytes.start as usize);
        let end = self.text.ceil_char_boundary((bytes.end as usize).max(start));
        if start == end && replacement.is_empty() {
            return;
        }
        let replacement = &*replacement.replace('\0', "\u{fffd}");
        if self.text.capacity() < self.text.len() + replacement.len() {
            self.text.reserve_exact(replacement.len() + self.text.len() / SLACK);
        }
        self.text.replace_range(start..end, replacement);
        let edit = Edit { start: start as u32, removed: (end - start) as u32, inserted: replacement.len() as u32 };
        self.lines.edit(&self.text, edit);
        if self.unreadable.take().is_some() || attached_files::is_beside(&self.path) {
            return self.read();
        }
        self.reading.edit(&self.text, edit);
        while !self.step(u32::MAX) {}
    }

    fn is_left_out(&self) -> bool {
        self.ignored || self.attached.is_some() || (self.unreadable.is_some() && self.text.is_empty())
    }

    /// Why the text is not edited, if it is not what the file holds.
    pub(crate) fn not_editable(&self) -> Option<&'static str> {
        let empty = self.text.is_empty();
        self.unreadable.as_ref().map(|_| if empty { "it is not text" } else { "it is not UTF-8" })
    }
}

/// What a file beside the catalog lists.
fn listed(file: FileId, path: &str, text: &str) -> Option<Legacy> {
    attached_files::is_beside(path).then(|| fbc::legacy(file, text)).flatten()
}
