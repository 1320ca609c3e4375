//! Reads catalogs from disk or standard input: files, folders, and the archives and images of these.

use crate::archived::{self, ArchivedFiles, Elsewhere};
use crate::output::{Failure, say, say_once};
use crate::places::{STDIN, STDIN_FILE, file_name, raw_path, shown_path};
use crate::{parallel, reading, rewritten};
use archive::Limits;
use session::{LeftOut, NewText, Workbench, decode_text};
use std::collections::{BTreeSet, HashSet};
use std::fmt::Display;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use views::{BundleRules, CatalogId};
use walkdir::WalkDir;

/// What is wrong with a symbolic link that leads out of the folder it is in.
const LINK_OUT: &str = "it is a symbolic link out of the folder, which is not followed";
/// What is wrong with a symbolic link to a folder that is below another one.
const LINK_BELOW_LINK: &str = "it is a symbolic link to a folder, which is not followed below another such link; the folder is \
                               read in its own place";

/// Says on standard error that a catalog was made of bundle directories, by which rules, and that `opm` does not do that.
pub(crate) fn note_bundle_tree(workbench: &Workbench, id: CatalogId, path: &Path) {
    let Some(tree) = workbench.catalog(id).and_then(|catalog| catalog.bundle_tree.as_ref()) else { return };
    let rules: BTreeSet<String> = tree.rules.values().map(BundleRules::describe).collect();
    let rules: Vec<String> = rules.into_iter().collect();
    let path = shown_path(path);
    let rules = if rules.is_empty() { String::new() } else { format!(" by {}", rules.join(", ")) };
    say_once(&format!(
        "`{path}` holds bundle directories, of which opm itself makes no catalog; this is the one that they make{rules}"
    ));
}

/// The files at `path`: those of a folder, of an archive or of an image, a single one, standard input for `-`, those of a revision
/// for `git:REV:PATH`, or those of a registry's image for `image:REF`.
///
/// # Errors
/// When there is nothing at `path`, a folder cannot be walked, standard input, git, a registry or an archive cannot be read, or an
/// archive has several images.
pub(crate) fn files(path: &Path) -> Result<Vec<NewText>, Failure> {
    let mut found = catalogs(path)?;
    match found.pop() {
        Some(only) if found.is_empty() => {
            tell(&only);
            Ok(only.files)
        }
        last => {
            let help = "save the one that you mean alone, with `skopeo copy`";
            let first = format!("`{}` has several catalogs; {help}:", shown_path(path));
            let others = found.into_iter().chain(last).map(|found| format!("  {}", found.line));
            Err(Failure::of_lines(std::iter::once(first).chain(others)))
        }
    }
}

/// The catalogs at `path`: several for an archive with several images, and for the working directory of oc-mirror; else one.
///
/// # Errors
/// When there is nothing at `path`, a folder cannot be walked, or standard input, git, a registry or an archive cannot be read.
pub(crate) fn catalogs(path: &Path) -> Result<Vec<ArchivedFiles>, Failure> {
    let only = |files: Vec<NewText>| vec![ArchivedFiles::only(files)];
    if path == Path::new(STDIN) {
        let bytes = reading::standard_input().map_err(|error| format!("cannot read standard input: {error}"))?;
        let archived = archived::found_in(&mut &bytes[..], "<stdin>", STDIN_FILE)?;
        return Ok(archived.unwrap_or_else(|| only(vec![NewText { path: STDIN_FILE.to_owned(), content: Ok(bytes) }])));
    }
    if let Some(elsewhere) = Elsewhere::of(path) {
        return elsewhere.catalogs();
    }
    let cannot = |error: io::Error| format!("cannot read `{}`: {error}", shown_path(path));
    reading::check(path).map_err(|error| {
        match image_reference(path).filter(|_| error.kind() == ErrorKind::NotFound) {
            Some(image) => {
                format!("cannot read `{}`: {error}; an image of a registry is `image:{image}`", shown_path(path))
            }
            None => cannot(error),
        }
    })?;
    if path.is_dir() {
        return walk(path);
    }
    let name = file_name(path);
    if path.is_file() {
        let archived = archived::found_at(path, &name)?;
        return Ok(archived.unwrap_or_else(|| only(vec![read(path, name)])));
    }
    // A pipe can be read once only.
    let bytes = reading::file(path).map_err(cannot)?;
    let archived = archived::found_in(&mut &bytes[..], &raw_path(path), &name)?;
    Ok(archived.unwrap_or_else(|| only(vec![NewText { path: name, content: Ok(bytes) }])))
}

