//! Quick fixes of findings as edits of a file.

use crate::{FileInput, Workbench};
use ::source::{Diagnostic, QuickFix};
use fbc::Rewriter;
use std::collections::BTreeMap;
use views::{FileKey, FixView, InputEdit, MarkFix, TextEdit};

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
            let changes = edits.iter().map(|edit| file.change(edit)).collect();
            Some(MarkFix { title: fix.title.clone(), changes })
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
    pub(crate) fn edit_of(&self, splices: Vec<TextEdit>) -> InputEdit {
        InputEdit::Catalog { file: self.key, undo: self.undo_of(&splices), splices }
    }

    /// The edits that undo such edits.
    pub(crate) fn undo_of(&self, edits: &[TextEdit]) -> Vec<TextEdit> {
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
