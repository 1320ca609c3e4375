//! What the OperatorGroup has that OLM v1 does not (library-olm `migration/pkg/migration/compatibility.go`).

use super::check::{Acknowledgments, Check};
use crate::dump::{Dump, V0, is_empty, list_at, text_at};
use fbc::quoted;
use serde_json::Value;

const EXISTS: &str = "OperatorGroup exists";

/// The OperatorGroup of a namespace: of several the first by name.
pub(super) fn group<'d>(dump: &'d Dump, namespace: &str) -> Option<&'d Value> {
    dump.all_in(V0, "OperatorGroup", namespace).next()
}

pub(super) fn checks(dump: &Dump, namespace: &str, flags: Acknowledgments) -> Vec<Check> {
    let Some(group) = group(dump, namespace) else {
        return vec![match dump.is_complete {
            true => Check::failed(EXISTS, format!("no OperatorGroup found in namespace {namespace}")),
            false => {
                Check::not_known(EXISTS, format!("the manifests have no OperatorGroup in namespace `{namespace}`"))
            }
        }];
    };
    let scope = |name, failed: String, overridden: &str| {
        Check::soft(name, flags.watch_scope_change, failed, overridden.to_owned())
    };
    const ALL: &str = "overridden: operator will run AllNamespaces post-migration (watch scope change acknowledged)";
    let account = match text_at(group, "/spec/serviceAccountName") {
        "" => Check::passed("No scoped ServiceAccount", "OperatorGroup does not use a scoped service account"),
        _ => Check::soft(
            "No scoped ServiceAccount",
            flags.scoped_serviceaccount,
            "OperatorGroup has spec.serviceAccountName set; OLMv1 does not support scoped service accounts".to_owned(),
            "overridden: operator will use cluster-admin (scoped ServiceAccount acknowledged)".to_owned(),
        ),
    };
    let selects = ["/spec/selector/matchLabels", "/spec/selector/matchExpressions"];
    let selector = match selects.iter().all(|pointer| is_empty(group.pointer(pointer))) {
        true => Check::passed("No namespace selector", "OperatorGroup does not use a namespace selector"),
        false => scope(
            "No namespace selector",
            "OperatorGroup has spec.selector set; OLMv1 uses AllNamespaces — pass --acknowledge-watch-scope-change to override".to_owned(),
            ALL,
        ),
    };
    let strategy = match text_at(group, "/spec/upgradeStrategy") {
        "" | "Default" => "upgrade strategy is Default or unset".to_owned(),
        other => format!(
            "OperatorGroup upgradeStrategy {} is not mapped to OLMv1 and will be ignored post-migration",
            quoted(other)
        ),
    };
    let targets = match list_at(group, "/spec/targetNamespaces") {
        [] => Check::passed("AllNamespaces mode", "operator is in AllNamespaces mode"),
        _ => scope(
            "AllNamespaces mode",
            "OperatorGroup has spec.targetNamespaces set; operator must be in AllNamespaces mode for migration"
                .to_owned(),
            ALL,
        ),
    };
    let change = match list_at(group, "/status/namespaces") {
        [one] if one.as_str().is_some_and(|one| !one.is_empty()) => {
            let target = quoted(one.as_str().unwrap_or_default());
            let failed = format!(
                "OperatorGroup targets namespace {target}; post-migration the operator will run in AllNamespaces mode"
            );
            Some(scope("Namespace scope change", failed, "overridden: watch scope change acknowledged"))
        }
        [] if group.get("status").is_none() && !list_at(group, "/spec/targetNamespaces").is_empty() => {
            Some(Check::not_known("Namespace scope change", "the OperatorGroup has no `status.namespaces`"))
        }
        _ => None,
    };
    let mut checks = vec![account, selector, Check::passed("Upgrade strategy", strategy), targets];
    checks.extend(change);
    checks
}
