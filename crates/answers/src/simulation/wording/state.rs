//! What decides about a namespace as it stands, in words: a sentence, and what helps first.

use super::{fact::listed, workload};
use catalog::BundleName;
use cluster::{FailingWorkload, OperatorGroup, Requirement};
use messages::{RUN_AGAIN, explained};
use serde_json::json;
use simulate::{Remedy, StateReason};
use source::{ShellCommand, Verdict};
use std::sync::Arc;
use views::ExplainedMessage;

/// What decides about a namespace, for people.
pub(in super::super) struct StateWords {
    pub(in super::super) sentence: String,
    /// What to do first; absent where there is nothing to do but to wait.
    pub(in super::super) advice: Option<String>,
    /// What would do harm.
    pub(in super::super) never: Option<String>,
}

/// The words for what decides about a namespace, with the change that helps, and the pod or Job that says why, if there is one.
pub(in super::super) fn state(
    namespace: &str,
    reason: &StateReason,
    remedy: Option<&Remedy>,
    workload: Option<&FailingWorkload>,
) -> StateWords {
    let (entry, explained, mut values) = (messages::state(reason.state()), message(reason), values(reason));
    // It says why, and the message of OLM only what follows.
    values.splice(0..0, workload.map(|workload| ("text", workload::sentence(workload))));
    let value = |name: &str| values.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone());
    let sentence = match (reason, &explained) {
        // It says also that nothing is resolved.
        (StateReason::Unresolvable { .. }, Some(known)) if !known.meaning.is_empty() => known.meaning.clone(),
        _ => entry.meaning(value),
    };
    let (first, never) = explained.map_or((None, None), |known| (known.first, known.never));
    let (first, never) = (first.or_else(|| entry.first(value)), never.or_else(|| entry.never(value)));
    // What continues on its own needs nobody, and for what is unknown nobody knows.
    let is_for_people = matches!(reason.verdict(), Verdict::Waits | Verdict::Stuck);
    let advice = is_for_people.then(|| match remedy {
        Some(remedy) => Some(change(namespace, reason, remedy, first)),
        None => workload.map(|one| workload::advice(one, first.as_deref())).or_else(|| look(namespace, reason, first)),
    });
    StateWords { sentence, advice: advice.flatten(), never: never.filter(|_| reason.verdict() != Verdict::Unknown) }
}

/// What the message of OLM means that comes with a reason.
fn message(reason: &StateReason) -> Option<ExplainedMessage> {
    match reason {
        StateReason::PlanFailed { message, .. } => {
            explained("InstallPlanFailed=True", message.as_deref().unwrap_or_default())
        }
        StateReason::PlanRetries { message, .. } => explained("", message),
        StateReason::UnpackFailed { message } => explained("BundleUnpackFailed=True", message),
        StateReason::CsvFailed { reason, message, .. } => explained(&format!("Failed/{reason}"), message),
        StateReason::Unresolvable { message, .. } | StateReason::Reported { message } => explained("", message),
        StateReason::GroupAccount { message, .. } => explained("", message),
        StateReason::Requirements { unmet, .. } => explained("", &unmet.first()?.message),
        _ => None,
    }
}

fn names(csvs: &[BundleName]) -> String {
    listed(csvs.iter().map(|csv| format!("`{csv}`")), "and")
}

/// The first line: the others of a CEL error are shown with the message itself.
fn quoted(message: &str) -> String {
    source::one_line(message.lines().next().unwrap_or_default()).to_string()
}

