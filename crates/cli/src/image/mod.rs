//! Images of registries, `image:REF`: pulled with the user's own logins into a cache, then read as an OCI layout.

mod cache;
mod pull;

use crate::archived::{self, ArchivedFiles, FileSource};
use crate::args::{self, ImageArguments};
use crate::output::{Failure, say, written};
use crate::places::{path_inside, shown_path};
use archive::{ArchiveForm, Blob, Error, Limits, Source};
use oci_client::Reference;
use pull::Registry;
use session::{NewBundle, NewText};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::sync::OnceLock;

pub(crate) use cache::Cache;

/// What a path begins with that names an image.
const PREFIX: &str = "image:";
/// The most bytes of all blobs of an image. The largest catalogs with their programs have about 2 GiB.
const MOST: u64 = 8 << 30;

/// How images are pulled. Paths are read in many places, and all of them pull in the same way.
static ARGUMENTS: OnceLock<ImageArguments> = OnceLock::new();

/// Notes once, before anything is read, how images are pulled.
pub(crate) fn use_arguments(arguments: ImageArguments) {
    ARGUMENTS.get_or_init(|| arguments);
}

#[derive(Clone, Copy)]
pub(crate) struct Image<'p> {
    given: &'p str,
}

impl<'p> Image<'p> {
    /// The image that a path names, if it is `image:REF` and no file has that name.
    pub(crate) fn of(path: &'p Path) -> Option<Self> {
        path.to_str()?.strip_prefix(PREFIX).filter(|_| !path.exists()).map(Self::named)
    }

    /// The image with this name, as templates state it.
    pub(crate) const fn named(given: &'p str) -> Self {
        Self { given }
    }

    /// The name of the image, as it was given.
    pub(crate) const fn reference(&self) -> &'p str {
        self.given
    }

    /// The path of one of its files.
    pub(crate) fn shown(&self, file: &str) -> String {
        path_inside(&format!("{PREFIX}{}", self.given), file)
    }

    /// The last part of its name.
    pub(crate) fn name(&self) -> String {
        let last = self.given.rsplit('/').next().unwrap_or(self.given);
        let (name, version) = last.split_once('@').or_else(|| last.split_once(':')).unwrap_or((last, ""));
        let version = version.trim_start_matches("sha256:");
        let version: String = version.chars().take(if last.contains('@') { 12 } else { usize::MAX }).collect();
        if version.is_empty() { name.to_owned() } else { format!("{name}-{version}") }
    }

    /// The bundle of a bundle image, in that image.
    ///
    /// # Errors
    /// When it cannot be pulled, or is no bundle that `opm` renders.
    pub(crate) fn bundle(&self) -> Result<NewBundle, Failure> {
        let files: Vec<NewText> = self.catalogs()?.into_iter().flat_map(|found| found.files).collect();
        let new = NewBundle::of(&files).map(|new| new.in_image(self.given));
        new.ok_or_else(|| format!("`{PREFIX}{}` is no bundle that `opm render` accepts", self.given).into())
    }

    /// The files of the image, which is a catalog or a bundle, with what was used of it.
    ///
    /// # Errors
    /// When it is in no registry, cannot be pulled or read, or is neither a catalog nor a bundle.
    pub(crate) fn catalogs(&self) -> Result<Vec<ArchivedFiles>, Failure> {
        let shown = format!("{PREFIX}{}", self.given);
        let reference: Reference = self.given.parse().map_err(|error| {
            let help = "expected image:REGISTRY/NAME:TAG or image:REGISTRY/NAME@sha256:DIGEST";
            format!("`{shown}` is no name of an image ({error}); {help}")
        })?;
        let arguments = ARGUMENTS.get_or_init(ImageArguments::default);
        let cache = Cache::of_user()?;
        let mut registry = Registry::new(reference, arguments, &cache);
        let mut archive = read(&mut registry, arguments.platform.as_deref(), &cache).map_err(|error| match error {
            Unread::Pull(failure) => failure,
            Unread::Image(error) => format!("cannot read `{shown}`: {error}").into(),
        })?;
        archive.form = ArchiveForm::Registry;
        Ok(archived::texts(archive, &shown, ""))
    }
}

/// Why an image is not read.
enum Unread {
    Pull(Failure),
    Image(Error),
}

impl From<Failure> for Unread {
    fn from(failure: Failure) -> Self {
        Self::Pull(failure)
    }
}

