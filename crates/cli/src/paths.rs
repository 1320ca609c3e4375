//! The paths of the command line, and how they are shown.

use source::one_line;
use std::path::{Path, PathBuf};

/// A catalog of the command line: the name of a CatalogSource, and a file or folder.
pub(crate) type NamedPath = (String, PathBuf);

/// The path that stands for standard input.
pub(crate) const STDIN: &str = "-";
/// The name of standard input as a file of a catalog.
pub(crate) const STDIN_FILE: &str = "stdin";

/// What stands between the path of an archive and a path in it.
const INSIDE: &str = "!/";

/// The name of the file or folder at the end of a path.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// A path for a message, in one line; standard input by a name.
pub(crate) fn shown_path(path: &Path) -> String {
    one_line(&raw_path(path)).into_owned()
}

/// A path for another program, which opens it; standard input by a name.
pub(crate) fn raw_path(path: &Path) -> String {
    if path == Path::new(STDIN) { "<stdin>".to_owned() } else { path.display().to_string() }
}

/// The path of a file in an archive.
pub(crate) fn path_inside(archive: &str, path: &str) -> String {
    format!("{archive}{INSIDE}{path}")
}
