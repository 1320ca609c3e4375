//! The inputs: catalogs with their files.

use crate::analysis::{Analysis, relate};
use crate::file::FileInput;
use crate::ignore::{ignore_again, is_ignore_file};
use crate::{attached_files, templates};
use catalog::ParsedFile;
use source::{Diagnostic, FileId, Rule};
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;
use views::{CatalogId, FileKey};

/// The namespace of a catalog until the user says otherwise: the global catalog namespace of upstream OLM.
pub(crate) const DEFAULT_NAMESPACE: &str = "olm";

/// All inputs and what follows from them.
#[derive(Default)]
pub struct Workbench {
    pub(crate) catalogs: Vec<CatalogInput>,
    pub(crate) next_catalog: u32,
    pub(crate) next_file: u32,
    /// Whether templates are expanded.
    expands: bool,
    /// The rules that the user switched off.
    off: Rc<BTreeSet<Rule>>,
}

/// A catalog: a CatalogSource and the files that it serves.
pub struct CatalogInput {
    /// Which.
    pub id: CatalogId,
    /// `metadata.name`
    pub name: String,
    /// `metadata.namespace`
    pub namespace: String,
    /// `spec.priority`
    pub priority: i32,
    /// In the order that `opm` walks them.
    pub files: Vec<FileInput>,
    /// What the files say together.
    pub analysis: Analysis,
}

/// What became of files beside catalogs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttachedFiles {
    /// Catalogs that have more files now.
    pub changed: BTreeSet<CatalogId>,
    /// What was taken for a catalog and is none.
    pub removed: BTreeSet<CatalogId>,
}

impl Workbench {
    /// No inputs.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// No inputs. A catalog of templates alone will be shown as what they stand for; to `opm` and a workbench that is
    /// [`new`](Self::new) they are documents of an unknown schema.
    #[must_use]
    pub fn with_template_expansion() -> Self {
        Self { expands: true, ..Self::default() }
    }

    /// Gives numbers from `first` on to further catalogs, because lower ones are in use elsewhere.
    pub fn reserve_ids_below(&mut self, first: CatalogId) {
        self.next_catalog = self.next_catalog.max(first.0);
    }

    /// The catalogs in the order they were added.
    #[must_use]
    pub fn catalogs(&self) -> &[CatalogInput] {
        &self.catalogs
    }

    /// A catalog.
    #[must_use]
    pub fn catalog(&self, id: CatalogId) -> Option<&CatalogInput> {
        self.catalogs.iter().find(|catalog| catalog.id == id)
    }

    /// A file and its catalog.
    #[must_use]
    pub fn file(&self, key: FileKey) -> Option<(&CatalogInput, &FileInput)> {
        self.catalogs.iter().find_map(|catalog| Some((catalog, catalog.file(key)?)))
    }

    /// Changes what a CatalogSource is called and how it ranks.
    pub fn set_metadata(&mut self, id: CatalogId, name: &str, namespace: &str, priority: i32) {
        if let Some(catalog) = self.catalogs.iter_mut().find(|catalog| catalog.id == id) {
            catalog.name = name.to_owned();
            catalog.namespace = namespace.to_owned();
            catalog.priority = priority;
        }
    }

    /// Takes a catalog out, to be forgotten or to be put back.
    pub fn remove(&mut self, id: CatalogId) -> Option<CatalogInput> {
        let at = self.catalogs.iter().position(|catalog| catalog.id == id)?;
        let removed = self.catalogs.remove(at);
        self.settle(None);
        Some(removed)
    }

    /// Shows no findings of these rules any more, and those of all others; ids of no rule mean nothing.
    pub fn disable_rules(&mut self, rules: &[String]) {
        let rules = rules.iter().filter_map(|id| id.parse().ok());
        self.off = Rc::new(rules.collect());
        self.catalogs.iter_mut().for_each(|catalog| catalog.analysis.disable_rules(&self.off));
    }

    /// The rules that are switched off.
    pub(crate) fn disabled_rules(&self) -> &BTreeSet<Rule> {
        &self.off
    }

    /// Takes everything out, to be forgotten or to be put back.
    pub fn clear(&mut self) -> Vec<CatalogInput> {
        std::mem::take(&mut self.catalogs)
    }

    /// Puts catalogs back where they were, under the keys that they had. One whose name was given away meanwhile gets
    /// another.
    pub fn put_back(&mut self, catalogs: Vec<CatalogInput>) {
        for mut catalog in catalogs {
            catalog.name = self.free_name(&catalog.name);
            // Rules may have been switched meanwhile.
            catalog.analysis.disable_rules(&self.off);
            // Catalogs stand in the order in which they were added, which is that of their ids.
            let at = self.catalogs.iter().take_while(|other| other.id < catalog.id).count();
            self.catalogs.insert(at, catalog);
        }
        self.settle(None);
    }

    /// Replaces bytes of a file's text and reads again what that changes. Offsets that do not fit the text are moved to
    /// the nearest that do, so that an edit is never lost. What a template was expanded to follows the template alone.
    pub fn edit(&mut self, key: FileKey, bytes: Range<u32>, text: &str) {
        let Some(catalog) = self.catalogs.iter_mut().find(|catalog| catalog.file(key).is_some()) else { return };
        let id = catalog.id;
        for file in catalog.files.iter_mut().filter(|file| file.key == key && file.expanded_from.is_none()) {
            file.splice(bytes.clone(), text);
        }
        if catalog.files.iter().any(|file| file.key == key && is_ignore_file(&file.path)) {
            ignore_again(&mut catalog.files);
        }
        self.settle(Some(id));
    }

