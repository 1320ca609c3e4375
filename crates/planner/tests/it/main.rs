//! Plans for small catalogs: the worked cases of catalog-sets (P7), real packages, and properties.

mod cases;
mod properties;
mod real;
mod reasons;
mod scene;
