//! `opscope render`

use crate::args::{BundleMode, Render, RenderFormat};
use crate::image_set::{failure, mirror, report};
use crate::output::{Failure, errors, say, write_json, written};
use crate::paths::{file_name, raw_path, shown_path};
use crate::places::{Inputs, path_below, some};
use crate::{folder, parallel};
use bundle::{Document, File, RenderOutcome, Rendering, catalog_document, in_order, is_bundle};
use bundle_tree::{Mode, Rules};
use fbc::{Decoded, decode_bytes};
use serde_json::json;
use source::{Diagnostic, FileId, LineIndex, Severity, one_line};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::Path;
use workbench::{CatalogInput, NewText, NotRendered};

/// Why there are no documents.
enum Refusal {
    /// `opm` fails with this error.
    Opm(String),
    /// There is no answer.
    None(Failure),
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self::None(failure)
    }
}

/// Prints the documents of bundle directories and catalogs. Returns whether all could be made.
pub(crate) fn run(arguments: &Render, out: &mut dyn Write) -> Result<bool, Failure> {
    let mut documents = Vec::new();
    let mut are_all = true;
    let mut unread = BTreeSet::new();
    for path in &arguments.paths {
        match rendered(path, arguments) {
            Ok(found) => {
                are_all &= found.are_all;
                if found.documents.is_empty() {
                    say(&format!("`{}` has no document to print", shown_path(path)));
                }
                documents.extend(found.documents);
                unread.extend(found.unread);
            }
            Err(Refusal::None(failure)) => return Err(failure),
            Err(Refusal::Opm(error)) => {
                if arguments.format == Some(RenderFormat::Json) {
                    write_json(out, &json!({ "error": error }))?;
                } else {
                    let reference = fbc::quoted(&raw_path(path));
                    writeln!(errors(), "render reference {reference}: {}", one_line(&error)).map_err(written)?;
                }
                return Ok(false);
            }
        }
    }
    for document in in_order(documents) {
        let text = match arguments.format {
            Some(RenderFormat::Yaml) => document.to_yaml()?,
            Some(RenderFormat::Json) | None => document.to_json(),
        };
        out.write_all(text.as_bytes()).map_err(written)?;
    }
    if unread.is_empty() {
        return Ok(are_all);
    }
    Err(format!("the answer is not complete, because these files were not read completely: {}", some(&unread)).into())
}

/// What is printed of a path.
struct Rendered {
    documents: Vec<Document>,
    /// Whether no bundle and no package of a folder of bundles is missing because it cannot be made.
    are_all: bool,
    /// The files of which nothing or only a part was read.
    unread: BTreeSet<String>,
}

impl From<Vec<Document>> for Rendered {
    fn from(documents: Vec<Document>) -> Self {
        Self { documents, are_all: true, unread: BTreeSet::new() }
    }
}

fn rendered(path: &Path, arguments: &Render) -> Result<Rendered, Refusal> {
    let files = folder::files(path)?;
    // The folders count, even if they are empty.
    let has_folders = ["manifests", "metadata"].into_iter().all(|name| path.join(name).is_dir());
    if arguments.image_set.image_set.is_none() && (has_folders || is_bundle(files.iter().map(|file| &*file.path))) {
        of_bundle(path, files).map(Rendered::from)
    } else {
        of_catalog(path, files, arguments)
    }
}

/// The document of a bundle directory, if `opm` prints one.
fn of_bundle(path: &Path, files: Vec<NewText>) -> Result<Vec<Document>, Refusal> {
    let mut decoded = Vec::new();
    for (number, file) in (0..).zip(files) {
        let shown = path_below(path, &file.path);
        let bytes = file.content.map_err(|reason| Failure::from(format!("cannot read `{shown}`: {reason}")))?;
        decoded.push((file.path, decode_bytes(FileId(number), bytes)));
    }
    let mut files = Vec::new();
    for (number, (path, Decoded { text, fault })) in (0..).zip(&decoded) {
        files.push(File { id: FileId(number), path, text, fault: fault.as_ref() });
    }
    let Rendering { outcome, findings, .. } = bundle::render(&files);
    let findings: Vec<&Diagnostic> = findings.iter().collect();
    let file_of = |id: FileId| files.get(id.0 as usize).copied();
    write_findings(&mut errors(), path, file_of, &findings).map_err(written)?;
    match outcome {
        RenderOutcome::Bundle(bundle) => Ok(vec![bundle.document()]),
        RenderOutcome::Nothing => Ok(Vec::new()),
        RenderOutcome::Rejected(error) => Err(Refusal::Opm(error)),
        RenderOutcome::Unknown(why) => {
            Err(Refusal::None(format!("cannot render `{}`: {why}", shown_path(path)).into()))
        }
    }
}

