//! Quick fixes of findings as edits of a file.

use crate::{FileInput, Workbench};
use ::source::{Diagnostic, QuickFix};
use fbc::{Rewriter, TextEdit};
use std::collections::BTreeMap;
use views::{FileKey, FixView, InputEdit, MarkFix, TextChange, TextRange, TextSplice};

/// Makes the edits of quick fixes. Keeps what it reads of files, so that many fixes of one file are cheap.
pub(crate) struct QuickFixes<'w> {
    workbench: &'w Workbench,
    rewriters: BTreeMap<FileKey, (&'w FileInput, Rewriter<'w>)>,
}

impl<'w> QuickFixes<'w> {
    pub(crate) const fn new(workbench: &'w Workbench) -> Self {
        Self { workbench, rewriters: BTreeMap::new() }
    }

    /// The quick fixes of a finding for the list of findings.
    pub(crate) fn of(&mut self, finding: &Diagnostic) -> Vec<FixView> {
        let view = |fix| {
            let (file, edits) = self.edits(fix)?;
            Some(FixView { text: fix.title.clone(), edit: Some(file.edit_of(edits)), ..FixView::default() })
        };
        finding.fixes.iter().filter_map(view).collect()
    }

    /// The quick fixes of a finding for the editor.
    pub(crate) fn of_mark(&mut self, finding: &Diagnostic) -> Vec<MarkFix> {
        let view = |fix| {
            let (file, edits) = self.edits(fix).filter(|(file, _)| file.key.0 == finding.span.file.0)?;
            let change = |edit: &TextEdit| TextChange {
                range: TextRange { from: file.text_place(edit.span.start), to: file.text_place(edit.span.end) },
                text: edit.text.replace("\r\n", "\n"),
            };
            Some(MarkFix { title: fix.title.clone(), changes: edits.iter().map(change).collect() })
        };
        finding.fixes.iter().filter_map(view).collect()
    }

    /// The file that a quick fix changes, and the edits. `None` if it is about several files, or one that is not edited.
    fn edits(&mut self, fix: &QuickFix) -> Option<(&'w FileInput, Vec<TextEdit>)> {
        let key = FileKey(fix.changes.first()?.span().file.0);
        let is_here = fix.changes.iter().all(|change| change.span().file.0 == key.0);
        let (_, file) = self.workbench.file(key).filter(|(_, file)| is_here && file.is_editable())?;
        let rewriter = || (file, Rewriter::new(&file.text, &file.parse().docs));
        let (file, rewriter) = self.rewriters.entry(key).or_insert_with(rewriter);
        Some((*file, rewriter.edits(&fix.changes)?))
    }
}

impl FileInput {
    /// Edits of the text, which are in its order and apart from each other, with those that undo them.
    pub(crate) fn edit_of(&self, edits: Vec<TextEdit>) -> InputEdit {
        let undo = self.undo_of(&edits);
        InputEdit::Catalog { file: self.key, splices: edits.into_iter().map(splice).collect(), undo }
    }

    /// The edits that undo such edits.
    pub(crate) fn undo_of(&self, edits: &[TextEdit]) -> Vec<TextSplice> {
        // The numbers of bytes that the edits so far inserted and removed.
        let (mut gained, mut lost) = (0, 0);
        let back = |TextEdit { span, text }: &TextEdit| {
            let start = span.start + gained - lost;
            gained += text.len() as u32;
            lost += span.end - span.start;
            TextSplice { start, end: start + text.len() as u32, text: span.slice(&self.text).to_owned() }
        };
        edits.iter().map(back).collect()
    }
}

/// An edit of a text, without its file.
pub(crate) fn splice(edit: TextEdit) -> TextSplice {
    TextSplice { start: edit.span.start, end: edit.span.end, text: edit.text }
}