/// Reads an image, and pulls what the cache does not have. What is needed next is only known from what was read: the manifest tells
/// the configuration, whose label tells whether the layers are worth pulling at all.
fn read(registry: &mut Registry<'_>, platform: Option<&str>, cache: &Cache) -> Result<archive::Archive, Unread> {
    let root = registry.digest()?;
    let index = serde_json::json!({ "manifests": [{ "digest": root }] }).to_string();
    let mut digests = BTreeSet::from([root]);
    let mut is_damage_mended = false;
    loop {
        let error = match read_known(&index, &digests, platform, cache) {
            Ok(archive) => return archive.ok_or(Unread::Image(Error::NoImage)),
            Err(error) => error,
        };
        let Error::MissingBlobs { blobs: missing } = error.kind() else {
            // What was pulled was verified then, but the disk may have changed it since.
            let damaged: Vec<String> = digests.iter().filter(|digest| cache.is_damaged(digest)).cloned().collect();
            if damaged.is_empty() || is_damage_mended {
                return Err(Unread::Image(error));
            }
            is_damage_mended = true;
            for digest in damaged {
                say(&format!("the cache has a damaged `{digest}`, which is pulled again"));
                cache.remove(&digest);
            }
            continue;
        };
        let is_unknown = |blob: &&Blob| !digests.contains(&blob.digest) || cache.blob(&blob.digest).is_none();
        let unknown: Vec<Blob> = missing.iter().filter(is_unknown).cloned().collect();
        let sizes = unknown.iter().map(|blob| blob.size.unwrap_or_default());
        if unknown.is_empty() || sizes.fold(0, u64::saturating_add) > MOST {
            let too_large = Error::TooLarge { limit: MOST };
            return Err(Unread::Image(if unknown.is_empty() { error } else { too_large }));
        }
        registry.pull(&unknown)?;
        digests.extend(unknown.into_iter().map(|blob| blob.digest));
    }
}

/// Reads an image of which these blobs are in the cache.
fn read_known(
    index: &str,
    digests: &BTreeSet<String>,
    platform: Option<&str>,
    cache: &Cache,
) -> Result<Option<archive::Archive>, Error> {
    let (mut layout, mut index) = (&b"{}"[..], index.as_bytes());
    let held = digests.iter().filter_map(|digest| Some((cache.path_in_layout(digest)?, cache.blob(digest)?)));
    let (paths, mut sources): (Vec<String>, Vec<FileSource>) =
        held.map(|(path, file)| (path, FileSource::of(file))).unzip();
    let own: [(&str, &mut dyn Source); 2] = [("oci-layout", &mut layout), ("index.json", &mut index)];
    let blobs = paths.into_iter().zip(sources.iter_mut().map(|source| source as &mut dyn Source));
    let files = own.into_iter().map(|(path, source)| (path.to_owned(), source)).chain(blobs).collect();
    archive::read_folder(files, platform, Limits::default(), &mut |_| true)
}

// `opscope cache`

/// Prints what was pulled from registries and is kept, or removes it.
pub(crate) fn run_cache(arguments: &args::Cache, out: &mut dyn Write) -> Result<bool, Failure> {
    let cache = Cache::of_user()?;
    if arguments.clear {
        cache.clear()?;
    }
    let (blobs, bytes) = cache.size();
    let root = shown_path(cache.root());
    writeln!(out, "{root}: {blobs} blobs, {:.1} MiB", bytes as f64 / f64::from(1 << 20)).map_err(written)?;
    for known in cache.names() {
        writeln!(out, "{} {}", known.name, known.digest).map_err(written)?;
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_is_named_after_the_last_part() {
        let name = |given| Image::named(given).name();
        assert_eq!(name("quay.io/operators/catalog:v4.18"), "catalog-v4.18");
        assert_eq!(name("localhost:5000/catalog"), "catalog");
        let digest =
            "quay.io/operators/catalog@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
        assert_eq!(name(digest), "catalog-0123456789ab");
    }

    #[test]
    fn only_a_path_with_the_prefix_names_an_image() {
        assert!(Image::of(Path::new("quay.io/operators/catalog:v4.18")).is_none());
        let image = Image::of(Path::new("image:quay.io/operators/catalog:v4.18"));
        assert_eq!(image.map(|image| image.given), Some("quay.io/operators/catalog:v4.18"));
    }
}
