//! The size of the worker's memory, and reserving memory for a load.
//!
//! The allocator asks for 64 KiB whenever it runs out, 2500 times for 100 MB. What each costs depends on the host: most
//! of a millisecond in Node.js, much less in Chromium. A load that knows how much it needs asks once.

use js_sys::{ArrayBuffer, WebAssembly::Memory};
use std::hint::black_box;
use wasm_bindgen::JsCast;

/// If the reserve was too small, this fraction of the memory is added to it.
const PART: usize = 8;

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
            reserve(size() as usize / PART);
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
