//! `opscope plan`

use crate::args::{Loss, Plan, PlanFormat, PlanGoal};
use crate::output::{Failure, write_json, written};
use crate::paths::shown_path;
use crate::places::Inputs;
use crate::set::set_or_catalog;
use report::{Paint, Printer, Terminal};
use simulate::Cluster;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use views::{OpenShift, PlanAction, PlanObstacle, PlanQuery, PlanView, PlansView};
use workbench::CatalogKey;
use workbench::{CatalogSet, PlanSources, ReadSet, plan_markdown, sets_of_sources, subscribed_cluster};

/// What stands before a step that somebody makes.
const TO_DO: &str = "  to do      ";

/// The CatalogSource of Subscriptions without manifests.
const SOURCE: &str = "catalog";

/// Prints what to do with each operator for an update of OpenShift. Returns whether all reach the goal.
pub(crate) fn run(arguments: &Plan, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let mut inputs = Inputs::default();
    let cluster = arguments.cluster.as_deref().map(|path| manifests(&mut inputs, path)).transpose()?;
    let present = cluster.as_ref().and_then(|cluster| cluster.openshift.as_ref());
    let present = present.and_then(|version| format!("{}.{}", version.major(), version.minor()).parse().ok());
    let from = arguments.from.or(present).ok_or_else(|| {
        "the manifests have no `ClusterVersion` that tells the version of OpenShift: give `--from`".to_owned()
    })?;
    let query = query(arguments, from);
    let versions = workbench::openshift_versions(from, arguments.to)?;
    let read = |path: &Path| set_or_catalog(path, &versions);
    let default = arguments.catalogs.as_deref().map(read).transpose()?;
    let named: BTreeMap<&str, ReadSet> = (arguments.sources.iter())
        .map(|(name, path)| Ok((name.as_str(), read(path)?)))
        .collect::<Result<_, Failure>>()?;
    let path = arguments.cluster.as_deref().unwrap_or(Path::new(""));
    let sets = sets(cluster.as_ref(), default.as_ref(), &named, path)?;
    let sources = PlanSources::of(&sets, from, arguments.to)?;
    let view = match &cluster {
        Some(cluster) => sources.plan(cluster, &query),
        None if arguments.subscribe.is_empty() => sources.plan_heads(&query),
        None => sources.plan(&subscribed_cluster(&arguments.subscribe, &sources.catalogs())?, &query),
    };
    match arguments.format {
        PlanFormat::Json => write_json(out, &view)?,
        PlanFormat::Markdown => write!(out, "{}", plan_markdown(&view, &sources.notes())).map_err(written)?,
        PlanFormat::Text => {
            text(&mut Printer::new(out, terminal, &inputs), &view, &sources.notes()).map_err(written)?;
        }
    }
    let read: Vec<&ReadSet> = default.iter().chain(named.values()).collect();
    let is_reached =
        inputs.answer_of(&read, view.blocked.is_empty() && view.plans.iter().all(|plan| plan.reason.is_none()))?;
    let unknown: Vec<&PlanView> = view
        .plans
        .iter()
        .filter(|plan| plan.reason.as_ref().is_some_and(|reason| reason.id == PlanObstacle::Unknown))
        .collect();
    if let Some(first) = unknown.first().and_then(|plan| plan.reason.as_ref()) {
        return Err(format!(
            "{} of {} operators cannot be planned: {}",
            unknown.len(),
            view.plans.len(),
            first.sentence
        )
        .into());
    }
    Ok(is_reached)
}

fn query(arguments: &Plan, from: OpenShift) -> PlanQuery {
    PlanQuery {
        from: Some(from),
        to: Some(arguments.to),
        goal: match arguments.goal {
            PlanGoal::Resolves => views::PlanGoal::Resolves,
            PlanGoal::Listed => views::PlanGoal::Listed,
            PlanGoal::Head => views::PlanGoal::Head,
        },
        may_remove: arguments.allow.contains(&Loss::Remove),
        may_reinstall: arguments.allow.contains(&Loss::Reinstall),
    }
}

/// The cluster of manifests.
fn manifests(inputs: &mut Inputs, path: &Path) -> Result<Cluster, Failure> {
    let text = inputs.read_manifests(path)?;
    inputs.workbench.set_cluster(&text);
    let cluster = inputs.workbench.cluster_manifests().1.cluster.clone();
    if cluster.subscriptions.is_empty() && cluster.csvs.is_empty() {
        return Err(format!(
            "`{}` has no Subscription and no ClusterServiceVersion, so there is nothing to plan",
            shown_path(path)
        )
        .into());
    }
    Ok(cluster)
}

