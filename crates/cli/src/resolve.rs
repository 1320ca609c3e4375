//! What OLM does on a cluster: `opscope cluster` without a name.

use crate::board::board;
use crate::explain;
use crate::explanation::{blocked, csv_failures, failure, reasons, reported, stands, verdicts};
use crate::format::AnswerFormat;
use crate::json;
use crate::output::{Failure, say, write_report, written};
use crate::scene::Scene;
use answers::{ExtensionAnswer, ResolutionTotal, SimulationLimits, SimulationRun};
use report::contract::{Resolutions, Resolved};
use report::{Answer, Block, Cell, Paint, Table, Terminal};
use source::joined;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use views::{
    ExplainedMessage, ManifestsView, NamespaceState, OutcomeView, Severity, SimulationView, UnservedView, Verdict,
};

/// Prints what OLM does. Returns whether it resolves every namespace, in the default outcome, up to the heads of channels, and every
/// ClusterExtension.
pub(crate) fn answer(
    scene: &Scene,
    limits: SimulationLimits,
    format: AnswerFormat,
    total: &mut ResolutionTotal,
    terminal: Terminal,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let extensions = answers::extensions(&scene.inputs.workbench);
    if format == AnswerFormat::Json {
        write_all(scene, limits, &extensions, total, out)?;
    } else {
        let mut answer = Answer::new(&scene.inputs);
        let told = tell(scene, limits, &extensions, total, &mut answer);
        // What was told before a failure is printed.
        write_report(out, terminal, format.into(), &answer.into_report())?;
        told?;
    }
    out.flush().map_err(written)?;
    let missing = scene.missing_catalogs(None);
    if total.is_unknown {
        return Err(if missing.is_empty() { Failure::cannot_tell() } else { Failure::of_lines(missing) });
    }
    missing.iter().filter(|line| !line.starts_with(' ')).for_each(|line| say(line));
    Ok(!total.has_failed)
}

fn tell(
    scene: &Scene,
    limits: SimulationLimits,
    extensions: &[ExtensionAnswer],
    total: &mut ResolutionTotal,
    answer: &mut Answer<'_>,
) -> Result<(), Failure> {
    let workbench = &scene.inputs.workbench;
    let mut states = answers::namespace_states(workbench);
    states.sort_by_key(|state| state.now.verdict.attention());
    let mut runs: BTreeMap<String, SimulationRun> =
        answers::simulations_within(workbench, limits).map(|run| (run.namespace().to_owned(), run)).collect();
    if states.is_empty() {
        // Somebody gave a message instead of objects.
        let view = answers::explain_messages(workbench.cluster_manifests().0);
        if !workbench.cluster_content().has_extensions && !view.messages.is_empty() {
            total.add_messages(&view.messages);
            explain::write_messages(answer, &view);
            return Ok(());
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
        answer.line("note: ", Paint::Hint, assumed);
    }
    let messages = answers::reported(workbench);
    total.add_extensions(extensions, &messages);
    // What fails comes before what is well.
    let (failing, others): (Vec<_>, Vec<_>) = extensions.iter().partition(|one| one.fails());
    let is_well =
        !states.is_empty() && states.iter().all(|state| state.now.verdict.attention() > Verdict::Waits.attention());
    let (leading, following) = if is_well { (failing, others) } else { (Vec::new(), extensions.iter().collect()) };
    let mut text = Text::new(states.len() + leading.len());
    answer.blocks(leading.into_iter().flat_map(ExtensionAnswer::blocks));
    text.summary(answer, &states);
    let mut told = Vec::new();
    for state in &states {
        total.add_state(state, &messages);
        let run = runs.remove(&state.namespace).filter(|run| !run.lacks_catalog());
        let view = run.and_then(|mut run| {
            if state.is_in_between() {
                return Some(answers::finish_simulation(
                    workbench,
                    answers::simulation_within(workbench, &state.namespace, limits),
                ));
            }
            total.add(workbench, &mut run);
            // What keeps OLM from resolving is the whole answer.
            (!state.is_before_resolution()).then(|| answers::finish_simulation(workbench, run))
        });
        told.push((state, view));
    }
    told.sort_by_key(|(state, view)| {
        let rows = view.iter().flat_map(|view| view.outcomes.first()).flat_map(|outcome| &outcome.subscriptions);
        let worst = rows.map(|row| row.status.attention()).min();
        if worst == Some(0) { 0 } else { state.now.verdict.attention() }
    });
    for (state, view) in &told {
        text.write(answer, state, &messages, view.as_ref());
    }
    match scene.findings() {
        // They were printed with the answers; only the exit code is missing.
        Err(_) if text.has_findings => {
            return Err("part of the manifests could not be read, so the answer may be wrong".into());
        }
        Ok(_) if text.has_findings => {}
        warnings => warnings?.iter().for_each(|warning| answer.line("warning: ", Paint::Warning, warning)),
    }
    answer.blocks(following.into_iter().flat_map(ExtensionAnswer::blocks));
    reported(answer, &messages, |one| one.namespace.is_empty());
    Ok(())
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
    let runs = answers::simulations_within(workbench, limits);
    let namespaces = answers::namespace_states(workbench);
    let reported = answers::reported(workbench);
    if namespaces.is_empty() && !workbench.cluster_content().has_extensions {
        if reported.is_empty() {
            return Err(scene.without_subscription());
        }
        total.add_messages(&reported);
    }
    warnings.iter().for_each(|warning| say(warning));
    let mut not_served: BTreeMap<(String, String), UnservedView> = BTreeMap::new();
    let mut resolved = Vec::new();
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
        resolved.push(answers::resolution(workbench, &mut run, limits.steps));
    }
    let waiting = namespaces.iter().filter(|state| state.is_in_between());
    let after = waiting.map(|state| answers::simulation_within(workbench, &state.namespace, limits));
    let after = after.filter(|run| !run.lacks_catalog());
    let then = after.map(|mut run| answers::resolution(workbench, &mut run, limits.steps)).collect();
    for source in not_served.values() {
        say(&not_served_warning(source));
        say("OLM resolves nothing in a namespace that uses it; the output shows what would happen if it were served");
    }
    let extensions = extensions.iter().map(ExtensionAnswer::for_programs).collect();
    json::print(out, &Resolutions { first: Resolved::first_of(resolved), namespaces, then, reported, extensions })
}

