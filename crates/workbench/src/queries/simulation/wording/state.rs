//! What decides about a namespace as it stands, in words: a sentence, and what helps first.

use super::listed;
use catalog::BundleName;
use serde_json::json;
use simulate::StateReason;
use source::{Approval, ShellCommand, Verdict};

/// What decides about a namespace, for people.
pub(in super::super) struct StateWords {
    pub(in super::super) sentence: String,
    /// What to do first; absent where there is nothing to do but to wait.
    pub(in super::super) advice: Option<String>,
    /// What would do harm.
    pub(in super::super) never: Option<&'static str>,
}

/// The words for what decides about a namespace.
pub(in super::super) fn state(namespace: &str, verdict: Verdict, reason: &StateReason) -> StateWords {
    let sentence = sentence(verdict, reason);
    StateWords { sentence, advice: advice(namespace, verdict, reason), never: never(reason) }
}

fn names(csvs: &[BundleName]) -> String {
    listed(csvs.iter().map(|csv| format!("`{csv}`")), "and")
}

fn quoted(message: &str) -> String {
    if message.is_empty() { String::new() } else { format!(": {}", source::one_line(message)) }
}

fn sentence(verdict: Verdict, reason: &StateReason) -> String {
    match reason {
        StateReason::NoSubscription { csvs } => {
            format!("the namespace has no Subscription: OLM keeps {} running and never updates it", names(csvs))
        }
        StateReason::GroupCount { groups } if groups.is_empty() => {
            "the namespace has no OperatorGroup: OLM resolves nothing, without a message".to_owned()
        }
        StateReason::GroupCount { groups } => {
            let groups = listed(groups.iter().map(|group| format!("`{group}`")), "and");
            format!(
                "the namespace has the OperatorGroups {groups} instead of one: OLM resolves nothing, without a message"
            )
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
        StateReason::PlanWaits { plan, csvs } => {
            format!("the InstallPlan `{plan}` waits for approval; it installs {}", names(csvs))
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
            "`{csv}` is gone, and OLM does not install it again: for it the InstallPlan of the Subscription `{subscription}` is \
             complete"
        ),
        StateReason::Unpacking { message } => format!("OLM unpacks bundles{}", quoted(message)),
        StateReason::UnpackFailed { message } => format!("OLM cannot unpack a bundle{}", quoted(message)),
        StateReason::Installs { csv, replaces: Some(old) } => {
            format!("`{csv}` is taking the place of `{old}`; then `{old}` is removed, and OLM goes on")
        }
        StateReason::Installs { csv, replaces: None } => format!("`{csv}` is on its way to its final phase"),
        StateReason::NotUpgradeable { csv, replaces, message } => {
            format!("`{csv}` waits, because `{replaces}` says that it must not be updated{}", quoted(message))
        }
        StateReason::Requirements { csv } => {
            format!("`{csv}` stays in phase `Pending`: something that it requires is not there")
        }
        StateReason::CsvFailed { csv, reason, message } => {
            let reason = if reason.is_empty() { String::new() } else { format!(" (`{reason}`)") };
            format!("`{csv}` failed{reason}{}", quoted(message))
        }
        StateReason::ReplacementGone { csv } => {
            format!("`{csv}` is being replaced by a CSV that is gone: OLM does not install that again")
        }
        StateReason::Chain { csvs } => format!("{} wait for each other: none of them is removed", names(csvs)),
        StateReason::Orphan { csv, message } => {
            format!("no Subscription names `{csv}`, so OLM resolves nothing in the namespace{}", quoted(message))
        }
        StateReason::Catalog { source, state, message } => {
            let state = if state.is_empty() {
                "OLM has never reached it".to_owned()
            } else {
                format!("its connection is `{state}`")
            };
            format!(
                "CatalogSource `{source}` does not answer ({state}), so OLM resolves nothing in the namespace{}",
                quoted(message)
            )
        }
        StateReason::NoCatalog => {
            "OLM resolves the namespace; what it finds depends on catalogs that are not loaded".to_owned()
        }
        StateReason::Unresolvable { message, .. } => {
            format!("OLM resolves nothing in the namespace{}", quoted(message))
        }
        StateReason::NewPlan { approval: Approval::Manual, csvs } => {
            format!("OLM makes an InstallPlan for {}, which then waits for approval", names(csvs))
        }
        StateReason::NewPlan { approval: Approval::Automatic, csvs } => format!("OLM installs {}", names(csvs)),
        StateReason::UpToDate => "nothing is left to do".to_owned(),
    }
}

fn in_namespace(command: &'static str, name: &str, namespace: &str) -> ShellCommand {
    ShellCommand::new(command).word(name).with("-n").word(namespace)
}

fn advice(namespace: &str, verdict: Verdict, reason: &StateReason) -> Option<String> {
    let of = |command: &'static str, name: &str| in_namespace(command, name, namespace);
    let patch = |name: &str, status: serde_json::Value| {
        let command = of("kubectl patch subscription", name).with("--subresource=status --type merge -p");
        command.json(&json!({ "status": status }))
    };
    let text = match reason {
        StateReason::PlanWaits { plan, .. } => {
            let approve = of("kubectl patch installplan", plan).with("--type merge -p");
            let approve = approve.json(&json!({"spec": {"approved": true}}));
            format!("approve it: `{approve}`")
        }
        StateReason::GroupCount { groups } if groups.is_empty() => {
            "create one OperatorGroup whose target namespaces fit the install modes of the operators".to_owned()
        }
        StateReason::GroupCount { .. } => {
            let show = ShellCommand::new("kubectl get operatorgroup -n").word(namespace).with("-o yaml");
            format!(
                "keep the OperatorGroup that `olm.operatorGroup` of the CSVs names, and delete the others: `{show}`"
            )
        }
        StateReason::GroupAnnotation { .. } => "correct or remove the annotation: a duration such as `10m`".to_owned(),
        StateReason::GeneratingPlanGone { subscription, .. } => {
            let remove = of("kubectl annotate subscription", subscription).with("olm.generated-by-");
            format!("remove the annotation: `{remove}`")
        }
        StateReason::GeneratedWithoutCsv { .. } => {
            let show = ShellCommand::new("kubectl get installplan -n").word(namespace);
            format!("look for its InstallPlan, which the annotation `olm.generated-by` names: `{show}`")
        }
        StateReason::PlanRetries { .. } if verdict == Verdict::Stuck => {
            "give the ServiceAccount of the OperatorGroup the rights that the message names; OLM then goes on by itself"
                .to_owned()
        }
        StateReason::PlanFailed { plan, .. } => {
            let delete = of("kubectl delete installplan", plan);
            format!(
                "remove the cause first; if its CSV does not exist, delete the plan, and OLM resolves again: `{delete}`"
            )
        }
        StateReason::PlanEmpty { plan } => {
            format!("delete it, and OLM makes a new one: `{}`", of("kubectl delete installplan", plan))
        }
        StateReason::PlanGone { subscription, runs, .. } | StateReason::CsvGone { subscription, runs, .. } => {
            // A CSV that runs and that no Subscription names would be in the way of all.
            let csv = runs.as_ref().map_or("", BundleName::as_str);
            let status = json!({"currentCSV": csv, "installedCSV": csv, "installPlanRef": null, "state": ""});
            format!("let OLM plan it anew: `{}`", patch(subscription, status))
        }
        StateReason::UnpackFailed { .. } => {
            "make the image of the bundle pullable (mirror, pull secret); OLM tries again after about five minutes"
                .to_owned()
        }
        StateReason::NotUpgradeable { replaces, .. } => {
            let allowed = json!({"type": "Upgradeable", "status": "True", "reason": "Approved", "message": "approved"});
            let allow = of("kubectl patch operatorcondition", replaces.as_str()).with("--type merge -p");
            let allow = allow.json(&json!({"spec": {"overrides": [allowed]}}));
            format!(
                "remove the cause that the operator names; only if it is wrong about that, allow the update: `{allow}`"
            )
        }
        StateReason::Requirements { csv } => {
            let show = of("kubectl get csv", csv.as_str());
            let show = show.with("-o jsonpath='{.status.requirementStatus}'");
            format!("see which requirement is not met: `{show}`")
        }
        StateReason::CsvFailed { csv, .. } => {
            let show = of("kubectl describe csv", csv.as_str());
            format!("repair what keeps its Deployment from running; OLM then goes on by itself: `{show}`")
        }
        StateReason::Orphan { csv, .. } => format!(
            "if a Subscription is to update it, set `status.currentCSV` and `status.installedCSV` of that to `{csv}`: `{}`",
            patch("SUBSCRIPTION", json!({"currentCSV": csv.as_str(), "installedCSV": csv.as_str()}))
        ),
        StateReason::NoSubscription { csvs } => match csvs.first() {
            Some(csv) => {
                format!("create a Subscription, and set its `status.installedCSV` to `{csv}`, if it is to be updated")
            }
            None => return None,
        },
        StateReason::Catalog { source, .. } if verdict == Verdict::Stuck => {
            let show = in_namespace("kubectl describe catalogsource", &source.name, &source.namespace);
            format!("repair the CatalogSource, or delete it if no Subscription names it: `{show}`")
        }
        StateReason::Chain { .. } => {
            "let the last one succeed, and set `upgradeStrategy: TechPreviewUnsafeFailForward` in the OperatorGroup"
                .to_owned()
        }
        StateReason::ReplacementGone { csv } => format!(
            "set the status of its Subscription back, and OLM plans the update anew: `{}`",
            patch(
                "SUBSCRIPTION",
                json!({"currentCSV": csv.as_str(), "installedCSV": csv.as_str(), "installPlanRef": null, "state": ""})
            )
        ),
        _ => return None,
    };
    Some(text)
}

/// What makes it worse.
const fn never(reason: &StateReason) -> Option<&'static str> {
    Some(match reason {
        StateReason::Installs { .. } | StateReason::ReplacementGone { .. } => {
            "do not delete a CSV or the Subscription: the old operator still runs"
        }
        StateReason::NotUpgradeable { .. } => {
            "do not delete either CSV: the update that the operator forbids would happen"
        }
        StateReason::CsvFailed { .. } => "do not delete the CSV: that stops the operator and repairs nothing",
        StateReason::PlanFailed { .. } => "never delete a CustomResourceDefinition: that deletes all its objects",
        StateReason::Orphan { .. } | StateReason::NoSubscription { .. } => {
            "do not subscribe with `startingCSV`: OLM would try to install a second copy"
        }
        _ => return None,
    })
}
