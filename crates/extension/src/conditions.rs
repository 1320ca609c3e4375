//! The conditions in the status of a ClusterExtension (operator-controller
//! `internal/operator-controller/controllers/common_controller.go`, `clusterextension_controller.go`), for the default
//! runtime, which installs with Helm.

use std::collections::BTreeMap;
use std::fmt;

use catalog::{BundleName, Deprecation, DeprecationTarget};
use go_semver::blang::Quoted;

use crate::error::ResolveError;
use crate::readiness::{Refusal, apply_error, is_configuration_error};
use crate::resolve::Resolved;
use cluster::ClusterExtension;
use source::{OlmV1, OlmV1Release};

/// The longest message in bytes that Kubernetes takes.
const MAX_MESSAGE: usize = 32_768;
/// What ends a message that was cut.
const TRUNCATED: &str = "\n\n... [message truncated]";

const NOT_INSTALLED: &str = "no bundle installed yet";
const DEPRECATION_UNKNOWN: &str = "deprecation status unknown: catalog data unavailable";

/// The conditions of an extension, by type.
pub type Conditions = BTreeMap<ConditionType, Condition>;

/// The type of a condition. The `Display` form is the name in the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConditionType {
    Installed,
    /// Whether the last reconciliation reached what the extension wants.
    Progressing,
    /// Whether one of the other three deprecations holds.
    Deprecated,
    PackageDeprecated,
    /// About the selected channels; about all channels if none is selected.
    ChannelDeprecated,
    /// About the installed bundle.
    BundleDeprecated,
}

/// A condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// `status`: `None` for `Unknown`.
    pub status: Option<bool>,
    pub reason: Reason,
    pub message: Box<str>,
}

/// The reason of a condition. The `Display` form is the name in the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    Succeeded,
    Retrying,
    InvalidConfiguration,
    Failed,
    Absent,
    Deprecated,
    NotDeprecated,
    DeprecationStatusUnknown,
}

impl fmt::Display for ConditionType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl Condition {
    fn new(status: Option<bool>, reason: Reason, message: &str) -> Self {
        Self { status, reason, message: truncated(message).into() }
    }
}

/// The condition `Installed`; `image` is that of the installed bundle.
pub(crate) fn installed(image: Option<&str>) -> Condition {
    match image {
        Some(image) => Condition::new(Some(true), Reason::Succeeded, &format!("Installed bundle {image} successfully")),
        None => Condition::new(Some(false), Reason::Failed, "No bundle installed"),
    }
}

/// The condition `Progressing`; no resolution error is terminal.
pub(crate) fn progressing(error: Option<&ResolveError>) -> Condition {
    match error {
        Some(error) => Condition::new(Some(true), Reason::Retrying, &error.to_string()),
        None => Condition::new(Some(true), Reason::Succeeded, "Desired state reached"),
    }
}

/// The condition `Progressing` after a bundle was chosen that OLM v1 refuses; absent if it refuses nothing. It does not try
/// again with a configuration that does not fit, except in older releases.
pub(crate) fn not_applied(resolved: &Resolved, refusals: &[Refusal], olm: OlmV1) -> Option<Condition> {
    if let Some(Refusal::Reported(failure)) = refusals.first() {
        return Some(Condition::new(Some(true), Reason::Retrying, &failure.text));
    }
    let error = apply_error(refusals)?;
    let (bundle, version) = (resolved.bundle.as_str(), resolved.version_release().recorded());
    let message = format!("error for resolved bundle {} with version {}: {error}", Quoted(bundle), Quoted(&version));
    Some(if is_configuration_error(refusals) && olm.release() >= OlmV1Release::RELEASES {
        Condition::new(Some(false), Reason::InvalidConfiguration, &message)
    } else {
        Condition::new(Some(true), Reason::Retrying, &message)
    })
}

/// The four conditions about deprecations. `known` is absent after every failed resolution: it gives no deprecations. None for
/// older releases, in which they depend on what they were before.
pub(crate) fn deprecations(
    extension: &ClusterExtension,
    installed: Option<&BundleName>,
    known: Option<&[Deprecation]>,
) -> Conditions {
    if extension.olm.release() < OlmV1Release::RELEASES {
        return Conditions::new();
    }
    let absent = Condition::new(None, Reason::Absent, NOT_INSTALLED);
    let Some(known) = known else {
        let unknown = Condition::new(None, Reason::DeprecationStatusUnknown, DEPRECATION_UNKNOWN);
        return Conditions::from([
            (ConditionType::Deprecated, unknown.clone()),
            (ConditionType::PackageDeprecated, unknown.clone()),
            (ConditionType::ChannelDeprecated, unknown.clone()),
            (ConditionType::BundleDeprecated, if installed.is_some() { unknown } else { absent }),
        ]);
    };
    let messages = |is_about: &dyn Fn(&DeprecationTarget) -> bool| -> Vec<&str> {
        let found = known.iter().filter(|deprecation| is_about(&deprecation.target));
        found.map(|deprecation| &*deprecation.message).filter(|message| !message.is_empty()).collect()
    };
    let channels = &extension.channels;
    let package = messages(&|target| *target == DeprecationTarget::Package);
    let channel = messages(&|target| match target {
        DeprecationTarget::Channel(name) => channels.is_empty() || channels.contains(name),
        DeprecationTarget::Package | DeprecationTarget::Bundle(_) => false,
    });
    let bundle = messages(&|target| match target {
        DeprecationTarget::Bundle(name) => installed == Some(name),
        DeprecationTarget::Package | DeprecationTarget::Channel(_) => false,
    });
    let condition = |messages: &[&str], otherwise: &str| match messages {
        [] => Condition::new(Some(false), Reason::NotDeprecated, otherwise),
        messages => Condition::new(Some(true), Reason::Deprecated, &messages.join("\n")),
    };
    let all = [&package[..], &channel, &bundle].concat();
    let of_bundle = if installed.is_some() { condition(&bundle, "bundle not deprecated") } else { absent };
    Conditions::from([
        (ConditionType::Deprecated, condition(&all, "not deprecated")),
        (ConditionType::PackageDeprecated, condition(&package, "package not deprecated")),
        (ConditionType::ChannelDeprecated, condition(&channel, "channel not deprecated")),
        (ConditionType::BundleDeprecated, of_bundle),
    ])
}

fn truncated(message: &str) -> String {
    if message.len() <= MAX_MESSAGE {
        return message.to_owned();
    }
    let mut end = MAX_MESSAGE - TRUNCATED.len();
    while !message.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}{TRUNCATED}", &message[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_messages_are_cut() {
        assert_eq!(truncated("short"), "short");
        let cut = truncated(&"é".repeat(20_000));
        assert!(cut.len() <= MAX_MESSAGE && cut.ends_with("é\n\n... [message truncated]"));
    }
}
