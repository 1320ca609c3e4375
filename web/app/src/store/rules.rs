//! Rules: which are switched off, and what is said about them.

use super::Shared;
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
    pub(super) fn command(&self) -> Command {
        Command::SwitchRules { off: self.off.iter().cloned().collect() }
    }
}
