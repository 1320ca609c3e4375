//! One selection: what the user drops or opens is what the page shows, and what is no catalog changes nothing.

use suite::browser::{BrowserError, Result};
use tempfile::TempDir;

use crate::steps::{drop_fixture, see, see_texts, texts};

const PICTURE: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";

journey!(a_picture_never_becomes_a_catalog, async |page| {
    let failed = |error: std::io::Error| BrowserError::NotReady(error.to_string());
    let folder = TempDir::new().map_err(failed)?;
    let picture = folder.path().join("pic.png");
    std::fs::write(&picture, PICTURE).map_err(failed)?;
    drop_fixture(page, "spring").await?;
    let title = texts(page, "[data-testid='package-title']").await?;
    page.drop_paths(&[&picture]).await?;
    see(page, "the reason", true, async || {
        Ok(texts(page, "[data-testid='notice']").await?.concat().contains("not a text file: byte 8 is NUL"))
    })
    .await?;
    assert_eq!(texts(page, "[data-testid='catalog-chip']").await?.len(), 1);
    let title: Vec<&str> = title.iter().map(String::as_str).collect();
    see_texts(page, "[data-testid='package-title']", &title).await
});

journey!(a_bundle_directory_without_manifests_says_what_it_needs, async |page| {
    let failed = |error: std::io::Error| BrowserError::NotReady(error.to_string());
    let folder = TempDir::new().map_err(failed)?;
    let bundle = folder.path().join("1.0.0");
    let annotations = "annotations:\n  operators.operatorframework.io.bundle.package.v1: kettle\n";
    std::fs::create_dir_all(bundle.join("metadata")).map_err(failed)?;
    std::fs::write(bundle.join("metadata/annotations.yaml"), annotations).map_err(failed)?;
    page.test_id("empty").await?;
    page.drop_paths(&[&bundle]).await?;
    let reasons = async || -> Result<String> { Ok(texts(page, "[data-testid='notice']").await?.concat()) };
    see(page, "the reason", true, async || Ok(reasons().await?.contains("a bundle directory without manifests/")))
        .await?;
    // It goes away when something else is opened.
    drop_fixture(page, "spring").await?;
    see_texts(page, "[data-testid='notice']", &[]).await
});
