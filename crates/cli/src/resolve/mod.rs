//! `opscope resolve`

mod json;
mod text;

use crate::args::{self, ReportFormat};
use crate::printer::Printer;
use crate::scene::Scene;
use crate::terminal::Terminal;
use crate::{Failure, written};
use json::Resolutions;
use std::io::{self, Write};

/// The maximum number of resolutions in JSON, if no other is given.
const STEPS: u32 = 12;

/// Prints what OLM does. Returns whether it resolves every namespace, in the default outcome.
pub(crate) fn run(arguments: &args::Resolve, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    if arguments.format == ReportFormat::Text && arguments.steps.is_some() {
        return Err("`--steps` needs `--format json`; text shows all resolutions".to_owned());
    }
    let scene = Scene::read(&arguments.cluster)?;
    let steps = arguments.steps.unwrap_or(STEPS) as usize;
    let resolutions = match (arguments.format, arguments.stats) {
        (ReportFormat::Text, false) => None,
        (ReportFormat::Json, _) | (_, true) => Some(Resolutions::of(&scene, steps)?),
    };
    if let Some(resolutions) = resolutions.as_ref().filter(|_| arguments.stats) {
        writeln!(io::stderr(), "{}", resolutions.tally).map_err(written)?;
    }
    match resolutions {
        Some(resolutions) if arguments.format == ReportFormat::Json => resolutions.write(out),
        _ => {
            let simulations = scene.simulations()?;
            text::write(&mut Printer::new(out, terminal, &scene.inputs), &simulations).map_err(written)?;
            text::succeeds(&simulations, &scene)
        }
    }
}
