//! Opens what replaces or joins all catalogs: files of sessions, and links.

use crate::inbox::Inbox;
use crate::load::{Cancelled, roots};
use crate::server::Server;
use crate::{fetch, share};
use session::{Shared, Unsaved, open_session_file};
use views::{CatalogId, NewFile, Opened, ShareFault};
use web_sys::Blob;

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
                Ok(Shared::Session(saved)) if adds_session => {
                    self.session.add_saved(saved, true).into_iter().for_each(|id| self.mark_unsaved(id));
                }
                shared => self.replace_by(shared, opened),
            }
        }
        let (files, blobs) = others.into_iter().unzip();
        let roots = self.unpack(inbox, roots(files, blobs), opened).await?;
        self.load(inbox, roots, opened).await
    }

    /// Replaces all catalogs by the content of a link or file; one that cannot be opened changes nothing.
    pub(crate) fn replace_by(&mut self, shared: Result<Shared, ShareFault>, opened: &mut Vec<Opened>) {
        match shared {
            Ok(shared) => {
                opened.extend(self.session.replace_by(shared, self.revision));
                self.unsaved = Unsaved::all();
            }
            Err(fault) => opened.push(Opened::Refused(fault)),
        }
    }
}

async fn open_file(blob: &Blob) -> Result<Shared, ShareFault> {
    let bytes = fetch::whole(blob).await.map_err(|_| ShareFault::Garbled)?;
    share::open_file(open_session_file(&bytes).ok_or(ShareFault::Garbled)??).await
}