fn not_served_warning(source: &UnservedView) -> String {
    let UnservedView { name, opm, state, .. } = source;
    if state.is_empty() {
        format!("opm rejects catalog `{name}`, so a cluster would not serve it: {opm}")
    } else {
        source.sentence()
    }
}

// What OLM does, in text: the verdict on each Subscription first, then the steps that lead there, and the reasons.

/// The most namespaces that are named together.
const MOST: usize = 8;
/// The number of outcomes that are shown in full, and side by side.
const OUTCOMES: usize = 4;

/// Writes the answers for the namespaces, one after the other.
pub(super) struct Text {
    has_several: bool,
    /// The notices that are written; other namespaces may have the same ones.
    noted: BTreeSet<String>,
    /// Whether the findings about the manifests are written.
    pub(super) has_findings: bool,
}

impl Text {
    /// For this number of namespaces and of extensions before them.
    pub(super) const fn new(count: usize) -> Self {
        Self { has_several: count > 1, noted: BTreeSet::new(), has_findings: false }
    }

    /// Writes which of several namespaces do not go on by themselves.
    pub(super) fn summary(&self, answer: &mut Answer<'_>, states: &[NamespaceState]) {
        let of = |verdict: Verdict| states.iter().filter(move |state| state.now.verdict == verdict);
        let named = |verdict: Verdict, one: &str, many: &str| {
            let names = of(verdict).map(|state| format!("`{}`", state.namespace));
            let said = match of(verdict).count() {
                0 => return None,
                1 => one,
                _ => many,
            };
            Some(format!("{} {said}", joined(names, MOST, "and")))
        };
        let parts =
            [named(Verdict::Stuck, "is stuck", "are stuck"), named(Verdict::Waits, "waits for you", "wait for you")];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if !self.has_several || parts.is_empty() {
            return;
        }
        answer.line("", Paint::Bold, &format!("Of {} namespaces {}.", states.len(), parts.join(", ")));
    }

