//! `opscope render`

use crate::args::{ImageSetArguments, Render, RenderFormat};
use crate::image_set::{failure, mirror, report};
use crate::places::{Inputs, path_below};
use crate::{Failure, folder, write_json, written};
use bundle::{Document, File, Outcome, Rendering, in_order, is_bundle};
use fbc::{Decoded, decode_bytes};
use serde_json::json;
use source::{Diagnostic, FileId, LineIndex};
use std::io::{self, Write};
use std::path::Path;
use workbench::{NewText, NotRendered};

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

/// Prints the documents of bundle directories and catalogs. Returns whether `opm` prints them too.
pub(crate) fn run(arguments: &Render, out: &mut dyn Write) -> Result<bool, Failure> {
    let mut documents = Vec::new();
    for path in &arguments.paths {
        match rendered(path, &arguments.image_set) {
            Ok(found) => documents.extend(found),
            Err(Refusal::None(failure)) => return Err(failure),
            Err(Refusal::Opm(error)) => {
                if arguments.format == Some(RenderFormat::Json) {
                    write_json(out, &json!({ "error": error }))?;
                } else {
                    let reference = fbc::quoted(&path.display().to_string());
                    writeln!(io::stderr().lock(), "render reference {reference}: {error}").map_err(written)?;
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
    Ok(true)
}

fn rendered(path: &Path, image_set: &ImageSetArguments) -> Result<Vec<Document>, Refusal> {
    let files = folder::files(path)?;
    // The folders count, even if they are empty.
    let has_folders = ["manifests", "metadata"].into_iter().all(|name| path.join(name).is_dir());
    if image_set.image_set.is_none() && (has_folders || is_bundle(files.iter().map(|file| &*file.path))) {
        of_bundle(path, files)
    } else {
        of_catalog(path, files, image_set)
    }
}

/// The document of a bundle directory, if `opm` prints one.
fn of_bundle(path: &Path, files: Vec<NewText>) -> Result<Vec<Document>, Refusal> {
    let mut decoded = Vec::new();
    for (number, file) in (0..).zip(files) {
        let shown = path_below(path, &file.path);
        let bytes = file.content.map_err(|reason| format!("cannot read `{shown}`: {reason}"))?;
        decoded.push((file.path, decode_bytes(FileId(number), bytes)));
    }
    let mut files = Vec::new();
    for (number, (path, Decoded { text, fault })) in (0..).zip(&decoded) {
        files.push(File { id: FileId(number), path, text, fault: fault.as_ref() });
    }
    let Rendering { outcome, findings, .. } = bundle::render(&files);
    write_findings(&mut io::stderr().lock(), path, &files, &findings).map_err(written)?;
    match outcome {
        Outcome::Bundle(bundle) => Ok(vec![bundle.document()]),
        Outcome::Nothing => Ok(Vec::new()),
        Outcome::Rejected(error) => Err(Refusal::Opm(error)),
        Outcome::Unknown(why) => Err(Refusal::None(format!("cannot render `{}`: {why}", path.display()))),
    }
}

/// The documents of a catalog.
fn of_catalog(path: &Path, files: Vec<NewText>, image_set: &ImageSetArguments) -> Result<Vec<Document>, Refusal> {
    let mut inputs = Inputs::default();
    let mut id = inputs.workbench.add_catalog(&folder::file_name(path), files, &mut |_| {});
    if let Some((config, view)) = image_set.image_set.as_deref().zip(mirror(&mut inputs, id, image_set, Vec::new())?) {
        id = view.mirrored.ok_or_else(|| failure(config, &view))?;
        report(config, &view).map_err(written)?;
    }
    let catalog = inputs.workbench.catalog(id).expect("it was added");
    catalog.documents().map_err(|why| match why {
        NotRendered::Opm(error) => Refusal::Opm(error),
        NotRendered::Value(error) => Refusal::None(error),
    })
}

fn write_findings(out: &mut dyn Write, root: &Path, files: &[File<'_>], findings: &[Diagnostic]) -> io::Result<()> {
    for finding in findings {
        let Some(file) = files.get(finding.span.file.0 as usize) else { continue };
        let at = LineIndex::new(file.text).position(file.text, finding.span.start);
        writeln!(out, "{}[{}]: {}", finding.severity.as_str(), finding.rule, finding.message)?;
        writeln!(out, "  --> {}:{}:{}", path_below(root, file.path), at.line, at.column)?;
        if let Some(help) = &finding.help {
            writeln!(out, "  help: {help}")?;
        }
    }
    Ok(())
}
