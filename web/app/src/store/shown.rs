//! What the page shows: views, regions, dialogs, colours. Imports no functions.

use serde::{Deserialize, Serialize};
use views::CatalogId;

/// The views of a package.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tab {
    /// Its channels as a drawing.
    #[default]
    Graph,
    /// The hops from every version to the head of every channel.
    Reach,
    Table,
    /// What a change does to installed versions.
    Compare,
    Source,
    Findings,
    /// What OLM does in a cluster.
    Simulate,
}

impl Tab {
    /// All of them, in the order of the keys `1` to `7`.
    pub const ALL: [Self; 7] =
        [Self::Graph, Self::Reach, Self::Table, Self::Compare, Self::Source, Self::Findings, Self::Simulate];

    /// Those in the header, in the order shown.
    pub const MAIN: [Self; 4] = [Self::Graph, Self::Compare, Self::Simulate, Self::Source];

    /// The ways to see the updates of a package, which one tab of the header stands for.
    pub const OF_UPDATES: [Self; 4] = [Self::Graph, Self::Reach, Self::Table, Self::Findings];

    /// Those of a catalog as a whole. The overview is in the place of the graph.
    pub const OF_OVERVIEW: [Self; 2] = [Self::Graph, Self::Findings];

    /// The tab of the header that stands for it.
    #[must_use]
    pub fn main(self) -> Self {
        if Self::OF_UPDATES.contains(&self) { Self::Graph } else { self }
    }

    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Graph => "Graph",
            Self::Reach => "Reach",
            Self::Table => "Table",
            Self::Compare => "Compare",
            Self::Findings => "Findings",
            Self::Source => "Source",
            Self::Simulate => "Simulate",
        }
    }

    /// Its title for a package, or for a catalog as a whole.
    #[must_use]
    pub const fn title_of(self, is_package: bool) -> &'static str {
        match self {
            Self::Graph if !is_package => "Overview",
            _ => self.title(),
        }
    }

    /// The key that shows it.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Graph => "g",
            Self::Reach => "r",
            Self::Table => "t",
            Self::Compare => "d",
            Self::Findings => "f",
            Self::Source => "s",
            Self::Simulate => "c",
        }
    }
}

/// The regions of the page. A narrow screen shows one of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pane {
    #[default]
    Packages,
    Package,
    Entry,
}

/// The colour scheme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Theme {
    #[default]
    System,
    Light,
    Dark,
}

impl Theme {
    /// In the order of the switch.
    pub const ALL: [Self; 3] = [Self::System, Self::Light, Self::Dark];

    /// Its name in the page and in the style sheet.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialog {
    /// Search and pick.
    Palette,
    Shortcuts,
    Paste,
    Catalog(CatalogId),
    Examples,
    Rule,
    Share,
    /// Try a new bundle on a catalog.
    NewBundle,
    /// Deprecate or remove the selected entry.
    Retire,
    /// What would be written into the catalogs of a set.
    Written,
    /// Packages, channels, heads and versions of a catalog or of PackageManifests.
    List,
    /// Confirm that a link replaces the user's own catalogs and cluster.
    OpenLink,
}
