//! Builds the files that the page offers for download.

use crate::follow::{FollowedRoot, unsaved};
use session::{CatalogInput, Session};
use std::collections::BTreeMap;
use std::io;
use tar::{Builder, Header};
use views::{CatalogId, Download};

/// The name and the bytes of a file.
pub(crate) fn build_file(
    session: &Session,
    followed: &BTreeMap<String, FollowedRoot>,
    request: &Download,
) -> Result<(String, Vec<u8>), String> {
    let workbench = &session.workbench;
    let open = |id: CatalogId| workbench.catalog(id).ok_or_else(catalog_closed);
    let (catalog, package, format) = match request {
        Download::Catalog { catalog, format } => (*catalog, None, *format),
        Download::Package { package, format } => (package.catalog, Some(&*package.package), *format),
        Download::EditedFiles(id) => {
            let catalog = open(*id)?;
            let files = catalog.edited_files().map(|file| (&*file.path, &*file.text));
            return Ok((format!("{}-edited.tar", file_name(catalog)), archive_of(files)?));
        }
        Download::Patch(id) => {
            let catalog = open(*id)?;
            return Ok((format!("{}.patch", file_name(catalog)), catalog.patch()?.into_bytes()));
        }
        Download::Unsaved => {
            let files = unsaved(workbench, followed);
            let names: Vec<&str> = files.iter().map(|file| &*file.path).collect();
            return Ok((names.join(", "), serde_json::to_vec(&files).map_err(|error| error.to_string())?));
        }
        Download::Written { set, input, as_patch } => {
            let new = session.released_bundle(input);
            if *as_patch {
                return Ok(("catalogs.patch".to_owned(), workbench.written_patch(*set, input, new).into_bytes()));
            }
            let files = workbench.written_files(*set, input, new);
            return Ok(("catalogs.tar".to_owned(), archive_of(files.iter().map(|(path, text)| (&**path, &**text)))?));
        }
    };
    // The outer error is a catalog that was closed, the inner one a catalog that cannot be rendered.
    let (name, text) = ::session::rendered(workbench, catalog, package, format).ok_or_else(catalog_closed)??;
    Ok((name, text.into_bytes()))
}

fn catalog_closed() -> String {
    "the catalog is not open any more".to_owned()
}

/// The name of a catalog as a part of the name of a file.
fn file_name(catalog: &CatalogInput) -> String {
    catalog.name.replace(['/', '\\'], "-")
}

/// Files as a tar archive. Times of modification are zero, so that equal files give equal archives.
fn archive_of<'f>(files: impl Iterator<Item = (&'f str, &'f str)>) -> Result<Vec<u8>, String> {
    let mut archive = Builder::new(Vec::new());
    let mut add = |(path, text): (&str, &str)| {
        let mut header = Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, path, text.as_bytes())
    };
    let added: io::Result<()> = files.into_iter().try_for_each(&mut add);
    added.and_then(|()| archive.into_inner()).map_err(|error| error.to_string())
}
