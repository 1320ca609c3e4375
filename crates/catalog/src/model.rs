//! A catalog as a value: what the documents say together, before anyone judges it.
//!
//! Follows operator-registry `alpha/declcfg/declcfg_to_model.go`, but keeps what `opm` would throw away: a package
//! that is never declared, an entry without a bundle, a bundle without a channel.

use crate::{BundleName, ChannelName};
use blang_semver::{Range, RangeError, Version, VersionError};
use predicate::{PackageName, Property};
use source::{Span, Spanned};

/// All packages of one catalog, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Catalog {
    /// Sorted by name.
    pub packages: Vec<Package>,
}

impl Catalog {
    /// The package of that name.
    #[must_use]
    pub fn package(&self, name: &str) -> Option<&Package> {
        let at = self.packages.binary_search_by(|package| package.name.as_str().cmp(name)).ok()?;
        Some(&self.packages[at])
    }
}

/// A package with its channels and bundles.
#[derive(Clone, Debug, PartialEq)]
pub struct Package {
    /// The name that documents refer to it by.
    pub name: PackageName,
    /// The `olm.package` document; absent when only channels or bundles name the package.
    pub declared: Option<Span>,
    /// `defaultChannel` as written.
    pub default_channel: Option<Spanned<ChannelName>>,
    /// `description` as written.
    pub description: Option<Spanned<Box<str>>>,
    /// `icon`, not decoded.
    pub icon: Option<Icon>,
    /// Sorted by name; of two channels of one name the first.
    pub channels: Vec<Channel>,
    /// Sorted by name; of two bundles of one name the first.
    pub bundles: Vec<Bundle>,
    /// `olm.deprecations` entries in the order of the text.
    pub deprecations: Vec<Deprecation>,
}

impl Package {
    /// The channel of that name.
    #[must_use]
    pub fn channel(&self, name: &str) -> Option<&Channel> {
        let at = self.channels.binary_search_by(|channel| channel.name.value.as_str().cmp(name)).ok()?;
        Some(&self.channels[at])
    }

    /// The bundle of that name.
    #[must_use]
    pub fn bundle(&self, name: &str) -> Option<&Bundle> {
        let at = self.bundles.binary_search_by(|bundle| bundle.name.value.as_str().cmp(name)).ok()?;
        Some(&self.bundles[at])
    }

    /// A place that stands for the package: its document, else its first channel or bundle.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        let channels = self.channels.iter().map(|channel| channel.span);
        let bundles = self.bundles.iter().map(|bundle| bundle.span);
        self.declared.or_else(|| channels.chain(bundles).min())
    }
}

/// The icon of a package.
#[derive(Clone, Debug, PartialEq)]
pub struct Icon {
    /// Where the base64 text stands.
    pub base64data: Span,
    /// The media type, `image/svg+xml` say; `opm` does not check it.
    pub media_type: Box<str>,
}

/// A channel: a list of entries with their update edges.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// Its name.
    pub name: Spanned<ChannelName>,
    /// The `olm.channel` document.
    pub span: Span,
    /// In the order of the text. Of two entries of one name both are kept.
    pub entries: Vec<Entry>,
}

impl Channel {
    /// The first entry of that name.
    #[must_use]
    pub fn entry(&self, name: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.name.value.as_str() == name)
    }
}

/// One bundle's place in one channel. Edges differ from channel to channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The whole entry.
    pub span: Span,
    /// The bundle; an entry without a name has the empty name at the entry's place.
    pub name: Spanned<BundleName>,
    /// The entry that this one comes after; absent when empty.
    pub replaces: Option<Spanned<BundleName>>,
    /// The entries that this one makes superfluous, in the order of the text, empty ones too.
    pub skips: Vec<Spanned<BundleName>>,
    /// The versions that may jump here.
    pub skip_range: Option<Spanned<SkipRange>>,
}

/// A `skipRange` and what blang makes of it.
#[derive(Clone, Debug, PartialEq)]
pub struct SkipRange {
    /// As written.
    pub text: Box<str>,
    /// The range, or why `opm` rejects it and OLM silently ignores it.
    pub range: Result<Range, RangeError>,
}

/// A bundle: one version of an operator.
#[derive(Clone, Debug, PartialEq)]
pub struct Bundle {
    /// Its name.
    pub name: Spanned<BundleName>,
    /// The `olm.bundle` document.
    pub span: Span,
    /// The image; absent when empty.
    pub image: Option<Spanned<Box<str>>>,
    /// Its `olm.package` version, where exactly one such property says it.
    pub version: Option<Spanned<BundleVersion>>,
    /// Whether an `olm.bundle.object` property carries manifests, which makes up for a missing image.
    pub objects: bool,
    /// In the order of the text, but for `olm.csv.metadata` and `olm.bundle.object`, which only describe; those that
    /// could not be read are findings.
    pub properties: Vec<Spanned<Property>>,
}

/// A version as written and as blang reads it strictly.
#[derive(Clone, Debug, PartialEq)]
pub struct BundleVersion {
    /// As written.
    pub text: Box<str>,
    /// The version, or why `opm` rejects it.
    pub version: Result<Version, VersionError>,
}

impl Bundle {
    /// The version, if there is one that blang accepts.
    #[must_use]
    pub fn version(&self) -> Option<&Version> {
        self.version.as_ref()?.value.version.as_ref().ok()
    }
}

/// An entry of `olm.deprecations`.
#[derive(Clone, Debug, PartialEq)]
pub struct Deprecation {
    /// The whole entry.
    pub span: Span,
    /// What it deprecates.
    pub target: DeprecationTarget,
    /// The message for users.
    pub message: Box<str>,
}

/// What a deprecation is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeprecationTarget {
    /// The whole package.
    Package,
    /// A channel of it.
    Channel(ChannelName),
    /// A bundle of it.
    Bundle(BundleName),
}
