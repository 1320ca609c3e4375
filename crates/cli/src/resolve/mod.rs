//! `opscope resolve`

mod extension;
mod json;
mod text;

use crate::args::{self, ReportFormat};
use crate::output::{Failure, errors, say, written};
use crate::scene::{LIMITS, Scene};
use json::Reports;
use report::{Paint, Printer, Terminal};
use resolver::{Outcome, Tally};
use simulate::Timeline;
use std::io::Write;
use workbench::{ExtensionAnswer, SimulationLimits, SimulationRun, Workbench};

/// Prints what OLM does. Returns whether it resolves every namespace, in the default outcome, and every ClusterExtension.
pub(crate) fn run(arguments: &args::Resolve, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let scene = Scene::read(&arguments.cluster)?;
    scene.check_catalogs(None)?;
    let mut total = Total::default();
    let limits = SimulationLimits { steps: arguments.steps as usize, ..LIMITS };
    let result = write(&scene, limits, arguments.format, &mut total, terminal, out);
    // Printed even if there is no answer.
    if arguments.stats {
        writeln!(errors(), "{}", total.tally).map_err(written)?;
    }
    scene.inputs.answer(result?)
}

/// Prints what OLM does, within the default limits.
pub(crate) fn print(
    scene: &Scene,
    format: ReportFormat,
    terminal: Terminal,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    write(scene, LIMITS, format, &mut Total::default(), terminal, out)
}

fn write(
    scene: &Scene,
    limits: SimulationLimits,
    format: ReportFormat,
    total: &mut Total,
    terminal: Terminal,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let extensions = workbench::extensions(&scene.inputs.workbench, scene.objects());
    match format {
        ReportFormat::Text => write_text(scene, limits, &extensions, total, terminal, out)?,
        ReportFormat::Json => write_json(scene, limits, &extensions, total, out)?,
    }
    Ok(total.succeeds()? && extensions.iter().all(extension::succeeds))
}

fn write_text(
    scene: &Scene,
    limits: SimulationLimits,
    extensions: &[ExtensionAnswer],
    total: &mut Total,
    terminal: Terminal,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let workbench = &scene.inputs.workbench;
    let mut printer = Printer::new(out, terminal, &scene.inputs);
    let runs = workbench.simulations_within(limits);
    // With a namespace, the first simulation shows the warnings.
    if runs.len() == 0 {
        let (manifests, warnings) = scene.manifests()?;
        if !manifests.has_extensions() {
            return Err(scene.without_subscription());
        }
        for warning in warnings {
            printer.line("warning: ", Paint::Warning, &warning).map_err(written)?;
        }
    }
    let mut text = text::Text::new(runs.len());
    for mut run in runs {
        total.add(workbench, &mut run);
        let namespace = run.namespace().to_owned();
        text.write(&mut printer, &namespace, &workbench.finish_simulation(run)).map_err(written)?;
    }
    // The errors were printed with the answers; only the exit code is missing.
    scene.manifests().map_err(|_| "part of the manifests could not be read, so the answer may be wrong".to_owned())?;
    extension::write(&mut printer, extensions).map_err(written)
}

fn write_json(
    scene: &Scene,
    limits: SimulationLimits,
    extensions: &[ExtensionAnswer],
    total: &mut Total,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let (manifests, warnings) = scene.manifests()?;
    let workbench = &scene.inputs.workbench;
    let runs = workbench.simulations_within(limits);
    if runs.len() == 0 && !manifests.has_extensions() {
        return Err(scene.without_subscription());
    }
    warnings.iter().for_each(|warning| say(warning));
    let mut reports = Reports::default();
    for mut run in runs {
        total.add(workbench, &mut run);
        reports.add(workbench, &mut run, limits.steps);
    }
    reports.write(extensions, out)
}

/// The combined result of all namespaces.
#[derive(Default)]
struct Total {
    /// How many questions of satisfiability each method answered.
    tally: Tally,
    /// Whether Opscope cannot tell what OLM does in some namespace.
    is_unknown: bool,
    /// Whether OLM does not resolve some namespace, or a CSV never runs, in the default outcome.
    has_failed: bool,
}

impl Total {
    fn add(&mut self, workbench: &Workbench, run: &mut SimulationRun) {
        let is_blocked = run.blocked().is_some();
        let found = run.timelines(workbench);
        self.tally.add(&found.tally);
        // The first timeline is the default outcome.
        let steps = || found.timelines.iter().take(1).flat_map(|timeline| &timeline.steps);
        // OLM resolves nothing in a namespace with a catalog that is not served: then the answer is known.
        self.is_unknown |= !is_blocked && steps().any(|step| matches!(step.outcome, Outcome::GaveUp(_)));
        let last = found.timelines.first().and_then(Timeline::last_resolution);
        let never_runs = last.is_some_and(|step| !step.csv_failures.is_empty());
        self.has_failed |= is_blocked || never_runs || steps().any(|step| step.error.is_some());
    }

    /// Whether OLM resolves every namespace and all that it installs runs.
    ///
    /// # Errors
    /// When Opscope cannot tell what OLM does in some namespace.
    fn succeeds(&self) -> Result<bool, Failure> {
        if self.is_unknown {
            return Err(Failure::cannot_tell());
        }
        Ok(!self.has_failed)
    }
}
