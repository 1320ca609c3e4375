//! The inputs: catalogs with their files.

use crate::beside;
use crate::build::{Built, relate};
use fbc::{Legacy, Parse};
use order::Order;
use source::{Diagnostic, FileId, LineIndex, Rule, Span};
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;
use views::{CatalogId, FileKey};

/// The namespace of a catalog until the user says otherwise: the global catalog namespace of upstream OLM.
pub(crate) const DEFAULT_NAMESPACE: &str = "olm";

/// All inputs and what follows from them.
#[derive(Default)]
pub struct Workbench {
    catalogs: Vec<CatalogInput>,
    next_catalog: u32,
    next_file: u32,
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
    pub built: Built,
}

/// A file of a catalog.
pub struct FileInput {
    /// Which; spans into it have the same number as [`FileId`].
    pub key: FileKey,
    /// The path below the catalog's root, with `/`.
    pub path: String,
    /// The text; empty when the file is not text.
    pub text: Rc<str>,
    /// Where lines begin.
    pub lines: LineIndex,
    /// Whether `.indexignore` leaves it out, or it is an `.indexignore` itself.
    pub ignored: bool,
    /// What the text says; nothing when it is ignored.
    pub parse: Parse,
    /// What it lists, if it is a `dependencies.yaml` or `properties.yaml` that stands beside the catalog.
    pub(crate) beside: Option<Legacy>,
}

/// What became of files beside catalogs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Adopted {
    /// Catalogs that have more files now.
    pub into: BTreeSet<CatalogId>,
    /// What was taken for a catalog and is none.
    pub gone: BTreeSet<CatalogId>,
}

/// A file to be added.
pub struct NewText {
    /// The path below the catalog's root, with `/`.
    pub path: String,
    /// The bytes of the file, or why they could not be read.
    pub content: Result<Vec<u8>, String>,
}

impl Workbench {
    /// No inputs.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
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

    /// Adds a catalog of the given files. Its name becomes a CatalogSource name that no other catalog has.
    ///
    /// `progress` is told after each file how many bytes are done.
    pub fn add_catalog(&mut self, name: &str, files: Vec<NewText>, progress: &mut dyn FnMut(u32)) -> CatalogId {
        let id = CatalogId(self.next_catalog);
        self.next_catalog += 1;
        let first = self.next_file;
        self.next_file += files.len() as u32;
        let files = read(files, first, progress);
        let built = Built::of(&files);
        let name = self.free_name(&resource_name(name));
        self.catalogs.push(CatalogInput {
            id,
            name,
            namespace: DEFAULT_NAMESPACE.to_owned(),
            priority: 0,
            files,
            built,
        });
        relate(&mut self.catalogs);
        id
    }

    /// Changes what a CatalogSource is called and how it ranks.
    pub fn describe(&mut self, id: CatalogId, name: &str, namespace: &str, priority: i32) {
        if let Some(catalog) = self.catalogs.iter_mut().find(|catalog| catalog.id == id) {
            catalog.name = name.to_owned();
            catalog.namespace = namespace.to_owned();
            catalog.priority = priority;
        }
    }

    /// Forgets a catalog.
    pub fn remove(&mut self, id: CatalogId) {
        self.catalogs.retain(|catalog| catalog.id != id);
        relate(&mut self.catalogs);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.catalogs.clear();
    }

    /// Replaces bytes of a file's text and reads that file again. Offsets that do not fit the text are moved to the
    /// nearest that do, so that an edit is never lost.
    pub fn edit(&mut self, key: FileKey, bytes: Range<u32>, text: &str) {
        let Some(catalog) = self.catalogs.iter_mut().find(|catalog| catalog.file(key).is_some()) else { return };
        for file in catalog.files.iter_mut().filter(|file| file.key == key) {
            file.splice(bytes.clone(), text);
        }
        if catalog.files.iter().any(|file| file.key == key && is_ignore_file(&file.path)) {
            ignore_again(&mut catalog.files);
        }
        catalog.built = Built::of(&catalog.files);
        relate(&mut self.catalogs);
    }

    /// Gives each `dependencies.yaml` or `properties.yaml` that was added by itself to the catalog with its bundle.
    pub fn adopt_files_beside(&mut self) -> Adopted {
        let adopted = beside::adopt(&mut self.catalogs);
        for catalog in self.catalogs.iter_mut().filter(|catalog| adopted.into.contains(&catalog.id)) {
            catalog.built = Built::of(&catalog.files);
        }
        self.catalogs.retain(|catalog| !adopted.gone.contains(&catalog.id));
        relate(&mut self.catalogs);
        adopted
    }

