//! Images in archives and folders: which there are, which layers they have, and the files of their catalogs and bundles.

mod docker;
mod label;
mod oci;

use crate::container::{Container, ContainerForm};
use crate::layer::{Digests, Layer, read_layer};
use crate::name::{joined, split};
use crate::plain::wrapping_folder;
use crate::pool::Pool;
use crate::report::{Archive, ArchiveForm, Contents, ContentsKind, Image, LayerReport, PassedOver};
use crate::run::Run;
use crate::tree::{Leaf, Tree};
use crate::{Error, Form};
use label::Purpose;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// How the file `version` of the transport `dir:` begins: containers/image, `directory/directory_dest.go`.
const DIR_VERSION: &[u8] = b"Directory Transport Version";

/// An image that may be read.
pub(crate) struct Candidate {
    /// The name, or what identifies it.
    name: String,
    form: ArchiveForm,
    plan: Result<Plan, Error>,
}

/// What to read of an image.
pub(crate) struct Plan {
    name: Option<String>,
    manifest: String,
    platform: Option<String>,
    purpose: Purpose,
    /// The lowest first.
    layers: Vec<LayerRef>,
}

/// A layer that a manifest names.
pub(crate) struct LayerRef {
    /// `None` for a layer that is not in archives.
    member: Option<usize>,
    name: String,
    media_type: Option<String>,
    /// The digest of the bytes as they are stored.
    digest: Option<String>,
    size: Option<u64>,
    /// The digest of the tar archive.
    diff_id: Option<String>,
}

/// Reads the images of a container; `None` if it has none.
///
/// # Errors
/// When no image can be read. If some can, the others are in [`Archive::passed_over`].
pub(crate) fn read_images(container: &Container<'_, '_>) -> Result<Option<Archive>, Error> {
    let run = container.run;
    let candidates = candidates(container)?;
    let Some(form) = candidates.first().map(|candidate| candidate.form) else { return Ok(None) };
    let mut passed_over = Vec::new();
    let mut plans: Vec<(String, Plan)> = Vec::new();
    for Candidate { name, plan, .. } in candidates {
        match plan {
            Err(Error::Cancelled) => return Err(Error::Cancelled),
            Err(reason) => passed_over.push(PassedOver { image: name, reason }),
            // One image may have several names.
            Ok(plan) if plans.iter().any(|(_, other)| other.manifest == plan.manifest) => {}
            Ok(plan) => plans.push((name, plan)),
        }
    }
    let mut pool = Pool::default();
    let layers = read_layers(container, &plans, &mut pool)?;
    let mut read = Vec::new();
    for (name, plan) in plans {
        match assemble(run, &plan, &layers) {
            Ok((image, leaves)) => {
                pool.claim(&leaves);
                read.push((name, plan, image, leaves));
            }
            Err(reason) => passed_over.push(PassedOver { image: name, reason }),
        }
    }
    let mut contents = Vec::new();
    for (label, plan, image, leaves) in read {
        let Purpose { kind, root, .. } = plan.purpose;
        let files = pool.files(run, leaves, &root)?;
        contents.push(Contents { kind, label, folder: root, image: Some(image), files });
    }
    if !contents.is_empty() {
        return Ok(Some(Archive { form, compressions: container.compressions.clone(), contents, passed_over }));
    }
    let is_only = passed_over.len() == 1;
    let first = passed_over.into_iter().next();
    Err(first.map_or(Error::NoImage, |PassedOver { image, reason }| if is_only { reason } else { reason.at(&image) }))
}

/// The images that a container may have.
fn candidates(container: &Container<'_, '_>) -> Result<Vec<Candidate>, Error> {
    let wrapping = wrapping_folder(container);
    if container.form != ContainerForm::Folder {
        let saved = docker::candidates(container, &wrapping)?;
        if !saved.is_empty() {
            return Ok(saved);
        }
    }
    let limit = container.run.limits.images;
    let mut found = Vec::new();
    for path in container.paths() {
        let (folder, name) = split(path);
        if !is_place_of_images(folder, &wrapping) {
            continue;
        }
        let has = |name: &str| container.file(&joined(folder, name)).is_some();
        match name {
            "oci-layout" if has("index.json") => found.extend(oci::layout_candidates(container, folder)?),
            "version" if has("manifest.json") && is_dir_version(container, path)? => {
                found.extend(oci::dir_candidates(container, folder)?);
            }
            _ => {}
        }
        if found.len() > limit {
            return Err(Error::TooManyImages { limit });
        }
    }
    Ok(found)
}

