//! By what rules bundles become channels.

/// By what the bundles of a package become channels.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rules {
    Mode(Mode),
    /// By a catalog template, which is named by its file in `catalog-templates/`, and the `release-config.yaml` of the bundles
    /// that it does not list.
    Template(String),
}

impl Rules {
    /// What they are, in a few words.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Mode(mode) => format!("the rules of {} mode", mode.name()),
            Self::Template(template) => format!("the catalog template {template}"),
        }
    }
}

/// The rules of `opm index add` by which bundles become channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mode {
    /// Follows `replaces` and `skips` of the CSVs from the head of each channel down.
    Replaces,
    /// Each bundle replaces the one with the next lower version.
    Semver,
    /// As [`Semver`](Self::Semver), and each bundle skips those with lower patch versions.
    SemverSkippatch,
}

impl Mode {
    /// All modes.
    pub const ALL: [Self; 3] = [Self::Replaces, Self::Semver, Self::SemverSkippatch];

    /// The name, as `opm index add --mode` has it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Replaces => "replaces",
            Self::Semver => "semver",
            Self::SemverSkippatch => "semver-skippatch",
        }
    }

    /// The mode with this name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mode| mode.name() == name)
    }
}