/// The reference of an image that a path looks like: `docker://REF`, or a host and what it has.
fn image_reference(path: &Path) -> Option<&str> {
    let text = path.to_str()?;
    let image = text.strip_prefix("docker://").unwrap_or(text);
    let (host, rest) = image.split_once('/')?;
    let is_host = image.len() < text.len() || host.contains(':') || host.contains('.') && rest.contains([':', '@']);
    (is_host && !host.starts_with('.') && source::is_image_name(image)).then_some(image)
}

/// Refuses, before anything is read, what `--write` cannot write into.
///
/// # Errors
/// When the path is standard input, a revision or an image.
pub(crate) fn check_writable(path: &Path) -> Result<(), Failure> {
    let what = match (path == Path::new(STDIN), Elsewhere::of(path)) {
        (true, _) => "standard input",
        (false, Some(elsewhere)) => elsewhere.what(),
        (false, None) => return Ok(()),
    };
    let help = "name a file or a folder, or leave out `--write`";
    Err(format!("cannot write `{}`: it is {what}; {help}", shown_path(path)).into())
}

/// Says on standard error what was used.
pub(crate) fn tell(found: &ArchivedFiles) {
    if !found.line.is_empty() {
        say(&found.line);
    }
}

/// The text of the only file at `path`, which may be compressed. `one` says that there has to be one.
///
/// # Errors
/// When it cannot be read, is no text, or there are several files.
pub(crate) fn text(path: &Path, one: &str) -> Result<String, Failure> {
    let cannot = |reason: String| format!("cannot read `{}`: {reason}", shown_path(path));
    if path.is_dir() {
        reading::check(path).map_err(|error| cannot(error.to_string()))?;
        return Err(cannot(one.to_owned()).into());
    }
    let [file] = <[NewText; 1]>::try_from(files(path)?).map_err(|_| cannot(one.to_owned()))?;
    Ok(file.content.and_then(decode_text).map_err(cannot)?)
}

fn walk(root: &Path) -> Result<Vec<ArchivedFiles>, Failure> {
    let found = below(root)?;
    let names: Vec<String> = found.iter().filter(|file| file.path.is_ok()).map(|file| file.name.clone()).collect();
    if let Some(found) = archived::found_in_folder(root, &names)? {
        return Ok(found);
    }
    check_repeated(root, &found)?;
    let bytes = found.iter().map(|file| file.bytes as usize).sum();
    let files = parallel::map(bytes, found, |Below { name, path, .. }| match path {
        Ok(path) => read(&path, name),
        Err(error) => NewText { path: name, content: Err(error) },
    });
    Ok(vec![ArchivedFiles::only(files)])
}

/// A file below a folder.
pub(crate) struct Below {
    /// The path below the folder, with `/`.
    pub(crate) name: String,
    /// Where it is, or why it is not read.
    pub(crate) path: Result<PathBuf, String>,
    pub(crate) bytes: u64,
    /// Whether it is one of the files before, under another name.
    is_repeated: bool,
}

impl Below {
    /// Its content, or why it cannot be read.
    pub(crate) fn read(&self) -> Result<Vec<u8>, String> {
        reading::file(self.path.as_ref().map_err(Clone::clone)?).map_err(|error| error.to_string())
    }
}

/// The files below a folder, sorted by name, without those of git and, in a repository, those that it leaves out. Symbolic links are
/// followed as long as they stay in the folder: somebody who
/// made the folder must not make the command quote other files of whoever reads it. Below a linked folder no link to a folder is
/// followed: the number of ways along links may double with each folder.
///
/// # Errors
/// When the folder cannot be walked.
pub(crate) fn below(root: &Path) -> Result<Vec<Below>, Failure> {
    Ok(walked(root)?.0)
}

/// The folders in which those files are or may come, the folder itself first.
pub(crate) fn folders(root: &Path) -> Vec<PathBuf> {
    walked(root).map(|(_, folders)| folders).unwrap_or_default()
}

