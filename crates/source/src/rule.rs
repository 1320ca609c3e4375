//! The list of all rules, with id and severity.
//!
//! The rules themselves are in `rules/` of the lowest crate that knows enough to check them; their documentation is in
//! `rulebook`.

use crate::Severity;
use std::fmt;
use std::str::FromStr;

macro_rules! rules {
    ($($(#[doc = $doc:literal])* $name:ident = $id:literal, $severity:ident;)*) => {
        /// A rule that reports findings. Users see, filter by and ignore its kebab-case id.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rule { $($(#[doc = $doc])* $name,)* }

        impl Rule {
            /// Every rule, in the order of this file.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The kebab-case id.
            #[must_use]
            pub const fn id(self) -> &'static str {
                match self { $(Self::$name => $id,)* }
            }

            /// The default severity of its findings.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $(Self::$name => Severity::$severity,)* }
            }
        }
    };
}

rules! {
    /// A file is not text, or too large to read.
    UnreadableFile = "unreadable-file", Error;
    /// A file holds something other than catalog documents, such as a README; `opm` reads every file of a folder.
    NotACatalog = "not-a-catalog", Error;
    /// A document is not well-formed YAML or JSON.
    BrokenDocument = "broken-document", Error;
    /// A file has no text.
    EmptyFile = "empty-file", Hint;
    /// A file has more findings than are shown.
    MoreFindings = "more-findings", Hint;
    /// A document has no content, which `opm` rejects.
    EmptyDocument = "empty-document", Error;
    /// `opm` does not read part of a file.
    LostText = "lost-text", Warning;
    /// `opm` reads a value or a key differently from how it looks.
    ReinterpretedText = "reinterpreted-text", Warning;
    /// A mapping has the same key twice; the last one counts.
    DuplicateKey = "duplicate-key", Warning;
    /// A value has the wrong type.
    WrongType = "wrong-type", Error;
    /// A required field is missing.
    MissingField = "missing-field", Error;
    /// No reader knows the field.
    UnknownField = "unknown-field", Warning;
    /// A schema is misspelt, or has a name of OLM's and no reader.
    UnknownSchema = "unknown-schema", Warning;
    /// Documents name a package that none declares.
    UnknownPackage = "unknown-package", Error;
    /// Two documents, or two entries of one channel, have the same name.
    DuplicateName = "duplicate-name", Error;
    /// A name does not have the required form.
    InvalidName = "invalid-name", Error;
    /// The default channel is missing or does not exist.
    UnknownDefaultChannel = "unknown-default-channel", Error;
    /// A channel has no entries, or a package has no channels.
    EmptyChannel = "empty-channel", Error;
    /// Every entry of a channel is replaced or skipped.
    NoChannelHead = "no-channel-head", Error;
    /// A channel has several entries that nothing replaces or skips.
    MultipleChannelHeads = "multiple-channel-heads", Error;
    /// A chain of `replaces` returns to an entry it has passed.
    ReplacesCycle = "replaces-cycle", Error;
    /// The `replaces` chain from the head does not reach an entry, and nothing skips it.
    StrandedEntry = "stranded-entry", Error;
    /// No bundle document describes an entry.
    MissingBundle = "missing-bundle", Error;
    /// No channel lists a bundle.
    BundleInNoChannel = "bundle-in-no-channel", Error;
    /// A version is not a semantic version as blang reads it.
    InvalidVersion = "invalid-version", Error;
    /// Two bundles of one package have the same version.
    DuplicateVersion = "duplicate-version", Error;
    /// A range cannot be parsed by blang, or crashes it.
    InvalidRange = "invalid-range", Error;
    /// A release cannot be parsed, or does not fit the name or version of its bundle.
    InvalidRelease = "invalid-release", Error;
    /// An image is not a valid pull spec.
    InvalidImage = "invalid-image", Error;
    /// The value of a property does not have the form of its type.
    InvalidProperty = "invalid-property", Error;
    /// A `dependencies.yaml` or `properties.yaml` belongs to no bundle of any loaded catalog.
    UnattachedProperties = "unattached-properties", Warning;
    /// A deprecation does not fit the package.
    InvalidDeprecation = "invalid-deprecation", Error;
    /// Lifecycle data does not have the form of its schema.
    InvalidLifecycle = "invalid-lifecycle", Warning;
    /// A skipRange without `replaces` to the immediate predecessor, which takes versions out of the graph.
    SkipRangePruning = "skip-range-pruning", Warning;
    /// Skipped entries replace each other in a circle, in which OLM v0 finds no order, though `opm` accepts it.
    SkippedCycle = "skipped-cycle", Error;
    /// A CatalogSource is named but not given, or given without its catalog.
    UnknownCatalog = "unknown-catalog", Warning;
    /// A field of an object of OLM v1 is deprecated and ignored.
    DeprecatedField = "deprecated-field", Hint;
    /// `opm` does not expand a catalog template.
    InvalidTemplate = "invalid-template", Error;
    /// No loaded catalog has a bundle image of a template, so only a registry knows its content.
    NeedsRegistry = "needs-registry", Warning;
    /// A substitution of a template takes the last update away from the bundle that it replaces.
    StrandingSubstitution = "stranding-substitution", Warning;
    /// An entry cannot reach the head of its channel by updates, though `opm` accepts it.
    StuckEntry = "stuck-entry", Warning;
    /// OLM v0 does not follow a `replaces` because its entry is skipped, and no other edge makes up for it.
    IgnoredEdge = "ignored-edge", Hint;
    /// An entry replaces or skips a higher version.
    Downgrade = "downgrade", Warning;
    /// An entry replaces or skips itself.
    SelfReplacing = "self-replacing", Warning;
    /// An entry replaces or skips a name that is nearly that of another entry.
    MisspeltName = "misspelt-name", Warning;
    /// The head of a channel is not its highest version.
    HeadBelowEntry = "head-below-entry", Warning;
    /// Users cannot leave a channel for newer versions in others.
    DeadEndChannel = "dead-end-channel", Hint;
    /// A skipRange contains the entry's own version or higher ones.
    SkipRangeUpperBound = "skip-range-upper-bound", Warning;
    /// A skipRange does not contain the version that its entry replaces.
    SkipRangeExcludesReplaced = "skip-range-excludes-replaced", Hint;
    /// A skipRange matches no version of the package.
    IdleSkipRange = "idle-skip-range", Hint;
    /// A skipRange has no lower bound.
    OpenSkipRange = "open-skip-range", Hint;
    /// A skipRange is only in the annotations of a CSV.
    SkipRangeAnnotation = "skip-range-annotation", Hint;
    /// A range means something else than it seems to.
    MisreadRange = "misread-range", Warning;
    /// No version satisfies a range.
    NeverTrueRange = "never-true-range", Warning;
    /// A required range contains prereleases of its upper bound.
    PrereleaseInRange = "prerelease-in-range", Hint;
    /// OLM cannot read a requirement, which stops every resolution of a namespace.
    InvalidConstraint = "invalid-constraint", Error;
    /// Nothing in the loaded catalogs meets a requirement.
    UnsatisfiableRequirement = "unsatisfiable-requirement", Warning;
    /// Only channels other than the default one meet a requirement.
    NonDefaultProvider = "non-default-provider", Hint;
    /// Only deprecated bundles meet a requirement.
    DeprecatedRequirement = "deprecated-requirement", Warning;
    /// A requirement has a narrow maximum version.
    VersionCap = "version-cap", Hint;
    /// An API is required without a minimum version of its only provider.
    NoMinimumVersion = "no-minimum-version", Hint;
    /// Two different operators may meet a required API and a required package.
    SplitRequirement = "split-requirement", Hint;
    /// Packages require each other.
    DependencyCycle = "dependency-cycle", Hint;
    /// Several packages of one catalog provide the same API.
    SeveralProviders = "several-providers", Hint;
    /// The default channel, or its head, is deprecated.
    DeprecatedDefault = "deprecated-default", Warning;
    /// A bundle provides one API twice and so conflicts with itself.
    DuplicateGvk = "duplicate-gvk", Error;
    /// A channel name contains `/`, so OLM can install nothing from it.
    SlashInChannel = "slash-in-channel", Error;
    /// No cluster can create the ClusterServiceVersion of a bundle, whose name is not one of Kubernetes.
    UncreatableName = "uncreatable-name", Error;
    /// The head of a channel has no CSV metadata or no display name, which OperatorHub needs.
    HeadWithoutCsv = "head-without-csv", Warning;
    /// A bundle has a `minKubeVersion` that OLM cannot parse, so that its CSV never runs.
    InvalidMinKube = "invalid-min-kube", Warning;
    /// An icon is of another type than it claims.
    IconMismatch = "icon-mismatch", Warning;
    /// A file has documents of several packages.
    MixedPackages = "mixed-packages", Hint;
    /// A document passes `opm validate` but stops `opm serve`.
    Unservable = "unservable", Error;
    /// The phases of support of a version do not follow each other day by day.
    LifecyclePhases = "lifecycle-phases", Warning;
    /// Several documents have lifecycle data of one package.
    DuplicateLifecycle = "duplicate-lifecycle", Warning;
    /// Lifecycle data is of no package of the catalog, or not of all versions of its package.
    UnmatchedLifecycle = "unmatched-lifecycle", Warning;
    /// Two bundles of a package have the same image.
    SharedImage = "shared-image", Warning;
    /// A bundle's name ends in another version than the bundle has.
    NameVersionMismatch = "name-version-mismatch", Hint;
    /// `opm` cannot render a bundle directory, or prints nothing for it.
    UnrenderedBundle = "unrendered-bundle", Error;
    /// `opm` skips something in `manifests/` of a bundle.
    SkippedManifest = "skipped-manifest", Warning;
    /// `opm` ignores something in the metadata of a bundle.
    IgnoredMetadata = "ignored-metadata", Warning;
    /// The name of a channel in a bundle's annotations begins or ends with a blank.
    BlankInChannel = "blank-in-channel", Warning;
    /// A dependency of a bundle becomes a property that the bundle offers.
    OfferedDependency = "offered-dependency", Warning;
    /// An `olm.package` property of a bundle has no effect, or replaces what its annotations say.
    OverriddenPackage = "overridden-package", Warning;
    /// The update rules cannot make channels of the bundles of a package.
    UnbuiltPackage = "unbuilt-package", Error;
    /// A bundle is not in a channel that its annotations name.
    PrunedBundle = "pruned-bundle", Warning;
    /// A bundle substitutes for another one, which the channels that are made of it do not follow.
    IgnoredSubstitution = "ignored-substitution", Warning;
    /// Something in the `ci.yaml` of an operator is not followed.
    UnfollowedCi = "unfollowed-ci", Warning;
    /// The versions of OpenShift that a bundle directory is for cannot be read.
    BundleRangeInvalid = "bundle-range-invalid", Warning;
    /// Some catalogs have a bundle directory, and not what it replaces.
    BundleRangeReplaces = "bundle-range-replaces", Warning;
    /// A bundle directory is for versions of OpenShift that it does not support.
    BundleRangeMax = "bundle-range-max", Warning;
    /// A bundle directory is for versions of OpenShift whose Kubernetes is too old for it.
    BundleRangeMinKube = "bundle-range-min-kube", Warning;
    /// The highest bundle directory of a channel is not for the newest versions of OpenShift.
    BundleRangeEnds = "bundle-range-ends", Hint;
    /// oc-mirror rejects an ImageSetConfiguration.
    InvalidImageSet = "invalid-image-set", Error;
    /// An ImageSetConfiguration is one for oc-mirror v1.
    OldImageSet = "old-image-set", Warning;
    /// oc-mirror stops when it filters the catalog by an ImageSetConfiguration.
    FailedMirror = "failed-mirror", Error;
    /// The catalog does not have a package or channel that an ImageSetConfiguration names.
    UnknownMirrored = "unknown-mirrored", Warning;
    /// A mirror lacks a channel or its entries, because none of its versions is within the bounds.
    EmptyMirroredChannel = "empty-mirrored-channel", Warning;
    /// A mirror has one of several bundles with the same version, and nobody knows which.
    RandomMirrored = "random-mirrored", Warning;
    /// A mirror lacks deprecations or lifecycle data, because this oc-mirror drops them.
    MirrorDropsMetadata = "mirror-drops-metadata", Hint;
    /// A mirror lacks pre-releases that lie between the bounds.
    PrereleaseNotMirrored = "prerelease-not-mirrored", Warning;
    /// A mirror has a bundle that is not within the bounds.
    MirroredOutOfRange = "mirrored-out-of-range", Hint;
    /// An update of OpenShift takes a package away.
    SetPackageEnds = "set-package-ends", Error;
    /// An update of OpenShift takes a channel away.
    SetChannelEnds = "set-channel-ends", Error;
    /// After an update of OpenShift, nothing follows what is installed.
    SetInstalledLost = "set-installed-lost", Error;
    /// After an update of OpenShift, what is installed is above the head.
    SetInstalledAhead = "set-installed-ahead", Warning;
    /// After an update of OpenShift, an operator is updated to a lower version.
    SetMovesLower = "set-moves-lower", Warning;
    /// A bundle is missing between two members that have it.
    SetBundleHole = "set-bundle-hole", Warning;
    /// Members have different images under the name of one bundle.
    SetImageDiffers = "set-image-differs", Warning;
    /// Members have different versions under the name of one bundle.
    SetVersionDiffers = "set-version-differs", Error;
    /// Members have different names for one version of a package.
    SetNameDiffers = "set-name-differs", Warning;
    /// Members have different `olm.maxOpenShiftVersion` for one bundle.
    SetMaxDiffers = "set-max-differs", Hint;
    /// A package has another default channel in the next member.
    SetDefaultDiffers = "set-default-differs", Hint;
    /// A package is missing between two members that have it.
    SetGap = "set-gap", Warning;
    /// A folder and its Dockerfile name different versions of OpenShift.
    SetVersionMismatch = "set-version-mismatch", Error;
    /// A catalog for OpenShift 4.17 or later has `olm.bundle.object`, or a bundle for an older one lacks it.
    MemberBundleObject = "member-bundle-object", Error;
    /// A catalog for OpenShift 4.16 or older has `olm.csv.metadata`, or a bundle for a later one lacks it.
    MemberCsvMetadata = "member-csv-metadata", Error;
    /// A bundle needs a later Kubernetes than OpenShift of the catalog has.
    MemberMinKube = "member-min-kube", Warning;
    /// A bundle does not support the OpenShift of its catalog.
    MemberMaxOcpBelow = "member-max-ocp-below", Warning;
    /// A bundle blocks the next update of OpenShift.
    MemberMaxOcpEqual = "member-max-ocp-equal", Hint;
    /// OLM cannot read `olm.maxOpenShiftVersion` of a bundle.
    MemberMaxOcpInvalid = "member-max-ocp-invalid", Error;
    /// An entry replaces a bundle that only other members have.
    MemberReplacesElsewhere = "member-replaces-elsewhere", Warning;
    /// An entry replaces a bundle that no member has.
    MemberReplacesNowhere = "member-replaces-nowhere", Warning;
    /// An entry replaces a bundle of another channel alone.
    MemberReplacesOtherChannel = "member-replaces-other-channel", Hint;
    /// Nothing follows a version that is not the head, in some member.
    MemberStuck = "member-stuck", Warning;
    /// A catalog is not what its template gives today: one beside it, or of a script.
    GeneratedStale = "generated-stale", Warning;
    /// A catalog differs from the template that a `ci.yaml` maps to it.
    SetTemplateStale = "set-template-stale", Warning;
    /// No template makes a catalog of an operator.
    SetCatalogUnmapped = "set-catalog-unmapped", Warning;
    /// A template should make a catalog that does not exist.
    SetMappingMissing = "set-mapping-missing", Warning;
    /// A mapping names a catalog that no pipeline reads.
    SetMappingName = "set-mapping-name", Error;
    /// Two mappings make the same catalog.
    SetMappingTwice = "set-mapping-twice", Error;
    /// No mapping names a catalog template.
    SetTemplateUnused = "set-template-unused", Hint;
    /// An operator did not come into the newest catalog, and its `ci.yaml` leaves that to a review.
    SetPromotionStuck = "set-promotion-stuck", Hint;
    /// An `opscope-ignore` comment has no effect.
    UselessIgnore = "useless-ignore", Hint;
}

