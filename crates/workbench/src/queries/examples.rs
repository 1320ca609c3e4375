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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CatalogInput, Expand};
    use views::{Compared, SideKey};

    #[test]
    fn every_example_has_a_verdict_and_the_package_that_it_shows() {
        let rows: Vec<ExampleRow> = examples().into_iter().flat_map(|theme| theme.examples).collect();
        assert!(rows.len() > 40);
        for row in rows {
            let mut workbench = Workbench::expanding(Expand::Templates);
            let opened = workbench.open_example(&row.slug).unwrap();
            let packages = workbench.catalogs().iter().map(|catalog| &catalog.analysis.catalog);
            assert!(packages.clone().any(|catalog| catalog.package(&opened.package).is_some()), "{}", row.slug);
            let has_subscription = opened.cluster.contains("kind: Subscription\n");
            let has_extension = opened.cluster.contains("kind: ClusterExtension\n");
            workbench.set_cluster(&opened.cluster);
            let view = workbench.simulate("");
            assert!(has_subscription || has_extension, "{}", row.slug);
            let shown = (!view.outcomes.is_empty(), !view.extensions.is_empty());
            assert_eq!(shown, (has_subscription, has_extension), "{}", row.slug);
            let read = view.manifests.unwrap();
            assert_eq!((read.findings, read.skipped), (vec![], vec![]), "{}", row.slug);
            assert!(read.sources.iter().all(|source| source.catalog.is_some()), "{}", row.slug);
        }
    }

    #[test]
    fn the_page_says_of_extensions_what_their_example_says() {
        let mut checked = 0;
        for example in gallery().iter().filter(|example| !example.extensions.is_empty()) {
            let extensions = crate::testing::example(example.slug).simulate("").extensions;
            for line in example.extensions.lines() {
                let (name, expected) = line.split_once(": ").unwrap();
                let view = extensions.iter().find(|view| view.name == name).unwrap();
                let is_said = match expected.split_once(' ').unwrap() {
                    ("fails:", error) => view.error.as_deref() == Some(error),
                    ("cannot", rest) => view.refusals.iter().any(|refusal| rest.ends_with(&**refusal)),
                    (_, rest) => rest.split(' ').any(|word| view.hops.iter().any(|hop| hop == word)),
                };
                assert!(is_said, "{}: {line}, but {view:?}", example.slug);
                checked += 1;
            }
        }
        assert!(checked > 15, "{checked}");
        assert_eq!(examples().last().unwrap().title, "OLM v1", "users of Subscriptions can pass them by");
    }

    #[test]
    fn the_lifecycle_data_of_an_example_has_one_mistake() {
        let workbench = crate::testing::example("support-ends-earlier");
        let found = &workbench.catalogs()[0].analysis.findings;
        let of_lifecycle = found.iter().filter(|found| found.diagnostic.rule == source::Rule::LifecyclePhases);
        let found: Vec<&str> = of_lifecycle.map(|found| &*found.diagnostic.message).collect();
        assert_eq!(found, ["there is a gap of one day between phase `Full support` and phase `Maintenance support`"]);
    }

    #[test]
    fn the_comparison_of_a_change_says_what_its_example_says() {
        let mut compared = 0;
        for example in gallery() {
            let Some(change) = example.change else { continue };
            let mut workbench = Workbench::expanding(Expand::Templates);
            workbench.open_example(example.slug).unwrap();
            let side = |catalog: &CatalogInput| SideKey { catalog: catalog.id, is_opened: false };
            let (before, after) = (side(&workbench.baselines()[0]), side(&workbench.catalogs()[0]));
            let view = workbench
                .comparing(&Compared {
                    before,
                    after,
                    levels: String::new(),
                    day: String::new(),
                    runtime: views::Runtime::V0,
                })
                .compare()
                .unwrap();
            let sentence = view.packages.first().map_or("", |package| &*package.sentence);
            assert_eq!(sentence.split(';').next(), Some(change.sentence), "{}", example.slug);
            assert_eq!((view.unchanged, view.not_comparable), (0, Vec::new()), "{}", example.slug);
            compared += 1;
        }
        assert!(compared > 5);
    }

    /// Such a catalog never gets as far as OLM's resolver; whoever reads the text is to know before they see the result.
    #[test]
    fn what_opm_rejects_is_said_of_an_example_and_of_no_other() {
        let rows: Vec<ExampleRow> = examples().into_iter().flat_map(|theme| theme.examples).collect();
        let (mut silent, mut wrong) = (Vec::new(), Vec::new());
        for row in rows {
            match (
                crate::testing::example(&row.slug).simulate("").blocked.is_some(),
                row.says.contains("`opm` rejects"),
            ) {
                (true, false) => silent.push(row.slug),
                (false, true) => wrong.push(row.slug),
                (true, true) | (false, false) => {}
            }
        }
        assert_eq!((silent, wrong), (Vec::<String>::new(), Vec::<String>::new()));
    }

    #[test]
    fn an_example_takes_the_place_of_what_was_loaded() {
        let mut workbench = crate::testing::workbench(&[("mine", "package p c")]);
        assert_eq!(workbench.open_example("no-such-example"), None);
        assert_eq!(workbench.catalogs().len(), 1);
        workbench.open_example("higher-priority").unwrap();
        let sources: Vec<_> =
            workbench.catalogs().iter().map(|catalog| (catalog.name.as_str(), catalog.priority)).collect();
        assert!(sources.iter().all(|(name, _)| *name != "mine"), "{sources:?}");
        assert!(sources.iter().any(|(_, priority)| *priority > 0), "{sources:?}");
    }
}
