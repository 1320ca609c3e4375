//! Why something is chosen, refused, missing or impossible: sentences with places, made by the workbench.

use crate::{ClusterForm, FileKey, Place};
use serde::{Deserialize, Serialize};

/// One rule or fact that speaks in an explanation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReasonView {
    /// A sentence; names are in backticks.
    pub text: String,
    /// Where it comes from.
    pub place: Option<Place>,
}

/// Candidates that stood before the chosen one and were refused alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RefusalView {
    /// Which: one name, or the first and the last of a run; names are in backticks.
    pub title: String,
    /// Why the first of them was refused.
    pub because: Vec<ReasonView>,
}

/// Why nothing could be chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FailureView {
    /// Who says no.
    pub kind: FailureKind,
    /// Contradictions that have nothing to do with each other; of `Clash` only.
    pub conflicts: Vec<ConflictView>,
    /// Whether there may be more contradictions.
    pub bounded: bool,
    /// What was tried and gives the whole namespace an answer.
    pub fixes: Vec<FixView>,
    /// What stands in the way, of other kinds.
    pub rules: Vec<ReasonView>,
    /// OLM's own message; empty when it has none.
    pub message: MessageView,
}

/// Who says no.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FailureKind {
    /// The rules contradict each other (`ConstraintsNotSatisfiable`).
    Conflict,
    /// OLM refuses to resolve the namespace (`ErrorPreventedResolution`).
    Refused,
    /// Opscope cannot tell what OLM would do.
    Unknown,
}

/// One contradiction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConflictView {
    /// The packages that it is about; names are in backticks.
    pub title: String,
    /// The rules as an argument, from what is asked for to what cannot be; none of them can be left out.
    pub lines: Vec<ReasonView>,
    /// Where candidates are lost, for Subscriptions and requirements that find none.
    pub funnels: Vec<FunnelView>,
}

/// A way out that was tried.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FixView {
    /// What to do; names are in backticks.
    pub text: String,
    /// What OLM does then, a sentence each.
    pub effects: Vec<String>,
    /// Where it is to be done, if that is in a text.
    pub place: Option<Place>,
    /// How to try it, where it is a change to what the simulation started from.
    pub edit: Option<InputEdit>,
}

/// A change to what a simulation started from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum InputEdit {
    /// The form after it.
    Form(ClusterForm),
    /// Edits of the manifests, in the order of the text and apart from each other.
    Manifests(Vec<TextSplice>),
    /// Edits of a file of a catalog, in the order of the text and apart from each other.
    Catalog {
        /// The file.
        file: FileKey,
        /// The edits.
        splices: Vec<TextSplice>,
        /// The edits of the text after that, which make it what it was.
        undo: Vec<TextSplice>,
    },
}

/// Bytes of a text, and what takes their place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextSplice {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// The new text.
    pub text: String,
}

/// OLM's own message with what its parts mean.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageView {
    /// To the letter.
    pub text: String,
    /// Its identifiers, in the order of appearance, each once.
    pub terms: Vec<TermView>,
    /// What a cluster may print instead, because it leaves that to chance.
    pub others: Vec<String>,
}

/// A part of a message and what it means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TermView {
    /// As it stands in the message.
    pub text: String,
    /// In words.
    pub meaning: String,
}

/// Where candidates are lost: filter by filter, with what each leaves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FunnelView {
    /// Whose candidates; names are in backticks.
    pub title: String,
    /// In OLM's order.
    pub stages: Vec<StageView>,
    /// What may have been meant.
    pub hints: Vec<HintView>,
}

/// One filter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageView {
    /// What it asks for; names are in backticks.
    pub text: String,
    /// How many candidates it leaves.
    pub left: u32,
}

/// What may have been meant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HintView {
    /// A question; names are in backticks.
    pub text: String,
    /// How to try it.
    pub edit: Option<InputEdit>,
}
