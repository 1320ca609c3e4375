//! Answers the page natively, as the worker does in the browser.

use views::{
    Answer, AnyQuery, Ask, Authored, AuthoringInput, CatalogId, Changed, Command, FileView, NewFile, Opened, Reply,
    Request, RespondInWorker, Revision, ShareView, WrittenView, query,
};
use workbench::{
    Expand, NewBundle, NewText, OpenedFile, Workbench, begin_sets, is_recipe, joined_manifests, no_text_reason,
};

/// The catalogs of the page.
pub(crate) struct Worker {
    workbench: Workbench,
    new_bundles: Vec<NewBundle>,
    /// What commands removed or replaced, with their revisions.
    removed: Vec<(Revision, Vec<workbench::CatalogInput>)>,
}

impl Worker {
    pub(crate) fn new() -> Self {
        Self { workbench: Workbench::expanding(Expand::Templates), new_bundles: Vec::new(), removed: Vec::new() }
    }

    /// Answers a request. `contents` are those of the files that it opens.
    pub(crate) fn handle(&mut self, request: Request, contents: Vec<Vec<u8>>) -> Reply {
        let Request { id, revision, ask } = request;
        let answer = match ask {
            Ask::Query(query) => self.answer(query),
            Ask::Command(command) => {
                let mut opened = Vec::new();
                self.execute(command, revision, contents, &mut opened);
                Answer::Changed(Changed { overview: self.workbench.overview(), opened, cancelled: false })
            }
            Ask::SetCluster(manifests) => {
                self.workbench.set_cluster(&manifests);
                Answer::ClusterSet
            }
            Ask::SetComparison(compared) => {
                self.workbench.set_comparison(compared);
                Answer::ComparisonSet
            }
            Ask::Cancel | Ask::Stop(_) => Answer::Cancelled,
        };
        Reply { id, revision, answer }
    }

    fn answer(&self, query: AnyQuery) -> Answer {
        let mut own = Own(self);
        let answer = query.put_to(&self.workbench, &mut own);
        Answer::Query(futures_util::FutureExt::now_or_never(answer).expect("nothing waits"))
    }

    fn execute(&mut self, command: Command, revision: Revision, contents: Vec<Vec<u8>>, opened: &mut Vec<Opened>) {
        match command {
            Command::Open { files, .. } => self.open(files, contents, opened),
            Command::Paste { text, name } => {
                let path = if text.trim_start().starts_with('{') { "pasted.json" } else { "pasted.yaml" };
                let file = NewText { path: path.to_owned(), content: Ok(text.into_bytes()) };
                self.load(name.as_deref().unwrap_or("pasted"), "the pasted text", vec![file], opened);
            }
            Command::DescribeCatalog { catalog, name, namespace, priority } => {
                self.workbench.set_metadata(catalog, &name, &namespace, priority);
            }
            Command::SetBaseline { catalog, baseline } => self.workbench.set_baseline(catalog, baseline),
            Command::Mirror { input, replaces } => {
                replaces.into_iter().for_each(|id| drop(self.workbench.remove(id)));
                opened.extend(self.workbench.mirror(&input).map(Opened::Mirror));
            }
            Command::SetBundleRules { catalog, rules } => self.workbench.choose_bundle_rules(catalog, rules),
            Command::Author { catalog, input } => opened.push(Opened::Authored(self.author(catalog, input))),
            Command::OpenMembers { set, versions } => {
                for version in versions {
                    let files = self.workbench.member_files(set, version);
                    self.workbench.add_catalog(&version.to_string(), files, &mut |_| {});
                }
            }
            Command::RemoveSet { set } => self.workbench.remove_set(set),
            Command::RemoveCatalog { catalog } => {
                let removed = self.workbench.remove(catalog);
                self.removed.push((revision, removed.into_iter().collect()));
            }
            Command::Edit(edits) => opened.push(Opened::Edited(self.workbench.edit_files(&edits))),
            Command::Type { file, changes } => {
                self.workbench.apply_changes(file, &changes);
            }
            Command::SwitchRules { off } => self.workbench.disable_rules(&off),
            Command::JudgeAs { opm } => self.workbench.set_opm(opm),
            Command::AnswerAs { olm_v1 } => self.workbench.set_olm_v1(olm_v1),
            Command::Clear => {
                let cleared = self.workbench.clear();
                self.removed.push((revision, cleared));
            }
            Command::OpenExample { slug, .. } => {
                let former = self.workbench.clear();
                self.removed.push((revision, former));
                opened.extend(self.workbench.open_example(&slug).map(Opened::Example));
            }
            Command::PutBack { change } => {
                if let Some(at) = self.removed.iter().position(|(removed, _)| *removed == change) {
                    let (_, catalogs) = self.removed.remove(at);
                    self.workbench.put_back(catalogs);
                }
            }
            Command::Restore | Command::KeepNothing => {}
            Command::OpenLink { .. } => panic!("links are tested in the browser"),
            Command::Follow(_) | Command::Revert { .. } => panic!("files of the disk are tested in the browser"),
        }
    }

    fn author(&mut self, catalog: CatalogId, input: AuthoringInput) -> Result<Authored, String> {
        let new = self.new_bundle(&input).cloned();
        let undo = self.workbench.author_input(catalog, &input, new.as_ref())?;
        Ok(Authored { catalog, input, undo })
    }

