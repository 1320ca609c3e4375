//! Answers the page natively, as the worker does in the browser.

use answers::Answers;
use session::{NewText, Outside, Session};
use views::{
    Answer, AnyQuery, Ask, Changed, FileView, NewFile, NewSubscriptionView, Opened, Query, Reply, Request, Respond,
    RespondInWorker, ShareView, SimulationView, WrittenView, query,
};

/// The session of the page.
#[derive(Default)]
pub(crate) struct Worker(Session);

impl Worker {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Answers a request. `contents` are those of the files that it opens.
    pub(crate) fn handle(&mut self, request: Request, contents: Vec<Vec<u8>>) -> Reply {
        let Request { id, revision, ask } = request;
        let answer = match ask {
            Ask::Query(query) => self.answer(query),
            Ask::Command(command) => {
                let opened = match self.0.execute(command, revision) {
                    Ok(done) => done.opened,
                    Err(Outside::Open { files, .. }) => self.open(files, contents),
                    Err(Outside::Restore | Outside::KeepNothing) => Vec::new(),
                    Err(Outside::OpenLink(_) | Outside::Follow(_)) => {
                        panic!("links and the disk are tested in the browser")
                    }
                };
                Answer::Changed(Changed { overview: answers::overview(&self.0.workbench), opened, cancelled: false })
            }
            Ask::SetCluster(manifests) => {
                self.0.workbench.set_cluster(&manifests);
                Answer::ClusterSet
            }
            Ask::SetComparison(compared) => {
                self.0.workbench.set_comparison(compared);
                Answer::ComparisonSet
            }
            Ask::Cancel | Ask::Stop(_) => Answer::Cancelled,
        };
        Reply { id, revision, answer }
    }

    fn answer(&mut self, query: AnyQuery) -> Answer {
        let mut own = Own(self);
        let answer = query.put_to(&mut own);
        Answer::Query(futures_util::FutureExt::now_or_never(answer).expect("nothing waits"))
    }

    /// Opens the files of each root.
    fn open(&mut self, files: Vec<NewFile>, contents: Vec<Vec<u8>>) -> Vec<Opened> {
        let mut roots: Vec<(String, Vec<NewText>)> = Vec::new();
        for (NewFile { root, path }, content) in files.into_iter().zip(contents) {
            let path = if path.is_empty() { root.clone() } else { path };
            let file = NewText { path, content: Ok(content) };
            match roots.iter_mut().find(|(name, _)| *name == root) {
                Some((_, texts)) => texts.push(file),
                None => roots.push((root, vec![file])),
            }
        }
        let Session { workbench, bundles, .. } = &mut self.0;
        roots.into_iter().flat_map(|(name, texts)| workbench.open_files(&name, texts, bundles)).collect()
    }
}

/// Answers all queries, also those that only the worker can answer in the browser.
struct Own<'w>(&'w mut Worker);

impl<Q: Query> Respond<Q> for Own<'_>
where
    for<'w> Answers<'w>: Respond<Q>,
{
    fn respond(&self, query: &Q) -> Q::Answer {
        Answers(&self.0.0.workbench).respond(query)
    }
}

impl RespondInWorker<query::Try> for Own<'_> {
    async fn respond(&mut self, query: &query::Try) -> Result<Box<SimulationView>, String> {
        answers::try_change(&mut self.0.0.workbench, &query.namespace, &query.change)
    }
}

impl RespondInWorker<query::NewSubscription> for Own<'_> {
    async fn respond(&mut self, query: &query::NewSubscription) -> Option<NewSubscriptionView> {
        answers::new_subscription(&mut self.0.0.workbench, &query.package, query.entry.as_ref(), query.runtime)
    }
}

impl RespondInWorker<query::Share> for Own<'_> {
    async fn respond(&mut self, _: &query::Share) -> ShareView {
        panic!("links are tested in the browser")
    }
}

impl RespondInWorker<query::File> for Own<'_> {
    async fn respond(&mut self, query: &query::File) -> Option<FileView> {
        answers::file_view(&self.0.0.workbench, query.file, query.target, query.text)
    }
}

impl RespondInWorker<query::FileText> for Own<'_> {
    async fn respond(&mut self, query: &query::FileText) -> Option<String> {
        self.0.0.workbench.file(query.file).map(|(_, file)| file.path.clone())
    }
}

impl RespondInWorker<query::Download> for Own<'_> {
    async fn respond(&mut self, _: &query::Download) -> Result<String, String> {
        panic!("downloads are tested in the browser")
    }
}

impl RespondInWorker<query::Written> for Own<'_> {
    async fn respond(&mut self, query: &query::Written) -> WrittenView {
        self.0.0.workbench.written(query.set, &query.input, self.0.0.released_bundle(&query.input))
    }
}

impl RespondInWorker<query::Memory> for Own<'_> {
    async fn respond(&mut self, _: &query::Memory) -> u32 {
        0
    }
}
