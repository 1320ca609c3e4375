//! What an ImageSetConfiguration says of operators. What it says of OpenShift releases, images and charts is not read, apart from
//! `platform`, for which oc-mirror may reject the configuration.

use crate::Bounds;
use source::{Diagnostic, Severity, Span, Spanned};

/// A text of a configuration.
pub type Text = Spanned<Box<str>>;

/// The configurations in a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImageSetConfiguration {
    /// The items of `mirror.operators`, in the order of the text.
    pub catalogs: Vec<MirroredCatalog>,
    /// What is wrong in the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// An item of `mirror.operators`: a catalog, and what is mirrored of it.
#[derive(Clone, Debug, PartialEq)]
pub struct MirroredCatalog {
    /// The whole item.
    pub span: Span,
    /// `catalog`: the image of the catalog, or a folder after `oci:`.
    pub catalog: Text,
    /// `full`: all entries instead of the heads alone.
    pub full: bool,
    /// `packages`; all packages if empty.
    pub packages: Vec<MirroredPackage>,
}

/// An item of `packages`.
#[derive(Clone, Debug, PartialEq)]
pub struct MirroredPackage {
    /// The whole item.
    pub span: Span,
    pub name: Text,
    /// `defaultChannel`, which takes the place of the one of the catalog.
    pub default_channel: Option<Text>,
    /// For all channels without bounds of their own.
    pub bounds: Bounds,
    /// `channels`; all channels if empty.
    pub channels: Vec<MirroredChannel>,
}

/// An item of `channels`.
#[derive(Clone, Debug, PartialEq)]
pub struct MirroredChannel {
    /// The whole item.
    pub span: Span,
    pub name: Text,
    pub bounds: Bounds,
}

/// The item of `mirror.operators` that is about a catalog.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Choice<'c> {
    One(&'c MirroredCatalog),
    /// The configuration has several, and none has the name of the catalog: the user has to choose.
    Several,
    /// The configuration has none.
    None,
}

impl ImageSetConfiguration {
    /// Whether oc-mirror accepts what the configuration says of operators.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        self.diagnostics.iter().all(|finding| finding.severity != Severity::Error)
    }

    /// The item that is about a catalog with this name, which is the name of its CatalogSource or the image that it comes
    /// from. A single item is taken whatever its name is.
    ///
    /// ```
    /// use mirror::{Choice, OcMirror, read};
    /// use source::FileId;
    ///
    /// let text = "apiVersion: mirror.openshift.io/v2alpha1\nkind: ImageSetConfiguration\nmirror:\n  operators:\n\
    ///     \x20 - catalog: quay.io/red/certified-index:v4.18\n  - catalog: quay.io/red/community-index:v4.18\n";
    /// let config = read(FileId(0), text, OcMirror::default());
    /// let Choice::One(found) = config.choose("community-index") else { panic!() };
    /// assert_eq!(&*found.catalog.value, "quay.io/red/community-index:v4.18");
    /// assert_eq!(config.choose("my-catalog"), Choice::Several);
    /// ```
    #[must_use]
    pub fn choose(&self, name: &str) -> Choice<'_> {
        if let [] | [_] = &self.catalogs[..] {
            return self.catalogs.first().map_or(Choice::None, Choice::One);
        }
        let matching = |is_it: &dyn Fn(&str) -> bool| {
            let mut found = self.catalogs.iter().filter(|item| is_it(&item.catalog.value));
            found.next().filter(|_| found.next().is_none())
        };
        let found = matching(&|catalog| catalog == name).or_else(|| matching(&|catalog| short_name(catalog) == name));
        found.map_or(Choice::Several, Choice::One)
    }
}

/// The last part of the name of an image, without tag and digest.
fn short_name(image: &str) -> &str {
    let name = image.rsplit('/').next().unwrap_or(image);
    let name = name.split('@').next().unwrap_or(name);
    name.split(':').next().unwrap_or(name)
}
