//! A `Blob` as a source of bytes.

use archive::Source;
use js_sys::{Reflect, Uint8Array};
use std::io;
use wasm_bindgen::JsValue;
use web_sys::{Blob, FileReaderSync};

/// Reads slices of a `Blob`, synchronously, which only workers may.
pub(crate) struct BlobSource {
    blob: Blob,
    reader: FileReaderSync,
}

impl BlobSource {
    pub(crate) fn new(blob: Blob) -> Result<Self, JsValue> {
        Ok(Self { blob, reader: FileReaderSync::new()? })
    }
}

impl Source for BlobSource {
    fn len(&self) -> u64 {
        self.blob.size() as u64
    }

    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        let end = offset.saturating_add(into.len() as u64);
        let slice = self.blob.slice_with_f64_and_f64(offset as f64, end as f64);
        let buffer =
            slice.and_then(|slice| self.reader.read_as_array_buffer(&slice)).map_err(|error| unread(&error))?;
        let bytes = Uint8Array::new(&buffer);
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
