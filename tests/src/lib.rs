//! Drives the built app in a browser, for the journeys in `e2e/`, the bench and the pictures of the README. It sees what a
//! user sees and calls no crate of the product.

pub mod browser;
pub mod inputs;
