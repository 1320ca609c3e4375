//! Reads files part by part. Parts are requested ahead, so that the browser reads while the worker handles the last
//! part.

use js_sys::WebAssembly::Memory;
use js_sys::{ArrayBuffer, Uint8Array};
use std::collections::VecDeque;
use std::hint::black_box;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

/// The size of a part in bytes.
const PART: f64 = (4 << 20) as f64;
/// How many bytes are requested ahead.
const AHEAD: f64 = 3.0 * PART;
/// How many parts are requested ahead at most, if files are small: a request takes some time however small its file is.
const PARTS: usize = 48;

/// The contents of files, in their order and part by part.
pub(crate) struct Fetch {
    parts: std::vec::IntoIter<Part>,
    requested: VecDeque<RequestedPart>,
}

/// A part of the file with this position.
struct Part {
    file: usize,
    blob: Blob,
    start: f64,
}

struct RequestedPart {
    file: usize,
    bytes: f64,
    buffer: Result<JsFuture, JsValue>,
}

impl Fetch {
    /// Starts with these files.
    pub(crate) fn of<'b>(blobs: impl Iterator<Item = &'b Blob>) -> Self {
        let parts = blobs.enumerate().flat_map(|(file, blob)| {
            let count = (blob.size() / PART).ceil() as u32;
            (0..count).map(move |part| Part { file, blob: blob.clone(), start: f64::from(part) * PART })
        });
        Self { parts: parts.collect::<Vec<_>>().into_iter(), requested: VecDeque::new() }
    }

    /// The next part of a file; `None` at its end. Files have to be read in their order. Fails if the browser cannot
    /// read it, for instance because the file was deleted or changed meanwhile.
    pub(crate) async fn next(&mut self, file: usize) -> Option<Result<Uint8Array, String>> {
        // Drop the other parts of a file that could not be read.
        while self.requested.front().is_some_and(|requested| requested.file < file) {
            self.requested.pop_front();
        }
        while self.has_room()
            && let Some(part) = self.parts.next()
        {
            if part.file >= file {
                self.requested.push_back(part.request());
            }
        }
        self.requested.front().filter(|requested| requested.file == file)?;
        let part = match self.requested.pop_front()?.buffer {
            Ok(promise) => promise.await.map(|buffer| Uint8Array::new(&buffer)),
            Err(error) => Err(error),
        };
        Some(part.map_err(|error| describe(&error)))
    }

    fn has_room(&self) -> bool {
        let bytes: f64 = self.requested.iter().map(|requested| requested.bytes).sum();
        // One part is always requested, however large: nothing would come otherwise.
        self.requested.is_empty() || (bytes < AHEAD && self.requested.len() < PARTS)
    }
}

impl Part {
    fn request(&self) -> RequestedPart {
        let end = (self.start + PART).min(self.blob.size());
        // Most files are one part, which takes the browser less time than a slice.
        let is_whole = self.start == 0.0 && end == self.blob.size();
        let part = if is_whole { Ok(self.blob.clone()) } else { self.blob.slice_with_f64_and_f64(self.start, end) };
        RequestedPart { file: self.file, bytes: end - self.start, buffer: part.map(|part| part.array_buffer().into()) }
    }
}

// Contents of files: `Blob`s to bytes and back.

/// A buffer has room for this fraction more than its file, so that typing seldom needs a larger allocation and a copy.
const SLACK: usize = 64;

/// An empty buffer for the bytes of a file. It is allocated at once with its final size, because the memory of a worker
/// never shrinks.
pub(crate) fn buffer(blob: &Blob) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let size = blob.size();
    bytes
        .try_reserve_exact(size as usize + size as usize / SLACK)
        .map(|()| bytes)
        .map_err(|_| format!("its {size} bytes are more than the browser has room for"))
}

pub(crate) fn append(bytes: &mut Vec<u8>, part: &Uint8Array) {
    let start = bytes.len();
    bytes.resize(start + part.length() as usize, 0);
    part.copy_to(&mut bytes[start..]);
}

