//! The version of OpenShift, from the object `ClusterVersion`.
//!
//! OLM reads it from the variable `RELEASE_VERSION` of its own Deployment (operator-lifecycle-manager
//! `pkg/controller/operators/openshift/helpers.go`), which the last complete update set; earlier versions of OLM read
//! `status.desired` of the object. While an update runs, the two differ.

use go_semver::blang::Version;
use source::{Diagnostic, Rule, Severity};

use super::fields::Fields;

/// The kind of the object.
pub(super) const KIND: &str = "ClusterVersion";
/// Its API group.
pub(super) const GROUP: &str = "config.openshift.io/";

/// The version of the newest complete update, or the desired one if none is complete.
pub(super) fn read(fields: &Fields<'_, '_>) -> Option<Version> {
    let status = fields.part("status");
    // The newest entry is the first.
    let history = status.parts("history").into_iter();
    let complete = history.filter(|update| update.text("state") == Some("Completed"));
    let update = complete.chain([status.part("desired")]).find(|update| update.non_empty("version").is_some())?;
    let text = update.non_empty("version")?;
    Version::parse_tolerant(text)
        .map_err(|error| {
            let place = update.place("version").unwrap_or(update.span);
            let message = format!("the version of OpenShift `{text}` is not a valid version: {error}");
            let finding =
                Diagnostic { severity: Severity::Warning, ..Diagnostic::new(Rule::InvalidVersion, place, message) };
            update.warn("version", finding.with_help("write a version such as `4.21.3`"));
        })
        .ok()
}
