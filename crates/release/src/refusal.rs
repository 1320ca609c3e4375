//! Why an edit is not written or not found, and what to do instead.

use crate::Policy;
use catalog::{BundleName, ChannelName};
use source::first_and_more;

/// The most things that a refusal names.
const SHOWN: usize = 5;

/// Why there is no repair, or why something cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// Installed versions are above every entry that could be the head: the head was withdrawn.
    HeadWithdrawn,
    /// The head is a version that nobody may be updated to.
    HeadAvoided,
    /// Versions have names that no range can cover and that are not of this package.
    UnknownVersion,
    /// The channel or its package is gone.
    ChannelGone,
    /// `opm` rejects the catalog for something else than the edges of channels.
    RejectedOtherwise,
    /// The text of the entries is made of something else, as of a template.
    NotEditable,
    /// No edits of edges are enough.
    NoEdits,
    /// The search took too long.
    GaveUp,
    /// The policy of a release does not fit the channel.
    PolicyUnfit,
    /// The channel or the package has the version already.
    AlreadyListed,
    /// The source form has no place for it.
    NotExpressible,
    /// Something is missing that has to be written.
    Missing,
    /// Files were not read, or only in part.
    NotRead,
}

impl Reason {
    /// Its id in answers.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::HeadWithdrawn => "head-withdrawn",
            Self::HeadAvoided => "head-avoided",
            Self::UnknownVersion => "unknown-version",
            Self::ChannelGone => "channel-gone",
            Self::RejectedOtherwise => "rejected-otherwise",
            Self::NotEditable => "not-editable",
            Self::NoEdits => "no-edits",
            Self::GaveUp => "gave-up",
            Self::PolicyUnfit => "policy-unfit",
            Self::AlreadyListed => "already-listed",
            Self::NotExpressible => "not-expressible",
            Self::Missing => "missing",
            Self::NotRead => "not-read",
        }
    }
}

/// What may help in place of what was refused. It is tried on the same input before a message names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advice {
    /// The same release by another policy.
    Policy(Policy),
    /// The same release without a policy.
    NoPolicy,
    /// A version above the head takes the place of the head.
    NewHead,
    /// The version is deprecated.
    Deprecation,
    /// The version is removed.
    Removal,
}

/// Why there is no repair, for all or some of the versions, and what to do instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The reason.
    pub reason: Reason,
    /// The versions that no edit helps; none if that is not about single versions.
    pub versions: Vec<BundleName>,
    /// The reason as a sentence without its full stop.
    pub sentence: String,
    /// What to do instead, as a sentence without its full stop.
    pub instead: String,
    /// What may help instead, before `instead`.
    pub advice: Vec<Advice>,
    /// The channel that it is about.
    pub channel: Option<ChannelName>,
    /// Whether the catalog does not have what the policy is about, so that the release is not for it.
    pub is_not_for_it: bool,
}

impl Refusal {
    /// A refusal that is about the channel as a whole.
    #[must_use]
    pub fn new(reason: Reason, sentence: impl Into<String>, instead: impl Into<String>) -> Self {
        Self {
            reason,
            versions: Vec::new(),
            sentence: sentence.into(),
            instead: instead.into(),
            advice: Vec::new(),
            channel: None,
            is_not_for_it: false,
        }
    }

    /// The same about a channel, in which something else may help.
    #[must_use]
    pub fn advising(self, channel: Option<&ChannelName>, advice: impl IntoIterator<Item = Advice>) -> Self {
        Self { advice: advice.into_iter().collect(), channel: channel.cloned(), ..self }
    }

    /// The refusal of a release that is not for the catalog.
    #[must_use]
    pub fn not_for_it(self) -> Self {
        Self { is_not_for_it: true, ..self }
    }

    /// Whether edits may help other versions.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        !self.versions.is_empty()
    }

    /// The refusal of an edit that would change more than it is meant to: what else, in words.
    #[must_use]
    pub fn changes_more(what: impl IntoIterator<Item = String>) -> Self {
        let what = first_and_more(&mut what.into_iter(), SHOWN);
        let what = if what.is_empty() { "other entries".to_owned() } else { what };
        Self::new(
            Reason::NotEditable,
            format!("the edit would also change {what}"),
            "write the entries without anchors and aliases, or edit the text by hand and compare",
        )
    }

    /// The refusal where `opm` rejects the catalog for something else.
    #[must_use]
    pub fn rejected_otherwise() -> Self {
        Self::new(
            Reason::RejectedOtherwise,
            "`opm` rejects the channel for something else than its edges",
            "correct what `opscope validate` reports first",
        )
    }
}
