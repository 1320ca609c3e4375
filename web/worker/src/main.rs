//! Empty until its first commit.
fn main() {}