fn walked(root: &Path) -> Result<(Vec<Below>, Vec<PathBuf>), Failure> {
    let failure = |error: &dyn Display| format!("cannot read folder `{}`: {error}", shown_path(root));
    reading::check(root).map_err(|error| failure(&error))?;
    let real_root = root.canonicalize().map_err(|error| failure(&error))?;
    let leads_out = |path: &Path| path.canonicalize().is_ok_and(|target| !target.starts_with(&real_root));
    let most = Limits::default().entries;
    let (mut found, mut folders) = (Vec::new(), Vec::new());
    let mut known = HashSet::new();
    // How deep the linked folder is that the walk is in.
    let mut linked = None;
    let mut entries = WalkDir::new(root).follow_links(true).sort_by_file_name().into_iter();
    let is_repository = root.join(".git").exists();
    let mut lists: Vec<(String, String)> = Vec::new();
    let mut left_out = LeftOut::of_repository(is_repository, &[]);
    for number in 0_u64.. {
        let Some(entry) = entries.next() else { break };
        if number > most {
            return Err(failure(&format!(
                "it has more than {most} files and folders; name the folder in it that has the catalog"
            ))
            .into());
        }
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => match error.path() {
                Some(path) if path != root => {
                    found.push(Below::unread(name_below(root, path), error.to_string()));
                    continue;
                }
                _ => return Err(failure(&error).into()),
            },
        };
        linked = linked.filter(|depth| entry.depth() > *depth);
        let (path, is_folder) = (entry.path(), entry.file_type().is_dir());
        let name = name_below(root, path);
        if !is_folder && rewritten::is_staged(path) {
            continue;
        }
        if left_out.has(&name) {
            if is_folder {
                entries.skip_current_dir();
            }
            continue;
        }
        if is_folder && is_repository {
            let list = path.join(".gitignore");
            let name = name_below(root, &list);
            lists.extend(std::fs::read_to_string(list).ok().map(|text| (name, text)));
            let lists: Vec<(&str, &str)> = lists.iter().map(|(path, text)| (&**path, &**text)).collect();
            left_out = LeftOut::of_repository(true, &lists);
        }
        let is_link = entry.depth() > 0 && entry.path_is_symlink();
        let refusal = match is_folder {
            _ if is_link && leads_out(path) => Some(LINK_OUT.to_owned()),
            true if is_link && linked.is_some() => Some(LINK_BELOW_LINK.to_owned()),
            true => reading::check(path).err().map(|error| error.to_string()),
            false => reading::refusal(entry.file_type()),
        };
        if let Some(refusal) = refusal {
            found.push(Below::unread(name, refusal));
            if is_folder {
                entries.skip_current_dir();
            }
        } else if is_folder {
            linked = linked.or(is_link.then_some(entry.depth()));
            folders.push(path.to_path_buf());
        } else {
            let data = entry.metadata().ok();
            let is_repeated = data.as_ref().is_some_and(|data| !known.insert(reading::identity(path, data)));
            let bytes = data.map_or(0, |data| data.len());
            found.push(Below { name, path: Ok(path.to_path_buf()), bytes, is_repeated });
        }
    }
    Ok((found, folders))
}

impl Below {
    const fn unread(name: String, reason: String) -> Self {
        Self { name, path: Err(reason), bytes: 0, is_repeated: false }
    }
}

/// Checks how many bytes these files of a folder have under other names again.
///
/// # Errors
/// When there are too many.
pub(crate) fn check_repeated<'f>(root: &Path, files: impl IntoIterator<Item = &'f Below>) -> Result<(), Failure> {
    let mut repeated = 0;
    for file in files.into_iter().filter(|file| file.is_repeated) {
        reading::add_repeated(&mut repeated, file.bytes, &file.name)
            .map_err(|error| format!("cannot read folder `{}`: {error}", shown_path(root)))?;
    }
    Ok(())
}

/// The paths of all files below a folder, with `/`.
///
/// # Errors
/// When the folder cannot be walked.
pub(crate) fn names(root: &Path) -> Result<Vec<String>, Failure> {
    Ok(below(root)?.into_iter().map(|file| file.name).collect())
}

/// The path of a file below the root, with `/`.
pub(crate) fn name_below(root: &Path, path: &Path) -> String {
    let below = path.strip_prefix(root).unwrap_or(path);
    let parts: Vec<_> = below.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.join("/")
}

/// The file at a path, under a name.
pub(crate) fn read(path: &Path, name: String) -> NewText {
    NewText { path: name, content: reading::file(path).map_err(|error| error.to_string()) }
}
