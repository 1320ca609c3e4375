//! The kinds of channels that a template generates.

/// The prefix of `opm`'s errors about the text.
pub(super) const UNREADABLE: &str = "render: unable to read file: ";

/// A level of maturity, in `opm`'s order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Archetype {
    Candidate,
    Fast,
    Stable,
}

impl Archetype {
    pub(super) const ALL: [Self; 3] = [Self::Candidate, Self::Fast, Self::Stable];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Candidate => "candidate",
            Self::Fast => "fast",
            Self::Stable => "stable",
        }
    }
}

/// Whether a channel has the bundles of a major or of a minor version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum StreamType {
    Major,
    Minor,
}
