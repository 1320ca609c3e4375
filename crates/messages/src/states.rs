//! The states of a namespace, and what each means.

use crate::Entry;
use crate::known::{CATALOG_POD, PULLABLE};
use source::StateId;

/// What a state of a namespace means.
#[must_use]
pub fn state(state: StateId) -> &'static Entry {
    let of_state = |entry: &&Entry| entry.state == Some(state);
    STATES.iter().find(of_state).expect("a test finds an entry for each state")
}

const fn entry(state: StateId, meaning: &'static str, first: &'static str, never: &'static str) -> Entry {
    Entry::of_state(state, meaning, first, never)
}

const KEEP_OLD: &str = "do not delete a CSV or the Subscription: the old operator still runs";
const KEEP_REPLACED: &str = "[do not delete a CSV or the Subscription: {replaces} still runs]";
const OLDER_PLAN: &str =
    "[do not approve the older InstallPlan {older} after it: its CSVs would belong to no Subscription]";
const KEEP_SECOND: &str = "do not subscribe with `startingCSV`: OLM would try to install a second copy";

/// In the order in which OLM would meet them. Texts of messages may have the names that the patterns of `known` capture.
static STATES: &[Entry] = &[
    entry(
        StateId::NamespaceTerminating,
        "the namespace is being deleted: nothing is created in it any more, and all its objects go with it",
        "if the operator is to stay, create the namespace anew once it is gone, with OperatorGroup and Subscription; if it does not go, its \
         conditions name what is left in it",
        "",
    ),
    // Without a Subscription, or a fitting OperatorGroup.
    entry(
        StateId::NoSubscription,
        "the namespace has no Subscription: OLM keeps {csvs} as it is and never updates it",
        "create a Subscription, and set its `status.installedCSV` to {csv}, if it is to be updated",
        KEEP_SECOND,
    ),
    entry(
        StateId::SubscriptionsUnknown,
        "the input ends too early to tell which Subscription updates {csvs}, if any",
        "",
        "",
    ),
    entry(
        StateId::NoOperatorGroup,
        "the namespace has no OperatorGroup: OLM resolves and installs nothing, and no Subscription says so",
        "create one OperatorGroup whose target namespaces fit the install modes of the operators",
        "",
    ),
    entry(
        StateId::SeveralOperatorGroups,
        "the namespace has [the OperatorGroups {groups}|several OperatorGroups] instead of one: OLM resolves and installs nothing, and \
         no Subscription says so",
        "keep the OperatorGroup that `olm.operatorGroup` of the CSVs names, and delete the others",
        "",
    ),
    entry(
        StateId::OperatorGroupAccount,
        "the OperatorGroup[ {group}] names [the ServiceAccount {account}, which does not exist|a ServiceAccount that does not exist]: \
         it has no targets, and OLM installs nothing[: {text}]",
        "create the ServiceAccount; OLM then goes on by itself",
        "",
    ),
    entry(
        StateId::OperatorGroupAnnotation,
        "OLM cannot read [the annotation {annotation}|an annotation] of the OperatorGroup[ {group}], and resolves nothing, and no \
         Subscription says so[: {text}]",
        "correct or remove the annotation: a duration such as `10m`",
        "",
    ),
    entry(
        StateId::GeneratingPlanGone,
        "the Subscription {subscription} was made by the InstallPlan {plan}, which is gone: OLM resolves nothing, and no Subscription \
         says so",
        "remove the annotation `olm.generated-by` of the Subscription",
        "",
    ),
    entry(
        StateId::GeneratedWithoutCsv,
        "OLM resolves nothing until the Subscription {subscription}, which it made for a dependency, has its CSV",
        "look for its InstallPlan, which the annotation `olm.generated-by` names",
        "",
    ),
    // InstallPlans.
    entry(
        StateId::PlanExecutes,
        "[the InstallPlan {plan}|an InstallPlan] is being executed[: it installs {csvs}]",
        "",
        "",
    ),
    entry(
        StateId::PlanRetries,
        "[the InstallPlan {plan}|a step of the InstallPlan] fails and is tried again[: {text}]; OLM gives up after a minute",
        "",
        "do not delete the InstallPlan while OLM tries",
    ),
    entry(
        StateId::PlanRetriesForever,
        "[the InstallPlan {plan}|a step of the InstallPlan] fails and is tried again[: {text}]",
        "give the ServiceAccount of the OperatorGroup the rights that the message names, or correct the OperatorGroup; OLM then goes on \
         by itself",
        "",
    ),
    entry(
        StateId::PlanWaits,
        "[the InstallPlan {plan}|an InstallPlan] waits for approval[; it installs {csvs}][, not {instead}]",
        "approve the InstallPlan that `status.installPlanRef` of the Subscription names",
        "",
    ),
    entry(
        StateId::PlanFailed,
        "[the InstallPlan {plan} for {csvs}|an InstallPlan] failed, and OLM does not try it again[: {text}]",
        "remove the cause; if its CSV does not exist, delete the InstallPlan, and OLM makes a new one",
        "never delete a CustomResourceDefinition: that deletes all its objects",
    ),
    entry(
        StateId::PlanEmpty,
        "the InstallPlan {plan} has no steps, because OLM was interrupted when it made it",
        "delete it, and OLM makes a new one",
        "",
    ),
    entry(
        StateId::PlanGone,
        "the Subscription {subscription} waits for the InstallPlan {plan}, which does not exist",
        "compare the Subscription with the CSVs that are there",
        "",
    ),
    entry(
        StateId::CsvGone,
        "{csv} does not exist, and OLM does not install it again: the status of the Subscription {subscription} names it already",
        "compare the Subscription with the CSVs that are there",
        "",
    ),
    entry(
        StateId::Unpacking,
        "OLM unpacks bundles[: {text}]",
        "if it stays for minutes, look at the Job that unpacks the bundle, and at its pod, in the namespace of the CatalogSource: whether \
         the image of the bundle can be pulled, and whether the pod may run",
        "",
    ),
    entry(
        StateId::UnpackFailed,
        "OLM cannot unpack a bundle, mostly because its image cannot be pulled, and resolves nothing in the namespace until it can[: {text}]",
        PULLABLE,
        "",
    ),
    // CSVs.
    entry(
        StateId::CsvInstalls,
        "[{csv} is taking the place of {replaces}; then {replaces} is removed, and OLM goes on|{csv} is on its way to its final \
         phase|the CSV is on its way to its final phase]",
        "",
        KEEP_REPLACED,
    ),
    entry(
        StateId::CsvTerminating,
        "{csv} is being deleted: it goes when its ClusterRoles and ClusterRoleBindings are gone, and OLM then resolves the namespace. If \
         it stays for minutes, the log of olm-operator has `waiting for ClusterRoleBindings to delete`",
        "",
        "do not let a Subscription own it: OLM does not install it again once it is gone",
    ),
    entry(
        StateId::CsvDeleted,
        "{csv} is being deleted, and OLM does not install it again: the status of the Subscription {subscription} names it already",
        "if the operator is to go, delete the Subscription, too; if it is to stay, wait until the CSV is gone, then let the status of the \
         Subscription forget it, so that OLM installs it anew",
        "",
    ),
    entry(
        StateId::NotUpgradeable,
        "[{csv}|the update] waits, because [{replaces}|the installed operator] says that it must not be updated[: {text}]",
        "remove the cause that the operator names; only if it is wrong about that, set `spec.overrides` of its OperatorCondition",
        "do not delete either CSV: the update that the operator forbids would happen",
    ),
    entry(
        StateId::CsvRequirements,
        "[{csv} stays in phase `Pending`: {text}|something that the CSV requires is not there. While its InstallPlan is executed this \
         is normal]",
        "see `status.requirementStatus` of the CSV: what is not `Present` is missing",
        "",
    ),
    entry(
        StateId::CsvFailed,
        "[{csv}|the CSV] failed[ ({reason})][: {text}]",
        "repair what its message names; OLM then goes on by itself",
        "do not delete the CSV: that stops the operator and repairs nothing",
    ),
    entry(
        StateId::ReplacementGone,
        "{csv} is being replaced by a CSV that is gone: OLM does not install that again",
        "find the Subscription that had {csv}: its status has to name it again",
        KEEP_OLD,
    ),
    entry(StateId::CsvChain, "{csvs} wait for each other: none of them is removed", "let the last one succeed", ""),
    entry(
        StateId::CsvWithoutSubscription,
        "no Subscription names {csv}, so OLM resolves nothing in the namespace",
        "compare `status.installedCSV` of the Subscriptions, and decide which CSV is to stay",
        KEEP_SECOND,
    ),
    // Catalogs, and the resolution.
    entry(
        StateId::CatalogNotReached,
        "the CatalogSource[ {catalog}] does not answer[ ({connection})], so OLM resolves nothing in any namespace that sees it[{since}]\
         [: {text}]",
        CATALOG_POD,
        "",
    ),
    entry(
        StateId::CatalogConnects,
        "OLM is connecting to the CatalogSource[ {catalog}], and resolves nothing until it answers",
        "if it stays, look at its pod",
        "",
    ),
    entry(
        StateId::CatalogNotLoaded,
        "OLM resolves the namespace; what it finds depends on catalogs that are not loaded",
        "",
        "",
    ),
    entry(StateId::ReportedFailure, "a Subscription reports that OLM cannot resolve the namespace[: {text}]", "", ""),
    entry(StateId::ResolutionFails, "OLM resolves nothing in the namespace; what runs goes on[: {text}]", "", ""),
    entry(StateId::NewPlan, "OLM installs {csvs}", "", OLDER_PLAN),
    entry(
        StateId::NewPlanWaits,
        "OLM makes an InstallPlan for {csvs}, which then waits for approval",
        "approve it when it is there: one InstallPlan updates all operators of the namespace, and waits because {manual} is \
         `Manual`[; {alone}]",
        OLDER_PLAN,
    ),
    entry(StateId::UpToDate, "nothing is left to do", "", ""),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_state_has_one_entry() {
        let states: Vec<Option<StateId>> = STATES.iter().map(|entry| entry.state).collect();
        let all: Vec<Option<StateId>> = StateId::ALL.iter().copied().map(Some).collect();
        assert_eq!(states, all, "in the same order");
    }
}
