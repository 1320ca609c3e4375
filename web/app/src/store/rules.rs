//! The disabled rules and the descriptions of rules.

use super::Shared;
use std::collections::BTreeSet;
use views::{Command, ComparisonRuleDoc, RuleDoc, Rulebook};

/// The disabled rules and the descriptions of rules.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rules {
    /// The ids of the disabled rules.
    pub off: BTreeSet<String>,
    /// The id of the rule whose description is shown.
    pub explained: String,
    pub texts: RuleTexts,
}

/// The descriptions of rules. They are fetched when the first one is requested.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum RuleTexts {
    /// None was requested yet.
    #[default]
    Unasked,
    /// They are being fetched.
    Awaited,
    /// They were fetched.
    Here(Shared<Rulebook>),
    /// They could not be fetched.
    Refused { reason: String },
}

impl RuleTexts {
    /// The description of a rule of findings.
    #[must_use]
    pub fn of(&self, rule: &str) -> Option<&RuleDoc> {
        self.book()?.findings.iter().find(|doc| doc.id == rule)
    }

    /// The description of a rule of comparisons.
    #[must_use]
    pub fn of_comparison(&self, rule: &str) -> Option<&ComparisonRuleDoc> {
        self.book()?.comparison.iter().find(|doc| doc.id == rule)
    }

    fn book(&self) -> Option<&Rulebook> {
        match self {
            Self::Here(book) => Some(book),
            Self::Unasked | Self::Awaited | Self::Refused { .. } => None,
        }
    }
}

impl Rules {
    /// The command with which the worker learns the disabled rules.
    pub(super) fn command(&self) -> Command {
        Command::SwitchRules { off: self.off.iter().cloned().collect() }
    }
}
