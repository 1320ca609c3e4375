//! The examples gallery: small catalogs with a cluster, each of which shows one behaviour of OLM.
//!
//! Each example is a file in `gallery/` with a title, a description, what to look at, catalogs, cluster manifests, what is
//! expected of Subscriptions and ClusterExtensions, and the source of that. This module only holds the texts;
//! `tests/it/gallery.rs` simulates every example.
//!
//! ```
//! let example = session::gallery::gallery().into_iter().find(|example| example.slug == "version-deadlock").unwrap();
//! assert_eq!(example.title, "Version deadlock");
//! assert_eq!(example.catalogs[0].name, "community");
//! assert!(example.cluster.contains("kind: Subscription"));
//! ```

use crate::catalog_input::DEFAULT_NAMESPACE;
use crate::{NewText, Workbench};
use cluster::Manifests;
use source::FileId;
use views::{ExampleRow, ExampleTheme, FileKey, OpenedExample};

/// An example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// Its unique name in URLs and tests.
    pub slug: &'static str,
    /// Its group in the list.
    pub theme: Theme,
    pub title: &'static str,
    /// What it shows, in a few sentences; names are in backticks.
    pub description: &'static str,
    /// What to look at on the page once it is open; names are in backticks.
    pub look_at: &'static str,
    /// The package to show first.
    pub package: &'static str,
    /// Its file-based catalogs.
    pub catalogs: Vec<ExampleCatalog>,
    /// For a change to a catalog: the state before, of which the last catalog is the state after.
    pub change: Option<ExampleChange>,
    /// The cluster: a YAML stream of manifests.
    pub cluster: &'static str,
    /// The expected outcomes for the Subscriptions, one line for each step; outcomes are separated by `or`. Empty without a
    /// Subscription.
    pub outcomes: &'static str,
    /// What is expected of the ClusterExtensions, one line for each bundle or error. Empty without a ClusterExtension.
    pub extensions: &'static str,
    /// The source of the expected outcomes.
    pub origin: &'static str,
}

/// A catalog of an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExampleCatalog {
    /// The name of its CatalogSource.
    pub name: &'static str,
    /// A file-based catalog in YAML, or a template, whose images are those of the other catalogs.
    pub text: &'static str,
}

/// The state of a catalog before a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExampleChange {
    pub before: ExampleCatalog,
    /// What happens to installed versions, as the comparison says.
    pub sentence: &'static str,
}

/// A group of examples, in the order of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Theme {
    /// What a change to a catalog does to installed versions.
    Changes,
    /// Examples from OLM's documentation.
    Documentation,
    /// Updates over several steps.
    Updates,
    /// Where a Subscription starts, and how skipped and stranded entries affect it.
    Start,
    /// Outcomes that differ from run to run.
    Chance,
    /// ClusterExtensions of OLM v1, where possible beside a Subscription to the same package.
    Extensions,
}

impl Theme {
    /// The heading of the group.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Changes => "Changes to a catalog",
            Self::Documentation => "From OLM's documentation",
            Self::Updates => "Updates and conflicts",
            Self::Start => "startingCSV, skips and skipRange",
            Self::Chance => "Several possible outcomes",
            Self::Extensions => "OLM v1",
        }
    }
}

// The list of examples, theme by theme, and the reader of their files: Markdown with fenced blocks.

// Theme and folder, then for each file the slug and the package to show.
macro_rules! examples {
    ($($theme:ident $folder:literal { $($slug:literal $package:literal)* })*) => {
        vec![$($(example(
            $slug,
            Theme::$theme,
            $package,
            include_str!(concat!("../gallery/", $folder, "/", $slug, ".md")),
        ),)*)*]
    };
}

