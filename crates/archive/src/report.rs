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
