//! The files by which cargo notices that a folder of sources is at another commit.

use super::commit::git;
use std::path::{Path, PathBuf};

/// The files that change when another commit is checked out or made.
pub(crate) fn files_of_head(folder: &Path) -> Vec<PathBuf> {
    let paths = ["HEAD", "logs/HEAD"].iter().filter_map(|name| git(folder, &["rev-parse", "--git-path", name]));
    paths.map(|path| folder.join(path)).filter(|path| path.exists()).collect()
}
