//! The files of the page: those that the program was built with, or those of a folder.

use crate::folder;
use crate::output::Failure;
use crate::paths::shown_path;
use hyper::body::Bytes;
use std::collections::BTreeMap;
use std::path::Path;

/// The document, which `/` stands for.
const INDEX: &str = "index.html";
/// What makes the page install its service worker. Nothing of it is to stay in the browser behind the address of a program that
/// has ended: another program may get the same port.
const SERVICE_WORKER: &str = "<meta content=sw.js name=opscope-offline>";

include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// All files that are served without a token, by their paths.
pub(crate) struct Page(BTreeMap<String, PageFile>);

/// A file of the page.
pub(crate) struct PageFile {
    pub(crate) bytes: Bytes,
    /// Whether the bytes are compressed with gzip.
    pub(crate) is_packed: bool,
}

impl Page {
    /// The page in a folder, or the one in the program.
    ///
    /// # Errors
    /// When the folder has no page, or the program has none.
    pub(crate) fn of(folder: Option<&Path>) -> Result<Self, Failure> {
        let mut page = match folder {
            Some(folder) => Self::in_folder(folder)?,
            None => Self::in_program()?,
        };
        if let Some(index) = page.0.get_mut(INDEX) {
            let text = String::from_utf8_lossy(&index.bytes).replace(SERVICE_WORKER, "");
            index.bytes = Bytes::from(text);
        }
        Ok(page)
    }

    /// The file at the path of an address.
    pub(crate) fn file(&self, path: &str) -> Option<(&str, &PageFile)> {
        let path = path.strip_prefix('/')?;
        let path = if path.is_empty() { INDEX } else { path };
        self.0.get_key_value(path).map(|(path, file)| (&**path, file))
    }

    fn in_program() -> Result<Self, Failure> {
        if PAGE.is_empty() {
            let first = "this program was built without the page, which the archives of a release have in the program";
            let help = "  unpack `dist.tar.gz` of the same release, or build the page with `cargo xtask build`, and name its \
                        folder with `--page`";
            return Err(Failure::of_lines([first, help].map(str::to_owned)));
        }
        let file = |&(path, bytes): &(&str, &'static [u8])| {
            (path.to_owned(), PageFile { bytes: Bytes::from_static(bytes), is_packed: path != INDEX })
        };
        Ok(Self(PAGE.iter().map(file).collect()))
    }

    fn in_folder(folder: &Path) -> Result<Self, Failure> {
        let mut files = BTreeMap::new();
        for file in folder::files(folder)? {
            let bytes = file.content.map_err(|error| format!("cannot read `{}`: {error}", file.path))?;
            files.insert(file.path, PageFile { bytes: Bytes::from(bytes), is_packed: false });
        }
        if !files.contains_key(INDEX) {
            return Err(format!("`{}` has no page; expected a folder with `{INDEX}`", shown_path(folder)).into());
        }
        Ok(Self(files))
    }
}
