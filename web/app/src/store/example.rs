//! The built-in example.

/// A small catalog: a chain of `replaces` with a skipped release, and a channel whose `skipRange` prunes it.
pub const EXAMPLE: &str = include_str!("example.yaml");
