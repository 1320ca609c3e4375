//! Empty until its first commit.
