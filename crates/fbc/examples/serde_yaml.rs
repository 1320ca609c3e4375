//! What `serde_yaml` takes to make trees of a file, or of all files of a folder: `cargo xtask bench` measures it beside
//! Opscope. The trees are kept, as Opscope keeps its model.

use serde::Deserialize;
use std::fs;
use std::io;
use std::path::Path;

fn main() -> io::Result<()> {
    let mut trees = Vec::new();
    for path in std::env::args_os().skip(1) {
        read(Path::new(&path), &mut trees)?;
    }
    // A tree for each document, or nothing was measured.
    if trees.is_empty() { Err(io::Error::other("there is no document")) } else { Ok(()) }
}

fn read(path: &Path, trees: &mut Vec<serde_yaml::Value>) -> io::Result<()> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            read(&entry?.path(), trees)?;
        }
        return Ok(());
    }
    let text = fs::read_to_string(path)?;
    let documents = serde_yaml::Deserializer::from_str(&text);
    trees.extend(documents.filter_map(|document| serde_yaml::Value::deserialize(document).ok()));
    Ok(())
}
