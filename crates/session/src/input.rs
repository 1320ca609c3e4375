//! The workbench: all catalogs, and every way to change them.

use crate::analysis::{Analysis, parsed};
use crate::catalog_input::{CatalogInput, CatalogList};
use crate::checked_set::SetInput;
use crate::cluster_content::{Cluster, ManifestText};
use crate::file::{FileInput, is_ignore_file, update_ignored};
use crate::side::ComparisonInput;
use crate::stray_files::{AttachedFiles, move_stray_files};
use crate::templates::{build_all, expand_all};
use cluster::{Budget, MOST_PRIORITY, ManifestFacts, Manifests};
use lint::{Input, ParsedFiles};
use source::{Executor, OlmV1Release, OpenShift, OpmVersion, Rule};
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;
use views::{BundleRules, CatalogId, Compared, FileEdit, FileKey, SetId, TextChange, TextEdit};

/// What a workbench makes catalogs of, besides files of catalogs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Expand {
    /// Nothing, as `opm`: templates are documents of an unknown schema.
    #[default]
    Nothing,
    /// Folders of bundle directories. `opm` refuses such a folder.
    BundleTrees,
    /// Also templates: a catalog that consists of templates alone is shown expanded.
    Templates,
}

/// All catalogs and a cluster, with everything computed from them: parsed files, models, findings.
pub struct Workbench {
    pub(crate) inputs: CatalogList,
    pub(crate) cluster: Cluster,
    pub(crate) comparison: Option<ComparisonInput>,
    pub(crate) next_catalog: u32,
    pub(crate) next_file: u32,
    pub(crate) sets: Vec<SetInput>,
    pub(crate) next_set: u32,
    expand: Expand,
    /// The release of `opm` that judges catalogs.
    opm: OpmVersion,
    /// The version of OpenShift that catalogs are for, if that counts.
    openshift: Option<OpenShift>,
    /// The rules that the user switched off.
    disabled: Rc<BTreeSet<Rule>>,
    /// How packages are checked.
    executor: Executor,
    /// The work that the solver may do for all queries; absent if each query has a budget of its own.
    budget: Option<Budget>,
}

