//! The commit of a folder of sources, from the `git` program.

use std::path::Path;
use std::process::Command;

/// The first 12 digits of the commit that is checked out. `None` where there is no `git`, and where the sources belong to no
/// repository, such as an unpacked archive, also inside another repository.
pub(crate) fn of(folder: &Path) -> Option<String> {
    git(folder, &["ls-files", "--error-unmatch", "Cargo.toml"])?;
    let commit = git(folder, &["rev-parse", "--verify", "HEAD"])?;
    commit.get(..12).map(str::to_owned)
}

/// What `git` prints in a folder; `None` if it fails.
pub(crate) fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    // A hook of git sets the variable, for another repository perhaps.
    let output = Command::new("git").args(arguments).current_dir(folder).env_remove("GIT_DIR").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim_end().to_owned())
}
