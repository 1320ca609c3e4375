//! Adding a catalog, at once or in steps. Between two steps the worker can answer queries and cancel.

use crate::analysis::Analysis;
use crate::catalog_input::{CatalogInput, DEFAULT_NAMESPACE};
use crate::file::{FileInput, NewText, mark_ignored};
use crate::input::Workbench;
use views::{CatalogId, FileKey};

/// The progress of a catalog that is being added.
///
/// The catalog is in the list from the first step on, with what was parsed of it so far. [`Workbench::remove`] cancels.
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
    /// The catalog.
    pub catalog: CatalogId,
    /// The number of bytes parsed.
    pub done: u32,
    /// The number of files parsed to their ends.
    files: usize,
    /// The number of bytes that those files have.
    before: u32,
}

impl Workbench {
    /// Adds a catalog with the given files. Its name is made a valid CatalogSource name that no other catalog has.
    ///
    /// Calls `progress` after each file with the number of bytes that are done.
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

    /// Begins to add a catalog like [`Workbench::add_catalog`].
    pub fn begin_loading(&mut self, name: &str, files: Vec<NewText>) -> Loading {
        self.begin_loading_as(CatalogId(self.next_catalog), name, files)
    }

    /// The same with an id that no other catalog has.
    pub fn begin_loading_as(&mut self, id: CatalogId, name: &str, files: Vec<NewText>) -> Loading {
        let new = |(key, file)| FileInput::new(key, file);
        let inputs = self.with_keys(files).into_iter().map(new).collect();
        self.begin_loading_files(id, name, inputs)
    }

    /// Gives every file a key of its own.
    fn with_keys(&mut self, files: Vec<NewText>) -> Vec<(FileKey, NewText)> {
        files.into_iter().map(|file| (self.new_key(), file)).collect()
    }

    /// Adds a catalog like [`Workbench::add_catalog`]; the caller decodes and parses its files, perhaps several at once.
    ///
    /// `decode` makes a [`FileInput`] of each pair, in this order, and `parse` calls [`FileInput::parse_with`] for each file,
    /// in any order. What they leave out is parsed here.
    pub fn add_catalog_with(
        &mut self,
        name: &str,
        files: Vec<NewText>,
        decode: impl FnOnce(Vec<(FileKey, NewText)>) -> Vec<FileInput>,
        parse: impl FnOnce(&mut [FileInput]),
    ) -> CatalogId {
        let inputs = decode(self.with_keys(files));
        let mut loading = self.begin_loading_files(CatalogId(self.next_catalog), name, inputs);
        let id = loading.catalog;
        if let Some(catalog) = self.catalog_mut(id) {
            parse(&mut catalog.files);
        }
        while !self.continue_loading(&mut loading, u32::MAX) {}
        self.finish_loading(&[loading]);
        id
    }

    fn begin_loading_files(&mut self, id: CatalogId, name: &str, mut inputs: Vec<FileInput>) -> Loading {
        self.reserve_ids_below(CatalogId(id.0 + 1));
        inputs.sort_by(|a, b| a.path.split('/').cmp(b.path.split('/')));
        mark_ignored(&mut inputs);
        let name = self.free_name(&resource_name(name));
        self.insert(CatalogInput {
            id,
            is_baseline: false,
            name,
            namespace: DEFAULT_NAMESPACE.to_owned(),
            priority: 0,
            files: inputs,
            analysis: Analysis::default(),
            mirrored: None,
            bundle_tree: None,
            bundle_rules: None,
            opened: None,
        });
        Loading { catalog: id, done: 0, files: 0, before: 0 }
    }

    /// Parses about `bytes` more bytes, of at most one file. Returns whether all files are parsed.
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

    /// Makes a model of what was parsed so far, without findings.
    pub fn preview(&mut self, loading: &Loading) {
        if let Some(catalog) = self.catalog_mut(loading.catalog) {
            catalog.analysis = Analysis::without_checks(&catalog.files);
        }
    }

    /// Analyses the loaded catalogs.
    pub fn finish_loading(&mut self, loaded: &[Loading]) {
        self.update(loaded.iter().map(|loading| loading.catalog));
    }

    fn catalog_mut(&mut self, id: CatalogId) -> Option<&mut CatalogInput> {
        self.inputs.iter_mut().find(|catalog| catalog.id == id)
    }
}

/// A name that Kubernetes accepts: lower-case letters, digits, `-` and `.`, without the extension of a file.
pub(crate) fn resource_name(root: &str) -> String {
    let stem = root.strip_suffix(".yaml").or(root.strip_suffix(".yml")).or(root.strip_suffix(".json")).unwrap_or(root);
    let allowed = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c.to_ascii_lowercase() } else { '-' };
    let name: String = stem.chars().map(allowed).collect();
    let name = name.trim_matches(['-', '.']);
    if name.is_empty() { "catalog".to_owned() } else { name.to_owned() }
}
