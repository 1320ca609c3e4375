//! Ready examples.

use serde::{Deserialize, Serialize};

/// Examples of one theme.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExampleTheme {
    /// A heading.
    pub title: String,
    /// In the order to show.
    pub examples: Vec<ExampleRow>,
}

/// An example of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExampleRow {
    /// Its name; unique.
    pub slug: String,
    /// A title.
    pub title: String,
    /// What to see, a sentence or two; names are in backticks.
    pub says: String,
}

/// An example whose catalogs were loaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenedExample {
    /// Its name.
    pub slug: String,
    /// The cluster as manifests.
    pub cluster: String,
    /// The package to look at.
    pub package: String,
}
