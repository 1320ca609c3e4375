//! Answers the queries that need the browser, or have bytes beside their reply. The workbench answers the others.

use crate::download::build_file;
use crate::follow::FollowedRoot;
use crate::memory::size;
use crate::share;
use js_sys::Uint8Array;
use session::{SavedSession, Session};
use std::collections::BTreeMap;
use views::{FileView, RespondInWorker, ShareView, WrittenView, query};

/// Answers one query.
pub(crate) struct Responder<'s> {
    pub(crate) session: &'s Session,
    pub(crate) followed: &'s BTreeMap<String, FollowedRoot>,
    /// What was shared last.
    pub(crate) shared: &'s mut Option<ShareView>,
    /// Bytes that go beside the reply.
    pub(crate) bytes: Option<Uint8Array>,
}

impl RespondInWorker<query::Share> for Responder<'_> {
    async fn respond(&mut self, query: &query::Share) -> ShareView {
        if let Some(before) = self.shared.take() {
            share::forget(&before.file);
        }
        match share::share(&SavedSession::of(self.session.workbench.inputs(), &query.page)).await {
            Ok(view) => {
                *self.shared = Some(view.clone());
                view
            }
            // The worker ends; the page notices and starts another one.
            Err(error) => wasm_bindgen::throw_val(error),
        }
    }
}

impl RespondInWorker<query::File> for Responder<'_> {
    async fn respond(&mut self, query: &query::File) -> Option<FileView> {
        let query::File { file, target, text } = *query;
        let opened = self.session.workbench.file(file).filter(|_| text);
        self.bytes = opened.map(|(_, file)| Uint8Array::from(file.text.as_bytes()));
        answers::file_view(&self.session.workbench, file, target, text)
    }
}

impl RespondInWorker<query::FileText> for Responder<'_> {
    async fn respond(&mut self, query: &query::FileText) -> Option<String> {
        let file = self.session.workbench.file(query.file).map(|(_, file)| file);
        self.bytes = file.map(|file| Uint8Array::from(file.text.as_bytes()));
        file.map(|file| file.path.clone())
    }
}

impl RespondInWorker<query::Download> for Responder<'_> {
    async fn respond(&mut self, query: &query::Download) -> Result<String, String> {
        let (name, bytes) = build_file(self.session, self.followed, &query.what)?;
        self.bytes = Some(Uint8Array::from(&*bytes));
        Ok(name)
    }
}

impl RespondInWorker<query::Written> for Responder<'_> {
    async fn respond(&mut self, query: &query::Written) -> WrittenView {
        let query::Written { set, input } = query;
        self.session.workbench.written(*set, input, self.session.released_bundle(input))
    }
}

impl RespondInWorker<query::Memory> for Responder<'_> {
    async fn respond(&mut self, _: &query::Memory) -> u32 {
        size()
    }
}
