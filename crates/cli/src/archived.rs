//! Archives and images on disk: the files in them, and what was used of them.

use crate::git::Revision;
use crate::image::Image;
use crate::output::{Failure, say};
use crate::places::raw_path;
use archive::{Archive, ArchiveForm, Contents, Form, Limits, Source};
use session::{NewText, is_must_gather_log};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// What an archive or folder holds: the only thing in it, or one of several images.
pub(crate) struct ArchivedFiles {
    /// What tells it from the others; empty if there are none.
    pub(crate) label: String,
    /// What was used; empty for a compressed file.
    pub(crate) line: String,
    pub(crate) files: Vec<NewText>,
}

impl ArchivedFiles {
    /// Files of which there is nothing to say.
    pub(crate) const fn only(files: Vec<NewText>) -> Self {
        Self { label: String::new(), line: String::new(), files }
    }
}

/// What is in the archive or image at `path`; `None` if the file is neither.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn found_at(path: &Path, name: &str) -> Result<Option<Vec<ArchivedFiles>>, Failure> {
    let Ok(mut source) = FileSource::open(path) else { return Ok(None) };
    found_in(&mut source, &raw_path(path), name)
}

/// What is in the archive or image that bytes are; `None` if they are neither.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn found_in(
    source: &mut dyn Source,
    shown: &str,
    name: &str,
) -> Result<Option<Vec<ArchivedFiles>>, Failure> {
    // A sqlite database gets a finding, as other files do that are no catalog.
    match archive::recognise(source) {
        Ok(Form::Other | Form::Sqlite) | Err(_) => return Ok(None),
        Ok(Form::Tar | Form::Zip | Form::Compressed(_) | Form::Bzip2) => {}
    }
    let read = archive::read(source, name, Limits::default(), &|path| !is_must_gather_log(path), &mut |_| true);
    let read = read.map_err(|error| format!("cannot read `{shown}`: {error}"))?;
    Ok(Some(texts(read, shown, name)))
}

/// The images in a folder with these paths, and the catalogs of oc-mirror; `None` if it has none.
///
/// # Errors
/// When no image can be read.
pub(crate) fn found_in_folder(root: &Path, paths: &[String]) -> Result<Option<Vec<ArchivedFiles>>, Failure> {
    if !archive::may_hold_image(paths.iter().map(String::as_str)) {
        return Ok(None);
    }
    let shown = raw_path(root);
    let mut sources: Vec<FileSource> = paths.iter().map(|path| FileSource::of(root.join(path))).collect();
    let files = paths.iter().cloned().zip(sources.iter_mut().map(|source| source as &mut dyn Source)).collect();
    let read = archive::read_folder(files, None, Limits::default(), &mut |_| true);
    let read = read.map_err(|error| format!("cannot read `{shown}`: {error}"))?;
    Ok(read.map(|archive| texts(archive, &shown, "")))
}

/// The contents as texts. Says on standard error which images are left out.
pub(crate) fn texts(archive: Archive, shown: &str, name: &str) -> Vec<ArchivedFiles> {
    let lines: Vec<String> =
        (archive.contents.iter()).map(|contents| format!("{shown}: {}", archive.sentence(contents))).collect();
    for passed_over in &archive.passed_over {
        let archive::PassedOver { image, reason } = passed_over;
        say(&format!("{shown}: without image `{image}`: {reason}"));
    }
    let is_single = archive.form == ArchiveForm::SingleFile;
    let is_only = archive.contents.len() == 1;
    let found = |(contents, line): (Contents, String)| {
        let Contents { label, folder, files, .. } = contents;
        let label = if is_only { String::new() } else { label };
        let parts = [&*label, if folder == label { "" } else { &*folder }];
        let place: String = parts.into_iter().filter(|part| !part.is_empty()).map(|part| format!("{part}/")).collect();
        let text = |file: archive::File| NewText {
            // Only the compression is between the file on disk and its text, so it has the path of the former.
            path: if is_single { name.to_owned() } else { format!("{place}{}", file.path) },
            content: file.content.map_err(|fault| fault.to_string()),
        };
        let line = if is_single { String::new() } else { line };
        ArchivedFiles { files: files.into_iter().map(text).collect(), line, label }
    };
    archive.contents.into_iter().zip(lines).map(found).collect()
}

/// A file on disk, opened when it is first read.
pub(crate) struct FileSource {
    path: PathBuf,
    file: Option<File>,
    len: u64,
}

impl FileSource {
    pub(crate) fn of(path: PathBuf) -> Self {
        let len = std::fs::metadata(&path).map_or(0, |found| found.len());
        Self { path, file: None, len }
    }

    /// Opens a regular file: a pipe can be read once only.
    fn open(path: &Path) -> io::Result<Self> {
        if !std::fs::metadata(path)?.is_file() {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let file = File::open(path)?;
        Ok(Self { file: Some(file), ..Self::of(path.to_owned()) })
    }
}

impl Source for FileSource {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(File::open(&self.path)?),
        };
        file.seek(SeekFrom::Start(offset))?;
        file.read(into)
    }
}

// Paths that name what is not on the disk: a revision of git, and an image of a registry.

/// What a path names that is not on the disk.
pub(crate) enum Elsewhere<'p> {
    Revision(Revision<'p>),
    Image(Image<'p>),
}

impl<'p> Elsewhere<'p> {
    /// What a path names, if it begins with `git:` or `image:`, and no file has that name.
    pub(crate) fn of(path: &'p Path) -> Option<Self> {
        let image = || Image::of(path).map(Self::Image);
        Revision::of(path).map(Self::Revision).or_else(image)
    }

    /// The path of one of its files.
    pub(crate) fn shown(&self, file: &str) -> String {
        match self {
            Self::Revision(revision) => revision.shown(file),
            Self::Image(image) => image.shown(file),
        }
    }

    /// A short name.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Revision(revision) => revision.name(),
            Self::Image(image) => image.name(),
        }
    }

    /// What it is, for people.
    pub(crate) const fn what(&self) -> &'static str {
        match self {
            Self::Revision(_) => "a revision of git",
            Self::Image(_) => "an image of a registry",
        }
    }

    /// Its files.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn catalogs(&self) -> Result<Vec<ArchivedFiles>, Failure> {
        match self {
            Self::Revision(revision) => Ok(vec![ArchivedFiles::only(revision.files()?)]),
            Self::Image(image) => image.catalogs(),
        }
    }
}
