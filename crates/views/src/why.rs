//! Explanations: why something is selected, refused, missing or impossible, and what a message means.
//!
//! The workbench makes the sentences.

use crate::{
    CatalogChange, CatalogId, DiffLine, DiffSign, FileKey, FormChange, PathStrip, Place, StateId, TextEdit, Verdict,
    headed_diff,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A fact of an explanation.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct ReasonView {
    /// A sentence; names are in backticks.
    pub text: String,
    /// The place in the text that it comes from.
    pub place: Option<Place>,
}

/// Better candidates that were refused for the same reason.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct RefusalView {
    /// One name, or the first and the last of several; names are in backticks.
    pub title: String,
    /// Why the first of them was refused.
    pub because: Vec<ReasonView>,
}

/// Why a step has no solution.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct FailureView {
    pub kind: FailureKind,
    /// Independent conflicts; only of `Conflict`.
    pub conflicts: Vec<ConflictView>,
    /// Whether there may be more conflicts, beyond the limit.
    pub bounded: bool,
    /// Changes that were verified to give the namespace a solution.
    pub fixes: Vec<FixView>,
    /// The obstacles; of other kinds.
    pub rules: Vec<ReasonView>,
    /// OLM's own message; empty when it has none.
    pub message: MessageView,
}

/// The kind of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// The facts contradict each other (`ConstraintsNotSatisfiable`).
    Conflict,
    /// OLM refuses to resolve the namespace (`ErrorPreventedResolution`).
    Refused,
    /// Opscope cannot tell what OLM would do.
    Unknown,
}

/// A minimal set of facts that contradict each other.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct ConflictView {
    /// The packages that it is about; names are in backticks.
    pub title: String,
    /// What decides: about the best candidate of a Subscription, where candidates are refused.
    pub decision: String,
    /// The facts, from what is asked for to what is impossible. Without any one of them there is no conflict.
    pub lines: Vec<ReasonView>,
    /// What is in the way, too, and what does not help although it seems to.
    pub more: Vec<ReasonView>,
    /// The funnels of Subscriptions and requirements that have no candidate.
    pub funnels: Vec<FunnelView>,
}

/// A change that was verified to help, or that was probably meant.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct FixView {
    /// What to do; names are in backticks.
    pub text: String,
    /// What OLM does then, a sentence each.
    pub effects: Vec<String>,
    /// The place to change, if it is in a text.
    pub place: Option<Place>,
    /// The edit that applies it, if the input has a field for each change.
    pub edit: Option<InputEdit>,
    /// Whether it deletes a Subscription or a CSV.
    pub removes: bool,
    /// What else is known of a repair.
    pub repair: Option<RepairView>,
    /// Of a fix of a namespace: the bundles that OLM installs first after it.
    pub installs: Vec<InstallView>,
    /// Whether one of these never runs, as the effects say.
    pub fails: bool,
    /// Of a fix whose edit makes only the first step: what is to be done later, and when.
    pub later: Option<String>,
}

impl FixView {
    /// What stands above fixes: those that the model carried out have effects.
    #[must_use]
    pub fn title(fixes: &[Self]) -> &'static str {
        match fixes.iter().all(|fix| !fix.effects.is_empty()) {
            true => "Fixes (each simulated)",
            false => "Fixes (simulated where an effect is shown)",
        }
    }
}

/// Channels that a Subscription changes to one after the other, each with what is installed until then: `` `a` until 1.0.0 is
/// installed, then to `b` ``. Of the last one that is the end, which is not named.
pub fn stages_in_words<'s>(stages: impl DoubleEndedIterator<Item = (&'s str, String)>) -> String {
    let mut stages = stages.rev();
    let last = stages.next().map(|(channel, _)| format!("`{channel}`")).unwrap_or_default();
    let before = stages.rev().map(|(channel, until)| format!("`{channel}` until {until} is installed, then to "));
    before.collect::<String>() + &last
}

