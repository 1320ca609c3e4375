//! A `Blob` as a source of bytes.

use archive::Source;
use js_sys::{Reflect, Uint8Array};
use std::io;
use wasm_bindgen::JsValue;
use web_sys::{Blob, FileReaderSync};

/// How much is read at once where reading goes on from the last byte, in bytes. Each read takes the browser about 2 ms,
/// however few bytes it is for.
const AHEAD: u64 = 4 << 20;

/// Reads slices of a `Blob`, synchronously, which only workers may.
pub(crate) struct BlobSource {
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