    /// Gives each `dependencies.yaml` or `properties.yaml` that was added by itself to the catalog with its bundle.
    pub fn attach_bundle_files(&mut self) -> AttachedFiles {
        let attached = attached_files::adopt(&mut self.catalogs);
        self.catalogs.retain(|catalog| !attached.removed.contains(&catalog.id));
        if attached != AttachedFiles::default() {
            self.settle(attached.changed.iter().copied());
        }
        attached
    }

    /// Follows a change of the inputs: these catalogs are built anew, and what depends on all of them is found anew.
    pub(crate) fn settle(&mut self, changed: impl IntoIterator<Item = CatalogId>) {
        let mut changed: BTreeSet<CatalogId> = changed.into_iter().collect();
        if self.expands {
            changed.extend(templates::expand_all(&mut self.catalogs, &mut self.next_file));
        }
        for catalog in self.catalogs.iter_mut().filter(|catalog| changed.contains(&catalog.id)) {
            catalog.analysis = Analysis::of(&catalog.files);
        }
        relate(&mut self.catalogs, &self.off);
    }
}

impl CatalogInput {
    /// A file of the catalog.
    #[must_use]
    pub fn file(&self, key: FileKey) -> Option<&FileInput> {
        self.files.iter().find(|file| file.key == key)
    }

    /// Whether `opm` would accept the catalog: no finding stands for an error of `opm`.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        self.analysis.findings.iter().all(|found| found.diagnostic.opm.is_none())
    }

    /// The error that `opm` stops at, or tells first; `None` if it accepts the catalog.
    #[must_use]
    pub fn rejection(&self) -> Option<&Diagnostic> {
        let files: Vec<_> = (self.files.iter())
            .map(|file| (FileId(file.key.0), ParsedFile { text: &file.text, parse: file.served() }))
            .collect();
        catalog::rejection(&files, self.analysis.findings.iter().map(|found| &found.diagnostic))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NewText;

    fn text(path: &str, text: &str) -> NewText {
        NewText { path: path.to_owned(), content: Ok(text.as_bytes().to_vec()) }
    }

    fn workbench(files: Vec<NewText>) -> (Workbench, CatalogId) {
        let mut workbench = Workbench::new();
        let id = workbench.add_catalog("My Catalog.yaml", files, &mut |_| {});
        (workbench, id)
    }

    #[test]
    fn names_fit_kubernetes_and_stay_distinct() {
        let (mut workbench, _) = workbench(Vec::new());
        workbench.add_catalog("my-catalog", Vec::new(), &mut |_| {});
        workbench.add_catalog("...", Vec::new(), &mut |_| {});
        let names: Vec<_> = workbench.catalogs().iter().map(|catalog| catalog.name.as_str()).collect();
        assert_eq!(names, ["my-catalog", "my-catalog-2", "catalog"]);
    }

    #[test]
    fn files_are_walked_folder_by_folder() {
        let (workbench, _) = workbench(vec![text("b-c/x", ""), text("b/x", ""), text("a", "")]);
        let paths: Vec<_> = workbench.catalogs()[0].files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["a", "b/x", "b-c/x"]);
    }

    #[test]
    fn an_edit_is_seen_at_once() {
        let (mut workbench, id) = workbench(vec![text("a.yaml", "schema: olm.package\nname: é\n")]);
        let key = workbench.catalogs()[0].files[0].key;
        workbench.edit(key, 26..28, "etcd");
        let catalog = workbench.catalog(id).unwrap();
        assert_eq!(&*catalog.files[0].text, "schema: olm.package\nname: etcd\n");
        assert_eq!(catalog.analysis.catalog.packages[0].name.as_str(), "etcd");
        workbench.edit(key, 90..99, "x: 1\n");
        assert_eq!(&*workbench.catalogs()[0].files[0].text, "schema: olm.package\nname: etcd\nx: 1\n");
    }

    #[test]
    fn what_was_taken_out_comes_back_where_it_was() {
        let mut workbench = Workbench::new();
        let ids: Vec<CatalogId> =
            ["a", "b", "c"].map(|name| workbench.add_catalog(name, Vec::new(), &mut |_| {})).to_vec();
        let removed = workbench.remove(ids[1]).unwrap();
        assert!(workbench.remove(ids[1]).is_none());
        let cleared = workbench.clear();
        workbench.add_catalog("c", Vec::new(), &mut |_| {});
        workbench.put_back(cleared);
        workbench.put_back(vec![removed]);
        let names: Vec<_> = workbench.catalogs().iter().map(|catalog| catalog.name.as_str()).collect();
        assert_eq!(names, ["a", "b", "c-2", "c"], "a name belongs to whom it was given last");
        assert_eq!(workbench.catalogs().iter().take(3).map(|catalog| catalog.id).collect::<Vec<_>>(), ids);
    }

    #[test]
    fn indexignore_leaves_files_out_and_back_in() {
        let files = vec![text(".indexignore", "README.md\n"), text("README.md", "# Hello\n")];
        let (mut workbench, _) = workbench(files);
        assert!(workbench.catalogs()[0].analysis.findings.is_empty());
        let ignore_file = workbench.catalogs()[0].files[0].key;
        workbench.edit(ignore_file, 0..10, "");
        assert!(!workbench.catalogs()[0].analysis.findings.is_empty());
    }
}
