//! Findings as SARIF.

use super::{Finding, Report};
use crate::sarif::{self, Configuration, Descriptor, Help, Log, Message, Outcome, location};
use source::Rule;
use std::collections::BTreeSet;
use views::Severity;
use workbench::Workbench;

pub(super) fn log(report: &Report, workbench: &Workbench) -> Log {
    let named: BTreeSet<&str> = report.findings.iter().map(|finding| finding.rule.as_str()).collect();
    let rules: Vec<Rule> = Rule::ALL.iter().copied().filter(|rule| named.contains(rule.id())).collect();
    let results = report.findings.iter().map(|finding| outcome(finding, &rules, workbench)).collect();
    sarif::log(rules.iter().map(|rule| descriptor(*rule)).collect(), results)
}

pub(crate) const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error | Severity::Warning => severity.as_str(),
        Severity::Hint => "note",
    }
}

/// A rule of findings with its documentation.
pub(crate) fn descriptor(rule: Rule) -> Descriptor {
    let doc = rulebook::doc(rule);
    let markdown = rulebook::markdown(&doc);
    Descriptor {
        id: rule.id(),
        full_description: Some(Message { text: doc.about.join(" ") }),
        short_description: Message { text: doc.summary },
        // This Markdown is readable as text, too.
        help: Some(Help { text: markdown.clone(), markdown }),
        default_configuration: Configuration { level: level(rule.severity()) },
    }
}

fn outcome(finding: &Finding, rules: &[Rule], workbench: &Workbench) -> Outcome {
    let level = level(finding.view.severity);
    let text = match &finding.help {
        Some(help) => format!("{}. Help: {help}", finding.message),
        None => finding.message.clone(),
    };
    // The schema allows no duplicates.
    let mut seen = BTreeSet::new();
    let labels = finding.view.labels.iter().zip(&finding.label_files);
    let labels = labels.filter(|(label, _)| seen.insert((label.place.file, label.place.start, &label.message)));
    let related = labels
        .map(|(label, file)| location(file, label.place, Some(Message { text: label.message.clone() }), workbench));
    Outcome {
        rule_id: finding.rule.clone(),
        rule_index: rules.iter().position(|rule| rule.id() == finding.rule).unwrap_or_default(),
        level,
        message: Message { text },
        locations: vec![location(&finding.file, finding.view.place, None, workbench)],
        related_locations: related.collect(),
    }
}
