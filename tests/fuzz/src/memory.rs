//! How much memory a piece of work takes: the bound is that of the product, ten times the input.

use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// The result of `work` and the most memory that it held at a time beyond what was held before, in bytes.
pub(crate) fn measured<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let result = work();
    (result, ALLOCATOR.peak_usage().saturating_sub(before))
}

/// Does `work` on so many bytes of input, which may take `times` as much memory, and `floor` bytes whatever the input.
///
/// # Panics
/// When it takes more.
pub(crate) fn bounded<T>(input: usize, times: usize, floor: usize, work: impl FnOnce() -> T) -> T {
    let (result, taken) = measured(work);
    assert!(taken <= times * input + floor, "{taken} bytes of memory for {input} bytes of input");
    result
}