impl Rule {
    /// Whether all its findings about a package are one thing to its maintainer: a habit of how entries are written, which is
    /// changed everywhere or nowhere.
    #[must_use]
    pub const fn is_habit(self) -> bool {
        matches!(
            self,
            Self::DeadEndChannel
                | Self::HeadWithoutCsv
                | Self::MemberMaxOcpBelow
                | Self::NameVersionMismatch
                | Self::NeedsRegistry
                | Self::OpenSkipRange
                | Self::SkipRangeAnnotation
                | Self::SkipRangeExcludesReplaced
                | Self::SkipRangePruning
                | Self::SkipRangeUpperBound
        )
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// A text that is not the id of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRule(
    /// The text.
    pub String,
);

impl fmt::Display for UnknownRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown rule `{}`", self.0)
    }
}

impl std::error::Error for UnknownRule {}

impl FromStr for Rule {
    type Err = UnknownRule;

    fn from_str(text: &str) -> Result<Self, UnknownRule> {
        Self::ALL.iter().copied().find(|rule| rule.id() == text).ok_or_else(|| UnknownRule(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn ids_are_distinct_kebab_case_and_read_back() {
        let ids: BTreeSet<_> = Rule::ALL.iter().map(|rule| rule.id()).collect();
        assert_eq!(ids.len(), Rule::ALL.len());
        for rule in Rule::ALL {
            assert!(rule.id().bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{rule}");
            assert_eq!(rule.id().parse(), Ok(*rule));
        }
        assert_eq!("nope".parse::<Rule>(), Err(UnknownRule("nope".to_owned())));
    }
}