/// Whether images in a folder are what the user means: not those that a repository has for its tests. oc-mirror keeps a folder
/// for each catalog.
fn is_place_of_images(folder: &str, wrapping: &str) -> bool {
    folder.is_empty() || folder == wrapping || is_of_mirror(folder)
}

/// Whether a folder is one of oc-mirror's.
fn is_of_mirror(folder: &str) -> bool {
    folder.split('/').any(|part| part == "operator-catalogs")
}

fn is_dir_version(container: &Container<'_, '_>, path: &str) -> Result<bool, Error> {
    let Some(index) = container.file(path) else { return Ok(false) };
    match container.document(index) {
        Err(error) if matches!(error.kind(), Error::DocumentTooLarge { .. }) => Ok(false),
        document => Ok(document?.starts_with(DIR_VERSION)),
    }
}

/// Reads the layers of all plans, each once, in the order of the archive.
fn read_layers(
    container: &Container<'_, '_>,
    plans: &[(String, Plan)],
    pool: &mut Pool,
) -> Result<BTreeMap<usize, Layer>, Error> {
    let mut digests: BTreeMap<usize, Digests> = BTreeMap::new();
    let mut folders = BTreeSet::new();
    for (_, plan) in plans {
        folders.extend(plan.purpose.folders.iter().cloned());
        for layer in &plan.layers {
            let Some(member) = layer.member else { continue };
            let needed = digests.entry(member).or_default();
            needed.stored |= layer.digest.is_some();
            needed.unpacked |= layer.digest.is_none() && layer.diff_id.is_some();
        }
    }
    let folders: Vec<String> = folders.into_iter().collect();
    let mut layers = BTreeMap::new();
    container.read(&digests.keys().copied().collect(), &mut |member, reader| {
        let layer = read_layer(container.run, reader, digests[&member], &folders, pool)?;
        layers.insert(member, layer);
        Ok(())
    })?;
    Ok(layers)
}

/// Puts the layers of an image on each other.
fn assemble(run: &Run<'_>, plan: &Plan, layers: &BTreeMap<usize, Layer>) -> Result<(Image, Vec<Leaf>), Error> {
    let mut tree = Tree::new(&plan.purpose.folders, true);
    let mut reports = Vec::new();
    for (number, of) in plan.layers.iter().enumerate() {
        let mut report = LayerReport {
            name: of.name.clone(),
            media_type: of.media_type.clone(),
            compressions: Vec::new(),
            size: of.size.unwrap_or_default(),
            entries: 0,
            files: 0,
            removed: 0,
            is_foreign: of.member.is_none(),
        };
        if let Some(member) = of.member {
            let layer = layers.get(&member).ok_or_else(|| Error::Missing { name: of.name.clone() })?;
            verify(of, layer).map_err(|error| error.at(&of.name))?;
            report.compressions.clone_from(&layer.compressions);
            (report.size, report.entries) = (layer.size, layer.entries);
            // Each image puts its layers on each other anew, also where images share them.
            run.or_failure(run.count_entries(layer.changes.len() as u64), Form::Tar)?;
            report.removed = tree.apply(&layer.changes, number);
        }
        reports.push(report);
    }
    let leaves = tree.leaves();
    for leaf in &leaves {
        reports[leaf.layer].files += 1;
    }
    if leaves.is_empty() {
        let folders: Vec<String> = plan.purpose.folders.iter().map(|folder| format!("/{folder}")).collect();
        return Err(match plan.purpose.kind {
            ContentsKind::Bundle => Error::NoBundle { folders },
            ContentsKind::Catalog | ContentsKind::Files => Error::NoFolder { folder: folders.concat() },
        });
    }
    let Plan { name, manifest, platform, .. } = plan;
    let image = Image { name: name.clone(), manifest: manifest.clone(), platform: platform.clone(), layers: reports };
    Ok((image, leaves))
}

fn verify(of: &LayerRef, layer: &Layer) -> Result<(), Error> {
    if let Some(expected) = of.size.filter(|expected| *expected != layer.size) {
        return Err(Error::WrongSize { expected, found: layer.size });
    }
    let (expected, found) = match &of.digest {
        Some(digest) => (Some(digest), &layer.stored),
        None => (of.diff_id.as_ref(), &layer.unpacked),
    };
    match (expected, found) {
        (Some(expected), Some(found)) if expected != found => {
            Err(Error::WrongDigest { expected: expected.clone(), found: found.clone() })
        }
        _ => Ok(()),
    }
}

/// Parses a document of an image.
fn parse<T: for<'d> Deserialize<'d>>(bytes: &[u8]) -> Result<T, Error> {
    serde_json::from_slice(bytes).map_err(|error| Error::BadDocument { reason: error.to_string() })
}
