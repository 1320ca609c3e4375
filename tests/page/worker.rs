//! Answers the page natively, as the worker does in the browser.

use views::{
    Answer, AnyQuery, Ask, Authored, AuthoringInput, CatalogId, Changed, Command, FileView, NewFile, Opened, Reply,
    Request, RespondInWorker, Revision, ShareView, WrittenView, query,
};
use workbench::{Expand, NewBundle, NewText, Workbench};

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
                opened.extend(self.workbench.open_text(text, name.as_deref(), &mut self.new_bundles));
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
                    self.workbench.open_member(set, version);
                }
            }
            Command::RemoveSet { set } => self.workbench.remove_set(set),
            Command::SetBaselineSet { set, baseline } => self.workbench.set_baseline_set(set, baseline),
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
            opened.extend(self.workbench.open_files(&name, texts, &mut self.new_bundles));
        }
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
