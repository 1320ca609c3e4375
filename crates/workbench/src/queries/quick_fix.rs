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
            let splice = |edit: &TextEdit| TextSplice {
                start: edit.span.start,
                end: edit.span.end,
                text: file.with_line_ends(edit.span.start, &edit.text),
            };
            let splices: Vec<TextSplice> = edits.iter().map(splice).collect();
            let undo = inverse(&file.text, &splices);
            let edit = Some(InputEdit::Catalog { file: file.key, splices, undo });
            Some(FixView { text: fix.title.clone(), edit, ..FixView::default() })
        };
        finding.fixes.iter().filter_map(view).collect()
    }

    /// The quick fixes of a finding for the editor.
    pub(crate) fn of_mark(&mut self, finding: &Diagnostic) -> Vec<MarkFix> {
        let view = |fix| {
            let (file, edits) = self.edits(fix).filter(|(file, _)| file.key.0 == finding.span.file.0)?;
            let change = |edit: &TextEdit| TextChange {
                range: TextRange { from: file.text_place(edit.span.start), to: file.text_place(edit.span.end) },
                text: edit.text.clone(),
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

/// The edits that undo `splices`, which are in the order of the text and apart from each other.
pub(crate) fn inverse(text: &str, splices: &[TextSplice]) -> Vec<TextSplice> {
    // The numbers of bytes that the splices so far inserted and removed.
    let (mut gained, mut lost) = (0, 0);
    let back = |splice: &TextSplice| {
        let start = splice.start + gained - lost;
        gained += splice.text.len() as u32;
        lost += splice.end - splice.start;
        let old = text.get(splice.start as usize..splice.end as usize).unwrap_or_default();
        TextSplice { start, end: start + splice.text.len() as u32, text: old.to_owned() }
    };
    splices.iter().map(back).collect()
}
