//! docker-archive: what `docker save` and `podman save` write.
//!
//! `manifest.json` is preferred to the OCI layout that Docker adds since version 25: that one lacked layers or images in some of
//! its versions (moby#47065, moby#47210, moby#51389).

use super::label::Config;
use super::{Candidate, LayerRef, Plan, parse};
use crate::container::Container;
use crate::digest::{are_digits, digest_of};
use crate::name::{joined, path_of, shortened, split};
use crate::{ArchiveForm, Error};
use serde::Deserialize;

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
