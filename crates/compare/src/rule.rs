//! The rules of comparisons, one table: id, level, what a rule says, and what clusters do and show.

use crate::settings::{Accepted, Difference, Settings, SettingsFault};
use source::{Level, Runtime, Severity};
use std::collections::BTreeMap;
use update_graph::version_in;

macro_rules! rules {
    ($($(#[doc = $doc:literal])* $group:ident { $($name:ident = $id:literal, $level:ident, $about:literal, $effect:literal;)* })*) => {
        /// A rule about an installed version or another change. Rules of one group are in order, the worst first.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Rule { $($(#[doc = $about] $name,)*)* }

        impl Rule {
            $($(#[doc = $doc])* pub const $group: &'static [Self] = &[$(Self::$name,)*];)*

            /// Its id.
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self { $($(Self::$name => $id,)*)* }
            }

            /// Its level, unless the user chose another one.
            #[must_use]
            pub const fn level(self) -> Level {
                match self { $($(Self::$name => Level::$level,)*)* }
            }

            /// What it says, as a sentence.
            #[must_use]
            pub const fn about(self) -> &'static str {
                match self { $($(Self::$name => $about,)*)* }
            }

            /// What clusters do and show, and what helps. Names are in backticks.
            #[must_use]
            pub const fn effect(self) -> &'static str {
                match self { $($(Self::$name => $effect,)*)* }
            }
        }
    };
}

rules! {
    /// Rules about installed versions under OLM v0, in the order in which they are tried: the worst first, and before those that
    /// follow from it.
    V0 {
        V0PackageGone = "v0-package-gone", Breaking, "The package is gone.",
            "No Subscription of a namespace with a Subscription to the package is resolved any more, also those of other operators. What is installed keeps running.";
        V0ChannelGone = "v0-channel-gone", Breaking, "The channel is gone.",
            "No Subscription of a namespace with a Subscription to the channel is resolved any more, also those of other operators. Keep the old channel with the same entries when a channel is renamed.";
        V0GraphBroken = "v0-graph-broken", Breaking, "OLM can no longer order the channel, or `opm` rejects the catalog.",
            "Each resolution that comes to the channel fails, also by a requirement of another operator: the channel has no head, several heads or a cycle.";
        V0Deprecated = "deprecated-property", Breaking, "`olm.deprecated` forbids the version, and nothing follows it, so that the namespace cannot be resolved.",
            "OLM must not keep the version and has nothing to replace it with, so that no Subscription of the namespace is resolved. Where something follows, clusters are updated at once.";
        V0Stranded = "v0-stranded", Breaking, "The version is stuck; before, it was updated or was the head.",
            "Nothing on the cluster says so: the Subscription stays `AtLatestKnown` without a condition, and the operator gets no updates.";
        V0Downgrade = "v0-downgrade", Breaking, "A skipRange leads to a lower version.",
            "OLM follows a skipRange that contains the installed version, even if the entry that has it is older. The operator is downgraded.";
        V0Loop = "v0-loop", Breaking, "The updates repeat forever.",
            "A skipRange leads back to a version that the operator has left, so that it is updated and downgraded in turns without an end.";
        V0LowerByName = "v0-lower-by-name", Risky, "`replaces` or `skips` lead to a lower version.",
            "OLM follows names and does not compare versions. This is right for a respin such as 1.0.1-1 after 1.0.1; otherwise the operator is downgraded.";
        V0EndLower = "v0-end-lower", Risky, "The updates end at a lower version than before.",
            "Clusters that have not come so far yet no longer get the newest version. Those that have it are rows of their own.";
        V0EndBehind = "v0-end-behind", Risky, "The updates no longer reach the head.",
            "Clusters are updated and then stop short of the head. Nothing on the cluster says so.";
        V0JumpWidened = "v0-jump-widened", Risky, "The next update leaves out a version in between, and crosses a minor or major version that it did not cross.",
            "What the version in between migrates is not migrated. Check its conversions and the stored versions of its CustomResourceDefinitions.";
        V0NextChanged = "v0-next-changed", Risky, "The next update is another one, to a version that was there before.",
            "Clusters that are on the way take another way than those that went before them, through versions that were tested for others.";
        V0ManualPending = "v0-manual-pending", Risky, "The next update leads elsewhere, because its target is no longer listed.",
            "An InstallPlan for the old target that waits for approval stays as it is. If it is approved, the cluster installs a version that no catalog lists; when OLM resolves the namespace again, another InstallPlan takes its place.";
        V0Unstranded = "v0-unstranded", Good, "The version gets updates again.",
            "It was stuck, or the resolution failed.";
        V0StillStranded = "v0-still-stranded", Neutral, "The version was stuck and still is.",
            "The change does not harm these clusters, but they still get no updates; the same fixes help.";
        V0EndHigher = "v0-end-higher", Neutral, "The updates end at a higher version than before.",
            "This is the normal release: clusters are updated to the new head.";
        V0PathLonger = "v0-path-longer", Neutral, "More updates lead to the same end.",
            "Clusters make one more update or several, one after the other.";
        V0PathShorter = "v0-path-shorter", Neutral, "Fewer updates lead to the same end.",
            "Clusters leave out versions in between; the next update leaves out no minor or major version.";
    }
    /// Rules about installed versions under OLM v1, the worst first.
    V1 {
        V1Error = "v1-error", Breaking, "OLM v1 finds no bundle for the version any more.",
            "The extension keeps running what it has, gets no updates, and its condition `Progressing` says `Retrying` with the error.";
        V1Ambiguous = "v1-ambiguous", Breaking, "Another catalog of the same priority has a bundle too, so OLM v1 chooses none.",
            "The extension keeps running what it has, gets no updates, and its condition `Progressing` says `Retrying` with the error. A `priority` of one ClusterCatalog, or a `selector` in the extension, decides.";
        V1Dependency = "v1-dependency", Breaking, "The next bundle has a dependency, which OLM v1 refuses.",
            "OLM v1 takes no lower bundle instead: every extension that could be updated gets the error.";
        V1Downgrade = "v1-downgrade", Breaking, "OLM v1 goes to a lower version.",
            "The installed bundle is deprecated, and OLM v1 prefers a bundle that is not, even a lower one. The operator is downgraded.";
        V1EndLower = "v1-end-lower", Risky, "The updates of OLM v1 end at a lower version than before.",
            "Extensions that have already passed the new end are rows of their own.";
        V1EndBehind = "v1-end-behind", Risky, "The updates of OLM v1 no longer reach the highest version.",
            "Extensions stop short of it, without a condition that says so.";
        V1JumpWidened = "v1-jump-widened", Risky, "The next update of OLM v1 leaves out a version in between, and crosses a minor or major version that it did not cross.",
            "Migrations of the versions in between do not run.";
        V1NextChanged = "v1-next-changed", Risky, "The next update of OLM v1 is another one, to a bundle that was there before.",
            "The change is retroactive: extensions that are on their way take another one.";
        V1ImageSwap = "v1-image-swap", Risky, "The bundle of the same version has another image, which OLM v1 applies in place.",
            "OLM v1 pulls the image of the catalog at every reconciliation, so that running extensions change without a new version. OLM v0 never notices.";
        V1PinLost = "v1-pin-lost", Risky, "No bundle has the version any more.",
            "Extensions whose `version` names exactly this version fail.";
        V1SuccessorLower = "v1-successor-lower", Risky, "An edge leads to a lower version, which OLM v0 follows and OLM v1 does not.",
            "OLM v1 takes the highest version, which is the installed one. Extensions never get the release.";
        V1Unstranded = "v1-unstranded", Good, "The version gets updates again under OLM v1.",
            "Extensions that stayed below the highest version are updated. Those with an error find a bundle.";
        V1EndHigher = "v1-end-higher", Neutral, "The updates of OLM v1 end at a higher version than before.",
            "This is the normal release: extensions are updated to the new version.";
        V1PathLonger = "v1-path-longer", Neutral, "More updates of OLM v1 lead to the same end.",
            "Extensions make one more update or several, one after the other.";
        V1PathShorter = "v1-path-shorter", Neutral, "Fewer updates of OLM v1 lead to the same end.",
            "Extensions leave out versions in between; the first update leaves out no minor or major version.";
    }
    /// Rules about other changes, the worst first.
    CHANGES {
        OwnDuplicateGvk = "own-duplicate-gvk", Breaking, "A bundle provides the same API twice, so that the resolver can never select it.",
            "OLM counts each API that a bundle provides and allows one provider in a namespace, also within one bundle. Remove the repeated `olm.gvk`.";
        VersionChanged = "version-changed", Breaking, "A bundle has another version under the same name.",
            "Clusters that have the bundle keep the old version. skipRanges and version ranges then see another version than the catalog says.";
        MinKubeNever = "min-kube-never", Breaking, "The new head of a channel has a `minKubeVersion` that OLM cannot parse.",
            "The resolver does not look at `minKubeVersion`. On every cluster the new CSV stays Pending with `CSV version parsing error`, and the update hangs. Write three numbers, as in `1.27.0`.";
        ProviderLost = "provider-lost", Breaking, "What met a requirement can no longer be chosen, and nothing else meets it.",
            "An entry that another one skips can be updated from, but never be installed as a dependency. Who requires it can neither be installed nor be updated.";
        EntryRemoved = "entry-removed", Risky, "A channel no longer lists a version, and the clusters that have it are updated.",
            "They are updated at once. The version can no longer be named as `startingCSV`, and OLM cannot fall back to it.";
        UnlistedWorse = "unlisted-worse", Risky, "A version that a channel does not list comes out worse with a Subscription to the channel.",
            "Rows are about versions that their channel lists. A Subscription that changes to the channel has another one, a Subscription without a channel may have one, and so may a cluster that installed it while it was listed.";
        HeadRollback = "head-rollback", Risky, "The head of a channel is a version that was listed before, below the head.",
            "New installations get the older version. Clusters that have the withdrawn one are rows of their own: they are stuck or downgraded.";
        DefaultChannelChanged = "default-channel-changed", Risky, "The package has another default channel.",
            "New installations from the console take it, and so do Subscriptions without a channel, which may move to it. OLM prefers it for dependencies. Subscriptions with a channel do not change.";
        ImageChanged = "image-changed", Risky, "A bundle has another image under the same name.",
            "With OLM v0, clusters that have the bundle never get the new image, and those that install it from now on do: the same version is not the same everywhere. OLM v1 applies the new image in place. The same digest in another registry is the same image. Release a new version instead.";
        ProvidesRemoved = "provides-removed", Risky, "The new head of a channel no longer provides an API.",
            "Custom resources of this API stay on the clusters, and nothing serves them any more.";
        RequiresAdded = "requires-added", Risky, "The new head of a channel requires something that the old one did not.",
            "OLM installs one more operator for it. If nothing meets the requirement, clusters stay at an older version, and nothing says so.";
        RangeNarrowed = "range-narrowed", Risky, "The new head of a channel requires a package in a range without versions that were allowed.",
            "Where such a version is installed, the update waits until that operator was updated, too.";
        ProvidesDuplicate = "provides-duplicate", Risky, "The new head of a channel provides an API that another package provides.",
            "OLM allows one provider of an API in a namespace: both packages can no longer be installed together.";
        DeprecatedProperty = "deprecated-property", Risky, "A bundle is forbidden by `olm.deprecated`, and those who have it are updated.",
            "OLM must not keep the version and has nothing to replace it with, so that no Subscription of the namespace is resolved. Where something follows, clusters are updated at once.";
        MaxOpenShiftLowered = "max-ocp-lowered", Risky, "The new head of a channel supports fewer versions of OpenShift.",
            "`olm.maxOpenShiftVersion` makes the cluster report `Upgradeable=False` until the operator is updated.";
        MinKubeRaised = "min-kube-raised", Risky, "The new head of a channel needs a later version of Kubernetes.",
            "The resolver does not look at `minKubeVersion`. On older clusters the new CSV stays Pending, and the update hangs.";
        InstallModeDropped = "install-mode-dropped", Risky, "The new head of a channel no longer supports an install mode.",
            "In namespaces whose OperatorGroup needs this mode, the new CSV fails with `UnsupportedOperatorGroup`.";
        ChannelName = "v1-channel-name", Risky, "A new channel has a name that no extension of OLM v1 can select.",
            "`channels` of a ClusterExtension takes DNS subdomains by RFC 1123 only, and the API server rejects others: `channels entries must be valid DNS1123 subdomains`. Extensions that name no channels get its bundles, too.";
        UnlistedUpdated = "unlisted-updated", Good, "A channel updates a version now that it does not list.",
            "Subscriptions that change to the channel, and those without a channel, are updated from it.";
        EdgesChanged = "edges-changed", Neutral, "Edges of entries changed, and no version that their channels list is updated in another way.",
            "They may matter to Subscriptions that change to the channel, to those without a channel, and to OLM v1.";
        EntryNewlySkipped = "entry-newly-skipped", Neutral, "An entry skips a version that none skipped.",
            "Clusters that have the skipped version are updated. It can still be named as `startingCSV`; otherwise OLM no longer installs it.";
        ChannelAdded = "channel-added", Neutral, "A channel is new.",
            "Nobody gets it who does not ask for it. It is risky if only this channel has the newest version and those who follow a channel that had the newest one so far miss it.";
        DeprecationAdded = "deprecation-added", Neutral, "`olm.deprecations` has a new entry.",
            "Subscriptions to what is deprecated show its message as a condition. OLM v0 resolves as before.";
        SupportEndsEarlier = "support-ends-earlier", Neutral, "By the lifecycle data, the support of a version ends earlier than before.",
            "OLM does not look at lifecycle data. The console of OpenShift shows `Self-support` for the version sooner.";
        ImageReplaced = "image-replaced", Neutral, "A bundle has an image in place of one that no cluster has, or a digest in place of a tag.",
            "Registries for builds and for stage are not those of clusters, so nobody has the former image. Whether a tag and a digest are the same image is not known.";
        Metadata = "metadata", Neutral, "The lifecycle data of a package was added, removed or changed.",
            "OLM does not look at it. The console of OpenShift shows it beside installed operators.";
        RelatedImages = "related-images", Neutral, "The new heads of the channels have related images that the old ones have not.",
            "Mirrors of disconnected clusters need these images.";
        HeadChanged = "head-changed", Neutral, "The head of a channel is a new version.",
            "This is the normal release.";
    }
    /// Rules about the Subscriptions of a cluster. What they mean for it, they say themselves.
    CLUSTER {
        CsvFails = "csv-fails", Breaking, "The new CSV does not fit the OperatorGroup, so that it never runs.", "";
        Frozen = "frozen", Breaking, "OLM can no longer resolve the namespace, because of this Subscription.", "";
        FrozenByOthers = "frozen", Breaking, "OLM can no longer resolve the namespace, although this Subscription is not the cause.", "";
        Stuck = "stuck", Breaking, "The operator is stuck; before, it was updated or was the head.", "";
        Downgraded = "downgraded", Breaking, "A skipRange leads to a lower version.", "";
        Loops = "loops", Breaking, "The updates repeat forever.", "";
        LowerByName = "lower-by-name", Risky, "`replaces` or `skips` lead to a lower version.", "";
        StopsEarlier = "stops-earlier", Risky, "The updates end at a lower version than before, or no longer at the head.", "";
        DependenciesAdded = "dependencies-added", Risky, "OLM installs more operators as dependencies.", "";
        OtherWay = "other-way", Risky, "The updates take another way.", "";
        NotCompared = "not-compared", Risky, "Opscope cannot tell what OLM does in one of the states.", "";
        CsvRuns = "csv-runs", Good, "The CSV did not fit the OperatorGroup, and does now.", "";
        Unfrozen = "unfrozen", Good, "OLM can resolve the namespace again.", "";
        Unstuck = "unstuck", Good, "The operator gets updates again.", "";
        GoesFurther = "goes-further", Neutral, "The updates lead to a higher version than before.", "";
        DependenciesRemoved = "dependencies-removed", Neutral, "OLM no longer installs an operator as dependency.", "";
        StillFrozen = "still-frozen", Neutral, "OLM still cannot resolve the namespace, with another error.", "";
        Same = "same", Neutral, "Nothing changes.", "";
    }
}

impl Rule {
    /// Whether it is about another next update.
    pub(crate) const fn is_of_next_update(self) -> bool {
        matches!(self, Self::V0NextChanged | Self::V0JumpWidened | Self::V1NextChanged | Self::V1JumpWidened)
    }

    /// All rules that have levels of the user, one for each id: an installed version and a change share the rule about `olm.deprecated`.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        for rule in [Self::V0, Self::V1, Self::CHANGES].into_iter().flatten() {
            if all.iter().all(|known| known.id() != rule.id()) {
                all.push(*rule);
            }
        }
        all
    }

    /// Whether the change may matter to Subscriptions without a channel, and to those that change theirs, of which the rows say
    /// nothing.
    #[must_use]
    pub const fn is_beside_rows(self) -> bool {
        let of_package = matches!(self, Self::DefaultChannelChanged | Self::ChannelAdded);
        of_package || matches!(self, Self::UnlistedWorse | Self::UnlistedUpdated)
    }

    /// Whether it matters to what these versions of OLM update.
    #[must_use]
    pub fn matters_to(self, runtime: Runtime) -> bool {
        match self {
            Self::ChannelName => runtime.has_v1(),
            Self::UnlistedWorse
            | Self::UnlistedUpdated
            | Self::EdgesChanged
            | Self::EntryNewlySkipped
            | Self::DefaultChannelChanged => runtime.has_v0(),
            _ => true,
        }
    }
}

