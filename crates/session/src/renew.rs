//! Files that changed on the disk after they were opened.

use crate::catalog_input::CatalogInput;
use crate::file::{Difference, FileInput, NewText, is_ignore_file};
use crate::input::Workbench;
use source::OpenShift;
use std::collections::{BTreeMap, BTreeSet};
use views::{CatalogId, FileEdit, FileKey, SetId, TextEdit};

/// What became of files that were renewed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Renewed {
    /// Those that have another text than before.
    pub changed: Vec<FileKey>,
    /// Those that keep edits, although the disk has neither the text that was opened nor the edited one.
    pub contradicted: Vec<FileKey>,
}

impl Workbench {
    /// Takes files of a catalog as they are on the disk now. From now on these are the texts that were opened: a file that was
    /// edited keeps the edited text, and its edits are the difference from the new one.
    ///
    /// Nothing happens, and there is no answer, if one of them is no text or no file of the catalog: then the catalog has to be
    /// loaded again.
    pub fn renew(&mut self, id: CatalogId, files: Vec<NewText>) -> Option<Renewed> {
        let catalog = self.inputs.iter_mut().find(|catalog| catalog.id == id)?;
        let mut renewed = Vec::new();
        for new in files {
            let is_same =
                |file: &&FileInput| file.path == new.path && file.is_editable() && !is_ignore_file(&file.path);
            let key = catalog.files.iter().find(is_same)?.key;
            let new = FileInput::new(key, new);
            if new.fault().is_some() {
                return None;
            }
            renewed.push((key, new.text));
        }
        let edited = catalog.files.iter().filter(|file| file.difference.is_some());
        let edited: Vec<(FileKey, String)> = edited.map(|file| (file.key, file.text.clone())).collect();
        for file in catalog.files.as_mut_slice() {
            if let Some(TextEdit { start, end, text }) = file.opened() {
                file.splice(start..end, &text);
            }
        }
        catalog.opened = None;
        let mut outcome = Renewed::default();
        for (key, text) in renewed {
            let Some(file) = catalog.files.get_mut(key).filter(|file| file.text != text) else { continue };
            match edited.iter().find(|(other, _)| *other == key) {
                None => outcome.changed.push(key),
                Some((_, present)) if *present != text => outcome.contradicted.push(key),
                Some(_) => {}
            }
            if let Some(TextEdit { start, end, text }) = change(file, text) {
                file.splice(start..end, &text);
            }
            file.difference = None;
        }
        self.update([id]);
        let edits = edited.into_iter().filter_map(|(key, present)| {
            let (_, file) = self.file(key)?;
            Some(FileEdit { file: key, splices: vec![change(file, present)?] })
        });
        let edits: Vec<FileEdit> = edits.collect();
        if !edits.is_empty() {
            self.edit_files(&edits);
        }
        Some(outcome)
    }
}

/// A text that the user edited.
struct Edited {
    path: String,
    present: String,
    opened: String,
}

/// The edits of a catalog that is loaded again.
pub struct KeptEdits(Vec<Edited>);

impl KeptEdits {
    /// Those of a catalog.
    #[must_use]
    pub fn of(catalog: &CatalogInput) -> Self {
        let edited = catalog.edited_files().map(|file| Edited {
            path: file.path.clone(),
            present: file.text.clone(),
            opened: file.opened_text().into_owned(),
        });
        Self(edited.collect())
    }
}

impl Workbench {
    /// Makes the edits of the user in a catalog that was loaded again. Returns the files whose new texts contradict them.
    pub fn edit_again(&mut self, catalog: CatalogId, KeptEdits(edited): KeptEdits) -> Vec<FileKey> {
        let (mut contradicted, mut edits) = (Vec::new(), Vec::new());
        let files = self.catalog(catalog).into_iter().flat_map(|catalog| &catalog.files);
        let files: BTreeMap<&str, _> = files.map(|file| (&*file.path, file)).collect();
        for Edited { path, present, opened } in edited {
            let Some(file) = files.get(&*path).filter(|file| file.text != present) else { continue };
            contradicted.extend((file.text != opened).then_some(file.key));
            let whole = TextEdit { start: 0, end: file.text.len() as u32, text: present };
            edits.push(FileEdit { file: file.key, splices: vec![whole] });
        }
        drop(self.edit_files(&edits));
        contradicted
    }

