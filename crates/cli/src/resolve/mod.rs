//! `opscope resolve`

mod text;

use crate::args;
use crate::args::LIMITS;
use crate::explain_message;
use crate::explanation::reported;
use crate::format::ReportFormat;
use crate::output::{Failure, errors, say, write_json, written};
use crate::scene::{self, Scene};
use answers::{ExtensionAnswer, ResolutionTotal, SimulationLimits, SimulationRun};
use report::contract::{Resolutions, Resolved};
use report::{Paint, Printer, Report, Terminal};
use std::collections::BTreeMap;
use std::io::Write;
use views::UnservedView;

/// Prints what OLM does. Returns whether it resolves every namespace, in the default outcome, and every ClusterExtension.
pub(crate) fn run(arguments: &args::Resolve, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    scene::ask(&arguments.cluster, arguments.format.into(), terminal, out, |scene, out| {
        let mut total = ResolutionTotal::default();
        let limits = SimulationLimits { steps: arguments.steps as usize, ..LIMITS };
        let result = write(&scene, limits, arguments.format, &mut total, terminal, out);
        // Printed even if there is no answer.
        if arguments.stats {
            writeln!(errors(), "{}", total.statistics()).map_err(written)?;
        }
        scene.inputs.answer(result?)
    })
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
    let extensions = answers::extensions(&scene.inputs.workbench);
    match format {
        ReportFormat::Text => write_text(scene, limits, &extensions, total, terminal, out)?,
        ReportFormat::Json => write_all(scene, limits, &extensions, total, out)?,
    }
    out.flush().map_err(written)?;
    let missing = scene.missing_catalogs(None);
    if total.is_unknown {
        return Err(if missing.is_empty() { Failure::cannot_tell() } else { Failure::of_lines(missing) });
    }
    missing.iter().filter(|line| !line.starts_with(' ')).for_each(|line| say(line));
    Ok(!total.has_failed)
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
    let mut states = answers::namespace_states(&workbench);
    states.sort_by_key(|state| state.deciding().0.attention());
    let mut runs: BTreeMap<String, SimulationRun> =
        answers::simulations_within(&workbench, limits).map(|run| (run.namespace().to_owned(), run)).collect();
    if states.is_empty() {
        // Somebody gave a message instead of objects.
        let view = answers::explain_messages(workbench.cluster_manifests().0);
        if !workbench.cluster_content().has_extensions && !view.messages.is_empty() {
            total.add_messages(&view.messages);
            return explain_message::write(&mut printer, &view).map_err(written);
        }
        let warnings = scene.warnings()?;
        if !workbench.cluster_content().has_extensions {
            warnings.iter().for_each(|warning| say(warning));
            return Err(scene.without_subscription());
        }
    }
    // With a simulation, the first one shows the notices.
    let assumed = if runs.is_empty() { workbench.assumed_of_v1() } else { Vec::new() };
    for assumed in &assumed {
        printer.line("note: ", Paint::Hint, assumed).map_err(written)?;
    }
    let messages = answers::reported(&workbench);
    total.add_extensions(extensions, &messages);
    let mut text = text::Text::new(states.len());
    text.summary(&mut printer, &states).map_err(written)?;
    for state in &states {
        total.add_state(state, &messages);
        let run = runs.remove(&state.namespace).filter(|run| !run.lacks_catalog());
        let view = run.and_then(|mut run| {
            if state.is_in_between() {
                return Some(answers::finish_simulation(
                    &workbench,
                    answers::simulation_within(&workbench, &state.namespace, limits),
                ));
            }
            total.add(workbench, &mut run);
            // What keeps OLM from resolving is the whole answer.
            (!state.is_before_resolution()).then(|| answers::finish_simulation(&workbench, run))
        });
        text.write(&mut printer, scene, state, &messages, view.as_ref()).map_err(written)?;
    }
    match scene.findings() {
        // They were printed with the answers; only the exit code is missing.
        Err(_) if text.has_findings => {
            return Err("part of the manifests could not be read, so the answer may be wrong".into());
        }
        Ok(_) if text.has_findings => {}
        warnings => warnings?
            .iter()
            .try_for_each(|warning| printer.line("warning: ", Paint::Warning, warning))
            .map_err(written)?,
    }
    reported(&mut printer, &messages, |one| one.namespace.is_empty()).map_err(written)?;
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
    let runs = answers::simulations_within(&workbench, limits);
    let namespaces = answers::namespace_states(&workbench);
    if namespaces.is_empty() && !workbench.cluster_content().has_extensions {
        return Err(scene.without_subscription());
    }
    warnings.iter().for_each(|warning| say(warning));
    let mut not_served: BTreeMap<(String, String), UnservedView> = BTreeMap::new();
    let mut resolved = Vec::new();
    let reported = answers::reported(&workbench);
    total.add_extensions(extensions, &reported);
    namespaces.iter().for_each(|state| total.add_state(state, &reported));
    let in_between = |run: &SimulationRun| {
        namespaces.iter().any(|state| state.namespace == run.namespace() && state.is_in_between())
    };
    for mut run in runs.filter(|run| !run.lacks_catalog()) {
        // What a resolution would lead to is not what happens next.
        if !in_between(&run) {
            total.add(workbench, &mut run);
        }
        for source in run.blocked().iter().flat_map(|blocked| &blocked.sources) {
            not_served.insert((source.namespace.clone(), source.name.clone()), source.clone());
        }
        resolved.push(answers::resolution(&workbench, &mut run, limits.steps));
    }
    let waiting = namespaces.iter().filter(|state| state.is_in_between());
    let after = waiting.map(|state| answers::simulation_within(&workbench, &state.namespace, limits));
    let after = after.filter(|run| !run.lacks_catalog());
    let then = after.map(|mut run| answers::resolution(&workbench, &mut run, limits.steps)).collect();
    for source in not_served.values() {
        say(&not_served_warning(source));
        say("OLM resolves nothing in a namespace that uses it; the output shows what would happen if it were served");
    }
    let extensions = extensions.iter().map(ExtensionAnswer::for_programs).collect();
    write_json(out, &Resolutions { first: Resolved::first_of(resolved), namespaces, then, reported, extensions })
}

fn not_served_warning(source: &UnservedView) -> String {
    let UnservedView { name, opm, state, .. } = source;
    if state.is_empty() {
        format!("opm rejects catalog `{name}`, so a cluster would not serve it: {opm}")
    } else {
        source.sentence()
    }
}
