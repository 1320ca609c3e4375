//! What a user works with, and the commands that change it.

use crate::catalog_input::CatalogInput;
use crate::file::NewText;
use crate::input::{Expand, Workbench};
use crate::new_bundle::NewBundle;
use crate::share::{SavedSession, SessionCatalog, SessionComparison};
use crate::stray_files::AttachedFiles;
use std::borrow::Cow;
use std::collections::{BTreeSet, VecDeque};
use views::{
    Authored, AuthoringInput, CatalogId, Command, FileEdit, FileKey, FollowedFiles, LinkContent, NewFile, Opened,
    Revision, ShareFault,
};

/// How many commands can be undone; the oldest are forgotten first. The page offers fewer.
const MOST_UNDONE: usize = 8;

/// The inputs, the bundles that can be tried on them, and what undoes the last commands.
pub struct Session {
    pub workbench: Workbench,
    /// The bundles that can be tried on catalogs.
    pub bundles: Vec<NewBundle>,
    /// The last commands that removed catalogs, oldest first.
    undo: VecDeque<Undo>,
}

/// What undoes one command.
struct Undo {
    at: Revision,
    removed: Vec<CatalogInput>,
    added: Vec<CatalogId>,
}

/// What a command did besides changing the inputs.
#[derive(Default)]
pub struct Executed {
    pub opened: Vec<Opened>,
    pub unsaved: Unsaved,
}

/// Changes that a store of the catalogs does not have yet.
#[derive(Default)]
pub struct Unsaved {
    /// Whether all that it has is to be replaced by the present catalogs.
    pub cleared: bool,
    pub removed: BTreeSet<CatalogId>,
    /// The catalogs with another name, namespace, priority or role.
    pub described: BTreeSet<CatalogId>,
    pub files: BTreeSet<FileKey>,
}

/// A command that needs what only the caller has: files, a store, or a link that is still compressed.
pub enum Outside {
    Restore,
    Open { files: Vec<NewFile>, adds_session: bool },
    Follow(FollowedFiles),
    OpenLink(LinkContent),
    KeepNothing,
}

/// What a link or a file of a session holds.
pub enum Shared {
    Session(SavedSession<'static>),
    /// The text of a catalog or of manifests.
    Text(String),
    /// The texts of a catalog before and after a change.
    Change(String, String),
}

impl Unsaved {
    /// All that the store has is to be replaced.
    #[must_use]
    pub fn all() -> Self {
        Self { cleared: true, ..Self::default() }
    }

    /// Adds a new catalog.
    pub fn add_catalog(&mut self, workbench: &Workbench, id: CatalogId) {
        self.described.insert(id);
        let files = workbench.catalog(id).into_iter().flat_map(|catalog| &catalog.files);
        self.files.extend(files.map(|file| file.key));
    }

    /// Adds later changes.
    pub fn add(&mut self, later: Self) {
        if later.cleared {
            *self = later;
            return;
        }
        self.removed.extend(later.removed);
        self.described.extend(later.described);
        self.files.extend(later.files);
    }
}

impl Session {
    /// A session without catalogs.
    #[must_use]
    pub fn new() -> Self {
        Self { workbench: Workbench::expanding(Expand::Templates), bundles: Vec::new(), undo: VecDeque::new() }
    }

