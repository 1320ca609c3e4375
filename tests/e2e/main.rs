//! Journeys through the built app in a real browser; `cargo xtask test --only build --only e2e` runs them.

mod smoke;
