//! Why OLM does something on a cluster: `opscope cluster` with a name.

use crate::args::LIMITS;
use crate::board::board;
use crate::explanation::{blocked, csv_failures, failure, reasons, refusals, reported, stands, verdicts};
use crate::format::AnswerFormat;
use crate::json;
use crate::names;
use crate::output::{Failure, say, write_report};
use crate::scene::Scene;
use answers::ExtensionAnswer;
use report::contract::ResolvedExtension;
use report::{Answer, Block, Paint, Terminal};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;
use views::{
    EntryKey, EntryStatus, NamespaceState, OutcomeView, SelectedView, SimulationView, StepView, SubscriptionStatus,
    SubscriptionView, Verdict, WhyNotRow, WhyNotView,
};

/// What is told of a Subscription or a ClusterExtension, for people and for programs.
struct Told<'s> {
    answer: Answer<'s>,
    parts: Explained,
}

/// Why a Subscription or a ClusterExtension is as it is.
#[derive(Default, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Explained {
    /// The namespace of the Subscription as it stands, if that decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<NamespaceState>,
    /// What becomes of the Subscription.
    #[serde(skip_serializing_if = "Option::is_none")]
    subscription: Option<SubscriptionView>,
    /// The resolutions of the namespace, one after the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<Vec<StepView>>,
    /// Why OLM does not choose the bundle that is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    bundle: Option<WhyNotView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    extension: Option<ResolvedExtension>,
}

impl Told<'_> {
    fn state(&mut self, state: &NamespaceState) {
        stands(&mut self.answer, state, true);
        self.parts.state = Some(state.clone());
    }
}

/// Explains the result of the Subscription with this name in the outcome with this number, or why OLM does not choose a bundle
/// for it.
pub(crate) fn answer(
    scene: &Scene,
    (subscription, bundle): (&str, Option<&str>),
    outcome: u32,
    format: AnswerFormat,
    terminal: Terminal,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let mut told = Told { answer: Answer::new(&scene.inputs), parts: Explained::default() };
    let result = tell(scene, subscription, bundle, outcome, &mut told);
    // What was told before a failure is printed.
    match format {
        AnswerFormat::Json if told.parts == Explained::default() => {}
        AnswerFormat::Json => json::write(out, &scene.inputs, &told.parts)?,
        format => write_report(out, terminal, format.into(), &told.answer.into_report())?,
    }
    result
}

fn tell(
    scene: &Scene,
    subscription: &str,
    bundle: Option<&str>,
    outcome: u32,
    told: &mut Told<'_>,
) -> Result<bool, Failure> {
    let workbench = &scene.inputs.workbench;
    let content = workbench.cluster_content();
    if !content.has_subscriptions && !content.has_extensions {
        scene.warnings()?;
        return Err(scene.without_subscription());
    }
    let (namespace, name) = match names::subscription(workbench, subscription) {
        Ok(found) => found,
        Err(unknown) => {
            let answers = answers::extensions(workbench);
            let found = answers.iter().find(|answer| answer.extension.name.as_str() == subscription);
            return found.map_or(Err(unknown), |found| extension(scene, found, bundle, told));
        }
    };
    let missing = scene.missing_catalogs(Some(&format!("{namespace}/{name}")));
    if !missing.is_empty() {
        return without_catalogs(scene, &namespace, missing, told);
    }
    let mut run = answers::simulation_within(workbench, &namespace, LIMITS);
    let notices = run.notices(workbench);
    let simulation = answers::finish_simulation(workbench, run);
    let outcomes = &simulation.outcomes;
    let index = outcome as usize - 1;
    let outcome = outcomes.get(index).ok_or_else(|| match outcomes.len() {
        1 => "there is only one outcome".to_owned(),
        many => format!("there are only {many} outcomes"),
    })?;
    let row = outcome.subscriptions.iter().find(|row| row.name == name).ok_or("the Subscription has no result")?;
    let decides = |state: &&NamespaceState| state.is_before_resolution() || state.now.verdict == Verdict::Waits;
    if let Some(state) = simulation.state.as_deref().filter(decides) {
        told.state(state);
        if state.now.verdict == Verdict::Stuck && bundle.is_none() {
            return Ok(false);
        }
        told.answer.heading(Paint::Bold, "Then");
    }
    told.parts.subscription = Some(row.clone());
    told.parts.steps = Some(outcome.steps.clone());
    let Some(bundle) = bundle else {
        explain(&mut told.answer, &simulation, &notices, outcome, row);
        return Ok(!matches!(
            row.status,
            SubscriptionStatus::Behind
                | SubscriptionStatus::Fails
                | SubscriptionStatus::Blocked
                | SubscriptionStatus::Loops
        ));
    };
    let package = row.package_key.as_ref().ok_or_else(|| format!("no catalog has a package `{}`", row.package))?;
    let csv = names::csv(workbench, package, bundle)?;
    let channels = answers::channels_with(workbench, package, &csv);
    let own = row.end.as_ref().and_then(|end| end.channel.clone()).filter(|channel| channels.contains(channel));
    let channel = own.or_else(|| channels.first().cloned());
    let channel = channel.ok_or_else(|| format!("no channel lists `{csv}`, so OLM never installs it"))?;
    let entry = EntryKey { channel: Some(channel), name: csv };
    let view = answers::why_not(workbench, &namespace, index as u32, package, &entry);
    told.parts.bundle = Some(view.clone());
    why_not(&mut told.answer, &entry, &view);
    match view.rows.iter().find(|row| row.status == EntryStatus::Unknown) {
        Some(row) => Err(format!("cannot tell: {}", row.reason.text).into()),
        None => Ok(true),
    }
}

