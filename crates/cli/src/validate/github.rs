//! Findings as workflow commands, which GitHub Actions shows at their lines.

use super::excerpt::end;
use super::{Finding, Report};
use std::io::{self, Write};
use views::Severity;
use workbench::Workbench;

pub(super) fn write(out: &mut dyn Write, report: &Report, workbench: &Workbench) -> io::Result<()> {
    for finding in &report.findings {
        write_finding(out, finding, workbench)?;
    }
    Ok(())
}

fn write_finding(out: &mut dyn Write, finding: &Finding, workbench: &Workbench) -> io::Result<()> {
    let command = command_name(finding.view.severity);
    let (end_line, end_column) = end(workbench, finding.view.place);
    let message = match &finding.help {
        Some(help) => format!("{}\nhelp: {help}", finding.message),
        None => finding.message.clone(),
    };
    write!(out, "::{command} file={},line={},endLine={end_line}", property(&finding.file), finding.line)?;
    // GitHub accepts columns only for a span within one line.
    if end_line == finding.line {
        write!(out, ",col={},endColumn={end_column}", finding.column)?;
    }
    writeln!(out, ",title={}::{}", property(&finding.rule), data(&message))
}

/// The name of the command for a severity.
pub(crate) const fn command_name(severity: Severity) -> &'static str {
    match severity {
        Severity::Error | Severity::Warning => severity.as_str(),
        Severity::Hint => "notice",
    }
}

/// The message of a command.
pub(crate) fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property of a command.
pub(crate) fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
