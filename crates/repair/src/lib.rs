//! Repairs of a channel: the cheapest edits of its entries after which `opm` accepts it and OLM updates every version that
//! a cluster may have installed to the head.
//!
//! A [`Question`] is about one channel of a package, and optionally its state before a change. [`Search`] finds the
//! repairs one after the other. splr decides whether edits of a given weight are enough, and so proves that no cheaper ones
//! are; what it finds is applied to the channel and checked with OLM's and `opm`'s own rules. [`is_harmless`] compares the
//! result with the channel as it is.
//!
//! Which channels are right, and which edits there are with which weight, say `check` and `cost`. Two edits are
//! not here, because they are never part of a cheapest repair. To list an entry again costs more than to cover its version by
//! the head, and does not help where it is above the head. To take an entry out costs more than to skip it.

mod check;
mod cover;
mod encode;
mod known;
mod question;
mod search;

pub use check::is_harmless;
pub use question::{Question, Repair};
pub use search::{REPAIRS, Search};
