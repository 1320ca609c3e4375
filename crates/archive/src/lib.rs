//! Archives as files: what a user has instead of a folder.
//!
//! Recognises each layer of a file by its content, never by its name, and gives the files that matter: those of a catalog image
//! below the folder of its label, those of a bundle image, or those of an archive of a repository. The crate reads through
//! [`Source`], so that a large image never lies in memory: members are listed first, then only the needed ones are streamed.
//!
//! It uses no clock, no thread and no file system, and every input has an answer within [`Limits`]: [`Error`]s are values.
//!
//! ```
//! let mut not_an_archive: &[u8] = b"schema: olm.package";
//! let limits = archive::Limits::default();
//! let answer = archive::read(&mut not_an_archive, "catalog.yaml", limits, &|_| true, &mut |_| true);
//! assert_eq!(answer, Err(archive::Error::NotAnArchive));
//! ```

mod container;
mod error;
mod form;
mod image;
mod limits;
mod plain;
mod report;
mod run;
mod tree;

pub use error::{Blob, Error, FileFault, NameFault};
pub use form::{Compression, Form, recognise};
pub use limits::Limits;
pub use report::{Archive, ArchiveForm, Contents, ContentsKind, File, Image, LayerReport, PassedOver};
pub use run::Source;

use container::{Container, Opened};
use run::Run;
use tree::split;

/// Reads a file: a catalog or bundle image, an archive of files, or a compressed file.
///
/// `name` is the name of the file, after which a compressed file without archive is named. `keep` tells by the whole path in the
/// archive which files of an archive are wanted; it is not asked for images, whose labels tell. `progress` is told the number of
/// bytes read so far, which exceeds the size of the file where it has to be decompressed twice, and returns whether to go on.
///
/// # Errors
/// When the file is not an archive, cannot be read, or exceeds a limit; [`Error::Cancelled`] when `progress` says so.
pub fn read<'a>(
    source: &'a mut dyn Source,
    name: &str,
    limits: Limits,
    keep: &dyn Fn(&str) -> bool,
    progress: &'a mut (dyn FnMut(u64) -> bool + 'a),
) -> Result<Archive, Error> {
    let run = Run::new(vec![source], limits, progress);
    match Container::open(&run, keep)? {
        Opened::Single { bytes, compressions } => {
            let file = File { path: without_ending(name), content: Ok(bytes) };
            let (kind, label, folder) = (ContentsKind::Files, String::new(), String::new());
            let contents = Contents { kind, label, folder, image: None, files: vec![file] };
            Ok(Archive {
                form: ArchiveForm::SingleFile,
                compressions,
                contents: vec![contents],
                passed_over: Vec::new(),
            })
        }
        Opened::Container(container) => match read_catalogs(&container)? {
            Some(archive) => Ok(archive),
            None => plain::read_files(container, keep),
        },
    }
}

/// Reads the images of a folder: OCI layouts, and what `skopeo copy … dir:FOLDER` writes; and the filtered catalogs in the working
/// directory of oc-mirror. `None` if the folder has none: then it is a folder of files, which nobody has to unpack.
///
/// `platform`, such as `linux/arm64`, chooses one of the images of an index; without it linux/amd64 is preferred.
///
/// # Errors
/// When no image can be read; [`Error::Cancelled`] when `progress` says so. [`Error::MissingBlobs`] names what of an image is not
/// among the files, so that a caller can get them from a registry step by step.
pub fn read_folder<'a>(
    files: Vec<(String, &'a mut dyn Source)>,
    platform: Option<&'a str>,
    limits: Limits,
    progress: &'a mut (dyn FnMut(u64) -> bool + 'a),
) -> Result<Option<Archive>, Error> {
    let (paths, sources): (Vec<_>, Vec<_>) = files.into_iter().unzip();
    let run = Run::new(sources, limits, progress).for_platform(platform);
    read_catalogs(&Container::of_folder(&run, &paths)?)
}

/// The images of a container, and the filtered catalogs that oc-mirror keeps beside them; `None` if it has neither.
fn read_catalogs(container: &Container<'_, '_>) -> Result<Option<Archive>, Error> {
    let mut images = image::read_images(container)?;
    let filtered = plain::read_folders(container)?;
    if let Some(archive) = &mut images {
        archive.contents.extend(filtered);
    } else if !filtered.is_empty() {
        let (form, compressions) = (ArchiveForm::MirrorFolder, container.compressions.clone());
        images = Some(Archive { form, compressions, contents: filtered, passed_over: Vec::new() });
    }
    Ok(images)
}

/// Whether a folder with these paths may hold an image or a catalog of oc-mirror, so that [`read_folder`] is worth its time.
pub fn may_hold_image<'p>(paths: impl IntoIterator<Item = &'p str>) -> bool {
    paths.into_iter().any(|path| matches!(split(path).1, "oci-layout" | "version") || plain::is_filtered(path))
}

/// The name of a compressed file without the ending of its compression.
fn without_ending(name: &str) -> String {
    let stem = [".gz", ".zst", ".zstd", ".xz"].iter().find_map(|ending| name.strip_suffix(ending));
    stem.filter(|stem| !stem.is_empty()).unwrap_or(name).to_owned()
}