    /// Gives the members of these sets that are open as catalogs the files that they have now. A member that is gone keeps its last
    /// ones.
    pub fn renew_members(&mut self, sets: &[SetId]) -> Renewed {
        let mut all = Renewed::default();
        let open: Vec<(CatalogId, SetId, OpenShift)> = (self.inputs.iter())
            .filter_map(|catalog| catalog.member.map(|(set, version)| (catalog.id, set, version)))
            .filter(|(_, set, _)| sets.contains(set))
            .collect();
        for (id, set, version) in open {
            let files = self.member_files(set, version);
            let Some(catalog) = self.catalog(id).filter(|_| !files.is_empty()) else { continue };
            let known: BTreeSet<&str> =
                catalog.files.iter().filter(|file| file.expanded_from.is_none()).map(|file| &*file.path).collect();
            let is_same = files.len() == known.len() && files.iter().all(|file| known.contains(&*file.path));
            if let Some(renewed) = is_same.then(|| self.renew(id, files.clone())).flatten() {
                all.changed.extend(renewed.changed);
                all.contradicted.extend(renewed.contradicted);
                continue;
            }
            let Some(former) = self.remove(id) else { continue };
            let edits = KeptEdits::of(&former);
            let mut loading = self.begin_loading_as(id, &former.name, files);
            while !self.continue_loading(&mut loading, u32::MAX) {}
            self.finish_loading(&[loading]);
            self.set_metadata(id, &former.name, &former.namespace, former.priority);
            self.set_baseline(id, former.is_baseline);
            self.set_member(id, (set, version));
            all.contradicted.extend(self.edit_again(id, edits));
        }
        all
    }
}