/// All bytes of a file.
pub(crate) async fn whole(blob: &Blob) -> Result<Vec<u8>, String> {
    let mut bytes = buffer(blob)?;
    let buffer = JsFuture::from(blob.array_buffer()).await.map_err(|error| describe(&error))?;
    append(&mut bytes, &Uint8Array::new(&buffer));
    Ok(bytes)
}

pub(crate) fn blob(text: &str) -> Result<Blob, String> {
    bytes(text.as_bytes()).map_err(|error| describe(&error))
}

pub(crate) fn bytes(bytes: &[u8]) -> Result<Blob, JsValue> {
    Blob::new_with_u8_array_sequence(&js_sys::Array::of1(&Uint8Array::from(bytes)))
}

/// The message of a thrown value.
pub(crate) fn describe(error: &JsValue) -> String {
    let message = js_sys::Reflect::get(error, &"message".into()).ok().and_then(|message| message.as_string());
    message.unwrap_or_else(|| format!("{error:?}"))
}

// The size of the worker's memory, and reserving memory for a load.
//
// The allocator asks for 64 KiB whenever it runs out, 2500 times for 100 MB. What each costs depends on the host: most
// of a millisecond in Node.js, much less in Chromium. A load that knows how much it needs asks once.

/// If the reserve was too small, this fraction of the memory is added to it.
const MEMORY_PART: usize = 8;

/// Memory that is reserved for a load.
pub(crate) struct Reserve {
    /// The size of the memory after the last reservation, in bytes.
    reserved: u32,
}

impl Reserve {
    /// Reserves memory for texts of this size in bytes and their analysis. For real catalogs the analysis takes three
    /// quarters of the size of the texts.
    pub(crate) fn of(bytes: u32) -> Self {
        reserve(bytes as usize / 4 * 7);
        Self { reserved: size() }
    }

    /// Reserves more if there was too little.
    pub(crate) fn extend(&mut self) {
        if size() > self.reserved {
            reserve(size() as usize / MEMORY_PART);
            self.reserved = size();
        }
    }
}

/// Makes the allocator request this many bytes from the browser, and returns them to the allocator. If the browser has
/// not enough memory, the load fails later, when it needs it.
fn reserve(bytes: usize) {
    let mut reserve: Vec<u8> = Vec::new();
    drop(reserve.try_reserve_exact(bytes));
    // The compiler would remove an allocation that nothing uses.
    drop(black_box(reserve));
}

/// The size of the worker's memory in bytes. It never shrinks.
pub(crate) fn size() -> u32 {
    let buffer = wasm_bindgen::memory().dyn_into::<Memory>().map(|memory| memory.buffer());
    buffer.map_or(0, |buffer| buffer.unchecked_into::<ArrayBuffer>().byte_length())
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

    wasm_bindgen_test_configure!(run_in_dedicated_worker);

    /// The byte at a position of a test file.
    fn byte(file: usize, at: usize) -> u8 {
        (at / 7 + at + 31 * file) as u8
    }

    async fn fetched(fetch: &mut Fetch, file: usize, size: usize) -> bool {
        let mut bytes = Vec::new();
        while let Some(part) = fetch.next(file).await {
            append(&mut bytes, &part.unwrap());
        }
        bytes.len() == size && bytes.into_iter().enumerate().all(|(at, found)| found == byte(file, at))
    }

    #[wasm_bindgen_test]
    async fn files_come_whole_and_one_after_the_other() {
        let part = PART as usize;
        let sizes = [10, 0, 2 * part + 1, part, 3];
        let whole =
            |(file, &size): (usize, &usize)| bytes(&(0..size).map(|at| byte(file, at)).collect::<Vec<u8>>()).unwrap();
        let blobs: Vec<Blob> = sizes.iter().enumerate().map(whole).collect();
        let mut fetch = Fetch::of(blobs.iter());
        for (file, &size) in sizes.iter().enumerate() {
            assert!(fetched(&mut fetch, file, size).await, "file {file}");
        }
        // The other parts of a file that is given up are skipped.
        let mut fetch = Fetch::of(blobs.iter());
        assert!(fetch.next(2).await.is_some());
        assert!(fetched(&mut fetch, 3, sizes[3]).await);
        assert!(fetched(&mut fetch, 4, sizes[4]).await);
    }
}
