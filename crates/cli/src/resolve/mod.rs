//! `opscope resolve`

mod text;

use crate::args;
use crate::args::LIMITS;
use crate::format::ReportFormat;
use crate::output::{Failure, errors, say, write_json, written};
use crate::scene::Scene;
use report::contract::{Resolutions, Resolved};
use report::{Paint, Printer, Report, Terminal};
use std::collections::BTreeMap;
use std::io::Write;
use views::UnservedView;
use workbench::{ExtensionAnswer, ResolutionTotal, SimulationLimits};

/// Prints what OLM does. Returns whether it resolves every namespace, in the default outcome, and every ClusterExtension.
pub(crate) fn run(arguments: &args::Resolve, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let scene = Scene::read(&arguments.cluster)?;
    scene.check_catalogs(None)?;
    let mut total = ResolutionTotal::default();
    let limits = SimulationLimits { steps: arguments.steps as usize, ..LIMITS };
    let result = write(&scene, limits, arguments.format, &mut total, terminal, out);
    // Printed even if there is no answer.
    if arguments.stats {
        writeln!(errors(), "{}", total.statistics()).map_err(written)?;
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
    write(scene, LIMITS, format, &mut ResolutionTotal::default(), terminal, out)
}

fn write(
    scene: &Scene,
    limits: SimulationLimits,
    format: ReportFormat,
    total: &mut ResolutionTotal,
    terminal: Terminal,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let extensions = scene.inputs.workbench.extensions();
    match format {
        ReportFormat::Text => write_text(scene, limits, &extensions, total, terminal, out)?,
        ReportFormat::Json => write_all(scene, limits, &extensions, total, out)?,
    }
    if total.is_unknown {
        return Err(Failure::cannot_tell());
    }
    Ok(!total.has_failed && extensions.iter().all(ExtensionAnswer::succeeds))
}

fn write_text(
    scene: &Scene,
    limits: SimulationLimits,
    extensions: &[ExtensionAnswer],
    total: &mut ResolutionTotal,
    terminal: Terminal,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let workbench = &scene.inputs.workbench;
    let mut printer = Printer::new(out, terminal, &scene.inputs);
    let runs = workbench.simulations_within(limits);
    // With a namespace, the first simulation shows the warnings.
    if runs.len() == 0 {
        let warnings = scene.warnings()?;
        if !workbench.cluster_content().has_extensions {
            return Err(scene.without_subscription());
        }
        if let Some(assumed) = workbench.pairing().assumed_cluster_catalogs {
            printer.line("note: ", Paint::Hint, &assumed).map_err(written)?;
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
    scene.warnings().map_err(|_| "part of the manifests could not be read, so the answer may be wrong".to_owned())?;
    let blocks = extensions.iter().flat_map(ExtensionAnswer::blocks).collect();
    printer.report(&Report { blocks, ..Report::default() }).map_err(written)
}

fn write_all(
    scene: &Scene,
    limits: SimulationLimits,
    extensions: &[ExtensionAnswer],
    total: &mut ResolutionTotal,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let warnings = scene.warnings()?;
    let workbench = &scene.inputs.workbench;
    let runs = workbench.simulations_within(limits);
    if runs.len() == 0 && !workbench.cluster_content().has_extensions {
        return Err(scene.without_subscription());
    }
    warnings.iter().for_each(|warning| say(warning));
    let mut not_served: BTreeMap<(String, String), UnservedView> = BTreeMap::new();
    let mut resolved = Vec::new();
    for mut run in runs {
        total.add(workbench, &mut run);
        for source in run.blocked().iter().flat_map(|blocked| &blocked.sources) {
            not_served.insert((source.namespace.clone(), source.name.clone()), source.clone());
        }
        resolved.push(workbench.resolution(&mut run, limits.steps));
    }
    for source in not_served.values() {
        say(&not_served_warning(source));
        say("OLM resolves nothing in a namespace that uses it; the output shows what would happen if it were served");
    }
    let extensions = extensions.iter().map(ExtensionAnswer::for_programs).collect();
    write_json(out, &Resolutions { namespaces: Resolved::first_of(resolved), extensions })
}

fn not_served_warning(source: &UnservedView) -> String {
    let UnservedView { name, opm, state, .. } = source;
    if state.is_empty() {
        format!("opm rejects catalog `{name}`, so a cluster would not serve it: {opm}")
    } else {
        source.sentence()
    }
}