    /// Writes the answer for the next namespace, with what OLM does there, where that follows.
    pub(super) fn write(
        &mut self,
        answer: &mut Answer<'_>,
        state: &NamespaceState,
        messages: &[ExplainedMessage],
        view: Option<&SimulationView>,
    ) {
        if self.has_several {
            answer.heading(Paint::Bold, &format!("Namespace {}", state.namespace));
        }
        let explained = view.map(|view| &view.outcomes[..]).unwrap_or_default();
        stands(
            answer,
            &answers::explained_state(state.clone(), explained),
            view.is_none_or(|view| view.blocked.is_none()),
        );
        reported(answer, messages, |one| one.namespace == state.namespace);
        let Some(view) = view else { return };
        if state.is_in_between() {
            answer.heading(Paint::Bold, "Then");
        }
        view.outcomes.iter().take(1).for_each(|outcome| verdicts(answer, &outcome.subscriptions));
        if let Some(read) = view.manifests.as_ref().filter(|_| !self.has_findings) {
            unread(answer, read);
            self.has_findings = true;
        }
        for notice in &view.notices {
            if self.noted.insert(notice.clone()) {
                answer.line("note: ", Paint::Hint, notice);
            }
        }
        view.blocked.iter().for_each(|row| blocked(answer, row));
        outcomes(answer, view);
    }
}

/// Findings about the manifests, and the objects without a part in a resolution.
fn unread(answer: &mut Answer<'_>, view: &ManifestsView) {
    for row in &view.findings {
        let paint = match row.severity {
            Severity::Error => Paint::Bad,
            Severity::Warning => Paint::Warning,
            Severity::Hint => Paint::Hint,
        };
        let lead = format!("{}: ", row.severity.as_str());
        let help = row.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
        answer.labelled(&lead, paint, &format!("{}{help}", row.message), Some(row.place));
    }
    let names = |kind: &str, names: &[String]| {
        format!("{} {}", if kind.is_empty() { "no kind" } else { kind }, names.join(", "))
    };
    // The objects of OLM v1 have an answer of their own.
    let skipped = view.skipped.iter().filter(|row| !matches!(&*row.kind, "ClusterCatalog" | "ClusterExtension"));
    let count: usize = skipped.clone().map(|row| row.names.len()).sum();
    if count == 0 {
        return;
    }
    let listed: Vec<String> = skipped.map(|row| names(&row.kind, &row.names)).collect();
    let objects = if count == 1 { "1 object ignored" } else { &format!("{count} objects ignored") };
    answer.line("note: ", Paint::Hint, &format!("{objects}: {}", listed.join("; ")));
}

/// The possible outcomes: side by side if there are several, then each with its steps and reasons.
fn outcomes(answer: &mut Answer<'_>, view: &SimulationView) {
    let [first, others @ ..] = view.outcomes.as_slice() else { return };
    if others.is_empty() {
        return outcome(answer, first);
    }
    comparison(answer, view);
    for (number, row) in view.outcomes.iter().take(OUTCOMES).enumerate() {
        let when = if row.when.is_empty() { String::new() } else { format!(", {}", row.when) };
        answer.heading(Paint::Bold, &format!("Outcome {}{when}", number + 1));
        verdicts(answer, &row.subscriptions);
        outcome(answer, row);
    }
}

fn comparison(answer: &mut Answer<'_>, view: &SimulationView) {
    let count = view.outcomes.len();
    let text = match (count, view.bounded) {
        (2, false) => "OLM may do either.".to_owned(),
        (_, false) => format!("OLM may do any of {count} things."),
        (_, true) => format!("OLM may do any of {count} things, or more."),
    };
    answer.gap();
    answer.line("▲ ", Paint::Warning, &format!("{text} Which one happens depends on an order that OLM does not fix."));
    let shown = count.min(OUTCOMES);
    let titles: Vec<String> = (1..=shown).map(|number| format!("outcome {number}")).collect();
    let mut table = Table::new(std::iter::once("").chain(titles.iter().map(String::as_str)));
    for row in &view.differences {
        let cells = row.cells.iter().take(shown).map(|text| Cell::plain(&text.replace('`', "")));
        table.push(std::iter::once(Cell::new(Paint::Bold, &row.subject)).chain(cells).collect());
    }
    answer.blocks([Block::Table(table)]);
    if count > shown {
        answer.line("", Paint::Plain, &format!("{} more in `--format json`", count - shown));
    }
}

/// The steps of an outcome, why it ends, and why Subscriptions stay behind.
fn outcome(answer: &mut Answer<'_>, view: &OutcomeView) {
    board(answer, &view.board, |_| true);
    csv_failures(answer, &view.csv_failures);
    let failures = view.steps.iter().filter_map(|step| step.failure.as_ref());
    failures.into_iter().for_each(|row| failure(answer, row));
    view.subscriptions.iter().for_each(|row| reasons(answer, row));
}
