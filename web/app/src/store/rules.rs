//! Rules: which are switched off, and what is said about them.

use super::worker::{command, notify};
use super::{Action, Dialog, Effect, NoticeKind, Shared, State};
use std::collections::BTreeSet;
use views::{Command, RuleDoc};

/// What the page knows of rules beyond their findings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rules {
    /// The ids of those that are switched off.
    pub off: BTreeSet<String>,
    /// The id of the one that is explained.
    pub explained: String,
    /// What is said about all of them.
    pub texts: RuleTexts,
}

/// The texts about rules, which are fetched when they are asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum RuleTexts {
    /// Nobody has asked.
    #[default]
    Unasked,
    /// They are on their way.
    Awaited,
    /// They are here.
    Here(Shared<Vec<RuleDoc>>),
    /// They could not be had.
    Refused {
        /// Why.
        reason: String,
    },
}

impl RuleTexts {
    /// What is said about a rule.
    #[must_use]
    pub fn of(&self, rule: &str) -> Option<&RuleDoc> {
        match self {
            Self::Here(docs) => docs.iter().find(|doc| doc.id == rule),
            Self::Unasked | Self::Awaited | Self::Refused { .. } => None,
        }
    }
}

impl Rules {
    /// What the worker is told.
    pub(super) fn request(&self) -> Command {
        Command::SwitchRules { off: self.off.iter().cloned().collect() }
    }
}

/// Takes an event about rules; others are left to whoever comes next.
pub(super) fn take(state: &mut State, effects: &mut Vec<Effect>, action: Action) {
    match action {
        Action::RuleSwitched { rule, on } => {
            let changed = if on { state.rules.off.remove(&rule) } else { state.rules.off.insert(rule) };
            if changed {
                tell(state, effects);
            }
        }
        Action::RulesRestored => {
            state.rules.off.clear();
            tell(state, effects);
        }
        Action::RuleExplained(rule) => {
            state.rules.explained = rule;
            state.dialog = Some(Dialog::Rule);
            if matches!(state.rules.texts, RuleTexts::Unasked | RuleTexts::Refused { .. }) {
                state.rules.texts = RuleTexts::Awaited;
                effects.push(Effect::FetchRules);
            }
        }
        Action::RulesFetched(Ok(docs)) => state.rules.texts = RuleTexts::Here(Shared::new(docs)),
        Action::RulesFetched(Err(reason)) => state.rules.texts = RuleTexts::Refused { reason },
        Action::CommentCopied(rule) => {
            // What is said about it would be behind the dialog.
            state.dialog = None;
            let comment = format!("# opscope-ignore: {rule}");
            effects.push(Effect::Copy(comment.as_str().into()));
            notify(state, NoticeKind::CommentCopied { comment });
        }
        action => super::play::take(state, effects, action),
    }
}

/// Before the worker is ready it is told with the first requests.
fn tell(state: &mut State, effects: &mut Vec<Effect>) {
    if state.worker.ready {
        let request = state.rules.request();
        command(state, effects, request);
    }
}