    /// Executes a command at a revision, by which [`Command::PutBack`] names it.
    ///
    /// # Errors
    /// What the caller has to do for a command that needs files, a store or a compressed link.
    pub fn execute(&mut self, command: Command, at: Revision) -> Result<Executed, Outside> {
        let mut done = Executed::default();
        let Executed { opened, unsaved } = &mut done;
        let workbench = &mut self.workbench;
        match command {
            Command::Restore => return Err(Outside::Restore),
            Command::Open { files, adds_session } => return Err(Outside::Open { files, adds_session }),
            Command::Follow(files) => return Err(Outside::Follow(files)),
            Command::OpenLink { content } => return Err(Outside::OpenLink(content)),
            Command::KeepNothing => return Err(Outside::KeepNothing),
            Command::Paste { text, name } => return Ok(self.open_text(text, name.as_deref())),
            Command::DescribeCatalog { catalog, name, namespace, priority } => {
                workbench.set_metadata(catalog, &name, &namespace, priority);
                unsaved.described.insert(catalog);
            }
            Command::SetBaseline { catalog, baseline } => {
                workbench.set_baseline(catalog, baseline);
                unsaved.described.insert(catalog);
            }
            Command::Mirror { input, replaces } => {
                replaces.into_iter().for_each(|id| drop(workbench.remove(id)));
                opened.extend(workbench.mirror(&input).map(Opened::Mirror));
            }
            Command::SetBundleRules { catalog, rules } => workbench.set_bundle_rules(catalog, Some(rules)),
            Command::Author { catalog, input } => {
                let authored = self.author(catalog, input);
                let edits = authored.iter().flat_map(|authored| &authored.undo);
                unsaved.files.extend(edits.map(|edit| edit.file));
                opened.push(Opened::Authored(authored));
            }
            Command::OpenMembers { set, versions } => {
                for version in versions {
                    let id = workbench.open_member(set, version);
                    unsaved.add_catalog(workbench, id);
                }
            }
            Command::RemoveSet { set } => workbench.remove_set(set),
            Command::SetBaselineSet { set, baseline } => workbench.set_baseline_set(set, baseline),
            Command::RemoveCatalog { catalog } => {
                let removed = workbench.remove(catalog);
                self.remember(at, removed.into_iter().collect(), Vec::new());
                unsaved.removed.insert(catalog);
            }
            Command::Edit(edits) => {
                opened.push(Opened::Edited(workbench.edit_files(&edits)));
                unsaved.files.extend(edits.iter().map(|edit| edit.file));
            }
            Command::Revert { file } => {
                let authored = self.revert(file).ok_or_else(|| "the file has the text of the disk".to_owned());
                opened.push(Opened::Authored(authored));
            }
            Command::Type { file, changes } => {
                workbench.apply_changes(file, &changes);
                unsaved.files.insert(file);
            }
            Command::SwitchRules { off } => workbench.disable_rules(&off),
            Command::JudgeAs { opm } => workbench.set_opm(opm),
            Command::AnswerAs { olm_v1 } => workbench.set_olm_v1(olm_v1),
            Command::Clear => {
                let cleared = workbench.clear();
                self.remember(at, cleared, Vec::new());
                *unsaved = Unsaved::all();
            }
            Command::OpenExample { slug, keep } => return Ok(self.open_example(&slug, keep, at)),
            Command::PutBack { change } => {
                if self.put_back(change) {
                    *unsaved = Unsaved::all();
                }
            }
        }
        Ok(done)
    }

    /// The bundle that is released, if something is.
    #[must_use]
    pub fn released_bundle(&self, input: &AuthoringInput) -> Option<&NewBundle> {
        match input {
            AuthoringInput::Release(trial) => self.bundles.get(trial.number as usize),
            AuthoringInput::Remove { .. }
            | AuthoringInput::Deprecate { .. }
            | AuthoringInput::Edge { .. }
            | AuthoringInput::Fix { .. } => None,
        }
    }

    /// The ids of all catalogs and baselines.
    #[must_use]
    pub fn ids(&self) -> Vec<CatalogId> {
        self.workbench.inputs().iter().map(|catalog| catalog.id).collect()
    }

    /// Adds the files of bundles that were opened by themselves to the catalogs that they belong to.
    pub fn attach_bundle_files(&mut self) -> Executed {
        let attached = self.workbench.attach_bundle_files();
        let catalogs = attached.changed.iter().filter_map(|&id| self.workbench.catalog(id));
        let files = catalogs.flat_map(|catalog| &catalog.files).map(|file| file.key).collect();
        let removed = attached.removed.into_iter().collect();
        let reason = || AttachedFiles::LOST.to_owned();
        let lost = attached.lost.into_iter().map(|name| Opened::NotUnpacked { name, reason: reason() });
        Executed { opened: lost.collect(), unsaved: Unsaved { files, removed, ..Unsaved::default() } }
    }

    /// Replaces all catalogs by what a link or a file of a session holds.
    pub fn replace_by(&mut self, shared: Shared, at: Revision) -> Vec<Opened> {
        let (session, texts) = match shared {
            Shared::Session(session) => (session, Vec::new()),
            Shared::Text(text) => (SavedSession::default(), vec![text]),
            Shared::Change(before, after) => (SavedSession::default(), vec![before, after]),
        };
        let before = self.workbench.clear();
        let mut opened = vec![Opened::Session { page: session.page.to_string() }];
        drop(self.add_saved(session, false));
        let has_baseline = texts.len() > 1;
        for text in texts {
            opened.extend(self.open_text(text, None).opened);
        }
        if let [before, after] = self.ids()[..]
            && has_baseline
        {
            for (id, name) in [(before, "before"), (after, "after")] {
                let namespace = self.workbench.catalog(id).map(|catalog| catalog.namespace.clone()).unwrap_or_default();
                self.workbench.set_metadata(id, name, &namespace, 0);
            }
            self.workbench.set_baseline(before, true);
        }
        let added = self.ids();
        self.remember(at, before, added);
        opened
    }

