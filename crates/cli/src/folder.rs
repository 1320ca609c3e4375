//! Reads catalogs from disk or standard input: files, folders, and the archives and images of these.

use crate::archived::Found;
use crate::git::Revision;
use crate::{Failure, archived, parallel};
use bundle_tree::Rules;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use views::CatalogId;
use walkdir::{DirEntry, WalkDir};
use workbench::{NewText, Workbench, is_must_gather_file, must_gather, must_gather_files};

/// The path that stands for standard input.
pub(crate) const STDIN: &str = "-";
/// The name of standard input as a file of a catalog.
pub(crate) const STDIN_FILE: &str = "stdin";

/// What is wrong with a symbolic link that leads out of the folder it is in.
const LINK_OUT: &str = "it is a symbolic link out of the folder, which is not followed";

/// Adds the catalog at `path`, a file or a folder. Symbolic links that stay in the folder are followed.
///
/// # Errors
/// When there is nothing at `path`, or a folder cannot be walked. A file that cannot be read is a finding.
pub(crate) fn open(workbench: &mut Workbench, name: &str, path: &Path) -> Result<CatalogId, Failure> {
    let id = parallel::add_catalog(workbench, name, files(path)?, |_| {});
    note_bundle_tree(workbench, id, path);
    Ok(id)
}

/// Says on standard error that a catalog was made of bundle directories, by which rules, and that `opm` does not do that.
pub(crate) fn note_bundle_tree(workbench: &Workbench, id: CatalogId, path: &Path) {
    let Some(tree) = workbench.catalog(id).and_then(|catalog| catalog.bundle_tree.as_ref()) else { return };
    let rules: BTreeSet<String> = tree.rules.values().map(Rules::describe).collect();
    let rules: Vec<String> = rules.into_iter().collect();
    let path = path.display();
    let rules = if rules.is_empty() { String::new() } else { format!(" by {}", rules.join(", ")) };
    drop(writeln!(
        io::stderr(),
        "opscope: `{path}` holds bundle directories, of which opm itself makes no catalog; this is the one that they \
         make{rules}"
    ));
}

/// The files at `path`: those of a folder, of an archive or of an image, a single one, standard input for `-`, or those of a
/// revision for `git:REV:PATH`.
///
/// # Errors
/// When there is nothing at `path`, a folder cannot be walked, standard input, git or an archive cannot be read, or an archive
/// has several images.
pub(crate) fn files(path: &Path) -> Result<Vec<NewText>, Failure> {
    let mut found = catalogs(path)?;
    match found.pop() {
        Some(only) if found.is_empty() => {
            tell(&only);
            Ok(only.files)
        }
        last => {
            let lines: Vec<String> = found.into_iter().chain(last).map(|found| found.line).collect();
            let help = "save the one that you mean alone, with `skopeo copy`";
            Err(format!("`{}` has several catalogs; {help}:\n  {}", path.display(), lines.join("\n  ")))
        }
    }
}

/// The catalogs at `path`: several for an archive with several images, and for the working directory of oc-mirror; else one.
///
/// # Errors
/// When there is nothing at `path`, a folder cannot be walked, or standard input, git or an archive cannot be read.
pub(crate) fn catalogs(path: &Path) -> Result<Vec<Found>, Failure> {
    let only = |files: Vec<NewText>| vec![Found { label: String::new(), line: String::new(), files }];
    if path == Path::new(STDIN) {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).map_err(|error| format!("cannot read standard input: {error}"))?;
        let archived = archived::found_in(&mut &bytes[..], "<stdin>", STDIN_FILE)?;
        return Ok(archived.unwrap_or_else(|| only(vec![NewText { path: STDIN_FILE.to_owned(), content: Ok(bytes) }])));
    }
    if let Some(revision) = Revision::of(path) {
        return revision.files().map(only);
    }
    let kind = std::fs::metadata(path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    if kind.is_dir() {
        return walk(path);
    }
    let name = file_name(path);
    let archived = archived::found_at(path, &name)?;
    Ok(archived.unwrap_or_else(|| only(vec![read(path, name)])))
}

/// Says on standard error what was used.
pub(crate) fn tell(found: &Found) {
    if !found.line.is_empty() {
        drop(writeln!(io::stderr(), "opscope: {}", found.line));
    }
}

/// The text of a file, or of standard input for `-`.
///
/// # Errors
/// When it cannot be read, or is not UTF-8.
pub(crate) fn text(path: &Path) -> Result<String, Failure> {
    let text = if path == Path::new(STDIN) { io::read_to_string(io::stdin()) } else { std::fs::read_to_string(path) };
    text.map_err(|error| format!("cannot read `{}`: {error}", path.display()))
}

