//! Files in the editor, whole or an excerpt at a time.

use crate::{CatalogId, EntryKey, PackageKey, Place, Severity};
use serde::{Deserialize, Serialize};

/// An excerpt of a file: shows a place of a file of any size without handling all of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SourceView {
    pub catalog: CatalogId,
    /// Its path in the catalog.
    pub path: String,
    /// Lines of the whole file.
    pub lines: u32,
    /// The number of the first line of the excerpt, from 1.
    pub first_line: u32,
    /// The text of the excerpt.
    pub text: String,
    /// Findings in it, by line.
    pub marks: Vec<SourceMark>,
    /// The line that was asked for, counted in the file, from 1.
    pub target_line: u32,
}

/// A finding in the gutter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SourceMark {
    /// The line in the file, from 1.
    pub line: u32,
    /// How bad.
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
}

/// A whole file for the editor, but for its text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FileView {
    pub catalog: CatalogId,
    /// Its path in the catalog.
    pub path: String,
    /// UTF-16 units of its text; a line end counts as one, whether `\n` or `\r\n`.
    pub units: u32,
    pub lines: u32,
    /// Why it cannot be edited, if so.
    pub read_only: Option<String>,
    /// The change that makes the text as it was opened, if it was edited and the text is sent beside this.
    pub opened: Option<TextChange>,
    /// Findings in it in the order of the text. If there are too many, the worst ones.
    pub marks: Vec<FileMark>,
    /// How many findings are not in `marks`.
    pub unmarked: u32,
    /// The place that was asked for.
    pub target: Option<TextRange>,
}

/// Where to look in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FileTarget {
    /// Its beginning, or wherever it was left.
    Anywhere,
    /// A line, from 1; past the end means the last.
    Line(u32),
    /// Bytes (UTF-8).
    Bytes {
        /// First.
        start: u32,
        /// One past the last.
        end: u32,
    },
}

/// A place between two characters of a text. Lines end at `\n`; a `\r` before it is no character of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TextPlace {
    /// The line, from 1.
    pub line: u32,
    /// The column in UTF-16 units, from 1.
    pub column: u32,
}

/// What is between two places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextRange {
    /// The first.
    pub from: TextPlace,
    /// The second, not before the first.
    pub to: TextPlace,
}

/// A [`TextEdit`](crate::TextEdit) in lines and columns, as the editor counts them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextChange {
    /// What is replaced.
    pub range: TextRange,
    /// What takes its place; its lines end at `\n`, whatever those of the file do.
    pub text: String,
}

/// A finding in the editor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FileMark {
    /// Where, within one line.
    pub range: TextRange,
    /// How bad.
    pub severity: Severity,
    /// The kebab-case id of its rule.
    pub rule: String,
    /// What is wrong.
    pub message: String,
    pub help: Option<String>,
    /// Edits of the file that remove it, the most likely one first.
    pub fixes: Vec<MarkFix>,
}

/// An edit of a file in the editor that removes a finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MarkFix {
    /// What it does; names are in backticks.
    pub title: String,
    /// The changes, in ascending order; they are ranges of the text before all of them.
    pub changes: Vec<TextChange>,
}

/// The package and entry at a position of a file, and the definitions of the name there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SymbolView {
    /// The package that the document is about, if it is loaded.
    pub package: Option<PackageKey>,
    /// The entry or bundle that the position is in.
    pub entry: Option<EntryKey>,
    /// Where the name at the position is defined, or what satisfies the requirement there, the best first.
    pub definitions: Vec<DefinitionView>,
}

/// A definition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DefinitionView {
    /// The kind of thing that is defined.
    pub kind: DefinitionKind,
    pub name: String,
    pub catalog: String,
    /// Its file's path in the catalog.
    pub path: String,
    /// Where its name stands.
    pub place: Place,
}

/// What a definition defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DefinitionKind {
    Package,
    Channel,
    Entry,
    Bundle,
}
