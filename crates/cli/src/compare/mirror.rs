//! What is said of a mirror besides the comparison: findings in its configuration, and the `minVersion` that strands nobody.

use crate::image_set::shown;
use crate::paths::raw_path;
use crate::printer::Printer;
use crate::terminal::Paint;
use crate::validate::{command_name, data, property};
use serde::Serialize;
use source::markdown;
use std::io::{self, Write};
use std::path::Path;
use views::{MinVersionView, MirrorFinding, MirrorView, Severity};

/// A mirror, and the file of its configuration.
#[derive(Clone, Copy)]
pub(super) struct Mirror<'m> {
    pub(super) config: &'m Path,
    pub(super) view: &'m MirrorView,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Report<'m> {
    follows: &'m str,
    findings: Vec<FindingReport<'m>>,
    min_versions: &'m [MinVersionView],
}

#[derive(Serialize)]
struct FindingReport<'m> {
    rule: &'m str,
    severity: &'static str,
    message: &'m str,
    help: Option<&'m str>,
    place: String,
}

impl<'m> Mirror<'m> {
    pub(super) fn json(self) -> Report<'m> {
        let finding = |finding: &'m MirrorFinding| FindingReport {
            rule: &finding.rule,
            severity: finding.severity.as_str(),
            message: &finding.message,
            help: finding.help.as_deref(),
            place: shown(self.config, finding),
        };
        Report {
            follows: &self.view.follows,
            findings: self.view.findings.iter().map(finding).collect(),
            min_versions: &self.view.min_versions,
        }
    }

    pub(super) fn text(self, printer: &mut Printer<'_>) -> io::Result<()> {
        printer.heading(Paint::Bold, &format!("In the mirror ({})", self.view.follows))?;
        for finding in &self.view.findings {
            let (sign, paint) = match finding.severity {
                Severity::Error => ("✕ ", Paint::Bad),
                Severity::Warning => ("▲ ", Paint::Warning),
                Severity::Hint => ("· ", Paint::Plain),
            };
            let text = format!("{} ({}, {})", finding.message, finding.rule, shown(self.config, finding));
            printer.line(sign, paint, &text)?;
        }
        self.view.min_versions.iter().try_for_each(|found| printer.line("· ", Paint::Plain, &found.text))
    }

    pub(super) fn markdown(self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "### In the mirror\n\nFollows {}.\n", self.view.follows)?;
        for finding in &self.view.findings {
            let place = shown(self.config, finding);
            let (message, place) = (markdown(&finding.message), markdown(&place));
            writeln!(out, "- {}: {message} (`{}`, {place})", finding.severity.as_str(), finding.rule)?;
        }
        self.view.min_versions.iter().try_for_each(|found| writeln!(out, "- {}", markdown(&found.text)))
    }

    pub(super) fn github(self, out: &mut dyn Write) -> io::Result<()> {
        for finding in &self.view.findings {
            let name = command_name(finding.severity);
            let file = property(&raw_path(self.config));
            let at = format!("file={file},line={},col={}", finding.line, finding.column);
            writeln!(out, "::{name} {at},title={}::{}", property(&finding.rule), data(&finding.message))?;
        }
        let harmful = self.view.min_versions.iter().filter(|found| found.stranded > 0);
        harmful.into_iter().try_for_each(|found| writeln!(out, "::notice title=minVersion::{}", data(&found.text)))
    }
}
