//! Folders and files of the repository, versions in `Cargo.lock`, and output to the terminal.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use semver::Version;
use walkdir::WalkDir;
use xshell::{Shell, cmd};

/// The repository's root.
pub(crate) fn root() -> PathBuf {
    // The variable of `cargo run` is right even after the folder has moved; the constant serves a binary run by hand.
    let xtask =
        std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    xtask.parent().map_or_else(|| xtask.clone(), Path::to_path_buf)
}

/// The folder that cargo builds into.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// The release build of the app.
pub(crate) fn dist() -> PathBuf {
    root().join("dist")
}

/// A shell in the repository's root; it prints each command before it runs it.
pub(crate) fn shell() -> Result<Shell> {
    let shell = Shell::new()?;
    shell.change_dir(root());
    Ok(shell)
}

/// The version of a dependency in `Cargo.lock`.
pub(crate) fn locked_version(package: &str) -> Result<Version> {
    // Unlike `cargo metadata` this asks for no package that another platform needs.
    let shell = shell()?;
    let id = cmd!(shell, "cargo pkgid --locked {package}").quiet().read()?;
    let (_, version) = id.rsplit_once('@').with_context(|| format!("`{id}` has no version"))?;
    Ok(Version::parse(version)?)
}

/// The files below `folder`, in path order.
pub(crate) fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = WalkDir::new(folder).sort_by_file_name();
    let files = entries.into_iter().filter(|entry| entry.as_ref().map_or(true, |entry| entry.file_type().is_file()));
    Ok(files.map(|entry| entry.map(walkdir::DirEntry::into_path)).collect::<Result<_, _>>()?)
}

// Output to the terminal, and the clock.

#[expect(clippy::print_stdout, reason = "the terminal is where this tool answers")]
pub(crate) fn say(line: impl Display) {
    println!("{line}");
}

/// A clock that starts now. Returns how to read it.
#[expect(clippy::disallowed_methods, reason = "this tool never runs on wasm32")]
pub(crate) fn stopwatch() -> impl Fn() -> Duration {
    let start = Instant::now();
    move || start.elapsed()
}

/// The result of `work` and how long it took.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let elapsed = stopwatch();
    let result = work();
    (result, elapsed())
}
