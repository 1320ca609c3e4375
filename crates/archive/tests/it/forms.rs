//! The files read from each form of an archive are those of the folder that it was made of.

use crate::build::{
    Entry, Files, Layout, catalog_label, config, digits, docker_archive, files, files_of, gzip, read, tar, tar_of,
    texts,
};
use archive::{Archive, ArchiveForm, Compression, Error, Limits, Source};
use proptest::prelude::*;
use serde_json::json;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A zip archive of files, by turns stored and deflated.
fn zip(files: &Files, prefix: &str) -> Vec<u8> {
    let mut archive = rawzip::ZipArchiveWriter::new(Vec::new());
    for (number, (path, bytes)) in files.iter().enumerate() {
        let method = [rawzip::CompressionMethod::STORE, rawzip::CompressionMethod::DEFLATE][number % 2];
        let name = format!("{prefix}{path}");
        let (mut entry, config) = archive.new_file(&name).compression_method(method).start().unwrap();
        let descriptor = if number % 2 == 0 {
            let mut writer = config.wrap(&mut entry);
            writer.write_all(bytes).unwrap();
            writer.finish().unwrap().1
        } else {
            let mut writer = config.wrap(flate2::write::DeflateEncoder::new(&mut entry, flate2::Compression::fast()));
            writer.write_all(bytes).unwrap();
            let (encoder, descriptor) = writer.finish().unwrap();
            encoder.finish().unwrap();
            descriptor
        };
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap()
}

fn in_configs(files: &Files) -> Vec<u8> {
    tar_of(files, "configs/")
}

/// The files of a folder with images, each read through its own source.
fn read_folder(files: &Files) -> Option<Archive> {
    let mut slices: Vec<(String, &[u8])> = files.iter().map(|(path, bytes)| (path.clone(), &bytes[..])).collect();
    let sources = slices.iter_mut().map(|(path, bytes)| (path.clone(), bytes as &mut dyn Source)).collect();
    archive::read_folder(sources, None, Limits::default(), &mut |_| true).unwrap()
}

/// The folder of the transport `dir:` with one image.
fn dir_transport(layers: &[Vec<u8>]) -> Files {
    let config = config(&catalog_label(), layers);
    let blob = |bytes: &[u8]| json!({"digest": format!("sha256:{}", digits(bytes)), "size": bytes.len()});
    let described: Vec<_> = layers.iter().map(|layer| blob(layer)).collect();
    let manifest = json!({"schemaVersion": 2, "config": blob(&config), "layers": described});
    let mut files =
        texts(&[("version", "Directory Transport Version: 1.1\n"), ("manifest.json", &manifest.to_string())]);
    files.insert(digits(&config), config);
    files.extend(layers.iter().map(|layer| (digits(layer), layer.clone())));
    files
}

/// Paths below a folder that are not in each other's way.
fn any_files() -> impl Strategy<Value = Files> {
    let path = "[a-d](/[a-d]{1,2}){0,2}/[a-z]{1,8}\\.(yaml|json)";
    let bytes = prop::collection::vec(any::<u8>(), 0..2000);
    prop::collection::btree_map(path, bytes, 2..12).prop_map(|mut files| {
        // With two first folders there is none around all files.
        files.insert("y/catalog.yaml".to_owned(), b"schema: olm.package\n".to_vec());
        files.insert("z/catalog.yaml".to_owned(), Vec::new());
        files
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_form_gives_the_files_of_its_folder(folder in any_files()) {
        let layers = [tar(&[Entry::File("bin/opm", b"\x7fELF")]), in_configs(&folder)];
        let packed = [layers[0].clone(), gzip(&layers[1])];
        let forms = [
            ("tar", tar_of(&folder, "")),
            ("tar with a folder around", tar_of(&folder, "repository-main/")),
            ("tar.gz", gzip(&tar_of(&folder, "./"))),
            ("tar.gz.gz", gzip(&gzip(&tar_of(&folder, "./")))),
            ("zip", zip(&folder, "")),
            ("zip with a folder around", zip(&folder, "repository-main/")),
            ("oci-archive", Layout::of(&layers).tar()),
            ("oci-archive with gzip", Layout::of(&packed).tar()),
            ("oci-archive in gzip", gzip(&Layout::of(&packed).tar())),
            ("oci-archive with a folder around", tar_of(&Layout::of(&packed).files, "image/")),
            ("zip of an OCI layout", zip(&Layout::of(&packed).files, "")),
            ("docker-archive", docker_archive(&layers)),
            ("docker-archive in gzip", gzip(&docker_archive(&layers))),
            ("tar of dir:", tar_of(&dir_transport(&packed), "")),
        ];
        for (form, bytes) in forms {
            let read = read(&bytes).map_err(|error| TestCaseError::fail(format!("{form}: {error}")))?;
            prop_assert_eq!(files(&read), folder.clone(), "{}", form);
        }
        let layout = read_folder(&Layout::of(&packed).files).unwrap();
        prop_assert_eq!((layout.form, files(&layout)), (ArchiveForm::OciLayout, folder.clone()));
        let dir = read_folder(&dir_transport(&packed)).unwrap();
        prop_assert_eq!((dir.form, files(&dir)), (ArchiveForm::DirTransport, folder.clone()));
        prop_assert!(read_folder(&folder).is_none());
    }
}

#[test]
fn the_folder_around_all_files_is_not_part_of_their_paths() {
    let bytes = tar(&[
        Entry::Folder("repository-main/"),
        Entry::File("repository-main/catalog/etcd.yaml", b"1"),
        Entry::File("repository-main/README.md", b"2"),
    ]);
    let archive = read(&bytes).unwrap();
    assert_eq!(archive.contents[0].folder, "repository-main");
    assert_eq!(files(&archive), texts(&[("README.md", "2"), ("catalog/etcd.yaml", "1")]));
}

#[test]
fn an_image_among_other_files_is_one_of_them() {
    let layout = Layout::of(&[in_configs(&texts(&[("a", "1")]))]);
    let mut repository = texts(&[("catalog/etcd.yaml", "1"), ("README.md", "2")]);
    repository.extend(layout.files.iter().map(|(path, bytes)| (format!("testdata/image/{path}"), bytes.clone())));
    assert_eq!(files(&read(&tar_of(&repository, "")).unwrap()), repository);
    assert!(read_folder(&repository).is_none());
    // The working directory of oc-mirror has one for each catalog.
    let image = "working-dir/operator-catalogs/community/0123/catalog-image/";
    assert_eq!(files(&read(&tar_of(&layout.files, image)).unwrap()), texts(&[("a", "1")]));
}

#[test]
fn files_are_sorted_as_a_walk_meets_them() {
    let bytes =
        tar(&[Entry::File("a.b", b""), Entry::File("a/z", b""), Entry::File("a-b", b""), Entry::File("Z", b"")]);
    let archive = read(&bytes).unwrap();
    let paths: Vec<_> = archive.contents[0].files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["Z", "a/z", "a-b", "a.b"]);
}

#[test]
fn a_compressed_file_is_named_without_its_ending() {
    let archive = read(&gzip(b"{\"schema\": \"olm.package\"}\n")).unwrap();
    assert_eq!((archive.form, &archive.compressions[..]), (ArchiveForm::SingleFile, &[Compression::Gzip][..]));
    assert_eq!(files(&archive), texts(&[("catalog.yaml", "{\"schema\": \"olm.package\"}\n")]));
}

#[test]
fn gzip_may_have_several_members() {
    let bytes = tar_of(&texts(&[("a/b", "1"), ("c/d", "2")]), "");
    assert_eq!(
        files(&read(&[gzip(&bytes[..700]), gzip(&bytes[700..])].concat()).unwrap()),
        texts(&[("a/b", "1"), ("c/d", "2")])
    );
}

#[test]
fn unwanted_files_are_not_kept() {
    let log = vec![b'x'; 3 << 20];
    let entries = [
        Entry::File(
            "gather/quay-io/namespaces/olm/operators.coreos.com/subscriptions/etcd.yaml",
            b"kind: Subscription",
        ),
        Entry::File("gather/quay-io/namespaces/olm/pods/a/logs/current.log", &log),
    ];
    let limits = Limits { kept: 1 << 20, ..Limits::default() };
    let keep = |path: &str| path.contains("/operators.coreos.com/");
    for bytes in [tar(&entries), gzip(&tar(&entries))] {
        let archive = archive::read(&mut &bytes[..], "must-gather.tar", limits, &keep, &mut |_| true).unwrap();
        let found = files(&archive);
        assert_eq!(found.values().next().map(Vec::as_slice), Some(&b"kind: Subscription"[..]));
        assert_eq!(found.len(), 1);
    }
}

#[test]
fn a_compressed_archive_of_files_is_decompressed_once() {
    let noise: Vec<u8> = (0..1_u32 << 20).map(|number| (number.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let bytes =
        gzip(&tar(&[Entry::File("r/catalog/a", b"1"), Entry::File("r/b.log", &noise), Entry::File("r/c", b"2")]));
    let mut source = Slow { bytes: &bytes, read: 0 };
    let keep = |path: &str| !path.ends_with(".log");
    let archive = archive::read(&mut source, "a", Limits::default(), &keep, &mut |_| true).unwrap();
    assert_eq!(files(&archive), texts(&[("c", "2"), ("catalog/a", "1")]));
    assert!(source.read < bytes.len() as u64 + 8192, "read {} of {} bytes", source.read, bytes.len());
}

#[test]
fn links_of_a_repository_are_followed_inside_of_it() {
    let bytes = tar(&[
        Entry::File("r/v1/catalog.yaml", b"1"),
        Entry::Link("r/latest.yaml", "v1/catalog.yaml"),
        Entry::Hard("r/hard.yaml", "r/v1/catalog.yaml"),
        Entry::Link("r/absolute.yaml", "/etc/passwd"),
    ]);
    let expected = texts(&[
        ("absolute.yaml", "this is a link to `/etc/passwd`, outside of the folder that is read"),
        ("hard.yaml", "1"),
        ("latest.yaml", "1"),
        ("v1/catalog.yaml", "1"),
    ]);
    assert_eq!(files(&read(&bytes).unwrap()), expected);
}

#[test]
fn a_chain_of_links_leads_through_files_that_nobody_wants() {
    let bytes = tar(&[
        Entry::File("r/data/1", b"1"),
        Entry::Link("r/data/current", "1"),
        Entry::Link("r/catalog.yaml", "data/current"),
        Entry::File("r/other.yaml", b"2"),
    ]);
    let is_yaml = |path: &str| path.ends_with(".yaml");
    let archive = archive::read(&mut &bytes[..], "a.tar", Limits::default(), &is_yaml, &mut |_| true).unwrap();
    assert_eq!(files(&archive), texts(&[("catalog.yaml", "1"), ("other.yaml", "2")]));
}

/// A source that gives a few bytes at a time, and counts them.
struct Slow<'b> {
    bytes: &'b [u8],
    read: u64,
}

impl Source for Slow<'_> {
    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> std::io::Result<usize> {
        let most = into.len().min(4096);
        let count = (&mut &self.bytes[..]).read_at(offset, &mut into[..most])?;
        self.read += count as u64;
        Ok(count)
    }
}

#[test]
fn bytes_that_are_not_needed_are_not_read() {
    let mut layout = Layout::of(&[in_configs(&texts(&[("a", "1")]))]);
    // A blob of another image.
    layout.blob("application/vnd.oci.image.layer.v1.tar", vec![7; 5 << 20]);
    let bytes = layout.tar();
    let mut source = Slow { bytes: &bytes, read: 0 };
    let archive = archive::read(&mut source, "image.tar", Limits::default(), &|_| true, &mut |_| true).unwrap();
    assert_eq!(files(&archive), texts(&[("a", "1")]));
    assert!(source.read < 1 << 20, "read {} of {} bytes", source.read, bytes.len());
}

#[test]
fn progress_is_reported_and_stops_the_reading() {
    let bytes = gzip(&in_configs(&texts(&[("a/b", &"x".repeat(1 << 20))])));
    let mut told = Vec::new();
    let answer = archive::read(&mut &bytes[..], "c", Limits::default(), &|_| true, &mut |read| {
        told.push(read);
        true
    });
    assert!(answer.is_ok() && told.is_sorted() && told.last() >= Some(&(bytes.len() as u64)), "{told:?}");
    let answer = archive::read(&mut &bytes[..], "c", Limits::default(), &|_| true, &mut |_| false);
    assert_eq!(answer, Err(Error::Cancelled));
}

// Archives made with real tools, from `tests/fixtures`; its README says how.

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

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
