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

mod list;

pub use list::gallery;

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
