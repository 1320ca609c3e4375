//! Writes repairs into the files of a catalog.

use crate::output::{Failure, say};
use crate::paths::shown_path;
use fbc::TextEdit;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use views::FileKey;
use workbench::{CatalogInput, ChannelRepairs};

/// What a file begins with that is UTF-8 and says so.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Applies the first repair of each channel. Nothing is written unless all files are as they were read.
///
/// # Errors
/// When a file is in an archive, is not plain text, or cannot be written.
pub(super) fn apply(root: &Path, catalog: &CatalogInput, found: &[ChannelRepairs]) -> Result<(), Failure> {
    let mut by_file: BTreeMap<FileKey, Vec<&TextEdit>> = BTreeMap::new();
    for repaired in found.iter().filter_map(|found| found.repairs.first()) {
        by_file.entry(repaired.file).or_default().extend(&repaired.text.edits);
    }
    let mut new = Vec::new();
    for (key, mut edits) in by_file {
        let file = catalog.file(key).ok_or("a file of the catalog is gone")?;
        let path = if root.is_dir() { root.join(&file.path) } else { root.to_path_buf() };
        let bytes = fs::read(&path).map_err(|error| format!("cannot read `{}`: {error}", shown_path(&path)))?;
        let content = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&bytes);
        if content != file.text.as_bytes() {
            let reason = "it is an archive, is not UTF-8, or was changed since it was read";
            return Err(format!("cannot write `{}`: {reason}", shown_path(&path)).into());
        }
        edits.sort_by_key(|edit| edit.span);
        let mut text = file.text.clone();
        for edit in edits.iter().rev() {
            text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
        }
        let mark = &bytes[..bytes.len() - content.len()];
        new.push((path, [mark, text.as_bytes()].concat()));
    }
    for (path, bytes) in new {
        fs::write(&path, bytes).map_err(|error| format!("cannot write `{}`: {error}", shown_path(&path)))?;
        say(&format!("repaired `{}`", shown_path(&path)));
    }
    Ok(())
}
