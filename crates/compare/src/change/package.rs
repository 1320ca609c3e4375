//! The package: its default channel, new channels, deprecations.

use super::case::{Case, Change};
use crate::edit::Edit;
use crate::extension::is_selectable;
use crate::rule::Rule;
use catalog::{ChannelName, DeprecationTarget, Package};

/// Another default channel, and new channels.
pub(super) fn channels(case: &Case<'_>) -> Vec<Change> {
    let found = case.edits.iter().filter_map(|edit| {
        let (rule, message) = match edit {
            Edit::DefaultChannel => {
                let name = |package: &Package| package.default_channel.as_ref().map_or("", |name| name.value.as_str()).to_owned();
                let (before, after) = (name(case.old), name(case.new));
                let message = format!(
                    "the default channel is `{after}` instead of `{before}`: Subscriptions without a channel may cross over, \
                     and new ones use it"
                );
                (Rule::DefaultChannelChanged, message)
            }
            Edit::ChannelAdded(name) => (Rule::ChannelAdded, format!("channel `{name}` is new")),
            _ => return None,
        };
        Some(Change { rule, message, edit: edit.clone() })
    });
    found.collect()
}

/// New channels that extensions of OLM v1 cannot name.
pub(super) fn unselectable_channels(case: &Case<'_>) -> Vec<Change> {
    let added = case.edits.iter().filter_map(|edit| match edit {
        Edit::ChannelAdded(name) if !is_selectable(name) => Some((edit, name)),
        _ => None,
    });
    let change = |(edit, name): (&Edit, &ChannelName)| {
        let message = format!(
            "channel `{name}` is new, and no extension of OLM v1 can name it: it is no DNS subdomain (lower-case letters, \
             digits, `-` and `.`)"
        );
        Change { rule: Rule::ChannelName, message, edit: edit.clone() }
    };
    added.map(change).collect()
}

/// New entries of `olm.deprecations`.
pub(super) fn deprecations(case: &Case<'_>) -> Vec<Change> {
    let is_new = |target: &DeprecationTarget| case.old.deprecations.iter().all(|known| known.target != *target);
    let new = case.new.deprecations.iter().filter(|deprecation| is_new(&deprecation.target));
    let change = |deprecation: &catalog::Deprecation| {
        let target = match &deprecation.target {
            DeprecationTarget::Package => "the package".to_owned(),
            DeprecationTarget::Channel(name) => format!("channel `{name}`"),
            DeprecationTarget::Bundle(name) => format!("bundle `{name}`"),
        };
        let message = format!("{target} is deprecated: Subscriptions get a condition that says so");
        let edit = Edit::Deprecation(deprecation.target.clone());
        Change { rule: Rule::DeprecationAdded, message, edit }
    };
    new.map(change).collect()
}
