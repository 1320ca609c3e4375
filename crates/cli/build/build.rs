//! Gives the program the text of `opscope --version`: the version, and the commit that it is built from. And the page, if a folder
//! with a built one is named.
//!
//! Only an optimised build has the commit: with it, every commit would build the program and its tests again.

mod commit;
mod head;
mod page;

use std::env;
use std::path::PathBuf;

fn main() {
    println!("cargo::rerun-if-changed=build");
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = is_release.then(|| commit::of(&folder)).flatten();
    if commit.is_some() {
        for file in head::files_of_head(&folder) {
            println!("cargo::rerun-if-changed={}", file.display());
        }
    }
    let commit = commit.map(|commit| format!(" ({commit})")).unwrap_or_default();
    println!("cargo::rustc-env=OPSCOPE_VERSION={version}{commit}");
    page::pack();
}
