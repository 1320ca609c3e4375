//! Documents as written, by schema: every field optional, every scalar with its span, nothing resolved.
//!
//! The shapes are those of operator-registry `alpha/declcfg/declcfg.go`.

use crate::Node;
use source::{Span, Spanned};

/// A text that was read from a scalar.
pub type Text = Spanned<Box<str>>;

/// A document by its schema.
#[derive(Clone, Debug, PartialEq)]
pub enum RawDoc {
    /// `olm.package`
    Package(RawPackage),
    /// `olm.channel`
    Channel(RawChannel),
    /// `olm.bundle`
    Bundle(RawBundle),
    /// `olm.deprecations`
    Deprecations(RawDeprecations),
    /// Any other schema, kept verbatim by `opm` and never validated.
    Other(RawOther),
}

/// `olm.package`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawPackage {
    /// `name`
    pub name: Option<Text>,
    /// `defaultChannel`
    pub default_channel: Option<Text>,
    /// `icon`
    pub icon: Option<RawIcon>,
    /// `description`
    pub description: Option<Text>,
}

/// `icon` of a package.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawIcon {
    /// `base64data`: where the base64 text stands; not decoded.
    pub base64data: Option<Span>,
    /// `mediatype`
    pub mediatype: Option<Text>,
}

/// `olm.channel`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawChannel {
    /// `name`
    pub name: Option<Text>,
    /// `package`
    pub package: Option<Text>,
    /// `entries`
    pub entries: Vec<RawEntry>,
}

/// One of a channel's `entries`.
#[derive(Clone, Debug, PartialEq)]
pub struct RawEntry {
    /// The whole entry.
    pub span: Span,
    /// `name`
    pub name: Option<Text>,
    /// `replaces`
    pub replaces: Option<Text>,
    /// `skips`
    pub skips: Vec<Text>,
    /// `skipRange`
    pub skip_range: Option<Text>,
}

/// `olm.bundle`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawBundle {
    /// `name`
    pub name: Option<Text>,
    /// `package`
    pub package: Option<Text>,
    /// `image`
    pub image: Option<Text>,
    /// `properties`
    pub properties: Vec<RawProperty>,
    /// `relatedImages`
    pub related_images: Vec<RawRelatedImage>,
}

/// One of a bundle's `properties`.
#[derive(Clone, Debug, PartialEq)]
pub struct RawProperty {
    /// The whole property.
    pub span: Span,
    /// `type`
    pub kind: Option<Text>,
    /// `value`; large values (`olm.csv.metadata`, `olm.bundle.object` and others that no rule reads) stay
    /// [`Value::Unopened`](crate::Value::Unopened) unless anchors or aliases tie them to the rest of the document.
    pub value: Option<Node>,
}

/// One of a bundle's `relatedImages`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawRelatedImage {
    /// `name`
    pub name: Option<Text>,
    /// `image`
    pub image: Option<Text>,
}

/// `olm.deprecations`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RawDeprecations {
    /// `package`
    pub package: Option<Text>,
    /// `entries`
    pub entries: Vec<RawDeprecation>,
}

/// One of the `entries` of `olm.deprecations`.
#[derive(Clone, Debug, PartialEq)]
pub struct RawDeprecation {
    /// The whole entry.
    pub span: Span,
    /// `reference.schema`
    pub schema: Option<Text>,
    /// `reference.name`
    pub name: Option<Text>,
    /// `message`
    pub message: Option<Text>,
}

/// A document of a schema that OLM does not know.
#[derive(Clone, Debug, PartialEq)]
pub struct RawOther {
    /// `schema`
    pub schema: Text,
    /// `package`
    pub package: Option<Text>,
    /// `name`
    pub name: Option<Text>,
}
