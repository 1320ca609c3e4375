//! The files of `manifests/`: `addManifests` (`pkg/registry/parse.go`) and `Bundle.cache` (`pkg/registry/bundle.go`).

use crate::csv::{self, Csv};
use crate::properties::{Api, printed};
use crate::render::{File, Stop};
use fbc::{FirstDocument, Node, Value};
use serde_json::Value as Json;
use source::{Diagnostic, Rule, Span};
use std::collections::BTreeSet;

const FOLDER: &str = "manifests/";
const CSV: &str = "ClusterServiceVersion";

/// An object of a bundle.
pub(crate) struct Manifest<'a> {
    pub(crate) file: &'a File<'a>,
    /// The document that it was read from.
    pub(crate) document: FirstDocument,
    /// The object as Kubernetes' decoder hands it on.
    pub(crate) object: Json,
}

impl Manifest<'_> {
    pub(crate) fn kind(&self) -> &str {
        self.document.node.get("kind").and_then(Node::as_str).unwrap_or_default()
    }

    pub(crate) fn group_and_version(&self) -> (&str, &str) {
        let api = self.document.node.get("apiVersion").and_then(Node::as_str).unwrap_or_default();
        api.split_once('/').unwrap_or(("", api))
    }
}

/// The files of a folder of the bundle, sorted, and a file of each of its sub-directories.
pub(crate) fn in_folder<'a>(files: &'a [File<'a>], folder: &str) -> (Vec<&'a File<'a>>, Vec<&'a File<'a>>) {
    let below = |file: &&File<'_>| file.path.starts_with(folder);
    let (mut nested, mut direct): (Vec<&File<'_>>, Vec<&File<'_>>) =
        files.iter().filter(below).partition(|file| file.path[folder.len()..].contains('/'));
    direct.sort_by_key(|file| file.path);
    nested.sort_by_key(|file| file.path);
    nested.dedup_by_key(|file| sub_directory(file, folder));
    (direct, nested)
}

/// The sub-directory of `folder` in which a file is.
pub(crate) fn sub_directory<'a>(file: &File<'a>, folder: &str) -> &'a str {
    let below = file.path[folder.len()..].split('/').next().unwrap_or_default();
    &file.path[..folder.len() + below.len()]
}

/// Reads a file; the error says why `opm` does not, or why we do not, without an error of `opm`.
pub(crate) fn document(file: &File<'_>) -> Result<FirstDocument, Box<Diagnostic>> {
    match file.fault.filter(|fault| fault.rule == Rule::UnreadableFile) {
        Some(fault) => Err(Box::new(fault.clone())),
        None => fbc::first_document(file.id, file.text),
    }
}

