//! The seeds: inputs that are kept in files, among them everything that once failed, named for what was wrong.

use std::fs;
use std::path::Path;

/// An input that is kept in a file.
pub struct Seed {
    pub path: String,
    /// Its content.
    pub input: Vec<u8>,
}

/// A seed that is too long for a file: a folder, the name that its file would have, and what it repeats how often.
const MADE: [(&str, &str, &str, usize); 1] = [("stream", "fault-a-brace-on-every-line", "{\n", 20_000)];

/// The seeds in some folders below `seeds/`, and those that are made for them, by path.
///
/// # Panics
/// When they cannot be read, or are fewer than three.
#[must_use]
pub fn seeds(folders: &[&str]) -> Vec<Seed> {
    let mut seeds = Vec::new();
    for folder in folders {
        let made = MADE.into_iter().filter(|(of, ..)| of == folder);
        seeds.extend(made.map(|(of, name, part, times)| Seed {
            path: format!("{of}/{name}"),
            input: part.repeat(times).into_bytes(),
        }));
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(folder);
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries {
            let path = entry.unwrap_or_else(|error| panic!("{}: {error}", folder.display())).path();
            let input = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            seeds.push(Seed { path: path.display().to_string(), input });
        }
    }
    assert!(seeds.len() >= 3, "{folders:?} have only {} seeds", seeds.len());
    seeds.sort_by(|one, other| one.path.cmp(&other.path));
    seeds
}