impl Workbench {
    /// A workbench without catalogs, which expands nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::expanding(Expand::Nothing)
    }

    /// A workbench without catalogs.
    #[must_use]
    pub fn expanding(expand: Expand) -> Self {
        Self {
            inputs: CatalogList::default(),
            cluster: Cluster::default(),
            comparison: None,
            next_catalog: 0,
            next_file: 0,
            sets: Vec::new(),
            next_set: 0,
            expand,
            opm: OpmVersion::NEWEST,
            openshift: None,
            disabled: Rc::default(),
            executor: Executor::default(),
            budget: None,
        }
    }

    /// Checks packages as this executor does, several at once for instance; one after the other if none is set.
    pub const fn set_executor(&mut self, executor: Executor) {
        self.executor = executor;
    }

    /// Judges catalogs and sets as this release of `opm` does. If nobody chose one, a catalog for a version of OpenShift is judged as
    /// there, and others as the newest one does.
    pub fn set_opm(&mut self, opm: OpmVersion) {
        self.opm = opm;
        self.inputs.iter_mut().for_each(|catalog| catalog.judge_as(opm.serving(catalog.openshift())));
        self.sets.iter_mut().for_each(|input| input.judge(opm));
        self.check_together();
    }

    /// Also checks catalogs that are loaded or edited from now on for what a version of OpenShift makes wrong in them.
    pub const fn set_openshift(&mut self, version: Option<OpenShift>) {
        self.openshift = version;
    }

    /// The version of OpenShift that catalogs are checked for.
    #[must_use]
    pub const fn openshift(&self) -> Option<OpenShift> {
        self.openshift
    }

    /// The release of `opm` that somebody chose.
    #[must_use]
    pub const fn opm(&self) -> OpmVersion {
        self.opm
    }

    /// Lets all queries from now on share one budget of the solver, as those of one command. Otherwise each has one of its own.
    pub fn share_budget(&mut self) {
        self.budget = Some(Budget::default());
    }

    /// The work that the solver may do for a query.
    #[must_use]
    pub fn budget(&self) -> Budget {
        self.budget.clone().unwrap_or_default()
    }

    /// Gives no catalog an id below `first` from now on. The browser's store uses lower ones for catalogs that it kept.
    pub fn reserve_ids_below(&mut self, first: CatalogId) {
        self.next_catalog = self.next_catalog.max(first.0);
    }

    /// The catalogs of the cluster in the order they were added.
    #[must_use]
    pub fn catalogs(&self) -> &[CatalogInput] {
        &self.inputs[..self.first_baseline()]
    }

    /// The baselines in the order they were added: catalogs that others are compared with, and no cluster has.
    #[must_use]
    pub fn baselines(&self) -> &[CatalogInput] {
        &self.inputs[self.first_baseline()..]
    }

    /// The catalogs of the cluster, then the baselines.
    #[must_use]
    pub fn inputs(&self) -> &[CatalogInput] {
        &self.inputs
    }

    fn first_baseline(&self) -> usize {
        self.inputs.partition_point(|catalog| !catalog.is_baseline)
    }

    /// A catalog or baseline.
    #[must_use]
    pub fn catalog(&self, id: CatalogId) -> Option<&CatalogInput> {
        self.inputs.iter().find(|catalog| catalog.id == id)
    }

    /// A file and its catalog.
    #[must_use]
    pub fn file(&self, key: FileKey) -> Option<(&CatalogInput, &FileInput)> {
        self.inputs.iter().find_map(|catalog| Some((catalog, catalog.file(key)?)))
    }

    /// Sets name, namespace and priority of a CatalogSource. A priority beyond the bounds becomes the nearest one in them.
    pub fn set_metadata(&mut self, id: CatalogId, name: &str, namespace: &str, priority: i64) {
        if let Some(catalog) = self.inputs.iter_mut().find(|catalog| catalog.id == id) {
            catalog.name = name.to_owned();
            catalog.namespace = namespace.to_owned();
            catalog.priority = priority.clamp(-MOST_PRIORITY, MOST_PRIORITY);
        }
    }

    /// Notes that a catalog is a member of a set.
    pub(crate) fn set_member(&mut self, id: CatalogId, member: (SetId, OpenShift)) {
        self.inputs.iter_mut().filter(|catalog| catalog.id == id).for_each(|catalog| catalog.member = Some(member));
    }

    /// Makes a catalog a baseline, or a baseline a catalog of the cluster.
    pub fn set_baseline(&mut self, id: CatalogId, is_baseline: bool) {
        let is_other = |catalog: &CatalogInput| catalog.id == id && catalog.is_baseline != is_baseline;
        let Some(at) = self.inputs.iter().position(is_other) else { return };
        let mut catalog = self.inputs.remove(at);
        catalog.is_baseline = is_baseline;
        self.insert(catalog);
        self.update(Some(id));
    }

    /// Sets the rules by which a catalog is made of a folder of bundle directories; `None` for those that its `ci.yaml` names.
    pub fn set_bundle_rules(&mut self, id: CatalogId, rules: Option<BundleRules>) {
        let Some(catalog) = self.inputs.iter_mut().find(|catalog| catalog.id == id) else { return };
        catalog.bundle_rules = rules;
        if catalog.bundle_tree.is_some() {
            self.update(Some(id));
        }
    }

    /// Adds a catalog at its place: ids ascend in the order in which catalogs were added.
    pub(crate) fn insert(&mut self, catalog: CatalogInput) {
        let key = |catalog: &CatalogInput| (catalog.is_baseline, catalog.id);
        let at = self.inputs.partition_point(|other| key(other) < key(&catalog));
        self.inputs.insert(at, catalog);
    }

    /// Removes a catalog; [`Workbench::put_back`] restores it.
    pub fn remove(&mut self, id: CatalogId) -> Option<CatalogInput> {
        let at = self.inputs.iter().position(|catalog| catalog.id == id)?;
        let removed = self.inputs.remove(at);
        self.update(None);
        Some(removed)
    }

    /// Hides the findings of these rules, and shows those of all others. Unknown ids are skipped.
    pub fn disable_rules(&mut self, rules: &[String]) {
        let rules = rules.iter().filter_map(|id| id.parse().ok());
        self.disabled = Rc::new(rules.collect());
        self.inputs.iter_mut().for_each(|catalog| catalog.analysis.disable_rules(&self.disabled));
    }

    /// The rules that are switched off.
    pub fn disabled_rules(&self) -> &BTreeSet<Rule> {
        &self.disabled
    }

    /// Sets the manifests of the cluster that queries are about. They are read once, for the first query.
    pub fn set_cluster(&mut self, manifests: &str) {
        let facts = ManifestFacts { olm_v1: self.cluster.facts().olm_v1, ..ManifestFacts::default() };
        self.set_cluster_with(manifests, facts);
    }

    /// Sets the release of OLM v1, also for clusters that are set later; without one it is that of the manifests.
    pub fn set_olm_v1(&mut self, olm_v1: Option<OlmV1Release>) {
        let facts = ManifestFacts { olm_v1, ..self.cluster.facts().clone() };
        self.cluster = Cluster::new(&self.cluster.shared_text(), facts);
    }

    /// Sets the two states that queries compare. What is known of the same states stays.
    pub fn set_comparison(&mut self, compared: Compared) {
        self.comparison = Some(ComparisonInput::after(self.comparison.take(), compared));
    }

    /// Lets the ClusterCatalogs of the manifests count in the comparison, of which `exchanged` serves the compared catalog.
    pub fn compare_with_cluster_catalogs(&mut self, exchanged: Option<String>) {
        self.comparison.iter_mut().for_each(|input| input.exchange_v1(exchanged.clone()));
    }

    /// The same with what the user says about the manifests.
    pub fn set_cluster_with(&mut self, manifests: &str, facts: ManifestFacts) {
        self.cluster = Cluster::new(manifests, facts);
    }

    /// The manifests of the cluster and the objects in them.
    #[must_use]
    pub fn cluster_manifests(&self) -> (&str, &Manifests) {
        let manifests = self.cluster.read();
        (manifests.text(), &manifests.objects)
    }

    /// The manifests of the cluster, read.
    #[must_use]
    pub fn manifests(&self) -> &Rc<ManifestText> {
        self.cluster.read()
    }

    /// The two states that queries compare.
    #[must_use]
    pub const fn comparison(&self) -> Option<&ComparisonInput> {
        self.comparison.as_ref()
    }

    /// How often the catalogs may have changed.
    #[must_use]
    pub const fn changes(&self) -> u64 {
        self.inputs.changes()
    }

    /// Removes all catalogs and baselines; [`Workbench::put_back`] restores them.
    pub fn clear(&mut self) -> Vec<CatalogInput> {
        self.sets.clear();
        std::mem::take(&mut *self.inputs)
    }

    /// Restores removed catalogs at their old positions and with their old keys. If another catalog took a name meanwhile,
    /// the restored one gets a number.
    pub fn put_back(&mut self, catalogs: Vec<CatalogInput>) {
        for mut catalog in catalogs {
            catalog.name = self.free_name(&catalog.name);
            // Rules may have been disabled or enabled meanwhile, and another release of `opm` chosen.
            catalog.analysis.disable_rules(&self.disabled);
            catalog.judge_as(self.opm.serving(catalog.openshift()));
            self.insert(catalog);
        }
        self.update(None);
    }

    /// Replaces bytes of a file's text: an edit of [`Workbench::edit_files`].
    pub fn edit(&mut self, file: FileKey, bytes: Range<u32>, text: &str) {
        let splice = TextEdit { start: bytes.start, end: bytes.end, text: text.to_owned() };
        self.edit_files(&[FileEdit { file, splices: vec![splice] }]);
    }

    /// Takes what was typed into a file: ranges of its text before all of them, in their order. Line ends of the file
    /// stay as they are; new ones are like the one of the line they are typed in.
    pub fn apply_changes(&mut self, key: FileKey, changes: &[TextChange]) {
        let Some((_, file)) = self.file(key) else { return };
        let mut edits = changes.iter().map(|change| file.typed(change));
        let Some(mut all) = edits.next() else { return };
        for TextEdit { start, end, text } in edits {
            // Changes that overlap were not made by an editor; what is left of the later one still counts.
            let start = start.max(all.end);
            all.text += &file.text[all.end as usize..start as usize];
            all.text += &text;
            all.end = end.max(start);
        }
        self.edit_files(&[FileEdit { file: key, splices: vec![all] }]);
    }

    /// Makes edits of texts, one file after the other, parses the documents that they change, and analyses each changed catalog
    /// once. Offsets outside the text, or inside a character, are moved to the nearest valid ones, so that no edit is lost. An
    /// expanded template cannot be edited: it follows its template. Returns the edits that undo those of each file, if they fit
    /// its text.
    pub fn edit_files(&mut self, edits: &[FileEdit]) -> Vec<FileEdit> {
        let mut changed = BTreeSet::new();
        let mut undo = Vec::new();
        for FileEdit { file: key, splices } in edits {
            let Some(catalog) = self.inputs.iter_mut().find(|catalog| catalog.file(*key).is_some()) else { continue };
            catalog.keep_opened();
            if let Some(file) = catalog.files.get_mut(*key).filter(|file| file.expanded_from.is_none()) {
                undo.push(FileEdit { file: *key, splices: file.undo_of(splices) });
                file.splice_all(splices);
            }
            if catalog.file(*key).is_some_and(|file| is_ignore_file(&file.path)) {
                update_ignored(catalog.files.as_mut_slice());
            }
            changed.insert(catalog.id);
        }
        self.update(changed);
        undo
    }

    /// Counts files of a catalog as edited, by changes that lead back to what was opened: they were opened and edited before
    /// they were stored. A change that does not fit the text is dropped.
    pub fn set_opened(&mut self, id: CatalogId, changes: Vec<(String, TextEdit)>) {
        let Some(catalog) = self.inputs.iter_mut().find(|catalog| catalog.id == id) else { return };
        let mut edits = Vec::new();
        for (path, TextEdit { start, end, text }) in changes {
            let Some(file) = catalog.files.as_mut_slice().iter_mut().find(|file| file.path == path) else { continue };
            let Some(present) = file.text.get(start as usize..end as usize).map(str::to_owned) else { continue };
            file.splice(start..end, &text);
            file.difference = None;
            let splice = TextEdit { start, end: start + text.len() as u32, text: present };
            edits.push(FileEdit { file: file.key, splices: vec![splice] });
        }
        if edits.is_empty() {
            return;
        }
        // The first edit keeps the state before it as the one that was opened.
        update_ignored(catalog.files.as_mut_slice());
        self.update(Some(id));
        self.edit_files(&edits);
    }

    /// Moves each `dependencies.yaml` or `properties.yaml` that was added by itself to the catalog that has its bundle.
    pub fn attach_bundle_files(&mut self) -> AttachedFiles {
        let attached = move_stray_files(&mut self.inputs);
        self.inputs.retain(|catalog| !attached.removed.contains(&catalog.id));
        if attached != AttachedFiles::default() {
            self.update(attached.changed.iter().copied());
        }
        attached
    }

    /// Follows a change of the inputs: expands what is to be expanded, and analyses the changed catalogs.
    pub(crate) fn update(&mut self, changed: impl IntoIterator<Item = CatalogId>) {
        let mut changed: BTreeSet<CatalogId> = changed.into_iter().collect();
        if self.expand >= Expand::BundleTrees {
            let also_changed = build_all(&mut self.inputs, &changed, &mut self.next_file);
            changed.extend(also_changed);
        }
        if self.expand == Expand::Templates {
            changed.extend(expand_all(&mut self.inputs, &mut self.next_file));
        }
        for catalog in self.inputs.iter_mut().filter(|catalog| changed.contains(&catalog.id)) {
            let judged = (self.opm.serving(catalog.openshift()), self.openshift);
            catalog.analysis = Analysis::of(&catalog.files, &mut catalog.checked, judged, self.executor);
            catalog.files.as_mut_slice().iter_mut().for_each(|file| file.is_changed = false);
            if catalog.is_baseline {
                catalog.analysis.set_findings(&catalog.files, Vec::new());
            }
        }
        self.check_together();
    }

    /// Runs the checks that depend on all catalogs of the cluster, and sets the findings of each.
    fn check_together(&mut self) {
        let catalogs = self.first_baseline();
        let catalogs = &mut self.inputs[..catalogs];
        let files: Vec<ParsedFiles<'_>> = catalogs.iter().map(|catalog| parsed(&catalog.files)).collect();
        let inputs: Vec<Input<'_>> =
            (catalogs.iter().zip(&files)).map(|(catalog, files)| catalog.analysis.input(files)).collect();
        let together = lint::check_across_catalogs(&inputs, self.executor);
        for (catalog, found) in catalogs.iter_mut().zip(together) {
            catalog.analysis.set_findings(&catalog.files, found);
            catalog.analysis.disable_rules(&self.disabled);
        }
    }

    /// A key that no file has or had.
    pub(crate) fn new_key(&mut self) -> FileKey {
        self.next_file += 1;
        FileKey(self.next_file - 1)
    }

    /// The wanted name; with a number appended if another catalog already has that name.
    pub(crate) fn free_name(&self, wanted: &str) -> String {
        let taken = |name: &str| self.inputs.iter().any(|catalog| catalog.name == name);
        let numbered = (2..).map(|number| format!("{wanted}-{number}"));
        std::iter::once(wanted.to_owned()).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
    }
}

