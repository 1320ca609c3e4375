//! Files that users keep.

use std::io;
use tar::{Builder, Header};
use views::{CatalogId, Download};
use workbench::{CatalogInput, Workbench};

/// The name and the bytes of a file to keep.
pub(crate) fn download(
    workbench: &Workbench,
    catalog: CatalogId,
    what: &Download,
) -> Result<(String, Vec<u8>), String> {
    let (package, format) = match what {
        Download::Catalog(format) => (None, *format),
        Download::Package { package, format } => (Some(package.as_str()), *format),
        Download::EditedFiles => {
            let catalog = workbench.catalog(catalog).ok_or_else(gone)?;
            let bytes = edited_files(catalog).map_err(|error| error.to_string())?;
            return Ok(("edited.tar".to_owned(), bytes));
        }
    };
    let (name, text) = workbench.rendered(catalog, package, format).ok_or_else(gone)??;
    Ok((name, text.into_bytes()))
}

fn gone() -> String {
    "the catalog is not open any more".to_owned()
}

/// The edited files as a tar archive. It has no times, so that the same files are the same bytes.
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
