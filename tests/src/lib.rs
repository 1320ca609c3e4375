//! What the tests of the whole product stand on. It reads the product's pages and files as a user does;
//! it calls none of its crates.

pub mod browser;
pub mod wide;
