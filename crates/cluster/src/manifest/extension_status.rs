//! Reads what ClusterExtensions report, and their revisions. A status that cannot be read tells nothing, and is no error.

use fbc::{Node, Value};

use crate::{
    ExtensionName, FailedProbe, InstalledBundle, NotUpgradeable, ReportedCondition, ReportedFailure, Revision, RollOut,
};

/// The names of the kind of a revision, the newest first.
const REVISION_KINDS: [&str; 2] = ["ClusterObjectSet", "ClusterExtensionRevision"];
/// The label of a revision with its extension, and the annotations with its bundle (operator-controller
/// `internal/operator-controller/labels/labels.go`).
const OWNER: &str = "olm.operatorframework.io/owner-name";
const BUNDLE_NAME: &str = "olm.operatorframework.io/bundle-name";
const BUNDLE_VERSION: &str = "olm.operatorframework.io/bundle-version";

/// What the text of a failure begins with that is about the bundle: its CustomResourceDefinitions, what OLM v1 does not support, and
/// what its install modes take (operator-controller `internal/operator-controller/applier/provider.go`,
/// `internal/operator-controller/rukpak/preflights/crdupgradesafety/crdupgradesafety.go`).
const ABOUT_BUNDLE: [&str; 3] =
    ["validating upgrade for CRD ", "unsupported bundle: ", "invalid ClusterExtension configuration: "];

/// Whether it is a revision.
pub(super) fn is_revision(kind: &str, api_version: &str) -> bool {
    REVISION_KINDS.contains(&kind) && (api_version.is_empty() || api_version.starts_with(super::extension::GROUP))
}

fn text<'n>(node: &'n Node, key: &str) -> &'n str {
    node.get(key).and_then(Node::as_str).unwrap_or_default()
}

fn items<'n>(node: Option<&'n Node>, key: &str) -> &'n [Node] {
    match node.and_then(|node| node.get(key)).map(|list| &list.value) {
        Some(Value::Sequence(items)) => items,
        _ => &[],
    }
}

/// The conditions in the status of an object.
pub(super) fn conditions(object: &Node) -> Vec<ReportedCondition> {
    let condition = |node: &Node| ReportedCondition {
        kind: text(node, "type").into(),
        status: text(node, "status").into(),
        reason: text(node, "reason").into(),
        message: text(node, "message").into(),
    };
    items(object.get("status"), "conditions").iter().map(condition).collect()
}

/// The condition of a type.
pub(super) fn find<'c>(conditions: &'c [ReportedCondition], kind: &str) -> Option<&'c ReportedCondition> {
    conditions.iter().find(|one| &*one.kind == kind)
}

/// What the condition `Progressing` says of a bundle that could not be applied.
pub(super) fn failure(conditions: &[ReportedCondition], namespace: &str, account: &str) -> Option<ReportedFailure> {
    let message = find(conditions, "Progressing")?.message.split_whitespace().collect::<Vec<_>>().join(" ");
    let start = message.find("error for resolved bundle \"")?;
    let message = &message[start..];
    let (bundle, rest) = message.strip_prefix("error for resolved bundle \"")?.split_once("\" with version \"")?;
    let (_, cause) = rest.split_once("\": ")?;
    let is_about_bundle = ABOUT_BUNDLE.iter().any(|start| cause.starts_with(start));
    let account = is_about_account(cause, namespace, account).then(|| account.into());
    Some(ReportedFailure { bundle: bundle.into(), text: message.into(), is_about_bundle, account })
}

/// The revision that an extension reports to roll out, where the manifests do not have its revisions. The conditions of a
/// revision that rolls out are mirrored.
pub(super) fn reported_revision(object: &Node, conditions: &[ReportedCondition]) -> Option<Revision> {
    let progressing = find(conditions, "Progressing")?;
    let is_rolling_out = matches!(&*progressing.reason, "RollingOut" | "ProgressDeadlineExceeded");
    let active = items(object.get("status"), "activeRevisions").last();
    let name = active.map(|last| text(last, "name")).filter(|_| is_rolling_out)?;
    Some(Revision {
        name: name.into(),
        number: 0,
        bundle: None,
        progress: progress(progressing),
        failed_probes: Vec::new(),
    })
}

fn progress(progressing: &ReportedCondition) -> RollOut {
    match &*progressing.reason {
        "ProgressDeadlineExceeded" => RollOut::Overdue,
        "Retrying" | "Blocked" => RollOut::Fails(progressing.message.clone()),
        _ => RollOut::Continues,
    }
}

