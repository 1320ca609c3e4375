//! Visits in the place of one another: opened, put aside, brought back, passed on.

use crate::arrive::{self, Content};
use crate::desk::Desk;
use crate::files;
use crate::inbox::Inbox;
use crate::kept::Change;
use crate::load::{Cancelled, roots};
use std::borrow::Cow;
use views::{Arrival, CatalogId, NewFile, Opened, Revision, ShareFault, ShareView};
use web_sys::Blob;
use workbench::{CatalogInput, NewText, Session, SessionCatalog, open_session_file};

/// How the name of the file of a visit ends.
const ENDING: &str = ".opscope";

impl Desk {
    /// Opens files: a visit among them takes the place of everything first, the others are added.
    pub(crate) async fn open(
        &mut self,
        inbox: &mut Inbox,
        files: Vec<NewFile>,
        blobs: Vec<Blob>,
        opened: &mut Vec<Opened>,
    ) -> Result<Vec<CatalogId>, Cancelled> {
        let is_visit = |file: &NewFile| file.path.is_empty() && file.root.ends_with(ENDING);
        let (visits, others): (Vec<_>, Vec<_>) = files.into_iter().zip(blobs).partition(|(file, _)| is_visit(file));
        for (_, blob) in visits {
            let content = open_file(&blob).await;
            self.take_content(content, opened);
        }
        let (files, blobs) = others.into_iter().unzip();
        self.load(inbox, roots(files, blobs), opened).await
    }

    /// Opens what a link holds.
    pub(crate) async fn open_link(&mut self, arrival: &Arrival, opened: &mut Vec<Opened>) {
        let content = arrive::open(arrival).await;
        self.take_content(content, opened);
    }

    pub(crate) fn open_example(&mut self, slug: &str, keep: bool) -> Opened {
        let before = self.workbench.clear();
        match self.workbench.open_example(slug) {
            Some(example) => {
                let brought = self.ids();
                self.replaced(if keep { before } else { Vec::new() }, brought);
                Opened::Example(example)
            }
            None => {
                self.workbench.put_back(before);
                Opened::Refused(ShareFault::NoExample { slug: slug.to_owned() })
            }
        }
    }

    /// Puts what was passed on in the place of all catalogs; what cannot be opened changes nothing.
    fn take_content(&mut self, content: Result<Content, ShareFault>, opened: &mut Vec<Opened>) {
        let (catalogs, page, text) = match content {
            Ok(Content::Session(Session { page, catalogs })) => (catalogs, page.into_owned(), None),
            Ok(Content::Text(text)) => (Vec::new(), String::new(), Some(text)),
            Err(fault) => return opened.push(Opened::Refused(fault)),
        };
        let before = self.workbench.clear();
        opened.push(Opened::Session { page });
        for SessionCatalog { name, namespace, priority, files } in catalogs {
            let text = |(path, text): (Cow<'_, str>, Cow<'_, str>)| NewText {
                path: path.into_owned(),
                content: Ok(text.into_owned().into_bytes()),
            };
            let texts = files.into_iter().map(text);
            let id = self.workbench.add_catalog(&name, texts.collect(), &mut |_| {});
            self.workbench.set_metadata(id, &name, &namespace, priority);
        }
        if let Some(text) = text {
            self.paste(text, opened);
        }
        let brought = self.ids();
        self.replaced(before, brought);
    }

    /// All catalogs were replaced by others.
    pub(crate) fn replaced(&mut self, took: Vec<CatalogInput>, brought: Vec<CatalogId>) {
        self.kept.push(self.revision, took, brought);
        self.keep_all();
    }

    /// Takes a change back.
    pub(crate) fn put_back(&mut self, change: Revision) {
        let Some(Change { took, brought, .. }) = self.kept.take(change) else { return };
        for id in brought {
            drop(self.workbench.remove(id));
        }
        self.workbench.put_back(took);
        self.keep_all();
    }

    /// Makes this visit ready to be passed on.
    pub(crate) async fn share(&mut self, page: &str) -> ShareView {
        if let Some(before) = self.shared.take() {
            arrive::forget(&before.file);
        }
        match arrive::share(&Session::of(self.workbench.catalogs(), page).encode()).await {
            Ok(view) => {
                self.shared = Some(view.clone());
                view
            }
            // The worker ends, which the page sees and mends.
            Err(error) => wasm_bindgen::throw_val(error),
        }
    }

    fn ids(&self) -> Vec<CatalogId> {
        self.workbench.catalogs().iter().map(|catalog| catalog.id).collect()
    }
}

async fn open_file(blob: &Blob) -> Result<Content, ShareFault> {
    let bytes = files::whole(blob).await.map_err(|_| ShareFault::Garbled)?;
    arrive::open_file(open_session_file(&bytes).ok_or(ShareFault::Garbled)??).await
}
