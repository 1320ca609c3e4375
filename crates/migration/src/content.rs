//! A catalog with the texts of its files, which have what the model leaves out.

use catalog::{Bundle, Catalog};
use source::FileId;
use std::collections::BTreeMap;

/// A catalog with the texts of its files.
#[derive(Clone, Debug)]
pub struct CatalogContent<'c> {
    /// The model.
    pub catalog: &'c Catalog,
    /// The texts, by file. A bundle of a file without text has no details.
    pub texts: BTreeMap<FileId, &'c str>,
}

impl CatalogContent<'_> {
    /// The text of the file that the bundle is in.
    pub(crate) fn text(&self, bundle: &Bundle) -> Option<&str> {
        self.texts.get(&bundle.span.file).copied()
    }
}
