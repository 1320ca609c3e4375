//! Hostile and broken archives: each has its message, in little time and memory.

use crate::build::{
    Entry, Layout, catalog_label, config, digits, docker_archive, files, gzip, header, read, read_with, tar, texts,
};
use archive::{Error, Limits, Source};
use serde_json::json;
use std::time::{Duration, Instant};
use tar::{Builder, EntryType};

use Entry::{File, Folder, Hard, Link};

/// Three times the two seconds that an archive may take: tests run beside each other, on machines that do other things, too.
const LIMIT: Duration = Duration::from_secs(6);

fn elapsed<T>(what: &str, run: impl FnOnce() -> T) -> T {
    #[expect(clippy::disallowed_methods, reason = "the test has a clock, the crate has none")]
    let start = Instant::now();
    let value = run();
    let elapsed = start.elapsed();
    assert!(elapsed < LIMIT, "{what} took {elapsed:?}");
    value
}

/// An archive, and how its message begins.
type Row = (&'static str, Vec<u8>, &'static str);

fn check(rows: Vec<Row>) {
    let mut wrong = Vec::new();
    for (what, bytes, expected) in rows {
        let message = match elapsed(what, || read(&bytes)) {
            Ok(archive) => format!("no error: {archive:?}").chars().take(600).collect(),
            Err(error) => error.to_string(),
        };
        if !message.starts_with(expected) {
            wrong.push(format!("{what}\n  expected: {expected}\n  found:    {message}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

/// A tar archive from headers and bytes as they are, with the end mark.
fn raw_tar(parts: &[(tar::Header, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (header, data) in parts {
        bytes.extend_from_slice(header.as_bytes());
        bytes.extend_from_slice(data);
        bytes.resize(bytes.len().next_multiple_of(512), 0);
    }
    bytes.resize(bytes.len() + 1024, 0);
    bytes
}

/// A catalog image whose only layer has these entries.
fn image(entries: &[Entry<'_>]) -> Vec<u8> {
    Layout::of(&[tar(entries)]).tar()
}

/// A tar archive whose file has an extended header with a value.
fn extended(key: &str, value: &[u8]) -> Vec<u8> {
    let mut builder = Builder::new(Vec::new());
    builder.append_pax_extensions([(key, value)]).unwrap();
    builder.append(&header("a", EntryType::Regular, "", 1), &b"1"[..]).unwrap();
    builder.append(&header("b/c", EntryType::Regular, "", 1), &b"1"[..]).unwrap();
    builder.into_inner().unwrap()
}

/// A zip archive with one entry.
fn zip(name: &str, method: rawzip::CompressionMethod, bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut archive = rawzip::ZipArchiveWriter::new(Vec::new());
    let (mut entry, config) = archive.new_file(name).compression_method(method).start().unwrap();
    let mut writer = config.wrap(&mut entry);
    writer.write_all(bytes).unwrap();
    let descriptor = writer.finish().unwrap().1;
    entry.finish(descriptor).unwrap();
    archive.finish().unwrap()
}

/// Bytes with one part replaced by another one of the same length, everywhere.
fn replaced(mut bytes: Vec<u8>, from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let places: Vec<usize> = (0..=bytes.len() - from.len()).filter(|&at| bytes[at..].starts_with(from)).collect();
    assert!(!places.is_empty());
    for at in places {
        bytes[at..at + to.len()].copy_from_slice(to);
    }
    bytes
}

#[test]
fn what_is_not_read_says_how_to_convert_it() {
    check(vec![
        ("text", b"schema: olm.package".to_vec(), "this is not an archive; tar, zip, gzip, zstd and xz are read"),
        ("nothing", Vec::new(), "this is not an archive"),
        ("bzip2", b"BZh91AY&SY".to_vec(), "files compressed with bzip2 are not read; convert it: `bunzip2 < FILE"),
        ("bzip2 in gzip", gzip(b"BZh91AY&SY"), "files compressed with bzip2 are not read"),
        ("sqlite", b"SQLite format 3\0".to_vec(), "this is a catalog in the old sqlite format, which OLM"),
        ("sqlite in gzip", gzip(b"SQLite format 3\0"), "this is a catalog in the old sqlite format"),
        ("zip in gzip", gzip(b"PK\x03\x04"), "this is a zip archive that was compressed again; decompress it"),
    ]);
}

#[test]
fn bombs_are_refused() {
    let zeros = vec![0; 100 << 20];
    let four = gzip(&gzip(&gzip(&gzip(b"text"))));
    let bomb = gzip(&zeros);
    let spread = tar(&[File("a/catalog.yaml", &zeros[..60 << 20]), File("b/c", b"")]);
    let copies: Vec<String> = (0..100).map(|number| format!("configs/{number}")).collect();
    let mut linked = vec![File("configs/a", &zeros[..10 << 20])];
    linked.extend(copies.iter().map(|name| Hard(name, "configs/a")));
    let linked = Layout::of(&[gzip(&tar(&linked))]).tar();
    let long_name = {
        let mut name = header("././@LongLink", EntryType::GNULongName, "", 3 << 20);
        name.set_cksum();
        raw_tar(&[(name, &vec![b'a'; 3 << 20]), (header("a", EntryType::Regular, "", 0), b"")])
    };
    check(vec![
        ("gzip of zeros", bomb.clone(), "the data unpacks to more than 100 times its size, which catalogs don't"),
        ("gzip of gzip of zeros", gzip(&bomb), "the data unpacks to more than 200 times its size"),
        ("four compressions", four, "compressed more than 3 times; decompress it, and open what is in it"),
        ("gzip of a tar with zeros", gzip(&spread), "the data unpacks to more than 100 times its size"),
        ("layer with zeros", Layout::of(&[bomb]).tar(), "`blobs/sha256/"),
        ("a file linked a hundred times", linked, "the data unpacks to more than 100 times its size"),
        ("a name of 3 MiB", long_name, "an entry of the archive has a header of more than 1 MiB; unpack it"),
        (
            "an extended header of 2 MiB",
            extended("path", &vec![b'a'; 2 << 20]),
            "an entry of the archive has a header of",
        ),
    ]);
}

#[test]
fn the_kept_files_and_the_entries_are_limited() {
    let limits = Limits { kept: 1 << 20, entries: 1000, ..Limits::default() };
    let message = |bytes: &[u8]| read_with(bytes, limits).unwrap_err().to_string();
    let large = vec![b'x'; 700 << 10];
    let two = tar(&[File("a/b", &large), File("c/d", &large)]);
    assert!(
        message(&two).contains("the files have more than 1 MiB; unpack it with a tool that you trust"),
        "{}",
        message(&two)
    );
    let names: Vec<String> = (0..1001).map(|number| format!("d/{number}")).collect();
    let many: Vec<Entry<'_>> = names.iter().map(|name| File(name, b"")).collect();
    assert!(message(&tar(&many)).starts_with("the archive has more than 1000 entries; unpack it"));
    assert!(message(&gzip(&tar(&many))).starts_with("the archive has more than 1000 entries"));
    let in_layer = message(&image(&many));
    assert!(in_layer.contains("the archive has more than 1000 entries"), "{in_layer}");
}

#[test]
fn images_that_share_a_layer_are_limited_together() {
    let names: Vec<String> = (0..400).map(|number| format!("configs/{number}")).collect();
    let layers = [tar(&names.iter().map(|name| File(name, b"")).collect::<Vec<_>>())];
    let mut layout = Layout::default();
    let images: Vec<_> = (0..10)
        .map(|number| {
            let labels = json!({crate::build::CONFIGS: "/configs", "number": number.to_string()});
            let mut manifest = layout.image(&labels, &layers);
            manifest["annotations"] = json!({"org.opencontainers.image.ref.name": number.to_string()});
            manifest
        })
        .collect();
    layout.index(&images);
    let limits = Limits { entries: 2000, ..Limits::default() };
    let archive = read_with(&layout.tar(), limits).unwrap();
    assert_eq!((archive.contents.len(), archive.passed_over.len()), (3, 7));
    assert_eq!(archive.passed_over[0].reason, Error::TooManyEntries { limit: 2000 });
}

/// A tar archive of empty files without end.
struct Endless(Vec<u8>);

impl Source for Endless {
    fn len(&self) -> u64 {
        1 << 40
    }

    fn read_at(&mut self, offset: u64, into: &mut [u8]) -> std::io::Result<usize> {
        let rest = &self.0[(offset % 512) as usize..];
        let count = rest.len().min(into.len());
        into[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}

#[test]
fn a_million_entries_are_counted_quickly() {
    let block = header("configs/catalog.yaml", EntryType::Regular, "", 0);
    let mut endless = Endless(block.as_bytes().repeat(256));
    let answer = elapsed("entries", || archive::read(&mut endless, "a", Limits::default(), &|_| true, &mut |_| true));
    assert_eq!(answer, Err(Error::TooManyEntries { limit: 1_000_000 }));
}

#[test]
fn names_that_lead_out_of_the_archive_are_refused() {
    let parent = "has `..`, which leads out of the archive; unpack it";
    let deep = format!("{}catalog.yaml", "a/".repeat(70));
    let mut long = Builder::new(Vec::new());
    long.append_pax_extensions([("path", deep.as_bytes())]).unwrap();
    long.append(&header("a", EntryType::Regular, "", 0), &[][..]).unwrap();
    check(vec![
        ("tar with ..", tar(&[File("../etc/passwd", b"")]), &*format!("the name `../etc/passwd` {parent}").leak()),
        ("tar with .. inside", tar(&[File("a/../../b", b"")]), "the name `a/../../b` has `..`"),
        ("tar with /", tar(&[File("/etc/passwd", b"")]), "the name `/etc/passwd` begins with `/`, which leads out"),
        ("layer with ..", image(&[File("configs/../etc/passwd", b"")]), "`blobs/sha256/"),
        (
            "tar with NUL",
            extended("path", b"catalog.yaml\0.png"),
            "the name `catalog.yaml\\0.png` has a NUL, which hides",
        ),
        (
            "zip with ..",
            replaced(zip("aa_bb_x", rawzip::CompressionMethod::STORE, b"1"), b"aa_bb_x", b"../../x"),
            "the name `../../x` has `..`",
        ),
        (
            "zip with NUL",
            replaced(zip("a_b", rawzip::CompressionMethod::STORE, b"1"), b"a_b", b"a\0b"),
            "the name `a\\0b`",
        ),
        ("70 folders", long.into_inner().unwrap(), "a file lies in more than 64 folders; unpack it"),
    ]);
}

#[test]
fn links_in_circles_or_out_of_the_folder_are_faults_of_their_files() {
    let bytes = image(&[
        File("configs/a", b"1"),
        Link("configs/c1", "c2"),
        Link("configs/c2", "c1"),
        Link("configs/self", "self"),
        Link("configs/out", "../../../etc/passwd"),
        Hard("configs/hard", "etc/shadow"),
        Hard("configs/itself", "configs/itself"),
    ]);
    let expected = texts(&[
        ("a", "1"),
        ("c1", "this is a link to `c2`, which leads back in a circle"),
        ("c2", "this is a link to `c1`, which leads back in a circle"),
        ("hard", "this is a link to `etc/shadow`, outside of the folder that is read"),
        ("itself", "this is a link to `configs/itself`, which does not exist"),
        ("out", "this is a link to `../../../etc/passwd`, outside of the folder that is read"),
        ("self", "this is a link to `self`, which leads back in a circle"),
    ]);
    assert_eq!(files(&elapsed("links", || read(&bytes)).unwrap()), expected);
    let names: Vec<String> = (0..5000).map(|number| format!("d/{number}")).collect();
    let chain: Vec<Entry<'_>> = names.iter().zip(&names[1..]).map(|(from, to)| Link(from, &to[2..])).collect();
    let found = files(&elapsed("chain", || read(&tar(&chain))).unwrap());
    assert_eq!(found["0"], b"this is a link to `1`, which leads back in a circle");
}

/// What GNU tar writes with `--sparse`, in the format of its own and in those with extended headers.
#[test]
fn files_with_holes_are_faults() {
    let mut own = header("a/b", EntryType::GNUSparse, "", 0);
    own.as_gnu_mut().unwrap().set_real_size(0);
    own.set_cksum();
    let plain = raw_tar(&[(own, b""), (header("a/c", EntryType::Regular, "", 1), b"1")]);
    let pax = |fields: &[(&str, &str)]| {
        let mut builder = Builder::new(Vec::new());
        builder.append_pax_extensions(fields.iter().map(|(key, value)| (*key, value.as_bytes()))).unwrap();
        builder.append(&header("a/GNUSparseFile.7/b", EntryType::Regular, "", 4), &b"1\n0\n"[..]).unwrap();
        builder.append(&header("a/c", EntryType::Regular, "", 1), &b"1"[..]).unwrap();
        builder.into_inner().unwrap()
    };
    let first = pax(&[("GNU.sparse.size", "9"), ("GNU.sparse.numblocks", "0"), ("GNU.sparse.name", "a/b")]);
    let second = pax(&[("GNU.sparse.major", "1"), ("GNU.sparse.minor", "0"), ("GNU.sparse.name", "a/b")]);
    let fault = "the file is stored with holes; pack it again without `--sparse`";
    for bytes in [plain, first.clone(), second, gzip(&first)] {
        assert_eq!(files(&read(&bytes).unwrap()), texts(&[("b", fault), ("c", "1")]));
    }
    let unnamed = read(&pax(&[("GNU.sparse.map", "0,1")])).unwrap();
    assert_eq!(files(&unnamed), texts(&[("GNUSparseFile.7/b", fault), ("c", "1")]));
}

#[test]
fn sizes_that_lie_are_noticed() {
    let huge = raw_tar(&[(header("a", EntryType::Regular, "", 1 << 40), b"1")]);
    let wrapped = {
        let mut wrong = header("a", EntryType::Regular, "", 0);
        wrong.as_old_mut().size = [0x80, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
        wrong.set_cksum();
        raw_tar(&[(wrong, b"")])
    };
    let mut no_number = header("a", EntryType::Regular, "", 0);
    no_number.as_old_mut().size = *b"nonsense1234";
    no_number.set_cksum();
    let mut no_sum = header("a", EntryType::Regular, "", 0);
    no_sum.as_old_mut().cksum = *b"0000000\0";
    let longer = {
        let mut bytes = zip("a", rawzip::CompressionMethod::STORE, b"12345678");
        let end = bytes.len() - 22;
        // The uncompressed size in the directory's only entry, which has a name of one byte.
        bytes[end - 47 + 24] = 9;
        bytes
    };
    check(vec![
        ("an entry larger than the archive", huge.clone(), "the data ends too early"),
        ("the same in gzip", gzip(&huge), "the data ends too early"),
        ("a size above 2^63", wrapped, "the tar data is damaged"),
        ("a size that is no number", raw_tar(&[(no_number, b"")]), "the tar data is damaged; get the file again"),
        ("a wrong checksum", raw_tar(&[(no_sum, b"")]), "the tar data is damaged"),
        ("an extended size", extended("size", b"99999999999"), "the data ends too early"),
        ("a zip entry that says it is longer", longer, "`a`: the zip data is damaged"),
    ]);
}

#[test]
fn a_source_that_is_shorter_than_it_says_is_cut_off() {
    struct Short;
    impl Source for Short {
        fn len(&self) -> u64 {
            1 << 30
        }

        fn read_at(&mut self, offset: u64, into: &mut [u8]) -> std::io::Result<usize> {
            (&mut &tar(&[File("a/b", b"1")])[..700]).read_at(offset, into)
        }
    }
    assert_eq!(archive::read(&mut Short, "a", Limits::default(), &|_| true, &mut |_| true), Err(Error::Truncated));
}

#[test]
fn damaged_archives_are_refused() {
    let packed = gzip(&tar(&[File("a/b", b"some text that is compressed"), File("c/d", b"more")]));
    let mut flipped = packed.clone();
    flipped[30] ^= 0x55;
    let mut wrong_sum = packed.clone();
    let sum = wrong_sum.len() - 6;
    wrong_sum[sum] ^= 1;
    let text = zip("a", rawzip::CompressionMethod::STORE, b"catalog");
    check(vec![
        ("gzip with a changed byte", flipped, "the gzip data is damaged; get the file again"),
        ("gzip with a wrong checksum", wrong_sum, "the gzip data is damaged"),
        ("gzip with text behind it", [&packed[..], b"text that is no gzip"].concat(), "the gzip data is damaged"),
        ("zstd without a frame", [&b"\x28\xb5\x2f\xfd"[..], &[0x4f; 400]].concat(), "the zstd data is damaged"),
        (
            "zstd with a window of 2 GiB",
            b"\x28\xb5\x2f\xfd\x00\xa8\0\0\0".to_vec(),
            "to decompress this zstd data takes more than 64 MiB",
        ),
        (
            "zstd frame to be skipped that is cut off",
            b"\x50\x2a\x4d\x18\xff\xff\xff\x7f".to_vec(),
            "the data ends too early",
        ),
        (
            "xz without a header",
            b"\xfd7zXZ\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff".to_vec(),
            "the xz data is damaged",
        ),
        ("zip with a changed byte", replaced(text.clone(), b"catalog", b"catalop"), "`a`: the zip data is damaged"),
        ("zip without directory", text[..20].to_vec(), "the data ends too early"),
        (
            "zip by another method",
            zip("a", rawzip::CompressionMethod::PPMD, b"1"),
            "`a`: the file is compressed by method 98",
        ),
        ("tar without files", tar(&[Folder("a")]), "the archive has no files that are read here"),
        (
            "tar that describes a member that never comes",
            raw_tar(&[(header("././@LongLink", EntryType::GNULongName, "", 2), b"a")]),
            "the tar data is damaged",
        ),
    ]);
}

#[test]
fn encrypted_entries_of_a_zip_are_refused() {
    let mut bytes = zip("a", rawzip::CompressionMethod::STORE, b"12345678");
    let entry = bytes.len() - 22 - 47;
    bytes[entry + 8] |= 1;
    check(vec![("encrypted", bytes, "`a`: the file is encrypted; unpack the archive")]);
}

#[test]
fn images_that_contradict_themselves_are_refused() {
    let layers = [tar(&[File("configs/a", b"1")])];
    let layout = Layout::of(&layers);
    let with = |change: &dyn Fn(&mut Layout)| {
        let mut layout = layout.clone();
        change(&mut layout);
        layout.tar()
    };
    let layer = format!("blobs/sha256/{}", digits(&layers[0]));
    let image_with = |labels: &serde_json::Value, layers: &[Vec<u8>]| {
        let mut layout = Layout::default();
        let manifest = layout.image(labels, layers);
        layout.index(&[manifest]);
        layout.tar()
    };
    let manifest_of = |manifest: serde_json::Value| {
        let mut layout = layout.clone();
        let manifest = layout.blob("application/vnd.oci.image.manifest.v1+json", manifest.to_string().into_bytes());
        layout.index(&[manifest]);
        layout.tar()
    };
    let nested = {
        let mut layout = Layout::default();
        let mut manifest = layout.image(&catalog_label(), &layers);
        for _ in 0..5 {
            manifest = layout.nested(&[manifest]);
        }
        layout.index(&[manifest]);
        layout.tar()
    };
    let other = docker_archive(&[tar(&[File("configs/a", b"1")])]);
    let sqlite = json!({"operators.operatorframework.io.index.database.v1": "/database/index.db"});
    let named: Vec<_> = (0..20_000).map(|number| json!({"digest": "sha256:0", "annotations": {"org.opencontainers.image.ref.name": number.to_string()}})).collect();
    check(vec![
        (
            "another layer",
            with(&|layout| drop(layout.files.insert(layer.clone(), tar(&[File("configs/a", b"2")])))),
            "`sha256:",
        ),
        ("a longer layer", with(&|layout| layout.files.get_mut(&layer).unwrap().extend([0; 512])), "`sha256:"),
        ("no layer", with(&|layout| drop(layout.files.remove(&layer))), "the archive has no `sha256:"),
        (
            "no blobs",
            with(&|layout| layout.files.retain(|path, _| !path.starts_with("blobs"))),
            "the archive has no `sha256:",
        ),
        ("an index without images", with(&|layout| layout.index(&[])), "`index.json`: the index names no image"),
        (
            "an index with null",
            with(&|layout| drop(layout.files.insert("index.json".to_owned(), b"{\"manifests\":null}".to_vec()))),
            "`index.json`: the index names no image",
        ),
        (
            "an index that is no JSON",
            with(&|layout| drop(layout.files.insert("index.json".to_owned(), b"{".to_vec()))),
            "`index.json`: expected a manifest",
        ),
        (
            "an index as deep as the parser",
            with(&|layout| drop(layout.files.insert("index.json".to_owned(), vec![b'['; 1 << 20]))),
            "`index.json`: expected a manifest",
        ),
        (
            "20000 images",
            with(&|layout| layout.index(&named)),
            "the archive has more than 64 images; save the catalog image alone",
        ),
        (
            "a digest that is a path",
            with(&|layout| layout.index(&[json!({"digest": "sha256:../../etc/passwd"})])),
            "expected a digest `sha256:` with 64 digits, not `sha256:../../etc/passwd`",
        ),
        (
            "a digest of another kind",
            with(&|layout| layout.index(&[json!({"digest": "sha512:00"})])),
            "expected a digest `sha256:`",
        ),
        ("six indexes", nested, "more than 4 indexes lie around the image"),
        (
            "a manifest without configuration",
            manifest_of(json!({"schemaVersion": 2, "layers": []})),
            "the index names no image",
        ),
        (
            "600 layers",
            manifest_of(json!({"config": {"digest": "sha256:0"}, "layers": vec![json!({"digest": "sha256:0"}); 600]})),
            "the image has more than 512 layers",
        ),
        (
            "no label",
            image_with(&json!({}), &layers),
            "the image has no label `operators.operatorframework.io.index.configs.v1`, so it is no catalog",
        ),
        ("labels that are null", image_with(&json!(null), &layers), "the image has no label"),
        (
            "a sqlite catalog",
            image_with(&sqlite, &layers),
            "the image has its catalog in the old sqlite format, `/database/index.db`, which OLM",
        ),
        (
            "an empty folder",
            image_with(&json!({crate::build::CONFIGS: "/srv"}), &layers),
            "the image has no file in `/srv`",
        ),
        (
            "a folder outside",
            image_with(&json!({crate::build::CONFIGS: "/a/../.."}), &layers),
            "the name `/a/../..` has `..`",
        ),
        ("a layer of text", Layout::of(&[b"text".to_vec()]).tar(), "`blobs/sha256/"),
        (
            "a layer that is cut off",
            Layout::of(&[gzip(&tar(&[File("configs/a", b"1")]))[..60].to_vec()]).tar(),
            "`blobs/sha256/",
        ),
        ("a docker-archive with another layer", replaced(other, b"configs/a\0", b"configs/b\0"), "`"),
    ]);
}

#[test]
fn documents_of_images_are_limited() {
    let config = config(&catalog_label(), &[]);
    let manifest = format!("[{{\"Config\": \"c\", \"Layers\": [], \"x\": \"{}\"}}]", "x".repeat(2000));
    let bytes = tar(&[File("manifest.json", manifest.as_bytes()), File("c", &config)]);
    let mut layout = Layout::of(&[]);
    layout.files.insert("index.json".to_owned(), vec![b' '; 2000]);
    let limits = Limits { document: 1000, ..Limits::default() };
    let message = |bytes: &[u8]| read_with(bytes, limits).unwrap_err().to_string();
    assert_eq!(
        message(&layout.tar()),
        "`index.json`: the manifests and configurations have more than 1000 bytes; save the image again"
    );
    // Several images may name one configuration, which is read each time.
    let image = json!({"Config": "c", "Layers": []});
    let many = tar(&[File("manifest.json", json!([image, image, image]).to_string().as_bytes()), File("c", &config)]);
    let limits_of_all = Limits { documents: 2 * config.len() as u64, ..Limits::default() };
    let answer = read_with(&many, limits_of_all).unwrap_err().to_string();
    assert!(answer.contains("the manifests and configurations have more than"), "{answer}");
    // A large `manifest.json` may be anything, so the archive is one of files.
    assert!(read_with(&bytes, limits).is_ok());
}

#[test]
fn an_archive_that_is_cut_off_anywhere_is_refused() {
    let entries = [File("configs/a", b"1"), File("configs/p/b", &[7; 3000])];
    let layers = [tar(&entries), gzip(&tar(&entries))];
    let repository = tar(&[File("r/a", b"1"), File("r/b", &[7; 3000])]);
    let zipped = zip("a", rawzip::CompressionMethod::STORE, &[7; 3000]);
    let forms = [
        ("repository", repository.clone(), 512),
        ("gzip", gzip(&repository), 7),
        ("zip", zipped, 97),
        ("oci-archive", Layout::of(&layers).tar(), 512),
        ("docker-archive", docker_archive(&layers[..1]), 512),
        ("oci-archive in gzip", gzip(&Layout::of(&layers).tar()), 61),
        ("zstd", include_bytes!("../fixtures/catalog.tar.zst").to_vec(), 3),
        ("xz", include_bytes!("../fixtures/catalog.tar.xz").to_vec(), 3),
    ];
    for (form, bytes, step) in forms {
        // The last block is the second half of the end mark.
        let whole = bytes.len() - if archive::Form::of(&bytes) != archive::Form::Tar { 0 } else { 512 };
        for end in (1..whole).step_by(step).chain((1..whole.min(1600)).rev().step_by(41)) {
            let answer = elapsed(form, || read(&bytes[..end]));
            assert!(answer.is_err(), "{form} cut off at {end} of {}: {answer:?}", bytes.len());
        }
    }
}

#[test]
fn cuts_and_changed_bytes_never_panic() {
    let layers = [tar(&[File("configs/a", b"1"), Link("configs/b", "a")]), gzip(&tar(&[File("configs/.wh.a", b"")]))];
    let forms = [
        Layout::of(&layers).tar(),
        docker_archive(&layers[..1]),
        gzip(&tar(&[File("a/b", b"1"), Hard("a/c", "a/b")])),
        zip("catalog.yaml", rawzip::CompressionMethod::STORE, b"schema: olm.package"),
        include_bytes!("../fixtures/catalog.tar.zst").to_vec(),
        include_bytes!("../fixtures/catalog.tar.xz").to_vec(),
    ];
    for bytes in forms {
        for number in 0..600_usize {
            let mut changed = bytes.clone();
            let at = number.wrapping_mul(2_654_435_761) % changed.len();
            changed[at] = changed[at].wrapping_add(1 + (number % 254) as u8);
            // Many changes are of no consequence; none may panic or hang.
            drop(read(&changed));
        }
    }
}

#[test]
fn the_root_is_a_folder_whatever_its_entry_says() {
    for root in [File("", b"root"), File(".", b"root"), Link("./", "catalog.yaml"), Hard(".", "catalog.yaml")] {
        let archive = read(&tar(&[root, File("catalog.yaml", b"schema: olm.package\n")])).unwrap();
        let paths: Vec<&str> = archive.contents[0].files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!((archive.contents.len(), paths), (1, vec!["catalog.yaml"]));
    }
}