    /// Adds the catalogs of a saved session. With `renames`, one whose name is taken gets another one.
    pub fn add_saved(&mut self, saved: SavedSession<'_>, renames: bool) -> Vec<CatalogId> {
        let mut added = Vec::new();
        let mut compared = saved.compared.into_iter();
        for SessionCatalog { name, namespace, priority, files } in saved.catalogs {
            let text = |(path, text): (Cow<'_, str>, Cow<'_, str>)| NewText {
                path: path.into_owned(),
                content: Ok(text.into_owned().into_bytes()),
            };
            let texts = files.into_iter().map(text);
            let id = self.workbench.add_catalog(&name, texts.collect(), &mut |_| {});
            let free = self.workbench.catalog(id).filter(|_| renames).map(|catalog| catalog.name.clone());
            self.workbench.set_metadata(id, free.as_deref().unwrap_or(&name), &namespace, priority);
            if let Some(SessionComparison { is_baseline, opened }) = compared.next() {
                self.workbench.set_opened(id, opened);
                self.workbench.set_baseline(id, is_baseline);
            }
            added.push(id);
        }
        added
    }

    /// Opens a text that somebody pasted.
    fn open_text(&mut self, text: String, name: Option<&str>) -> Executed {
        let before = self.ids();
        let opened = self.workbench.open_text(text, name, &mut self.bundles);
        let mut unsaved = Unsaved::default();
        let added = self.ids().into_iter().filter(|id| !before.contains(id));
        added.for_each(|id| unsaved.add_catalog(&self.workbench, id));
        Executed { opened, unsaved }
    }

    /// Replaces all catalogs by those of an example.
    fn open_example(&mut self, slug: &str, keep: bool, at: Revision) -> Executed {
        let before = self.workbench.clear();
        let Some(example) = self.workbench.open_example(slug) else {
            self.workbench.put_back(before);
            let opened = vec![Opened::Refused(ShareFault::NoExample { slug: slug.to_owned() })];
            return Executed { opened, ..Executed::default() };
        };
        let added = self.ids();
        self.remember(at, if keep { before } else { Vec::new() }, added);
        Executed { opened: vec![Opened::Example(example)], unsaved: Unsaved::all() }
    }

    /// Writes a release, a removal, a deprecation or a fix into the text of a catalog.
    fn author(&mut self, catalog: CatalogId, input: AuthoringInput) -> Result<Authored, String> {
        let new = self.released_bundle(&input).cloned();
        let undo = self.workbench.author_input(catalog, &input, new.as_ref())?;
        Ok(Authored { catalog, input, undo })
    }

    /// Takes back the edits of a file.
    fn revert(&mut self, key: FileKey) -> Option<Authored> {
        let (catalog, file) = self.workbench.file(key)?;
        let (catalog, title) = (catalog.id, format!("took `{}` from the disk", file.path));
        let splices = vec![file.opened()?];
        let undo = self.workbench.edit_files(&[FileEdit { file: key, splices }]);
        Some(Authored { catalog, input: AuthoringInput::Fix { title, changes: Vec::new() }, undo })
    }

    /// Remembers a command for undo, if it removed something.
    fn remember(&mut self, at: Revision, removed: Vec<CatalogInput>, added: Vec<CatalogId>) {
        if removed.is_empty() {
            return;
        }
        if self.undo.len() == MOST_UNDONE {
            self.undo.pop_front();
        }
        self.undo.push_back(Undo { at, removed, added });
    }

    /// Undoes the command of a revision that removed catalogs, which need not be the last one. Returns whether it is known.
    fn put_back(&mut self, change: Revision) -> bool {
        let Some(Undo { removed, added, .. }) =
            self.undo.iter().position(|undo| undo.at == change).and_then(|index| self.undo.remove(index))
        else {
            return false;
        };
        for id in added {
            drop(self.workbench.remove(id));
        }
        self.workbench.put_back(removed);
        true
    }
}

impl Default for Session {
    fn default() -> Self {
        Self::new()
    }
}