/// The cluster manifests in a file or on standard input; of a folder or an archive those of its must-gather, and a line that
/// says what was left out goes to standard error.
///
/// # Errors
/// When a file cannot be read or is not UTF-8, or a folder or an archive is no must-gather or one without objects of OLM.
pub(crate) fn manifests(path: &Path) -> Result<String, Failure> {
    if path.is_dir() {
        let names: Vec<String> =
            below(path)?.into_iter().filter(|below| below.path.is_ok()).map(|below| below.name).collect();
        return gathered(path, &names, |name| text(&path.join(name)));
    }
    let Some(files) = archived::selected_files(path, &is_must_gather_file)? else { return text(path) };
    let names: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
    let text_of = |name: &str| {
        let content = files.iter().find(|file| file.path == name).map(|file| file.content.clone());
        let bytes = content.unwrap_or_else(|| Ok(Vec::new()));
        let text = bytes.and_then(|bytes| String::from_utf8(bytes).map_err(|error| error.to_string()));
        text.map_err(|error| {
            format!("cannot read `{}`: {error}", archived::path_inside(&path.display().to_string(), name))
        })
    };
    // A compressed file is the manifests themselves.
    match &names[..] {
        [name] if !is_must_gather_file(name) => text_of(name),
        _ => gathered(path, &names, text_of),
    }
}

/// The manifests of a must-gather with these files.
fn gathered(path: &Path, names: &[String], text: impl Fn(&str) -> Result<String, Failure>) -> Result<String, Failure> {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let wanted = must_gather_files(&names)
        .ok_or_else(|| format!("`{}` is no must-gather; expected that or a file of manifests", path.display()))?;
    let texts: Vec<(&str, String)> =
        wanted.iter().map(|&at| Ok((names[at], text(names[at])?))).collect::<Result<_, Failure>>()?;
    let found = must_gather(texts.iter().map(|(name, text)| (*name, text.as_str())));
    if found.objects == 0 {
        return Err(format!(
            "the must-gather `{}` has no objects of OLM; `oc adm inspect -A olm` collects them",
            path.display()
        ));
    }
    let read = format!("read {} objects of OLM from `{}`", found.objects, path.display());
    drop(writeln!(io::stderr(), "opscope: {read}; left out: copied CSVs ({}), and other files", found.copied));
    Ok(found.manifests)
}

fn walk(root: &Path) -> Result<Vec<Found>, Failure> {
    let found = below(root)?;
    let names: Vec<String> = found.iter().filter(|file| file.path.is_ok()).map(|file| file.name.clone()).collect();
    if let Some(found) = archived::found_in_folder(root, &names)? {
        return Ok(found);
    }
    let bytes = found.iter().map(|file| file.bytes).sum();
    let files = parallel::map(bytes, found, |Below { name, path, .. }| match path {
        Ok(path) => read(&path, name),
        Err(error) => NewText { path: name, content: Err(error) },
    });
    Ok(vec![Found { label: String::new(), line: String::new(), files }])
}

/// A file below a folder.
struct Below {
    /// The path below the folder, with `/`.
    name: String,
    /// Where it is, or why it is not read.
    path: Result<PathBuf, String>,
    bytes: usize,
}

/// The files below a folder, sorted by name. Symbolic links are followed as long as they stay in the folder: somebody who
/// made the folder must not make the command quote other files of whoever reads it.
fn below(root: &Path) -> Result<Vec<Below>, Failure> {
    let failure = |error: &dyn Display| format!("cannot read folder `{}`: {error}", root.display());
    let real_root = root.canonicalize().map_err(|error| failure(&error))?;
    let leads_out = |path: &Path| path.canonicalize().is_ok_and(|target| !target.starts_with(&real_root));
    let mut found = Vec::new();
    let mut entries = WalkDir::new(root).follow_links(true).sort_by_file_name().into_iter();
    while let Some(entry) = entries.next() {
        let is_link_out = |entry: &DirEntry| entry.depth() > 0 && entry.path_is_symlink() && leads_out(entry.path());
        let (path, error, bytes) = match &entry {
            Ok(entry) if is_link_out(entry) => (entry.path(), Some(LINK_OUT.to_owned()), 0),
            Ok(entry) if entry.file_type().is_dir() => continue,
            Ok(entry) => (entry.path(), None, entry.metadata().map_or(0, |data| data.len() as usize)),
            Err(error) => match error.path() {
                Some(path) if path != root => (path, Some(error.to_string()), 0),
                _ => return Err(failure(error)),
            },
        };
        let file = error.map_or_else(|| Ok(path.to_path_buf()), Err);
        found.push(Below { name: name_below(root, path), path: file, bytes });
        if entry.is_ok_and(|entry| entry.file_type().is_dir()) {
            entries.skip_current_dir();
        }
    }
    Ok(found)
}

/// The path of a file below the root, with `/`.
fn name_below(root: &Path, path: &Path) -> String {
    let below = path.strip_prefix(root).unwrap_or(path);
    let parts: Vec<_> = below.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.join("/")
}

fn read(path: &Path, name: String) -> NewText {
    NewText { path: name, content: std::fs::read(path).map_err(|error| error.to_string()) }
}

pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