// The user's levels for the rules of a comparison.

/// Levels that differ from those of the rules themselves, and differences that are accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    /// By id; `None` switches a rule off.
    pub(crate) chosen: BTreeMap<String, Option<Level>>,
    pub(crate) accepted: Vec<Accepted>,
    /// Today, `YYYY-MM-DD`; empty if it is not known.
    day: String,
}

impl Levels {
    /// Levels without a day.
    pub(crate) const fn new(chosen: BTreeMap<String, Option<Level>>, accepted: Vec<Accepted>) -> Self {
        Self { chosen, accepted, day: String::new() }
    }

    /// The levels of a file of settings, or of one that has levels alone.
    ///
    /// # Errors
    /// As [`Settings::parse`].
    pub fn parse(text: &str) -> Result<Self, Vec<SettingsFault>> {
        Settings::parse(text).map(|settings| settings.levels)
    }

    /// The same on a day, `YYYY-MM-DD`, after which some differences are no longer accepted.
    #[must_use]
    pub fn on(self, day: &str) -> Self {
        Self { day: day.to_owned(), ..self }
    }

    pub(crate) fn accepts(&self, difference: Difference<'_>) -> bool {
        self.accepted.iter().any(|accepted| accepted.holds_on(&self.day) && accepted.is_about(difference))
    }

