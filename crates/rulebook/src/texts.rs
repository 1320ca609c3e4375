//! The documentation files of the rules, which stand beside the code of the rules. A rule without one does not compile.

use source::Rule;

macro_rules! texts {
    ($($rule:ident = $path:literal,)*) => {
        /// The text of the documentation file.
        pub(crate) const fn text(rule: Rule) -> &'static str {
            match rule { $(Rule::$rule => include_str!($path),)* }
        }

        /// The path of the documentation file, relative to this folder.
        #[cfg(test)]
        pub(crate) const fn path(rule: Rule) -> &'static str {
            match rule { $(Rule::$rule => $path,)* }
        }
    };
}

texts! {
    UnreadableFile = "../../fbc/src/rules/unreadable_file.md",
    NotACatalog = "../../fbc/src/rules/not_a_catalog.md",
    BrokenDocument = "../../fbc/src/rules/broken_document.md",
    EmptyFile = "../../fbc/src/rules/empty_file.md",
    MoreFindings = "../../fbc/src/rules/more_findings.md",
    EmptyDocument = "../../fbc/src/rules/empty_document.md",
    LostText = "../../fbc/src/rules/lost_text.md",
    ReinterpretedText = "../../fbc/src/rules/reinterpreted_text.md",
    DuplicateKey = "../../fbc/src/rules/duplicate_key.md",
    WrongType = "../../fbc/src/rules/wrong_type.md",
    MissingField = "../../catalog/src/rules/missing_field.md",
    UnknownField = "../../fbc/src/rules/unknown_field.md",
    UnknownSchema = "../../fbc/src/rules/unknown_schema.md",
    UnknownPackage = "../../catalog/src/rules/unknown_package.md",
    DuplicateName = "../../catalog/src/rules/duplicate_name.md",
    InvalidName = "../../catalog/src/rules/invalid_name.md",
    UnknownDefaultChannel = "../../catalog/src/rules/unknown_default_channel.md",
    EmptyChannel = "../../catalog/src/rules/empty_channel.md",
    NoChannelHead = "../../catalog/src/rules/no_channel_head.md",
    MultipleChannelHeads = "../../catalog/src/rules/multiple_channel_heads.md",
    ReplacesCycle = "../../catalog/src/rules/replaces_cycle.md",
    StrandedEntry = "../../catalog/src/rules/stranded_entry.md",
    MissingBundle = "../../catalog/src/rules/missing_bundle.md",
    BundleInNoChannel = "../../catalog/src/rules/bundle_in_no_channel.md",
    InvalidVersion = "../../catalog/src/rules/invalid_version.md",
    DuplicateVersion = "../../catalog/src/rules/duplicate_version.md",
    InvalidRange = "../../catalog/src/rules/invalid_range.md",
    InvalidRelease = "../../catalog/src/rules/invalid_release.md",
    InvalidImage = "../../catalog/src/rules/invalid_image.md",
    InvalidProperty = "../../catalog/src/rules/invalid_property.md",
    UnattachedProperties = "../../workbench/src/rules/unattached_properties.md",
    InvalidDeprecation = "../../catalog/src/rules/invalid_deprecation.md",
    SkipRangePruning = "../../update-graph/src/rules/skip_range_pruning.md",
    UnknownCatalog = "../../simulate/src/rules/unknown_catalog.md",
    InvalidTemplate = "../../template/src/rules/invalid_template.md",
    NeedsRegistry = "../../template/src/rules/needs_registry.md",
    StrandingSubstitution = "../../template/src/rules/stranding_substitution.md",
    StuckEntry = "../../lint/src/rules/stuck_entry.md",
    IgnoredEdge = "../../lint/src/rules/ignored_edge.md",
    Downgrade = "../../lint/src/rules/downgrade.md",
    SelfReplacing = "../../lint/src/rules/self_replacing.md",
    MisspeltName = "../../lint/src/rules/misspelt_name.md",
    HeadBelowEntry = "../../lint/src/rules/head_below_entry.md",
    DeadEndChannel = "../../lint/src/rules/dead_end_channel.md",
    SkipRangeUpperBound = "../../lint/src/rules/skip_range_upper_bound.md",
    SkipRangeExcludesReplaced = "../../lint/src/rules/skip_range_excludes_replaced.md",
    IdleSkipRange = "../../lint/src/rules/idle_skip_range.md",
    OpenSkipRange = "../../lint/src/rules/open_skip_range.md",
    SkipRangeAnnotation = "../../lint/src/rules/skip_range_annotation.md",
    MisreadRange = "../../lint/src/rules/misread_range.md",
    NeverTrueRange = "../../lint/src/rules/never_true_range.md",
    PrereleaseInRange = "../../lint/src/rules/prerelease_in_range.md",
    InvalidConstraint = "../../lint/src/rules/invalid_constraint.md",
    UnsatisfiableRequirement = "../../lint/src/rules/unsatisfiable_requirement.md",
    NonDefaultProvider = "../../lint/src/rules/non_default_provider.md",
    DeprecatedRequirement = "../../lint/src/rules/deprecated_requirement.md",
    VersionCap = "../../lint/src/rules/version_cap.md",
    NoMinimumVersion = "../../lint/src/rules/no_minimum_version.md",
    SplitRequirement = "../../lint/src/rules/split_requirement.md",
    DependencyCycle = "../../lint/src/rules/dependency_cycle.md",
    SeveralProviders = "../../lint/src/rules/several_providers.md",
    DeprecatedDefault = "../../lint/src/rules/deprecated_default.md",
    DuplicateGvk = "../../lint/src/rules/duplicate_gvk.md",
    SlashInChannel = "../../lint/src/rules/slash_in_channel.md",
    IconMismatch = "../../lint/src/rules/icon_mismatch.md",
    MixedPackages = "../../lint/src/rules/mixed_packages.md",
    Unservable = "../../lint/src/rules/unservable.md",
    SharedImage = "../../lint/src/rules/shared_image.md",
    NameVersionMismatch = "../../lint/src/rules/name_version_mismatch.md",
    UnrenderedBundle = "../../bundle/src/rules/unrendered_bundle.md",
    SkippedManifest = "../../bundle/src/rules/skipped_manifest.md",
    IgnoredMetadata = "../../bundle/src/rules/ignored_metadata.md",
    BlankInChannel = "../../bundle/src/rules/blank_in_channel.md",
    OfferedDependency = "../../bundle/src/rules/offered_dependency.md",
    OverriddenPackage = "../../bundle/src/rules/overridden_package.md",
    UnbuiltPackage = "../../bundle-tree/src/rules/unbuilt_package.md",
    PrunedBundle = "../../bundle-tree/src/rules/pruned_bundle.md",
    UnfollowedCi = "../../bundle-tree/src/rules/unfollowed_ci.md",
    InvalidImageSet = "../../mirror/src/rules/invalid_image_set.md",
    OldImageSet = "../../mirror/src/rules/old_image_set.md",
    FailedMirror = "../../mirror/src/rules/failed_mirror.md",
    UnknownMirrored = "../../mirror/src/rules/unknown_mirrored.md",
    EmptyMirroredChannel = "../../mirror/src/rules/empty_mirrored_channel.md",
    RandomMirrored = "../../mirror/src/rules/random_mirrored.md",
    MirrorDropsDeprecations = "../../mirror/src/rules/mirror_drops_deprecations.md",
    PrereleaseNotMirrored = "../../mirror/src/rules/prerelease_not_mirrored.md",
    MirroredOutOfRange = "../../mirror/src/rules/mirrored_out_of_range.md",
    UselessIgnore = "../../lint/src/rules/useless_ignore.md",
}