impl Default for Workbench {
    fn default() -> Self {
        Self::new()
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
    fn an_edit_changes_text_and_model() {
        let (mut workbench, id) = workbench(vec![text("a.yaml", "schema: olm.package\nname: é\n")]);
        let key = workbench.catalogs()[0].files[0].key;
        workbench.edit(key, 26..28, "etcd");
        let catalog = workbench.catalog(id).unwrap();
        assert_eq!(&*catalog.files[0].text, "schema: olm.package\nname: etcd\n");
        assert_eq!(catalog.analysis.catalog.packages[0].name.as_str(), "etcd");
        workbench.edit(key, 90..99, "x: 1\n");
        assert_eq!(&*workbench.catalogs()[0].files[0].text, "schema: olm.package\nname: etcd\nx: 1\n");
    }

    /// A catalog, a baseline, and what was opened before an edit.
    #[test]
    fn another_release_of_opm_judges_again() {
        let stranded = fixture::yaml("c: 1.0.0 <- 2.0.0 <- 3.0.0 (skips 2.0.0)");
        let (mut workbench, id) = workbench(vec![text("a.yaml", &stranded)]);
        let baseline = workbench.add_catalog("b", vec![text("b.yaml", &stranded)], &mut |_| {});
        workbench.set_baseline(baseline, true);
        let end = stranded.len() as u32;
        workbench.edit(workbench.catalogs()[0].files[0].key, end..end, "# edited\n");
        let accepted = |workbench: &Workbench| {
            let opened = workbench.catalog(id).and_then(|catalog| catalog.opened.as_ref()).expect("an edit");
            let of = |id| workbench.catalog(id).is_some_and(CatalogInput::is_accepted);
            [of(id), of(baseline), opened.rejection.is_none()]
        };
        assert_eq!(accepted(&workbench), [false; 3]);
        workbench.set_opm(OpmVersion(1, 57, 0));
        assert_eq!(accepted(&workbench), [true; 3]);
        let removed = workbench.remove(baseline).expect("a catalog");
        workbench.set_opm(OpmVersion::NEWEST);
        workbench.put_back(vec![removed]);
        assert_eq!(accepted(&workbench), [false; 3]);
    }

    #[test]
    fn removed_catalogs_are_restored_in_place() {
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
        assert_eq!(names, ["a", "b", "c-2", "c"], "the catalog that has the name keeps it");
        assert_eq!(workbench.catalogs().iter().take(3).map(|catalog| catalog.id).collect::<Vec<_>>(), ids);
    }

    #[test]
    fn a_baseline_is_no_catalog_of_the_cluster() {
        let mut workbench = Workbench::new();
        let package = |name: &str| vec![text("a.yaml", &format!("schema: olm.package\nname: {name}\n"))];
        let before = workbench.add_catalog("before", package("p"), &mut |_| {});
        workbench.set_baseline(before, true);
        let after = workbench.add_catalog("after", package("p"), &mut |_| {});
        let ids = |catalogs: &[CatalogInput]| catalogs.iter().map(|catalog| catalog.id).collect::<Vec<_>>();
        assert_eq!((ids(workbench.catalogs()), ids(workbench.baselines())), (vec![after], vec![before]));
        assert!(!workbench.catalog(before).unwrap().is_accepted(), "a baseline is validated");
        let removed = workbench.remove(before).unwrap();
        workbench.put_back(vec![removed]);
        workbench.set_baseline(before, false);
        assert_eq!(ids(workbench.catalogs()), [before, after]);
    }

    #[test]
    fn indexignore_leaves_files_out_and_back_in() {
        let binary = NewText { path: "logo.png".to_owned(), content: Ok(vec![0, 255]) };
        let closed = |path: &str| NewText { path: path.to_owned(), content: Err("closed".to_owned()) };
        let list = text(".indexignore", "README.md\nlogo.png\nclosed.yaml\n");
        let files = vec![list, text("README.md", "# Hello\n"), binary, closed("closed.yaml")];
        let (mut workbench, _) = workbench(files);
        assert!(workbench.catalogs()[0].analysis.findings.is_empty());
        let ignore_file = workbench.catalogs()[0].files[0].key;
        workbench.edit(ignore_file, 0..10, "");
        assert!(!workbench.catalogs()[0].analysis.findings.is_empty());
        // What is ignored is not known without the list.
        let id = workbench.add_catalog("c", vec![closed(".indexignore")], &mut |_| {});
        assert_eq!(workbench.catalog(id).unwrap().analysis.unread().count(), 1);
    }
}
