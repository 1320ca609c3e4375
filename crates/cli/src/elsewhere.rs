//! Paths that name what is not on the disk: a revision of git, and an image of a registry.

use crate::archived::ArchivedFiles;
use crate::git::Revision;
use crate::image::Image;
use crate::output::Failure;
use std::path::Path;

/// What a path names that is not on the disk.
pub(crate) enum Elsewhere<'p> {
    Revision(Revision<'p>),
    Image(Image<'p>),
}

impl<'p> Elsewhere<'p> {
    /// What a path names, if it begins with `git:` or `image:`, and no file has that name.
    pub(crate) fn of(path: &'p Path) -> Option<Self> {
        let image = || Image::of(path).map(Self::Image);
        Revision::of(path).map(Self::Revision).or_else(image)
    }

    /// The path of one of its files.
    pub(crate) fn shown(&self, file: &str) -> String {
        match self {
            Self::Revision(revision) => revision.shown(file),
            Self::Image(image) => image.shown(file),
        }
    }

    /// A short name.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Revision(revision) => revision.name(),
            Self::Image(image) => image.name(),
        }
    }

    /// What it is, for people.
    pub(crate) const fn what(&self) -> &'static str {
        match self {
            Self::Revision(_) => "a revision of git",
            Self::Image(_) => "an image of a registry",
        }
    }

    /// Its files.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn catalogs(&self) -> Result<Vec<ArchivedFiles>, Failure> {
        match self {
            Self::Revision(revision) => Ok(vec![ArchivedFiles::only(revision.files()?)]),
            Self::Image(image) => image.catalogs(),
        }
    }
}
