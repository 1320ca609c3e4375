//! `opscope crd`

use crate::args::{self, ReportFormat};
use crate::folder;
use crate::output::{Failure, write_json, written};
use crate::paths::shown_path;
use crate::places::Inputs;
use crd_upgrade::{ApiVersion, Comparison, Crd, Finding, Loss, LostApi, Unreadable, compare};
use report::{Paint, Printer, Terminal};
use serde::Serialize;
use source::{FileId, LineIndex};
use std::io::{self, Write};
use std::path::Path;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'r> {
    /// The name of the new CRD.
    name: &'r str,
    /// OLM v1's lines.
    findings: Vec<String>,
    /// Lines that OLM v1 has in some runs only.
    by_chance: Vec<String>,
    /// What OLM v0 checks.
    v0: InstallPlanReport<'r>,
    lost_apis: Vec<LostApiRow<'r>>,
    /// What is not known and was assumed.
    assumptions: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct InstallPlanReport<'r> {
    /// OLM's error for a version that is gone although objects are stored in it.
    error: Option<&'r str>,
    /// What objects on the cluster may not fit.
    restrictions: Vec<String>,
    /// Whether OLM only warns of such objects.
    only_warns: bool,
}

#[derive(Serialize)]
struct LostApiRow<'r> {
    group: &'r str,
    version: &'r str,
    kind: &'r str,
    /// `removed` or `notServed`
    loss: &'static str,
}

/// Prints what OLM finds when it upgrades one CRD to the next. Returns whether OLM v1 upgrades it.
pub(crate) fn run(arguments: &args::Crd, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let (old, new) = (read(&arguments.old)?, read(&arguments.new)?);
    if old.name != new.name {
        return Err(format!(
            "expected two states of one CustomResourceDefinition, found `{}` in `{}` and `{}` in `{}`",
            old.name,
            shown_path(&arguments.old),
            new.name,
            shown_path(&arguments.new)
        )
        .into());
    }
    let compared = compare(&old, &new);
    let assumptions = assumptions(&old, &compared);
    match arguments.format {
        ReportFormat::Json => write_json(out, &report(&new, &compared, assumptions))?,
        ReportFormat::Text => write(out, terminal, &new, &compared, &assumptions).map_err(written)?,
    }
    Ok(compared.v1.is_empty())
}

/// The CRD of a file, which may be compressed.
fn read(path: &Path) -> Result<Crd, Failure> {
    let shown = shown_path(path);
    let cannot = |reason: String| format!("cannot read `{shown}`: {reason}");
    let text = folder::text(path, "expected one file with a CustomResourceDefinition")?;
    let crd = crd_upgrade::read(FileId(0), &text).map_err(|Unreadable { span, message }| {
        let at = LineIndex::new(&text).position(&text, span.start);
        format!("cannot read `{shown}:{}:{}`: {message}", at.line, at.column)
    })?;
    match crd.api {
        ApiVersion::V1 => Ok(crd),
        ApiVersion::V1Beta1 => Err(cannot(
            "expected apiVersion `apiextensions.k8s.io/v1`, found `apiextensions.k8s.io/v1beta1`, which Kubernetes 1.22 removed"
                .to_owned(),
        ).into()),
    }
}

fn assumptions(old: &Crd, compared: &Comparison) -> Vec<String> {
    if !compared.assumes_stored_versions {
        return Vec::new();
    }
    let stored = old.stored();
    let names = if stored.is_empty() { "no version".to_owned() } else { format!("`{}`", stored.join("`, `")) };
    vec![format!(
        "the old CustomResourceDefinition has no `status.storedVersions`, so objects are taken to be stored in {names}; a \
         cluster that had older versions of the operator may have others"
    )]
}

fn report<'r>(new: &'r Crd, compared: &'r Comparison, assumptions: Vec<String>) -> Report<'r> {
    let lost = |api: &'r LostApi| LostApiRow {
        group: &api.group,
        version: &api.version,
        kind: &api.kind,
        loss: match api.loss {
            Loss::Removed => "removed",
            Loss::NotServed => "notServed",
        },
    };
    Report {
        name: &new.name,
        findings: lines(&compared.v1),
        by_chance: lines(&compared.v1_by_chance),
        v0: InstallPlanReport {
            error: compared.v0.stored_versions.as_deref(),
            restrictions: lines(&compared.v0.restrictions),
            only_warns: compared.v0.has_waiver,
        },
        lost_apis: compared.lost.iter().map(lost).collect(),
        assumptions,
    }
}

fn lines(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(ToString::to_string).collect()
}

fn write(
    out: &mut dyn Write,
    terminal: Terminal,
    new: &Crd,
    compared: &Comparison,
    assumptions: &[String],
) -> io::Result<()> {
    let inputs = Inputs::default();
    let mut printer = Printer::new(out, terminal, &inputs);
    let name = &new.name;
    match compared.v1.len() {
        0 => {
            printer.heading(Paint::Good, &format!("OLM v1 upgrades `{name}`"))?;
        }
        count => {
            printer.heading(Paint::Bad, &format!("OLM v1 does not upgrade `{name}`: {}", counted(count, "finding")))?;
        }
    }
    write_lines(&mut printer, &lines(&compared.v1))?;
    if !compared.v1_by_chance.is_empty() {
        let text = "In some runs OLM v1 also has these findings, which the old CustomResourceDefinition had before";
        printer.heading(Paint::Warning, text)?;
        write_lines(&mut printer, &lines(&compared.v1_by_chance))?;
    }
    let v0 = &compared.v0;
    match (&v0.stored_versions, v0.restrictions.len(), v0.has_waiver) {
        (Some(error), ..) => {
            printer.heading(Paint::Bad, &format!("OLM v0 does not upgrade `{name}`"))?;
            printer.line("  ", Paint::Plain, error)?;
        }
        (None, 0, _) => printer.heading(Paint::Good, &format!("OLM v0 upgrades `{name}`"))?,
        (None, _, false) => {
            let text =
                format!("OLM v0 upgrades `{name}`, unless an object on the cluster does not fit one of these changes");
            printer.heading(Paint::Warning, &text)?;
        }
        (None, _, true) => {
            let text = format!(
                "OLM v0 upgrades `{name}` and warns of objects that do not fit one of these changes, because the CustomResourceDefinition has a conversion webhook"
            );
            printer.heading(Paint::Warning, &text)?;
        }
    }
    write_lines(&mut printer, &lines(&v0.restrictions))?;
    if !compared.lost.is_empty() {
        printer
            .heading(Paint::Warning, "Operators that require one of these APIs fail after the upgrade, or block it")?;
        let line = |api: &LostApi| {
            let loss = match api.loss {
                Loss::Removed => "removed",
                Loss::NotServed => "not served any more",
            };
            format!("{}/{}, {}: {loss}", api.group, api.version, api.kind)
        };
        write_lines(&mut printer, &compared.lost.iter().map(line).collect::<Vec<_>>())?;
    }
    for assumption in assumptions {
        printer.gap()?;
        printer.line("note: ", Paint::Hint, assumption)?;
    }
    Ok(())
}

fn write_lines(printer: &mut Printer<'_>, lines: &[String]) -> io::Result<()> {
    lines.iter().try_for_each(|line| printer.line("  ", Paint::Plain, line))
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
