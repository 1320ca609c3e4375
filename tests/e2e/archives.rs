//! Journeys with archives and images: what is dropped as one file.

use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use suite::browser::{BrowserError, Page, Result};
use tempfile::TempDir;

use crate::cluster::VERDICT;
use crate::steps::{drop_fixture, fixture, is_accessible, see, see_packages, see_texts, texts, visit};

const CHIPS: &str = "[data-testid='catalog-chip'] b";

/// A folder for archives, which is removed with it.
fn folder() -> Result<TempDir> {
    TempDir::new().map_err(|error| BrowserError::File(PathBuf::from("a temporary folder"), error))
}

fn file_error(path: &Path) -> impl Fn(std::io::Error) -> BrowserError {
    move |error| BrowserError::File(path.to_owned(), error)
}

fn tar(files: &[(&str, &[u8])]) -> Result<Vec<u8>> {
    let mut tar = tar::Builder::new(Vec::new());
    for (path, bytes) in files {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        tar.append_data(&mut header, path, *bytes).map_err(file_error(Path::new(path)))?;
    }
    tar.into_inner().map_err(file_error(Path::new("tar")))
}

fn catalog(name: &str) -> Result<Vec<u8>> {
    let path = fixture(name).join("catalog.yaml");
    std::fs::read(&path).map_err(file_error(&path))
}

fn write(folder: &TempDir, name: &str, bytes: &[u8]) -> Result<PathBuf> {
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).map_err(file_error(&path))?;
    Ok(path)
}

async fn see_notice(page: &Page, text: &str) -> Result {
    see(page, &format!("a notice with `{text}`"), true, async || {
        Ok(texts(page, ".notice p").await?.join("\n").contains(text))
    })
    .await
}

const CATALOG_IMAGE: &[u8] = br#"{"config":{"Labels":{"operators.operatorframework.io.index.configs.v1":"/configs"}}}"#;

/// A catalog image with one layer.
fn index(catalog: &[u8]) -> Result<Vec<u8>> {
    let layer = tar(&[("configs/catalog.yaml", catalog)])?;
    let manifest = br#"[{"Config":"config.json","RepoTags":["example.com/index:latest"],"Layers":["1.tar"]}]"#;
    tar(&[("1.tar", &layer), ("config.json", CATALOG_IMAGE), ("manifest.json", manifest)])
}

/// A catalog image as `docker save` writes it, whose second layer replaces the catalog of the first, as oc-mirror does it.
fn image() -> Result<Vec<u8>> {
    let first = tar(&[("configs/catalog.yaml", &catalog("release-before")?)])?;
    let whiteout = tar(&[(".wh.configs", b"")])?;
    let second = tar(&[("configs/catalog.yaml", &catalog("release-after")?)])?;
    let manifest =
        br#"[{"Config":"config.json","RepoTags":["example.com/mirror:v1"],"Layers":["1.tar","2.tar","3.tar"]}]"#;
    tar(&[
        ("1.tar", &first),
        ("2.tar", &whiteout),
        ("3.tar", &second),
        ("config.json", CATALOG_IMAGE),
        ("manifest.json", manifest),
    ])
}

#[tokio::test]
async fn an_image_shows_the_catalog_of_its_topmost_layers() -> Result {
    let folder = folder()?;
    let image = write(&folder, "mirror.tar", &image()?)?;
    visit(async |page| {
        page.test_id("empty").await?;
        page.drop_paths(&[&image]).await?;
        see_texts(page, CHIPS, &["mirror"]).await?;
        see_texts(page, ".notice b", &["Read mirror.tar:"]).await?;
        see_notice(page, "docker-archive, catalog image example.com/mirror:v1: 1 file in configs from 1 of 3 layers")
            .await?;
        see_packages(page, &["kettle"]).await?;
        page.css(".notice summary").await?.click().await?;
        see(page, "the layers", true, async || {
            Ok(texts(page, ".notice dd").await?.concat().contains("1 of lower layers removed"))
        })
        .await?;
        is_accessible(page).await
    })
    .await
}

#[tokio::test]
async fn images_for_several_versions_of_openshift_are_a_set() -> Result {
    let folder = folder()?;
    let older = write(&folder, "index-v4.18.tar", &index(&catalog("release-before")?)?)?;
    let newer = write(&folder, "index-v4.19.tar", &index(&catalog("release-after")?)?)?;
    for dropped in [&[older.as_path(), newer.as_path()][..], &[folder.path()]] {
        visit(async |page| {
            page.test_id("empty").await?;
            page.drop_paths(dropped).await?;
            page.test_id("set-plan").await?;
            see_texts(page, ".set .title h2", &["index-*"]).await?;
            page.text("2 catalogs for OpenShift 4.18 to 4.19 · 1 package").await.map(drop)
        })
        .await?;
    }
    Ok(())
}

#[tokio::test]
async fn a_compressed_folder_is_a_catalog() -> Result {
    let folder = folder()?;
    let tar = tar(&[("repository/a/catalog.yaml", &catalog("spring")?), ("repository/README.md", b"# A catalog\n")])?;
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    std::io::Write::write_all(&mut packed, &tar).map_err(file_error(folder.path()))?;
    let packed = write(&folder, "spring.tar.gz", &packed.finish().map_err(file_error(folder.path()))?)?;
    visit(async |page| {
        page.test_id("empty").await?;
        page.drop_paths(&[&packed]).await?;
        see_texts(page, CHIPS, &["spring"]).await?;
        see_notice(page, "tar archive, gzip: 2 files in repository").await
    })
    .await
}

#[tokio::test]
async fn a_damaged_archive_is_named_and_the_others_are_read() -> Result {
    let folder = folder()?;
    let image = image()?;
    let cut = write(&folder, "cut.tar", &image[..image.len() / 2])?;
    let whole = write(&folder, "whole.tar", &image)?;
    visit(async |page| {
        page.test_id("empty").await?;
        page.drop_paths(&[&cut, &whole]).await?;
        see_texts(page, CHIPS, &["whole"]).await?;
        see_texts(page, ".notice b", &["Could not read cut.tar:", "Read whole.tar:"]).await
    })
    .await
}

#[tokio::test]
async fn a_compressed_must_gather_says_why_a_subscription_is_stuck() -> Result {
    let folder = folder()?;
    let path = folder.path().join("must-gather.tar.gz");
    let file = std::fs::File::create(&path).map_err(file_error(&path))?;
    let mut tar = tar::Builder::new(GzEncoder::new(file, Compression::fast()));
    tar.append_dir_all("must-gather", fixture("must-gather")).map_err(file_error(&path))?;
    tar.into_inner().and_then(GzEncoder::finish).map_err(file_error(&path))?;
    visit(async |page| {
        page.test_id("empty").await?;
        page.drop_paths(&[&path]).await?;
        see_notice(page, "Read 5 objects of OLM from must-gather.").await?;
        drop_fixture(page, "release-after").await?;
        see_texts(page, VERDICT, &["kettle stays at 1.1.0"]).await?;
        page.text("Stuck: no entry of the channel updates").await.map(drop)
    })
    .await
}
