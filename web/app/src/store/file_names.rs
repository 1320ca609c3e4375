//! The names of files, for links to places in them.

use super::{Shared, State};
use views::{FileKey, Overview};

/// The names of the loaded files, and the one that needs no name.
#[derive(Clone, Debug, PartialEq)]
pub struct FileNames {
    overview: Shared<Overview>,
    /// The file that declares the selected package.
    obvious: Option<FileKey>,
}

impl FileNames {
    /// The names for links beside the selected package.
    #[must_use]
    pub fn of(state: &State) -> Self {
        let row = state.overview.packages.iter().find(|row| Some(&row.key) == state.selection.package.as_ref());
        let obvious = row.and_then(|row| row.place).map(|place| place.file);
        Self { overview: state.overview.clone(), obvious }
    }

    /// The name of a file, with its catalog if the obvious one is of another; `None` for the obvious one.
    #[must_use]
    pub fn other(&self, file: FileKey) -> Option<String> {
        if self.obvious == Some(file) {
            return None;
        }
        if file == FileKey::MANIFESTS {
            return Some("manifests".to_owned());
        }
        let catalogs = self.overview.catalogs.iter().chain(&self.overview.baselines);
        let mut files = catalogs.flat_map(|catalog| catalog.files.iter().map(move |file| (catalog, file)));
        let (catalog, row) = files.find(|(_, row)| row.file == file)?;
        let is_same = catalog.files.iter().any(|row| Some(row.file) == self.obvious);
        Some(if is_same { row.path.clone() } else { format!("{} of {}", row.path, catalog.name) })
    }
}
