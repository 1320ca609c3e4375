//! OCI layouts, the folders of the transport `dir:`, which have the same manifests under other names, and
//! docker-archive.

use super::{Candidate, Config, LayerRef, Plan, parse};
use crate::container::Container;
use crate::image::{are_digits, digest_of, digits};
use crate::tree::{joined, path_of, shortened, split};
use crate::{ArchiveForm, Blob, Error};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A reference to a blob: image-spec, `descriptor.md`.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    #[serde(default)]
    media_type: Option<String>,
    digest: String,
    #[serde(default)]
    size: Option<u64>,
    #[serde(default)]
    platform: Option<Platform>,
    #[serde(default)]
    annotations: Option<BTreeMap<String, String>>,
}

#[derive(Clone, Deserialize)]
struct Platform {
    #[serde(default)]
    os: String,
    #[serde(default)]
    architecture: String,
}

/// An index or an image manifest: image-spec, `image-index.md` and `manifest.md`.
#[derive(Deserialize)]
struct Manifest {
    /// Only an index has this; Docker has written `null` (moby#47210).
    #[serde(default)]
    manifests: Option<Vec<Descriptor>>,
    #[serde(default)]
    config: Option<Descriptor>,
    #[serde(default)]
    layers: Option<Vec<Descriptor>>,
}

/// The name of an image, if it has one, and its entries in the index.
type NamedImage = (Option<String>, Vec<Descriptor>);

/// Where blobs are.
struct Store<'s, 'r, 'a> {
    container: &'s Container<'r, 'a>,
    folder: &'s str,
    form: ArchiveForm,
}

/// The images of an OCI layout in a folder.
///
/// # Errors
/// When its index cannot be read.
pub(crate) fn layout_candidates(container: &Container<'_, '_>, folder: &str) -> Result<Vec<Candidate>, Error> {
    let store = Store { container, folder, form: ArchiveForm::OciLayout };
    let path = joined(folder, "index.json");
    let index: Manifest = store.document(&path)?;
    let images = named_images(index.manifests.unwrap_or_default(), container.run.limits.images)?;
    if images.is_empty() {
        return Err(Error::NoImage.at(&path));
    }
    let candidate = |(name, descriptors): NamedImage| Candidate {
        // oc-mirror gives all images the same name.
        name: match &name {
            Some(name) if !super::is_of_mirror(folder) => name.clone(),
            _ if folder.is_empty() => path.clone(),
            _ => folder.to_owned(),
        },
        form: store.form,
        plan: store.choose(&descriptors, name, 0),
    };
    Ok(images.into_iter().map(candidate).collect())
}

/// The image of a folder of the transport `dir:`.
///
/// # Errors
/// When its manifest cannot be read.
pub(crate) fn dir_candidates(container: &Container<'_, '_>, folder: &str) -> Result<Vec<Candidate>, Error> {
    let store = Store { container, folder, form: ArchiveForm::DirTransport };
    let path = joined(folder, "manifest.json");
    let plan = store.plan(store.document(&path)?, path.clone(), None, None, 0);
    let name = if folder.is_empty() { path } else { folder.to_owned() };
    Ok(vec![Candidate { name, form: store.form, plan }])
}

/// The images of an index: entries of one name, or without names, are one image for several platforms.
fn named_images(descriptors: Vec<Descriptor>, limit: usize) -> Result<Vec<NamedImage>, Error> {
    let mut images: Vec<NamedImage> = Vec::new();
    for descriptor in descriptors {
        let annotation = |key: &str| descriptor.annotations.as_ref().and_then(|found| found.get(key));
        let name = annotation("io.containerd.image.name").or_else(|| annotation("org.opencontainers.image.ref.name"));
        let name = name.map(|name| shortened(name));
        match images.iter().position(|(other, _)| *other == name) {
            Some(place) => images[place].1.push(descriptor),
            None if images.len() == limit => return Err(Error::TooManyImages { limit }),
            None => images.push((name, vec![descriptor])),
        }
    }
    Ok(images)
}

