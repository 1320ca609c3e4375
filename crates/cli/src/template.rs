//! `opscope template`

use crate::args::Template;
use crate::format::TemplateFormat;
use crate::given;
use crate::image::Image;
use crate::output::{Failure, write_json, written};
use crate::paths::{STDIN, shown_path};
use crate::places::Inputs;
use crate::{output, served};
use answers::{ExpansionReport, TemplateFinding, template_type};
use source::one_line;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;

/// Prints the expansion of a template. Returns whether `opm` would print the same catalog.
pub(crate) fn run(arguments: &Template, out: &mut dyn Write) -> Result<bool, Failure> {
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
        write_json(out, &expanded.report)?;
    } else {
        write_findings(&mut output::errors(), file, &expanded.report).map_err(written)?;
        if let Some(catalog) = expanded.catalog {
            let catalog = catalog?;
            let is_json = arguments.format == TemplateFormat::OpmJson;
            let text = if is_json { catalog.to_json() } else { catalog.to_yaml()? };
            out.write_all(text.as_bytes()).map_err(written)?;
        }
    }
    inputs.answer(expanded.is_accepted)
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

fn write_findings(out: &mut dyn Write, path: &Path, report: &ExpansionReport) -> io::Result<()> {
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
