//! The gallery of examples, and how one is opened.

use crate::NewText;
use crate::Workbench;
use crate::catalog_input::DEFAULT_NAMESPACE;
use crate::gallery::{Example, ExampleChange, gallery};
use ::source::FileId;
use cluster::Manifests;
use views::{ExampleRow, ExampleTheme, FileKey, OpenedExample};

/// The examples by theme, in the order of the gallery.
#[must_use]
pub fn examples() -> Vec<ExampleTheme> {
    let mut themes: Vec<ExampleTheme> = Vec::new();
    for example in gallery() {
        let title = example.theme.title();
        let row = ExampleRow {
            slug: example.slug.to_owned(),
            title: example.title.to_owned(),
            says: example.description.to_owned(),
            look_at: example.look_at.to_owned(),
        };
        match themes.iter_mut().find(|theme| theme.title == title) {
            Some(theme) => theme.examples.push(row),
            None => themes.push(ExampleTheme { title: title.to_owned(), examples: vec![row] }),
        }
    }
    themes
}

impl Workbench {
    /// Replaces all catalogs by those of an example. Changes nothing and returns `None` when there is no such example.
    pub fn open_example(&mut self, slug: &str) -> Option<OpenedExample> {
        let example = gallery().into_iter().find(|example| example.slug == slug)?;
        self.clear();
        self.add_example(&example);
        Some(OpenedExample {
            slug: slug.to_owned(),
            cluster: example.cluster.to_owned(),
            package: example.package.to_owned(),
            is_change: example.change.is_some(),
        })
    }

    /// Adds the catalogs with the names, namespaces and priorities of the example's CatalogSources, or of its ClusterCatalogs
    /// where there is no CatalogSource.
    fn add_example(&mut self, example: &Example) {
        let Manifests { cluster, cluster_catalogs, .. } = cluster::read(FileId(FileKey::MANIFESTS.0), example.cluster);
        for catalog in &example.catalogs {
            let content = Ok(catalog.text.as_bytes().to_vec());
            let file = NewText { path: format!("{}.yaml", catalog.name), content };
            let id = self.add_catalog(catalog.name, vec![file], &mut |_| {});
            let source = cluster.catalog_sources.iter().find(|source| *source.key.name == *catalog.name);
            let of_v1 = cluster_catalogs.iter().find(|object| object.name.as_str() == catalog.name);
            let (namespace, priority) = match source {
                Some(source) => (&*source.key.namespace, source.priority),
                None => (DEFAULT_NAMESPACE, of_v1.map_or(0, |object| object.priority.into())),
            };
            self.set_metadata(id, catalog.name, namespace, priority);
        }
        if let Some(ExampleChange { before, .. }) = &example.change {
            let content = Ok(before.text.as_bytes().to_vec());
            let file = NewText { path: format!("{}.yaml", before.name), content };
            let id = self.add_catalog(before.name, vec![file], &mut |_| {});
            self.set_baseline(id, true);
        }
    }
}
