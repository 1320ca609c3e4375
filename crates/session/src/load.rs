//! Adding a catalog, at once or in steps. Between two steps the worker can answer queries and cancel.

use crate::analysis::Analysis;
use crate::catalog_input::CatalogInput;
use crate::file::{FileInput, NewText, mark_ignored, update_ignored};
use crate::input::Workbench;
use source::{FileId, Rule};
use views::{CatalogId, FileKey};

/// The progress of a catalog that is being added.
///
/// The catalog is in the list from the first step on, with what was parsed of it so far. [`Workbench::remove`] cancels.
///
/// ```
/// use session::{NewText, Workbench};
///
/// let mut workbench = Workbench::new();
/// let text = "schema: olm.package\nname: a\n---\nschema: olm.package\nname: b\n";
/// let file = NewText { path: "catalog.yaml".to_owned(), content: Ok(text.into()) };
/// let mut loading = workbench.begin_loading("catalog", vec![file]);
/// assert!(!workbench.continue_loading(&mut loading, 1));
/// workbench.preview(&loading);
/// assert_eq!(workbench.catalogs()[0].analysis.catalog.packages.len(), 1);
/// while !workbench.continue_loading(&mut loading, 1) {}
/// workbench.finish_loading(&[loading]);
/// assert_eq!(workbench.catalogs()[0].analysis.catalog.packages.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loading {
    pub catalog: CatalogId,
    /// The number of bytes parsed.
    pub done: u32,
    /// The number of files parsed to their ends.
    files: usize,
    /// The number of bytes that those files have.
    before: u32,
}

/// What a file is expected to be.
const CATALOG: &str =
    "a catalog is a YAML or JSON file with documents such as `schema: olm.package`, or a folder of these";

/// What a bundle directory lacks of which only `metadata/` is there.
const NO_MANIFESTS: &str = "a bundle directory without `manifests/`; beside `metadata/annotations.yaml` it needs \
                            `manifests/` with the ClusterServiceVersion and the CustomResourceDefinitions of the \
                            bundle";

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

    /// Begins to add a catalog like [`Workbench::add_catalog`], and parses it; the caller decodes and parses its files, perhaps
    /// several at once. What is left is [`Workbench::finish_loading`], once for all catalogs that are added together: it runs
    /// the checks that depend on all of them.
    ///
    /// `decode` makes a [`FileInput`] of each pair, in this order, and `parse` calls [`FileInput::parse_with`] for each file,
    /// in any order. What they leave out is parsed here.
    pub fn begin_loading_with(
        &mut self,
        name: &str,
        files: Vec<NewText>,
        decode: impl FnOnce(Vec<(FileKey, NewText)>) -> Vec<FileInput>,
        parse: impl FnOnce(&mut [FileInput]),
    ) -> Loading {
        let inputs = decode(self.with_keys(files));
        let mut loading = self.begin_loading_files(CatalogId(self.next_catalog), name, inputs);
        if let Some(catalog) = self.catalog_mut(loading.catalog) {
            parse(catalog.files.as_mut_slice());
        }
        while !self.continue_loading(&mut loading, u32::MAX) {}
        loading
    }

    fn begin_loading_files(&mut self, id: CatalogId, name: &str, mut inputs: Vec<FileInput>) -> Loading {
        self.reserve_ids_below(CatalogId(id.0 + 1));
        sort_as_walked(&mut inputs);
        mark_ignored(&mut inputs);
        let name = self.free_name(&resource_name(name));
        self.insert(CatalogInput::new(id, name, inputs.into()));
        Loading { catalog: id, done: 0, files: 0, before: 0 }
    }

    /// Adds a file to a catalog that is being added. Its parsing is what [`Workbench::continue_loading`] does next, if the
    /// files before it are parsed.
    pub fn add_file(&mut self, loading: &Loading, file: NewText) {
        let key = self.new_key();
        if let Some(catalog) = self.catalog_mut(loading.catalog) {
            catalog.files.push(FileInput::new(key, file));
        }
    }

    /// Parses about `bytes` more bytes, of at most one file. Returns whether all files are parsed.
    pub fn continue_loading(&mut self, loading: &mut Loading, bytes: u32) -> bool {
        let Some(catalog) = self.catalog_mut(loading.catalog) else { return true };
        let Some(file) = catalog.files.as_mut_slice().get_mut(loading.files) else { return true };
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

    /// Takes back a catalog that is being added if its only file is no catalog. Returns why it is none, and what to do. A
    /// catalog with mistakes stays, and so does a file that belongs to a bundle.
    pub fn take_back_no_catalog(&mut self, loading: &Loading) -> Option<String> {
        let at = self.inputs.iter().position(|catalog| catalog.id == loading.catalog)?;
        let mut files = self.inputs[at].files.iter();
        let (Some(file), None) = (files.next(), files.next()) else { return None };
        let says_nothing = |line: &str| line.is_empty() || line.starts_with('#') || line == "---";
        let is_empty = file.fault().is_none() && file.text.lines().all(|line| says_nothing(line.trim()));
        let is_none = is_empty || file.parse().diagnostics.iter().any(|finding| finding.rule == Rule::NotACatalog);
        if !is_none || fbc::legacy(FileId(file.key.0), &file.text).is_some() {
            return None;
        }
        let reason = if is_empty {
            format!("there is nothing in it; {CATALOG}")
        } else if file.path.split('/').any(|part| part == "metadata") {
            NO_MANIFESTS.to_owned()
        } else {
            fbc::no_catalog_reason(&file.text)
        };
        self.inputs.remove(at);
        Some(reason)
    }

    /// Analyses the loaded catalogs, and runs the checks that depend on all catalogs.
    pub fn finish_loading(&mut self, loaded: &[Loading]) {
        for loading in loaded {
            if let Some(catalog) = self.catalog_mut(loading.catalog) {
                // Files may have been added since the catalog was.
                catalog.files.rearrange(|files| sort_as_walked(files));
                update_ignored(catalog.files.as_mut_slice());
            }
        }
        self.update(loaded.iter().map(|loading| loading.catalog));
    }

    fn catalog_mut(&mut self, id: CatalogId) -> Option<&mut CatalogInput> {
        self.inputs.iter_mut().find(|catalog| catalog.id == id)
    }
}

