//! What a runtime does with the installed versions of a package, before and after a change. OLM v0 and OLM v1 implement it.

use crate::jump::Jumps;
use crate::path::Path;
use crate::row::{Row, UpdatedBy};
use crate::rule::Rule;
use crate::state::Installed;
use catalog::ChannelName;
use go_semver::blang::Version;
use std::cmp::Ordering;

/// Both states of a package, for Subscriptions to one channel, or for extensions that name the same channels.
pub(crate) trait Updater {
    /// What becomes of installed versions before the change: a path for each.
    fn old_paths(&self, installed: &[Installed<'_>]) -> Vec<Path>;

    /// The same after the change.
    fn new_paths(&self, installed: &[Installed<'_>]) -> Vec<Path>;

    /// The worst rule that applies.
    fn rule(&self, case: &Case<'_>) -> Option<Rule>;
}

/// An installed version, and a channel that lists it in the old state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Listed<'c> {
    pub(crate) channel: &'c ChannelName,
    pub(crate) installed: Installed<'c>,
}

/// A row without its rule.
pub(crate) struct Case<'r> {
    pub(crate) listed: Listed<'r>,
    pub(crate) version: Option<&'r Version>,
    pub(crate) old: &'r Path,
    pub(crate) new: &'r Path,
    pub(crate) jumps: &'r Jumps,
}

impl Case<'_> {
    /// Whether the next update leaves out all versions of a minor version that the updates came through before.
    pub(crate) fn jumps_a_minor(&self) -> bool {
        self.jumps.has_jump((self.old, self.new), self.version)
    }

    pub(crate) fn has_same_end(&self) -> bool {
        let installed = self.listed.installed.name;
        self.old.end(installed) == self.new.end(installed)
    }

    /// How the end compares to the one before, by version.
    pub(crate) fn compare_ends(&self) -> Option<Ordering> {
        Some(self.new.end_version(self.version)?.cmp(self.old.end_version(self.version)?))
    }
}

/// The rows of installed versions.
pub(crate) fn rows_of(updater: &dyn Updater, updated_by: UpdatedBy, listed: &[Listed<'_>]) -> Vec<Row> {
    let installed: Vec<Installed<'_>> = listed.iter().map(|listed| listed.installed).collect();
    let jumps = Jumps::default();
    let paths = updater.old_paths(&installed).into_iter().zip(updater.new_paths(&installed));
    let row = |((old, new), listed): ((Path, Path), &Listed<'_>)| {
        let version = listed.installed.version();
        let case = Case { listed: *listed, version: version.as_ref(), old: &old, new: &new, jumps: &jumps };
        let rule = updater.rule(&case);
        let (channel, installed) = (listed.channel.clone(), listed.installed.name.clone());
        Row { updated_by, channel, installed, version, old, new, rule }
    };
    paths.zip(listed).map(row).collect()
}
