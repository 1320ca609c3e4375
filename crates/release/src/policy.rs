//! How a new version is to be reached in a channel, and the edges that it gets by this policy.

use crate::refusal::{Advice, Reason, Refusal};
use catalog::{BundleName, Channel, ChannelName, Entry, Package};
use go_semver::blang::Version;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use update_graph::{Change, ChannelEdit, Edit, NewEntry, version_of};

/// A way to release a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Policy {
    /// The new version replaces the head.
    ReplaceHead,
    /// It replaces the head, and older versions of the minor update to it directly.
    DirectJumps,
    /// It takes the place of a head that nobody is to be updated to.
    WithdrawHead,
    /// The newest version of a minor: all others of the minor update to it directly.
    ZStream,
    /// The first version of a minor, with a channel of its own.
    NewMinor,
    /// A version below the head, on the way to the next one.
    Hotfix,
    /// A version below the head, which the next one skips.
    SkippedHotfix,
    PreRelease,
    /// The version that pre-releases led to.
    Final,
    /// A version of another channel.
    Promote,
    /// A version that is there, built again.
    Rebuild,
}

impl Policy {
    /// All policies.
    pub const ALL: [Self; 11] = [
        Self::ReplaceHead,
        Self::DirectJumps,
        Self::WithdrawHead,
        Self::ZStream,
        Self::NewMinor,
        Self::Hotfix,
        Self::SkippedHotfix,
        Self::PreRelease,
        Self::Final,
        Self::Promote,
        Self::Rebuild,
    ];

    /// Its id in arguments and answers.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::ReplaceHead => "replace-head",
            Self::DirectJumps => "direct-jumps",
            Self::WithdrawHead => "withdraw-head",
            Self::ZStream => "z-stream",
            Self::NewMinor => "new-minor",
            Self::Hotfix => "hotfix",
            Self::SkippedHotfix => "skipped-hotfix",
            Self::PreRelease => "pre-release",
            Self::Final => "final",
            Self::Promote => "promote",
            Self::Rebuild => "rebuild",
        }
    }

    /// What it means, as a sentence without its full stop.
    #[must_use]
    pub const fn describe(self) -> &'static str {
        match self {
            Self::ReplaceHead => "the new version replaces the head of the channel",
            Self::DirectJumps => "replace the head, and let older versions of its minor update directly",
            Self::WithdrawHead => "take the place of the head, which nobody is updated to any more",
            Self::ZStream => "replace the newest version, and let all of this minor update directly",
            Self::NewMinor => "open a channel for a new minor; channels that are there get the version as their head",
            Self::Hotfix => "put the version below the head, as a step on the way to the next version",
            Self::SkippedHotfix => "put the version below the head, and let the next version skip it",
            Self::PreRelease => "a pre-release replaces the head of the channel",
            Self::Final => "replace the head, and take over who has a pre-release of this version",
            Self::Promote => "add a version of another channel to this one",
            Self::Rebuild => "put a new build of the same version in its place (`olm.template.substitutes`)",
        }
    }
}

// The edges that a version gets by a policy.

/// A version that is released.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release {
    pub name: BundleName,
    pub version: Version,
    /// The lowest version from which it may be updated to directly.
    pub from: Option<Version>,
}

