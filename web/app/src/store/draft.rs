//! The state that the page stores in the browser for the next visit. The worker stores the catalogs. Imports no
//! functions.

use super::{Layout, Mode, NamedSides, Tab, Theme};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use views::{ClusterForm, EntryKey, OlmV1Release, OpmVersion, Runtime};

/// The stored state. Catalogs are referred to by name, because their keys do not outlive a worker. A shared session
/// contains a draft too, so the names of the fields are part of its format.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Draft {
    /// The colour scheme.
    pub theme: Theme,
    /// The view of the package.
    pub tab: Tab,
    pub findings_text: String,
    /// Whether findings of all packages are listed.
    pub everything: bool,
    /// The ids of rules that are switched off.
    pub rules_off: BTreeSet<String>,
    /// The name of the selected catalog, or of the selected package's.
    pub catalog: String,
    pub package: Option<String>,
    pub entry: Option<EntryKey>,
    /// Whether the form or the manifests are shown. The manifests are stored separately, because they can be large.
    pub mode: Mode,
    /// The form, if the manifests do not say the same yet. Older versions always stored it.
    pub cluster: ClusterForm,
    pub namespace: String,
    /// Only of older versions: there if the form and the manifests said the same.
    #[serde(skip_serializing)]
    pub beyond: Option<String>,
    /// The example that is open, unless the user changed it.
    pub example: Option<String>,
    /// The arrangement of the regions.
    pub layout: Layout,
    /// Whether there are stored catalogs that the next visit restores.
    pub catalogs: bool,
    /// The states that are compared, if the user chose them.
    pub compared: Option<NamedSides>,
    /// The user's levels for comparisons.
    pub levels: String,
    /// The versions of OLM that answers are about.
    pub runtime: Runtime,
    /// The release of `opm` that judges catalogs, unless it is the newest.
    pub opm: Option<OpmVersion>,
    /// The release of OLM v1 that answers are about, if the user chose one.
    pub olm_v1: Option<OlmV1Release>,
    /// The index of the outcome that is shown.
    pub outcome: usize,
    /// How many of the waiting InstallPlans were approved.
    pub approved: usize,
    /// Whether all events are shown instead of hops.
    pub every_event: bool,
    /// Whether single-key shortcuts are switched off.
    #[serde(rename = "keyless")]
    pub single_keys_off: bool,
}
