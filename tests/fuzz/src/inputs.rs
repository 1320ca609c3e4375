//! The inputs that are kept: seeds, and what once failed.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Target;

/// Where a target's inputs are: a file each. What once failed is kept among them, named for what was wrong.
#[must_use]
pub fn seeds_folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(name)
}

/// The inputs kept for a target, by name.
///
/// # Panics
/// When they cannot be read.
#[must_use]
pub fn seeds(target: &Target) -> Vec<(String, Vec<u8>)> {
    let mut seeds = Vec::new();
    for folder in target.seeds {
        let folder = seeds_folder(folder);
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for path in entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()) {
            let input = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            seeds.push((path.to_string_lossy().into_owned(), input));
        }
    }
    seeds.sort();
    seeds
}
