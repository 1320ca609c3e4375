//! What OLM finds when updates of a package change CustomResourceDefinitions. Names and OLM's own texts in sentences are in
//! backticks.

use crate::Runtime;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What OLM finds when it upgrades one CustomResourceDefinition to the next; `opscope crd` prints it as JSON.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct CrdUpgradeView {
    /// The name of the new CustomResourceDefinition.
    pub name: String,
    /// The lines of OLM v1's CRD upgrade safety check. Nothing: OLM v1 upgrades it.
    pub findings: Vec<String>,
    /// Lines that OLM v1 has in some runs only.
    pub by_chance: Vec<String>,
    /// What OLM v0 checks.
    pub v0: InstallPlanCheckView,
    pub lost_apis: Vec<LostApi>,
    /// What is not known and was assumed, a sentence each.
    pub assumptions: Vec<String>,
}

/// What OLM v0 finds when an InstallPlan upgrades a CustomResourceDefinition.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct InstallPlanCheckView {
    /// OLM's error for a version that is gone although objects are stored in it.
    pub error: Option<String>,
    /// What objects on the cluster may not fit.
    pub restrictions: Vec<String>,
    /// Whether OLM only warns of such objects.
    pub only_warns: bool,
}

/// A version of an API that an upgrade takes away.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct LostApi {
    pub group: String,
    pub version: String,
    pub kind: String,
    pub loss: ApiLoss,
}

/// How an API is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ApiLoss {
    /// The new CRD does not have it: bundles that require it can no longer be resolved, unless another bundle has it.
    Removed,
    /// The new CRD has it and does not serve it: operators that require it fail after the upgrade.
    NotServed,
}

/// What the updates of a package, or those from one bundle, do to CustomResourceDefinitions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrdChangesView {
    /// How many updates were checked, with what result, and how many could not be; as sentences. Empty if there
    /// is no update.
    pub summary: String,
    /// The updates with a finding, the lowest versions first; those from one bundle all.
    pub hops: Vec<CrdHop>,
}

/// The updates to a bundle with the same findings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrdHop {
    /// The installed bundles, the lowest version first.
    pub from: Vec<String>,
    /// The next bundle.
    pub to: String,
    /// Those of the requested versions of OLM that make them.
    pub runtime: Runtime,
    /// Why their CustomResourceDefinitions cannot be compared, as a sentence.
    pub unknown: Option<String>,
    /// What is found.
    pub remarks: Vec<CrdRemark>,
}

/// Something that is found of a CustomResourceDefinition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrdRemark {
    /// Its name; empty if the finding is about an API of which the catalog tells no more.
    pub crd: String,
    /// What kind of finding it is.
    pub kind: CrdRemarkKind,
    /// OLM's line, or a clause with names in backticks; see [`CrdRemarkKind::is_of_olm`]. Empty where the kind says all.
    pub text: String,
}

/// The kinds of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CrdRemarkKind {
    /// OLM v1 refuses the upgrade.
    Refused,
    /// OLM v1 refuses it in some runs.
    RefusedByChance,
    /// The InstallPlan of OLM v0 fails.
    PlanFails,
    /// The InstallPlan of OLM v0 fails if an object on the cluster does not fit.
    PlanMayFail,
    /// OLM v0 warns of objects that do not fit.
    PlanWarns,
    LostApi,
    /// It cannot be compared.
    Unknown,
    /// Only the new bundle has it.
    New,
    /// Only the old bundle has it.
    Gone,
}

impl CrdRemarkKind {
    /// Whether the text is OLM's own line.
    #[must_use]
    pub const fn is_of_olm(self) -> bool {
        matches!(self, Self::Refused | Self::RefusedByChance | Self::PlanFails | Self::PlanMayFail | Self::PlanWarns)
    }

    /// The kind in words, in front of the text.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Refused => "OLM v1 refuses the upgrade",
            Self::RefusedByChance => "OLM v1 refuses the upgrade in some runs",
            Self::PlanFails => "the InstallPlan of OLM v0 fails",
            Self::PlanMayFail => "the InstallPlan of OLM v0 fails if an object does not fit",
            Self::PlanWarns => "OLM v0 warns of objects that do not fit",
            Self::LostApi => "an API is lost",
            Self::Unknown => "cannot be checked",
            Self::New => "new",
            Self::Gone => "not in the new bundle",
        }
    }
}
