//! The one function that writes files: all of them or, as far as a file system allows, none.
//!
//! Each new text is written beside its file and renamed to it, so that no file is ever half written. A folder of somebody else must
//! not choose what is written: files are written through symbolic links only inside of the folder that the user named, and
//! new files not even through those.

use crate::output::{Failure, say, say_once};
use crate::places::{STDIN, raw_path, shown_path};
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;
use tempfile::{Builder, NamedTempFile};

/// What the name of a file begins with that is still written.
const STAGED: &str = ".opscope-";
/// After so long nobody writes it any more.
const ENDED: Duration = Duration::from_secs(60);

/// Whether a file below a folder is one that a write was about to put in the place of another. What is left of a write that was ended is
/// removed.
pub(crate) fn is_staged(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_prefix(STAGED));
    if !name.is_some_and(|rest| rest.len() == 6 && rest.chars().all(|c| c.is_ascii_alphanumeric())) {
        return false;
    }
    let modified = path.symlink_metadata().and_then(|data| data.modified()).ok();
    let is_ended = modified.and_then(|at| at.elapsed().ok()).is_some_and(|age| age > ENDED);
    if is_ended && fs::remove_file(path).is_ok() {
        say_once(&format!("removed `{}`, which a write that was ended had left", shown_path(path)));
    }
    true
}

/// Writes a file, such as a report, in the place of whatever has its name: what a change makes a link leads nowhere.
///
/// # Errors
/// Those of the file system.
pub(crate) fn replace(path: &Path, text: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    staged(folder, text, true)?.persist(path).map(drop).map_err(|error| error.error)
}

/// A file of a name of its own. The first access rights are those of any new file, or the user's alone.
fn staged(folder: &Path, text: &[u8], is_new: bool) -> std::io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(STAGED);
    #[cfg(unix)]
    if is_new {
        use std::os::unix::fs::PermissionsExt;
        // The mask of the user takes away from these.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(text)?;
    Ok(file)
}

/// A file with the text that it is to have.
pub(crate) struct Rewritten<'t> {
    /// The path that the user named.
    pub(crate) root: &'t Path,
    /// The path of the file below it, with `/`.
    pub(crate) below: &'t str,
    /// The text that was read; absent for a new file. The same as `after` for a file that stays as it is.
    pub(crate) before: Option<&'t str>,
    pub(crate) after: &'t str,
}

/// Where a text is written.
struct Target {
    /// The file, without symbolic links on the way.
    path: PathBuf,
    /// The innermost of its folders that is there.
    folder: PathBuf,
    is_new: bool,
}

