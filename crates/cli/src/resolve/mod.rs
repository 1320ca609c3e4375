//! `opscope resolve`

mod extension;
mod json;
mod text;

use crate::args::{self, ReportFormat};
use crate::output::errors;
use crate::printer::Printer;
use crate::scene::Scene;
use crate::terminal::{Paint, Terminal};
use crate::{Failure, written};
use json::Resolutions;
use std::io::Write;

/// The failure if the answer of a namespace is not known.
const CANNOT_TELL: &str = "Opscope cannot tell what OLM does, so the answer is not complete";

/// The maximum number of resolutions in JSON, if no other is given.
const STEPS: u32 = 12;

/// Prints what OLM does. Returns whether it resolves every namespace, in the default outcome, and every ClusterExtension.
pub(crate) fn run(arguments: &args::Resolve, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    if arguments.format == ReportFormat::Text && arguments.steps.is_some() {
        return Err("`--steps` needs `--format json`; text shows all resolutions".to_owned().into());
    }
    let scene = Scene::read(&arguments.cluster)?;
    scene.check_catalogs(None)?;
    let steps = arguments.steps.unwrap_or(STEPS) as usize;
    let resolutions = match (arguments.format, arguments.stats) {
        (ReportFormat::Text, false) => None,
        (ReportFormat::Json, _) | (_, true) => Some(Resolutions::of(&scene, steps)?),
    };
    if let Some(resolutions) = resolutions.as_ref().filter(|_| arguments.stats) {
        writeln!(errors(), "{}", resolutions.tally).map_err(written)?;
    }
    let succeeds = match resolutions {
        Some(resolutions) if arguments.format == ReportFormat::Json => resolutions.write(out)?,
        _ => answer(&scene, terminal, out)?,
    };
    scene.inputs.answer(succeeds)
}

/// Prints what OLM does as JSON.
pub(crate) fn answer_as_json(scene: &Scene, out: &mut dyn Write) -> Result<bool, Failure> {
    Resolutions::of(scene, STEPS as usize)?.write(out)
}

/// Prints what OLM does in text.
pub(crate) fn answer(scene: &Scene, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let mut printer = Printer::new(out, terminal, &scene.inputs);
    let mut succeeds = true;
    if scene.has_only_extensions() {
        for warning in scene.manifests()?.1 {
            printer.line("warning: ", Paint::Warning, &warning).map_err(written)?;
        }
    } else {
        let simulations = scene.simulations()?;
        text::write(&mut printer, &simulations).map_err(written)?;
        succeeds = text::succeeds(&simulations, scene)?;
    }
    let extensions = workbench::extensions(&scene.inputs.workbench, &scene.manifests()?.0);
    extension::write(&mut printer, &extensions).map_err(written)?;
    Ok(succeeds && extensions.iter().all(extension::succeeds))
}
