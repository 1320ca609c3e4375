//! Builds the files that the page offers for download.

use std::io;
use tar::{Builder, Header};
use views::{CatalogId, Download};
use workbench::{CatalogInput, Workbench};

/// The name and the bytes of a file.
pub(crate) fn build_file(
    workbench: &Workbench,
    catalog: CatalogId,
    request: &Download,
) -> Result<(String, Vec<u8>), String> {
    let (package, format) = match request {
        Download::Catalog(format) => (None, *format),
        Download::Package { package, format } => (Some(package.as_str()), *format),
        Download::EditedFiles => {
            let catalog = workbench.catalog(catalog).ok_or_else(catalog_closed)?;
            let bytes = edited_files(catalog).map_err(|error| error.to_string())?;
            return Ok(("edited.tar".to_owned(), bytes));
        }
    };
    // The outer error is a catalog that was closed, the inner one a catalog that cannot be rendered.
    let (name, text) = workbench.rendered(catalog, package, format).ok_or_else(catalog_closed)??;
    Ok((name, text.into_bytes()))
}

fn catalog_closed() -> String {
    "the catalog is not open any more".to_owned()
}

/// The edited files as a tar archive. Times of modification are zero, so that equal files give equal archives.
fn edited_files(catalog: &CatalogInput) -> io::Result<Vec<u8>> {
    let mut archive = Builder::new(Vec::new());
    for file in catalog.edited_files() {
        let mut header = Header::new_gnu();
        header.set_size(file.text.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, &file.path, file.text.as_bytes())?;
    }
    archive.into_inner()
}