    fn new_bundle(&self, input: &AuthoringInput) -> Option<&NewBundle> {
        match input {
            AuthoringInput::Release(trial) => self.new_bundles.get(trial.number as usize),
            AuthoringInput::Remove { .. }
            | AuthoringInput::Deprecate { .. }
            | AuthoringInput::Edge { .. }
            | AuthoringInput::Fix { .. } => None,
        }
    }

    /// Opens the files of each root.
    fn open(&mut self, files: Vec<NewFile>, contents: Vec<Vec<u8>>, opened: &mut Vec<Opened>) {
        let mut roots: Vec<(String, Vec<NewText>)> = Vec::new();
        for (NewFile { root, path }, content) in files.into_iter().zip(contents) {
            let path = if path.is_empty() { root.clone() } else { path };
            let file = NewText { path, content: Ok(content) };
            match roots.iter_mut().find(|(name, _)| *name == root) {
                Some((_, texts)) => texts.push(file),
                None => roots.push((root, vec![file])),
            }
        }
        for (name, texts) in roots {
            let source = texts[0].path.clone();
            self.load(&name, &source, texts, opened);
        }
    }

    /// Opens the files of a root: a set, a new bundle, or a catalog, without the manifests of a cluster in it.
    fn load(&mut self, name: &str, source: &str, texts: Vec<NewText>, opened: &mut Vec<Opened>) {
        if texts.len() > 1 && self.load_sets(name, &texts, opened) {
            return;
        }
        if let Some(new) = NewBundle::of(&texts)
            && let Some(view) = self.workbench.trial(self.new_bundles.len() as u32, &new)
        {
            self.new_bundles.push(new);
            return opened.push(Opened::NewBundle(view));
        }
        let is_bundles = workbench::has_bundle_directory(texts.iter().map(|text| text.path.as_str()));
        let is_single = texts.len() == 1;
        let (mut left, mut manifests) = (Vec::new(), Vec::new());
        for NewText { path, content } in texts {
            let content = content.expect("the content is there");
            if is_single && let Some(reason) = no_text_reason(&content) {
                return opened.push(Opened::NotUnpacked { name: path, reason });
            }
            if is_bundles {
                left.push(NewText { path, content: Ok(content) });
                continue;
            }
            match OpenedFile::of(content) {
                OpenedFile::Other(found) => opened.push(found),
                OpenedFile::Catalog { content, manifests: found } => {
                    manifests.extend(found);
                    left.extend(content.map(|content| NewText { path, content: Ok(content) }));
                }
            }
        }
        if is_bundles && let Some(set) = self.workbench.add_set_of_bundles(None, name, left.clone()) {
            opened.push(Opened::Set(set));
        }
        if !left.is_empty() {
            let mut loading = self.workbench.begin_loading(name, left);
            while !self.workbench.continue_loading(&mut loading, u32::MAX) {}
            match self.workbench.take_back_no_catalog(&loading).filter(|_| is_single) {
                Some(reason) => opened.push(Opened::NotUnpacked { name: source.to_owned(), reason }),
                None => self.workbench.finish_loading(&[loading]),
            }
        }
        opened.extend(joined_manifests(&manifests));
        self.workbench.attach_bundle_files();
    }

    fn load_sets(&mut self, name: &str, texts: &[NewText], opened: &mut Vec<Opened>) -> bool {
        let paths: Vec<&str> = texts.iter().map(|text| text.path.as_str()).collect();
        let recipes: Vec<&NewText> = texts.iter().filter(|text| is_recipe(&text.path)).collect();
        let mut loadings = begin_sets(&paths, &recipes);
        for text in texts {
            workbench::add_to_sets(&mut loadings, &text.path, text.content.clone());
        }
        let before = opened.len();
        for mut loading in loadings {
            while !loading.step(u32::MAX) {}
            opened.extend(self.workbench.finish_set(None, name, loading).map(Opened::Set));
        }
        opened.len() > before
    }
}

/// Answers what only the worker can in the browser.
struct Own<'w>(&'w Worker);

impl RespondInWorker<query::Share> for Own<'_> {
    async fn respond(&mut self, _: &query::Share) -> ShareView {
        panic!("links are tested in the browser")
    }
}

impl RespondInWorker<query::File> for Own<'_> {
    async fn respond(&mut self, query: &query::File) -> Option<FileView> {
        self.0.workbench.file_view(query.file, query.target, query.text)
    }
}

impl RespondInWorker<query::FileText> for Own<'_> {
    async fn respond(&mut self, query: &query::FileText) -> Option<String> {
        self.0.workbench.file(query.file).map(|(_, file)| file.path.clone())
    }
}

impl RespondInWorker<query::Download> for Own<'_> {
    async fn respond(&mut self, _: &query::Download) -> Result<String, String> {
        panic!("downloads are tested in the browser")
    }
}

impl RespondInWorker<query::Written> for Own<'_> {
    async fn respond(&mut self, query: &query::Written) -> WrittenView {
        self.0.workbench.written(query.set, &query.input, self.0.new_bundle(&query.input))
    }
}

impl RespondInWorker<query::Memory> for Own<'_> {
    async fn respond(&mut self, _: &query::Memory) -> u32 {
        0
    }
}