    /// What is accepted of a finding about a set: the number of its installed versions that are, each with its channel, and a
    /// sentence for each entry that accepts some of them.
    #[must_use]
    pub fn accepted_of_set(
        &self,
        rule: source::Rule,
        package: &str,
        installed: &[(&str, &str)],
    ) -> (usize, Vec<String>) {
        let versions: Vec<_> = installed.iter().map(|(_, name)| version_in(name)).collect();
        let differences = installed.iter().zip(&versions).map(|((channel, name), version)| Difference {
            rule: rule.id(),
            package,
            channel: Some(channel),
            bundle: Some((name, version.as_ref())),
        });
        let accepted = differences.clone().filter(|difference| self.accepts(*difference)).count();
        (accepted, self.accepted_texts(differences))
    }

    /// A sentence for each entry that accepts some of the differences, or did until it ended.
    pub(crate) fn accepted_texts<'d>(&self, differences: impl Iterator<Item = Difference<'d>>) -> Vec<String> {
        // Most users accept nothing.
        let differences: Vec<_> = if self.accepted.is_empty() { Vec::new() } else { differences.collect() };
        let text = |accepted: &Accepted| match differences.iter().filter(|of| accepted.is_about(**of)).count() {
            0 => None,
            count => Some(accepted.sentence(count, &self.day)),
        };
        self.accepted.iter().filter_map(text).collect()
    }

    /// The same with rules of findings that are off.
    #[must_use]
    pub fn ignoring(mut self, rules: &[source::Rule]) -> Self {
        self.chosen.extend(rules.iter().map(|rule| (rule.id().to_owned(), None)));
        self
    }

    /// The severity of a finding of a catalog or a set; `None` if its rule is switched off. What `opm` rejects stays an error.
    #[must_use]
    pub fn severity(&self, id: &str, default: Severity) -> Option<Severity> {
        let Some(chosen) = self.chosen.get(id) else { return Some(default) };
        chosen.map(|level| match level {
            Level::Breaking => Severity::Error,
            Level::Risky => Severity::Warning,
            Level::Neutral | Level::Good => Severity::Hint,
        })
    }

    /// The level of a rule; `None` if it is switched off.
    #[must_use]
    pub fn of(&self, id: &str, default: Level) -> Option<Level> {
        self.chosen.get(id).copied().unwrap_or(Some(default))
    }
}

