//! A clock that counts how often it is read, and does not measure time.
//!
//! splr has no limit but one of time, and asks for it at the end of each stage of its search, which is a number of conflicts
//! that does not depend on the machine. With this crate in place of the registry's crate `instant`, from which splr takes its
//! clock if it has the feature `platform_wasm`, that limit is a number of stages: the same formula has the same answer on
//! every machine and in the browser, and none of them needs a clock. The root `Cargo.toml` exchanges the crates.

use std::cell::Cell;
pub use std::time::Duration;

/// A clock that advances by a second after a number of readings.
#[derive(Clone, Debug)]
pub struct Instant {
    left: Cell<u32>,
}

impl Instant {
    /// A clock that does not advance within `u32::MAX` readings.
    #[must_use]
    pub const fn now() -> Self {
        Self::after(u32::MAX)
    }

    /// A clock that advances by a second after `count` readings.
    #[must_use]
    pub const fn after(count: u32) -> Self {
        Self { left: Cell::new(count) }
    }

    /// Nothing, or a second.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        Duration::from_secs(u64::from(left == 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_counts_questions() {
        let clock = Instant::after(2);
        let seconds = || clock.elapsed().as_secs();
        assert_eq!([seconds(), seconds(), seconds(), seconds()], [0, 0, 1, 1]);
        assert_eq!(Instant::now().elapsed(), Duration::ZERO);
    }
}
