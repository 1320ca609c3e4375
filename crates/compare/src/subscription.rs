//! OLM v0: Subscriptions to a channel.

use crate::path::{ChannelState, Path};
use crate::rule::Rule;
use crate::state::{Installed, PackageState, State};
use crate::updater::{Case, Updater};
use catalog::predicate::PackageName;
use catalog::{BundleName, Channel, ChannelName, Package};
use std::cmp::Ordering;

/// Both states of a package under OLM v0.
pub(crate) struct SubscriptionStates<'c> {
    before: PackageState<'c>,
    after: PackageState<'c>,
    old: Option<&'c Package>,
    new: Option<&'c Package>,
}

impl<'c> SubscriptionStates<'c> {
    pub(crate) fn of(old: State<'c>, new: State<'c>, name: &PackageName) -> Self {
        Self {
            before: PackageState::of(old, name),
            after: PackageState::of(new, name),
            old: old.catalog.package(name.as_str()),
            new: new.catalog.package(name.as_str()),
        }
    }

    /// For trials, which ask only whether a resolution fails.
    pub(crate) fn without_texts(self) -> Self {
        Self { before: self.before.without_texts(), after: self.after.without_texts(), ..self }
    }

    /// For Subscriptions to a channel.
    pub(crate) fn channel<'s>(&'s self, name: &'s ChannelName) -> SubscriptionChannel<'s> {
        let channel = |package: Option<&'c Package>| package?.channel(name.as_str());
        SubscriptionChannel { states: self, name, before: channel(self.old), after: channel(self.new) }
    }
}

/// Both states of a channel.
pub(crate) struct SubscriptionChannel<'s> {
    states: &'s SubscriptionStates<'s>,
    name: &'s ChannelName,
    before: Option<&'s Channel>,
    after: Option<&'s Channel>,
}

impl Updater for SubscriptionChannel<'_> {
    fn old_paths(&self, installed: &[Installed<'_>]) -> Vec<Path> {
        self.states.before.paths(self.name, installed)
    }

    fn new_paths(&self, installed: &[Installed<'_>]) -> Vec<Path> {
        self.states.after.paths(self.name, installed)
    }

    fn rule(&self, case: &Case<'_>) -> Option<Rule> {
        // All other rules are about a difference, apart from that of a version whose resolution failed.
        if !case.is_stuck(case.new) && case.old.error.is_some() && case.old == case.new {
            return None;
        }
        Rule::V0.iter().copied().find(|rule| self.applies(*rule, case))
    }
}

impl SubscriptionChannel<'_> {
    fn applies(&self, rule: Rule, case: &Case<'_>) -> bool {
        let (old, new, installed) = (case.old, case.new, case.listed.installed.name);
        let becomes = |state: &ChannelState| new.state == *state && old.state != *state;
        let newly = |holds: &dyn Fn(&Path) -> bool| holds(new) && !holds(old);
        match rule {
            Rule::V0PackageGone => becomes(&ChannelState::PackageGone),
            Rule::V0ChannelGone => becomes(&ChannelState::ChannelGone),
            Rule::V0GraphBroken => becomes(&ChannelState::Broken),
            Rule::V0Deprecated => newly(&|path| path.head().is_some() && path.error.is_some()),
            Rule::V0Stranded => case.is_stuck(new) && (!old.is_empty() || old.head() == Some(installed)),
            Rule::V0StillStranded => case.is_stuck(new) && case.is_stuck(old),
            Rule::V0Unstranded => {
                !case.is_stuck(new) && new.head().is_some() && (case.is_stuck(old) || old.error.is_some())
            }
            Rule::V0Downgrade => newly(&|path| path.goes_down(case.version, true)),
            Rule::V0LowerByName => newly(&|path| path.goes_down(case.version, false)),
            Rule::V0Loop => newly(&|path| path.repeats),
            Rule::V0EndLower => case.compare_ends() == Some(Ordering::Less),
            Rule::V0EndHigher => case.compare_ends() == Some(Ordering::Greater),
            Rule::V0EndBehind => newly(&|path| path.head().is_some_and(|head| head != path.end(installed))),
            Rule::V0NextChanged => {
                let existed = |next: &BundleName| lists(self.before, next);
                old.next() != new.next() && old.next().is_some() && new.next().is_some_and(existed)
            }
            Rule::V0JumpWidened => case.jumps_a_minor(),
            Rule::V0ManualPending => {
                let is_gone = |next: &BundleName| !lists(self.after, next);
                old.next().is_some_and(is_gone) && new.next().is_some()
            }
            Rule::V0PathLonger => case.has_same_end() && new.len > old.len,
            Rule::V0PathShorter => case.has_same_end() && new.len < old.len,
            _ => false,
        }
    }
}

/// Whether a channel lists an entry.
fn lists(channel: Option<&Channel>, name: &BundleName) -> bool {
    channel.is_some_and(|channel| channel.entry(name.as_str()).is_some())
}

impl Case<'_> {
    /// Whether nothing follows the version, although it is not the head.
    fn is_stuck(&self, path: &Path) -> bool {
        path.is_empty() && path.error.is_none() && path.head().is_some_and(|head| head != self.listed.installed.name)
    }
}
