//! What texts that a cluster printed mean.

use crate::{StateId, Verdict};
use serde::{Deserialize, Serialize};

/// The messages in a text, each in plain words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessagesView {
    /// In the order of the text, each once. Empty if the text has none that is known.
    pub messages: Vec<ExplainedMessage>,
    /// What would tell more: objects of the cluster, or catalogs.
    pub more: Vec<String>,
}

/// A message, or a condition without one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExplainedMessage {
    /// The namespace of the object; empty if the text does not tell it.
    pub namespace: String,
    /// How old it is against the newest entry of the text; empty if the text does not tell it.
    pub age: String,
    /// The object, and the type and the reason of the condition; empty for a text without these.
    pub about: String,
    /// As the cluster has it, in one line.
    pub text: String,
    pub meaning: String,
    /// The state of a namespace that it tells of; absent if it tells of none.
    pub state: Option<StateId>,
    /// [`Verdict::Acts`] if nothing is wrong; absent if the text does not tell.
    pub verdict: Option<Verdict>,
    /// What to do first.
    pub first: Option<String>,
    /// What does harm.
    pub never: Option<String>,
    /// Whether the failed InstallPlan is to run again after that.
    pub runs_again: bool,
    /// The sentences of a message that has several, each with its meaning.
    pub sentences: Vec<ExplainedSentence>,
    /// What the message names.
    pub names: Vec<MessageName>,
}

/// A sentence of `constraints not satisfiable`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExplainedSentence {
    pub text: String,
    pub meaning: String,
    pub names: Vec<MessageName>,
}

/// Something that a message names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageName {
    /// `subscription`, `package`, `channel`, `catalog`, `csv`, `api`, `crd`, …
    pub kind: String,
    pub name: String,
}
