//! Measures memory. The product promises to load a catalog in ten times its size.

use std::time::{Duration, Instant};

use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// The result of `work`, and its peak memory in bytes beyond what was in use before. Other threads count too.
pub(crate) fn measured<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let result = work();
    (result, ALLOCATOR.peak_usage().saturating_sub(before))
}

/// Runs `work`, which may take `times` the bytes of its input as memory, and `floor` bytes whatever the input.
///
/// # Panics
/// When it takes more.
pub(crate) fn bounded<T>(input: usize, times: usize, floor: usize, work: impl FnOnce() -> T) -> T {
    let (result, taken) = measured(work);
    assert!(taken <= times * input + floor, "{taken} bytes of memory for {input} bytes of input");
    result
}

// The bound on the time that a target may take.

/// Runs a target on an input.
///
/// # Panics
/// When the target does, or when it takes too long three times: once the machine may have been busy.
pub fn check(target: fn(&[u8]), input: &[u8]) {
    let allowed = allowed(input.len());
    let fastest = (0..3).map(|_| took(target, input)).find(|took| *took <= allowed);
    assert!(fastest.is_some(), "took more than {allowed:?} for {} bytes of input", input.len());
}

/// How long an input may take: a page that waits longer looks dead.
fn allowed(bytes: usize) -> Duration {
    let optimised = Duration::from_secs(2) + Duration::from_micros(20) * bytes as u32;
    if cfg!(debug_assertions) { optimised * 4 } else { optimised }
}

#[expect(clippy::disallowed_methods, reason = "tests never run on wasm32")]
fn took(target: fn(&[u8]), input: &[u8]) -> Duration {
    let start = Instant::now();
    target(input);
    start.elapsed()
}
