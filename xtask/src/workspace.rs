//! Where things are in the repository, and what `Cargo.lock` pins.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{About, Failure, Result};

/// The repository's root.
pub(crate) fn root() -> PathBuf {
    let xtask =
        std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    match xtask.parent() {
        Some(root) => root.to_path_buf(),
        None => xtask,
    }
}

/// The folder that cargo builds into.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The release build of the app.
pub(crate) fn dist() -> PathBuf {
    root().join("dist")
}

/// The version that `Cargo.lock` pins `package` to.
pub(crate) fn locked_version(package: &str) -> Result<String> {
    let path = root().join("Cargo.lock");
    let lock = fs::read_to_string(&path).about(&path)?;
    version_in(&lock, package).ok_or_else(|| {
        Failure::new(format!("`{}` pins no package `{package}`", path.display()))
            .mend("`cargo metadata --format-version 1` writes the lock file anew")
    })
}

fn version_in(lock: &str, package: &str) -> Option<String> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    let version = lines.nth(1)?.strip_prefix("version = \"")?;
    Some(version.strip_suffix('"')?.to_owned())
}

/// The files below `folder`, in path order.
pub(crate) fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).about(&next)? {
            let path = entry.about(&next)?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::version_in;

    #[test]
    fn the_lock_file_is_read_by_whole_names() {
        let lock = "[[package]]\nname = \"wasm-bindgen-futures\"\nversion = \"0.4.5\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(version_in(lock, "wasm-bindgen").as_deref(), Some("0.2.130"));
        assert_eq!(version_in(lock, "bindgen"), None);
    }
}
