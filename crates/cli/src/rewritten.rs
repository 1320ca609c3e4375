//! New texts of files, written in their places.

use crate::output::{Failure, say};
use crate::paths::shown_path;
use std::fs;
use std::path::{Path, PathBuf};

/// What a file begins with that is UTF-8 and says so.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A file with another text.
pub(crate) struct Rewritten<'t> {
    /// The path of a catalog, and that of the file below it.
    pub(crate) path: (&'t Path, &'t str),
    /// The text that was read; absent for a new file.
    pub(crate) before: Option<&'t str>,
    /// The text to write.
    pub(crate) after: String,
}

/// Writes files. None is written unless all are as they were read.
///
/// # Errors
/// When a file is in an archive, is not plain text, was changed, exists already, or cannot be written.
pub(crate) fn write(files: Vec<Rewritten<'_>>) -> Result<(), Failure> {
    let mut new: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    for Rewritten { path: (root, below), before, after } in files {
        let path = if root.is_dir() { root.join(below) } else { root.to_path_buf() };
        let cannot = |reason: &str| format!("cannot write `{}`: {reason}", shown_path(&path));
        let Some(before) = before else {
            if path.exists() {
                return Err(cannot("it exists already").into());
            }
            new.push((path, after.into_bytes()));
            continue;
        };
        let bytes = fs::read(&path).map_err(|error| format!("cannot read `{}`: {error}", shown_path(&path)))?;
        let content = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&bytes);
        if content != before.as_bytes() {
            return Err(cannot("it is an archive, is not UTF-8, or was changed since it was read").into());
        }
        let mark = &bytes[..bytes.len() - content.len()];
        let bytes = [mark, after.as_bytes()].concat();
        new.push((path, bytes));
    }
    for (path, bytes) in new {
        let cannot = |error| format!("cannot write `{}`: {error}", shown_path(&path));
        path.parent().map_or(Ok(()), fs::create_dir_all).map_err(cannot)?;
        fs::write(&path, bytes).map_err(cannot)?;
        say(&format!("wrote `{}`", shown_path(&path)));
    }
    Ok(())
}
