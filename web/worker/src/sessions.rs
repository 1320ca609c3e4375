//! Commands on all catalogs at once: opening a session, an example or a link, undoing that, and sharing.

use crate::files;
use crate::inbox::Inbox;
use crate::load::{Cancelled, roots};
use crate::server::Server;
use crate::share::{self, Content};
use crate::undo_stack::Undo;
use std::borrow::Cow;
use views::{CatalogId, LinkContent, NewFile, Opened, Revision, ShareFault};
use web_sys::Blob;
use workbench::{CatalogInput, NewText, Session, SessionCatalog, SessionComparison, open_session_file};

/// How the name of a session file ends.
const ENDING: &str = ".opscope";

impl Server {
    /// Opens files. A session file among them replaces all catalogs, unless its catalogs are to be added; then the
    /// other files are added.
    pub(crate) async fn open(
        &mut self,
        inbox: &mut Inbox,
        (files, blobs): (Vec<NewFile>, Vec<Blob>),
        adds_session: bool,
        opened: &mut Vec<Opened>,
    ) -> Result<Vec<CatalogId>, Cancelled> {
        let is_session = |file: &NewFile| file.path.is_empty() && file.root.ends_with(ENDING);
        let (sessions, others): (Vec<_>, Vec<_>) = files.into_iter().zip(blobs).partition(|(file, _)| is_session(file));
        for (_, blob) in sessions {
            match open_file(&blob).await {
                Ok(Content::Session(session)) if adds_session => {
                    self.add_session(session, true).into_iter().for_each(|id| self.mark_unsaved(id));
                }
                content => self.take_content(content, opened),
            }
        }
        let (files, blobs) = others.into_iter().unzip();
        let roots = self.unpack(inbox, roots(files, blobs), opened).await?;
        self.load(inbox, roots, opened).await
    }

    /// Opens the content of a link.
    pub(crate) async fn open_link(&mut self, content: &LinkContent, opened: &mut Vec<Opened>) {
        let content = share::open(content).await;
        self.take_content(content, opened);
    }

    pub(crate) fn open_example(&mut self, slug: &str, keep: bool) -> Opened {
        let before = self.workbench.clear();
        match self.workbench.open_example(slug) {
            Some(example) => {
                let added = self.ids();
                self.replaced(if keep { before } else { Vec::new() }, added);
                Opened::Example(example)
            }
            None => {
                self.workbench.put_back(before);
                Opened::Refused(ShareFault::NoExample { slug: slug.to_owned() })
            }
        }
    }

    /// Replaces all catalogs by the content of a link or file; one that cannot be opened changes nothing.
    fn take_content(&mut self, content: Result<Content, ShareFault>, opened: &mut Vec<Opened>) {
        let (session, texts) = match content {
            Ok(Content::Session(session)) => (session, Vec::new()),
            Ok(Content::Text(text)) => (Session::default(), vec![text]),
            Ok(Content::Change(before, after)) => (Session::default(), vec![before, after]),
            Err(fault) => return opened.push(Opened::Refused(fault)),
        };
        let before = self.workbench.clear();
        opened.push(Opened::Session { page: session.page.to_string() });
        drop(self.add_session(session, false));
        let has_baseline = texts.len() > 1;
        for text in texts {
            self.paste(text, None, opened);
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
        self.replaced(before, added);
    }

    /// Adds the catalogs of a session. With `renames`, one whose name is taken gets another one.
    fn add_session(&mut self, session: Session<'_>, renames: bool) -> Vec<CatalogId> {
        let mut added = Vec::new();
        let mut compared = session.compared.into_iter();
        for SessionCatalog { name, namespace, priority, files } in session.catalogs {
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

    /// Records that all catalogs were replaced: for undo, and for the store.
    pub(crate) fn replaced(&mut self, removed: Vec<CatalogInput>, added: Vec<CatalogId>) {
        self.undo_stack.push(self.revision, removed, added);
        self.mark_all_unsaved();
    }

    /// Undoes a command that removed catalogs.
    pub(crate) fn put_back(&mut self, change: Revision) {
        let Some(Undo { removed, added, .. }) = self.undo_stack.take(change) else { return };
        for id in added {
            drop(self.workbench.remove(id));
        }
        self.workbench.put_back(removed);
        self.mark_all_unsaved();
    }

    pub(crate) fn ids(&self) -> Vec<CatalogId> {
        self.workbench.inputs().iter().map(|catalog| catalog.id).collect()
    }
}

async fn open_file(blob: &Blob) -> Result<Content, ShareFault> {
    let bytes = files::whole(blob).await.map_err(|_| ShareFault::Garbled)?;
    share::open_file(open_session_file(&bytes).ok_or(ShareFault::Garbled)??).await
}
