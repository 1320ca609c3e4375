//! The size of the worker's memory, and reserving memory for a load.
//!
//! The allocator asks for 64 KiB whenever it runs out, 2500 times for 100 MB. What each costs depends on the host: most of a
//! millisecond in Node.js, much less in Chromium. A load that knows how much it needs asks once.

use js_sys::{ArrayBuffer, WebAssembly::Memory};
use std::hint::black_box;
use wasm_bindgen::JsCast;

/// Each time that the reserve was too small, this part of the memory is added to it.
const PART: usize = 8;

/// Memory that is reserved for a load.
pub(crate) struct Reserve {
    /// The size of the memory after the last reservation, in bytes.
    reserved: u32,
}

impl Reserve {
    /// Reserves memory for texts of so many bytes and their analysis, which takes three quarters as much again for real
    /// catalogs.
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

/// Makes the allocator take so many bytes from the browser, and gives them back to the allocator. Where the browser has no
/// more of them, the load fails when it needs them.
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
