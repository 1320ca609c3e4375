//! What stops an update of OpenShift (operator-lifecycle-manager `pkg/controller/operators/openshift/`, cluster-version-operator
//! `pkg/cvo/upgradeable.go`).

use super::*;

/// What stands before the first CSV.
macro_rules! of_csv {
    ($rest:literal) => {
        concat!(
            "(?:Cluster operator operator-lifecycle-manager should not be upgraded between minor(?: or major)? versions: (?:\\w+: )?)?\
             (?:ClusterServiceVersions blocking [^:]*:[ -]*)?",
            $rest
        )
    };
}

const UPDATE_OPERATOR: &str = "update the operator to a version that supports more; if there is none, remove it. With the CSVs and the \
    catalogs, `opscope plan --to VERSION` shows the way";
const NO_FORCE: &str = "do not force the update of OpenShift: the operator may not run on the new version";

pub(super) const FORMS: &[Form] = &[
    form(
        of_csv!(r"maximum supported OCP version for (?<namespace>[^\s/]+)/(?<csv>[^\s,]+) is (?<version>\d+\.\d+)"),
        Some(Verdict::Waits),
        SUPPORTS_UP_TO,
        UPDATE_OPERATOR,
        NO_FORCE,
    ),
    form(
        of_csv!(
            r"(?<namespace>[^\s/:,]+)/(?<csv>[^\s,]+) is incompatible with OpenShift minor versions greater than (?<version>\d+\.\d+)"
        ),
        Some(Verdict::Waits),
        SUPPORTS_UP_TO,
        UPDATE_OPERATOR,
        NO_FORCE,
    ),
    form(
        of_csv!(
            r"(?<namespace>[^\s/:,]+)/(?<csv>[^\s,]+) has invalid olm\.maxOpenShiftVersion properties: (?<text>(?:[^,]|, )+)"
        ),
        Some(Verdict::Waits),
        "the property `olm.maxOpenShiftVersion` of {csv} in namespace {namespace} is invalid, which alone stops updates of OpenShift to \
         another minor version: {text}",
        "update the operator to a version whose property is valid; if there is none, remove it",
        NO_FORCE,
    ),
    form(
        "Encountered errors while checking compatibility with the next minor version of OpenShift: (?<text>.+)",
        Some(Verdict::Waits),
        "OLM could not check which operators support the next minor version of OpenShift: {text}",
        "remove the cause that the text names",
        "",
    ),
    form(
        "Waiting for updates to take effect",
        Some(Verdict::Passes),
        "OLM itself is being updated, and says which operators stop an update of OpenShift when it has been",
        "",
        "",
    ),
    form(
        r"OpenShift (?<version>\d+\.\d+) removes? several APIs which require admin consideration",
        Some(Verdict::Waits),
        "OpenShift {version} serves some APIs no more, and an administrator has to acknowledge that before the update",
        "look which are still used, with `oc get apirequestcounts`, and update what uses them; then acknowledge it in the ConfigMap \
         `admin-acks` of `openshift-config`, as the article says that the message names",
        "",
    ),
    form(
        r"(?:Catalogd|OperatorController)\w+: Waiting for Deployment(?: to (?:act on changes|(?:deploy|update) pods))?",
        Some(Verdict::Passes),
        "a Deployment of OLM v1 is being rolled out, as in an update of OpenShift",
        "if it stays for minutes, look at the pods in `openshift-catalogd` and `openshift-operator-controller`",
        "",
    ),
    form(
        r"(?:Cluster operator olm should not be upgraded between minor(?: or major)? versions:? ?)?(?:\w+Upgradeable: )?Found ClusterExtensions that require upgrades prior to upgrading cluster to version (?<version>[\d.]+): (?<text>.+)",
        Some(Verdict::Waits),
        "ClusterExtensions do not support OpenShift {version}, and stop updates to it: {text}",
        UPDATE_OPERATOR,
        NO_FORCE,
    ),
    form(
        r"Cluster operator (?<operator>[\w-]+) should not be upgraded between minor(?: or major)? versions:? ?(?<text>[^*]*)",
        Some(Verdict::Waits),
        "the ClusterOperator {operator} stops updates of OpenShift to another minor version, for a reason that is not about OLM's \
         operators: {text}",
        "remove the cause that its condition `Upgradeable` names",
        "",
    ),
];

const SUPPORTS_UP_TO: &str = "{csv} in namespace {namespace} supports OpenShift up to {version}, and stops updates of OpenShift to a \
    minor version above it; those within the present one go on";
