//! Archives and folders of images to the files of catalogs.

use super::blob_source::BlobSource;
use archive::{Archive, Contents, Limits, Source};
use js_sys::{Array, Uint8Array};
use session::{is_must_gather_log, must_gather_files};
use views::{ArchivePart, ArchiveView, Unpack, Unpacked, UnpackedRoot};
use wasm_bindgen::JsValue;
use web_sys::Blob;

/// Endings of archives, which the names of catalogs lack.
const ENDINGS: [&str; 6] = [".gz", ".xz", ".zst", ".tar", ".tgz", ".zip"];

/// What was read, and the contents of the files that could be read, in their order.
pub(crate) struct UnpackedFiles {
    pub(crate) unpacked: Unpacked,
    pub(crate) blobs: Array,
}

/// Reads an archive, or a folder of images. `None` if the folder has no images.
pub(crate) fn read(
    Unpack { name, paths }: Unpack,
    blobs: Vec<Blob>,
    progress: &mut dyn FnMut(u64) -> bool,
) -> Result<Option<UnpackedFiles>, String> {
    let sources: Result<Vec<BlobSource>, JsValue> = blobs.into_iter().map(BlobSource::new).collect();
    let mut sources = sources.map_err(|error| format!("{error:?}"))?;
    let limits = Limits::default();
    let archive = if paths.is_empty() {
        let source = sources.first_mut().ok_or("there is no file")?;
        archive::read(source, &name, limits, &|path| !is_must_gather_log(path), progress).map(Some)
    } else {
        let files = paths.into_iter().zip(sources.iter_mut().map(|source| source as &mut dyn Source));
        archive::read_folder(files.collect(), None, limits, progress)
    };
    let archive = archive.map_err(|error| error.to_string())?;
    archive.map(|archive| handed_over(archive, name).map_err(|error| format!("{error:?}"))).transpose()
}

/// The contents as the worker gets them. The bytes of each file go to the browser, one after the other.
fn handed_over(mut archive: Archive, name: String) -> Result<UnpackedFiles, JsValue> {
    let parts = (archive.contents.iter())
        .map(|contents| ArchivePart {
            sentence: archive.sentence(contents),
            layers: (contents.image.iter())
                .flat_map(|image| &image.layers)
                .map(|layer| (layer.name.clone(), layer.sentence()))
                .collect(),
        })
        .collect();
    let passed_over = std::mem::take(&mut archive.passed_over).into_iter();
    let passed_over = passed_over.map(|found| (found.image, found.reason.to_string())).collect();
    let blobs = Array::new();
    let mut roots = Vec::new();
    let is_alone = archive.contents.len() == 1;
    for contents in archive.contents {
        let is_named = !is_alone && !contents.label.is_empty();
        let root = if is_named { contents.label.clone() } else { without_endings(&name).to_owned() };
        roots.push(root_of(root, contents, &blobs)?);
    }
    Ok(UnpackedFiles { unpacked: Unpacked { view: ArchiveView { name, parts, passed_over }, roots }, blobs })
}

fn root_of(name: String, contents: Contents, blobs: &Array) -> Result<UnpackedRoot, JsValue> {
    let Contents { mut files, folder, .. } = contents;
    let count = files.len();
    let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let gathered = must_gather_files(&paths);
    let others = gathered.as_ref().map(|wanted| (count - wanted.len()) as u32);
    if let Some(wanted) = gathered {
        files = wanted.into_iter().map(|at| files[at].clone()).collect();
    }
    let mut listed = Vec::new();
    for file in files {
        let fault = match file.content {
            Ok(bytes) => {
                let parts = Array::of1(&Uint8Array::from(bytes.as_slice()));
                let blob = Blob::new_with_u8_array_sequence(&parts)?;
                blobs.push(&blob);
                None
            }
            Err(fault) => Some(fault.to_string()),
        };
        let path = if folder.is_empty() { file.path } else { format!("{folder}/{}", file.path) };
        listed.push((path, fault));
    }
    Ok(UnpackedRoot { name, files: listed, others })
}

/// The name of an archive as that of a catalog.
fn without_endings(name: &str) -> &str {
    let mut short = name;
    while let Some(stem) = ENDINGS.iter().find_map(|ending| short.strip_suffix(ending)).filter(|stem| !stem.is_empty())
    {
        short = stem;
    }
    short
}
