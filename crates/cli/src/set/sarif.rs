//! A set as SARIF.

use super::Checked;
use crate::sarif::{self, Location, Log, Message, Outcome, location_at};
use crate::validate::{descriptor, level};
use catalog_set::{Finding, OpenShift};
use source::{Rule, Span};
use std::collections::BTreeSet;

/// The most further places of a result.
const RELATED: usize = 20;

pub(super) fn log(sets: &[Checked]) -> Log {
    let all = || sets.iter().flat_map(|of| of.findings.iter().map(move |finding| (of, finding)));
    let rules: BTreeSet<Rule> = all().map(|(_, finding)| finding.rule).collect();
    let rules: Vec<Rule> = rules.into_iter().collect();
    let results = all().filter_map(|(of, finding)| outcome(of, finding, &rules)).collect();
    sarif::log(rules.iter().map(|rule| descriptor(*rule)).collect(), results)
}

fn outcome(of: &Checked, finding: &Finding, rules: &[Rule]) -> Option<Outcome> {
    let found = finding.diagnostic()?;
    let help = found.help.map(|help| format!(". Help: {help}")).unwrap_or_default();
    let (first, others) = finding.spans.split_first()?;
    Some(Outcome {
        rule_id: finding.rule.id().to_owned(),
        rule_index: rules.iter().position(|rule| *rule == finding.rule).unwrap_or_default(),
        level: level(finding.severity),
        message: Message { text: found.message + &help },
        locations: vec![place(of, *first, None)],
        related_locations: others
            .iter()
            .take(RELATED)
            .map(|at| place(of, *at, Some(Message { text: format!("OpenShift {}", at.0) })))
            .collect(),
    })
}

fn place(of: &Checked, (version, span): (OpenShift, Span), message: Option<Message>) -> Location {
    let set = &of.read.set;
    let start = set.position(span);
    let end = set.position(Span::new(span.file, span.end, span.end));
    let file = of.read.shown(set.path(version, span));
    location_at(&file, (start.line, start.column), (end.line, end.column), message)
}
