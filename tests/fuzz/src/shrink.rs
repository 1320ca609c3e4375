//! The least input that still fails in the same way.

use std::time::Duration;

use crate::trial::now;
use crate::{Target, trial};

/// So many trials are made, and for so long.
const TRIALS: usize = 3_000;
const TIME: Duration = Duration::from_secs(20);

/// Takes parts out of an input that fails, halves first and single bytes last, as long as it fails in the same way.
#[must_use]
pub fn shrink(target: &Target, input: &[u8]) -> Vec<u8> {
    let Err(fault) = trial(target, input) else { return input.to_vec() };
    let kind = fault.kind();
    let start = now();
    let mut left = TRIALS;
    let mut fails = |candidate: &[u8]| {
        left = left.saturating_sub(1);
        left > 0 && start.elapsed() < TIME && trial(target, candidate).is_err_and(|fault| fault.kind() == kind)
    };
    let mut least = input.to_vec();
    let mut size = least.len().div_ceil(2);
    while size > 0 {
        let mut at = 0;
        while at < least.len() {
            let end = (at + size).min(least.len());
            let candidate = [&least[..at], &least[end..]].concat();
            if fails(&candidate) {
                least = candidate;
            } else {
                at = end;
            }
        }
        size /= 2;
    }
    least
}
