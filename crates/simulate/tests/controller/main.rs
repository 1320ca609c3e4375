//! The real course of events, statement by statement of the reference (A6 to A7.6).

mod upgrades;
mod world;
