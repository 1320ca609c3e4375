//! Reads files part by part. Parts are requested ahead, so that the browser reads while the worker handles the last
//! part.

use crate::files;
use js_sys::Uint8Array;
use std::collections::VecDeque;
use wasm_bindgen::JsValue;
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

/// A part that is on its way.
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
        Some(part.map_err(|error| files::describe(&error)))
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
            files::append(&mut bytes, &part.unwrap());
        }
        bytes.len() == size && bytes.into_iter().enumerate().all(|(at, found)| found == byte(file, at))
    }

    #[wasm_bindgen_test]
    async fn files_come_whole_and_one_after_the_other() {
        let part = PART as usize;
        let sizes = [10, 0, 2 * part + 1, part, 3];
        let whole = |(file, &size): (usize, &usize)| {
            files::bytes(&(0..size).map(|at| byte(file, at)).collect::<Vec<u8>>()).unwrap()
        };
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
