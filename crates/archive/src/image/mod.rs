//! Images in archives and folders: which there are, which layers they have, and the files of their catalogs and bundles.

mod oci;

use crate::container::{Container, ContainerForm};
use crate::plain::wrapping_folder;
use crate::report::{Archive, ArchiveForm, CONFIGS, Contents, ContentsKind, Image, LayerReport, PassedOver};
use crate::run::{Pool, Run};
use crate::tree::{Digests, Layer, Leaf, Tree, joined, path_of, read_layer, split};
use crate::{Error, Form, Limits};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::rc::Rc;

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
        let saved = oci::candidates(container, &wrapping)?;
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

// The labels of an image, which tell what it is.

/// The label of a catalog image in the old sqlite format.
const DATABASE: &str = "operators.operatorframework.io.index.database.v1";
/// The labels of a bundle image: operator-registry, `docs/design/operator-bundle.md`.
const PACKAGE: &str = "operators.operatorframework.io.bundle.package.v1";
const MANIFESTS: &str = "operators.operatorframework.io.bundle.manifests.v1";
const METADATA: &str = "operators.operatorframework.io.bundle.metadata.v1";

/// The configuration of an image: image-spec, `config.md`.
#[derive(Deserialize)]
pub(crate) struct Config {
    #[serde(default)]
    config: Option<ContainerConfig>,
    #[serde(default)]
    rootfs: Option<RootFs>,
}

#[derive(Deserialize)]
struct ContainerConfig {
    #[serde(default, rename = "Labels")]
    labels: Option<BTreeMap<String, Option<String>>>,
}

#[derive(Deserialize)]
struct RootFs {
    #[serde(default)]
    diff_ids: Option<Vec<String>>,
}

/// What an image is, and the folders with its files.
pub(crate) struct Purpose {
    pub(crate) kind: ContentsKind,
    /// The folder that paths begin in.
    pub(crate) root: String,
    pub(crate) folders: Vec<String>,
}

impl Config {
    /// The digests of the layers' tar archives, the lowest first.
    pub(crate) fn diff_ids(&self) -> &[String] {
        self.rootfs.as_ref().and_then(|rootfs| rootfs.diff_ids.as_deref()).unwrap_or_default()
    }

    /// What the labels say.
    ///
    /// # Errors
    /// When the image is neither a catalog that is read nor a bundle.
    pub(crate) fn purpose(&self, limits: Limits) -> Result<Purpose, Error> {
        let labels = self.config.as_ref().and_then(|config| config.labels.as_ref());
        let label = |name: &str| labels.and_then(|labels| labels.get(name)?.as_deref());
        let folder = |name: &str| path_of(name.as_bytes(), limits).map(|(path, _)| path);
        if let Some(configs) = label(CONFIGS) {
            let root = folder(configs)?;
            return Ok(Purpose { kind: ContentsKind::Catalog, folders: vec![root.clone()], root });
        }
        let (manifests, metadata) = (label(MANIFESTS), label(METADATA));
        if manifests.is_some() || metadata.is_some() || label(PACKAGE).is_some() {
            let folders = vec![folder(manifests.unwrap_or("manifests/"))?, folder(metadata.unwrap_or("metadata/"))?];
            return Ok(Purpose { kind: ContentsKind::Bundle, root: String::new(), folders });
        }
        Err(match label(DATABASE) {
            Some(database) => Error::SqliteImage { database: crate::tree::shortened(database) },
            None => Error::NoLabel,
        })
    }
}

// Digests of blobs.

/// What digests begin with.
const PREFIX: &str = "sha256:";

/// A reader that computes the digest of what is read. Its clones read on where it stands.
pub(crate) struct Hashing<R> {
    state: Rc<RefCell<State<R>>>,
}

struct State<R> {
    reader: R,
    /// `None` if the digest is not needed.
    hash: Option<Sha256>,
    count: u64,
}

impl<R> Clone for Hashing<R> {
    fn clone(&self) -> Self {
        Self { state: Rc::clone(&self.state) }
    }
}

impl<R: Read> Hashing<R> {
    pub(crate) fn new(reader: R, is_needed: bool) -> Self {
        let state = State { reader, hash: is_needed.then(Sha256::new), count: 0 };
        Self { state: Rc::new(RefCell::new(state)) }
    }

    /// The number of bytes read so far.
    pub(crate) fn count(&self) -> u64 {
        self.state.borrow().count
    }

    /// The digest of what was read so far.
    pub(crate) fn digest(&self) -> Option<String> {
        self.state.borrow().hash.clone().map(written)
    }
}

impl<R: Read> Read for Hashing<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut state = self.state.borrow_mut();
        let count = state.reader.read(into)?;
        state.count += count as u64;
        if let Some(hash) = &mut state.hash {
            hash.update(&into[..count]);
        }
        Ok(count)
    }
}

/// The digits of a digest.
///
/// # Errors
/// When it is not `sha256:` and 64 digits.
pub(crate) fn digits(digest: &str) -> Result<&str, Error> {
    let digits = digest.strip_prefix(PREFIX).filter(|digits| are_digits(digits));
    digits.ok_or_else(|| Error::UnknownDigest { digest: crate::tree::shortened(digest) })
}

/// Whether a text is the digits of a digest.
pub(crate) fn are_digits(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

pub(crate) fn digest_of(bytes: &[u8]) -> String {
    written(Sha256::new_with_prefix(bytes))
}

fn written(hash: Sha256) -> String {
    let mut text = PREFIX.to_owned();
    for byte in hash.finalize() {
        text.extend([byte >> 4, byte & 15].iter().filter_map(|digit| char::from_digit(u32::from(*digit), 16)));
    }
    text
}
