//! The gallery of examples.

use serde::{Deserialize, Serialize};

/// Examples of one theme.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExampleTheme {
    pub title: String,
    /// In display order.
    pub examples: Vec<ExampleRow>,
}

/// An example in the gallery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExampleRow {
    /// Its name; unique.
    pub slug: String,
    pub title: String,
    /// What the example shows, a sentence or two; names are in backticks.
    pub says: String,
    /// What to look at on the page once it is open; names are in backticks.
    pub look_at: String,
}

/// An example whose catalogs were loaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenedExample {
    pub slug: String,
    pub cluster: String,
    pub package: String,
    /// Whether it is a change to a catalog, which the comparison shows.
    pub is_change: bool,
}
