//! What decides about a namespace as it stands, in words: a sentence, and what helps first.

use super::fact::listed;
use catalog::BundleName;
use cluster::OperatorGroup;
use messages::explained;
use serde_json::json;
use simulate::{Remedy, StateReason};
use source::{Approval, ShellCommand, Verdict};
use views::ExplainedMessage;

/// What decides about a namespace, for people.
pub(in super::super) struct StateWords {
    pub(in super::super) sentence: String,
    /// What to do first; absent where there is nothing to do but to wait.
    pub(in super::super) advice: Option<String>,
    /// What would do harm.
    pub(in super::super) never: Option<String>,
}

/// The words for what decides about a namespace, with the change that helps, if there is one.
pub(in super::super) fn state(
    namespace: &str,
    verdict: Verdict,
    reason: &StateReason,
    remedy: Option<&Remedy>,
) -> StateWords {
    let explained = message(reason);
    // What passes by itself needs nobody, and for what is unknown nobody knows.
    let is_for_people = matches!(verdict, Verdict::Waits | Verdict::Stuck);
    let advice = is_for_people.then(|| advice(namespace, reason, remedy, explained.as_ref())).flatten();
    let never = never(reason).or_else(|| explained?.never).filter(|_| verdict != Verdict::Unknown);
    StateWords { sentence: sentence(verdict, reason), advice, never }
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

/// What a message of OLM means, in words.
fn message_of(message: &str) -> Option<String> {
    Some(explained("", message)?.meaning).filter(|meaning| !meaning.is_empty())
}

fn names(csvs: &[BundleName]) -> String {
    listed(csvs.iter().map(|csv| format!("`{csv}`")), "and")
}

fn quoted(message: &str) -> String {
    // The lines of a CEL error are shown with the message itself.
    let first = message.lines().next().unwrap_or_default();
    if first.is_empty() { String::new() } else { format!(": {}", source::one_line(first)) }
}

fn sentence(verdict: Verdict, reason: &StateReason) -> String {
    match reason {
        StateReason::NoSubscription { csvs } if verdict == Verdict::Unknown => {
            format!("the input ends too early to tell which Subscription updates {}, if any", names(csvs))
        }
        StateReason::NoSubscription { csvs } => {
            format!("the namespace has no Subscription: OLM keeps {} as it is and never updates it", names(csvs))
        }
        StateReason::GroupCount { groups } if groups.is_empty() => {
            "the namespace has no OperatorGroup: OLM resolves nothing, without a message".to_owned()
        }
        StateReason::GroupCount { groups } => {
            let groups = listed(groups.iter().map(selecting), "and");
            format!(
                "the namespace has the OperatorGroups {groups} instead of one: OLM resolves nothing, without a message"
            )
        }
        StateReason::GroupAccount { group, message } => {
            format!("the OperatorGroup `{group}` has no targets, so OLM installs nothing{}", quoted(message))
        }
        StateReason::GroupAnnotation { group, error } => {
            format!(
                "OLM cannot read an annotation of the OperatorGroup `{group}` and resolves nothing, without a message: {error}"
            )
        }
        StateReason::GeneratingPlanGone { subscription, plan } => format!(
            "the Subscription `{subscription}` was made by the InstallPlan `{plan}`, which is gone: OLM resolves nothing, \
             without a message"
        ),
        StateReason::GeneratedWithoutCsv { subscription } => {
            format!(
                "OLM resolves nothing until the Subscription `{subscription}`, which it made for a dependency, has its CSV"
            )
        }
        StateReason::PlanExecutes { plan, csvs } => {
            format!("the InstallPlan `{plan}` is being executed: it installs {}", names(csvs))
        }
        StateReason::PlanRetries { plan, message } => {
            let end = if verdict == Verdict::Passes { "; OLM gives up after a minute" } else { "" };
            format!("the InstallPlan `{plan}` fails and is tried again{}{end}", quoted(message))
        }
        StateReason::PlanWaits { plan, csvs, instead, .. } => {
            let but = if instead.is_empty() { String::new() } else { format!(", not {}", names(instead)) };
            format!("the InstallPlan `{plan}` waits for approval; it installs {}{but}", names(csvs))
        }
        StateReason::PlanFailed { plan, csvs, message } => format!(
            "the InstallPlan `{plan}` for {} failed, and OLM does not try it again{}",
            names(csvs),
            quoted(message.as_deref().unwrap_or_default())
        ),
        StateReason::PlanEmpty { plan } => {
            format!("the InstallPlan `{plan}` has no steps, because OLM was interrupted when it made it")
        }
        StateReason::PlanGone { subscription, plan, .. } => {
            format!("the Subscription `{subscription}` waits for the InstallPlan `{plan}`, which does not exist")
        }
        StateReason::CsvGone { subscription, csv, .. } => format!(
            "`{csv}` does not exist, and OLM does not install it again: the status of the Subscription `{subscription}` \
             names it already"
        ),
        StateReason::Unpacking { message } => format!("OLM unpacks bundles{}", quoted(message)),
        StateReason::UnpackFailed { message } => {
            format!("OLM cannot unpack a bundle, and resolves nothing in the namespace meanwhile{}", quoted(message))
        }
        StateReason::Installs { csv, replaces: Some(old) } => {
            format!("`{csv}` is taking the place of `{old}`; then `{old}` is removed, and OLM goes on")
        }
        StateReason::Installs { csv, replaces: None } => format!("`{csv}` is on its way to its final phase"),
        StateReason::NotUpgradeable { csv, replaces, message } => {
            format!("`{csv}` waits, because `{replaces}` says that it must not be updated{}", quoted(message))
        }
        StateReason::Requirements { csv, unmet } => {
            let mut unmet = unmet.iter().map(|one| format!("{} `{}`: {}", one.kind, one.name, one.message));
            let first = unmet.next().unwrap_or_else(|| "something that it requires is not there".to_owned());
            let more = match unmet.count() {
                0 => String::new(),
                more => format!("; and {more} more"),
            };
            format!("`{csv}` stays in phase `Pending`: {}{more}", source::one_line(&first))
        }
        StateReason::CsvFailed { csv, reason, message } => {
            let reason = if reason.is_empty() { String::new() } else { format!(" (`{reason}`)") };
            format!("`{csv}` failed{reason}{}", quoted(message))
        }
        StateReason::ReplacementGone { csv } => {
            format!("`{csv}` is being replaced by a CSV that is gone: OLM does not install that again")
        }
        StateReason::Chain { csvs } => format!("{} wait for each other: none of them is removed", names(csvs)),
        StateReason::Orphan { csv, .. } => {
            format!("no Subscription names `{csv}`, so OLM resolves nothing in the namespace")
        }
        StateReason::Catalog { source, state, reported } => {
            let state = if state.is_empty() {
                "OLM has never reached it".to_owned()
            } else {
                format!("its connection is `{state}`")
            };
            let since = if reported.is_some() { "" } else { " from the next time on that it reads the catalogs" };
            format!(
                "CatalogSource `{source}` does not answer ({state}), so OLM resolves nothing in the namespace{since}{}",
                quoted(reported.as_deref().unwrap_or_default())
            )
        }
        StateReason::NoCatalog => {
            "OLM resolves the namespace; what it finds depends on catalogs that are not loaded".to_owned()
        }
        StateReason::Reported { message } => {
            let said = message_of(message).map_or_else(|| quoted(message), |meaning| format!(": {meaning}"));
            format!("a Subscription reports that OLM cannot resolve the namespace{said}")
        }
        StateReason::Unresolvable { message, .. } => {
            message_of(message).unwrap_or_else(|| format!("OLM resolves nothing in the namespace{}", quoted(message)))
        }
        StateReason::NewPlan { approval: Approval::Manual, csvs, .. } => {
            format!("OLM makes an InstallPlan for {}, which then waits for approval", names(csvs))
        }
        StateReason::NewPlan { approval: Approval::Automatic, csvs, .. } => format!("OLM installs {}", names(csvs)),
        StateReason::UpToDate => "nothing is left to do".to_owned(),
    }
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

/// What to do first. Each change was tried; without one that helps, it is what to look at.
fn advice(
    namespace: &str,
    reason: &StateReason,
    remedy: Option<&Remedy>,
    explained: Option<&ExplainedMessage>,
) -> Option<String> {
    match remedy {
        Some(remedy) => Some(change(namespace, reason, remedy, explained)),
        None => look(namespace, reason, explained),
    }
}

/// A change that helps, in words and as a command.
fn change(namespace: &str, reason: &StateReason, remedy: &Remedy, explained: Option<&ExplainedMessage>) -> String {
    let of = |command: &'static str, name: &str| in_namespace(command, name, namespace);
    match remedy {
        Remedy::OneGroup if matches!(reason, StateReason::GroupCount { groups } if groups.is_empty()) => {
            "create one OperatorGroup whose target namespaces fit the install modes of the operators".to_owned()
        }
        Remedy::OneGroup => {
            let show = ShellCommand::new("kubectl get operatorgroup -n").word(namespace).with("-o yaml");
            format!(
                "keep the OperatorGroup that `olm.operatorGroup` of the CSVs names, and delete the others: `{show}`"
            )
        }
        Remedy::CorrectAnnotation => "correct or remove the annotation: a duration such as `10m`".to_owned(),
        Remedy::Ungenerate(subscription) => {
            let remove = of("kubectl annotate subscription", subscription).with("olm.generated-by-");
            format!("remove the annotation: `{remove}`")
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
                StateReason::PlanFailed { .. } => format!(
                    "remove the cause, then delete the InstallPlan, which has made no CSV, and OLM resolves again: `{delete}`"
                ),
                StateReason::PlanWaits { .. } => format!(
                    "delete it, and OLM makes a new one; it is older than what the Subscriptions have now: `{delete}`"
                ),
                _ => format!("delete it, and OLM makes a new one: `{delete}`"),
            }
        }
        Remedy::RunAgain(plan) => {
            let again = of("kubectl patch installplan", plan).with("--subresource=status --type merge -p");
            let again = again.json(&json!({"status": {"phase": "Installing"}}));
            let first = explained.and_then(|known| known.first.clone());
            let first = first.filter(|first| first.contains("run again"));
            let first = first.unwrap_or_else(|| "remove the cause, then let the InstallPlan run again".to_owned());
            format!("{first}: `{again}`")
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

/// What to look at, or to do outside of OLM's objects.
fn look(namespace: &str, reason: &StateReason, explained: Option<&ExplainedMessage>) -> Option<String> {
    let of = |command: &'static str, name: &str| in_namespace(command, name, namespace);
    let first = || explained.and_then(|known| known.first.clone());
    Some(match reason {
        StateReason::GroupAccount { .. } => first()?,
        StateReason::GeneratedWithoutCsv { .. } => {
            let show = ShellCommand::new("kubectl get installplan -n").word(namespace);
            format!("look for its InstallPlan, which the annotation `olm.generated-by` names: `{show}`")
        }
        StateReason::PlanRetries { .. } | StateReason::UnpackFailed { .. } => first()?,
        StateReason::Unresolvable { .. } | StateReason::Reported { .. } => first()?,
        StateReason::PlanFailed { plan, .. } => {
            format!("remove the cause that the InstallPlan names: `{}`", of("kubectl describe installplan", plan))
        }
        StateReason::PlanWaits { plan, gone: Some(source), .. } => format!(
            "do not approve it: its manifests went with the CatalogSource `{source}`. Let `spec.source` of the Subscription name one \
             that is there, then delete the InstallPlan, and OLM makes a new one: `{}`",
            of("kubectl delete installplan", plan)
        ),
        StateReason::PlanWaits { .. } => {
            let show = ShellCommand::new("kubectl get csv,subscriptions -n").word(namespace);
            format!("do not approve it yet, which would end stuck: repair the CSVs first that do not run: `{show}`")
        }
        StateReason::Requirements { csv, .. } => {
            let look = first().unwrap_or_else(|| "see which requirement is not met".to_owned());
            let show = of("kubectl get csv", csv.as_str());
            let show = show.with("-o jsonpath='{.status.requirementStatus}'");
            format!("{look}: `{show}`")
        }
        StateReason::CsvFailed { csv, .. } => {
            let first = first().unwrap_or_else(|| "repair what its message names; OLM then goes on by itself".to_owned());
            format!("{first}: `{}`", of("kubectl describe csv", csv.as_str()))
        }
        StateReason::Orphan { .. } => {
            "no Subscription of its package can take it over; compare `status.installedCSV` of the Subscriptions, and decide which \
             CSV is to stay"
                .to_owned()
        }
        StateReason::NoSubscription { csvs } => {
            let csv = csvs.first()?;
            format!("create a Subscription, and set its `status.installedCSV` to `{csv}`, if it is to be updated")
        }
        StateReason::Catalog { source, .. } => {
            let show = in_namespace("kubectl describe catalogsource", &source.name, &source.namespace);
            format!("repair the CatalogSource, or delete it if no Subscription names it: `{show}`")
        }
        StateReason::NewPlan { approval: Approval::Manual, csvs, manual, .. } => {
            let manual = listed(manual.iter().map(|name| format!("`{name}`")), "and");
            let alone = if csvs.len() > 1 {
                "; an operator that is to be updated alone needs a namespace of its own"
            } else {
                ""
            };
            format!(
                "approve it when it is there; it is one plan for all operators of the namespace, and waits because of approval \
                 `Manual` of {manual}{alone}"
            )
        }
        StateReason::NotUpgradeable { .. } => "remove the cause that the operator names".to_owned(),
        StateReason::Chain { .. } => "let the last one succeed".to_owned(),
        StateReason::PlanGone { subscription, .. } | StateReason::CsvGone { subscription, .. } => format!(
            "compare the Subscription with the CSVs that are there: `{}`",
            of("kubectl describe subscription", subscription)
        ),
        StateReason::ReplacementGone { csv } => {
            format!("find the Subscription that had `{csv}`: its status has to name it again")
        }
        _ => return None,
    })
}

/// What makes it worse.
fn never(reason: &StateReason) -> Option<String> {
    let text = match reason {
        StateReason::Installs { .. } | StateReason::ReplacementGone { .. } => {
            "do not delete a CSV or the Subscription: the old operator still runs"
        }
        StateReason::NotUpgradeable { .. } => {
            "do not delete either CSV: the update that the operator forbids would happen"
        }
        StateReason::CsvFailed { reason, .. } if !reason.ends_with("Conflict") => {
            "do not delete the CSV: that stops the operator and repairs nothing"
        }
        StateReason::PlanFailed { .. } => "never delete a CustomResourceDefinition: that deletes all its objects",
        StateReason::NewPlan { waiting, .. } if !waiting.is_empty() => {
            let older = listed(waiting.iter().map(|plan| format!("`{plan}`")), "or");
            return Some(format!(
                "do not approve the older InstallPlan {older} after it: its CSVs would belong to no Subscription"
            ));
        }
        StateReason::Orphan { .. } | StateReason::NoSubscription { .. } => {
            "do not subscribe with `startingCSV`: OLM would try to install a second copy"
        }
        _ => return None,
    };
    Some(text.to_owned())
}
