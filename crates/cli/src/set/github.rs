//! A set as workflow commands, which GitHub Actions shows at their lines.

use super::Checked;
use crate::validate::{command_name, data, property};
use compare::Level;
use source::Severity;
use std::io::{self, Write};

/// One command for each catalog that `opm` rejects, and for each error and warning.
pub(super) fn write(out: &mut dyn Write, sets: &[Checked]) -> io::Result<()> {
    for of in sets {
        for text in of.rejected() {
            writeln!(out, "::error title=not served::{}", data(&text))?;
        }
        for (level, text) in of.changes().0 {
            let name = match level {
                Some(Level::Breaking) => "error",
                Some(Level::Risky) => "warning",
                _ => continue,
            };
            writeln!(out, "::{name} title=compared with the catalog before::{}", data(&text))?;
        }
        for finding in of.findings.iter().filter(|finding| finding.severity != Severity::Hint) {
            let Some(found) = finding.diagnostic() else { continue };
            let help = found.help.map(|help| format!("\nway out: {help}")).unwrap_or_default();
            let place = finding.spans.first().map(|span| of.place(*span)).unwrap_or_default();
            let at = place.rsplit_once(':').map(|(file, line)| format!("file={},line={line},", property(file)));
            let (name, title) = (command_name(finding.severity), property(finding.rule.id()));
            writeln!(out, "::{name} {}title={title}::{}", at.unwrap_or_default(), data(&(found.message + &help)))?;
        }
    }
    Ok(())
}
