//! Saved images and archives where a catalog is expected.

use crate::command::{Ended, file, opscope};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A file made with real tools.
fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../archive/tests/fixtures").join(name)
}

fn validate(path: &Path, input: &[u8]) -> Ended {
    opscope(["validate".as_ref(), "--format".as_ref(), "json".as_ref(), path.as_os_str()]).input(input).ended()
}

/// The findings with their files as they are shown, and what standard error says, without the path.
fn findings(path: &Path, input: &[u8]) -> (Vec<String>, String) {
    let Ended { out, errors, .. } = validate(path, input);
    let report: Value = serde_json::from_str(&out).expect("the answer is JSON");
    let text = |value: &Value| value.as_str().expect("it is a text").to_owned();
    let findings = report["findings"].as_array().expect("there is a list");
    let findings = findings.iter().map(|finding| format!("{}: {}", text(&finding["file"]), text(&finding["rule"])));
    let shown = if path == Path::new("-") { "<stdin>".to_owned() } else { path.display().to_string() };
    (findings.map(|finding| finding.replace(&shown, "PATH")).collect(), errors.replace(&shown, "PATH"))
}

#[test]
fn archives_give_the_findings_of_their_folder() {
    let (expected, told) = findings(&fixture("catalog"), b"");
    assert_eq!((expected[0].as_str(), told.as_str()), ("PATH/other/catalog.json: unknown-default-channel", ""));
    let image = ", catalog image `quay.io/example/catalog:v1`: 4 files in `configs` from 1 of 3 layers";
    let removed = "; its layers remove 1 file of lower ones";
    let forms = [
        ("catalog.tar.gz", "", "tar archive, gzip: 4 files".to_owned()),
        ("catalog.tar.xz", "catalog/", "tar archive, xz: 4 files in `catalog`".to_owned()),
        ("catalog.tar.zst", "catalog/", "tar archive, zstd: 4 files in `catalog`".to_owned()),
        ("catalog.zip", "catalog/", "zip archive: 4 files in `catalog`".to_owned()),
        ("image.oci.tar", "configs/", format!("OCI layout{image}{removed}")),
        ("image.docker.tar.gz", "configs/", format!("docker-archive, gzip{image}{removed}")),
        (
            "image.dir",
            "configs/",
            format!("folder of the transport dir:, catalog image: 4 files in `configs` from 1 of 3 layers{removed}"),
        ),
    ];
    for (name, folder, line) in forms {
        let inside: Vec<String> =
            expected.iter().map(|finding| finding.replace("PATH/", &format!("PATH!/{folder}"))).collect();
        assert_eq!(findings(&fixture(name), b""), (inside, format!("opscope: PATH: {line}\n")), "{name}");
    }
}

#[test]
fn an_archive_may_come_from_standard_input() {
    let bytes = fs::read(fixture("image.zstd.tar")).expect("there is an image");
    let (found, told) = findings(Path::new("-"), &bytes);
    assert_eq!(found[0], "PATH!/configs/other/catalog.json: unknown-default-channel");
    assert!(told.starts_with("opscope: PATH: OCI layout, catalog image `v1`: 4 files"), "{told}");
}

#[test]
fn a_compressed_text_has_the_path_of_its_file() {
    // `schema: x`, with two values for `name`, as `gzip -9n` compresses it.
    let bytes = b"\x1f\x8b\x08\0\0\0\0\0\x02\x03\x2b\x4e\xce\x48\xcd\x4d\xb4\x52\xa8\xe0\xca\x4b\xcc\x4d\xb5\x52\x48\x84\xd2\x49\x5c\0\xa7\xf1\xf0\x3b\x1a\0\0\0";
    let (found, told) = findings(&file("text.yaml.gz", bytes), b"");
    assert_eq!((&found[..], told.as_str()), (&["PATH: duplicate-key".to_owned()][..], ""));
}

#[test]
fn an_archive_that_cannot_be_read_is_no_answer() {
    let whole = fs::read(fixture("image.oci.tar")).expect("there is an image");
    let unlabelled = fs::read(fixture("image.docker.tar")).expect("there is an image");
    let at =
        unlabelled.windows(13).position(|part| part == b"index.configs").expect("the label is in the configuration");
    let mut changed = unlabelled.clone();
    changed[at] = b'I';
    let cases = [
        (file("cut.tar", &whole[..3000]), "the data ends too early; the file is cut off"),
        (file("text.bz2", b"BZh91AY&SY"), "files compressed with bzip2 are not read; convert it"),
        (file("changed.tar", &changed), "the digest should be sha256:"),
    ];
    for (path, message) in cases {
        let Ended { out, errors, code } = validate(&path, b"");
        let start = format!("opscope: cannot read `{}`: ", path.display());
        assert!(errors.starts_with(&start) && errors.contains(message), "{errors}");
        assert!(code == 2 && out.contains("\n  \"error\": \"cannot read "), "{out}");
    }
}

#[test]
fn several_images_are_validated_and_other_commands_ask_for_one() {
    let (found, told) = findings(&fixture("images.tar.xz"), b"");
    let of = |label: &str| format!("PATH!/{label}/configs/other/catalog.json: unknown-default-channel");
    assert!(found.contains(&of("v1")) && found.contains(&of("v2")), "{found:?}");
    assert!(told.contains("catalog image `v1`: 4 files") && told.contains("catalog image `v2`: 4 files"), "{told}");
    let Ended { errors: told, code, .. } = opscope(["graph".as_ref(), fixture("images.tar.xz").as_os_str()]).ended();
    assert!(told.contains("has several catalogs; save the one that you mean alone, with `skopeo copy`:\n"), "{told}");
    assert!(told.contains("catalog image `v1`: 4 files") && told.contains("catalog image `v2`: 4 files"), "{told}");
    assert_eq!(code, 2);
}

/// Copies a folder of the fixtures.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("the folder for tests can be written to");
    for entry in fs::read_dir(from).expect("the fixture is a folder").flatten() {
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(&path, &to).expect("the file can be copied");
        }
    }
}

/// As oc-mirror v2 leaves it: the image of the whole catalog, a folder with what is left of it, and files of its own.
#[test]
fn the_working_directory_of_oc_mirror_has_its_catalogs() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("oc-mirror");
    drop(fs::remove_dir_all(&root));
    let catalog = root.join("working-dir/operator-catalogs/community/0123");
    copy(&fixture("image.dir"), &catalog.join("catalog-image"));
    copy(&fixture("catalog"), &catalog.join("filtered-catalogs/4567/index-config"));
    fs::write(catalog.join("filtered-catalogs/4567/digest"), "0123").expect("the folder can be written to");
    fs::write(root.join("working-dir/history"), "").expect("the folder can be written to");
    let (found, told) = findings(&root, b"");
    let below = "working-dir/operator-catalogs/community/0123";
    let rule = "other/catalog.json: unknown-default-channel";
    let image = format!("PATH!/{below}/catalog-image/configs/{rule}");
    let folder = format!("PATH/{below}/filtered-catalogs/4567/index-config/{rule}");
    assert!(found.contains(&image) && found.contains(&folder), "{found:?}");
    assert_eq!(told.lines().count(), 2, "{told}");
    // Without the image it is still no catalog of everything.
    fs::remove_dir_all(catalog.join("catalog-image")).expect("it is there");
    let (found, told) = findings(&root, b"");
    assert!(found.contains(&folder), "{found:?}");
    assert!(told.contains("PATH: working directory of oc-mirror: "), "{told}");
}