/// What changes in a channel by a release.
///
/// # Errors
///
/// Why the policy does not fit the channel, and what to do instead.
pub fn release(
    policy: Policy,
    package: &Package,
    channel: &ChannelName,
    release: &Release,
) -> Result<ChannelEdit, Refusal> {
    let found = package.channel(channel.as_str()).filter(|channel| !channel.entries.is_empty());
    if found.is_some_and(|found| found.entry(release.name.as_str()).is_some()) {
        let sentence = format!("channel `{channel}` lists `{}` already", release.name);
        return Err(Refusal::new(Reason::AlreadyListed, sentence, "choose another channel, or repair its edges"));
    }
    let channels = Channels { package, release };
    channels.check_premise(policy, channel, found)?;
    let Some(found) = found else { return Ok(channels.new_channel(policy, channel)) };
    let [head] = catalog::heads(found)[..] else {
        let sentence = format!("channel `{channel}` does not have one head, but {}", catalog::heads(found).len());
        let instead = "correct the channel first: `opscope validate` says where";
        return Err(Refusal::new(Reason::PolicyUnfit, sentence, instead));
    };
    let head = found.entry(head).unwrap_or(&found.entries[0]);
    let is_below = version_of(package, &head.name.value).is_some_and(|version| version > release.version);
    let is_hotfix = matches!(policy, Policy::Hotfix | Policy::SkippedHotfix);
    if is_below && !is_hotfix {
        let sentence = format!("{} is below the head `{}` of channel `{channel}`", release.version, head.name.value);
        let refusal = Refusal::new(Reason::PolicyUnfit, sentence, "release it in another channel");
        return Err(refusal.advising(Some(channel), [Advice::Policy(Policy::Hotfix)]));
    }
    let (added, edits) = match policy {
        Policy::ReplaceHead | Policy::NewMinor | Policy::PreRelease => (channels.replacing(head), Vec::new()),
        Policy::DirectJumps | Policy::ZStream => channels.with_jumps(policy, found, head)?,
        Policy::WithdrawHead => (channels.withdrawing(head), Vec::new()),
        Policy::Hotfix | Policy::SkippedHotfix => {
            let next = channels.next_above(found).unwrap_or(head);
            channels.hotfix(policy, found, next)
        }
        Policy::Final => (channels.after_candidates(found, head), Vec::new()),
        Policy::Promote => (channels.promoted(found, head), Vec::new()),
        Policy::Rebuild => {
            let sentence = "a new build of the same version has no entry of its own";
            let instead = "name its image in an `olm.template.substitutes`, or release it as a new version";
            return Err(Refusal::new(Reason::NotExpressible, sentence, instead));
        }
    };
    if policy == Policy::PreRelease && release.version.pre().is_empty() {
        let sentence = format!("{} is no pre-release", release.version);
        let refusal = Refusal::new(Reason::PolicyUnfit, sentence, "give it the version of a pre-release");
        let others = [Policy::ReplaceHead, Policy::Final];
        return Err(refusal.advising(Some(channel), others.map(Advice::Policy)));
    }
    Ok(ChannelEdit { added: vec![added], ..ChannelEdit::of(channel, edits) })
}

struct Channels<'r> {
    package: &'r Package,
    release: &'r Release,
}