/// The objects of all files that `opm` reads, with findings about those that it does not.
pub(crate) fn read<'a>(files: &'a [File<'a>], findings: &mut Vec<Diagnostic>) -> Result<Vec<Manifest<'a>>, Stop> {
    let (direct, nested) = in_folder(files, FOLDER);
    for file in nested {
        let message = format!("opm skips the sub-directory `{}` with everything in it", sub_directory(file, FOLDER));
        findings.push(skipped(start(file), message, "move the files into `manifests/`"));
    }
    let mut manifests: Vec<Manifest<'a>> = Vec::new();
    for file in direct {
        if file.path[FOLDER.len()..].starts_with('.') {
            let message = "opm skips files of `manifests/` whose names begin with a dot";
            findings.push(skipped(start(file), message, "rename the file if it belongs to the bundle"));
            continue;
        }
        let document = match document(file) {
            Ok(document) => document,
            Err(fault) if fault.opm.is_none() => return Err(Stop::Unknown(fault.message, Some(fault.span))),
            Err(fault) => {
                let message = format!("opm skips this file, which it cannot read: {}", fault.message);
                findings.push(skipped(fault.span, message, "correct it, or move it out of `manifests/`"));
                continue;
            }
        };
        report_reading(file, &document, findings);
        if document.node.value == Value::Null {
            if document.rest.is_none() {
                findings.push(skipped(start(file), "opm skips this file, which is empty", "remove it"));
            }
            continue;
        }
        if let Some(message) = no_object(&document) {
            findings.push(skipped(
                document.node.span.at_start(),
                message,
                "give it a `kind`, or move it out of `manifests/`",
            ));
            continue;
        }
        let object = unstructured(document.node.to_exact_json(file.text)?);
        let manifest = Manifest { file, document, object };
        if let Some(first) = manifests.iter().find(|first| first.kind() == CSV && manifest.kind() == CSV) {
            let message = format!("opm skips this second CSV and takes the one in `{}`", first.file.path);
            let finding = skipped(manifest.document.node.span.at_start(), message, "keep one CSV in a bundle");
            findings.push(finding.with_label(first.document.node.span.at_start(), "this one is taken"));
            continue;
        }
        manifests.push(manifest);
    }
    if manifests.is_empty() {
        return Err(Stop::Opm("no bundle objects found".to_owned(), None));
    }
    Ok(manifests)
}

/// Reports what of a file is not read, and what is not read as written.
pub(crate) fn report_reading(file: &File<'_>, document: &FirstDocument, findings: &mut Vec<Diagnostic>) {
    findings.extend(document.diagnostics.iter().cloned());
    if let Some(rest) = document.rest {
        let what = if document.node.value == Value::Null { "an empty first document" } else { "the first document" };
        let message = format!("opm reads only {what} of `{}` and ignores the rest", file.path);
        let help = match document.node.value {
            Value::Null => "remove the `---` before it",
            _ => "move it to a file of its own",
        };
        findings.push(Diagnostic::new(Rule::LostText, rest, message).with_help(help));
    }
}

fn skipped(span: Span, message: impl Into<String>, help: &str) -> Diagnostic {
    Diagnostic::new(Rule::SkippedManifest, span, message).with_help(help)
}

fn start(file: &File<'_>) -> Span {
    Span::new(file.id, 0, 0)
}

/// Why a document is not an object of Kubernetes.
fn no_object(document: &FirstDocument) -> Option<&'static str> {
    let node = &document.node;
    if !matches!(node.value, Value::Mapping(_)) {
        return Some("opm skips this file, which is not an object");
    }
    let is_known = node.get("kind").and_then(Node::as_str).is_some_and(|kind| !kind.is_empty());
    // A version that cannot be split hides the kind, too.
    let version = node.get("apiVersion").and_then(Node::as_str).unwrap_or_default();
    let is_hidden = version.matches('/').count() > 1;
    (!is_known || is_hidden).then_some("opm skips this file, which has no `kind`")
}

/// The value as `Unstructured` holds it: integers as `int64`, all other numbers as `float64`.
fn unstructured(value: Json) -> Json {
    match value {
        Json::Array(items) => items.into_iter().map(unstructured).collect(),
        Json::Object(entries) => entries.into_iter().map(|(key, value)| (key, unstructured(value))).collect(),
        Json::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => whole.into(),
            (None, Some(0.0)) => 0.into(),
            (None, Some(float)) => float.into(),
            (None, None) => Json::Number(number),
        },
        value => value,
    }
}

/// Finds the CSV and checks that the bundle has the APIs that it owns.
pub(crate) fn parse<'m>(manifests: &'m [Manifest<'m>]) -> Result<Parsed<'m>, Stop> {
    let csv = manifests.iter().find(|manifest| manifest.kind() == CSV).map(Csv::of).transpose()?;
    let mut provided = csv::provided(manifests)?;
    let Some(csv) = csv else {
        return Err(Stop::Opm("no csv in bundle".to_owned(), manifests.first().map(|first| start(first.file))));
    };
    let prefix = format!("error checking provided apis in bundle {}: ", csv.name);
    add_services(&csv, &mut provided)
        .and_then(|()| check_owned(&csv, &provided))
        .map_err(|stop| stop.behind(&prefix))?;
    Ok(Parsed { csv, provided })
}

fn add_services(csv: &Csv<'_>, provided: &mut BTreeSet<Api>) -> Result<(), Stop> {
    let owned = csv.owned_services().map_err(|stop| stop.behind("error getting apiservice definitions: "))?;
    provided.extend(owned);
    Ok(())
}

fn check_owned(csv: &Csv<'_>, provided: &BTreeSet<Api>) -> Result<(), Stop> {
    let owned = csv.owned_crds()?;
    match owned.iter().find(|(api, _)| !provided.contains(api)) {
        None => Ok(()),
        Some((api, span)) => {
            let words = format!("couldn't find {api} in bundle. found: {}", printed(provided));
            Err(Stop::Opm(words, Some(*span)))
        }
    }
}

/// The manifests with their meaning.
pub(crate) struct Parsed<'m> {
    /// The first CSV.
    pub(crate) csv: Csv<'m>,
    pub(crate) provided: BTreeSet<Api>,
}
