//! Measures memory. The product promises to load a catalog in ten times its size.

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