/// A revision with its extension; `None` for the revision if it does not roll out: it is archived, or has succeeded (operator-controller
/// `internal/operator-controller/controllers/boxcutter_reconcile_steps.go`, `GetRevisionStates`).
pub(super) fn revision(object: &Node) -> Option<(ExtensionName, Option<Revision>)> {
    let metadata = object.get("metadata")?;
    let in_part = |part: &str, key: &str| metadata.get(part).map(|part| text(part, key)).unwrap_or_default();
    let owners = items(Some(metadata), "ownerReferences").iter();
    let owner = owners.filter(|owner| text(owner, "kind") == "ClusterExtension").map(|owner| text(owner, "name"));
    let owner = Some(in_part("labels", OWNER)).into_iter().chain(owner).find(|name| !name.is_empty())?;
    let spec = object.get("spec");
    let conditions = conditions(object);
    let is_true = |condition: &ReportedCondition| &*condition.status == "True";
    let is_over = spec.map(|spec| text(spec, "lifecycleState")) == Some("Archived")
        || find(&conditions, "Succeeded").is_some_and(is_true);
    let number = match spec.and_then(|spec| spec.get("revision")).map(|number| &number.value) {
        Some(Value::Number(number)) => number.integer().and_then(|number| i64::try_from(number).ok()),
        _ => None,
    };
    let bundle = in_part("annotations", BUNDLE_NAME);
    let bundle = (!bundle.is_empty()).then(|| InstalledBundle {
        name: bundle.into(),
        version: in_part("annotations", BUNDLE_VERSION).into(),
        release: None,
    });
    let unavailable = find(&conditions, "Available").filter(|one| &*one.reason == "ProbeFailure");
    let revision = (!is_over).then(|| Revision {
        name: text(metadata, "name").into(),
        number: number.unwrap_or_default(),
        bundle,
        progress: find(&conditions, "Progressing").map_or(RollOut::Continues, progress),
        failed_probes: unavailable.into_iter().flat_map(|one| one.message.lines().filter_map(probe)).collect(),
    });
    Some((owner.into(), revision))
}

/// Reads `Object Deployment.apps/v1 NAMESPACE/NAME: …` (operator-controller
/// `internal/operator-controller/controllers/clusterobjectset_controller.go`).
fn probe(line: &str) -> Option<FailedProbe> {
    let (kind, rest) = line.strip_prefix("Object ")?.split_once(' ')?;
    let (object, found) = rest.split_once(": ")?;
    let (namespace, name) = object.split_once('/').unwrap_or(("", object));
    let kind = kind.split_once('.').map_or(kind, |(kind, _)| kind);
    Some(FailedProbe { kind: kind.into(), namespace: namespace.into(), name: name.into(), found: found.into() })
}

/// The ClusterOperator of OLM v1, and what the names of those of OLM v0 begin with (openshift/cluster-olm-operator,
/// openshift/operator-framework-olm `manifests/`).
const OPERATORS: [&str; 2] = ["olm", "operator-lifecycle-manager"];

/// Whether it is a ClusterOperator of OLM.
pub(super) fn is_operator(kind: &str, api_version: &str, object: &Node) -> bool {
    let name = object.get("metadata").map(|metadata| text(metadata, "name")).unwrap_or_default();
    kind == "ClusterOperator"
        && (api_version.is_empty() || api_version.starts_with(super::object::CLUSTER_VERSION_GROUP))
        && (name == OPERATORS[0] || name.starts_with(OPERATORS[1]))
}

/// What a ClusterOperator says that keeps OpenShift from its next minor version.
pub(super) fn not_upgradeable(object: &Node) -> Option<NotUpgradeable> {
    let conditions = conditions(object);
    let found = find(&conditions, "Upgradeable").filter(|one| &*one.status == "False")?;
    let operator = object.get("metadata").map(|metadata| text(metadata, "name")).unwrap_or_default().into();
    Some(NotUpgradeable { operator, reason: found.reason.clone(), message: found.message.clone() })
}

/// Whether a message is about the ServiceAccount of an extension, as OLM v1 has them before v1.11: it lacks a right, or is not there
/// (operator-controller `internal/operator-controller/authorization/rbac.go`, `internal/operator-controller/authentication/tokengetter.go`).
pub(super) fn is_about_account(message: &str, namespace: &str, account: &str) -> bool {
    let forbidden = format!("is forbidden: User \"system:serviceaccount:{namespace}:{account}\"");
    !account.is_empty()
        && (message.contains("pre-authorization failed")
            || message.contains(&forbidden)
            || message.contains(&format!("ServiceAccount \"{account}\" not found"))
            || message.contains(&format!("serviceaccounts \"{account}\" not found"))
            || message.contains(&format!("service account \"{account}\" not found")))
}