/// What is known of a namespace whose catalogs are not given, and how to get them.
fn without_catalogs(
    scene: &Scene,
    namespace: &str,
    missing: Vec<String>,
    told: &mut Told<'_>,
) -> Result<bool, Failure> {
    let workbench = &scene.inputs.workbench;
    let (states, messages) = (answers::namespace_states(workbench), answers::reported(workbench));
    let state = states.iter().find(|state| state.namespace == namespace);
    let is_reported = messages.iter().any(|one| one.namespace == namespace && one.verdict != Some(Verdict::Acts));
    state.into_iter().for_each(|state| told.state(state));
    reported(&mut told.answer, &messages, |one| one.namespace == namespace);
    if is_reported || state.is_some_and(|state| !state.is_unknown_without_catalogs()) {
        missing.iter().filter(|line| !line.starts_with(' ')).for_each(|line| say(line));
        return Ok(!state.is_some_and(NamespaceState::is_stuck));
    }
    Err(Failure::of_lines(missing))
}

/// What OLM v1 does with a ClusterExtension, or why it does not choose a bundle for it.
fn extension(
    scene: &Scene,
    found: &ExtensionAnswer,
    bundle: Option<&str>,
    told: &mut Told<'_>,
) -> Result<bool, Failure> {
    let why = bundle.and_then(|bundle| found.why(bundle));
    // What became of all others is not asked for.
    told.parts.extension = Some(found.for_programs());
    told.answer
        .blocks(found.blocks().into_iter().filter(|block| why.is_none() || !matches!(block, Block::Folded { .. })));
    told.answer.blocks(why.into_iter().flatten());
    let messages = answers::reported(&scene.inputs.workbench);
    let about = format!("ClusterExtension {} ", found.extension.name);
    reported(&mut told.answer, &messages, |one| one.about.starts_with(&about));
    let is_known = found.roll_out().is_some() || found.extension.failure.is_some();
    if found.unknown().is_some() && !is_known {
        let missing = scene.missing_catalogs(None);
        return Err(if missing.is_empty() { Failure::cannot_tell() } else { Failure::of_lines(missing) });
    }
    let versions = found.versions();
    match bundle.filter(|bundle| found.why(bundle).is_none() && !versions.is_empty()) {
        Some(bundle) => {
            let near = source::nearest(bundle, versions.iter().map(String::as_str));
            let what = format!("no catalog of the ClusterExtension has a version or CSV `{bundle}` of its package");
            Err(names::did_you_mean(&what, &near))
        }
        None => Ok(bundle.is_some() || found.succeeds()),
    }
}

/// The verdict on a Subscription, each of its updates with the reasons, and why it goes no further.
fn explain(
    answer: &mut Answer<'_>,
    simulation: &SimulationView,
    notices: &[String],
    outcome: &OutcomeView,
    row: &SubscriptionView,
) {
    verdicts(answer, std::slice::from_ref(row));
    notices.iter().for_each(|notice| answer.line("note: ", Paint::Hint, notice));
    row.plan_failure.iter().for_each(|text| answer.line("note: ", Paint::Hint, text));
    let several = simulation.outcomes.len();
    if several > 1 {
        let text = format!("this is one of {several} outcomes; `--outcome NUMBER` explains another");
        answer.line("note: ", Paint::Hint, &text);
    }
    simulation.blocked.iter().for_each(|row| blocked(answer, row));
    let is_own = |selected: &SelectedView| row.hops.iter().any(|hop| hop.csv == selected.csv.name);
    let is_added = |csv: &String| row.hops.iter().any(|hop| hop.csv == *csv);
    board(answer, &outcome.board, |lane| lane.name == row.name || lane.added_for.as_ref().is_some_and(is_added));
    for selected in outcome.steps.iter().flat_map(|step| &step.selected).filter(|selected| is_own(selected)) {
        answer.heading(Paint::Bold, &format!("Why {}?", selected.csv.name));
        answer.reasons("  - ", &selected.because);
        refusals(answer, &selected.refused, selected.unexplained);
    }
    csv_failures(answer, &outcome.csv_failures);
    let failures = outcome.steps.iter().filter_map(|step| step.failure.as_ref());
    failures.for_each(|row| failure(answer, row));
    reasons(answer, row);
}

/// How each Subscription and requirement treats an entry, step by step.
fn why_not(answer: &mut Answer<'_>, entry: &EntryKey, view: &WhyNotView) {
    let channel = entry.channel.as_deref().unwrap_or_default();
    answer.heading(Paint::Bold, &format!("Why (not) {} from channel {channel}?", entry.name));
    if view.rows.is_empty() {
        let text = "OLM never looks at this package: no Subscription names it, and no chosen bundle requires it.";
        answer.line("  ", Paint::Plain, text);
    }
    for rows in view.rows.chunk_by(|one, other| one.who == other.who) {
        answer.line("", Paint::Plain, &rows[0].who);
        rows.iter().for_each(|row| why_not_row(answer, row));
    }
    if view.bounded {
        answer.line("", Paint::Dim, "The list is not complete.");
    }
}

fn why_not_row(answer: &mut Answer<'_>, row: &WhyNotRow) {
    let (mark, paint, word) = match row.status {
        EntryStatus::Chosen => ("✓", Paint::Good, "yes"),
        EntryStatus::PassedOver => ("✕", Paint::Bad, "no"),
        EntryStatus::Excluded => ("✕", Paint::Bad, "not a candidate"),
        EntryStatus::Unknown => ("?", Paint::Hint, "cannot tell"),
    };
    let text = format!("{}: {word}: {}", row.when, row.reason.text);
    answer.labelled(&format!("  {mark} "), paint, &text, row.reason.place);
    answer.reasons("      - ", &row.because);
}