/// The change that gives a file another text, if that is another one.
fn change(file: &FileInput, text: String) -> Option<TextEdit> {
    let whole = Difference { present: 0..file.text.len(), opened: text };
    let Difference { present, opened } = whole.trimmed(&file.text)?;
    Some(TextEdit { start: present.start as u32, end: present.end as u32, text: opened })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::workbench;

    const FILES: [(&str, &str); 2] = [("a", "package p\nc: 1.0.0"), ("b", "package q\nc: 1.0.0")];

    fn text(path: &str, text: &str) -> NewText {
        NewText { path: path.to_owned(), content: Ok(text.into()) }
    }

    /// A catalog with two files, and their keys.
    fn opened() -> (Workbench, CatalogId, [FileKey; 2]) {
        let mut workbench = Workbench::new();
        let files = FILES.map(|(path, of)| text(path, &fixture::yaml(of)));
        let id = workbench.add_catalog("c", files.to_vec(), &mut |_| {});
        let keys = [0, 1].map(|at| workbench.catalogs()[0].files[at].key);
        (workbench, id, keys)
    }

    /// The text of a file now and as it was opened, and the names of all packages now and before the edits.
    fn state(workbench: &Workbench, key: FileKey) -> (String, String, Vec<String>, Vec<String>) {
        let (catalog, file) = workbench.file(key).expect("it is there");
        let names = |analysis: &crate::Analysis| {
            analysis.catalog.packages.iter().map(|package| package.name.to_string()).collect::<Vec<_>>()
        };
        let before = catalog.opened.as_ref().map_or_else(|| names(&catalog.analysis), |opened| names(&opened.analysis));
        (file.text.clone(), file.opened_text().into_owned(), names(&catalog.analysis), before)
    }

    #[test]
    fn what_is_on_the_disk_is_what_was_opened() {
        let (mut workbench, id, [a, b]) = opened();
        let other = fixture::yaml("package r\nc: 1.0.0, 1.1.0");
        assert_eq!(
            workbench.renew(id, vec![text("a", &other)]),
            Some(Renewed { changed: vec![a], ..Renewed::default() })
        );
        let names = vec!["q".to_owned(), "r".to_owned()];
        assert_eq!(state(&workbench, a), (other.clone(), other.clone(), names.clone(), names));
        let loaded = |files: &[(&str, &str)]| {
            let mut workbench = Workbench::new();
            let files = files.iter().map(|(path, of)| text(path, of)).collect();
            workbench.add_catalog("c", files, &mut |_| {});
            workbench
        };
        let again = loaded(&[("a", &other), ("b", &fixture::yaml(FILES[1].1))]);
        let findings = |workbench: &Workbench| {
            let catalog = &workbench.catalogs()[0];
            let shown = catalog.analysis.shown();
            shown.map(|found| (found.diagnostic.rule, catalog.place(found.diagnostic.span).line)).collect::<Vec<_>>()
        };
        assert_eq!(findings(&workbench), findings(&again));
        assert!(workbench.file(b).is_some_and(|(_, file)| file.opened().is_none()));
    }

    #[test]
    fn edits_of_other_files_stay_edits() {
        let (mut workbench, id, [a, b]) = opened();
        let present = fixture::yaml(FILES[1].1);
        let at = present.find("name: q").expect("a package") as u32 + 6;
        workbench.edit(b, at..at + 1, "s");
        let other = fixture::yaml("package r\nc: 1.0.0");
        assert_eq!(
            workbench.renew(id, vec![text("a", &other)]),
            Some(Renewed { changed: vec![a], ..Renewed::default() })
        );
        let (text_of_b, opened_of_b, now, before) = state(&workbench, b);
        assert!(text_of_b != present && opened_of_b == present);
        assert_eq!(
            (now, before),
            (vec!["q".to_owned(), "r".to_owned(), "s".to_owned()], vec!["q".to_owned(), "r".to_owned()])
        );
        assert_eq!(state(&workbench, a).1, other);
    }

    #[test]
    fn an_edited_file_keeps_the_edits_until_the_disk_has_them() {
        let (mut workbench, id, [a, _]) = opened();
        workbench.edit(a, 0..0, "# mine\n");
        let (mine, ..) = state(&workbench, a);
        let theirs = format!("# theirs\n{}", fixture::yaml(FILES[0].1));
        assert_eq!(
            workbench.renew(id, vec![text("a", &theirs)]),
            Some(Renewed { contradicted: vec![a], ..Renewed::default() }),
            "neither"
        );
        let (present, opened, ..) = state(&workbench, a);
        assert_eq!((&present, &opened), (&mine, &theirs));
        assert_eq!(workbench.renew(id, vec![text("a", &mine)]), Some(Renewed::default()), "they were saved");
        let catalog = workbench.catalog(id).expect("it is there");
        assert!(catalog.opened.is_none() && catalog.edited_files().next().is_none());
    }

    #[test]
    fn what_is_no_text_or_no_file_is_loaded_again() {
        let mut workbench = workbench(&[("c", "package p c")]);
        let id = workbench.catalogs()[0].id;
        let path = workbench.catalogs()[0].files[0].path.clone();
        let before = workbench.catalogs()[0].files[0].text.clone();
        assert_eq!(workbench.renew(id, vec![text("other", "")]), None);
        assert_eq!(workbench.renew(id, vec![NewText { path: path.clone(), content: Err("gone".to_owned()) }]), None);
        let bytes = NewText { path, content: Ok(vec![0xff, 0xfe, 0xfd]) };
        assert_eq!(workbench.renew(id, vec![text("other", ""), bytes]), None);
        assert_eq!(workbench.catalogs()[0].files[0].text, before);
    }
}
