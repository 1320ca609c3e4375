//! The worker's memory, and room in it for what is to come.
//!
//! The allocator asks for 64 KiB whenever it runs out, 2500 times for 100 MB. What each costs depends on the host: most of a
//! millisecond in Node.js, much less in Chromium. A load that knows how much it needs asks once.

use js_sys::{ArrayBuffer, WebAssembly::Memory};
use std::hint::black_box;
use wasm_bindgen::JsCast;

/// Where there was too little, this part of the memory is added to it.
const PART: usize = 8;

/// Room for a load.
pub(crate) struct Room {
    /// Bytes of memory when room was made last.
    before: u32,
}

impl Room {
    /// Makes room for texts of so many bytes and what follows from them: for real catalogs three quarters as much again.
    pub(crate) fn of(bytes: u32) -> Self {
        make(bytes as usize / 4 * 7);
        Self { before: memory() }
    }

    /// Makes more room if there was too little.
    pub(crate) fn keep_ahead(&mut self) {
        if memory() > self.before {
            make(memory() as usize / PART);
            self.before = memory();
        }
    }
}

/// Has the allocator get so many bytes and take them back. Where there are no more it will fail when they are needed.
fn make(bytes: usize) {
    let mut room: Vec<u8> = Vec::new();
    drop(room.try_reserve_exact(bytes));
    // Otherwise it would never be asked for.
    drop(black_box(room));
}

/// Bytes of memory that the worker has.
pub(crate) fn memory() -> u32 {
    let buffer = wasm_bindgen::memory().dyn_into::<Memory>().map(|memory| memory.buffer());
    buffer.map_or(0, |buffer| buffer.unchecked_into::<ArrayBuffer>().byte_length())
}
