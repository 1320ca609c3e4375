//! Which sets of namespaces a CSV supports.

use catalog::InstallModes;
use cluster::EVERY_NAMESPACE;
use std::collections::BTreeSet;

/// The four install modes of the API.
pub(super) const ALL_NAMESPACES: &str = "AllNamespaces";
pub(super) const OWN_NAMESPACE: &str = "OwnNamespace";
const SINGLE_NAMESPACE: &str = "SingleNamespace";
const MULTI_NAMESPACE: &str = "MultiNamespace";

/// Whether an operator in the namespace `own` can watch the namespaces `targets`; otherwise OLM's text why not.
pub(super) fn supports(modes: &InstallModes, own: &str, targets: &BTreeSet<Box<str>>) -> Result<(), String> {
    let need = |mode: &str, what: &str| match modes.supports(mode) {
        true => Ok(()),
        false => Err(format!("{mode} InstallModeType not supported, cannot configure to watch {what}")),
    };
    let count = targets.len();
    match targets.first().map(|first| &**first) {
        None => Err("operatorgroup has invalid selected namespaces, cannot configure to watch zero namespaces".into()),
        Some(EVERY_NAMESPACE) if count == 1 => need(ALL_NAMESPACES, "all namespaces"),
        Some(one) if count == 1 && one == own => need(OWN_NAMESPACE, "own namespace"),
        Some(_) if count == 1 => need(SINGLE_NAMESPACE, "one namespace"),
        Some(_) => {
            need(MULTI_NAMESPACE, &format!("{count} namespaces"))?;
            if targets.contains(own) {
                need(OWN_NAMESPACE, "own namespace")?;
            }
            match targets.contains(EVERY_NAMESPACE) {
                true => Err(
                    "operatorgroup has invalid selected namespaces, NamespaceAll found when |selected namespaces| > 1"
                        .into(),
                ),
                false => Ok(()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text for a CSV in `ops` that supports these modes; empty if it supports the targets.
    #[track_caller]
    fn check(targets: &[&str], supported: &[&str], expected: &str) {
        let modes: InstallModes = supported.iter().map(|mode| (*mode, true)).collect();
        let targets = targets.iter().map(|target| (*target).into()).collect();
        assert_eq!(supports(&modes, "ops", &targets).err().unwrap_or_default(), expected);
    }

    const ALL_TEXT: &str = "AllNamespaces InstallModeType not supported, cannot configure to watch all namespaces";
    const OWN_TEXT: &str = "OwnNamespace InstallModeType not supported, cannot configure to watch own namespace";

    #[test]
    fn the_targets_of_a_group_need_a_mode() {
        check(&[""], &["AllNamespaces"], "");
        check(&[""], &["OwnNamespace", "SingleNamespace"], ALL_TEXT);
        check(&["ops"], &["AllNamespaces"], OWN_TEXT);
        check(&["a", "ops"], &["MultiNamespace"], OWN_TEXT);
        check(&["a", "ops"], &["MultiNamespace", "OwnNamespace"], "");
        let multi = "MultiNamespace InstallModeType not supported, cannot configure to watch 2 namespaces";
        check(&["a", "ops"], &["OwnNamespace"], multi);
        let single = "SingleNamespace InstallModeType not supported, cannot configure to watch one namespace";
        check(&["a"], &["OwnNamespace"], single);
        check(&[""], &[], ALL_TEXT);
        let none = "operatorgroup has invalid selected namespaces, cannot configure to watch zero namespaces";
        check(&[], &["AllNamespaces"], none);
        let both = "operatorgroup has invalid selected namespaces, NamespaceAll found when |selected namespaces| > 1";
        check(&["", "a"], &["MultiNamespace"], both);
    }
}
