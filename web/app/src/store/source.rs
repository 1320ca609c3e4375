//! The excerpt in the text area and what of it the worker knows.

use super::{Change, Shared, change, shown, shown_offset};
use std::rc::Rc;
use views::{FileKey, SourceView};

/// An excerpt that is being read or edited. What is typed stays here until the worker has it, and an answer never
/// takes its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Editor {
    /// The last answer: file, counts and marks. Its text may be older than what is shown.
    pub view: Shared<SourceView>,
    /// The number of the first line, from 1.
    pub first_line: u32,
    /// The text in the text area.
    pub text: Rc<str>,
    /// First byte of the excerpt in the file.
    start: u32,
    /// The worker's text of the excerpt, once every change that was sent is applied.
    raw: String,
}

/// Units of UTF-16 to select in the text shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goal {
    /// First.
    pub start: u32,
    /// One past the last.
    pub end: u32,
}

impl Editor {
    /// Shows an excerpt.
    pub(crate) fn open(view: SourceView) -> (Self, Goal) {
        let goal =
            Goal { start: shown_offset(&view.text, view.target.start), end: shown_offset(&view.text, view.target.end) };
        let editor = Self {
            first_line: view.first_line,
            text: shown(&view.text).into(),
            start: view.start,
            raw: view.text.clone(),
            view: Shared::new(view),
        };
        (editor, goal)
    }

    /// The file.
    #[must_use]
    pub fn file(&self) -> FileKey {
        self.view.file
    }

    /// The bytes of the file that the excerpt covers.
    #[must_use]
    pub fn range(&self) -> (u32, u32) {
        (self.start, self.start + u32::try_from(self.raw.len()).unwrap_or(u32::MAX - self.start))
    }

    /// The line that was jumped to, unless the excerpt was only turned to.
    #[must_use]
    pub fn target_line(&self) -> Option<u32> {
        let target = &self.view.target;
        (target.end > target.start).then_some(target.line)
    }

    /// Whether there is something typed that the worker was not told.
    #[must_use]
    pub fn dirty(&self) -> bool {
        change(&self.raw, &self.text).is_some()
    }

    /// What was typed since the last time, as a change of the file's bytes. The worker is taken to have it then.
    pub(crate) fn take_change(&mut self) -> Option<Change> {
        let change = change(&self.raw, &self.text)?;
        self.raw = change.apply(&self.raw);
        Some(Change { start: self.start + change.start, end: self.start + change.end, ..change })
    }

    /// Takes marks and counts from a newer answer, and its text if nothing typed is newer. An excerpt that begins
    /// elsewhere gives its marks only.
    pub(crate) fn refresh(&mut self, view: SourceView) {
        if view.file != self.view.file {
            return;
        }
        // The excerpt may end earlier or later than it did; only another text is a reason to touch the text area.
        let agrees = view.text.starts_with(&self.raw) || self.raw.starts_with(&view.text);
        if view.start == self.start && !self.dirty() && !agrees {
            self.text = shown(&view.text).into();
            self.raw.clone_from(&view.text);
            self.first_line = view.first_line;
        }
        self.view.renew(view);
    }

    /// The byte of the file to ask for to get the same excerpt again.
    pub(crate) fn anchor(&self) -> u32 {
        let mut left = self.view.target.start;
        let before = self.view.text.chars().take_while(|c| {
            let width = if c.len_utf16() == 1 { 1 } else { 2 };
            let inside = left >= width;
            left = left.saturating_sub(width);
            inside
        });
        self.view.start + u32::try_from(before.map(char::len_utf8).sum::<usize>()).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use views::{CatalogId, SourceTarget};

    fn view(start: u32, text: &str) -> SourceView {
        SourceView {
            file: FileKey(1),
            catalog: CatalogId(1),
            path: "catalog.yaml".to_owned(),
            expanded_from: None,
            bytes: 1000,
            lines: 50,
            start,
            end: start + 10,
            first_line: 5,
            text: text.to_owned(),
            marks: Vec::new(),
            target: SourceTarget { line: 5, start: 2, end: 3 },
        }
    }

    #[test]
    fn changes_count_from_the_start_of_the_file() {
        let (mut editor, goal) = Editor::open(view(100, "a\r\nb"));
        assert_eq!(goal, Goal { start: 1, end: 2 });
        editor.text = "a\nbc".into();
        let change = editor.take_change().unwrap();
        assert_eq!((change.start, change.end, change.text.as_str()), (104, 104, "c"));
        assert_eq!(editor.take_change(), None);
        assert_eq!(editor.range(), (100, 105));
    }

    #[test]
    fn what_is_typed_survives_an_answer() {
        let (mut editor, _) = Editor::open(view(0, "one"));
        editor.text = "one two".into();
        editor.refresh(view(0, "one"));
        assert_eq!(&*editor.text, "one two");
        assert!(editor.dirty());
        editor.take_change();
        editor.refresh(view(0, "worker"));
        assert_eq!(&*editor.text, "worker");
    }

    #[test]
    fn an_excerpt_from_elsewhere_gives_marks_only() {
        let (mut editor, _) = Editor::open(view(0, "one"));
        editor.refresh(view(40, "other"));
        assert_eq!(&*editor.text, "one");
        assert_eq!(editor.view.start, 40);
        assert_eq!(editor.range(), (0, 3));
    }

    #[test]
    fn the_anchor_is_in_bytes() {
        let (editor, _) = Editor::open(view(10, "🙂b"));
        assert_eq!(editor.anchor(), 14);
    }
}