/// A bundle that OLM would install.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct InstallView {
    pub package: String,
    /// Its version, else its name.
    pub label: String,
}

/// Edits of a channel that keep every installed version on a way to the head.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct RepairView {
    /// What the edits weigh: 1 to 3 for one of the head, 3 to 5 for one of an older entry, which clusters know already.
    pub weight: u32,
    /// How many versions leave out updates that they had, or get one that they do not need.
    pub widening: u32,
    /// The edits, each with its place.
    pub edits: Vec<EditView>,
    /// The path of the file.
    pub path: String,
    /// How its text changes: a unified diff.
    pub diff: String,
    /// Installed versions, and their updates without it and with it.
    pub paths: Vec<PathsView>,
}

impl RepairView {
    /// Names the file by another path.
    pub fn set_path(&mut self, path: String) {
        let lines = self.diff.splitn(3, '\n').nth(2).unwrap_or_default();
        self.diff = headed_diff(&path, lines);
        self.path = path;
    }
}

/// An edit of an entry of a channel.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct EditView {
    /// What changes: `replace`, `unreplace`, `skip`, `unskip` or `range`.
    pub edit: String,
    pub entry: String,
    /// The name or the range that it is about.
    pub value: Option<String>,
    /// What to do; names are in backticks.
    pub text: String,
    /// The place of the entry before the edit, if that is known.
    pub place: Option<Place>,
}

/// Why there is no repair, or why nothing is written. The sentences have no full stop; names are in backticks.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct RefusedView {
    /// The kind of reason in a word, such as `head-withdrawn`.
    pub id: String,
    pub sentence: String,
    /// What to do instead.
    pub instead: String,
}

/// Installed versions with the same outcome, and the updates of the first one before and after a change.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct PathsView {
    /// The versions, such as `1.2.0 to 1.2.7 (6 versions)`.
    pub title: String,
    /// The updates before the change.
    pub before: PathStrip,
    /// The updates after it.
    pub after: PathStrip,
}

/// What helps a channel in which versions do not reach the head, or that `opm` rejects.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct RepairsView {
    pub package: String,
    pub channel: String,
    /// What is wrong with the channel; names are in backticks.
    pub problem: String,
    /// The CSVs that do not reach the head.
    pub stranded: Vec<String>,
    /// The repairs, the cheapest first.
    pub fixes: Vec<FixView>,
    /// Why there is no repair, or none for some versions.
    pub reason: Option<RefusedView>,
}

impl RepairsView {
    /// The channel, and what is wrong with it; names are in backticks.
    #[must_use]
    pub fn title(&self) -> String {
        format!("Channel `{}`: {}", self.channel, self.problem)
    }

    /// How many lines the best repair adds or changes; `None` if there is no repair.
    #[must_use]
    pub fn lines(&self) -> Option<usize> {
        let diff = &self.fixes.first()?.repair.as_ref()?.diff;
        let count = |sign| DiffLine::of(diff).filter(|line| line.sign == sign).count();
        Some(count(DiffSign::Added).max(count(DiffSign::Removed)))
    }

    /// The best repairs of channels of a catalog together, and how many they are; `None` if nothing can be repaired.
    #[must_use]
    pub fn together(channels: &[Self]) -> Option<(usize, InputEdit)> {
        let best = channels.iter().filter_map(|channel| channel.fixes.first()?.edit.as_ref());
        let mut edits = best.filter_map(|edit| match edit {
            InputEdit::Catalog { catalog, changes } => Some((*catalog, changes)),
            InputEdit::Manifests(_) => None,
        });
        let (catalog, first) = edits.next()?;
        let all: Vec<&Vec<CatalogChange>> = std::iter::once(first).chain(edits.map(|(_, changes)| changes)).collect();
        let changes = all.iter().copied().flatten().cloned().collect();
        Some((all.len(), InputEdit::Catalog { catalog, changes }))
    }

