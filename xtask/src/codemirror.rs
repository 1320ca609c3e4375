//! `codemirror`: bundles the source editor into `web/codemirror.js`, which is committed, so that a build of the app needs
//! no Node.js.
//!
//! The versions are those of the lock file in `web/editor`: the same sources give the same bytes. The bundle begins with a
//! hash of its sources, and a test compares.

use std::fs;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use xshell::cmd;

use crate::post_build::short_hash;
use crate::workspace::{files_below, root, shell};

/// The files below `web/editor` that the bundle is made of.
const SOURCES: [&str; 4] = ["bundle.mjs", "package.json", "package-lock.json", "src"];

/// `cargo xtask codemirror`.
pub(crate) fn run() -> Result<()> {
    for program in ["node", "npm"] {
        ensure!(
            which::which(program).is_ok(),
            "found no `{program}`, which bundles the editor\nhelp: install Node.js 20.11 or newer"
        );
    }
    let (shell, folder, bundle, banner) = (shell()?, folder(), bundle(), banner()?);
    let script = folder.join("bundle.mjs");
    cmd!(shell, "npm --prefix {folder} ci --ignore-scripts").run()?;
    Ok(cmd!(shell, "node {script} {bundle} {banner}").run()?)
}

fn folder() -> PathBuf {
    root().join("web/editor")
}

fn bundle() -> PathBuf {
    root().join("web/codemirror.js")
}

/// The first words of the bundle.
fn banner() -> Result<String> {
    let mut sources = String::new();
    for name in SOURCES {
        for file in files_below(&folder().join(name))? {
            // A checkout may have other line ends.
            fs::read_to_string(&file)?.lines().for_each(|line| sources.push_str(line));
        }
    }
    Ok(format!("Made of web/editor {} by cargo xtask codemirror.", short_hash(sources)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundle_is_made_of_its_sources() {
        let text = fs::read_to_string(bundle()).unwrap();
        let first = text.lines().next().unwrap();
        assert_eq!(first, format!("/*! {}", banner().unwrap()), "run `cargo xtask codemirror`");
    }

    #[test]
    fn the_bundle_has_its_licences() {
        let text = fs::read_to_string(bundle()).unwrap();
        for word in ["@codemirror/view", "@lezer/yaml", "style-mod", "Permission is hereby granted"] {
            assert!(text.contains(word), "`{word}` is missing");
        }
    }
}