/// Writes the files whose text changes. Writes none if one of them differs from what was read or cannot be written, or if links give
/// one file several names that are to have different texts.
///
/// # Errors
/// When a file is in an archive, is not plain text, was changed, exists already, or cannot be written.
pub(crate) fn write(files: &[Rewritten<'_>]) -> Result<(), Failure> {
    let mut targets: BTreeMap<PathBuf, (Target, &Rewritten<'_>)> = BTreeMap::new();
    for file in files {
        let target = file.target().map_err(|reason| format!("cannot write `{}`: {reason}", file.shown()))?;
        if let Some((_, other)) = targets.get(&target.path)
            && other.after != file.after
        {
            let (one, other) = (other.shown(), file.shown());
            if one == other {
                let help = "the catalogs that are rendered from it need different texts; name one of them";
                return Err(format!("cannot write `{one}`: {help}").into());
            }
            return Err(format!(
                "cannot write `{one}`: `{other}` is the same file by a link, and needs another text; replace the link by a file"
            )
            .into());
        }
        targets.entry(target.path.clone()).or_insert((target, file));
    }
    let changed = targets.into_values().filter(|(_, file)| file.before != Some(file.after));
    let staged = changed.map(|(target, file)| {
        let written = target.stage(file.after).map_err(|error| format!("cannot write `{}`: {error}", file.shown()))?;
        Ok((target, file, written))
    });
    let staged: Vec<(Target, &Rewritten<'_>, NamedTempFile)> = staged.collect::<Result<_, Failure>>()?;
    let names: Vec<String> = staged.iter().map(|(_, file, _)| format!("`{}`", file.shown())).collect();
    for (at, (target, file, written)) in staged.into_iter().enumerate() {
        if let Err(error) = target.put(written) {
            let first = format!("cannot write `{}`: {error}", file.shown());
            let left = names[at..].join(", ");
            return Err(Failure::of_lines([first, format!("  not written: {left}")]));
        }
        say(&format!("wrote {}", names[at]));
    }
    Ok(())
}

impl Rewritten<'_> {
    fn path(&self) -> PathBuf {
        if self.root.is_dir() { self.root.join(self.below) } else { self.root.to_path_buf() }
    }

    fn shown(&self) -> String {
        shown_path(&self.path())
    }

    /// Where its text is written, or why it cannot be.
    fn target(&self) -> Result<Target, String> {
        if self.root == Path::new(STDIN) {
            return Err("it is standard input".to_owned());
        }
        let root = self.root.canonicalize().map_err(|error| error.to_string())?;
        let Some(before) = self.before else { return new_target(&root, self.below) };
        let path = self.path().canonicalize().map_err(|error| error.to_string())?;
        if !path.starts_with(&root) {
            return Err("it is a symbolic link out of the folder".to_owned());
        }
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        if before == self.after {
            return Ok(Target { path, folder, is_new: false });
        }
        if fs::read(&path).map_err(|error| error.to_string())? != before.as_bytes() {
            return Err("it is an archive, is not UTF-8, or was changed since it was read".to_owned());
        }
        // A renamed file takes the place of one that is only to be read, too.
        OpenOptions::new().write(true).open(&path).map_err(|error| error.to_string())?;
        Ok(Target { path, folder, is_new: false })
    }
}

/// Where a new file is written: below a folder, and through no symbolic link.
fn new_target(root: &Path, below: &str) -> Result<Target, String> {
    let path = root.join(below);
    if !Path::new(below).components().all(|part| matches!(part, Component::Normal(_))) {
        return Err("it is not below the folder".to_owned());
    }
    let mut folder = root.to_path_buf();
    let mut folders: Vec<&Path> = path.ancestors().skip(1).take_while(|folder| *folder != root).collect();
    while let Some(next) = folders.pop() {
        match next.symlink_metadata() {
            Ok(data) if data.is_dir() => folder = next.to_path_buf(),
            Ok(_) => return Err(format!("`{}` is no folder, or a symbolic link", raw_path(next))),
            Err(_) => break,
        }
    }
    if path.symlink_metadata().is_ok() {
        return Err("it exists already".to_owned());
    }
    Ok(Target { path, folder, is_new: true })
}

impl Target {
    /// Writes the text beside the file.
    fn stage(&self, text: &str) -> std::io::Result<NamedTempFile> {
        let file = staged(&self.folder, text.as_bytes(), self.is_new)?;
        if !self.is_new {
            let data = self.path.metadata()?;
            #[cfg(unix)]
            {
                use std::os::unix::fs::{MetadataExt, fchown};
                // Only root can give a file to somebody else. For others the owner is the user, or was another one by the rights
                // of a group, and then the file changes hands.
                drop(fchown(file.as_file(), Some(data.uid()), Some(data.gid())));
            }
            file.as_file().set_permissions(data.permissions())?;
        }
        file.as_file().sync_all()?;
        Ok(file)
    }

    /// Gives the written text the name of the file.
    fn put(&self, written: NamedTempFile) -> std::io::Result<()> {
        if !self.is_new {
            return written.persist(&self.path).map(drop).map_err(|error| error.error);
        }
        let missing: Vec<&Path> = self.path.ancestors().skip(1).take_while(|folder| *folder != self.folder).collect();
        missing.into_iter().rev().try_for_each(fs::create_dir)?;
        written.persist_noclobber(&self.path).map(drop).map_err(|error| error.error)
    }
}