    /// Why there is no repair, or none for some versions, and what to do instead, a sentence each; none if that is not so.
    #[must_use]
    pub fn refusal(&self) -> Vec<String> {
        self.reason.iter().flat_map(|reason| reason.sentences("No repair")).collect()
    }
}

impl RefusedView {
    /// What is not done and why, and what to do instead, a sentence each.
    #[must_use]
    pub fn sentences(&self, what: &str) -> [String; 2] {
        [format!("{what}: {}.", self.sentence), format!("Instead: {}.", self.instead)]
    }
}

/// An edit of the input of a simulation.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputEdit {
    /// Edits of the manifests, in the order of the text and apart from each other.
    Manifests(Vec<TextEdit>),
    /// Changes of a catalog that are made together.
    Catalog { catalog: CatalogId, changes: Vec<CatalogChange> },
}

/// A change of the input of a simulation, to be tried before it is made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TriedChange {
    /// Changes of the form, one after the other.
    Form(Vec<FormChange>),
    Edit(InputEdit),
}

/// Edits of a file of a catalog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEdit {
    pub file: FileKey,
    /// The edits, in the order of the text and apart from each other.
    pub splices: Vec<TextEdit>,
}

/// OLM's own message with what its parts mean.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct MessageView {
    /// The exact text.
    pub text: String,
    /// Its identifiers in order of appearance, each once.
    pub terms: Vec<TermView>,
    /// Other texts that a cluster may print, because the order is random.
    pub others: Vec<String>,
    /// Whether the cluster reports it, also in another order.
    pub is_reported: bool,
    /// Why the cluster reports another one, if it does.
    pub differs: Option<String>,
}

/// An identifier in a message, with its meaning.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct TermView {
    /// The identifier as in the message.
    pub text: String,
    /// Its meaning in words.
    pub meaning: String,
}

/// Where candidates are lost: the filters, with the number of candidates that each leaves.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct FunnelView {
    /// The title; names are in backticks.
    pub title: String,
    /// In OLM's order.
    pub stages: Vec<StageView>,
    /// What may have been meant.
    pub hints: Vec<FixView>,
}

/// One filter.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct StageView {
    /// The filter; names are in backticks.
    pub text: String,
    /// The number of candidates that it leaves.
    pub left: u32,
}

// Why OLM does not come to an entry that somebody points at.

/// What becomes of an entry in one outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct WhyNotView {
    /// The answers of everyone who chooses in this package, each in the order of the steps; none when nobody does.
    pub rows: Vec<WhyNotRow>,
    /// Whether there are more rows.
    pub bounded: bool,
}

/// What one chooser says of the entry in one step, or in several one after the other.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct WhyNotRow {
    /// Who chooses: a Subscription, or a requirement of a chosen bundle; names are in backticks.
    pub who: String,
    /// The steps, in words: `step 1`, `from step 2 on`.
    pub when: String,
    /// What comes of it.
    pub status: EntryStatus,
    /// Why; names are in backticks.
    pub reason: ReasonView,
    /// The rules that refused it, if it was tried.
    pub because: Vec<ReasonView>,
}

/// What comes of an entry when somebody chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryStatus {
    Chosen,
    /// It is a candidate and something else is chosen.
    PassedOver,
    /// It is no candidate.
    Excluded,
    /// It is not known.
    Unknown,
}

// What texts that a cluster printed mean.

/// The messages in a text, each in plain words.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct MessagesView {
    /// In the order of the text, each once. Empty if the text has none that is known.
    pub messages: Vec<ExplainedMessage>,
    /// What would tell more: objects of the cluster, or catalogs.
    pub more: Vec<String>,
}

/// A message, or a condition without one.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
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
    /// `acts` if nothing is wrong; absent if the text does not tell.
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
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct ExplainedSentence {
    pub text: String,
    pub meaning: String,
    pub names: Vec<MessageName>,
}

/// Something that a message names.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct MessageName {
    /// `subscription`, `package`, `channel`, `catalog`, `csv`, `api`, `crd`, …
    pub kind: String,
    pub name: String,
}
