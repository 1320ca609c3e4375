//! Quick fixes of findings as edits of a file.

use ::source::{Diagnostic, QuickFix};
use fbc::Rewriter;
use session::{FileInput, Workbench};
use session::{offer, quick_fix};
use std::collections::BTreeMap;
use views::{FileKey, FixView, MarkFix, TextEdit};

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
            let (file, _) = self.edits(fix)?;
            let (catalog, _) = self.workbench.file(file.key)?;
            let edit = Some(offer(catalog.id, [quick_fix(finding)]));
            Some(FixView { text: fix.title.clone(), edit, ..FixView::default() })
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

#[cfg(test)]
mod tests {
    use crate::findings;
    use session::Workbench;
    use session::testing::click;
    use views::{AuthoringInput, CatalogId, FindingsFilter, FixView, InputEdit};

    fn text(default: &str, description: &str) -> String {
        format!(
            "schema: olm.package\nname: p\ndefaultChannel: {default}\ndescription: {description}\n---\nschema: olm.channel\npackage: p\nname: stable\nentries:\n- name: p.v1.0.0\n"
        )
    }

    /// The quick fixes of a catalog with this text.
    fn fixes(workbench: &Workbench) -> Vec<FixView> {
        let rows = findings(workbench, &FindingsFilter::default(), 50).groups.into_iter().flat_map(|group| group.rows);
        rows.flat_map(|row| row.fixes).filter(|fix| fix.text == "Change to `stable`").collect()
    }

    /// An anchor is changed with all its aliases, and the finding is about one entry.
    #[test]
    fn a_fix_that_would_change_more_than_it_says_is_refused() {
        let load = |text: String| Workbench::new().with_text("c", "c.yaml", text);
        let plain = text("stabel", "a");
        let mut workbench = load(plain.clone());
        let fix = fixes(&workbench).remove(0);
        let undo = click(&mut workbench, &fix);
        assert_eq!(workbench.catalogs()[0].files[0].text, text("stable", "a"));
        workbench.edit_files(&undo);
        assert_eq!(workbench.catalogs()[0].files[0].text, plain);
        let shared = text("&it stabel", "*it");
        let mut workbench = load(shared.clone());
        let fix = fixes(&workbench).remove(0);
        let Some(InputEdit::Catalog { changes, .. }) = fix.edit else { panic!("{fix:?}") };
        let input = AuthoringInput::Fix { title: fix.text, changes };
        let refused = workbench.author_input(CatalogId(0), &input, None);
        assert!(refused.is_err(), "{refused:?}");
        assert_eq!(workbench.catalogs()[0].files[0].text, shared);
    }

    /// It was offered for another text.
    #[test]
    fn a_fix_of_a_finding_that_is_gone_is_refused() {
        let mut workbench = Workbench::new().with_text("c", "c.yaml", text("stabel", "a"));
        let fix = fixes(&workbench).remove(0);
        let Some(InputEdit::Catalog { changes, .. }) = fix.edit else { panic!("{fix:?}") };
        let file = workbench.catalogs()[0].files[0].key;
        workbench.edit(file, 0..0, "# more\n");
        let input = AuthoringInput::Fix { title: fix.text, changes };
        let expected = "the text is another one than when this was offered; look at the new findings";
        assert_eq!(workbench.author_input(CatalogId(0), &input, None), Err(expected.to_owned()));
    }
}
