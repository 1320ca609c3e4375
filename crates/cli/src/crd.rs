//! `opscope crd`

use crate::format::AnswerFormat;
use crate::output::{Failure, write_report};
use crate::places::shown_path;
use crate::{args, given, json};
use answers::{CrdFault, crd_upgrade};
use report::{Answer, Paint, Report, Terminal};
use std::io::Write;
use std::path::Path;
use views::{ApiLoss, CrdUpgradeView, LostApi};

/// Prints what OLM finds when it upgrades one CRD to the next. Returns whether OLM v1 upgrades it.
pub(crate) fn run(arguments: &args::Crd, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let [old, new] = [&arguments.old, &arguments.new];
    let view = crd_upgrade(&read(old)?, &read(new)?).map_err(|fault| match fault {
        CrdFault::Unreadable { is_new, at, reason } => {
            let path = shown_path(if is_new { new } else { old });
            let at = at.map(|(line, column)| format!(":{line}:{column}")).unwrap_or_default();
            format!("cannot read `{path}{at}`: {reason}")
        }
        CrdFault::Different { old: first, new: second } => format!(
            "expected two states of one CustomResourceDefinition, found `{first}` in `{}` and `{second}` in `{}`",
            shown_path(old),
            shown_path(new)
        ),
    })?;
    match arguments.format {
        AnswerFormat::Json => json::print(out, &view)?,
        format => write_report(out, terminal, format.into(), &report(&view))?,
    }
    Ok(view.findings.is_empty())
}

/// The text of a file, which may be compressed.
fn read(path: &Path) -> Result<String, Failure> {
    given::text(path, "the command takes two states of a CustomResourceDefinition", |text| {
        text.contains("CustomResourceDefinition")
    })
}

fn report(view: &CrdUpgradeView) -> Report {
    let mut whole = Answer::new(&());
    let answer = &mut whole;
    let CrdUpgradeView { name, findings, by_chance, v0, lost_apis, assumptions } = view;
    match findings.len() {
        0 => {
            answer.heading(Paint::Good, &format!("OLM v1 upgrades `{name}`"));
        }
        count => {
            answer.heading(Paint::Bad, &format!("OLM v1 does not upgrade `{name}`: {}", counted(count, "finding")));
        }
    }
    write_lines(answer, findings);
    if !by_chance.is_empty() {
        let text = "In some runs OLM v1 also has these findings, which the old CustomResourceDefinition had before";
        answer.heading(Paint::Warning, text);
        write_lines(answer, by_chance);
    }
    match (&v0.error, v0.restrictions.len(), v0.only_warns) {
        (Some(error), ..) => {
            answer.heading(Paint::Bad, &format!("OLM v0 does not upgrade `{name}`"));
            answer.line("  ", Paint::Plain, error);
        }
        (None, 0, _) => answer.heading(Paint::Good, &format!("OLM v0 upgrades `{name}`")),
        (None, _, false) => {
            let text =
                format!("OLM v0 upgrades `{name}`, unless an object on the cluster does not fit one of these changes");
            answer.heading(Paint::Warning, &text);
        }
        (None, _, true) => {
            let text = format!(
                "OLM v0 upgrades `{name}` and warns of objects that do not fit one of these changes, because the CustomResourceDefinition has a conversion webhook"
            );
            answer.heading(Paint::Warning, &text);
        }
    }
    write_lines(answer, &v0.restrictions);
    if !lost_apis.is_empty() {
        let text = "Operators that require one of these APIs fail after the upgrade, or block it";
        answer.heading(Paint::Warning, text);
        let line = |api: &LostApi| {
            let loss = match api.loss {
                ApiLoss::Removed => "removed",
                ApiLoss::NotServed => "not served any more",
            };
            format!("{}/{}, {}: {loss}", api.group, api.version, api.kind)
        };
        write_lines(answer, &lost_apis.iter().map(line).collect::<Vec<_>>());
    }
    for assumption in assumptions {
        answer.gap();
        answer.line("note: ", Paint::Hint, assumption);
    }
    whole.into_report()
}

fn write_lines(answer: &mut Answer<'_>, lines: &[String]) {
    lines.iter().for_each(|line| answer.line("  ", Paint::Plain, line));
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