/// All examples, in the order in which the page lists them.
#[must_use]
pub fn gallery() -> Vec<Example> {
    examples! {
        Changes "changes" {
            "addition-strands-four" "clusterpulse"
            "each-release-strands-one-more" "kubernaut-operator"
            "entry-exchanged" "visionone-operator"
            "skips-instead-of-replaces" "dell-csm-operator"
            "head-withdrawn" "hive-operator"
            "channel-gone" "clusterpulse"
            "images-exchanged" "project-quay"
            "lower-by-name" "slurm-operator"
            "substitution-strands-the-base" "store"
            "support-ends-earlier" "kettle"
            "normal-release" "kettle"
        }
        Documentation "documentation" {
            "same-catalog" "bar"
            "higher-priority" "bar"
            "default-channel-first" "foo"
            "new-operator" "foo"
            "operator-update" "foo"
            "deprecating-dependent-apis" "b-operator"
            "version-deadlock" "a-operator"
            "and-caveat" "app"
            "compound-constraint" "app"
            "cel-constraint" "app"
        }
        Updates "updates" {
            "downgrade" "store"
            "held-back" "store"
            "two-hops-deadlock" "cache"
            "one-hop" "cache"
            "older-entry" "app"
            "channel-without-an-edge" "app"
            "csv-without-subscription" "app"
            "unknown-package" "cache"
            "install-mode-dropped" "store"
            "fail-forward" "app"
            "manual-approval" "cache"
        }
        Start "start" {
            "at-a-skipped-entry" "store"
            "at-a-skiprange-entry" "store"
            "at-a-missing-entry" "store"
            "at-a-stranded-entry" "store"
            "stuck-at-a-stranded-entry" "store"
            "in-a-channel-with-two-heads" "store"
            "two-heads" "store"
            "at-an-entry-that-replaces-itself" "store"
            "at-an-entry-that-skips-itself" "store"
            "ignored-once-installed" "store"
            "after-the-csv-was-deleted" "store"
            "deleted-without-starting-csv" "store"
            "deprecations" "store"
        }
        Chance "chance" {
            "exclusive-updates" "mesh"
            "exclusive-heads" "mesh"
            "three-exclusive-heads" "mesh"
            "update-against-a-bound" "app"
            "unowned-dependant" "store"
            "owned-dependant" "store"
            "channel-by-chance" "store"
            "update-without-an-edge" "store"
            "skipped-in-its-channel" "store"
            "mid-update" "store"
            "two-subscriptions-one-package" "store"
            "two-conflicts" "app"
            "two-unknown-packages" "store"
            "two-broken-channels" "store"
        }
        Extensions "v1" {
            "highest-version-not-head" "store"
            "every-channel-counts" "store"
            "hop-over-a-skipped-entry" "store"
            "no-route-to-a-version" "store"
            "channel-without-the-installed-version" "store"
            "prerelease-without-a-range" "store"
            "pinned-version-moves" "store"
            "same-priority" "store"
            "priority-over-version" "store"
            "deprecation-over-priority" "store"
            "deprecated-update-not-taken" "store"
            "down-from-a-deprecated-version" "store"
            "self-certified-downgrade" "store"
            "dependency-refused" "store"
            "install-mode-refused" "store"
            "unserved-catalog" "store"
            "graph-that-opm-rejects" "store"
            "renamed-bundles" "store"
            "migration-blocked" "store"
        }
    }
}

/// Reads a file of the gallery.
///
/// # Panics
/// If the file does not have the expected form. The files are part of the binary, and `tests/it/gallery.rs` reads them all.
fn example(slug: &'static str, theme: Theme, package: &'static str, text: &'static str) -> Example {
    let (head, blocks, origin) = split(text);
    let (title, rest) = head.split_once('\n').expect("a title, then a description");
    let (description, look_at) = rest.split_once("\n\n> ").expect("a description, then a quotation: what to look at");
    let find = |label: &str| blocks.iter().find(|(info, _)| *info == label).map(|(_, text)| *text);
    let named = |label: &'static str| {
        blocks.iter().filter_map(move |(info, text)| Some(ExampleCatalog { name: info.strip_prefix(label)?, text }))
    };
    let before = named("yaml before=").next();
    Example {
        slug,
        theme,
        title: title.trim_start_matches("# "),
        description: description.trim(),
        look_at: look_at.trim(),
        package,
        catalogs: named("yaml catalog=").collect(),
        change: before
            .zip(find("comparison"))
            .map(|(before, sentence)| ExampleChange { before, sentence: sentence.trim() }),
        cluster: find("yaml cluster").expect("a block for the cluster"),
        outcomes: find("outcomes").unwrap_or_default(),
        extensions: find("extensions").unwrap_or_default(),
        origin,
    }
}

/// The text before the first block, the blocks with their labels, and the text after the last block.
fn split(text: &'static str) -> (&'static str, Vec<(&'static str, &'static str)>, &'static str) {
    let (head, mut rest) = text.split_once("```").expect("a block");
    let mut blocks = Vec::new();
    loop {
        let (label, after) = rest.split_once('\n').expect("a block has lines");
        let (body, after) = after.split_once("```\n").expect("a block ends");
        blocks.push((label, body));
        match after.split_once("```") {
            Some((_, next)) => rest = next,
            None => return (head, blocks, after.trim()),
        }
    }
}

// The gallery of examples, and how one is opened.

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
