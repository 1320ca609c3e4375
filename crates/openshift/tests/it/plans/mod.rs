//! Plans for small catalogs: cases worked out by hand, real packages, and properties.

mod cases;
mod properties;
mod real;
mod reasons;
mod scene;