    fn free_name(&self, wanted: &str) -> String {
        let taken = |name: &str| self.catalogs.iter().any(|catalog| catalog.name == name);
        let numbered = (2..).map(|number| format!("{wanted}-{number}"));
        std::iter::once(wanted.to_owned()).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
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
    pub fn is_served(&self) -> bool {
        self.built.findings.iter().all(|found| found.diagnostic.opm.is_none())
    }
}

impl FileInput {
    fn new(key: FileKey, NewText { path, content }: NewText) -> Self {
        let file = FileId(key.0);
        let start = Span::new(file, 0, 0);
        let unreadable =
            |reason| Diagnostic::new(Rule::UnreadableFile, start, format!("the file cannot be read: {reason}"));
        let (text, unreadable) = match content.map_err(unreadable).and_then(|bytes| fbc::decode_bytes(file, bytes)) {
            Ok(text) => (text, None),
            Err(diagnostic) => (String::new(), Some(diagnostic)),
        };
        let lines = LineIndex::new(&text);
        let parse = Parse { docs: Vec::new(), diagnostics: unreadable.into_iter().collect() };
        Self { key, path, text: text.into(), lines, ignored: false, parse, beside: None }
    }

    /// Reads the text, unless it is ignored or no text.
    pub(crate) fn parse(&mut self) {
        let unreadable = self.text.is_empty() && !self.parse.diagnostics.is_empty();
        self.beside = beside::is_beside(&self.path).then(|| fbc::legacy(FileId(self.key.0), &self.text)).flatten();
        if self.ignored || self.beside.is_some() {
            self.parse = Parse::default();
        } else if !unreadable {
            self.parse = fbc::parse(FileId(self.key.0), &self.text);
        }
    }

    fn splice(&mut self, bytes: Range<u32>, replacement: &str) {
        let start = self.text.floor_char_boundary(bytes.start as usize);
        let end = self.text.ceil_char_boundary((bytes.end as usize).max(start));
        let text = [&self.text[..start], replacement, &self.text[end..]].concat();
        self.lines = LineIndex::new(&text);
        self.text = text.into();
        self.parse.diagnostics.clear();
        self.parse();
    }

    /// Everything that reading the file found.
    pub(crate) fn diagnostics(&self) -> &[Diagnostic] {
        &self.parse.diagnostics
    }
}

fn read(files: Vec<NewText>, first: u32, progress: &mut dyn FnMut(u32)) -> Vec<FileInput> {
    let numbered = files.into_iter().zip(first..);
    let mut files: Vec<FileInput> = numbered.map(|(file, key)| FileInput::new(FileKey(key), file)).collect();
    files.order_by(|a, b| a.path.split('/').cmp(b.path.split('/')));
    mark_ignored(&mut files);
    let mut done = 0;
    for file in &mut files {
        file.parse();
        done += file.text.len() as u32;
        progress(done);
    }
    files
}

fn ignore_again(files: &mut [FileInput]) {
    let before: Vec<bool> = files.iter().map(|file| file.ignored).collect();
    mark_ignored(files);
    for (file, before) in files.iter_mut().zip(before) {
        if file.ignored != before {
            file.parse();
        }
    }
}

fn mark_ignored(files: &mut [FileInput]) {
    let ignore = fbc::Ignore::new(
        files.iter().filter(|file| is_ignore_file(&file.path)).map(|file| (file.path.as_str(), &*file.text)),
    );
    let ignored: Vec<bool> = files.iter().map(|file| ignore.ignores(&file.path)).collect();
    for (file, ignored) in files.iter_mut().zip(ignored) {
        file.ignored = ignored;
    }
}

fn is_ignore_file(path: &str) -> bool {
    path.rsplit('/').next() == Some(".indexignore")
}

/// A name that Kubernetes takes: lower-case letters, digits, `-` and `.`, without the ending of a file.
fn resource_name(root: &str) -> String {
    let stem = root.strip_suffix(".yaml").or(root.strip_suffix(".yml")).or(root.strip_suffix(".json")).unwrap_or(root);
    let allowed = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c.to_ascii_lowercase() } else { '-' };
    let name: String = stem.chars().map(allowed).collect();
    let name = name.trim_matches(['-', '.']);
    if name.is_empty() { "catalog".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(catalog.built.catalog.packages[0].name.as_str(), "etcd");
        workbench.edit(key, 90..99, "x: 1\n");
        assert_eq!(&*workbench.catalogs()[0].files[0].text, "schema: olm.package\nname: etcd\nx: 1\n");
    }

    #[test]
    fn indexignore_leaves_files_out_and_back_in() {
        let files = vec![text(".indexignore", "README.md\n"), text("README.md", "# Hello\n")];
        let (mut workbench, _) = workbench(files);
        assert!(workbench.catalogs()[0].built.findings.is_empty());
        let ignore_file = workbench.catalogs()[0].files[0].key;
        workbench.edit(ignore_file, 0..10, "");
        assert!(!workbench.catalogs()[0].built.findings.is_empty());
    }
}
