//! Reads files part by part, and requests parts ahead: the browser reads on while the last part is handled.

use crate::files;
use js_sys::Uint8Array;
use std::collections::VecDeque;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

/// Files are read by so many bytes at a time.
const PART: f64 = (4 << 20) as f64;
/// How many bytes are requested ahead.
const AHEAD: f64 = 3.0 * PART;
/// In at most so many parts: a request for a small file takes as long as one for a large file.
const PARTS: usize = 48;

/// The contents of files, in their order and part by part.
pub(crate) struct Fetch {
    parts: std::vec::IntoIter<Part>,
    asked: VecDeque<Asked>,
}

/// A part of the file with this position.
struct Part {
    file: usize,
    blob: Blob,
    start: f64,
}

/// A part that is on its way.
struct Asked {
    file: usize,
    bytes: f64,
    buffer: Result<JsFuture, JsValue>,
}

impl Fetch {
    /// Begins with these files.
    pub(crate) fn of<'b>(blobs: impl Iterator<Item = &'b Blob>) -> Self {
        let parts = blobs.enumerate().flat_map(|(file, blob)| {
            let count = (blob.size() / PART).ceil() as u32;
            (0..count).map(move |part| Part { file, blob: blob.clone(), start: f64::from(part) * PART })
        });
        Self { parts: parts.collect::<Vec<_>>().into_iter(), asked: VecDeque::new() }
    }

    /// The next part of a file, after all files before it; nothing at its end. Fails when the browser does not give it (the
    /// file was deleted or changed meanwhile, say).
    pub(crate) async fn next(&mut self, file: usize) -> Option<Result<Uint8Array, String>> {
        // What is left of a file that could not be read is of no use.
        while self.asked.front().is_some_and(|asked| asked.file < file) {
            self.asked.pop_front();
        }
        while self.asks_more()
            && let Some(part) = self.parts.next()
        {
            if part.file >= file {
                self.asked.push_back(part.ask());
            }
        }
        self.asked.front().filter(|asked| asked.file == file)?;
        let part = match self.asked.pop_front()?.buffer {
            Ok(promise) => promise.await.map(|buffer| Uint8Array::new(&buffer)),
            Err(error) => Err(error),
        };
        Some(part.map_err(|error| files::describe(&error)))
    }

    fn asks_more(&self) -> bool {
        let bytes: f64 = self.asked.iter().map(|asked| asked.bytes).sum();
        self.asked.is_empty() || (bytes < AHEAD && self.asked.len() < PARTS)
    }
}

impl Part {
    fn ask(&self) -> Asked {
        let end = (self.start + PART).min(self.blob.size());
        let slice = self.blob.slice_with_f64_and_f64(self.start, end);
        Asked { file: self.file, bytes: end - self.start, buffer: slice.map(|slice| slice.array_buffer().into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

    wasm_bindgen_test_configure!(run_in_dedicated_worker);

    /// A byte of a file, another one for each of its places and each file.
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
        // What is left of a file that is given up is passed over.
        let mut fetch = Fetch::of(blobs.iter());
        assert!(fetch.next(2).await.is_some());
        assert!(fetched(&mut fetch, 3, sizes[3]).await);
        assert!(fetched(&mut fetch, 4, sizes[4]).await);
    }
}
