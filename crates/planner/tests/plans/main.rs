//! Plans for small catalogs: the worked cases of catalog-sets (P7), reasons, and properties.

mod cases;
mod properties;
mod scene;
