//! Answers queries. Those whose code loads on demand are answered in `on_demand`.

use crate::download::new_bundle;
use crate::memory::size;
use crate::on_demand::{self, Loaded};
use crate::server::Server;
use js_sys::Uint8Array;
use views::{ExampleTheme, FileView, GraphView, Respond, ShareView, WrittenView, query};
use wasm_split_helpers::SplitLoaderError;

/// Answers one query.
pub(crate) struct Responder<'s> {
    pub(crate) server: &'s mut Server,
    /// Bytes that go beside the reply.
    pub(crate) bytes: Option<Uint8Array>,
}

impl Respond<query::Share, SplitLoaderError> for Responder<'_> {
    async fn respond(&mut self, query: &query::Share) -> Loaded<ShareView> {
        Ok(self.server.share(&query.page).await)
    }
}

impl Respond<query::Graph, SplitLoaderError> for Responder<'_> {
    async fn respond(&mut self, query::Graph { package, options }: &query::Graph) -> Loaded<Option<GraphView>> {
        let workbench = &self.server.workbench;
        if options.compares.is_some() {
            return on_demand::compared_graph(workbench, package, options).await;
        }
        Ok(workbench.graph(package, options))
    }
}

impl Respond<query::File, SplitLoaderError> for Responder<'_> {
    async fn respond(&mut self, query: &query::File) -> Loaded<Option<FileView>> {
        let query::File { file, target, text } = *query;
        let workbench = &self.server.workbench;
        let view = on_demand::file(workbench, file, target, text).await?;
        self.bytes = workbench.file(file).filter(|_| text).map(|(_, file)| Uint8Array::from(file.text.as_bytes()));
        Ok(view)
    }
}

impl Respond<query::FileText, SplitLoaderError> for Responder<'_> {
    async fn respond(&mut self, query: &query::FileText) -> Loaded<Option<String>> {
        let file = self.server.workbench.file(query.file).map(|(_, file)| file);
        self.bytes = file.map(|file| Uint8Array::from(file.text.as_bytes()));
        Ok(file.map(|file| file.path.clone()))
    }
}

impl Respond<query::Download, SplitLoaderError> for Responder<'_> {
    async fn respond(&mut self, query: &query::Download) -> Loaded<Result<String, String>> {
        let file = on_demand::download(&self.server.workbench, &self.server.new_bundles, &query.what).await?;
        Ok(file.map(|(name, bytes)| {
            self.bytes = Some(Uint8Array::from(&*bytes));
            name
        }))
    }
}

impl Respond<query::Written, SplitLoaderError> for Responder<'_> {
    async fn respond(&mut self, query: &query::Written) -> Loaded<WrittenView> {
        let query::Written { set, input } = query;
        let new = new_bundle(&self.server.new_bundles, input);
        on_demand::written(&self.server.workbench, *set, input, new).await
    }
}

impl Respond<query::Examples, SplitLoaderError> for Responder<'_> {
    async fn respond(&mut self, _: &query::Examples) -> Loaded<Vec<ExampleTheme>> {
        on_demand::examples().await
    }
}

impl Respond<query::Memory, SplitLoaderError> for Responder<'_> {
    async fn respond(&mut self, _: &query::Memory) -> Loaded<u32> {
        Ok(size())
    }
}