/// What the texts of an entry name.
fn values(reason: &StateReason) -> Vec<(&'static str, String)> {
    let tick = |name: &dyn std::fmt::Display| format!("`{name}`");
    match reason {
        StateReason::NoSubscription { csvs, .. } => {
            let first = csvs.first().map(|csv| ("csv", tick(csv)));
            first.into_iter().chain([("csvs", names(csvs))]).collect()
        }
        StateReason::GroupCount { groups } => vec![("groups", listed(groups.iter().map(selecting), "and"))],
        StateReason::GroupAccount { group, message: text } | StateReason::GroupAnnotation { group, error: text } => {
            vec![("group", tick(group)), ("text", quoted(text))]
        }
        StateReason::GeneratingPlanGone { subscription, plan } | StateReason::PlanGone { subscription, plan, .. } => {
            vec![("subscription", tick(subscription)), ("plan", tick(plan))]
        }
        StateReason::GeneratedWithoutCsv { subscription } => vec![("subscription", tick(subscription))],
        StateReason::PlanExecutes { plan, csvs } => vec![("plan", tick(plan)), ("csvs", names(csvs))],
        StateReason::PlanRetries { plan, message } => vec![("plan", tick(plan)), ("text", quoted(message))],
        StateReason::PlanWaits { plan, csvs, instead, .. } => {
            vec![("plan", tick(plan)), ("csvs", names(csvs)), ("instead", names(instead))]
        }
        StateReason::PlanFailed { plan, csvs, message } => {
            let text = quoted(message.as_deref().unwrap_or_default());
            vec![("plan", tick(plan)), ("csvs", names(csvs)), ("text", text)]
        }
        StateReason::PlanEmpty { plan } => vec![("plan", tick(plan))],
        StateReason::CsvGone { subscription, csv, .. } => {
            vec![("subscription", tick(subscription)), ("csv", tick(csv))]
        }
        StateReason::Unpacking { message } | StateReason::UnpackFailed { message } => vec![("text", quoted(message))],
        StateReason::Installs { csv, replaces } => {
            let replaces = replaces.as_ref().map(|replaces| ("replaces", tick(replaces)));
            [("csv", tick(csv))].into_iter().chain(replaces).collect()
        }
        StateReason::NotUpgradeable { csv, replaces, message } => {
            vec![("csv", tick(csv)), ("replaces", tick(replaces)), ("text", quoted(message))]
        }
        StateReason::Requirements { csv, unmet } => vec![("csv", tick(csv)), ("text", requirements(unmet))],
        StateReason::CsvFailed { csv, reason, message } => {
            let reason = (!reason.is_empty()).then(|| ("reason", tick(reason)));
            [("csv", tick(csv)), ("text", quoted(message))].into_iter().chain(reason).collect()
        }
        StateReason::ReplacementGone { csv } | StateReason::Orphan { csv, .. } => vec![("csv", tick(csv))],
        StateReason::Terminating { csv, subscription } => {
            let subscription = subscription.as_ref().map(|name| ("subscription", tick(name)));
            [("csv", tick(csv))].into_iter().chain(subscription).collect()
        }
        StateReason::Chain { csvs } => vec![("csvs", names(csvs))],
        StateReason::Catalog { source, state, reported, .. } => {
            let connection = match state.is_empty() {
                true => "OLM has never reached it".to_owned(),
                false => format!("its connection is `{state}`"),
            };
            let since = if reported.is_some() { "" } else { ", from the next time that OLM reads the catalogs" };
            let text = quoted(reported.as_deref().unwrap_or_default());
            vec![("catalog", tick(source)), ("connection", connection), ("since", since.to_owned()), ("text", text)]
        }
        StateReason::Reported { message } | StateReason::Unresolvable { message, .. } => {
            let meaning = explained("", message).map(|known| known.meaning).filter(|meaning| !meaning.is_empty());
            vec![("text", meaning.unwrap_or_else(|| quoted(message)))]
        }
        StateReason::NewPlan { csvs, manual, waiting, .. } => {
            let listed = |names: &[Arc<str>], last| listed(names.iter().map(|name| format!("`{name}`")), last);
            let alone = "an operator that is to be updated alone needs a namespace of its own";
            let alone = if csvs.len() > 1 { alone } else { "" };
            let (manual, older) = (listed(manual, "and"), listed(waiting, "or"));
            vec![("csvs", names(csvs)), ("manual", manual), ("alone", alone.to_owned()), ("older", older)]
        }
        StateReason::NamespaceTerminating | StateReason::NoCatalog | StateReason::UpToDate => Vec::new(),
    }
}

/// The advice not to approve an InstallPlan whose CSV never runs; `runs` is the CSV that it replaces.
pub(in super::super) fn not_approved(csv: &BundleName, why: &str, runs: Option<&BundleName>) -> String {
    let kept = runs.map(|runs| format!("`{runs}` stays in phase `Replacing`, ")).unwrap_or_default();
    let keeps = runs.map(|runs| format!("; as long as nobody approves it, `{runs}` goes on")).unwrap_or_default();
    format!("do not approve it: `{csv}` then {why}, {kept}and OLM updates nothing in the namespace any more{keeps}")
}

