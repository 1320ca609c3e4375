//! What the layers of an image make together: whiteouts, links, and the folder of the label.

use crate::build::{self, Entry, Layout, catalog_label, docker_archive, files, files_of, gzip, read, tar, texts};
use archive::ContentsKind;
use serde_json::json;

use Entry::{File, Folder, Hard, Link};

/// Checks the files of an image with these layers, as OCI layout and as docker-archive.
fn check(layers: &[&[Entry<'_>]], expected: &[(&str, &str)]) {
    let layers: Vec<Vec<u8>> = layers.iter().map(|entries| tar(entries)).collect();
    assert_eq!(files(&read(&Layout::of(&layers).tar()).unwrap()), texts(expected), "OCI layout");
    assert_eq!(files(&read(&docker_archive(&layers)).unwrap()), texts(expected), "docker-archive");
}

/// oc-mirror v2 adds a layer that removes `/configs`, and one with the filtered catalog: imagebuilder/catalog_builder.go.
#[test]
fn a_catalog_that_oc_mirror_rebuilt_is_the_filtered_one() {
    check(
        &[
            &[
                File("configs/etcd/catalog.yaml", b"all"),
                File("configs/other/catalog.yaml", b"all"),
                File("bin/opm", b"\x7fELF"),
            ],
            &[File(".wh.configs", b"")],
            &[Folder("configs"), File("configs/etcd/catalog.yaml", b"filtered")],
        ],
        &[("etcd/catalog.yaml", "filtered")],
    );
}

#[test]
fn whiteouts_are_of_lower_layers_wherever_they_stand() {
    let lower: &[Entry<'_>] = &[File("configs/a", b"1"), File("configs/p/b", b"1"), File("configs/p/c", b"1")];
    check(&[lower, &[File("configs/.wh.a", b"")]], &[("p/b", "1"), ("p/c", "1")]);
    check(&[lower, &[File("configs/.wh.p", b"")]], &[("a", "1")]);
    check(&[lower, &[File("configs/p/.wh..wh..opq", b""), File("configs/p/d", b"2")]], &[("a", "1"), ("p/d", "2")]);
    check(&[lower, &[File("configs/p/d", b"2"), File("configs/p/.wh..wh..opq", b"")]], &[("a", "1"), ("p/d", "2")]);
    check(&[lower, &[File("configs/n", b"2"), File(".wh.configs", b"")]], &[("n", "2")]);
    check(&[lower, &[File(".wh..wh..opq", b""), File("configs/n", b"2")]], &[("n", "2")]);
    check(
        &[lower, &[File("configs/.wh..wh.plnk", b""), File("configs/.wh.", b"")]],
        &[("a", "1"), ("p/b", "1"), ("p/c", "1")],
    );
}

#[test]
fn names_of_entries_may_begin_with_a_dot_or_a_slash() {
    check(&[&[Folder("./configs/"), File("./configs/a", b"1"), File("/configs/b", b"2")]], &[("a", "1"), ("b", "2")]);
    check(&[&[File("configs/a", b"1")], &[File("./configs/.wh.a", b""), File("./configs/b", b"2")]], &[("b", "2")]);
}

#[test]
fn links_are_files_if_they_stay_in_the_folder() {
    check(
        &[
            &[File("configs/a", b"1"), File("etc/passwd", b"root")],
            &[
                Hard("configs/hard", "configs/a"),
                Link("configs/p/soft", "../a"),
                Link("configs/absolute", "/configs/a"),
                Link("configs/out", "/etc/passwd"),
            ],
        ],
        &[
            ("a", "1"),
            ("absolute", "1"),
            ("hard", "1"),
            ("out", "this is a link to `/etc/passwd`, outside of the folder that is read"),
            ("p/soft", "1"),
        ],
    );
}

#[test]
fn only_the_folder_of_the_label_is_read() {
    check(&[&[File("configs/a", b"1"), File("configs2/b", b"2"), File("tmp/cache/a", b"3")]], &[("a", "1")]);
    let mut layout = Layout::default();
    let layers = [tar(&[File("srv/catalog/a", b"1"), File("configs/b", b"2")])];
    let manifest = layout.image(&json!({build::CONFIGS: "/srv/catalog/"}), &layers);
    layout.index(&[manifest]);
    let archive = read(&layout.tar()).unwrap();
    assert_eq!((files(&archive), archive.contents[0].folder.as_str()), (texts(&[("a", "1")]), "srv/catalog"));
}

#[test]
fn a_bundle_image_has_manifests_and_metadata() {
    let labels = json!({
        "operators.operatorframework.io.bundle.mediatype.v1": "registry+v1",
        "operators.operatorframework.io.bundle.manifests.v1": "manifests/",
        "operators.operatorframework.io.bundle.metadata.v1": "metadata/",
        "operators.operatorframework.io.bundle.package.v1": "etcd",
    });
    let layers = [tar(&[
        File("manifests/csv.yaml", b"csv"),
        File("metadata/annotations.yaml", b"annotations"),
        File("tests/scorecard/config.yaml", b"scorecard"),
    ])];
    let mut layout = Layout::default();
    let manifest = layout.image(&labels, &layers);
    layout.index(&[manifest]);
    let archive = read(&layout.tar()).unwrap();
    assert_eq!(archive.contents[0].kind, ContentsKind::Bundle);
    assert_eq!(files(&archive), texts(&[("manifests/csv.yaml", "csv"), ("metadata/annotations.yaml", "annotations")]));
}

#[test]
fn a_nested_index_gives_the_image_of_linux_on_amd64_or_the_first() {
    let image = |layout: &mut Layout, text: &str, platform: (&str, &str)| {
        let mut manifest = layout.image(&catalog_label(), &[tar(&[File("configs/a", text.as_bytes())])]);
        manifest["platform"] = json!({"os": platform.0, "architecture": platform.1});
        manifest
    };
    let mut layout = Layout::default();
    let attestation = image(&mut layout, "attestation", ("unknown", "unknown"));
    let arm = image(&mut layout, "arm", ("linux", "arm64"));
    let amd = image(&mut layout, "amd", ("linux", "amd64"));
    for (manifests, expected) in [
        (vec![attestation.clone(), arm.clone(), amd], ("amd", "linux/amd64")),
        (vec![attestation, arm], ("arm", "linux/arm64")),
    ] {
        let nested = layout.nested(&manifests);
        layout.index(&[nested]);
        let archive = read(&layout.tar()).unwrap();
        let image = archive.contents[0].image.clone().unwrap();
        assert_eq!((files(&archive), image.platform.as_deref()), (texts(&[("a", expected.0)]), Some(expected.1)));
    }
}

#[test]
fn an_archive_of_several_images_gives_each_catalog() {
    let mut layout = Layout::default();
    let mut named = |name: &str, labels, text: &str| {
        let mut manifest = layout.image(labels, &[tar(&[File("configs/a", text.as_bytes())])]);
        manifest["annotations"] = json!({"org.opencontainers.image.ref.name": name});
        manifest
    };
    let manifests =
        [named("one", &catalog_label(), "1"), named("two", &catalog_label(), "2"), named("base", &json!({}), "3")];
    layout.index(&manifests);
    let archive = read(&layout.tar()).unwrap();
    let read: Vec<_> = (archive.contents.iter())
        .map(|contents| (contents.image.clone().unwrap().name.unwrap(), files_of(contents)))
        .collect();
    assert_eq!(read, [("one".to_owned(), texts(&[("a", "1")])), ("two".to_owned(), texts(&[("a", "2")]))]);
    assert_eq!(archive.passed_over[0].image, "base");
}

#[test]
fn the_report_says_what_each_layer_gave() {
    let layers = [
        tar(&[File("configs/a", b"1"), File("configs/b", b"1"), File("bin/opm", b"")]),
        gzip(&tar(&[File("configs/b", b"2"), File("configs/.wh.a", b"")])),
    ];
    let archive = read(&Layout::of(&layers).tar()).unwrap();
    let image = archive.contents[0].image.clone().unwrap();
    let counts: Vec<_> = image.layers.iter().map(|layer| (layer.entries, layer.files, layer.removed)).collect();
    assert_eq!(counts, [(3, 0, 0), (2, 1, 1)]);
    assert_eq!(image.layers[1].compressions, [archive::Compression::Gzip]);
    assert_eq!(image.layers[1].size, layers[1].len() as u64);
}

#[test]
fn docker_archives_may_have_links_as_layers() {
    let layer = tar(&[File("configs/a", b"1")]);
    let config = build::config(&catalog_label(), std::slice::from_ref(&layer));
    let manifest = json!([{"Config": "c.json", "Layers": ["x/layer.tar"]}]).to_string();
    let bytes = tar(&[
        File("manifest.json", manifest.as_bytes()),
        File("c.json", &config),
        Link("x/layer.tar", "../y/layer.tar"),
        File("y/layer.tar", &layer),
    ]);
    assert_eq!(files(&read(&bytes).unwrap()), texts(&[("a", "1")]));
    assert_eq!(files(&read(&gzip(&bytes)).unwrap()), texts(&[("a", "1")]));
}

#[test]
fn docker_archives_are_preferred_to_a_layout_next_to_them() {
    let layers = [tar(&[File("configs/a", b"1")])];
    let mut layout = Layout::of(&layers);
    layout.files.insert("index.json".to_owned(), br#"{"manifests":null}"#.to_vec());
    let config_digits = build::digits(&build::config(&catalog_label(), &layers));
    let layer_digits = build::digits(&layers[0]);
    let manifest = json!([{
        "Config": format!("blobs/sha256/{config_digits}"),
        "RepoTags": null,
        "Layers": [format!("blobs/sha256/{layer_digits}")],
    }]);
    layout.files.insert("manifest.json".to_owned(), manifest.to_string().into_bytes());
    assert_eq!(files(&read(&layout.tar()).unwrap()), texts(&[("a", "1")]));
}
