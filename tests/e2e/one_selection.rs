//! One selection: what the user drops or opens is what the page shows, and what is no catalog changes nothing.

use suite::browser::{BrowserError, Result};
use tempfile::TempDir;

use crate::steps::{drop_fixture, paste_text, see, see_texts, select_package, texts};

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

/// Files that are no catalogs, each with what the notice says.
const TEXTS: [(&str, &str, &str); 6] = [
    ("README.md", "# Kitchen\n\nHow to *boil* water: slowly.\n", "no document in it has a schema"),
    ("build.sh", "#!/bin/sh\nset -e\nopm validate catalog\n", "no document in it has a schema"),
    (
        "deployment.yaml",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: kettle}\n",
        "manifests of Kubernetes without objects of OLM",
    ),
    ("empty.yaml", "", "there is nothing in it; a catalog is a YAML or JSON file"),
    ("comment.yaml", "# not yet\n", "there is nothing in it; a catalog is a YAML or JSON file"),
    (
        "dependencies.yaml",
        "dependencies:\n- type: olm.package\n  value: {packageName: cup, version: 1.0.0}\n",
        "no open catalog has the bundle; open its catalog first",
    ),
];

journey!(a_text_that_is_no_catalog_changes_nothing, async |page| {
    let reasons = async || texts(page, "[data-testid='notice']").await;
    page.test_id("empty").await?;
    page.drop_texts("body", &[(TEXTS[0].0, TEXTS[0].1)]).await?;
    see(page, "the reason", true, async || Ok(reasons().await?.concat().contains(TEXTS[0].2))).await?;
    page.test_id("empty").await?;
    drop_fixture(page, "kitchen").await?;
    select_package(page, "teapot").await?;
    for (name, text, reason) in TEXTS {
        page.drop_texts("body", &[(name, text)]).await?;
        see(page, "the reason", true, async || {
            let notice = reasons().await?.into_iter().find(|notice| notice.contains(name)).unwrap_or_default();
            assert!(!notice.contains(".indexignore"), "{notice}");
            Ok(notice.contains(reason))
        })
        .await?;
    }
    paste_text(page, "just some words").await?;
    see(page, "the reason", true, async || Ok(reasons().await?.concat().contains("the pasted text"))).await?;
    see_texts(page, "[data-testid='catalog-chip'] b", &["kitchen"]).await?;
    see_texts(page, "[data-testid='package-title']", &["teapot"]).await
});

journey!(a_catalog_with_mistakes_opens_to_be_mended, async |page| {
    page.test_id("empty").await?;
    page.drop_texts("body", &[("typo.yaml", "shema: olm.package\nname: kettle\n")]).await?;
    page.css("[data-testid='catalog-chip'][data-name='typo']").await?;
    page.drop_texts("body", &[("quote.yaml", "schema: olm.package\nname: \"kettle\n")]).await?;
    page.css("[data-testid='catalog-chip'][data-name='quote']").await?;
    see_texts(page, "[data-testid='notice']", &[]).await
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