/// What a CSV requires that is not there: the first, and the number of the others.
fn requirements(unmet: &[Requirement]) -> String {
    let Some((Requirement { kind, name, message }, others)) = unmet.split_first() else {
        return "something that it requires is not there".to_owned();
    };
    let first = format!("{kind} `{name}`: {message}");
    let more = if others.is_empty() { String::new() } else { format!("; and {} more", others.len()) };
    format!("{}{more}", source::one_line(&first))
}

/// An OperatorGroup with what it selects.
fn selecting(group: &OperatorGroup) -> String {
    let name = &group.name;
    match group.watched() {
        Some(targets) if targets.contains("") => format!("`{name}` (all namespaces)"),
        Some(targets) if !targets.is_empty() => {
            format!("`{name}` ({})", source::joined(targets.iter().map(|target| format!("`{target}`")), 3, "and"))
        }
        _ => format!("`{name}`"),
    }
}

fn in_namespace(command: &'static str, name: &str, namespace: &str) -> ShellCommand {
    ShellCommand::new(command).word(name).with("-n").word(namespace)
}

/// The command that sets the status of a Subscription. OLM drops a status that `kubectl edit` writes, and requires `lastUpdated`.
fn set_status(subscription: &str, namespace: &str, csv: &str, forgets_plan: bool) -> ShellCommand {
    let mut status = json!({"currentCSV": csv, "installedCSV": csv, "lastUpdated": "2000-01-01T00:00:00Z"});
    if forgets_plan {
        status["installPlanRef"] = serde_json::Value::Null;
        status["state"] = "".into();
    }
    let command = in_namespace("kubectl patch subscription", subscription, namespace);
    command.with("--subresource=status --type merge -p").json(&json!({ "status": status }))
}

/// A change that helps, in words and as a command.
fn change(namespace: &str, reason: &StateReason, remedy: &Remedy, first: Option<String>) -> String {
    let first = first.unwrap_or_default();
    let of = |command: &'static str, name: &str| in_namespace(command, name, namespace);
    match remedy {
        Remedy::OneGroup if matches!(reason, StateReason::GroupCount { groups } if !groups.is_empty()) => {
            let show = ShellCommand::new("kubectl get operatorgroup -n").word(namespace).with("-o yaml");
            format!("{first}: `{show}`")
        }
        Remedy::OneGroup | Remedy::CorrectAnnotation => first,
        Remedy::Ungenerate(subscription) => {
            let remove = of("kubectl annotate subscription", subscription).with("olm.generated-by-");
            format!("{first}: `{remove}`")
        }
        Remedy::Approve(plan) => {
            let approve = of("kubectl patch installplan", plan).with("--type merge -p");
            let approve = approve.json(&json!({"spec": {"approved": true}}));
            match reason {
                StateReason::PlanWaits { instead, .. } if !instead.is_empty() => format!(
                    "for {} delete it, and OLM makes a new one: `{}`; or approve it: `{approve}`",
                    names(instead),
                    of("kubectl delete installplan", plan)
                ),
                _ => format!("approve it: `{approve}`"),
            }
        }
        Remedy::DeletePlan(plan) => {
            let delete = of("kubectl delete installplan", plan);
            match reason {
                StateReason::PlanFailed { .. } => {
                    match message(reason).filter(|known| known.state.is_none()).and_then(|known| known.first) {
                        Some(first) => format!(
                            "{}; OLM resolves again once the failed InstallPlan, which has made no CSV, is deleted: `{delete}`",
                            first.strip_suffix(RUN_AGAIN).unwrap_or(&first)
                        ),
                        _ => format!(
                            "remove the cause, then delete the InstallPlan, which has made no CSV, and OLM resolves again: `{delete}`"
                        ),
                    }
                }
                StateReason::PlanWaits { .. } => format!(
                    "delete it, and OLM makes a new one; it is older than what the Subscriptions have now: `{delete}`"
                ),
                _ => format!("delete it, and OLM makes a new one: `{delete}`"),
            }
        }
        Remedy::RunAgain(plan) => {
            let again = of("kubectl patch installplan", plan).with("--subresource=status --type merge -p");
            let again = again.json(&json!({"status": {"phase": "Installing"}}));
            let first = message(reason).filter(|known| known.runs_again).and_then(|known| known.first);
            let first =
                first.as_ref().map_or("remove the cause", |first| first.strip_suffix(RUN_AGAIN).unwrap_or(first));
            format!("{first}, then let the InstallPlan run again: `{again}`")
        }
        // A CSV that runs and that no Subscription names would be in the way of all.
        Remedy::Reset { subscription, csv } => {
            let csv = csv.as_ref().map_or("", BundleName::as_str);
            format!("let OLM plan it anew: `{}`", set_status(subscription, namespace, csv, true))
        }
        Remedy::Adopt { subscription, csv } => format!(
            "if the Subscription `{subscription}` is to update it, let it own the CSV: `{}`",
            set_status(subscription, namespace, csv.as_str(), false)
        ),
        Remedy::AllowUpdate(csv) => {
            let allowed = json!({"type": "Upgradeable", "status": "True", "reason": "Approved", "message": "approved"});
            let allow = of("kubectl patch operatorcondition", csv.as_str()).with("--type merge -p");
            let allow = allow.json(&json!({"spec": {"overrides": [allowed]}}));
            format!(
                "remove the cause that the operator names; only if it is wrong about that, allow the update: `{allow}`"
            )
        }
        Remedy::FailForward(group) => {
            let forward = of("kubectl patch operatorgroup", group).with("--type merge -p");
            let forward = forward.json(&json!({"spec": {"upgradeStrategy": "TechPreviewUnsafeFailForward"}}));
            format!("let the last one replace all others: `{forward}`")
        }
    }
}