impl Store<'_, '_, '_> {
    /// The plan for one of several platforms. Catalogs are the same for all of them.
    fn choose(&self, descriptors: &[Descriptor], name: Option<String>, indexes: usize) -> Result<Plan, Error> {
        let images: Vec<&Descriptor> = descriptors.iter().filter(|descriptor| !descriptor.is_attestation()).collect();
        let of = |platform: &str| images.iter().find(|image| image.platform_text().as_deref() == Some(platform));
        let platforms: Vec<String> = images.iter().filter_map(|image| image.platform_text()).collect();
        let chosen = match self.container.run.platform {
            Some(wanted) if !platforms.is_empty() => {
                of(wanted).ok_or_else(|| Error::NoPlatform { wanted: shortened(wanted), found: platforms })?
            }
            _ => (of("linux/amd64").or_else(|| images.iter().find(|image| !image.is_index())))
                .or_else(|| images.first())
                .ok_or(Error::NoImage)?,
        };
        let manifest: Manifest = self.blob_document(chosen, true)?;
        self.plan(manifest, chosen.digest.clone(), chosen.platform_text(), name, indexes)
    }

    fn plan(
        &self,
        manifest: Manifest,
        digest: String,
        platform: Option<String>,
        name: Option<String>,
        indexes: usize,
    ) -> Result<Plan, Error> {
        let limits = self.container.run.limits;
        if let Some(descriptors) = manifest.manifests {
            if indexes >= limits.indexes {
                return Err(Error::TooManyIndexes { limit: limits.indexes });
            }
            return self.choose(&descriptors, name, indexes + 1);
        }
        let config = manifest.config.ok_or(Error::NoImage)?;
        let layers = manifest.layers.unwrap_or_default();
        if layers.len() > limits.layers {
            return Err(Error::TooManyLayers { limit: limits.layers });
        }
        let config: Config = self.blob_document(&config, false)?;
        let purpose = config.purpose(limits)?;
        let (mut read, mut missing) = (Vec::new(), Vec::new());
        for layer in layers {
            match self.layer(layer) {
                Ok(layer) => read.push(layer),
                Err(Error::MissingBlobs { blobs }) => missing.extend(blobs),
                Err(error) => return Err(error),
            }
        }
        if !missing.is_empty() {
            return Err(Error::MissingBlobs { blobs: missing });
        }
        let layers = read;
        Ok(Plan { name, manifest: digest, platform, purpose, layers })
    }

    fn layer(&self, layer: Descriptor) -> Result<LayerRef, Error> {
        let media_type = layer.media_type.as_deref().map(shortened);
        let is_foreign =
            media_type.as_ref().is_some_and(|of| of.contains(".foreign.") || of.contains(".nondistributable."));
        let member = if is_foreign { None } else { Some(self.blob(&layer, false)?) };
        Ok(LayerRef {
            member,
            name: layer.digest.clone(),
            media_type,
            digest: Some(layer.digest),
            size: layer.size,
            diff_id: None,
        })
    }

    /// The member with a blob.
    fn blob(&self, of: &Descriptor, is_manifest: bool) -> Result<usize, Error> {
        let digits = digits(&of.digest)?;
        let names = match self.form {
            ArchiveForm::DirTransport => vec![digits.to_owned(), format!("{digits}.manifest.json")],
            _ => vec![format!("blobs/sha256/{digits}")],
        };
        let found = names.iter().find_map(|name| self.container.file(&joined(self.folder, name)));
        let missing = || Blob { digest: of.digest.clone(), size: of.size, is_manifest };
        found.ok_or_else(|| Error::MissingBlobs { blobs: vec![missing()] })
    }

    fn blob_document<T: for<'d> Deserialize<'d>>(
        &self,
        descriptor: &Descriptor,
        is_manifest: bool,
    ) -> Result<T, Error> {
        let bytes = self.container.document(self.blob(descriptor, is_manifest)?)?;
        let (expected, found) = (&descriptor.digest, digest_of(&bytes));
        if *expected != found {
            return Err(Error::WrongDigest { expected: expected.clone(), found }.at(expected));
        }
        match descriptor.size {
            Some(expected) if expected != bytes.len() as u64 => {
                Err(Error::WrongSize { expected, found: bytes.len() as u64 }.at(&descriptor.digest))
            }
            _ => parse(&bytes).map_err(|error| error.at(&descriptor.digest)),
        }
    }

    fn document<T: for<'d> Deserialize<'d>>(&self, path: &str) -> Result<T, Error> {
        let index = self.container.file(path).ok_or_else(|| Error::Missing { name: path.to_owned() })?;
        parse(&self.container.document(index)?).map_err(|error| error.at(path))
    }
}

impl Descriptor {
    fn is_index(&self) -> bool {
        matches!(
            self.media_type.as_deref(),
            Some(
                "application/vnd.oci.image.index.v1+json" | "application/vnd.docker.distribution.manifest.list.v2+json"
            )
        )
    }

