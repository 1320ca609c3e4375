//! The unpacker: reads one archive, image or folder of images, and ends.
//!
//! It is a worker of its own with the same module, which the worker starts (`unpack.rs`).
//! Reading can block here, ending it cancels, and its memory goes with it.

use archive::{Archive, Contents, Limits, Source};
use js_sys::{Array, Object, Reflect, Uint8Array};
use session::{is_must_gather_log, must_gather_files};
use std::io;
use views::{ArchivePart, ArchiveView, FromUnpacker, Unpack, Unpacked, UnpackedRoot};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::*;
use web_sys::{Blob, DedicatedWorkerGlobalScope, FileReaderSync, MessageEvent};

/// The least time between two messages about progress, in milliseconds.
const PAUSE: f64 = 100.0;

/// The name of a worker that is an unpacker; `web/boot.js` looks whether a worker has one.
pub(crate) const NAME: &str = "unpacker";

/// Answers requests; says that it can.
pub(crate) fn start(scope: &DedicatedWorkerGlobalScope) {
    let inner = scope.clone();
    let listener = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| answer(&inner, &event.data()));
    scope.set_onmessage(Some(listener.as_ref().unchecked_ref()));
    listener.forget();
    post(scope, &JsValue::NULL, &Array::new());
}

/// Answers a request. What is no request comes from a defect: the error that is thrown reaches the worker.
fn answer(scope: &DedicatedWorkerGlobalScope, request: &JsValue) {
    let field = |name: &str| Reflect::get(request, &name.into()).unwrap_or(JsValue::UNDEFINED);
    let asked: Unpack = match serde_wasm_bindgen::from_value(field("unpack")) {
        Ok(asked) => asked,
        Err(error) => wasm_bindgen::throw_str(&error.to_string()),
    };
    let blobs = Array::from(&field("files")).iter().filter_map(|file| file.dyn_into::<Blob>().ok()).collect();
    let mut last = js_sys::Date::now();
    let mut progress = |bytes: u64| {
        let now = js_sys::Date::now();
        if now - last >= PAUSE {
            last = now;
            send(scope, &FromUnpacker::Read { bytes: bytes as f64 }, &Array::new());
        }
        true
    };
    match read(asked, blobs, &mut progress) {
        Ok(Some(UnpackedFiles { unpacked, blobs })) => send(scope, &FromUnpacker::Done(unpacked), &blobs),
        Ok(None) => send(scope, &FromUnpacker::NoImages, &Array::new()),
        Err(reason) => send(scope, &FromUnpacker::Refused { reason }, &Array::new()),
    }
}

fn send(scope: &DedicatedWorkerGlobalScope, message: &FromUnpacker, blobs: &Array) {
    match serde_wasm_bindgen::to_value(message) {
        Ok(message) => post(scope, &message, blobs),
        Err(error) => wasm_bindgen::throw_str(&error.to_string()),
    }
}

/// Sends a message; one that cannot be sent ends the unpacker with an error.
fn post(scope: &DedicatedWorkerGlobalScope, message: &JsValue, blobs: &Array) {
    let envelope = Object::new();
    let sent = Reflect::set(&envelope, &"message".into(), message)
        .and_then(|_| Reflect::set(&envelope, &"blobs".into(), blobs))
        .and_then(|_| scope.post_message(&envelope));
    if let Err(error) = sent {
        wasm_bindgen::throw_val(error);
    }
}

// Archives and folders of images to the files of catalogs.

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

// A `Blob` as a source of bytes.

/// How much is read at once where reading goes on from the last byte, in bytes. Each read takes the browser about 2 ms,
/// however few bytes it is for.
const AHEAD: u64 = 4 << 20;

/// Reads slices of a `Blob`, synchronously, which only workers may.
struct BlobSource {
    blob: Blob,
    reader: FileReaderSync,
    /// What was read last, and where it begins.
    window: Option<(u64, Uint8Array)>,
}

impl BlobSource {
    pub(crate) fn new(blob: Blob) -> Result<Self, JsValue> {
        Ok(Self { blob, reader: FileReaderSync::new()?, window: None })
    }

    /// Bytes from an offset on, at least one unless the file ends there: those that were read, or new ones.
    fn bytes_at(&mut self, offset: u64, wanted: u64) -> Result<Uint8Array, JsValue> {
        let mut size = wanted;
        if let Some((start, bytes)) = &self.window {
            let end = start + u64::from(bytes.length());
            if (*start..end).contains(&offset) {
                return Ok(bytes.subarray((offset - start) as u32, bytes.length()));
            }
            size = if offset == end { AHEAD.max(wanted) } else { wanted };
        }
        let slice = self.blob.slice_with_f64_and_f64(offset as f64, offset.saturating_add(size) as f64)?;
        let buffer = self.reader.read_as_array_buffer(&slice)?;
        let bytes = Uint8Array::new(&buffer);
        self.window = Some((offset, bytes.clone()));
        Ok(bytes)
    }
}

impl Source for BlobSource {
    fn len(&self) -> u64 {
        self.blob.size() as u64
    }

    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        let bytes = self.bytes_at(offset, into.len() as u64).map_err(|error| unread(&error))?;
        let count = (bytes.length() as usize).min(into.len());
        bytes.subarray(0, count as u32).copy_to(&mut into[..count]);
        Ok(count)
    }
}

/// The message of the browser, for instance when the file was changed since it was dropped.
fn unread(error: &JsValue) -> io::Error {
    let message = Reflect::get(error, &"message".into()).ok().and_then(|message| message.as_string());
    io::Error::other(message.unwrap_or_else(|| format!("{error:?}")))
}