impl Channels<'_> {
    fn version(&self, name: &BundleName) -> Option<Version> {
        version_of(self.package, name)
    }

    fn entry(&self, replaces: Option<&BundleName>) -> NewEntry {
        let name = self.release.name.clone();
        NewEntry { name, replaces: replaces.cloned(), skips: Vec::new(), skip_range: None }
    }

    /// Checks that a channel has what the policy is about.
    fn check_premise(&self, policy: Policy, name: &ChannelName, channel: Option<&Channel>) -> Result<(), Refusal> {
        let version = &self.release.version;
        let (sentence, others) = match policy {
            Policy::ZStream if channel.and_then(|channel| self.lowest_of(channel, version)).is_none() => {
                let sentence = format!("no {}.{} in `{name}`", version.major(), version.minor());
                (sentence, [Policy::ReplaceHead, Policy::NewMinor])
            }
            Policy::Hotfix | Policy::SkippedHotfix
                if channel.and_then(|channel| self.next_above(channel)).is_none() =>
            {
                let sentence = format!("no version of channel `{name}` is above {version}");
                (sentence, [Policy::ReplaceHead, Policy::ZStream])
            }
            _ => return Ok(()),
        };
        let refusal = Refusal::new(Reason::PolicyUnfit, sentence, "choose another channel").not_for_it();
        Err(refusal.advising(Some(name), others.map(Advice::Policy)))
    }

    fn replacing(&self, head: &Entry) -> NewEntry {
        self.entry(Some(&head.name.value))
    }

    /// The versions of the package below the new one, with their names, from all channels.
    fn below(&self) -> BTreeSet<(Version, BundleName)> {
        let names =
            self.package.channels.iter().flat_map(|channel| channel.entries.iter().map(|entry| &entry.name.value));
        let known = names.filter_map(|name| Some((self.version(name)?, name.clone())));
        known.filter(|(version, _)| *version < self.release.version).collect()
    }

    /// A channel that the package does not have, or that has no entries. Its only entry replaces the newest version, so that a Subscription can change
    /// to the channel; a version of a channel of pre-releases has nothing to replace there.
    fn new_channel(&self, policy: Policy, channel: &ChannelName) -> ChannelEdit {
        let newest = self.below().pop_last().map(|(_, name)| name);
        let added = vec![self.entry(newest.as_ref().filter(|_| policy != Policy::Promote))];
        ChannelEdit {
            is_new: self.package.channel(channel.as_str()).is_none(),
            added,
            ..ChannelEdit::of(channel, Vec::new())
        }
    }

    /// The lowest listed version of a minor.
    fn lowest_of(&self, channel: &Channel, minor: &Version) -> Option<Version> {
        let versions = channel.entries.iter().filter_map(|entry| self.version(&entry.name.value));
        let is_of_minor = |version: &Version| (version.major(), version.minor()) == (minor.major(), minor.minor());
        versions.filter(is_of_minor).min()
    }

    /// The head is replaced, and a range covers the versions from which a direct update is wanted: all of the minor.
    fn with_jumps(&self, policy: Policy, channel: &Channel, head: &Entry) -> Result<(NewEntry, Vec<Edit>), Refusal> {
        let version = &self.release.version;
        let of_head = || self.version(&head.name.value).and_then(|head| self.lowest_of(channel, &head));
        let from = match policy {
            Policy::ZStream => Some(Version::new(version.major(), version.minor(), 0)),
            _ => self.lowest_of(channel, version).or_else(of_head),
        };
        let Some(from) = self.release.from.clone().or(from).filter(|from| from < version) else {
            let sentence = format!("no version below {version} is known from which it may be updated to directly");
            let refusal = Refusal::new(Reason::PolicyUnfit, sentence, "give the version with `--lowest`");
            return Err(refusal.advising(Some(&channel.name.value), [Advice::Policy(Policy::ReplaceHead)]));
        };
        let range = format!(">={from} <{version}");
        Ok((NewEntry { skip_range: Some(range.into()), ..self.replacing(head) }, Vec::new()))
    }

    /// The head is skipped, so that its own edges stop to count: the new entry takes them over.
    fn withdrawing(&self, head: &Entry) -> NewEntry {
        let replaces = head.replaces.as_ref().map(|name| &name.value);
        let mut skips = vec![head.name.value.clone()];
        for name in head.skips.iter().map(|name| &name.value).filter(|name| !name.as_str().is_empty()) {
            if !skips.contains(name) {
                skips.push(name.clone());
            }
        }
        let skip_range = head.skip_range.as_ref().map(|range| range.value.text.clone());
        NewEntry { skips, skip_range, ..self.entry(replaces) }
    }

    /// The lowest version of the channel above the new one that no entry skips.
    fn next_above<'e>(&self, channel: &'e Channel) -> Option<&'e Entry> {
        let skipped: BTreeSet<_> =
            channel.entries.iter().flat_map(|entry| &entry.skips).map(|skip| &skip.value).collect();
        let versions = channel.entries.iter().filter_map(|entry| Some((self.version(&entry.name.value)?, entry)));
        let above =
            versions.filter(|(version, entry)| *version > self.release.version && !skipped.contains(&entry.name.value));
        above.min_by(|(a, _), (b, _)| a.cmp(b)).map(|(_, next)| next)
    }

    /// Below the next version of the channel: as a step on the way to it, or skipped by it.
    fn hotfix(&self, policy: Policy, channel: &Channel, next: &Entry) -> (NewEntry, Vec<Edit>) {
        let versions = channel.entries.iter().filter_map(|entry| Some((self.version(&entry.name.value)?, entry)));
        let replaced = next.replaces.as_ref().map(|name| &name.value);
        let is_below = |name: &&BundleName| self.version(name).is_some_and(|version| version < self.release.version);
        let previous = versions.filter(|(version, _)| *version < self.release.version);
        let previous = previous.max_by(|(a, _), (b, _)| a.cmp(b)).map(|(_, entry)| &entry.name.value);
        let edit = |change: Change| Edit { entry: next.name.value.clone(), change };
        match (policy, replaced.filter(is_below)) {
            (Policy::Hotfix, Some(replaced)) => {
                (self.entry(Some(replaced)), vec![edit(Change::Replace(self.release.name.clone()))])
            }
            (_, replaced) => (self.entry(replaced.or(previous)), vec![edit(Change::Skip(self.release.name.clone()))]),
        }
    }

    /// The head is replaced, and pre-releases of the version that other channels list are skipped.
    fn after_candidates(&self, channel: &Channel, head: &Entry) -> NewEntry {
        let version = &self.release.version;
        let is_candidate = |candidate: &Version| {
            !candidate.pre().is_empty()
                && (candidate.major(), candidate.minor(), candidate.patch())
                    == (version.major(), version.minor(), version.patch())
        };
        let skips = self
            .below()
            .into_iter()
            .filter(|(version, name)| is_candidate(version) && channel.entry(name.as_str()).is_none());
        NewEntry { skips: skips.map(|(_, name)| name).collect(), ..self.replacing(head) }
    }

    /// The head is replaced, and a range covers versions that are in other channels alone.
    fn promoted(&self, channel: &Channel, head: &Entry) -> NewEntry {
        let head_version = self.version(&head.name.value);
        let is_between = |(version, name): &(Version, BundleName)| {
            head_version.as_ref().is_some_and(|head| version > head) && channel.entry(name.as_str()).is_none()
        };
        let has_others = self.below().iter().any(is_between);
        let range = head_version.as_ref().filter(|_| has_others);
        let skip_range = range.map(|head| format!(">={head} <{}", self.release.version).into());
        NewEntry { skip_range, ..self.replacing(head) }
    }
}

