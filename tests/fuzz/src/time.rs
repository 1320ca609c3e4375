//! The bound on the time that a target may take.

use std::time::{Duration, Instant};

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