/// The ids of all rules.
pub fn rule_ids() -> impl Iterator<Item = &'static str> {
    Rule::all().into_iter().map(Rule::id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> Vec<String> {
        let faults = Levels::parse(text).unwrap_err();
        faults.iter().map(|fault| format!("{}:{} {}", fault.line, fault.column, fault.message)).collect()
    }

    #[test]
    fn levels_are_read() {
        let levels = Levels::parse("# ours\nv0-loop: off\nhead-changed: risky\n\"v0-stranded\": 'neutral'\n").unwrap();
        assert_eq!(levels.of("v0-loop", Level::Breaking), None);
        assert_eq!(levels.of("head-changed", Level::Neutral), Some(Level::Risky));
        assert_eq!(levels.of("v0-stranded", Level::Breaking), Some(Level::Neutral));
        assert_eq!(levels.of("v0-downgrade", Level::Breaking), Some(Level::Breaking));
        assert_eq!(Levels::parse(""), Ok(Levels::default()));
    }

    #[test]
    fn every_fault_has_its_place() {
        assert_eq!(
            faults("v0-strandd: off\nv0-loop:\n  bad\n"),
            [
                "1:1 there is no rule `v0-strandd`; did you mean `v0-stranded`?",
                "3:3 `v0-loop` needs a level: breaking, risky, neutral, good or off",
            ]
        );
        let near = "`v0-stranded`, `v0-unstranded` or `v0-still-stranded`";
        assert_eq!(faults("stranded: off\n"), [format!("1:1 there is no rule `stranded`; did you mean {near}?")]);
        assert_eq!(faults("x: risky\n"), ["1:1 there is no rule `x`; `opscope explain` lists them"]);
        assert_eq!(faults("- v0-loop\n"), [format!("1:1 {}", crate::settings::EXAMPLE)]);
        assert_eq!(faults("v0-loop: off\nv0-loop: risky\n").len(), 1);
        assert!(faults("a: [\n")[0].ends_with(crate::settings::EXAMPLE));
    }
}