/// The documents of a catalog.
fn of_catalog(path: &Path, files: Vec<NewText>, arguments: &Render) -> Result<Rendered, Refusal> {
    let Render { mode, template, image_set, .. } = arguments;
    let rules = mode.map(chosen).or(template.clone().map(Rules::Template));
    let mut inputs = Inputs::with_bundle_trees();
    let mut id = parallel::add_catalog(&mut inputs.workbench, &file_name(path), files);
    inputs.add_root(id, path);
    inputs.workbench.set_bundle_rules(id, rules.clone());
    let is_tree = inputs.workbench.catalog(id).is_some_and(|catalog| catalog.bundle_tree.is_some());
    if is_tree {
        folder::note_bundle_tree(&inputs.workbench, id, path);
    } else if rules.is_some() {
        return Err(Refusal::None(
            format!(
                "`{}` has no folder of bundle directories, so `--mode` and `--template` mean nothing",
                shown_path(path)
            )
            .into(),
        ));
    }
    if let Some((config, view)) = image_set.image_set.as_deref().zip(mirror(&mut inputs, id, image_set, Vec::new())?) {
        id = view.mirrored.ok_or_else(|| failure(config, &view))?;
        report(config, &view).map_err(written)?;
    }
    let catalog = inputs.workbench.catalog(id).expect("it was added");
    let rendered = match catalog.bundle_tree {
        Some(_) => of_tree(path, catalog)?,
        None => Rendered::from(catalog.documents().map_err(|why| match why {
            NotRendered::Opm(error) => Refusal::Opm(error),
            NotRendered::Value(error) => Refusal::None(error.into()),
        })?),
    };
    Ok(Rendered { unread: inputs.unread(), ..rendered })
}

const fn chosen(mode: BundleMode) -> Rules {
    Rules::Mode(match mode {
        BundleMode::Replaces => Mode::Replaces,
        BundleMode::Semver => Mode::Semver,
        BundleMode::SemverSkippatch => Mode::SemverSkippatch,
    })
}

/// The documents that a folder of bundle directories becomes.
fn of_tree(root: &Path, catalog: &CatalogInput) -> Result<Rendered, Refusal> {
    let files = catalog.files.iter().filter(|file| file.expanded_from.is_none());
    let files: BTreeMap<u32, File<'_>> = files
        .map(|file| (file.key.0, File { id: FileId(file.key.0), path: &file.path, text: &file.text, fault: None }))
        .collect();
    let findings = catalog.analysis.findings.iter().map(|found| &found.diagnostic);
    let findings: Vec<&Diagnostic> = findings.filter(|finding| files.contains_key(&finding.span.file.0)).collect();
    write_findings(&mut errors(), root, |file| files.get(&file.0).copied(), &findings).map_err(written)?;
    let refused = findings.iter().find(|finding| finding.severity == Severity::Error);
    let Some(made) = catalog.files.iter().find(|file| file.expanded_from.is_some()) else {
        let why = refused.map_or("its bundles make no catalog", |finding| &*finding.message);
        return Err(Refusal::None(format!("cannot render `{}`: {why}", shown_path(root)).into()));
    };
    let nodes = fbc::untyped_values(FileId(made.key.0), &made.text).nodes;
    let document = |node| catalog_document(node, &made.text).map_err(|error| Refusal::None(error.message.into()));
    let documents = nodes.iter().map(document).collect::<Result<Vec<_>, _>>()?;
    Ok(Rendered { are_all: refused.is_none(), ..documents.into() })
}

fn write_findings<'f>(
    out: &mut dyn Write,
    root: &Path,
    file_of: impl Fn(FileId) -> Option<File<'f>>,
    findings: &[&Diagnostic],
) -> io::Result<()> {
    for finding in findings {
        let Some(file) = file_of(finding.span.file) else { continue };
        let at = LineIndex::new(file.text).position(file.text, finding.span.start);
        writeln!(out, "{}[{}]: {}", finding.severity.as_str(), finding.rule, one_line(&finding.message))?;
        writeln!(out, "  --> {}:{}:{}", one_line(&path_below(root, file.path)), at.line, at.column)?;
        if let Some(help) = &finding.help {
            writeln!(out, "  help: {}", one_line(help))?;
        }
    }
    Ok(())
}
