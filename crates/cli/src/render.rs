//! `opscope render` and `opscope template`

use crate::args::{BundleMode, Render, Template};
use crate::format::{RenderFormat, TemplateFormat};
use crate::image::Image;
use crate::image_set::{failure, mirror, report};
use crate::json;
use crate::output::{self, Failure, errors, say, write_json, written};
use crate::places::{Inputs, STDIN, file_name, path_below, raw_path, shown_path, some};
use crate::{folder, given, parallel, served};
use answers::{ExpansionReport, TemplateFinding, template_type};
use serde_json::json;
use session::{
    Documents, Expand, NewText, NotRendered, Purpose, RenderFinding, is_bundle_directory, quoted, render_bundle,
};
use source::{CsvForm, OpmVersion, one_line, shell_word};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;
use views::BundleRules;

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
    let mut documents = Documents::default();
    let mut are_all = true;
    let mut unread = BTreeSet::new();
    for path in &arguments.paths {
        match rendered(path, arguments) {
            Ok(found) => {
                are_all &= found.are_all;
                if found.documents.is_empty() {
                    say(&format!("`{}` has no document to print", shown_path(path)));
                }
                documents.append(found.documents);
                unread.extend(found.unread);
            }
            Err(Refusal::None(failure)) => return Err(failure),
            Err(Refusal::Opm(error)) => {
                if arguments.format == Some(RenderFormat::Json) {
                    write_json(out, &json!({ "error": error }))?;
                } else {
                    let reference = quoted(&raw_path(path));
                    writeln!(errors(), "render reference {reference}: {}", one_line(&error)).map_err(written)?;
                }
                return Ok(false);
            }
        }
    }
    if arguments.migrate_level.is_some_and(|level| level.form() == CsvForm::Metadata) {
        documents = documents.migrated()?;
    }
    let text = match arguments.format {
        Some(RenderFormat::Yaml) => documents.to_yaml()?,
        Some(RenderFormat::Json) | None => documents.to_json(),
    };
    out.write_all(text.as_bytes()).map_err(written)?;
    if unread.is_empty() {
        return Ok(are_all);
    }
    Err(format!("the answer is not complete, because these files were not read completely: {}", some(&unread)).into())
}

/// What is printed of a path.
struct Rendered {
    documents: Documents,
    /// Whether no bundle and no package of a folder of bundles is missing because it cannot be made.
    are_all: bool,
    /// The files of which nothing or only a part was read.
    unread: BTreeSet<String>,
}

fn rendered(path: &Path, arguments: &Render) -> Result<Rendered, Refusal> {
    let read = given::only(path, Purpose::Catalog, OpmVersion::NEWEST)?;
    let mut members = read.members_or_bundle()?;
    let (Some(member), None) = (members.pop(), members.pop()) else {
        let help = "`opm` prints one at a time: name the folder of one";
        return Err(Refusal::None(
            format!(
                "no answer: `{}` has several catalogs, and {help}; use `opscope set {}`",
                shown_path(path),
                shell_word(&raw_path(path))
            )
            .into(),
        ));
    };
    let files = member.files;
    // The folders count, even if they are empty.
    let has_folders = ["manifests", "metadata"].into_iter().all(|name| path.join(name).is_dir());
    if arguments.image_set.image_set.is_none() && (has_folders || is_bundle_directory(&files)) {
        of_bundle(path, files)
    } else {
        of_catalog(path, files, arguments)
    }
}

/// The document of a bundle directory, if `opm` prints one.
fn of_bundle(path: &Path, files: Vec<NewText>) -> Result<Rendered, Refusal> {
    let image = Image::of(path);
    let rendered = render_bundle(files, image.as_ref().map(Image::reference))
        .map_err(|(file, reason)| Failure::from(format!("cannot read `{}`: {reason}", path_below(path, &file))))?;
    with_findings(path, rendered)
}

/// Prints the findings to standard error, and takes the documents.
fn with_findings(path: &Path, rendered: session::Rendered) -> Result<Rendered, Refusal> {
    write_findings(&mut errors(), path, &rendered.findings).map_err(written)?;
    let documents = rendered.documents.map_err(|why| match why {
        NotRendered::Opm(error) => Refusal::Opm(error),
        NotRendered::Value(error) => Refusal::None(error.into()),
        NotRendered::Unknown(why) => Refusal::None(format!("cannot render `{}`: {why}", shown_path(path)).into()),
    })?;
    Ok(Rendered { documents, are_all: rendered.are_all, unread: BTreeSet::new() })
}

fn of_catalog(path: &Path, files: Vec<NewText>, arguments: &Render) -> Result<Rendered, Refusal> {
    let Render { mode, template, image_set, .. } = arguments;
    let rules = mode.map(chosen).or(template.clone().map(BundleRules::Template));
    let mut inputs = Inputs::expanding(Expand::BundleTrees);
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
    let rendered = with_findings(path, catalog.rendered())?;
    Ok(Rendered { unread: inputs.unread(), ..rendered })
}