// `release-config.yaml`, from which the pipelines of the community catalogs add a bundle to templates
// (operator-pipelines `operatorcert/schemas/release-config-schema.json` and
// `operatorcert/entrypoints/add_bundle_to_fbc.py`).

/// The name of a template, and its channels, each with the entry that it gets; an `olm.semver` template computes entries.
pub type TemplateRelease<'r> = (&'r str, Vec<(&'r str, Option<&'r NewEntry>)>);

/// The file: for each template its name and what changes in its channels. Channels with the same edges share an item.
#[must_use]
pub fn release_config(templates: &[TemplateRelease<'_>]) -> String {
    let mut out = String::from("---\ncatalog_templates:\n");
    for (template, channels) in templates {
        let mut items: Vec<(Vec<&str>, Option<&NewEntry>)> = Vec::new();
        for (channel, entry) in channels {
            match items.iter_mut().find(|(_, other)| other == entry) {
                Some((names, _)) => names.push(channel),
                None => items.push((vec![channel], *entry)),
            }
        }
        for (names, entry) in items {
            let mut lines = vec![format!("template_name: {}", fbc::plain(template))];
            let list = |names: &[&str]| names.iter().map(|name| fbc::plain(name)).collect::<Vec<_>>().join(", ");
            lines.push(format!("channels: [{}]", list(&names)));
            if let Some(entry) = entry {
                lines.extend(entry.replaces.as_ref().map(|name| format!("replaces: {}", fbc::plain(name.as_str()))));
                let skips: Vec<&str> = entry.skips.iter().map(|name| name.as_str()).collect();
                lines.extend((!skips.is_empty()).then(|| format!("skips: [{}]", list(&skips))));
                lines.extend(
                    entry.skip_range.as_ref().map(|range| format!("skipRange: '{}'", range.replace('\'', "''"))),
                );
            }
            writeln!(out, "  - {}", lines.join("\n    ")).expect("a string takes all that is written");
        }
    }
    out
}