/// Sorts files in the order in which `opm` walks them.
fn sort_as_walked(files: &mut [FileInput]) {
    files.sort_by(|a, b| a.path.split('/').cmp(b.path.split('/')));
}

/// A name that Kubernetes accepts: lower-case letters, digits, `-` and `.`, without the extension of a file.
pub fn resource_name(root: &str) -> String {
    let stem = root.strip_suffix(".yaml").or(root.strip_suffix(".yml")).or(root.strip_suffix(".json")).unwrap_or(root);
    let allowed = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c.to_ascii_lowercase() } else { '-' };
    let name: String = stem.chars().map(allowed).collect();
    let name = name.trim_matches(['-', '.']);
    if name.is_empty() { "catalog".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use source::Executor;
    use std::cell::Cell;

    #[test]
    fn files_that_come_one_by_one_are_those_that_came_at_once() {
        let files = || {
            let texts = [
                ("b/c.yaml", "schema: olm.package\nname: b\n"),
                ("b-c/d.yaml", "schema: olm.package\nname: d\n"),
                ("a.yaml", "schema: olm.package\nname: a\n---\nschema: olm.package\nname: a\n"),
                ("README.md", "# Hello\n"),
                (".indexignore", "README.md\n"),
            ];
            texts.map(|(path, text)| NewText { path: path.to_owned(), content: Ok(text.into()) })
        };
        let found = |workbench: &Workbench| {
            let catalog = &workbench.catalogs()[0];
            let paths: Vec<String> = catalog.files.iter().map(|file| file.path.clone()).collect();
            let findings = catalog.analysis.shown().map(|found| {
                let span = found.diagnostic.span;
                (catalog.path(span), catalog.place(span).line, found.diagnostic.rule)
            });
            (paths, findings.collect::<Vec<_>>())
        };
        let mut at_once = Workbench::new();
        at_once.add_catalog("c", files().into(), &mut |_| {});
        let mut one_by_one = Workbench::new();
        let mut loading = one_by_one.begin_loading("c", Vec::new());
        for file in files() {
            one_by_one.add_file(&loading, file);
            while !one_by_one.continue_loading(&mut loading, 1) {}
        }
        one_by_one.finish_loading(&[loading]);
        assert_eq!(found(&one_by_one), found(&at_once));
        assert_eq!(found(&at_once).0, [".indexignore", "README.md", "a.yaml", "b/c.yaml", "b-c/d.yaml"]);
        assert!(found(&at_once).1.iter().all(|(path, ..)| path != "README.md"));
    }

    #[test]
    fn what_is_no_catalog_is_taken_back_and_a_broken_catalog_stays() {
        let mut workbench = Workbench::new();
        let mut is_taken_back = |path: &str, text: &str| {
            let file = NewText { path: path.to_owned(), content: Ok(text.into()) };
            let mut loading = workbench.begin_loading("c", vec![file]);
            while !workbench.continue_loading(&mut loading, u32::MAX) {}
            let before = workbench.catalogs().len();
            let reason = workbench.take_back_no_catalog(&loading);
            assert_eq!(before - workbench.catalogs().len(), usize::from(reason.is_some()), "{path}");
            assert!(!reason.as_ref().is_some_and(|reason| reason.contains(".indexignore")), "{reason:?}");
            reason.is_some()
        };
        let foreign = [
            ("README.md", "# Kitchen\n\nHow to *boil* water: slowly.\n"),
            ("fenced.md", "The catalog:\n\n```yaml\nschema: olm.package\nname: [\n```\n"),
            ("build.sh", "#!/bin/sh\nset -e\nopm validate \"$1\" && echo 'fine'\n"),
            (
                "deployment.yaml",
                "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: kettle\nspec: {replicas: 1}\n",
            ),
            ("package.json", "{\"name\": \"kettle\", \"version\": \"1.0.0\"}"),
            ("ci.yaml", "updateGraph: replaces-mode\n"),
            ("empty.yaml", ""),
            ("comment.yaml", "# nothing yet\n---\n"),
        ];
        for (path, text) in foreign {
            assert!(is_taken_back(path, text), "{path}");
        }
        let catalogs = [
            ("healthy.yaml", "schema: olm.package\nname: p\n"),
            ("unclosed.yaml", "schema: olm.package\nname: \"p\n"),
            ("tabs.yaml", "schema: olm.package\n\tname: p\n"),
            ("colon.yaml", "schema olm.package\nname: p\n"),
            ("typo.yaml", "shema: olm.package\nname: p\n"),
            ("typo_broken.yaml", "shema: olm.package\nname: [p\n"),
            ("without.yaml", "name: p\ndefaultChannel: stable\n"),
            ("broken.json", "{\"schema\": \"olm.package\", \"name\": }"),
            ("own.yaml", "schema: example.com/notes\n"),
            ("dependencies.yaml", "dependencies:\n- type: olm.package\n  value: {packageName: q, version: 1.0.0}\n"),
        ];
        for (path, text) in catalogs {
            assert!(!is_taken_back(path, text), "{path}");
        }
    }

    thread_local! {
        /// The packages that [`COUNTING`] was called for.
        static LOOKED_AT: Cell<usize> = const { Cell::new(0) };
    }

    const COUNTING: Executor = Executor::new(|count, work| {
        LOOKED_AT.set(LOOKED_AT.get() + count);
        (0..count).for_each(work);
    });

    /// How often a package was looked at to add this number of catalogs together.
    fn work(count: usize) -> usize {
        LOOKED_AT.set(0);
        let mut workbench = Workbench::new();
        workbench.set_executor(COUNTING);
        let loaded: Vec<Loading> = (0..count)
            .map(|number| {
                let text = format!("schema: olm.package\nname: p{number}\n");
                let file = NewText { path: "c.yaml".to_owned(), content: Ok(text.into()) };
                let new = |(key, file)| FileInput::new(key, file);
                let decode = |files: Vec<_>| files.into_iter().map(new).collect();
                workbench.begin_loading_with("c", vec![file], decode, |_| {})
            })
            .collect();
        workbench.finish_loading(&loaded);
        assert!(workbench.catalogs().iter().all(|catalog| !catalog.analysis.findings.is_empty()));
        LOOKED_AT.get()
    }

    #[test]
    fn catalogs_that_are_added_together_are_checked_once() {
        let one = work(1);
        assert_eq!(work(20), 20 * one);
    }
}