/// The set that each CatalogSource follows.
///
/// # Errors
/// When a set has a name and no CatalogSource has it.
fn sets<'s>(
    cluster: Option<&Cluster>,
    default: Option<&'s ReadSet>,
    named: &'s BTreeMap<&str, ReadSet>,
    path: &Path,
) -> Result<BTreeMap<CatalogKey, &'s CatalogSet>, Failure> {
    let Some(cluster) = cluster else {
        let named = named.iter().map(|(name, read)| (CatalogKey::new(name, "olm"), &read.set));
        return Ok(default.map(|read| (CatalogKey::new(SOURCE, "olm"), &read.set)).into_iter().chain(named).collect());
    };
    let named = named.iter().map(|(name, read)| (Some(*name), &read.set));
    let all: Vec<_> = default.map(|read| (None, &read.set)).into_iter().chain(named).collect();
    let found = sets_of_sources(cluster, &all);
    let is_unused = |name: &&str| found.keys().all(|key| *key.name != **name);
    match all.iter().filter_map(|(name, _)| *name).find(is_unused) {
        Some(name) => Err(format!("`{}` has no CatalogSource named `{name}`", shown_path(path)).into()),
        None => Ok(found),
    }
}

fn text(printer: &mut Printer<'_>, view: &PlansView, notes: &[String]) -> io::Result<()> {
    printer.line("", Paint::Bold, &view.sentence)?;
    for gate in &view.gates {
        printer.heading(Paint::Bad, &format!("OpenShift {} cannot be left. OLM says:", gate.openshift))?;
        printer.verbatim(&gate.message)?;
    }
    view.freestanding.iter().try_for_each(|text| printer.line("✕ ", Paint::Bad, text))?;
    view.notices.iter().try_for_each(|text| printer.line("! ", Paint::Hint, text))?;
    for plan in &view.plans {
        let Some(reason) = &plan.reason else { continue };
        printer.heading(Paint::Bad, &title(plan))?;
        printer.line("✕ ", Paint::Bad, &reason.sentence)?;
        reason.lifts.iter().try_for_each(|lift| printer.line("  possible: ", Paint::Plain, lift))?;
    }
    let is_moving = |plan: &&PlanView| plan.steps.iter().any(|step| step.what != PlanAction::OpenShift);
    let moving: Vec<&PlanView> = view.plans.iter().filter(is_moving).collect();
    let rests = view.plans.iter().filter_map(|plan| Some((plan, plan.rest.as_ref()?)));
    for (plan, rest) in rests.filter(|(plan, _)| !plan.is_at_head()) {
        printer.line("! ", Paint::Hint, &format!("{}: {}", title(plan), rest.sentence))?;
    }
    for (at, version) in view.way.iter().enumerate() {
        printer.heading(Paint::Bold, &format!("On {version}"))?;
        let waiting = view.plans.iter().filter(|_| at == 0).filter_map(|plan| Some((plan, plan.waiting.as_ref()?)));
        let mut is_empty = true;
        for (plan, text) in waiting {
            is_empty = false;
            printer.line(TO_DO, Paint::Plain, &format!("{}: {text}", title(plan)))?;
        }
        for automatic in [false, true] {
            for plan in &moving {
                for step in plan.steps_on(*version).filter(|step| step.automatic == automatic) {
                    is_empty = false;
                    let lead = if automatic { "  by itself  " } else { TO_DO };
                    printer.line(lead, Paint::Plain, &format!("{}: {}", title(plan), step.text))?;
                }
            }
        }
        for sentence in view.frozen_on(*version) {
            is_empty = false;
            printer.line("! ", Paint::Hint, sentence)?;
        }
        if is_empty {
            printer.line("  ", Paint::Plain, "nothing happens")?;
        }
        if let Some(next) = view.way.get(at + 1) {
            printer.line("→ ", Paint::Bold, &format!("update OpenShift to {next}"))?;
        }
    }
    printer.gap()?;
    notes.iter().try_for_each(|note| printer.line("catalogs of ", Paint::Plain, note))
}

fn title(plan: &PlanView) -> String {
    if plan.channel.is_empty() { plan.package.clone() } else { format!("{}/{}", plan.package, plan.channel) }
}
