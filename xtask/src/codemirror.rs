//! `codemirror`: bundles the source editor into `web/codemirror.js`, which is committed: whoever only builds the app needs no
//! Node.
//!
//! The versions are those of the lock file in `web/editor`, so that the same sources give the same bytes. The file says
//! which sources it was made of, and a test compares.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::PathBuf;

use crate::cmd::{Cmd, on_path};
use crate::failure::{About, Failure, Result};
use crate::workspace::{files_below, root};

/// What the bundle is made of, below `web/editor`: all that is not installed.
const SOURCES: [&str; 4] = ["bundle.mjs", "package.json", "package-lock.json", "src"];

/// `cargo xtask codemirror`.
pub(crate) fn run() -> Result {
    for program in ["node", "npm"] {
        if on_path(&[program]).is_none() {
            return Err(Failure::new(format!("found no `{program}`, which bundles the editor"))
                .mend("install Node.js 20.11 or newer; the build of the app itself needs none"));
        }
    }
    let folder = folder();
    Cmd::new("npm").args(["--prefix"]).args([&folder]).args(["ci", "--ignore-scripts"]).run()?;
    Cmd::new("node").args([folder.join("bundle.mjs"), bundle()]).args([made_of()?]).run()
}

fn folder() -> PathBuf {
    root().join("web/editor")
}

fn bundle() -> PathBuf {
    root().join("web/codemirror.js")
}

/// The first words of the bundle.
fn made_of() -> Result<String> {
    let mut hasher = DefaultHasher::new();
    for name in SOURCES {
        let path = folder().join(name);
        let files = if path.is_dir() { files_below(&path)? } else { vec![path] };
        for file in files {
            // A checkout may have other line ends.
            let text = fs::read_to_string(&file).about(&file)?;
            text.lines().for_each(|line| hasher.write(line.as_bytes()));
        }
    }
    Ok(format!("Made of web/editor {:016x} by cargo xtask codemirror.", hasher.finish()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundle_is_made_of_its_sources() {
        let text = fs::read_to_string(bundle()).unwrap();
        let first = text.lines().next().unwrap();
        assert_eq!(first, format!("/*! {}", made_of().unwrap()), "run `cargo xtask codemirror`");
    }

    #[test]
    fn the_bundle_has_its_licences() {
        let text = fs::read_to_string(bundle()).unwrap();
        for word in ["@codemirror/view", "@lezer/yaml", "style-mod", "Permission is hereby granted"] {
            assert!(text.contains(word), "`{word}` is missing");
        }
    }
}
