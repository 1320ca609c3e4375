//! Contents of files, asked for ahead: the browser goes on reading while what it has read is looked at.

use crate::files;
use js_sys::Uint8Array;
use std::collections::VecDeque;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;
use web_sys::Blob;

/// Files are read by so many bytes at a time.
const PART: f64 = (4 << 20) as f64;
/// So many bytes are on their way: the next ones are asked for before a part is waited for.
const AHEAD: f64 = 3.0 * PART;
/// In at most so many parts: small files take as long to be answered as large ones.
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
