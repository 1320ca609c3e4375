//! Archives made with real tools, from `tests/fixtures`; its README says how.

use crate::build::{Files, files, files_of, read};
use archive::{ArchiveForm, Compression, Limits, Source};
use std::fs;
use std::path::{Path, PathBuf};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// The files below a folder.
fn folder(root: &Path) -> Files {
    let mut found = Files::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
                found.insert(name, fs::read(path).unwrap());
            }
        }
    }
    found
}

#[test]
fn the_files_of_each_archive_are_those_of_the_folder() {
    let expected = folder(&fixtures().join("catalog"));
    assert_eq!(expected.len(), 4);
    let forms = [
        ("catalog.tar.gz", ArchiveForm::Tar, ""),
        ("catalog.tar.xz", ArchiveForm::Tar, "catalog"),
        ("catalog.tar.zst", ArchiveForm::Tar, "catalog"),
        ("catalog.zip", ArchiveForm::Zip, "catalog"),
        ("image.oci.tar", ArchiveForm::OciLayout, "configs"),
        ("image.zstd.tar", ArchiveForm::OciLayout, "configs"),
        ("image.docker.tar", ArchiveForm::DockerArchive, "configs"),
        ("image.docker.tar.gz", ArchiveForm::DockerArchive, "configs"),
    ];
    for (name, form, folder) in forms {
        let archive = read(&fs::read(fixtures().join(name)).unwrap()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((archive.form, archive.contents[0].folder.as_str()), (form, folder), "{name}");
        assert_eq!(files(&archive), expected, "{name}");
    }
}

/// Layers as zstd:chunked have a frame for each file, and frames that are to be skipped.
#[test]
fn zstd_may_have_several_frames() {
    let frames = fs::read(fixtures().join("catalog.tar.zst")).unwrap();
    let skipped = b"\x51\x2a\x4d\x18\x03\0\0\0abc".to_vec();
    let bytes = [skipped.clone(), frames, skipped].concat();
    assert_eq!(files(&read(&bytes).unwrap()), folder(&fixtures().join("catalog")));
}

#[test]
fn an_archive_of_two_images_has_both() {
    let archive = read(&fs::read(fixtures().join("images.tar.xz")).unwrap()).unwrap();
    let names: Vec<_> = archive.contents.iter().map(|contents| contents.image.clone().unwrap().name.unwrap()).collect();
    assert_eq!(names, ["v1", "v2"]);
    assert_eq!(files_of(&archive.contents[0]), files_of(&archive.contents[1]));
}

#[test]
fn a_dir_transport_is_read_as_a_folder() {
    let stored = folder(&fixtures().join("image.dir"));
    let mut slices: Vec<(String, &[u8])> = stored.iter().map(|(path, bytes)| (path.clone(), &bytes[..])).collect();
    assert!(archive::may_hold_image(slices.iter().map(|(path, _)| path.as_str())));
    let sources = slices.iter_mut().map(|(path, bytes)| (path.clone(), bytes as &mut dyn Source)).collect();
    let archive = archive::read_folder(sources, None, Limits::default(), &mut |_| true).unwrap().unwrap();
    assert_eq!(archive.form, ArchiveForm::DirTransport);
    assert_eq!(files(&archive), folder(&fixtures().join("catalog")));
}

#[test]
fn the_report_names_the_image_and_its_layers() {
    let read = |name: &str| read(&fs::read(fixtures().join(name)).unwrap()).unwrap().contents[0].image.clone().unwrap();
    let image = read("image.zstd.tar");
    assert_eq!(image.name.as_deref(), Some("v1"));
    assert!(image.layers.iter().all(|layer| layer.compressions == [Compression::Zstd]));
    let counts: Vec<_> = image.layers.iter().map(|layer| (layer.files, layer.removed)).collect();
    assert_eq!(counts, [(0, 0), (0, 1), (4, 0)]);
    assert_eq!(image.layers[2].media_type.as_deref(), Some("application/vnd.oci.image.layer.v1.tar+zstd"));
    assert_eq!(read("image.docker.tar").name.as_deref(), Some("quay.io/example/catalog:v1"));
}
