//! One package from a drop to a chosen bundle and past a reload: the real one if it is beside the checkout, else an extract.

use std::path::{Path, PathBuf};

use suite::browser::{Page, Result};

use crate::steps::{fixture, kept, read, see, see_texts, select_package, subscribe, visit};

const PACKAGE: &str = "dell-csm-operator";

/// A catalog of the community beside the checkout; it is too large to be kept in the repository.
fn folder() -> PathBuf {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/catalogs/community-v4.18").join(PACKAGE);
    if beside.is_dir() { beside } else { fixture("community") }
}

async fn see_head(page: &Page) -> Result {
    select_package(page, PACKAGE).await?;
    let heads = "[data-testid='graph-node'].head[data-channel='stable']";
    let heads = async || read(page, heads, "e.dataset.name").await;
    see(page, "the head of `stable`", ["dell-csm-operator.v1.11.3"].as_slice(), heads).await
}

#[tokio::test]
async fn a_real_package_from_drop_to_reload() -> Result {
    visit(async |page| through(page, &folder()).await).await
}

/// The same steps with an extract of the package among two others, which every checkout has.
#[tokio::test]
async fn an_extract_of_three_packages_from_drop_to_reload() -> Result {
    visit(async |page| through(page, &fixture("community")).await).await
}

async fn through(page: &Page, folder: &Path) -> Result {
    page.test_id("empty").await?;
    page.drop_paths(&[folder]).await?;
    see_head(page).await?;
    subscribe(page, &[("package", PACKAGE), ("channel", "stable")]).await?;
    page.text("installs dell-csm-operator.v1.11.3").await?;
    let chosen = read(page, "[data-testid='selected']", "e.dataset.name").await?;
    assert_eq!(chosen, ["dell-csm-operator.v1.11.3"], "the chosen bundles");

    kept(page, "name: dell-csm-operator.v1.11.3").await?;
    page.reload().await?;
    see_head(page).await?;
    see_texts(page, "[data-testid='subscription'] legend", &[PACKAGE]).await?;
    let form = "[data-testid='subscription'] :is(input, select)";
    let fields = async || read(page, form, "e.value").await;
    let catalog = folder.file_name().unwrap_or_default().to_string_lossy();
    see(page, "the Subscription after the reload", [PACKAGE, "stable", &catalog, "", ""].as_slice(), fields).await?;
    page.text("installs dell-csm-operator.v1.11.3").await.map(drop)
}