/// What to look at, or to do outside of OLM's objects, where no change helps that was tried.
fn look(namespace: &str, reason: &StateReason, first: Option<String>) -> Option<String> {
    let of = |command: &'static str, name: &str| in_namespace(command, name, namespace);
    let plans = || ShellCommand::new("kubectl get installplan -n").word(namespace);
    let owners = || ShellCommand::new("kubectl get csv,subscriptions -n").word(namespace);
    let path = "-o jsonpath='{.status.requirementStatus}'";
    let unmet = |csv: &BundleName| of("kubectl get csv", csv.as_str()).with(path);
    let (first, command) = match reason {
        // The first thing to do is what was tried.
        StateReason::GroupCount { .. }
        | StateReason::GroupAnnotation { .. }
        | StateReason::GeneratingPlanGone { .. }
        | StateReason::PlanEmpty { .. } => return None,
        StateReason::NotUpgradeable { .. } => return Some("remove the cause that the operator names".to_owned()),
        StateReason::Orphan { .. } => {
            return Some(format!("no Subscription of its package can take it over; {}", first?));
        }
        StateReason::PlanFailed { plan, .. } => {
            ("remove the cause that the InstallPlan names".to_owned(), of("kubectl describe installplan", plan))
        }
        StateReason::PlanWaits { plan, gone: Some(source), .. } => {
            let text = format!(
                "do not approve it: its manifests went with the CatalogSource `{source}`. Let `spec.source` of the Subscription name \
                 one that is there, then delete the InstallPlan, and OLM makes a new one"
            );
            (text, of("kubectl delete installplan", plan))
        }
        StateReason::PlanWaits { .. } => {
            let text = "do not approve it yet, which would end stuck: repair the CSVs first that do not run";
            (text.to_owned(), owners())
        }
        StateReason::NamespaceTerminating => {
            (first?, ShellCommand::new("kubectl get namespace").word(namespace).with("-o yaml"))
        }
        StateReason::GeneratedWithoutCsv { .. } => (first?, plans()),
        StateReason::Requirements { csv, .. } => (first?, unmet(csv)),
        StateReason::CsvFailed { csv, .. } => (first?, of("kubectl describe csv", csv.as_str())),
        StateReason::Catalog { source, .. } => {
            let pods = ShellCommand::new("kubectl get pods -n").word(&source.namespace).with("-l");
            (first?, pods.word(&format!("olm.catalogSource={}", source.name)))
        }
        StateReason::UnpackFailed { .. } => (first?, ShellCommand::new("kubectl get pods -A -l job-name")),
        StateReason::PlanGone { subscription, .. } | StateReason::CsvGone { subscription, .. } => {
            (first?, of("kubectl describe subscription", subscription))
        }
        _ => return first,
    };
    Some(format!("{first}: `{command}`"))
}