const fn chosen(mode: BundleMode) -> BundleRules {
    BundleRules::Mode(match mode {
        BundleMode::Replaces => views::BundleMode::Replaces,
        BundleMode::Semver => views::BundleMode::Semver,
        BundleMode::SemverSkippatch => views::BundleMode::SemverSkippatch,
    })
}

fn write_findings(out: &mut dyn Write, root: &Path, findings: &[RenderFinding]) -> io::Result<()> {
    for RenderFinding { severity, rule, message, help, path, line, column } in findings {
        writeln!(out, "{}[{rule}]: {}", severity.as_str(), one_line(message))?;
        writeln!(out, "  --> {}:{line}:{column}", one_line(&path_below(root, path)))?;
        if let Some(help) = help {
            writeln!(out, "  help: {}", one_line(help))?;
        }
    }
    Ok(())
}

// `opscope template`

/// Prints the expansion of a template. Returns whether `opm` would print the same catalog.
pub(crate) fn template(arguments: &Template, out: &mut dyn Write) -> Result<bool, Failure> {
    let (kind, file) = kind_and_file(arguments)?;
    let text = given::text(file, "the command takes one template", |text| !text.contains("apiVersion"))?;
    let mut inputs = Inputs::default();
    // The bundles of all versions have images.
    served::read(&arguments.catalogs, None)?.into_iter().for_each(|served| inputs.add(served));
    let mut expanded = answers::expand_template(&inputs.workbench, kind.as_deref(), &text);
    let mut pulled = BTreeSet::new();
    while arguments.pull && !expanded.report.needs_registry.iter().all(|image| pulled.contains(image)) {
        for image in &expanded.report.needs_registry {
            if pulled.insert(image.clone()) {
                inputs.workbench.add_new_bundle(&Image::named(image).bundle()?);
            }
        }
        expanded = answers::expand_template(&inputs.workbench, kind.as_deref(), &text);
    }
    if arguments.format == TemplateFormat::Summary {
        json::print(out, &expanded.report)?;
    } else {
        write_findings_template(&mut output::errors(), file, &expanded.report).map_err(written)?;
        if let Some(catalog) = expanded.catalog {
            let is_migrated = arguments.migrate_level.is_some_and(|level| level.form() == CsvForm::Metadata);
            let catalog = if is_migrated { catalog?.migrated()? } else { catalog? };
            let is_json = arguments.format == TemplateFormat::OpmJson;
            let text = if is_json { catalog.to_json() } else { catalog.to_yaml()? };
            out.write_all(text.as_bytes()).map_err(written)?;
            // Of what a registry has nothing is known.
            if expanded.report.needs_registry.is_empty() {
                tell_rejection(text);
            }
        }
    }
    inputs.answer(expanded.is_accepted)
}

/// Says so if `opm validate` rejects a catalog, which `opm alpha render-template` prints all the same.
fn tell_rejection(catalog: String) {
    let mut inputs = Inputs::default();
    let file = NewText { path: "catalog".to_owned(), content: Ok(catalog.into_bytes()) };
    let id = inputs.workbench.add_catalog("catalog", vec![file], &mut |_| {});
    let reason = inputs.workbench.catalog(id).and_then(|catalog| catalog.why_rejected());
    if let Some((reason, _)) = reason {
        say(&format!("opm validate rejects this catalog: {reason}"));
    }
}

/// What the arguments name. A single one that is a type is no file, as in `opm` (`cmd/opm/alpha/template/render.go`).
fn kind_and_file(arguments: &Template) -> Result<(Option<String>, &Path), Failure> {
    let kind = |name: &Path| name.to_str().filter(|name| template_type(name).is_ok()).map(str::to_owned);
    let stdin = Path::new(STDIN);
    match (arguments.first.as_deref(), arguments.second.as_deref()) {
        (None, _) => Ok((None, stdin)),
        (Some(one), None) => Ok(kind(one).map_or((None, one), |kind| (Some(kind), stdin))),
        (Some(name), Some(file)) => {
            let name = name.to_string_lossy();
            template_type(&name).map_err(|error| error.message)?;
            Ok((Some(name.into_owned()), file))
        }
    }
}

fn write_findings_template(out: &mut dyn Write, path: &Path, report: &ExpansionReport) -> io::Result<()> {
    for finding in &report.findings {
        let TemplateFinding { rule, severity, message, line, column, .. } = finding;
        writeln!(out, "{severity}[{rule}]: {}", one_line(message))?;
        writeln!(out, "  --> {}:{line}:{column}", shown_path(path))?;
        if let Some(help) = &finding.help {
            writeln!(out, "  help: {}", one_line(help))?;
        }
    }
    if !report.needs_registry.is_empty() {
        let help = "`--pull` pulls them";
        writeln!(out, "incomplete: images that no catalog has: {}; {help}", report.needs_registry.len())
    } else if let Some(error) = report.detection_error.as_ref().or(report.error.as_ref()) {
        writeln!(out, "not expanded: {}", one_line(error))
    } else {
        Ok(())
    }
}
