//! `opscope plan`

use crate::args::{Loss, Plan, PlanGoal};
use crate::format::AnswerFormat;
use crate::given;
use crate::json;
use crate::output::{Failure, say, write_report};
use crate::places::{Inputs, shown_path};
use report::Terminal;
use session::{Purpose, ReadSet};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use views::{OpenShift, PlanObstacle, PlanQuery, PlanView};

/// Prints what to do with each operator for an update of OpenShift. Returns whether all reach the goal, and `opm` accepts
/// the catalogs on the way.
pub(crate) fn run(arguments: &Plan, terminal: Terminal, out: &mut dyn Write) -> Result<bool, Failure> {
    let mut inputs = Inputs::judged_by(arguments.opm.release()?);
    if let Some(path) = &arguments.cluster {
        inputs.set_manifests(&given::manifests(path)?, &arguments.facts);
        let content = inputs.workbench.cluster_content();
        let is_stopped = !inputs.workbench.cluster_manifests().1.not_upgradeable.is_empty();
        if !content.has_subscriptions && !content.has_csvs && !content.has_extensions && !is_stopped {
            let path = shown_path(path);
            return Err(format!(
                "`{path}` has no Subscription, no ClusterServiceVersion and no ClusterExtension, so there is nothing to plan"
            )
            .into());
        }
    }
    let from = arguments.from.or(inputs.workbench.cluster_content().openshift).ok_or_else(|| {
        "the manifests have no `ClusterVersion` that tells the version of OpenShift: give `--from`".to_owned()
    })?;
    let versions = answers::versions_between(from, arguments.to)?;
    let read = |path: &Path| -> Result<ReadSet, Failure> {
        let opm = arguments.opm.release()?;
        let read = given::only(path, Purpose::Catalog, opm)?.set_or_catalog(&versions, opm)?;
        check_versions(path, &read, &versions).map(|()| read)
    };
    let mut named: BTreeMap<Option<&str>, ReadSet> = BTreeMap::new();
    for (name, path) in &arguments.catalogs {
        if named.insert(name.as_deref(), read(path)?).is_some() {
            let which = name.as_ref().map_or_else(|| "without a name".to_owned(), |name| format!("for `{name}`"));
            return Err(format!("`--catalog` {which} is given twice").into());
        }
    }
    let sets: Vec<_> = named.iter().map(|(name, read)| (*name, read)).collect();
    let view = answers::plan_with(&inputs.workbench, &sets, &arguments.subscribe, &query(arguments, from))?;
    match arguments.format {
        AnswerFormat::Json => json::write(out, &inputs, &view)?,
        format => write_report(out, terminal, format.into(), &report::plans(&view))?,
    }
    let is_reached =
        view.gates.is_empty() && view.blocked.is_empty() && view.plans.iter().all(|plan| plan.reason.is_none());
    if sets.is_empty() {
        if view.way.len() > 1 {
            say("to plan the way out, give the catalogs of each version of OpenShift with `--catalog`");
        }
        return Ok(is_reached);
    }
    let read: Vec<&ReadSet> = named.values().collect();
    let mut members = read.iter().flat_map(|read| &read.set.members);
    let is_rejected = members.any(|member| member.rejected.is_some() && view.way.contains(&member.version));
    let is_fine = inputs.answer_of(&read, is_reached && !is_rejected)?;
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
    Ok(is_fine)
}

/// Checks that there is a catalog for each version on the way: without one, nothing is known of what happens there.
fn check_versions(path: &Path, read: &ReadSet, versions: &[OpenShift]) -> Result<(), Failure> {
    let missing = versions.iter().copied().filter(|version| !read.has_version(*version));
    let missing: Vec<OpenShift> = missing.collect();
    if missing.is_empty() {
        return Ok(());
    }
    let there: Vec<OpenShift> = read.set.members.iter().map(|member| member.version).collect();
    let (missing, there) = (OpenShift::list(&missing), OpenShift::list(&there));
    Err(format!("no answer: no catalog for OpenShift {missing}; `{}` has {there}", shown_path(path)).into())
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
