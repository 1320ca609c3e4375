//! Namespaces of a cluster as they stand, before anything is resolved.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use source::{Approval, StateId, Verdict};

/// A namespace as it stands.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct NamespaceState {
    pub namespace: String,
    pub now: NamespaceNow,
    pub csvs: Vec<CsvFuture>,
}

/// What OLM does with a namespace as it stands.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct NamespaceNow {
    /// The CSVs of the InstallPlan that OLM makes.
    #[serde(rename = "newInstallPlan")]
    pub new_install_plan: Option<Vec<String>>,
    /// Whether that plan needs approval.
    pub approval: Option<Approval>,
    /// The CSVs that an InstallPlan of the cluster creates first.
    #[serde(rename = "existingPlanInstalls")]
    pub existing_plan_installs: Vec<String>,
    /// Whether OLM resolves the namespace.
    pub resolved: bool,
    /// OLM's error, if the resolution fails.
    #[serde(rename = "resolutionFails")]
    pub resolution_fails: Option<String>,
    /// Whether the namespace goes on by itself.
    pub verdict: Verdict,
    /// What decides.
    pub reason: StateId,
    /// The kinds of which the input has no object, and of which one is taken to be there, as on most clusters.
    pub taken: Vec<String>,
    /// What decides as a sentence; names are in backticks.
    pub sentence: String,
    /// What to do first. If there is a command for it, that is the last thing in backticks.
    pub advice: Option<String>,
    /// What does harm.
    pub never: Option<String>,
    /// The objects that decide.
    pub objects: Vec<DecidingObject>,
}

/// An object that decides about a namespace.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct DecidingObject {
    pub kind: String,
    pub name: String,
}

/// Where a CSV ends if nothing else changes.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct CsvFuture {
    pub name: String,
    /// A phase, or `deleted`.
    pub becomes: String,
    /// The reason of that phase, where it is known.
    pub reason: Option<String>,
}

impl NamespaceState {
    /// Whether the namespace goes on only later, by itself or after somebody has acted, so that a resolution now tells nothing.
    #[must_use]
    pub fn is_in_between(&self) -> bool {
        let state = self.now.reason;
        matches!(state.verdict(), Verdict::Waits | Verdict::Passes)
            && !matches!(state, StateId::NewPlanWaits | StateId::NoSubscription)
    }

    /// The same for everything but an InstallPlan that waits for approval: the CSVs are on their way to their places.
    #[must_use]
    pub fn is_in_hand_over(&self) -> bool {
        self.is_in_between() && self.now.reason != StateId::PlanWaits
    }

    /// Whether there is something to say before an answer about what OLM does: where OLM acts by itself or finds no solution, that
    /// answer says it.
    #[must_use]
    pub fn has_lead(&self) -> bool {
        let NamespaceNow { verdict, reason, .. } = &self.now;
        match verdict {
            Verdict::Acts => false,
            Verdict::Stuck => *reason != StateId::ResolutionFails,
            Verdict::Waits | Verdict::Passes | Verdict::Unknown => true,
        }
    }

    /// Whether nothing can be said without catalogs that are not loaded.
    #[must_use]
    pub fn is_unknown_without_catalogs(&self) -> bool {
        self.now.reason == StateId::CatalogNotLoaded
            || !self.now.taken.is_empty() && self.now.verdict == Verdict::Unknown
    }

    /// Whether nothing that OLM does helps.
    #[must_use]
    pub fn is_stuck(&self) -> bool {
        self.now.verdict == Verdict::Stuck
    }

    /// Whether something else than a resolution decides, so that what a resolution leads to is only what follows.
    #[must_use]
    pub fn is_before_resolution(&self) -> bool {
        const RESOLUTION: [StateId; 3] =
            [StateId::ResolutionFails, StateId::CsvWithoutSubscription, StateId::CatalogNotReached];
        let state = self.now.reason;
        self.is_in_between() || state.verdict() == Verdict::Stuck && !RESOLUTION.contains(&state)
    }

    /// Whether it is about a Subscription with these CSVs. What is about no Subscription alone is about each.
    #[must_use]
    pub fn is_about(&self, subscription: &str, csvs: &[&str]) -> bool {
        let mut known = self.now.objects.iter().filter_map(|one| match &*one.kind {
            "Subscription" => Some(one.name == subscription),
            "ClusterServiceVersion" => Some(csvs.contains(&&*one.name)),
            _ => None,
        });
        let is_first = known.next();
        is_first.is_none_or(|is_it| is_it || known.any(|is_it| is_it))
    }
}

/// An advice without the command that it ends with, and the command.
#[must_use]
pub fn advice_and_command(advice: &str) -> (&str, Option<&str>) {
    let command = advice.strip_suffix('`').and_then(|rest| rest.rsplit_once(": `"));
    command.map_or((advice, None), |(text, command)| (text, Some(command)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_ends_the_advice() {
        let check = |advice: &str, text: &str, command: Option<&str>| {
            assert_eq!(advice_and_command(advice), (text, command));
        };
        check("look at it: `kubectl get csv`", "look at it", Some("kubectl get csv"));
        check("a duration such as `10m`", "a duration such as `10m`", None);
        check("wait", "wait", None);
    }
}