    /// Whether this is a statement of BuildKit about another image: its platform is `unknown/unknown`.
    fn is_attestation(&self) -> bool {
        let is_unknown = self.platform_text().as_deref() == Some("unknown/unknown");
        is_unknown || self.annotations.as_ref().is_some_and(|found| found.contains_key("vnd.docker.reference.type"))
    }

    fn platform_text(&self) -> Option<String> {
        let platform = self.platform.as_ref()?;
        Some(format!("{}/{}", shortened(&platform.os), shortened(&platform.architecture)))
    }
}

// docker-archive: what `docker save` and `podman save` write.
//
// `manifest.json` is preferred to the OCI layout that Docker adds since version 25: that one lacked layers or images in
// some of its versions (moby#47065, moby#47210, moby#51389).

/// An entry of `manifest.json`.
#[derive(Deserialize)]
struct SavedImage {
    #[serde(rename = "Config")]
    config: String,
    #[serde(default, rename = "RepoTags")]
    tags: Option<Vec<String>>,
    #[serde(default, rename = "Layers")]
    layers: Option<Vec<String>>,
}

/// The images of a docker-archive whose `manifest.json` is in a folder; none if that file is something else.
///
/// # Errors
/// When the file cannot be read or is damaged.
pub(crate) fn candidates(container: &Container<'_, '_>, folder: &str) -> Result<Vec<Candidate>, Error> {
    let path = joined(folder, "manifest.json");
    let Some(index) = container.file(&path) else { return Ok(Vec::new()) };
    let bytes = match container.document(index) {
        Err(error) if matches!(error.kind(), Error::DocumentTooLarge { .. }) => return Ok(Vec::new()),
        document => document?,
    };
    // Repositories may have a `manifest.json` of their own.
    let is_list = bytes.trim_ascii_start().starts_with(b"[");
    if !is_list || !bytes.windows(b"\"Layers\"".len()).any(|part| part == b"\"Layers\"") {
        return Ok(Vec::new());
    }
    let images: Vec<SavedImage> = parse(&bytes).map_err(|error| error.at(&path))?;
    let limit = container.run.limits.images;
    if images.len() > limit {
        return Err(Error::TooManyImages { limit });
    }
    let candidate = |image: &SavedImage| Candidate {
        name: image.tags.iter().flatten().next().map_or_else(|| shortened(&image.config), |tag| shortened(tag)),
        form: ArchiveForm::DockerArchive,
        plan: plan(container, folder, image),
    };
    Ok(images.iter().map(candidate).collect())
}

fn plan(container: &Container<'_, '_>, folder: &str, image: &SavedImage) -> Result<Plan, Error> {
    let limits = container.run.limits;
    let file = |name: &str| {
        let path = joined(folder, &path_of(name.as_bytes(), limits)?.0);
        let index = container.file(&path).ok_or_else(|| Error::Missing { name: shortened(name) })?;
        Ok::<_, Error>(index)
    };
    let layers = image.layers.as_deref().unwrap_or_default();
    if layers.len() > limits.layers {
        return Err(Error::TooManyLayers { limit: limits.layers });
    }
    let document = container.document(file(&image.config)?)?;
    verify_by_name(&image.config, &document).map_err(|error| error.at(&image.config))?;
    let config: Config = parse(&document).map_err(|error| error.at(&image.config))?;
    let purpose = config.purpose(limits)?;
    let layer = |(number, name): (usize, &String)| {
        Ok(LayerRef {
            member: Some(file(name)?),
            name: shortened(name),
            media_type: None,
            digest: blob_digest(name),
            size: None,
            // A configuration that names another number of layers is not about these.
            diff_id: (config.diff_ids().len() == layers.len()).then(|| config.diff_ids()[number].clone()),
        })
    };
    let layers = layers.iter().enumerate().map(layer).collect::<Result<Vec<_>, Error>>()?;
    let name = image.tags.iter().flatten().next().map(|tag| shortened(tag));
    Ok(Plan { name, manifest: shortened(&image.config), platform: None, purpose, layers })
}

/// The digest that a path of the OCI layout has in its name.
fn blob_digest(name: &str) -> Option<String> {
    let digits = name.rsplit_once("blobs/sha256/")?.1;
    are_digits(digits).then(|| format!("sha256:{digits}"))
}

/// A configuration is named after its digest.
fn verify_by_name(name: &str, bytes: &[u8]) -> Result<(), Error> {
    let stem = split(name).1;
    let stem = stem.strip_suffix(".json").unwrap_or(stem);
    let (expected, found) = (format!("sha256:{stem}"), digest_of(bytes));
    if are_digits(stem) && expected != found { Err(Error::WrongDigest { expected, found }) } else { Ok(()) }
}
