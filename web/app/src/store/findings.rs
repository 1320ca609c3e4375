//! The list of findings, and enabling, disabling and explaining rules.

use super::action::FindingsAction;
use super::request::{Arrival, command, notify, send_query};
use super::{Dialog, Effect, Findings, NoticeKind, Shared, State, Tab};
use std::collections::BTreeSet;
use views::{Command, ComparisonRuleDoc, FindingsFilter, FindingsView, RuleDoc, Rulebook, Take, query};

pub(super) fn handle(state: &mut State, effects: &mut Vec<Effect>, action: FindingsAction) {
    match action {
        FindingsAction::ScopeChosen { everything } => {
            state.findings.everything = everything;
            ask(state, effects);
        }
        FindingsAction::SeverityChosen(severity) => {
            state.findings.severity = severity;
            ask(state, effects);
        }
        FindingsAction::Filtered(text) => {
            state.findings.text = text;
            ask(state, effects);
        }
        FindingsAction::MoreAsked => {
            state.findings.limit += Findings::STEP;
            ask(state, effects);
        }
        FindingsAction::RuleSwitched { rule, on } => {
            let changed = if on { state.rules.off.remove(&rule) } else { state.rules.off.insert(rule) };
            if changed {
                tell_rules(state, effects);
            }
        }
        FindingsAction::RulesRestored => {
            state.rules.off.clear();
            tell_rules(state, effects);
        }
        FindingsAction::RuleExplained(rule) => {
            state.rules.explained = rule;
            state.dialog = Some(Dialog::Rule);
            if matches!(state.rules.texts, RuleTexts::Unasked | RuleTexts::Refused { .. }) {
                state.rules.texts = RuleTexts::Awaited;
                effects.push(Effect::FetchRules);
            }
        }
        FindingsAction::RulesFetched(Ok(book)) => state.rules.texts = RuleTexts::Here(Shared::new(book)),
        FindingsAction::RulesFetched(Err(reason)) => state.rules.texts = RuleTexts::Refused { reason },
        FindingsAction::CommentCopied(rule) => {
            // The notice would be behind the dialog.
            state.dialog = None;
            let comment = format!("# opscope-ignore: {rule}");
            effects.push(Effect::Copy(comment.as_str().into()));
            notify(state, NoticeKind::CommentCopied { comment });
        }
    }
}

/// Asks for the findings that are shown: those of the list, or those of the package, below its graph.
pub(super) fn ask_shown(state: &mut State, effects: &mut Vec<Effect>) {
    match (state.tab, &state.selection.package) {
        (Tab::Findings, _) => ask(state, effects),
        (Tab::Graph, Some(package)) => {
            let filter = FindingsFilter { package: Some(package.clone()), ..FindingsFilter::default() };
            send_query(state, effects, query::Findings { filter, limit: Findings::BELOW });
        }
        _ => {}
    }
}

/// Asks for the findings of the list.
fn ask(state: &mut State, effects: &mut Vec<Effect>) {
    let is_meant = !state.findings.everything;
    let package = state.selection.package.clone().filter(|_| is_meant);
    let catalog = state.selection.whole.filter(|_| is_meant);
    let Findings { text, severity, .. } = &state.findings;
    let filter = FindingsFilter { catalog, package, text: text.clone(), severity: *severity };
    send_query(state, effects, query::Findings { filter, limit: state.findings.limit });
}

impl Take<query::Findings> for Arrival<'_> {
    fn take(&mut self, _: query::Findings, view: FindingsView) {
        self.state.findings.view.renew(view);
    }
}

/// Sends the worker the disabled rules. A worker that is not ready gets this as its first command
/// (`worker::ready`).
fn tell_rules(state: &mut State, effects: &mut Vec<Effect>) {
    if state.worker.ready {
        let switch = state.rules.command();
        command(state, effects, switch);
    }
}

// The disabled rules and the descriptions of rules.

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
