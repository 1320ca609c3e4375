//! What `opm render` prints of bundle directories and of folders of them.

use super::NotRendered;
use crate::{CatalogInput, NewText};
use ::source::{Diagnostic, FileId, LineIndex, Severity};
use bundle::{Document, File, RenderOutcome, Rendering, catalog_document, in_order, is_bundle};
use fbc::{Decoded, OpenError, decode_bytes};
use std::collections::BTreeMap;

/// Documents as `opm` prints them.
#[derive(Default)]
pub struct Documents(Vec<Document>);

impl Documents {
    /// The documents of a text.
    ///
    /// # Errors
    /// When a value cannot be opened.
    pub fn of(file: FileId, text: &str) -> Result<Self, OpenError> {
        let nodes = fbc::untyped_values(file, text).nodes;
        nodes.iter().map(|node| catalog_document(node, text)).collect::<Result<_, _>>().map(Self)
    }

    /// Those of a package, if one is given.
    pub(crate) fn of_package(mut self, package: Option<&str>) -> Self {
        self.0.retain(|document| package.is_none_or(|name| document.package == name));
        self
    }

    /// Adds others.
    pub fn append(&mut self, mut others: Self) {
        self.0.append(&mut others.0);
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The documents in the order of `opm`, as JSON.
    #[must_use]
    pub fn to_json(self) -> String {
        in_order(self.0).iter().map(Document::to_json).collect()
    }

    /// The same as YAML.
    ///
    /// # Errors
    /// When a value cannot be written.
    pub fn to_yaml(self) -> Result<String, String> {
        in_order(self.0).iter().map(Document::to_yaml).collect()
    }
}

/// Documents that were made, with what was found on the way.
pub struct Rendered {
    pub documents: Result<Documents, NotRendered>,
    pub findings: Vec<RenderFinding>,
    /// Whether no bundle and no package of a folder of bundles is missing because it cannot be made.
    pub are_all: bool,
}

/// A finding in a file of a bundle.
pub struct RenderFinding {
    pub severity: Severity,
    pub rule: String,
    pub message: String,
    pub help: Option<String>,
    /// The path of the file below the folder.
    pub path: String,
    pub line: u32,
    pub column: u32,
}

/// Whether files are those of a bundle directory.
#[must_use]
pub fn is_bundle_directory(files: &[NewText]) -> bool {
    is_bundle(files.iter().map(|file| &*file.path))
}

/// The document of a bundle directory, if `opm` prints one.
///
/// # Errors
/// The path of a file that cannot be read, and why.
pub fn render_bundle(files: Vec<NewText>) -> Result<Rendered, (String, String)> {
    let mut decoded = Vec::new();
    for (number, file) in (0..).zip(files) {
        let bytes = file.content.map_err(|reason| (file.path.clone(), reason))?;
        decoded.push((file.path, decode_bytes(FileId(number), bytes)));
    }
    let mut files = Vec::new();
    for (number, (path, Decoded { text, fault })) in (0..).zip(&decoded) {
        files.push(File { id: FileId(number), path, text, fault: fault.as_ref() });
    }
    let Rendering { outcome, findings, .. } = bundle::render(&files);
    let documents = match outcome {
        RenderOutcome::Bundle(bundle) => Ok(Documents(vec![bundle.document()])),
        RenderOutcome::Nothing => Ok(Documents::default()),
        RenderOutcome::Rejected(error) => Err(NotRendered::Opm(error)),
        RenderOutcome::Unknown(why) => Err(NotRendered::Unknown(why.clone())),
    };
    let file_of = |id: FileId| files.get(id.0 as usize).copied();
    let findings = findings.iter().filter_map(|found| Some(finding(found, file_of(found.span.file)?))).collect();
    Ok(Rendered { documents, findings, are_all: true })
}

impl CatalogInput {
    /// The documents that `opm render` prints of the catalog, or that a folder of bundle directories becomes.
    #[must_use]
    pub fn rendered(&self) -> Rendered {
        if self.bundle_tree.is_none() {
            return Rendered { documents: self.documents(), findings: Vec::new(), are_all: true };
        }
        let files = self.files.iter().filter(|file| file.expanded_from.is_none());
        let files: BTreeMap<u32, File<'_>> = files
            .map(|file| (file.key.0, File { id: FileId(file.key.0), path: &file.path, text: &file.text, fault: None }))
            .collect();
        let found = self.analysis.findings.iter().map(|found| &found.diagnostic);
        let found: Vec<&Diagnostic> = found.filter(|finding| files.contains_key(&finding.span.file.0)).collect();
        let refused = found.iter().find(|finding| finding.severity == Severity::Error);
        let made = self.files.iter().find(|file| file.expanded_from.is_some());
        let why = || refused.map_or("its bundles make no catalog", |finding| &*finding.message).to_owned();
        let documents = made.ok_or_else(|| NotRendered::Unknown(why())).and_then(|made| {
            Documents::of(FileId(made.key.0), &made.text).map_err(|error| NotRendered::Value(error.to_string()))
        });
        let findings = found.iter().filter_map(|found| Some(finding(found, *files.get(&found.span.file.0)?))).collect();
        Rendered { documents, findings, are_all: refused.is_none() }
    }
}

fn finding(found: &Diagnostic, file: File<'_>) -> RenderFinding {
    let at = LineIndex::new(file.text).position(file.text, found.span.start);
    RenderFinding {
        severity: found.severity,
        rule: found.rule.to_string(),
        message: found.message.clone(),
        help: found.help.clone(),
        path: file.path.to_owned(),
        line: at.line,
        column: at.column,
    }
}
