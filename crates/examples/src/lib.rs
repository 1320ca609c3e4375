//! Ready examples: small catalogs with a cluster, each showing one thing that OLM does.
//!
//! They stand in `gallery/`, one file each: a title, what to see, the catalogs, the cluster as manifests, what comes out
//! and where that is known from. `tests/gallery.rs` plays every one of them. Knows nothing but texts.
//!
//! ```
//! let example = examples::gallery().into_iter().find(|example| example.slug == "version-deadlock").unwrap();
//! assert_eq!(example.title, "Version deadlock");
//! assert_eq!(example.catalogs[0].name, "community");
//! assert!(example.cluster.contains("kind: Subscription"));
//! ```

mod gallery;
mod page;

pub use gallery::gallery;

/// One example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// Its name in addresses and tests; unique.
    pub slug: &'static str,
    /// What it is about.
    pub theme: Theme,
    /// A title.
    pub title: &'static str,
    /// What to see, a sentence or two; names are in backticks.
    pub says: &'static str,
    /// The package to look at.
    pub package: &'static str,
    /// File-based catalogs.
    pub catalogs: Vec<ExampleCatalog>,
    /// The cluster: a YAML stream of manifests.
    pub cluster: &'static str,
    /// What comes out: a line a step, outcomes separated by `or`.
    pub outcomes: &'static str,
    /// Where that is known from.
    pub origin: &'static str,
}

/// One catalog of an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExampleCatalog {
    /// The name of its CatalogSource.
    pub name: &'static str,
    /// A file-based catalog in YAML.
    pub text: &'static str,
}

/// What an example is about, in the order in which a list shows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Theme {
    /// The examples of OLM's documentation.
    Documentation,
    /// What happens over several updates.
    Updates,
    /// Where a Subscription begins, and what an entry that is skipped or stranded means for it.
    Start,
    /// Answers that differ from run to run.
    Chance,
}

impl Theme {
    /// A heading.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Documentation => "From OLM's documentation",
            Self::Updates => "Updates and conflicts",
            Self::Start => "startingCSV, skips and skipRange",
            Self::Chance => "OLM may do either",
        }
    }
}
