//! Adding a catalog: at once, or step by step, so that questions and second thoughts need not wait for its end.

use crate::analysis::Analysis;
use crate::file::{FileInput, NewText};
use crate::ignore::mark_ignored;
use crate::input::{CatalogInput, DEFAULT_NAMESPACE, Workbench};
use views::{CatalogId, FileKey};

/// A catalog that is being added.
///
/// It is among the others from the first step on, with what was read of it so far; [`Workbench::remove`] takes it back.
///
/// ```
/// use workbench::{NewText, Workbench};
///
/// let mut workbench = Workbench::new();
/// let text = "schema: olm.package\nname: a\n---\nschema: olm.package\nname: b\n";
/// let file = NewText { path: "catalog.yaml".to_owned(), content: Ok(text.into()) };
/// let mut loading = workbench.begin_loading("catalog", vec![file]);
/// assert!(!workbench.continue_loading(&mut loading, 1));
/// workbench.preview(&loading);
/// assert_eq!(workbench.overview().packages.len(), 1);
/// while !workbench.continue_loading(&mut loading, 1) {}
/// workbench.finish_loading(&[loading]);
/// assert_eq!(workbench.overview().packages.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loading {
    /// Which.
    pub catalog: CatalogId,
    /// How many bytes were read.
    pub done: u32,
    /// How many files were read to their ends.
    files: usize,
    /// How many bytes those have.
    before: u32,
}

impl Workbench {
    /// Adds a catalog of the given files. Its name becomes a CatalogSource name that no other catalog has.
    ///
    /// `progress` is told after each file how many bytes are done.
    pub fn add_catalog(&mut self, name: &str, files: Vec<NewText>, progress: &mut dyn FnMut(u32)) -> CatalogId {
        let mut loading = self.begin_loading(name, files);
        while !self.continue_loading(&mut loading, u32::MAX) {
            progress(loading.done);
        }
        progress(loading.done);
        let id = loading.catalog;
        self.finish_loading(&[loading]);
        id
    }

    /// Begins to add a catalog as [`Workbench::add_catalog`] does.
    pub fn begin_loading(&mut self, name: &str, files: Vec<NewText>) -> Loading {
        self.begin_loading_as(CatalogId(self.next_catalog), name, files)
    }

    /// The same under a number that no other catalog has.
    pub fn begin_loading_as(&mut self, id: CatalogId, name: &str, files: Vec<NewText>) -> Loading {
        self.reserve_ids_below(CatalogId(id.0 + 1));
        let mut inputs = Vec::with_capacity(files.len());
        for file in files {
            inputs.push(FileInput::new(self.new_key(), file));
        }
        inputs.sort_by(|a, b| a.path.split('/').cmp(b.path.split('/')));
        mark_ignored(&mut inputs);
        let name = self.free_name(&resource_name(name));
        self.catalogs.push(CatalogInput {
            id,
            name,
            namespace: DEFAULT_NAMESPACE.to_owned(),
            priority: 0,
            files: inputs,
            analysis: Analysis::default(),
        });
        Loading { catalog: id, done: 0, files: 0, before: 0 }
    }

    /// Reads on for about so many bytes, of one file at most. Whether that was all.
    pub fn continue_loading(&mut self, loading: &mut Loading, bytes: u32) -> bool {
        let Some(catalog) = self.catalog_mut(loading.catalog) else { return true };
        let Some(file) = catalog.files.get_mut(loading.files) else { return true };
        let is_read = file.step(bytes);
        loading.done = loading.before + file.position();
        if is_read {
            loading.before += file.text.len() as u32;
            loading.done = loading.before;
            loading.files += 1;
        }
        loading.files == catalog.files.len()
    }

    /// Makes a model of what was read so far, without judging it.
    pub fn preview(&mut self, loading: &Loading) {
        if let Some(catalog) = self.catalog_mut(loading.catalog) {
            catalog.analysis = Analysis::without_checks(&catalog.files);
        }
    }

    /// Makes models of what was read, and judges them.
    pub fn finish_loading(&mut self, loaded: &[Loading]) {
        self.settle(loaded.iter().map(|loading| loading.catalog));
    }

    pub(crate) fn new_key(&mut self) -> FileKey {
        self.next_file += 1;
        FileKey(self.next_file - 1)
    }

    fn catalog_mut(&mut self, id: CatalogId) -> Option<&mut CatalogInput> {
        self.catalogs.iter_mut().find(|catalog| catalog.id == id)
    }

    pub(crate) fn free_name(&self, wanted: &str) -> String {
        let taken = |name: &str| self.catalogs.iter().any(|catalog| catalog.name == name);
        let numbered = (2..).map(|number| format!("{wanted}-{number}"));
        std::iter::once(wanted.to_owned()).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
    }
}

/// A name that Kubernetes takes: lower-case letters, digits, `-` and `.`, without the ending of a file.
fn resource_name(root: &str) -> String {
    let stem = root.strip_suffix(".yaml").or(root.strip_suffix(".yml")).or(root.strip_suffix(".json")).unwrap_or(root);
    let allowed = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c.to_ascii_lowercase() } else { '-' };
    let name: String = stem.chars().map(allowed).collect();
    let name = name.trim_matches(['-', '.']);
    if name.is_empty() { "catalog".to_owned() } else { name.to_owned() }
}
