//! `ci.yaml` of an operator's folder, which the pipelines of the community catalogs read.

use crate::tree::Mode;
use bundle::File;
use fbc::{Value, yaml_document};
use source::{Diagnostic, Rule, Span};

/// What `ci.yaml` says of the rules.
#[derive(Debug, Default)]
pub(crate) struct Ci {
    /// The mode that it names.
    pub(crate) mode: Option<Mode>,
    /// Where it says that the channels come from catalog templates.
    pub(crate) templates: Option<Span>,
}

/// Reads the file, with findings about what is not followed.
pub(crate) fn read(file: &File<'_>, findings: &mut Vec<Diagnostic>) -> Ci {
    let mut ci = Ci::default();
    let mut report = |span, message: String, help: &str| {
        findings.push(Diagnostic::new(Rule::UnfollowedCi, span, message).with_help(help));
    };
    let read = match file.fault {
        Some(fault) => Err(Box::new(fault.clone())),
        None => yaml_document(file.id, file.text),
    };
    let document = match read {
        Ok(document) => document,
        Err(fault) => {
            report(fault.span, format!("`ci.yaml` cannot be read: {}", fault.message), "correct it");
            return ci;
        }
    };
    let fbc = document.node.get("fbc");
    let is_enabled = |node: &fbc::Node| node.get("enabled").is_some_and(|enabled| enabled.value == Value::Bool(true));
    ci.templates = fbc.filter(|node| is_enabled(node)).map(|node| node.span.at_start());
    let Some(graph) = document.node.get("updateGraph").filter(|graph| graph.value != Value::Null) else { return ci };
    let name = graph.as_str().unwrap_or_default();
    ci.mode = match name {
        "replaces-mode" => Some(Mode::Replaces),
        "semver-mode" => Some(Mode::Semver),
        "semver-skippatch-mode" => Some(Mode::SemverSkippatch),
        _ => None,
    };
    if ci.templates.is_some() {
        let message = "FBC is enabled, updateGraph cannot be defined.".to_owned();
        report(graph.span, message, "remove `updateGraph` or `fbc`");
    } else if ci.mode.is_none() {
        let message = "`updateGraph` names no mode, so the rules of replaces mode are used".to_owned();
        report(graph.span, message, "write `replaces-mode` or `semver-mode`");
    }
    ci
}
