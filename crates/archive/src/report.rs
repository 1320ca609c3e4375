//! What was read: the files, and where they come from.

use crate::{Compression, Error, FileFault};

/// The label of a catalog image: operator-registry, `pkg/containertools/labelreader.go`.
pub(crate) const CONFIGS: &str = "operators.operatorframework.io.index.configs.v1";

/// What a file or folder holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Archive {
    pub form: ArchiveForm,
    /// The compressions around it, the outermost first.
    pub compressions: Vec<Compression>,
    /// What is in it: one thing, or each image. Never empty.
    pub contents: Vec<Contents>,
    /// Images that are not read, with the reasons. Others of the archive are.
    pub passed_over: Vec<PassedOver>,
}

/// What a file or folder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArchiveForm {
    Tar,
    Zip,
    /// A compressed file that is no archive.
    SingleFile,
    /// Images as `docker save` and `podman save` write them.
    DockerArchive,
    /// Images in an OCI layout.
    OciLayout,
    /// An image of a registry, as an OCI layout. The caller says so.
    Registry,
    /// An image as `skopeo copy … dir:FOLDER` writes it.
    DirTransport,
    /// The working directory of oc-mirror, without images.
    MirrorFolder,
}

/// An image that is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassedOver {
    /// The name of the image, or what identifies it.
    pub image: String,
    /// Why it is not read.
    pub reason: Error,
}

/// The files of an archive or of one of its images.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// What the files are.
    pub kind: ContentsKind,
    /// What tells it from other contents of the archive: the name of the image, or the folder that it is in; may be empty.
    pub label: String,
    /// The folder that the paths of the files begin in: that of the catalog label, the folder around all files of an archive, or
    /// empty.
    pub folder: String,
    /// The image that the files are from.
    pub image: Option<Image>,
    /// Sorted as a walk through the folders meets them.
    pub files: Vec<File>,
}

/// What files are, as far as labels tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContentsKind {
    Catalog,
    /// The `manifests/` and `metadata/` of a bundle image.
    Bundle,
    Files,
}

/// A file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// The path below the folder, with `/`.
    pub path: String,
    /// The bytes, or why there are none.
    pub content: Result<Vec<u8>, FileFault>,
}

/// An image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The name, where the archive has one.
    pub name: Option<String>,
    /// The digest of the image manifest, or the file that stands for it.
    pub manifest: String,
    /// The platform, such as `linux/amd64`, where an index says which.
    pub platform: Option<String>,
    /// The layers, the lowest first.
    pub layers: Vec<LayerReport>,
}

/// A layer of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerReport {
    /// The digest in the manifest, or the path in the archive.
    pub name: String,
    /// The media type in the manifest. What the layer is is told by its bytes.
    pub media_type: Option<String>,
    /// The compressions found, the outermost first.
    pub compressions: Vec<Compression>,
    /// The number of bytes as they are stored.
    pub size: u64,
    pub entries: u64,
    /// How many of the files are from this layer.
    pub files: u64,
    /// How many files of lower layers this layer removes.
    pub removed: u64,
    /// Whether the layer was left out, since its content may not be distributed with images.
    pub is_foreign: bool,
}

// What was used of a file or folder, in words.

impl Archive {
    /// What contents of this archive are and where they come from: the form, the image, the folder, the number of files and of
    /// layers.
    #[must_use]
    pub fn sentence(&self, contents: &Contents) -> String {
        let form = match self.form {
            ArchiveForm::Tar => "tar archive",
            ArchiveForm::Zip => "zip archive",
            ArchiveForm::SingleFile => "compressed file",
            ArchiveForm::DockerArchive => "docker-archive",
            ArchiveForm::OciLayout => "OCI layout",
            ArchiveForm::Registry => "registry",
            ArchiveForm::DirTransport => "folder of the transport dir:",
            ArchiveForm::MirrorFolder => "working directory of oc-mirror",
        };
        let compressed = compressed(&self.compressions);
        let files = count(contents.files.len(), "file");
        let folder = if contents.folder.is_empty() { String::new() } else { format!(" in `{}`", contents.folder) };
        let (image, layers) = contents.image.as_ref().map(|image| of_image(image, contents.kind)).unwrap_or_default();
        format!("{form}{compressed}{image}: {files}{folder}{layers}")
    }
}

impl LayerReport {
    /// What the layer is and what is used of it.
    #[must_use]
    pub fn sentence(&self) -> String {
        let compressed = compressed(&self.compressions);
        let entries = match usize::try_from(self.entries) {
            Ok(1) => "1 entry".to_owned(),
            Ok(_) | Err(_) => format!("{} entries", self.entries),
        };
        let used = match (self.is_foreign, self.files) {
            (true, _) => "left out, since it may not be distributed with the image".to_owned(),
            (false, 0) => "nothing used".to_owned(),
            (false, files) => format!("{files} used"),
        };
        let removed =
            if self.removed == 0 { String::new() } else { format!(", {} of lower layers removed", self.removed) };
        format!("{} bytes{compressed}, {entries}: {used}{removed}", self.size)
    }
}

fn compressed(compressions: &[Compression]) -> String {
    compressions.iter().map(|compression| format!(", {compression}")).collect()
}

/// The image, and which of its layers were used.
fn of_image(image: &Image, kind: ContentsKind) -> (String, String) {
    let kind = if kind == ContentsKind::Bundle { "bundle" } else { "catalog" };
    let name = image.name.as_ref().map(|name| format!(" `{name}`")).unwrap_or_default();
    let platform = image.platform.as_ref().map(|platform| format!(" for {platform}")).unwrap_or_default();
    let used = image.layers.iter().filter(|layer| layer.files > 0).count();
    let removed: u64 = image.layers.iter().map(|layer| layer.removed).sum();
    let removed = match usize::try_from(removed) {
        Ok(0) | Err(_) => String::new(),
        Ok(removed) => format!("; its layers remove {} of lower ones", count(removed, "file")),
    };
    let layers = format!(" from {used} of {}{removed}", count(image.layers.len(), "layer"));
    (format!(", {kind} image{name}{platform}"), layers)
}

fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}
