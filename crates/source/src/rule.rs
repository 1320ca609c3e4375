//! The names of all rules, in one place.

use crate::Severity;
use std::fmt;
use std::str::FromStr;

macro_rules! rules {
    ($($(#[doc = $doc:literal])* $name:ident = $id:literal, $severity:ident;)*) => {
        /// A rule that findings come from. The kebab-case id is what users see, filter by and switch off.
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

            /// How bad a finding of this rule is.
            #[must_use]
            pub const fn severity(self) -> Severity {
                match self { $(Self::$name => Severity::$severity,)* }
            }
        }
    };
}

rules! {
    /// The file is not text, or too large to read.
    UnreadableFile = "unreadable-file", Error;
    /// The file holds something other than catalog documents (a README, say); `opm` reads every file of a folder.
    NotACatalog = "not-a-catalog", Error;
    /// A document that is not well-formed YAML or JSON.
    BrokenDocument = "broken-document", Error;
    /// A file without any text.
    EmptyFile = "empty-file", Hint;
    /// There are more findings about a file than anyone reads; the rest is only counted.
    MoreFindings = "more-findings", Hint;
    /// A document without content, which `opm` rejects.
    EmptyDocument = "empty-document", Error;
    /// Text that `opm` never looks at.
    LostText = "lost-text", Warning;
    /// A value or key that `opm` reads as something else than it looks like.
    ReinterpretedText = "reinterpreted-text", Warning;
    /// A key that occurs twice in one mapping; the last one wins.
    DuplicateKey = "duplicate-key", Warning;
    /// A value of the wrong kind.
    WrongType = "wrong-type", Error;
    /// A field that must be there.
    MissingField = "missing-field", Error;
    /// A field that no reader looks at.
    UnknownField = "unknown-field", Warning;
    /// A schema that looks like a misspelt one of OLM's.
    UnknownSchema = "unknown-schema", Warning;
    /// A package that documents name but none declares.
    UnknownPackage = "unknown-package", Error;
    /// Two documents, or two entries of a channel, of one name.
    DuplicateName = "duplicate-name", Error;
    /// A name that does not have the required form.
    InvalidName = "invalid-name", Error;
    /// The default channel is missing or does not exist.
    UnknownDefaultChannel = "unknown-default-channel", Error;
    /// A channel or package that holds nothing.
    EmptyChannel = "empty-channel", Error;
    /// A channel in which every entry is replaced or skipped.
    NoChannelHead = "no-channel-head", Error;
    /// A channel with more than one entry that nothing replaces or skips.
    MultipleChannelHeads = "multiple-channel-heads", Error;
    /// A replaces chain that comes back to itself.
    ReplacesCycle = "replaces-cycle", Error;
    /// An entry that the replaces chain from the head never reaches and nothing skips.
    StrandedEntry = "stranded-entry", Error;
    /// An entry that no bundle document describes.
    MissingBundle = "missing-bundle", Error;
    /// A bundle that no channel lists.
    BundleInNoChannel = "bundle-in-no-channel", Error;
    /// A version that is not semantic versioning as blang reads it.
    InvalidVersion = "invalid-version", Error;
    /// Two bundles of one package with the same version.
    DuplicateVersion = "duplicate-version", Error;
    /// A range that blang cannot parse, or that crashes it.
    InvalidRange = "invalid-range", Error;
    /// A release that does not parse, or does not fit the name or version of its bundle.
    InvalidRelease = "invalid-release", Error;
    /// An image that is no pull spec.
    InvalidImage = "invalid-image", Error;
    /// A property whose value does not have the shape of its type.
    InvalidProperty = "invalid-property", Error;
    /// A `dependencies.yaml` or `properties.yaml` that belongs to no bundle of any loaded catalog.
    UnattachedProperties = "unattached-properties", Warning;
    /// A deprecation that does not fit the package.
    InvalidDeprecation = "invalid-deprecation", Error;
    /// A skipRange without a `replaces` to the immediate predecessor, which takes versions out of the graph.
    SkipRangePruning = "skip-range-pruning", Warning;
    /// A CatalogSource that is named and not given, or given without its catalog.
    UnknownCatalog = "unknown-catalog", Warning;
    /// A catalog template that `opm` does not expand.
    InvalidTemplate = "invalid-template", Error;
    /// A bundle image of a template that no loaded catalog has, so that only a registry can tell what it holds.
    NeedsRegistry = "needs-registry", Warning;
    /// An entry from which no updates lead to the head of its channel, though `opm` accepts it.
    StuckEntry = "stuck-entry", Warning;
    /// A `replaces` that OLM v0 does not follow, because its entry is skipped, and that nothing makes up for.
    IgnoredEdge = "ignored-edge", Hint;
    /// An entry that replaces a higher version.
    Downgrade = "downgrade", Warning;
    /// An entry that replaces or skips itself.
    SelfReplacing = "self-replacing", Warning;
    /// A channel whose head is not its highest version.
    HeadBelowEntry = "head-below-entry", Warning;
    /// A channel that users cannot leave for newer ones.
    DeadEndChannel = "dead-end-channel", Hint;
    /// A skipRange that takes in its own version or higher ones.
    SkipRangeUpperBound = "skip-range-upper-bound", Warning;
    /// A skipRange that leaves out what its entry replaces.
    SkipRangeExcludesReplaced = "skip-range-excludes-replaced", Hint;
    /// A skipRange that matches nothing of the package.
    IdleSkipRange = "idle-skip-range", Hint;
    /// A skipRange without lower bound.
    OpenSkipRange = "open-skip-range", Hint;
    /// A skipRange that stands in the annotations of a CSV alone.
    SkipRangeAnnotation = "skip-range-annotation", Hint;
    /// A range that means something else than it looks.
    MisreadRange = "misread-range", Warning;
    /// A range that no version satisfies.
    NeverTrueRange = "never-true-range", Warning;
    /// A required range that takes in prereleases of its end.
    PrereleaseInRange = "prerelease-in-range", Hint;
    /// A requirement that OLM cannot read, which stops all resolutions of a namespace.
    InvalidConstraint = "invalid-constraint", Error;
    /// A requirement that nothing in the loaded catalogs meets.
    UnsatisfiableRequirement = "unsatisfiable-requirement", Warning;
    /// A requirement that only non-default channels meet.
    NonDefaultProvider = "non-default-provider", Hint;
    /// A requirement that only deprecated bundles meet.
    DeprecatedRequirement = "deprecated-requirement", Warning;
    /// A requirement with a narrow maximum version.
    VersionCap = "version-cap", Hint;
    /// A required API without a minimum version of its only provider.
    NoMinimumVersion = "no-minimum-version", Hint;
    /// An API and a package that two different operators may be taken for.
    SplitRequirement = "split-requirement", Hint;
    /// Packages that require one another.
    DependencyCycle = "dependency-cycle", Hint;
    /// Packages of one catalog that provide the same API.
    SeveralProviders = "several-providers", Hint;
    /// A default channel that is deprecated, or whose head is.
    DeprecatedDefault = "deprecated-default", Warning;
    /// A bundle that provides one API twice and so conflicts with itself.
    DuplicateGvk = "duplicate-gvk", Error;
    /// A channel with `/` in its name, from which OLM can install nothing.
    SlashInChannel = "slash-in-channel", Error;
    /// An icon that is of another type than it says.
    IconMismatch = "icon-mismatch", Warning;
    /// A file with documents of several packages.
    MixedPackages = "mixed-packages", Hint;
    /// What passes `opm validate` and stops `opm serve`.
    Unservable = "unservable", Error;
    /// Two bundles of a package with the same image.
    SharedImage = "shared-image", Warning;
    /// A bundle whose name says another version than it has.
    NameVersionMismatch = "name-version-mismatch", Hint;
    /// An `opscope-ignore` comment that switches nothing off.
    UselessIgnore = "useless-ignore", Hint;
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// A text that names no rule.
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
