//! Builds archives and images by hand, and reads them.

use archive::{Archive, Contents, Error, Limits};
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::Write;
use tar::{Builder, EntryType, Header};

/// The label of a catalog image.
pub(crate) const CONFIGS: &str = "operators.operatorframework.io.index.configs.v1";

/// An entry of a tar archive.
#[derive(Clone)]
pub(crate) enum Entry<'e> {
    File(&'e str, &'e [u8]),
    Folder(&'e str),
    Link(&'e str, &'e str),
    /// A hard link with the path of the file.
    Hard(&'e str, &'e str),
}

/// A tar archive. Names are written as they are, also those that the `tar` crate refuses.
pub(crate) fn tar(entries: &[Entry<'_>]) -> Vec<u8> {
    let mut builder = Builder::new(Vec::new());
    for entry in entries {
        let (name, kind, target, bytes) = match *entry {
            Entry::File(name, bytes) => (name, EntryType::Regular, "", bytes),
            Entry::Folder(name) => (name, EntryType::Directory, "", &[][..]),
            Entry::Link(name, target) => (name, EntryType::Symlink, target, &[][..]),
            Entry::Hard(name, target) => (name, EntryType::Link, target, &[][..]),
        };
        if name.len() > 100 {
            let long = header("././@LongLink", EntryType::GNULongName, "", name.len() as u64);
            builder.append(&long, name.as_bytes()).unwrap();
        }
        let name = &name[..name.len().min(100)];
        builder.append(&header(name, kind, target, bytes.len() as u64), bytes).unwrap();
    }
    builder.into_inner().unwrap()
}

/// A header with a name of at most 100 bytes.
pub(crate) fn header(name: &str, kind: EntryType, target: &str, size: u64) -> Header {
    let mut header = Header::new_gnu();
    header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
    header.as_old_mut().linkname[..target.len()].copy_from_slice(target.as_bytes());
    header.set_entry_type(kind);
    header.set_mode(0o644);
    header.set_size(size);
    header.set_cksum();
    header
}

pub(crate) fn tar_of(files: &BTreeMap<String, Vec<u8>>, prefix: &str) -> Vec<u8> {
    let names: Vec<String> = files.keys().map(|path| format!("{prefix}{path}")).collect();
    let entries: Vec<Entry<'_>> =
        names.iter().zip(files.values()).map(|(name, file)| Entry::File(name, file)).collect();
    tar(&entries)
}

/// Bytes compressed with gzip.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// The digits of a digest.
pub(crate) fn digits(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The configuration of an image.
pub(crate) fn config(labels: &Value, layers: &[Vec<u8>]) -> Vec<u8> {
    let diff_ids: Vec<String> = layers.iter().map(|layer| format!("sha256:{}", digits(layer))).collect();
    let config =
        json!({"os": "linux", "config": {"Labels": labels}, "rootfs": {"type": "layers", "diff_ids": diff_ids}});
    config.to_string().into_bytes()
}

/// The label of a catalog in `/configs`.
pub(crate) fn catalog_label() -> Value {
    json!({CONFIGS: "/configs"})
}

/// The files of an OCI layout of one image.
#[derive(Clone, Default)]
pub(crate) struct Layout {
    /// By path.
    pub(crate) files: BTreeMap<String, Vec<u8>>,
}

impl Layout {
    /// An image with the label of a catalog.
    pub(crate) fn of(layers: &[Vec<u8>]) -> Self {
        let mut layout = Self::default();
        let manifest = layout.image(&catalog_label(), layers);
        layout.index(&[manifest]);
        layout
    }

    /// Adds a blob. Returns its descriptor.
    pub(crate) fn blob(&mut self, media_type: &str, bytes: Vec<u8>) -> Value {
        let (digits, size) = (digits(&bytes), bytes.len());
        self.files.insert(format!("blobs/sha256/{digits}"), bytes);
        json!({"mediaType": media_type, "digest": format!("sha256:{digits}"), "size": size})
    }

    /// Adds an image. Returns the descriptor of its manifest.
    pub(crate) fn image(&mut self, labels: &Value, layers: &[Vec<u8>]) -> Value {
        let config = self.blob("application/vnd.oci.image.config.v1+json", config(labels, layers));
        let layers: Vec<Value> =
            (layers.iter()).map(|layer| self.blob("application/vnd.oci.image.layer.v1.tar", layer.clone())).collect();
        let manifest = json!({"schemaVersion": 2, "config": config, "layers": layers});
        self.blob("application/vnd.oci.image.manifest.v1+json", manifest.to_string().into_bytes())
    }

    /// Adds an index as a blob. Returns its descriptor.
    pub(crate) fn nested(&mut self, manifests: &[Value]) -> Value {
        let index = json!({"schemaVersion": 2, "manifests": manifests});
        self.blob("application/vnd.oci.image.index.v1+json", index.to_string().into_bytes())
    }

    /// Writes `index.json`.
    pub(crate) fn index(&mut self, manifests: &[Value]) {
        let index = json!({"schemaVersion": 2, "manifests": manifests});
        self.files.insert("index.json".to_owned(), index.to_string().into_bytes());
        self.files.insert("oci-layout".to_owned(), br#"{"imageLayoutVersion":"1.0.0"}"#.to_vec());
    }

    /// The layout in a tar archive.
    pub(crate) fn tar(&self) -> Vec<u8> {
        tar_of(&self.files, "")
    }
}

/// A docker-archive of one image. The configuration comes behind the layers.
pub(crate) fn docker_archive(layers: &[Vec<u8>]) -> Vec<u8> {
    let config = config(&catalog_label(), layers);
    let config_name = format!("{}.json", digits(&config));
    let names: Vec<String> = layers.iter().map(|layer| format!("{}.tar", digits(layer))).collect();
    let manifest = json!([{"Config": config_name, "RepoTags": ["quay.io/example/catalog:v1"], "Layers": names}]);
    let manifest = manifest.to_string().into_bytes();
    let mut entries: Vec<Entry<'_>> = names.iter().zip(layers).map(|(name, layer)| Entry::File(name, layer)).collect();
    entries.push(Entry::File(&config_name, &config));
    entries.push(Entry::File("manifest.json", &manifest));
    tar(&entries)
}

/// A sequence of files as the test's own, simple form.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// Reads bytes with the usual limits.
pub(crate) fn read(bytes: &[u8]) -> Result<Archive, Error> {
    read_with(bytes, Limits::default())
}

pub(crate) fn read_with(mut bytes: &[u8], limits: Limits) -> Result<Archive, Error> {
    archive::read(&mut bytes, "catalog.yaml.gz", limits, &|_| true, &mut |_| true)
}

/// The files of the only contents; a file without content has its fault as text.
pub(crate) fn files(archive: &Archive) -> Files {
    assert_eq!(archive.contents.len(), 1, "{archive:?}");
    files_of(&archive.contents[0])
}

pub(crate) fn files_of(contents: &Contents) -> Files {
    let content = |file: &archive::File| match &file.content {
        Ok(bytes) => bytes.clone(),
        Err(fault) => fault.to_string().into_bytes(),
    };
    contents.files.iter().map(|file| (file.path.clone(), content(file))).collect()
}

pub(crate) fn texts(files: &[(&str, &str)]) -> Files {
    files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect()
}
